"""Whether two formulas mean the same, decided by the cheapest exact means first.

1. The same tree: equivalent.
2. A finite structure in which the two differ, searched bit-parallel over thousands and confirmed by the plain
   definition of truth: not equivalent.
3. The same normal form: equivalent.
4. Z3 on φ ∧ ¬ψ and on ¬φ ∧ ψ, each in a fresh context with symbols named in order of first occurrence, a fixed seed and
   ``rlimit`` as the budget, so that a verdict depends on the two formulas alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import product
from random import Random

from nlfol.logic.errors import FormulaError, SignatureError
from nlfol.logic.measuring import Signature, free_variables, signature
from nlfol.logic.normal_form import same_normal_form
from nlfol.logic.solver import DEFAULT_BUDGET, Answer, satisfiable
from nlfol.logic.structures import MAX_TABLE, Batch, Structure, has_small_tables, holds, truth_bits
from nlfol.logic.syntax import And, Formula, Function, Not, Term, fold, terms


class Outcome(StrEnum):
    """What is known of two formulas."""

    EQUIVALENT = "equivalent"
    NOT_EQUIVALENT = "not_equivalent"
    UNKNOWN = "unknown"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class Verdict:
    """An outcome with its evidence.

    Attributes:
        outcome: one of the four.
        means: what decided: ``same_tree``, ``normal_form``, ``finite_structure``, ``z3``; for unknown, what ran out:
            ``budget``, ``time`` or ``size``; for invalid, ``open_formula`` or ``arity``.
        counter_model: a structure in which exactly one of the two is true, confirmed by ``structures.holds``; always
            there when ``means`` is ``finite_structure``, and with ``z3`` where its model is finite and small enough to
            be confirmed.
        reason: for unknown and invalid, a sentence.
    """

    outcome: Outcome
    means: str
    counter_model: Structure | None = None
    reason: str | None = None


class Contingency(StrEnum):
    """Whether a formula is true in every structure, in none, or in some only."""

    VALID = "valid"
    UNSATISFIABLE = "unsatisfiable"
    CONTINGENT = "contingent"
    UNKNOWN = "unknown"


MAX_SUBFORMULAS = 5_000
"""Occurrences of subformulas above which no semantic means is tried."""

MAX_DEPTH = 500
"""Levels of subformulas and terms above which Z3 is not asked: translating them is quadratic and spends no budget."""

MAX_ASSIGNMENTS = 100_000
"""Assignments to the free variables of one subformula above which a model of Z3's is not confirmed."""


def equivalence(first: Formula, second: Formula, *, budget: int = DEFAULT_BUDGET) -> Verdict:
    """Decide whether two closed formulas are true in the same structures.

    Args:
        first: a formula, usually the gold one.
        second: a formula, usually a candidate.
        budget: Z3's ``rlimit`` for each direction.
    """
    for formula in (first, second):
        free = sorted(variable.name for variable in free_variables(formula))
        if free:
            return Verdict(Outcome.INVALID, "open_formula", reason=f"free variables: {', '.join(free)}")
    try:
        symbols = signature(first, second)
    except SignatureError as error:
        return Verdict(Outcome.INVALID, "arity", reason=str(error))
    if first is second:
        return Verdict(Outcome.EQUIVALENT, "same_tree")
    if _is_too_large(first) or _is_too_large(second):
        reason = f"more than {MAX_SUBFORMULAS} subformulas"
        return Verdict(Outcome.UNKNOWN, "size", reason=reason)
    difference = _difference(first, second, symbols)
    if difference is not None:
        return Verdict(Outcome.NOT_EQUIVALENT, "finite_structure", difference)
    if same_normal_form(first, second):
        return Verdict(Outcome.EQUIVALENT, "normal_form")
    if _is_too_deep(first) or _is_too_deep(second):
        return Verdict(Outcome.UNKNOWN, "size", reason=f"more than {MAX_DEPTH} levels of subformulas and terms")
    return _by_solver(first, second, budget)


