"""Truth in many structures at once."""

import pytest

from nlfol.logic.decision.random_families import RandomFamily
from nlfol.logic.errors import FormulaError
from nlfol.logic.measuring import signature
from nlfol.logic.reading import parse
from nlfol.logic.structures import MAX_TABLE, holds

FAMILY = RandomFamily(2, 512, "family")


def test_an_open_formula_has_no_truth() -> None:
    with pytest.raises(FormulaError, match="x free"):
        FAMILY.truth(parse("Tall(x)"))


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
@pytest.mark.parametrize(
    "text",
    [
        "∀x (P(x) → R(f(x), a))",
        "∃x ∀y (R(y, x) ⊕ g(x, f(y)) = b)",
        "∀z ∃x ∀y (T(x, a, y) ↔ T(f(y), z, z) ∨ x = f(f(a)))",
        "a = b ∨ ∀y ∃x R(x, y)",
        "∃y ∃x (R(f(x), y) ∧ ¬R(y, x))",
    ],
)
def test_a_family_is_a_list_of_structures(text: str, size: int) -> None:
    formula = parse(text)
    family = RandomFamily(size, 64, "family")
    bits = family.truth(formula)
    assert bits is not None
    symbols = signature(formula)
    assert [bool(bits >> index & 1) for index in range(64)] == [
        holds(formula, family.structure(index, symbols)) for index in range(64)
    ]


def test_a_family_has_sparse_even_and_dense_structures() -> None:
    even, sparse, dense = (
        (FAMILY.predicate("P", 1)[0] >> shift & ((1 << width) - 1)).bit_count() / width
        for shift, width in ((0, 256), (256, 128), (384, 128))
    )
    assert 0.1 < sparse < 0.4 < even < 0.6 < dense < 0.9


def test_constants_and_functions_differ_from_structure_to_structure() -> None:
    family = RandomFamily(3, 512, "family")
    assert {family.structure(index, signature(parse("P(a)"))).constants["a"] for index in range(512)} == {0, 1, 2}
    tables = {tuple(family.structure(i, signature(parse("P(f(a))"))).functions["f"].values()) for i in range(512)}
    assert len(tables) == 27


def test_tables_above_the_limit_are_not_made() -> None:
    names = [f"x{number}" for number in range(13)]
    wide = parse("".join(f"∀{name} " for name in names) + f"P({', '.join(names)})")
    assert MAX_TABLE < 2**13
    assert FAMILY.truth(wide) is None
    joined = parse("".join(f"∀{n} " for n in names) + "(" + " ∧ ".join(f"P({n})" for n in names) + ")")
    assert FAMILY.truth(joined) is None
    assert FAMILY.truth(parse(" ∧ ".join(f"∀{name} P({name})" for name in names))) is not None


def test_what_is_forgotten_to_make_room_is_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nlfol.logic.decision.families._MAX_REMEMBERED", 3)
    family = RandomFamily(2, 512, "family")
    for text in ("∀x (P(x) → R(f(x), a))", "∃x (P(x) ∧ Q(f(x)))", "P(f(f(a)))", "∀x (P(x) → R(f(x), a))"):
        assert family.truth(parse(text)) == FAMILY.truth(parse(text))
