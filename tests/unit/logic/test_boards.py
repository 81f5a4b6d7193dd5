import csv
from functools import cache
from itertools import combinations, product
from operator import attrgetter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.board_relations import RELATIONS, Place, relations_of
from tests.examples import ROOT

from nlfol.logic.board_proofs import SIDE, meanings
from nlfol.logic.boards import MAX_BLOCKS, UP_TO_MOST, Block, _placed, board, is_between, is_blocks_world, on_boards
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.equivalence import equivalence
from nlfol.logic.measuring import Signature
from nlfol.logic.ontology.files import read_ontologies
from nlfol.logic.reading import parse
from nlfol.logic.structures import Structure, holds

ORDERS = ("BackOf", "FrontOf", "LeftOf", "RightOf", "SameCol", "SameRow")


def structure(size: int, **said: set[tuple[int, ...]]) -> Structure:
    return Structure(size, {"a": 0, "b": 0}, {}, {name: frozenset(rows) for name, rows in said.items()})


def placed(size: int, **said: set[tuple[int, ...]]) -> list[Block]:
    blocks = board(structure(size, **said))
    assert blocks is not None
    holding = relations_of(blocks)
    assert {name: holding[name] for name in said} == said
    return blocks


def test_placed_blocks_have_shapes_sizes_and_names() -> None:
    first, second = placed(2, Cube={(0,)}, Tet={(1,)}, Large={(1,)}, Small={(0,)})
    assert (first.names, first.shape, first.size, first.size_open) == (("a", "b"), "cube", "small", False)
    assert (second.names, second.shape, second.size) == ((), "tetrahedron", "large")


def test_undetermined_shape_and_size_stay_open() -> None:
    (block,) = placed(1, Cube=set())
    assert (block.shape, block.size_open) == (None, True)
    # On a board there is but one shape left.
    (block,) = placed(1, Cube=set(), Tet=set())
    assert block.shape == "dodecahedron"


def test_placed_blocks_satisfy_exactly_given_relations() -> None:
    left, right = placed(2, LeftOf={(0, 1)}, SameRow={(0, 0), (0, 1), (1, 0), (1, 1)}, Adjoins={(0, 1), (1, 0)})
    assert right.square == (left.square[0], left.square[1] + 1)
    placed(3, Between={(0, 1, 2), (0, 2, 1)}, SameRow={(e, e) for e in range(3)})
    placed(3, Smaller={(0, 1), (1, 2), (0, 2)})
    placed(4, FrontOf={(x, y) for x in range(4) for y in range(4) if x > y})


def test_unrelated_blocks_share_neither_line_nor_diagonal() -> None:
    blocks = placed(4, Cube={(0,)})
    for x, y in combinations([block.square for block in blocks], 2):
        assert len({0, abs(x[0] - y[0]), abs(x[1] - y[1])}) == 3


@pytest.mark.parametrize(
    "said",
    [
        {"LeftOf": {(0, 0)}},
        {"LeftOf": {(0, 1), (1, 0)}},
        {"LeftOf": {(0, 1)}, "RightOf": set()},
        {"SameRow": set()},
        {"Between": {(0, 0, 1)}},
        {"Between": {(0, 1, 2)}},
        {"Adjoins": {(0, 1), (1, 0)}, "SameRow": {(0, 0), (1, 1), (2, 2)}, "SameCol": {(0, 0), (1, 1), (2, 2)}},
        {"Cube": {(0,)}, "Tet": {(0,)}},
        {"Small": {(0,)}, "Large": {(0,)}},
        {"Small": set(), "Medium": set(), "Large": set()},
        {"Larger": {(0, 1), (1, 0)}},
        {"Larger": {(0, 0)}},
        {"SameShape": set()},
    ],
)
def test_unrealizable_structures_lack_board(said: dict[str, set[tuple[int, ...]]]) -> None:
    assert board(structure(3, **said)) is None


def test_four_size_levels_are_unrealizable() -> None:
    assert board(structure(4, Smaller={(x, y) for x in range(4) for y in range(4) if x < y})) is None


