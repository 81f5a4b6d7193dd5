"""Random pairs of formulas with known relation, of the kinds on which equivalence checkers are compared.

The parameters of the prenex kind are those of AutoEval (Karia, Dobhal, Nagpal and Srivastava, *Autonomous Evaluation of
LLMs for Truth Maintenance and Reasoning Tasks*): 5 to 50 operators, 8 predicates of one or two places, 12 constants, a
variable in a quarter of the places, up to 5 quantifiers in front. In the nested kind quantifiers stand anywhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random

from nlfol.logic.measuring import free_variables
from nlfol.logic.rewriting import negation_normal_form, rewrites
from nlfol.logic.syntax import (
    BINARY,
    QUANTIFIED,
    And,
    Atom,
    Constant,
    Equality,
    Exists,
    ForAll,
    Formula,
    Function,
    Not,
    Or,
    Term,
    Variable,
    fold,
    replace,
    subformulas,
)

PREDICATES = [(f"P{number}", 1 + number % 2) for number in range(8)]
CONSTANTS = [f"c{number}" for number in range(12)]


@dataclass(frozen=True)
class Pair:
    """Two formulas and what is known of them: equivalent, or nothing where they may be either."""

    kind: str
    first: Formula
    second: Formula
    equivalent: bool | None


def prenex_formula(draw: Random) -> Formula:
    """Quantifiers in front of a matrix."""
    names = [f"x{number}" for number in range(draw.randrange(6))]
    formula = _tree(draw, draw.randint(5, 50), names, PREDICATES, 0.25)
    for name in names:
        formula = draw.choice(QUANTIFIED)(Variable(name), formula)
    return formula


def nested_formula(draw: Random) -> Formula:
    """Quantifiers anywhere, few predicates, mostly variables."""
    formula = _nested(draw, draw.randint(5, 38), [], PREDICATES[:4])
    assert not free_variables(formula)
    return formula


def propositional_formula(draw: Random) -> Formula:
    """Letters under up to 40 connectives."""
    return _tree(draw, draw.randint(1, 40), [], [(f"p{number}", 0) for number in range(1, 13)], 0)


def formula_with_terms(draw: Random) -> Formula:
    """Small, with equations and function terms."""
    formula = _tree(draw, draw.randint(2, 6), ["x", "y", "z"], [("P", 1), ("R", 2), ("=", 2)], 0.7, functions=True)
    for name in ("x", "y", "z"):
        formula = draw.choice(QUANTIFIED)(Variable(name), formula)
    return formula


def pairs(draw: Random, make: str, count: int) -> Iterator[Pair]:
    """For each formula one rewritten eight times, its negation normal form, its negation and one with a change."""
    makers = {"prenex": prenex_formula, "nested": nested_formula, "terms": formula_with_terms}
    for _ in range(count):
        formula = makers[make](draw)
        yield Pair(f"{make} rewritten", formula, _rewritten(draw, formula, 8), True)
        yield Pair(f"{make} normal form", formula, negation_normal_form(formula), True)
        yield Pair(f"{make} changed", formula, _changed(draw, formula), None)
        yield Pair(f"{make} negated", formula, Not(formula), False)


def _term(draw: Random, names: list[str], variables: float, functions: bool) -> Term:
    if functions and draw.random() < 0.3:
        return Function(draw.choice("fg"), (_term(draw, names, variables, False),))
    if names and draw.random() < variables:
        return Variable(draw.choice(names))
    return Constant(draw.choice(["a", "b"] if functions else CONSTANTS))


def _atom(
    draw: Random, names: list[str], predicates: list[tuple[str, int]], variables: float, *, functions: bool = False
) -> Formula:
    predicate, arity = draw.choice(predicates)
    arguments = tuple(_term(draw, names, variables, functions) for _ in range(arity))
    atom = Equality(*arguments) if predicate == "=" else Atom(predicate, arguments)
    return Not(atom) if draw.random() < 0.3 else atom


def _tree(
    draw: Random,
    operators: int,
    names: list[str],
    predicates: list[tuple[str, int]],
    variables: float,
    *,
    functions: bool = False,
) -> Formula:
    trees = [_atom(draw, names, predicates, variables, functions=functions) for _ in range(operators + 1)]
    while len(trees) > 1:
        right = trees.pop(draw.randrange(len(trees)))
        left = trees.pop(draw.randrange(len(trees)))
        joined: Formula = (draw.choice((And, Or)) if draw.random() < 0.7 else draw.choice(BINARY))(left, right)
        trees.append(Not(joined) if draw.random() < 0.1 else joined)
    return trees[0]


def _nested(draw: Random, operators: int, names: list[str], predicates: list[tuple[str, int]]) -> Formula:
    if operators <= 1 and names:
        return _atom(draw, names, predicates, 0.85)
    if not names or (draw.random() < 0.3 and len(names) < 4):
        name = f"x{len(names)}"
        return draw.choice(QUANTIFIED)(Variable(name), _nested(draw, operators - 1, [*names, name], predicates))
    left = draw.randint(0, operators - 1)
    parts = (_nested(draw, size, names, predicates) for size in (left, operators - 1 - left))
    joined: Formula = draw.choice(BINARY)(*parts)
    return Not(joined) if draw.random() < 0.1 else joined


def _rewritten(draw: Random, formula: Formula, times: int) -> Formula:
    limit = 3 * _size(formula)
    for _ in range(times):
        place = draw.randrange(2 * _size(formula))
        rewrite = next(islice(rewrites(formula), place, None), None)
        if rewrite is not None and _size(rewrite.formula) <= limit:
            formula = rewrite.formula
    return formula


def _size(formula: Formula) -> int:
    return fold(formula, lambda _, parts: 1 + sum(parts))


def _changed(draw: Random, formula: Formula) -> Formula:
    """One connective, quantifier, polarity or argument exchanged for another."""
    path, node = draw.choice(list(subformulas(formula)))
    new: Formula
    match node:
        case ForAll(variable, body):
            new = Exists(variable, body)
        case Exists(variable, body):
            new = ForAll(variable, body)
        case Not(operand):
            new = operand
        case Atom() | Equality():
            new = Not(node)
        case _:
            new = draw.choice([other for other in BINARY if other is not type(node)])(node.left, node.right)
    return replace(formula, path, new)
