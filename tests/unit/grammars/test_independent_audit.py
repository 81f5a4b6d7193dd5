"""Sets judged by means that generation does not use: truth tables by ``eval``-free plain code, Z3 as it comes."""

from itertools import product
from typing import Any

import pytest
import z3

from nlfol.grammars.generation import Generation, Recipe
from nlfol.logic.syntax import And, Atom, ForAll, Formula, Not, Or, Variable

BY = "operators_published"


def true_in(formula: Formula, row: dict[str, bool]) -> bool:
    match formula:
        case Atom(name, ()):
            return row[name]
        case Not(part):
            return not true_in(part, row)
        case And(left, right):
            return true_in(left, row) and true_in(right, row)
        case Or(left, right):
            return true_in(left, row) or true_in(right, row)
    raise AssertionError(formula)


def names_in(formula: Any) -> set[str]:
    if isinstance(formula, Atom):
        return {formula.predicate}
    parts = [formula.operand] if isinstance(formula, Not) else [formula.left, formula.right]
    return set[str]().union(*map(names_in, parts))


@pytest.mark.parametrize(("grammar", "values"), [("propositional", range(40)), ("k_sat", range(2, 60, 3))])
def test_propositional_sets(grammar: str, values: range) -> None:
    found = [d for d in Generation(Recipe(grammar, "names", BY, tuple(values), 5), 7).items() if d.refusal is None]
    assert len(found) == 5 * len(values)
    assert len({(item.value, item.text) for item in found}) == len(found)
    for item in found:
        names = sorted(names_in(item.sentence))
        rows = (dict(zip(names, row, strict=True)) for row in product((False, True), repeat=len(names)))
        seen: set[bool] = set()
        for row in rows:
            seen.add(true_in(item.sentence, row))
            if len(seen) == 2:
                break
        assert seen == {False, True}


def in_z3(formula: Any, sort: Any) -> Any:
    def term(node: Any) -> Any:
        return z3.Const(("x" if isinstance(node, Variable) else "c") + node.name, sort)

    match formula:
        case Atom(name, arguments):
            return z3.Function(name, *[sort] * len(arguments), z3.BoolSort())(*map(term, arguments))
        case Not(part):
            return z3.Not(in_z3(part, sort))
        case And(left, right):
            return z3.And(in_z3(left, sort), in_z3(right, sort))
        case Or(left, right):
            return z3.Or(in_z3(left, sort), in_z3(right, sort))
    quantifier = z3.ForAll if isinstance(formula, ForAll) else z3.Exists
    return quantifier([term(formula.variable)], in_z3(formula.body, sort))


def variables(formula: Any) -> list[tuple[str, bool]]:
    """Each quantified variable, and whether it occurs in its scope (fault D5 of ∀uto∃∨∧L's released code)."""
    found = []
    while not isinstance(formula, Atom | Not | And | Or):
        formula, name = formula.body, formula.variable.name
        found.append((name, f"{name})" in str(formula) or f"{name}," in str(formula)))
    return found


@pytest.mark.parametrize("vocabulary", ["names", "english"])
def test_first_order_sets(vocabulary: str) -> None:
    recipe = Recipe("first_order", vocabulary, BY, tuple(range(38)), 5, quantifiers=(1, 3))
    found = [d for d in Generation(recipe, 7).items() if d.refusal is None]
    assert len(found) == 190
    assert len({(item.value, item.text) for item in found}) == 190
    sort = z3.DeclareSort("U")
    for item in found:
        quantified = variables(item.sentence)
        assert 1 <= len(quantified) <= 3
        assert all(occurs for _, occurs in quantified)
        translated = in_z3(item.sentence, sort)
        for asked in (translated, z3.Not(translated)):
            solver = z3.Solver()
            solver.set("timeout", 20_000)
            solver.add(asked)
            assert solver.check() == z3.sat
