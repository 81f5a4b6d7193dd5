import pytest

from nlfol.logic.reading import parse
from nlfol.sets.distances import edit_distance


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
def test_edit_distance_counts_single_edits(first: str, second: str, distance: int | None) -> None:
    assert edit_distance(parse(first), parse(second)) == distance


def test_edit_distance_handles_deep_formulas() -> None:
    deep = "¬(Cube(a) ∧ " * 1500 + "Cube(b)" + ")" * 1500
    assert edit_distance(parse(deep), parse(deep.replace("Cube(b)", "Cube(c)"))) is None
    assert edit_distance(parse(deep), parse(deep.replace("Cube(b)", "¬Cube(b)"))) == 1
