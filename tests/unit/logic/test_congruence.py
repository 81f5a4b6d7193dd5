"""What two formulas have in common, and the parts in which they differ."""

import pytest
from hypothesis import given
from tests.property.strategies import closed_formulas, families, formulas

from nlfol.logic.decision.congruence import MAX_COMPARED, differences
from nlfol.logic.decision.finite_models import MAX_PARTS, have_one_truth_table
from nlfol.logic.decision.random_families import RandomFamily
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.logic.rewriting import negation_normal_form, rewrites
from nlfol.logic.syntax import And, Atom, Constant, Formula, Iff, Not, Or


def _found(first: str, second: str) -> list[tuple[str, str, bool]] | None:
    found = differences(parse(first), parse(second))
    if found is None:
        return None
    return [(to_unicode(d.first, checked=False), to_unicode(d.second, checked=False), d.opposed) for d in found]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("∀x (P(x) → Q(x))", "∀x (¬P(x) ∨ ¬¬Q(x))"),
        ("∀x (P(x) → Q(x))", "¬∃x (P(x) ∧ ¬Q(x))"),
        ("P(a) → Q(a)", "¬Q(a) → ¬P(a)"),
        ("P(a) ∧ Q(b)", "Q(b) ∧ P(a)"),
        ("P(a) ⊕ Q(a)", "¬(P(a) ↔ Q(a))"),
        ("¬(P(a) ⊕ Q(a))", "Q(a) ↔ P(a)"),
        ("P(a) ↔ Q(a)", "(P(a) → Q(a)) ∧ (Q(a) → P(a))"),
        ("P(a) ↔ Q(a)", "Q(a) ∧ P(a) ∨ ¬Q(a) ∧ ¬P(a)"),
        ("P(a) ⊕ Q(a)", "(¬Q(a) ∨ ¬P(a)) ∧ (Q(a) ∨ P(a))"),
        ("∀x (P(x) ↔ Q(x) ∧ S(x))", "¬∃x (P(x) ∧ (¬Q(x) ∨ ¬S(x)) ∨ ¬P(x) ∧ (Q(x) ∧ S(x)))"),
        ("¬(P(a) ↔ ¬(Q(a) ⊕ S(a)))", "P(a) ∧ ((Q(a) ∧ ¬S(a)) ∨ (¬Q(a) ∧ S(a))) ∨ ¬P(a) ∧ (Q(a) ↔ S(a))"),
    ],
)
def test_congruent_formulas_differ_nowhere(first: str, second: str) -> None:
    assert _found(first, second) == []
    assert _found(second, first) == []


def test_differences_are_as_small_as_they_can_be() -> None:
    assert _found("∀x (P(x) ∧ Q(x) → R(x))", "∀x (P(x) ∨ Q(x) → R(x))") == [("P(x) ∧ Q(x)", "P(x) ∨ Q(x)", False)]
    assert _found("∀x P(x) ∧ Q(a)", "∀y P(y) ∧ S(a)") == [("Q(a)", "S(a)", False), ("∀x P(x)", "∀y P(y)", False)]
    assert _found("P(a)", "¬Q(a)") == [("P(a)", "Q(a)", True)]


def test_a_part_against_its_own_negation_leaves_nothing_to_compare() -> None:
    assert _found("P(a) ∧ Q(a)", "P(a) ∧ ¬Q(a)") is None


@pytest.mark.parametrize(
    "other",
    [
        "(P(a) → Q(a)) ∧ (P(a) → Q(a))",
        "(P(a) ∨ Q(a)) ∧ (¬Q(a) ∨ ¬P(a))",
        "(P(a) ∧ ¬Q(a)) ∨ (¬P(a) ∧ Q(a))",
        "(P(a) ∧ Q(a)) ∧ (¬P(a) ∨ ¬Q(a))",
        "P(a) ∧ ¬Q(a)",
    ],
)
def test_what_resembles_an_expanded_biconditional_is_told_from_it(other: str) -> None:
    assert _found("P(a) ↔ Q(a)", other) != []
    assert _found(other, "P(a) ↔ Q(a)") != []


def test_shared_subformulas_are_not_compared_without_end() -> None:
    one: Formula = parse("P(a)")
    other: Formula = parse("Q(a)")
    for _ in range(60):
        one, other = And(one, one), And(other, other)
    assert differences(one, other) is None
    assert MAX_COMPARED < 2**60


def _same(family: RandomFamily, first: Formula, second: Formula) -> bool:
    return family.truth(first) == family.truth(second)


@given(closed_formulas(leaves=8), families())
def test_congruent_formulas_are_true_in_the_same_structures(formula: Formula, family: RandomFamily) -> None:
    others = [negation_normal_form(formula), Not(formula), *(rewrite.formula for rewrite in rewrites(formula))]
    for one in others:
        for other in (formula, others[0], Not(Not(one))):
            if differences(one, other) == []:
                assert _same(family, one, other)
    assert differences(formula, Not(Not(formula))) == []


@given(closed_formulas(leaves=5), closed_formulas(leaves=5), families())
def test_formulas_whose_parts_agree_are_true_in_the_same_structures(
    first: Formula, second: Formula, family: RandomFamily
) -> None:
    found = differences(first, second)
    if found is not None and all(family.agree(*difference) for difference in found):
        assert _same(family, first, second)


@given(formulas(leaves=5), formulas(leaves=5), families())
def test_one_truth_table_means_one_truth(first: Formula, second: Formula, family: RandomFamily) -> None:
    both, neither = And(first, second), Or(Not(first), Not(second))
    assert have_one_truth_table(both, neither, opposed=True)
    assert have_one_truth_table(both, And(second, first))
    if have_one_truth_table(first, second):
        assert differences(first, second) == [] or family.agree(Iff(first, second), Iff(second, second))


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("P(a) ∧ (Q(a) ∨ R(a))", "P(a) ∧ Q(a) ∨ P(a) ∧ R(a)", True),
        ("∀x P(x) ∨ (P(a) ∧ ¬P(a))", "∀x P(x)", True),
        ("P(a) → Q(a)", "Q(a) → P(a)", False),
        ("P(a) ⊕ Q(a) ⊕ R(a)", "P(a) ↔ Q(a) ↔ R(a)", True),
        ("∀x P(x)", "∀y P(y)", False),
    ],
)
def test_truth_tables_of_known_formulas(first: str, second: str, same: bool) -> None:
    assert have_one_truth_table(parse(first), parse(second)) == same
    assert have_one_truth_table(parse(first), Not(parse(second)), opposed=True) == same


def test_formulas_of_too_many_parts_have_no_truth_table() -> None:
    formula: Formula = Atom("P0", (Constant("a"),))
    for number in range(1, MAX_PARTS + 1):
        formula = And(formula, Atom(f"P{number}", (Constant("a"),)))
    assert not have_one_truth_table(formula, formula)
    deep: Formula = parse("P(a)")
    for _ in range(10_000):
        deep = Not(deep)
    assert not have_one_truth_table(deep, deep)
