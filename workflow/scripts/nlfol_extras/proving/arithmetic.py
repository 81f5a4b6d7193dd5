"""Models over the integers or the natural numbers, for sentences that no finite structure satisfies.

Each symbol is interpreted by one of a few formulas of linear arithmetic, which is decidable (Presburger); Z3 eliminates
the quantifiers. The interpretation is the certificate: truth under it is asked for, and then again that its negation is
refuted, in a fresh context.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from nlfol.logic.decision.satisfiability import SMALL_BUDGET, Finding, Question
from nlfol.logic.decision.solver import Answer, Z3InterruptedError, connected, watched
from nlfol.logic.measuring import Signature
from nlfol.logic.syntax import Atom, Constant, Equality, Exists, ForAll, Formula, Function, Not, Term, Variable, fold
from nlfol.mappings import ByName
from nlfol.plugins import placed

MAX_SYMBOLS = 6  # symbols above which no model over the integers is looked for: their interpretations multiply
MAX_INTERPRETATIONS = 120  # interpretations that are tried
_WALL_CAP = 5_000
_Meaning = Callable[..., Any]

_RELATIONS: dict[int, dict[str, _Meaning]] = {
    0: {"true": lambda: True, "false": lambda: False},
    1: {"x > 0": lambda x: x > 0, "x = 0": lambda x: x == 0, "x ≥ 0": lambda x: x >= 0, "x < 0": lambda x: x < 0},
    2: {
        "x < y": lambda x, y: x < y,
        "x > y": lambda x, y: x > y,
        "x + 1 < y": lambda x, y: x + 1 < y,
        "x ≤ y": lambda x, y: x <= y,
        "y = x + 1": lambda x, y: y == x + 1,
        "x = y + 1": lambda x, y: x == y + 1,
        "x ≥ y": lambda x, y: x >= y,
    },
    3: {"z = x + y": lambda x, y, z: z == x + y, "x < y < z": lambda x, y, z: (x - y < 0) & (y - z < 0)},
}


def _predecessor(x: Any) -> Any:
    import z3

    return z3.If(x > 0, x - 1, x)


_OPERATIONS: dict[int, dict[str, _Meaning]] = {
    1: {
        "x + 1": lambda x: x + 1, "x > 0 ? x - 1 : x": _predecessor, "2x": lambda x: 2 * x,
        "-x": lambda x: -x, "x - 1": lambda x: x - 1, "x": lambda x: x,
    },
    2: {
        "x + y": lambda x, y: x + y, "x - y": lambda x, y: x - y,
        "x + 1": lambda x, _: x + 1, "2x": lambda x, _: 2 * x,
    },
}  # fmt: skip
_CONSTANTS = {"0": 0, "1": 1, "-1": -1}
_NEGATIVE = {"-x", "x - 1", "x - y", "-1"}
"""Meanings that lead out of the natural numbers."""


@dataclass(frozen=True, slots=True)
class Interpretation:
    """A structure over the integers, or over 0, 1, 2, … if natural, of formulas of arithmetic over x, y, z."""

    natural: bool
    symbols: Mapping[tuple[str, str], str]

    def describe(self) -> str:
        """Return one line for people."""
        parts = ["universe of the natural numbers" if self.natural else "universe of the integers"]
        for (kind, name), meaning in sorted(self.symbols.items()):
            meanings = {"predicate": _RELATIONS, "function": _OPERATIONS}.get(kind, {})
            arity = next((arity for arity, of in meanings.items() if meaning in of), 0)
            arguments = f"({', '.join('xyz'[:arity])})" if arity else ""
            parts.append(f"{name}{arguments} {'iff' if kind == 'predicate' else '='} {meaning}")
        return "; ".join(parts)


@placed(after="larger_model_search")
def by_arithmetic(question: Question) -> Finding | None:
    """Look for a model over the integers."""
    symbols = question.symbols
    if question.is_too_deep or len(symbols.predicates) + len(symbols.functions) + len(symbols.constants) > MAX_SYMBOLS:
        return None
    model = interpretation(question.conjunction, question.symbols, min(question.budget, SMALL_BUDGET))
    return None if model is None else Finding(Answer.YES, "arithmetic", reason=model.describe())


def interpretation(formula: Formula, symbols: Signature, budget: int) -> Interpretation | None:
    """Return a tried interpretation in which a closed formula is true; each costs at most the budget."""
    for candidate in islice(_interpretations(symbols), MAX_INTERPRETATIONS):
        if is_true(formula, candidate, budget):
            return candidate
    return None


def is_true(formula: Formula, candidate: Interpretation, budget: int) -> bool:
    """Return whether Z3 finds a closed formula true in an interpretation, and its negation refuted."""
    return _check(formula, candidate, budget) == "sat" and _check(Not(formula), candidate, budget) == "unsat"


def _interpretations(symbols: Signature) -> Iterator[Interpretation]:
    """Yield every choice of meanings, simple ones first; none where a symbol has more arguments than any meaning."""
    choices: dict[tuple[str, str], list[str]] = {}
    for kind, table, arities in (
        ("predicate", _RELATIONS, symbols.predicates),
        ("function", _OPERATIONS, symbols.functions),
    ):
        for name, arity in sorted(arities.items()):
            choices[kind, name] = list(table.get(arity, {}))
    for name in sorted(symbols.constants):
        choices["constant", name] = list(_CONSTANTS)
    options = list(choices.values())
    # In order of the sum of the places: no symbol keeps its first meaning until all others have been through theirs.
    for total in range(sum(map(len, options)) - len(options) + 1):
        for indices in product(*(range(min(len(option), total + 1)) for option in options)):
            if sum(indices) != total:
                continue
            meanings = [option[index] for option, index in zip(options, indices, strict=True)]
            for natural in (False, True):
                if not (natural and _NEGATIVE.intersection(meanings)):
                    yield Interpretation(natural, dict(zip(choices, meanings, strict=True)))


def _check(formula: Formula, candidate: Interpretation, budget: int) -> str:
    import z3

    context = z3.Context()
    variables: ByName = {}

    def variable(name: str) -> Any:
        return variables.setdefault(name, z3.Int(f"x{len(variables)}", context))

    def value(term: Term, parts: tuple[Any, ...]) -> Any:
        match term:
            case Variable(name):
                return variable(name)
            case Constant(name):
                return z3.IntVal(_CONSTANTS[candidate.symbols["constant", name]], context)
            case Function(name):
                return _OPERATIONS[len(parts)][candidate.symbols["function", name]](*parts)

    def step(node: Formula, parts: tuple[Any, ...]) -> Any:
        match node:
            case Atom(predicate, arguments):
                meaning = _RELATIONS[len(arguments)][candidate.symbols["predicate", predicate]]
                truth = meaning(*(fold(argument, value) for argument in arguments))
                return truth if arguments else z3.BoolVal(truth, context)
            case Equality(left, right):
                return fold(left, value) == fold(right, value)
            case ForAll(bound):
                x = variable(bound.name)
                return z3.ForAll([x], z3.Implies(x >= 0, parts[0]) if candidate.natural else parts[0])
            case Exists(bound):
                x = variable(bound.name)
                return z3.Exists([x], z3.And(x >= 0, parts[0]) if candidate.natural else parts[0])
            case _:
                return connected(node, parts)

    sentence = fold(formula, step)
    solver = z3.Then("simplify", "qe", "smt", ctx=context).solver()
    solver.set("rlimit", budget)
    solver.set("timeout", _WALL_CAP)
    try:
        with watched(context):
            solver.add(sentence)
            return str(solver.check())
    except (z3.Z3Exception, Z3InterruptedError):
        return "unknown"
