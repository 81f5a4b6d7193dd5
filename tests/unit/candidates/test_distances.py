import pytest

from nlfol.candidates.distances import distance, edit_distance, size
from nlfol.logic.reading import parse


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("Cube(a) ∧ Small(a)", "Cube(a) ∧ Small(a)", 0),
        ("Cube(a) ∧ Small(a)", "Cube(a) ∨ Small(a)", 1),
        ("Cube(a)", "Cube(b)", 1),
        ("∀x Cube(x)", "∃x Cube(x)", 1),
        # Two nodes are put above the literal: ¬ is renamed nothing, and the subtree below it is another.
        ("¬Cube(a)", "¬¬¬Cube(a)", 3),
        # Whole subtrees are deleted and inserted: one operand of one node goes and comes.
        ("Cube(a) ∧ Small(a)", "Small(a) ∧ Cube(a)", 2),
        ("Cube(a) ∧ (Small(a) ∨ Tet(a))", "(Small(a) ∨ Tet(a)) ∧ Cube(a)", 2),
    ],
)
def test_the_distance_of_two_trees(first: str, second: str, expected: int) -> None:
    assert distance(parse(first), parse(second)) == expected
    assert distance(parse(second), parse(first)) == expected


def test_a_distance_is_at_most_the_sizes_together() -> None:
    first, second = parse("∀x (Cube(x) → Small(x))"), parse("Tet(a) ∨ Tet(b)")
    assert size(first) == 4
    assert distance(first, second) <= size(first) + size(second)


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [
        ("Cube(a)", "Cube(a)", 0),
        ("Cube(a)", "¬Cube(a)", 1),
        ("¬Cube(a)", "Cube(a)", 1),
        ("a = b", "a ≠ b", 1),
        ("Cube(a)", "Cube(b)", None),
        ("Cube(a)", "Tet(a)", None),
        # Two signs are no literal's negation; taking one away leaves a literal.
        ("Cube(a)", "¬¬Cube(a)", None),
        ("¬Cube(a)", "¬¬Cube(a)", None),
        ("¬¬Cube(a)", "¬Cube(a)", 1),
        ("¬¬Cube(a)", "Cube(a)", 2),
        ("Cube(a) ∧ Tet(b)", "Cube(a) ∨ Tet(b)", 1),
        ("Cube(a) ∧ Tet(b)", "Cube(a) ⊕ Tet(b)", 1),
        ("Cube(a) ∧ Tet(b)", "Tet(b) ∧ Cube(a)", None),
        ("Cube(a) ∧ Tet(b)", "¬Cube(a) → ¬Tet(b)", 3),
        ("Cube(a) ∧ Tet(b)", "¬(Cube(a) ∧ Tet(b))", None),
        ("¬(Cube(a) ∧ Tet(b))", "¬(Cube(a) ∨ Tet(b))", 1),
        ("∀x Cube(x)", "∃x Cube(x)", 1),
        ("∀x Cube(x)", "∃y Cube(y)", None),
        ("∀x Cube(x)", "∀x ∀y Cube(x)", None),
        ("∀x Cube(x)", "Cube(a)", None),
        ("∀x Cube(x)", "Cube(a) ∧ Cube(b)", None),
        # The published sets lose parentheses.
        ("(Cube(a) ∧ Cube(b)) ∧ Cube(c)", "Cube(a) ∨ (Cube(b) ∧ Cube(c))", None),
    ],
)
def test_how_many_edits_lead_from_one_formula_to_another(first: str, second: str, distance: int | None) -> None:
    assert edit_distance(parse(first), parse(second)) == distance


def test_depth_is_no_obstacle() -> None:
    deep = "¬(Cube(a) ∧ " * 1500 + "Cube(b)" + ")" * 1500
    assert edit_distance(parse(deep), parse(deep.replace("Cube(b)", "Cube(c)"))) is None
    assert edit_distance(parse(deep), parse(deep.replace("Cube(b)", "¬Cube(b)"))) == 1