def test_between_requires_common_line() -> None:
    assert is_between((2, 2), (0, 0), (5, 5))
    assert is_between((3, 1), (3, 7), (3, 0))
    assert not is_between((1, 2), (0, 0), (2, 4))
    assert not is_between((0, 0), (0, 0), (0, 5))
    assert not is_between((0, 6), (0, 0), (0, 5))
    assert not is_between((0, 0), (0, 0), (0, 0))


def test_board_requires_blocks_world_signature() -> None:
    ontology = read_ontologies(ROOT / "resources/datasets/tarski/ontology.yaml").of("w01")
    assert ontology is not None
    symbols = ontology.signature()
    assert is_blocks_world(symbols)
    assert not is_blocks_world(Signature({"Large": 1})), "large things need not be blocks"
    assert not is_blocks_world(Signature({**symbols.predicates, "Barks": 1}))
    assert not is_blocks_world(Signature({"Cube": 1}, {"f": 1}))
    with pytest.raises(ValueError, match="Barks"):
        board(structure(1, Barks=set()))
    with pytest.raises(ValueError, match="functions"):
        on_boards(parse("Cube(f(b))"), parse("Cube(b)"))


def test_board_placement_is_limited_to_max_blocks() -> None:
    assert board(structure(MAX_BLOCKS + 1)) is None


@cache
def shown(size: int) -> dict[str, list[Any]]:
    """For each row of blocks, whether a relation of squares holds: of all ways to place them, from the back."""
    every = [places for places in product(range(SIDE), repeat=size) if not min(places)]
    rows = np.array([places for places in every if list(places) == sorted(places)], dtype=np.int8)
    columns = np.array(every, dtype=np.int8)
    row, column = np.repeat(rows, len(columns), axis=0), np.tile(columns, (len(rows), 1))
    apart = [len(set(zip(*place, strict=True))) == size for place in zip(row.tolist(), column.tolist(), strict=True)]
    blocks = [Place(row[apart, n], column[apart, n], None, None) for n in range(size)]
    relations = {name: RELATIONS[name] for name in (*ORDERS, "Adjoins", "Between")}
    return {
        name: [holds(*among) for among in product(blocks, repeat=arity)] for name, (arity, holds) in relations.items()
    }


def _numbers(rows: list[Any]) -> Any:
    """The number of each way to place blocks, whose bits say of which blocks the relation holds."""
    bits = [np.asarray(row, np.uint64) << np.uint64(place) for place, row in enumerate(rows)]
    return np.bitwise_or.reduce(bits)


@pytest.mark.parametrize("size", range(1, MAX_BLOCKS + 1))
@pytest.mark.parametrize(
    "predicates",
    [
        ORDERS,
        ("Adjoins", *ORDERS),
        (*ORDERS, "Between"),
        ("Adjoins", "Between"),
        ("Adjoins", *ORDERS, "Between"),
    ],
)
def test_board_enumeration_covers_all_64_square_boards(size: int, predicates: tuple[str, ...]) -> None:
    """Sets of predicates that contain all others."""
    predicates = tuple(sorted(predicates))
    numbers = np.stack([_numbers(shown(size)[name]) for name in predicates], axis=1)
    found = {tuple(row) for row in np.unique(numbers, axis=0).tolist()}
    assert found
    assert found <= _placed(predicates, size).keys()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Larger(e, b)", "Smaller(b, e)"),
        ("∀x (Small(x) ∨ Medium(x) ∨ Large(x))", "∀x (Cube(x) ∨ Tet(x) ∨ Dodec(x))"),
        ("∃x ∃y Adjoins(x, y)", "∃x ∃y (Adjoins(x, y) ∧ x ≠ y)"),
        ("∃x Between(x, b, c)", "∃x (Between(x, c, b) ∧ x ≠ b)"),
        ("Adjoins(b, c)", "Adjoins(c, b) ∧ (SameRow(b, c) ⊕ SameCol(b, c))"),
        ("∃x ∃y ∃z (Smaller(x, y) ∧ Smaller(y, z))", "∃x ∃y ∃z (Smaller(x, y) ∧ Smaller(y, z) ∧ Medium(y))"),
        ("∀x ∀y (x ≠ y → ¬(SameRow(x, y) ∧ SameCol(x, y)))", "b = b"),
    ],
)
def test_formulas_equal_on_all_boards_may_differ_logically(first: str, second: str) -> None:
    one, other = parse(first), parse(second)
    assert equivalence(one, other).outcome is Outcome.NOT_EQUIVALENT
    found = on_boards(one, other)
    assert (found.outcome, found.blocks, found.counter_model) == (Outcome.EQUIVALENT, MAX_BLOCKS, None)


