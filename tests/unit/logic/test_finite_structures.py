"""Truth in finite structures."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import nlfol
from nlfol.logic.errors import FormulaError
from nlfol.logic.reading import parse
from nlfol.logic.structures import MAX_TABLE, Batch, Structure, has_small_tables, holds, truth_bits

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


BATCH = Batch(2, {"a": 0}, {"f": {(0,): 1, (1,): 0}}, 512, "batch")


def test_an_open_formula_has_no_truth() -> None:
    with pytest.raises(FormulaError, match="x free"):
        holds(parse("Tall(x)"), LOVERS)
    with pytest.raises(FormulaError, match="x free"):
        truth_bits(parse("Tall(x)"), BATCH)


def test_a_symbol_that_the_structure_lacks_is_an_error() -> None:
    with pytest.raises(KeyError, match="Short"):
        holds(parse("Short(ann)"), LOVERS)


def test_a_batch_is_a_list_of_structures() -> None:
    formula = parse("∀x (P(x) → R(f(x), a))")
    bits = truth_bits(formula, BATCH)
    assert bits is not None
    assert [bits >> index & 1 for index in range(512)] == [
        holds(formula, BATCH.structure(index, {"P": 1, "R": 2})) for index in range(512)
    ]


def test_a_batch_has_sparse_even_and_dense_structures() -> None:
    even, sparse, dense = (
        (BATCH.bits("P", (0,)) >> shift & ((1 << width) - 1)).bit_count() / width
        for shift, width in ((0, 256), (256, 128), (384, 128))
    )
    assert 0.1 < sparse < 0.4 < even < 0.6 < dense < 0.9


def test_tables_above_the_limit_are_not_made() -> None:
    names = [f"x{number}" for number in range(13)]
    wide = parse("".join(f"∀{name} " for name in names) + f"P({', '.join(names)})")
    assert MAX_TABLE < 2**13
    assert truth_bits(wide, BATCH) is None
    assert not has_small_tables(wide, 2, 2**13 - 1)
    assert has_small_tables(wide, 2, 2**13)
    joined = parse("".join(f"∀{n} " for n in names) + "(" + " ∧ ".join(f"P({n})" for n in names) + ")")
    assert truth_bits(joined, BATCH) is None
    apart = parse(" ∧ ".join(f"∀{name} P({name})" for name in names))
    assert truth_bits(apart, BATCH) is not None
    assert has_small_tables(apart, 2, 2)


def test_structures_do_not_depend_on_the_hash_seed() -> None:
    question = (
        "from nlfol.logic.equivalence import batches, equivalence\n"
        "from nlfol.logic.measuring import signature\n"
        "from nlfol.logic.reading import parse\n"
        "from nlfol.logic.structures import truth_bits\n"
        "first, second = parse('∀x ∃y (R(x, f(y, a)) ∧ P(b) → x = c)'), parse('∃y ∀x (R(x, f(y, a)) ∧ P(b) → x = c)')\n"
        "print([truth_bits(first, batch) for batch in batches(signature(first))])\n"
        "print(equivalence(first, second).counter_model.describe())\n"
    )

    def answer(seed: str) -> str:
        library = str(Path(nlfol.__file__).parents[1])
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": library, "PYTHONIOENCODING": "utf-8"}
        command = [sys.executable, "-c", question]
        return subprocess.run(command, env=environment, capture_output=True, check=True, text=True).stdout

    assert len(answer("1")) > 100
    assert answer("1") == answer("2")
