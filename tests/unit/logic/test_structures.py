"""Truth in finite structures, one at a time and in many at once; no wrong structure is believed."""

import pytest

from nlfol.logic.decision.random_families import RandomFamily
from nlfol.logic.decision.satisfiability import FIRST_FAMILY, FURTHER_FAMILIES
from nlfol.logic.equivalence import equivalence
from nlfol.logic.errors import FormulaError
from nlfol.logic.measuring import signature
from nlfol.logic.reading import parse
from nlfol.logic.structures import MAX_TABLE, Structure, has_small_tables, holds

LOVERS = Structure(
    size=3,
    constants={"ann": 0, "bob": 1},
    functions={"mother": {(0,): 2, (1,): 2, (2,): 2}},
    predicates={"Loves": frozenset({(0, 1), (1, 0), (2, 2)}), "Tall": frozenset({(2,)})},
)


def test_structure_description_fits_single_line() -> None:
    assert LOVERS.describe() == (
        "universe {0, 1, 2}; ann = 0; bob = 1; mother(0) = 2, mother(1) = 2, mother(2) = 2; "
        "Loves = {(0, 1), (1, 0), (2, 2)}; Tall = {2}"
    )


def test_truth_evaluation_refuses_open_formulas() -> None:
    with pytest.raises(FormulaError, match="x free"):
        holds(parse("Tall(x)"), LOVERS)
    with pytest.raises(FormulaError, match="x free"):
        FAMILY.truth(parse("Tall(x)"))


def test_missing_symbol_raises_key_error() -> None:
    with pytest.raises(KeyError, match="Short"):
        holds(parse("Short(ann)"), LOVERS)


def test_table_size_check_uses_largest_subformula() -> None:
    names = [f"x{number}" for number in range(13)]
    wide = parse("".join(f"∀{name} " for name in names) + f"P({', '.join(names)})")
    assert not has_small_tables(wide, 2, 2**13 - 1)
    assert has_small_tables(wide, 2, 2**13)
    apart = parse(" ∧ ".join(f"∀{name} P({name})" for name in names))
    assert has_small_tables(apart, 2, 2)


def test_structure_restriction_keeps_only_signature_symbols() -> None:
    restricted = LOVERS.restricted(signature(parse("Loves(bob, f(cid)) ∧ Old(bob)")))
    assert restricted.constants == {"bob": 1, "cid": 0}
    assert restricted.functions == {"f": {(0,): 0, (1,): 0, (2,): 0}}
    assert restricted.predicates == {"Loves": LOVERS.predicates["Loves"], "Old": frozenset()}


def test_structure_json_is_canonical_and_round_trips() -> None:
    text = (
        '{"size":3,"constants":{"ann":0,"bob":1},"functions":{"mother":[[0,2],[1,2],[2,2]]},'
        '"predicates":{"Loves":[[0,1],[1,0],[2,2]],"Tall":[[2]]}}'
    )
    assert LOVERS.to_json() == text
    assert Structure(3, {"bob": 1, "ann": 0}, LOVERS.functions, LOVERS.predicates).to_json() == text
    assert Structure.from_json(text) == LOVERS


FAMILY = RandomFamily(2, 512, "family")


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
def test_family_lists_structures(text: str, size: int) -> None:
    formula = parse(text)
    family = RandomFamily(size, 64, "family")
    bits = family.truth(formula)
    assert bits is not None
    symbols = signature(formula)
    assert [bool(bits >> index & 1) for index in range(64)] == [
        holds(formula, family.structure(index, symbols)) for index in range(64)
    ]


def test_family_contains_sparse_even_and_dense_structures() -> None:
    even, sparse, dense = (
        (FAMILY.predicate("P", 1)[0] >> shift & ((1 << width) - 1)).bit_count() / width
        for shift, width in ((0, 256), (256, 128), (384, 128))
    )
    assert 0.1 < sparse < 0.4 < even < 0.6 < dense < 0.9


def test_family_structures_vary_constants_and_functions() -> None:
    family = RandomFamily(3, 512, "family")
    assert {family.structure(index, signature(parse("P(a)"))).constants["a"] for index in range(512)} == {0, 1, 2}
    tables = {tuple(family.structure(i, signature(parse("P(f(a))"))).functions["f"].values()) for i in range(512)}
    assert len(tables) == 27


def test_family_truth_is_none_above_table_limit() -> None:
    names = [f"x{number}" for number in range(13)]
    wide = parse("".join(f"∀{name} " for name in names) + f"P({', '.join(names)})")
    assert MAX_TABLE < 2**13
    assert FAMILY.truth(wide) is None
    joined = parse("".join(f"∀{n} " for n in names) + "(" + " ∧ ".join(f"P({n})" for n in names) + ")")
    assert FAMILY.truth(joined) is None
    assert FAMILY.truth(parse(" ∧ ".join(f"∀{name} P({name})" for name in names))) is not None


def test_evicted_family_tables_are_recomputed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nlfol.logic.decision.families._MAX_REMEMBERED", 3)
    family = RandomFamily(2, 512, "family")
    for text in ("∀x (P(x) → R(f(x), a))", "∃x (P(x) ∧ Q(f(x)))", "P(f(f(a)))", "∀x (P(x) → R(f(x), a))"):
        assert family.truth(parse(text)) == FAMILY.truth(parse(text))


def test_deep_difference_in_large_formula_is_found() -> None:
    hidden = " ∧ ".join(f"{'¬' * (number % 2)}Q{number}(a)" for number in range(30))
    text = f"∀x ∃y (R(x, y) ∧ P(x) ∨ ¬({hidden}))"
    first, second = parse(text), parse(text.replace("R(x, y) ∧ P(x)", "R(x, y) ∨ P(x)"))
    assert all(family.truth(first) == family.truth(second) for family in (FIRST_FAMILY, *FURTHER_FAMILIES))
    for other in (second, parse(text.replace("∃y", "∀y"))):
        verdict = equivalence(first, other)
        assert verdict.counter_model is not None
        assert holds(first, verdict.counter_model) != holds(other, verdict.counter_model)