@pytest.mark.parametrize(
    ("first", "second", "blocks"),
    [
        ("Cube(b)", "Tet(b)", 1),
        ("Larger(b, c)", "Larger(c, b)", 2),
        ("∃x Between(x, b, c)", "∃x Adjoins(x, b)", 2),
        ("∃x Between(x, b, c)", "∃x (LeftOf(b, x) ∧ LeftOf(x, c))", 3),
        ("∃x Between(x, b, c)", "∃x (Between(x, b, c) ∧ ∀y (Between(y, b, c) → y = x))", 4),
        ("∀x Cube(x)", "∀x ∀y ∀z ∃u (u ≠ x ∧ u ≠ y ∧ u ≠ z → Cube(x) ∧ Cube(y) ∧ Cube(z))", 1),
    ],
)
def test_board_counter_model_has_fewest_blocks(first: str, second: str, blocks: int) -> None:
    one, other = parse(first), parse(second)
    found = on_boards(one, other)
    assert (found.outcome, found.blocks) == (Outcome.NOT_EQUIVALENT, blocks)
    assert found.counter_model is not None
    assert holds(one, found.counter_model) != holds(other, found.counter_model)
    assert board(found.counter_model) is not None


def test_board_counter_model_separates_names_where_possible() -> None:
    found = on_boards(parse("Cube(b) ∧ ∃x x ≠ b"), parse("Cube(b) ∧ Cube(c) ∧ ∃x x ≠ b"))
    assert found.counter_model is not None
    assert found.counter_model.constants == {"b": 0, "c": 1}


@pytest.mark.parametrize(
    ("first", "second", "names", "size"),
    [
        # One block would do; with two, b and e are apart.
        ("Large(b) ∧ Cube(e)", "Small(b) ∧ Cube(e)", {"b": 0, "e": 1}, 2),
        # Only what is one block shows it.
        ("b = c", "b = c ∧ Cube(b)", {"b": 0, "c": 0}, 1),
        # Three names would take two blocks more.
        ("Cube(b) ∧ Cube(c) ∧ Cube(d)", "¬Cube(b) ∧ ¬Cube(c) ∧ ¬Cube(d)", {"b": 0, "c": 0, "d": 0}, 1),
    ],
)
def test_extra_block_is_added_to_separate_names(first: str, second: str, names: dict[str, int], size: int) -> None:
    found = on_boards(parse(first), parse(second))
    assert (found.outcome, found.blocks) == (Outcome.NOT_EQUIVALENT, 1)
    assert found.counter_model is not None
    assert (found.counter_model.constants, found.counter_model.size) == (names, size)
    assert holds(parse(first), found.counter_model) != holds(parse(second), found.counter_model)
    assert board(found.counter_model) is not None


ENDLESS = "∀x ∃y (LeftOf(y, x) ∨ (SameCol(y, x) ∧ BackOf(y, x)))"
"""True on no board, as there are but 64 squares: to see it, one would have to go through them."""


def test_oversized_board_search_is_unknown_unless_proven() -> None:
    every = " ∨ ".join(f"{name}({', '.join('xyz'[:arity])})" for name, (arity, _) in RELATIONS.items())
    found = on_boards(parse(f"∀x ∀y ∀z ({every}) ∧ {ENDLESS}"), parse(f"∀x ∀y ∀z ({every}) ∧ {ENDLESS} ∧ Cube(b)"))
    assert (found.outcome, found.blocks, found.counter_model) == (Outcome.UNKNOWN, 3, None)
    assert found.verdict == "unknown"
    deep = parse("∀x ∀y ∀z ∀u ∀v ∀w (Larger(x, y) ∧ SameShape(z, u) ∧ BackOf(v, w))")
    assert on_boards(deep, parse("Larger(b, c)")).outcome is Outcome.NOT_EQUIVALENT
    assert on_boards(deep, deep).outcome is Outcome.EQUIVALENT


