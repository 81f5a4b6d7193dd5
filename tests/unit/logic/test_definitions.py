"""Unfolding of definitions, by which theorems on sets are proven."""

from random import Random

import pytest
from tests.property.generated import nested_formula

from nlfol.logic.decision.definitions import unfolded
from nlfol.logic.decision.satisfiability import Question, by_definitions, satisfiability
from nlfol.logic.decision.solver import Answer
from nlfol.logic.errors import FormulaError
from nlfol.logic.reading import parse
from nlfol.logic.relations import Label, entails

SETS = """
∀a ∀b (a = b ↔ Subset(a, b) ∧ Subset(b, a))
∀a ∀b (a = b ↔ ∀x (Member(x, a) ↔ Member(x, b)))
∀a ∀b (Subset(a, b) ↔ ∀x (Member(x, a) → Member(x, b)))
∀a ∀b ∀x (Member(x, union(a, b)) ↔ Member(x, a) ∨ Member(x, b))
∀a ∀b ∀x (Member(x, intersection(a, b)) ↔ Member(x, a) ∧ Member(x, b))
∀a ∀b ∀x (Member(x, difference(a, b)) ↔ Member(x, a) ∧ ¬Member(x, b))
∀a ∀b union(a, b) = union(b, a)
∀a ∀b intersection(a, b) = intersection(b, a)
∀a Subset(a, a)
""".strip().split("\n")
"""Axioms of Trybulec's, *Tarski Grothendieck Set Theory* (1989), as TPTP has them."""

THEOREMS = {
    "SET143+3": "∀a ∀b ∀c intersection(intersection(a, b), c) = intersection(a, intersection(b, c))",
    "SET169+3": "∀a ∀b ∀c intersection(a, union(b, c)) = union(intersection(a, b), intersection(a, c))",
    "SET171+3": "∀a ∀b ∀c union(a, intersection(b, c)) = intersection(union(a, b), union(a, c))",
    "SET608+3": "∀a ∀b union(intersection(a, b), difference(a, b)) = a",
    "SET609+3": "∀a ∀b ∀c difference(a, difference(b, c)) = union(difference(a, b), intersection(a, c))",
    "SET613+3": "∀a ∀b difference(union(a, b), intersection(a, b)) = union(difference(a, b), difference(b, a))",
    "SET615+3": "∀a ∀b ∀c difference(union(a, b), c) = union(difference(a, c), difference(b, c))",
    "SET634+3": "∀a ∀b ∀c intersection(a, difference(b, c)) = difference(intersection(a, b), c)",
}
"""Theorems of TPTP that were left open before definitions were unfolded, here with all axioms.

Of 66 problems of ILTP 1.1.2 (51 of SET .+3, 15 of SYN) 56 were decided before; these eight and SYN551+2 are now;
SYN076+1 is left open; cvc5 decides it.
"""


@pytest.mark.parametrize("name", THEOREMS)
def test_theorems_on_sets_follow_from_definitions(name: str) -> None:
    question = Question(tuple(map(parse, SETS)), (parse(THEOREMS[name]),))
    found = by_definitions(question)
    assert found is not None
    assert (found.answer, found.means) == (Answer.NO, "definitions")


def test_one_individual_is_defined_by_two_parts() -> None:
    unique = parse("∃x ∀y (y = f(g(y)) ↔ x = y) ↔ ∃x ∀y (y = g(f(y)) ↔ x = y)")
    assert unfolded([], [parse("∀y (P(y) ↔ y = a)")]) == ([], [parse("P(a) ∧ ∀y (P(y) → y = a)")])
    assert unfolded([], [parse("∀y (P(y) ↔ y = f(y))")]) is None
    found = entails([], unique)
    assert (found.label, found.denied.means) == (Label.TRUE, "definitions")


def test_entailment_unfolds_definitions_last() -> None:
    found = entails([parse(axiom) for axiom in SETS], parse(THEOREMS["SET609+3"]))
    assert (found.label, found.inconsistent, found.denied.means) == (Label.TRUE, False, "definitions")


@pytest.mark.parametrize(
    ("axioms", "formula", "meaning"),
    [
        (["∀x (P(x) ↔ ∃y R(x, y))"], "∀y (P(y) → P(f(y)))", "∀y (∃x0 R(y, x0) → ∃x1 R(f(y), x1))"),
        (["∀x (Q(x) ∨ R(x, x) ↔ P(x))"], "P(a)", "Q(a) ∨ R(a, a)"),
        (["∀x (R(x, x) ↔ P(x))"], "R(a, a) ∨ R(a, b)", "P(a) ∨ R(a, b)"),
        (["P(a) ↔ Q(a)", "∀x (Q(x) ↔ R(x, a))"], "P(a) ∧ P(b)", "R(a, a) ∧ P(b)"),
        (["(∀x ∀y (x = y ↔ R(x, y))) ∧ S(a)"], "a ≠ b", "¬R(a, b)"),
        (["∀x (P(x) ↔ Q(x))"], "∀y (∃z R(y, z) ↔ y = f(a))", "∃x0 R(f(a), x0) ∧ ∀y (∃z R(y, z) → y = f(a))"),
    ],
)
def test_every_instance_of_what_is_defined_is_unfolded(axioms: list[str], formula: str, meaning: str) -> None:
    found = unfolded([parse(axiom) for axiom in axioms], [parse(formula)])
    assert found is not None
    assert found[1] == [parse(meaning)]


def test_what_defines_nothing_is_left_alone() -> None:
    assert unfolded([parse("∀x (P(x) → Q(x))"), parse("∀x ∀y (P(x) ∧ Q(y) ↔ R(x, x))")], [parse("P(a)")]) is None


@pytest.mark.parametrize(
    "axioms",
    [
        ["∀x (P(x) ↔ Q(f(x)))", "∀x (Q(x) ↔ P(x))"],
        ["∀x (P(x) ↔ P(f(x)) ∧ P(g(x)))"],
        [f"∀x (P{i}(x) ↔ P{i + 1}(f(x, x)))" for i in range(60)],
        ["∀x (P(x) ↔ " + "¬" * 200 + "Q(x))"],
    ],
)
def test_unfolding_that_does_not_end_soon_is_given_up(axioms: list[str]) -> None:
    formulas = [parse(axiom) for axiom in axioms]
    with pytest.raises(FormulaError):
        unfolded(formulas, [parse("P(a) ∧ P0(a)")])
    assert by_definitions(Question(tuple(formulas), (parse("P(a) ∧ P0(a)"),))) is None


@pytest.mark.parametrize("seed", range(40))
def test_what_has_a_model_is_not_contradictory_by_definitions(seed: int) -> None:
    definition = parse("∀x (P2(x) ↔ ∃y (P1(x, y) ∧ ¬P0(y)))")
    question = Question((definition, nested_formula(Random(f"definitions {seed}"))), (parse("∀x (P2(x) ∨ P0(x))"),))
    if satisfiability(question).answer is Answer.YES:
        assert by_definitions(question) is None
