"""Truth in finite structures."""

import pytest

from nlfol.logic.errors import FormulaError
from nlfol.logic.measuring import signature
from nlfol.logic.reading import parse
from nlfol.logic.structures import Structure, has_small_tables, holds

LOVERS = Structure(
    size=3,
    constants={"ann": 0, "bob": 1},
    functions={"mother": {(0,): 2, (1,): 2, (2,): 2}},
    predicates={"Loves": frozenset({(0, 1), (1, 0), (2, 2)}), "Tall": frozenset({(2,)})},
)


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("Loves(ann, bob)", True),
        ("Loves(ann, ann)", False),
        ("∀x ∃y Loves(x, y)", True),
        ("∃y ∀x Loves(x, y)", False),
        ("∀x Tall(mother(x))", True),
        ("∀x Tall(x) → ann = bob", True),
        ("∀x (Tall(x) → x = mother(ann))", True),
        ("mother(mother(ann)) = mother(bob)", True),
        ("ann ≠ bob ⊕ Tall(ann)", True),
        ("∃x (Tall(x) ↔ x = ann)", True),
        ("∀x (Tall(x) ↔ x = ann)", False),
        ("∀x ∃x Tall(x)", True),
        ("∀z Tall(ann)", False),
        ("∃x Tall(x) ∧ ∃x ¬Tall(x)", True),
    ],
)
def test_truth_is_read_off_the_tables(text: str, truth: bool) -> None:
    assert holds(parse(text), LOVERS) is truth


def test_a_structure_describes_itself_in_one_line() -> None:
    assert LOVERS.describe() == (
        "universe {0, 1, 2}; ann = 0; bob = 1; mother(0) = 2, mother(1) = 2, mother(2) = 2; "
        "Loves = {(0, 1), (1, 0), (2, 2)}; Tall = {2}"
    )


def test_an_open_formula_has_no_truth() -> None:
    with pytest.raises(FormulaError, match="x free"):
        holds(parse("Tall(x)"), LOVERS)


def test_a_symbol_that_the_structure_lacks_is_an_error() -> None:
    with pytest.raises(KeyError, match="Short"):
        holds(parse("Short(ann)"), LOVERS)


def test_the_largest_table_of_a_formula_is_known() -> None:
    names = [f"x{number}" for number in range(13)]
    wide = parse("".join(f"∀{name} " for name in names) + f"P({', '.join(names)})")
    assert not has_small_tables(wide, 2, 2**13 - 1)
    assert has_small_tables(wide, 2, 2**13)
    apart = parse(" ∧ ".join(f"∀{name} P({name})" for name in names))
    assert has_small_tables(apart, 2, 2)


def test_a_structure_is_restricted_to_a_signature() -> None:
    restricted = LOVERS.restricted(signature(parse("Loves(bob, f(cid)) ∧ Old(bob)")))
    assert restricted.constants == {"bob": 1, "cid": 0}
    assert restricted.functions == {"f": {(0,): 0, (1,): 0, (2,): 0}}
    assert restricted.predicates == {"Loves": LOVERS.predicates["Loves"], "Old": frozenset()}


def test_equal_structures_are_one_text_and_read_back() -> None:
    text = (
        '{"size":3,"constants":{"ann":0,"bob":1},"functions":{"mother":[[0,2],[1,2],[2,2]]},'
        '"predicates":{"Loves":[[0,1],[1,0],[2,2]],"Tall":[[2]]}}'
    )
    assert LOVERS.to_json() == text
    assert Structure(3, {"bob": 1, "ann": 0}, LOVERS.functions, LOVERS.predicates).to_json() == text
    assert Structure.from_json(text) == LOVERS