def apart(names: str) -> str:
    return " ∧ ".join(f"{one} ≠ {other}" for one, other in combinations(names, 2))


ON_LINES = "∃x (Cube(x) ∧ Between(x, b, c)) ∧ ∃x (Cube(x) ∧ Between(x, d, e))"
MEETING = " ∨ ".join(
    [
        *(f"{x} = {y}" for x, y in product("bc", "de")),
        *(f"Between({x}, {y}, {z})" for x, y, z in product("bcde", repeat=3)),
    ]
)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (f"∃x ∃y ∃z ∃u ∃v ({apart('xyzuv')} ∧ Cube(x))", "∃x (Cube(x) ∧ ¬Cube(x))"),
        (
            f"¬∃x ∃y ∃z ∃u ∃v ({apart('yzuv')} ∧ {' ∧ '.join(f'Adjoins(x, {each})' for each in 'yzuv')})",
            "∀x (Cube(x) ∨ ¬Cube(x))",
        ),
        (ON_LINES, f"{ON_LINES} ∧ ({MEETING})"),
        (f"Cube(b) ∧ {apart('bcdef')}", "Cube(b) ∧ ¬Cube(b)"),
    ],
)
def test_board_verdict_finds_counter_models_beyond_enumeration_bound(first: str, second: str) -> None:
    one, other = parse(first), parse(second)
    found = on_boards(one, other)
    assert (found.outcome, found.blocks > MAX_BLOCKS) == (Outcome.NOT_EQUIVALENT, True)
    assert found.counter_model is not None
    assert found.counter_model.size == found.blocks
    assert holds(one, found.counter_model) != holds(other, found.counter_model)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("∀x (Cube(x) → ∃y (Tet(y) ∧ Larger(x, y)))", "∀x (Cube(x) → ∃y (Tet(y) ∧ x ≠ y ∧ Smaller(y, x)))"),
        ("∀x ∃y (Adjoins(x, y) ∧ Tet(y))", "∀x ∃y (Adjoins(y, x) ∧ (SameRow(x, y) ⊕ SameCol(x, y)) ∧ Tet(y))"),
        ("∀x ∃y ∃z Between(x, y, z)", "∀x ∃y ∃z (Between(x, z, y) ∧ y ≠ z)"),
        ("∀x ∃y LeftOf(y, x)", "∃x (Cube(x) ∧ ¬Cube(x))"),
    ],
)
def test_board_equivalence_is_proven_beyond_enumeration_bound(first: str, second: str) -> None:
    found = on_boards(parse(first), parse(second))
    assert (found.outcome, found.verdict) == (Outcome.EQUIVALENT, "equivalent")


def test_board_verdict_names_bound_without_proof() -> None:
    found = on_boards(parse(ENDLESS), parse("∃x (Cube(x) ∧ ¬Cube(x))"))
    assert (found.outcome, found.verdict, found.blocks) == (Outcome.UNKNOWN, UP_TO_MOST, MAX_BLOCKS)
    assert UP_TO_MOST == "equivalent_up_to_4"


def test_z3_relations_match_python_relations() -> None:
    blocks = [Place(row, column, (row + column) % 3, column % 3) for row, column in product(range(4), repeat=2)]
    of_truths = SimpleNamespace(And=lambda *parts: all(parts), Or=lambda *parts: any(parts))
    said = meanings(of_truths, *map(attrgetter, ("row", "column", "shape", "size")))
    assert said.keys() == RELATIONS.keys()
    for name, (arity, holding) in RELATIONS.items():
        for row in product(blocks, repeat=arity):
            assert said[name](*row) == holding(*row), (name, row)


def test_gold_formulas_are_equivalent_to_themselves_on_boards() -> None:
    with (ROOT / "resources/datasets/tarski/sentences.csv").open(encoding="utf-8", newline="") as file:
        formulas = [parse(row["formula"]) for row in csv.DictReader(file)]
    assert {on_boards(formula, formula).outcome for formula in formulas} == {Outcome.EQUIVALENT}
