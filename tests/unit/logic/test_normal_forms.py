"""Normal forms and congruence: what they prove, and that they prove no more."""

from collections import defaultdict
from itertools import product

import pytest
from hypothesis import given
from tests.property.strategies import closed_formulas, families, formulas
from tests.unit.logic.examples import nested

from nlfol.logic.decision.congruence import MAX_COMPARED, differences
from nlfol.logic.decision.finite_models import MAX_PARTS, have_one_truth_table
from nlfol.logic.decision.normal_form import Numbering, same_normal_form
from nlfol.logic.decision.random_families import RandomFamily
from nlfol.logic.measuring import free_variables
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import parse
from nlfol.logic.rewriting import negation_normal_form, rewrites
from nlfol.logic.syntax import (
    And,
    Atom,
    Constant,
    Exists,
    ForAll,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Variable,
)


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
def test_congruent_formulas_have_empty_differences(first: str, second: str) -> None:
    assert _found(first, second) == []
    assert _found(second, first) == []


def test_differences_are_minimal() -> None:
    assert _found("∀x (P(x) ∧ Q(x) → R(x))", "∀x (P(x) ∨ Q(x) → R(x))") == [("P(x) ∧ Q(x)", "P(x) ∨ Q(x)", False)]
    assert _found("∀x P(x) ∧ Q(a)", "∀y P(y) ∧ S(a)") == [("Q(a)", "S(a)", False), ("∀x P(x)", "∀y P(y)", False)]
    assert _found("P(a)", "¬Q(a)") == [("P(a)", "Q(a)", True)]


def test_opposed_parts_make_formulas_incomparable() -> None:
    assert _found("P(a) ∧ Q(a)", "P(a) ∧ ¬Q(a)") is None


@pytest.mark.parametrize(
    "other",
    [
        "(P(a) → Q(a)) ∧ (P(a) → Q(a))", "(P(a) ∨ Q(a)) ∧ (¬Q(a) ∨ ¬P(a))", "(P(a) ∧ ¬Q(a)) ∨ (¬P(a) ∧ Q(a))",
        "(P(a) ∧ Q(a)) ∧ (¬P(a) ∨ ¬Q(a))", "P(a) ∧ ¬Q(a)",
    ],
)  # fmt: skip
def test_near_biconditionals_differ_from_biconditional(other: str) -> None:
    assert _found("P(a) ↔ Q(a)", other) != []
    assert _found(other, "P(a) ↔ Q(a)") != []


def test_difference_search_is_bounded_on_shared_subformulas() -> None:
    one, other = (nested(lambda inner: And(inner, inner), 60, parse(text)) for text in ("P(a)", "Q(a)"))
    assert differences(one, other) is None
    assert MAX_COMPARED < 2**60


def _same(family: RandomFamily, first: Formula, second: Formula) -> bool:
    return family.truth(first) == family.truth(second)


@given(closed_formulas(leaves=8), families())
def test_congruent_formulas_agree_in_random_structures(formula: Formula, family: RandomFamily) -> None:
    others = [negation_normal_form(formula), Not(formula), *(rewrite.formula for rewrite in rewrites(formula))]
    for one in others:
        for other in (formula, others[0], Not(Not(one))):
            if differences(one, other) == []:
                assert _same(family, one, other)
    assert differences(formula, Not(Not(formula))) == []


@given(closed_formulas(leaves=5), closed_formulas(leaves=5), families())
def test_formulas_with_agreeing_parts_agree_in_random_structures(
    first: Formula, second: Formula, family: RandomFamily
) -> None:
    found = differences(first, second)
    if found is not None and all(family.agree(*difference) for difference in found):
        assert _same(family, first, second)


@given(formulas(leaves=5), formulas(leaves=5), families())
def test_equal_truth_tables_imply_equal_truth(first: Formula, second: Formula, family: RandomFamily) -> None:
    both, neither = And(first, second), Or(Not(first), Not(second))
    assert have_one_truth_table(both, neither, opposed=True)
    assert have_one_truth_table(both, And(second, first))
    if have_one_truth_table(first, second):
        same = Iff(first, second)
        assert family.agree(same, Or(same, Not(same)))


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("P(a) ∧ (Q(a) ∨ R(a))", "P(a) ∧ Q(a) ∨ P(a) ∧ R(a)", True),
        ("∀x P(x) ∨ (P(a) ∧ ¬P(a))", "∀x P(x)", True),
        ("P(a) → Q(a)", "Q(a) → P(a)", False),
        ("P(a) ⊕ Q(a) ⊕ R(a)", "P(a) ↔ Q(a) ↔ R(a)", True),
        ("∀x P(x)", "∃x P(x)", False),
        # Of one normal form, or of that of the other's negation.
        ("∀x P(x)", "∀y P(y)", True),
        ("∀x P(x) ↔ P(a)", "∃y ¬P(y) ⊕ P(a)", True),
        ("∀x P(x) ↔ P(a)", "∃y ¬P(y) ↔ P(a)", False),
    ],
)
def test_truth_table_comparison_matches_known_formulas(first: str, second: str, same: bool) -> None:
    assert have_one_truth_table(parse(first), parse(second)) == same
    assert have_one_truth_table(parse(first), Not(parse(second)), opposed=True) == same


