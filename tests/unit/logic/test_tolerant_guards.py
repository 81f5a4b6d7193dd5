"""Z's restricted quantifiers: guards before the dot, and types, which are not guards."""

import pytest

from nlfol.logic import FormulaSyntaxError, read_tolerantly


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("∀x : Cube(x) . Small(x)", "∀x (Cube(x) → Small(x))"),
        ("∃x : Cube(x) • Small(x)", "∃x (Cube(x) ∧ Small(x))"),
        ("∀x | Cube(x) ∧ Large(x) . ¬Small(x)", "∀x (Cube(x) ∧ Large(x) → ¬Small(x))"),
        ("∀x:Cube(x). ∃y:Tet(y). Larger(x, y)", "∀x (Cube(x) → ∃y (Tet(y) ∧ Larger(x, y)))"),
        ("¬(∃x : Cube(x) . Small(x)) ∧ Tet(a)", "¬∃x (Cube(x) ∧ Small(x)) ∧ Tet(a)"),
        ("∀x : Block . Small(x)", "∀x Small(x)"),
    ],
)
def test_guard_before_dot_restricts_its_quantifier(written: str, meant: str) -> None:
    assert str(read_tolerantly(written).formula) == meant


@pytest.mark.parametrize(
    "written", ["∀x: Cube(x) . Tet(b)", "∀x: Cube(x) . ∀x: Tet(x)", "∀x: Cube(x) → Small(x). Tet(b)"]
)
def test_two_formulas_are_no_guard_with_its_body(written: str) -> None:
    with pytest.raises(FormulaSyntaxError):
        read_tolerantly(written)
