"""Satisfiability by Z3, so that the answer depends on the formula alone.

Every question gets a fresh context, symbols named in order of first occurrence, a fixed seed, and ``rlimit`` as its
budget: in a shared context verdicts near the limit depend on what was asked before. A cap on wall time is a safety net
only and is reported as such.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from operator import eq
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from nlfol.logic import syntax as fol
from nlfol.logic.measuring import functions, predicates
from nlfol.logic.structures import MAX_TABLE, Structure
from nlfol.mappings import ByName

if TYPE_CHECKING:
    import z3

DEFAULT_BUDGET = 500_000  # Z3's ``rlimit`` for one question: about half a second of CPU
WALL_CAP = 30_000  # milliseconds after which a question is given up whatever its budget


class Answer(StrEnum):
    """Z3's answer to a satisfiability question."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Result:
    """An answer, with a finite model of moderate tables; for unknown, the reason: ``budget``, ``time`` or Z3's own."""

    answer: Answer
    model: Structure | None = None
    reason: str = ""


def satisfiable(
    formula: fol.Formula,
    budget: int = DEFAULT_BUDGET,
    *,
    with_model: bool = True,
    translation: type[Translation] | None = None,
) -> Result:
    """Ask Z3 whether a closed formula has a model, within an ``rlimit``; of those only that a translation allows.

    Depth must be moderate: translating nested quantifiers is quadratic and spends no budget.
    """
    import z3

    context = z3.Context()
    translated = (translation or Translation)(formula, context)
    solver = z3.SimpleSolver(ctx=context)
    solver.set("random_seed", 0)
    solver.set("rlimit", budget)
    solver.set("timeout", WALL_CAP)
    started = monotonic()
    try:
        with watched(context):
            solver.add(translated.formula)
            spent_before = _spent(solver)
            answer = solver.check()
    except Z3InterruptedError:
        return Result(Answer.UNKNOWN, reason="time")
    if answer == z3.sat:
        return Result(Answer.YES, _structure(translated, solver, context) if with_model else None)
    if answer == z3.unsat:
        return Result(Answer.NO)
    # Z3 says "canceled" of either limit, and of a limit met while it looks for a model "(incomplete quantifiers)".
    reason = solver.reason_unknown()
    if (monotonic() - started) * 1000 >= WALL_CAP:
        reason = "time"
    elif reason in ("timeout", "canceled") or _spent(solver) - spent_before >= budget:
        reason = "budget"
    return Result(Answer.UNKNOWN, reason=reason)


def _structure(translation: Translation, solver: z3.Solver, context: z3.Context) -> Structure | None:
    """Return the model that was found; None if it takes too long to write out."""
    try:
        with watched(context):
            return translation.structure(solver.model())
    except Z3InterruptedError:
        return None


class Z3InterruptedError(Exception):
    """Z3 heeded no limit and was interrupted: from then on it calls formulas satisfiable that are not."""


@contextmanager
def watched(context: z3.Context) -> Iterator[None]:
    """Interrupt whatever Z3 does in a context after twice ``WALL_CAP``: not all of its steps look at its own limits.

    Raises ``Z3InterruptedError`` at the end of a block that was interrupted, whatever has come of it.
    """
    done, interrupted = Event(), Event()

    def interrupt() -> None:
        late = 2 * WALL_CAP / 1000
        while not done.wait(late):
            interrupted.set()
            context.interrupt()
            late = 0.1  # an interruption between two steps stops neither

    watchdog = Thread(target=interrupt, daemon=True)
    watchdog.start()
    try:
        yield
    except Exception as error:
        if interrupted.is_set():
            raise Z3InterruptedError from error
        raise
    finally:
        done.set()
        watchdog.join()
    if interrupted.is_set():
        raise Z3InterruptedError


def _spent(solver: z3.Solver) -> int:
    statistics = solver.statistics()
    return int(statistics.get_key_value("rlimit count")) if "rlimit count" in statistics.keys() else 0  # noqa: SIM118


