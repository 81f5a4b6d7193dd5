import pytest

from nlfol.candidates.distances import distance, size
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