def contingency(formula: Formula, *, budget: int = DEFAULT_BUDGET) -> Contingency:
    """Whether a closed formula is valid, unsatisfiable, or neither.

    Raises:
        FormulaError: if the formula is open.
        SignatureError: if a predicate or function is used with two arities.
    """
    free = sorted(variable.name for variable in free_variables(formula))
    if free:
        raise FormulaError(f"contingency of an open formula: {', '.join(free)} free")
    true_somewhere = false_somewhere = False
    if _is_too_large(formula):
        return Contingency.UNKNOWN
    for batch in batches(signature(formula)):
        bits = truth_bits(formula, batch)
        if bits is not None:
            true_somewhere |= bits != 0
            false_somewhere |= bits != (1 << batch.width) - 1
        if true_somewhere and false_somewhere:
            return Contingency.CONTINGENT
    if _is_too_deep(formula):
        return Contingency.UNKNOWN
    satisfied = Answer.YES if true_somewhere else satisfiable(formula, budget).answer
    refuted = Answer.YES if false_somewhere else satisfiable(Not(formula), budget).answer
    match satisfied, refuted:
        case Answer.NO, _:
            return Contingency.UNSATISFIABLE
        case _, Answer.NO:
            return Contingency.VALID
        case Answer.YES, Answer.YES:
            return Contingency.CONTINGENT
        case _:
            return Contingency.UNKNOWN


def _is_too_large(formula: Formula) -> bool:
    return fold(formula, lambda _, parts: 1 + sum(parts)) > MAX_SUBFORMULAS


def _is_too_deep(formula: Formula) -> bool:
    def step(node: Formula, parts: tuple[int, ...]) -> int:
        return 1 + max((*parts, *(_depth(term) for term in terms(node))))

    return fold(formula, step) > MAX_DEPTH


def _depth(term: Term) -> int:
    deepest, stack = 0, [(term, 1)]
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth)
        if isinstance(node, Function):
            stack.extend((argument, depth + 1) for argument in node.arguments)
    return deepest


def _by_solver(first: Formula, second: Formula, budget: int) -> Verdict:
    reasons = []
    for one, other in ((first, second), (second, first)):
        result = satisfiable(And(one, Not(other)), budget)
        if result.answer is Answer.YES:
            model = result.model
            if model is not None and not _tells_apart(model, first, second):
                model = None
            return Verdict(Outcome.NOT_EQUIVALENT, "z3", model)
        if result.answer is Answer.UNKNOWN:
            reasons.append(result.reason)
    if reasons:
        means = "time" if "time" in reasons else "budget"
        return Verdict(Outcome.UNKNOWN, means, reason=f"Z3 gave up within rlimit {budget}: {', '.join(reasons)}")
    return Verdict(Outcome.EQUIVALENT, "z3")


def _tells_apart(model: Structure, first: Formula, second: Formula) -> bool:
    small = all(has_small_tables(formula, model.size, MAX_ASSIGNMENTS) for formula in (first, second))
    return small and holds(first, model) != holds(second, model)


def _difference(first: Formula, second: Formula, symbols: Signature) -> Structure | None:
    widest = max(symbols.predicates.values(), default=0)
    for batch in batches(symbols):
        if batch.size**widest > MAX_TABLE:
            continue
        a, b = _cached_bits(first, batch), _cached_bits(second, batch)
        if a is None or b is None or a == b:
            continue
        different = a ^ b
        index = (different & -different).bit_length() - 1
        structure = batch.structure(index, symbols.predicates)
        if holds(first, structure) == holds(second, structure):
            raise AssertionError(f"bit-parallel and plain truth differ on {first} or {second}: {structure.describe()}")
        return structure
    return None


@lru_cache(maxsize=20_000)
def _cached_bits(formula: Formula, batch: Batch) -> int | None:
    return truth_bits(formula, batch)


def batches(symbols: Signature) -> Sequence[Batch]:
    """The structures searched for a difference: a function of the signature's constants and functions alone.

    None whose function tables would have more than ``MAX_TABLE`` entries.
    """
    return _batches(tuple(sorted(symbols.constants)), tuple(sorted(symbols.functions.items())))


_WIDTH = 512
_MAX_DISTINCT = 5


@lru_cache(maxsize=4_096)
def _batches(constants: tuple[str, ...], functions: tuple[tuple[str, int], ...]) -> tuple[Batch, ...]:
    """Constants apart first (with one element more), then smaller and larger universes with constants at random."""
    made = []
    apart = min(len(constants), _MAX_DISTINCT)
    for number, size in enumerate((apart + 1, 2, 3, 1, 4)):
        if any(size**arity > MAX_TABLE for _, arity in functions):
            continue
        name = f"{number}/{constants}/{functions}"
        draw = Random(name)  # noqa: S311
        interpreted = {
            constant: place % size if number == 0 else draw.randrange(size) for place, constant in enumerate(constants)
        }
        tables: Mapping[str, Mapping[tuple[int, ...], int]] = {
            function: {row: draw.randrange(size) for row in product(range(size), repeat=arity)}
            for function, arity in functions
        }
        made.append(Batch(size, interpreted, tables, _WIDTH, f"{number}/{size}"))
    return tuple(made)