def connected(node: fol.Not | fol.Binary, parts: tuple[Any, ...]) -> Any:
    """Return the expression that a connective makes of Z3's expressions."""
    import z3

    made = {"¬": z3.Not, "∧": z3.And, "∨": z3.Or, "⊕": z3.Xor, "→": z3.Implies, "↔": eq}
    return made[node.sign](*parts)


class Translation:
    """A formula in Z3's terms, and Z3's models back as structures."""

    def __init__(self, formula: fol.Formula, context: z3.Context) -> None:
        import z3

        self.z3 = z3
        self.context = context
        self.sort = z3.DeclareSort("U", context)
        self.arities = {"p": predicates(formula), "f": functions(formula)}
        self.symbols: dict[tuple[str, str], Any] = {}
        for node in fol.distinct_subformulas(formula):
            if isinstance(node, fol.Atom):
                self._declare("p", node.predicate, z3.BoolSort(context))
            for term in (inner for outer in fol.terms(node) for inner in fol.subterms(outer)):
                if not isinstance(term, fol.Variable):
                    self._declare("c" if isinstance(term, fol.Constant) else "f", term.name, self.sort)
        self.variables: ByName = {}
        self.terms: dict[fol.Term, Any] = {}
        self.formula = fol.fold(formula, self._step)

    def _declare(self, kind: str, name: str, result: Any) -> None:
        if (kind, name) in self.symbols:
            return
        canonical = f"{kind}{sum(known == kind for known, _ in self.symbols)}"
        if kind == "c":
            self.symbols[kind, name] = self.z3.Const(canonical, result)
        else:
            domain = [self.sort] * self.arities[kind][name]
            self.symbols[kind, name] = self.z3.Function(canonical, *domain, result)

    def _variable(self, name: str) -> Any:
        if name not in self.variables:
            self.variables[name] = self.z3.Const(f"x{len(self.variables)}", self.sort)
        return self.variables[name]

    def _term(self, term: fol.Term, parts: tuple[Any, ...]) -> Any:
        match term:
            case fol.Variable(name):
                return self._variable(name)
            case fol.Constant(name):
                return self.symbols["c", name]
            case fol.Function(name):
                return self.symbols["f", name](*parts)

    def _step(self, node: fol.Formula, parts: tuple[Any, ...]) -> Any:
        match node:
            case fol.Atom(predicate, arguments):
                return self.symbols["p", predicate](
                    *(fol.fold(argument, self._term, self.terms) for argument in arguments)
                )
            case fol.Equality(left, right):
                return fol.fold(left, self._term, self.terms) == fol.fold(right, self._term, self.terms)
            case fol.ForAll(variable):
                return self.z3.ForAll([self._variable(variable.name)], parts[0])
            case fol.Exists(variable):
                return self.z3.Exists([self._variable(variable.name)], parts[0])
            case _:
                return connected(node, parts)

    def structure(self, model: z3.ModelRef) -> Structure | None:
        """Return the model as a structure; None if its universe is infinite or a table is above ``MAX_TABLE``."""
        z3 = self.z3
        universe = model.get_universe(self.sort) or [z3.Const("e", self.sort)]
        if any(len(universe) ** arity > MAX_TABLE for known in self.arities.values() for arity in known.values()):
            return None
        numbers = {str(model.eval(element, model_completion=True)): number for number, element in enumerate(universe)}

        def element(value: Any) -> int | None:
            return numbers.get(str(model.eval(value, model_completion=True)))

        constants, tables, extensions = {}, {}, {}
        for (kind, name), symbol in self.symbols.items():
            if kind == "c":
                number = element(symbol)
                if number is None:
                    return None
                constants[name] = number
                continue
            arity = self.arities[kind][name]
            values = {
                row: symbol(*(universe[number] for number in row))
                for row in product(range(len(universe)), repeat=arity)
            }
            if kind == "p":
                extensions[name] = frozenset(
                    row for row, value in values.items() if z3.is_true(model.eval(value, model_completion=True))
                )
                continue
            table: dict[tuple[int, ...], int] = {}
            for row, value in values.items():
                number = element(value)
                if number is None:
                    return None
                table[row] = number
            tables[name] = table
        return Structure(len(universe), constants, tables, extensions)