def test_truth_table_is_refused_beyond_part_limit() -> None:
    formula: Formula = Atom("P0", (Constant("a"),))
    for number in range(1, MAX_PARTS + 1):
        formula = And(formula, Atom(f"P{number}", (Constant("a"),)))
    assert not have_one_truth_table(formula, formula)
    deep = nested(Not, 10_000, parse("P(a)"))
    assert not have_one_truth_table(deep, deep)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("∀x P(x)", "∀y P(y)"), ("∀x ∃y R(x, y)", "∀y ∃x R(y, x)"), ("∀x ∀z P(x)", "∀x P(x)"),
        ("∃x (P(x) ∧ ∀z ∀x Q(x))", "∃y (P(y) ∧ ∀v ∀u Q(u))"), ("P(a) ∧ Q(a) ∧ P(a)", "Q(a) ∧ P(a)"),
        ("P(a) ∨ (Q(a) ∨ S(a))", "S(a) ∨ P(a) ∨ Q(a)"), ("f(a) = b", "b = f(a)"), ("P(a) → Q(a)", "¬P(a) ∨ Q(a)"),
        ("P(a) ↔ Q(a)", "Q(a) ↔ P(a)"), ("¬(P(a) ⊕ Q(a))", "P(a) ↔ Q(a)"), ("∀x P(f(x, a))", "∀z P(f(z, a))"),
    ],
)  # fmt: skip
def test_superficially_different_formulas_share_normal_form(first: str, second: str) -> None:
    assert same_normal_form(parse(first), parse(second))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("∀x ∃y R(x, y)", "∀x ∃y R(y, x)"), ("∀x ∀y R(x, y)", "∀x ∀y R(x, x)"), ("∀x P(x)", "∃x P(x)"),
        ("P(a) ∧ Q(a)", "P(a) ∨ Q(a)"), ("P(f(a))", "P(a)"), ("∀x P(f(x, a))", "∀x P(f(a, x))"), ("P(x)", "P(y)"),
    ],
)  # fmt: skip
def test_formulas_different_in_meaning_have_different_normal_forms(first: str, second: str) -> None:
    assert not same_normal_form(parse(first), parse(second))


def test_oversized_tree_lacks_normal_form() -> None:
    formula: Formula = parse("P(a)")
    for number in range(20):
        formula = Iff(formula, parse(f"Q{number}(a)"))
    assert same_normal_form(formula, formula)
    assert Numbering(limit=50).of(formula) is None
    x, y = Variable("x"), Variable("y")
    formula = Atom("R", (x, y))
    for number in range(40):
        formula = ForAll(x, Iff(Exists(y, formula), Atom(f"R{number}", (x, y))))
    assert not same_normal_form(ForAll(y, formula), Exists(y, formula))


def test_small_formulas_sharing_normal_form_share_truth() -> None:
    x, y = Variable("x"), Variable("y")
    atoms = [Atom("R", (x, y)), Atom("R", (y, x)), Atom("R", (x, x)), Atom("P", (x,)), Atom("P", (y,))]
    bodies: list[Formula] = list(atoms)
    for one, other in product(atoms, atoms):
        bodies += [And(one, other), Or(one, other), Implies(one, other)]
    sentences: list[Formula] = []
    for first, second, body in product((x, y), (x, y), bodies):
        for inner in (ForAll(second, body), Exists(second, body)):
            sentences += [ForAll(first, inner), Exists(first, inner)]
    sentences = [sentence for sentence in sentences if not free_variables(sentence)]
    family = RandomFamily(3, 512, "small formulas")
    numbering = Numbering()
    truths = defaultdict(set)
    for sentence in sentences:
        truths[numbering.of(sentence)].add(family.truth(sentence))
    assert len(truths) < len(sentences)
    assert all(len(bits) == 1 for bits in truths.values())
