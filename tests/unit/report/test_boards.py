import pytest
from tests.board_relations import relations_of
from tests.unit.report.experiment import ROOT

from nlfol.logic.structures import Structure
from nlfol.ontology.files import read_ontologies
from nlfol.ontology.ontology import Ontology, Predicate
from nlfol.report.boards import _SQUARES, SIDE, Block, _ends, _middles, board, is_between, is_blocks_world


def structure(size: int, **said: set[tuple[int, ...]]) -> Structure:
    return Structure(size, {"a": 0, "b": 0}, {}, {name: frozenset(rows) for name, rows in said.items()})


def placed(size: int, **said: set[tuple[int, ...]]) -> list[Block]:
    blocks = board(structure(size, **said))
    assert blocks is not None
    assert all(block.square is not None for block in blocks)
    holding = relations_of(blocks)
    assert {name: holding[name] for name in said} == said
    return blocks


def test_shapes_sizes_and_names_are_as_said() -> None:
    first, second = placed(2, Cube={(0,)}, Tet={(1,)}, Large={(1,)}, Small={(0,)})
    assert (first.names, first.shape, first.size, first.size_open) == (("a", "b"), "cube", "small", False)
    assert (second.names, second.shape, second.size) == ((), "tetrahedron", "large")


def test_what_is_left_open_is_said_to_be() -> None:
    (block,) = placed(1, Cube=set())
    assert (block.shape, block.size_open) == (None, True)
    # On a board there is but one shape left.
    (block,) = placed(1, Cube=set(), Tet=set())
    assert block.shape == "dodecahedron"


def test_relations_hold_of_just_what_they_are_said_of() -> None:
    left, right = placed(2, LeftOf={(0, 1)}, SameRow={(0, 0), (0, 1), (1, 0), (1, 1)}, Adjoins={(0, 1), (1, 0)})
    assert left.square is not None
    assert right.square == (left.square[0], left.square[1] + 1)
    placed(3, Between={(0, 1, 2), (0, 2, 1)}, SameRow={(e, e) for e in range(3)})
    placed(3, Smaller={(0, 1), (1, 2), (0, 2)})
    placed(4, FrontOf={(x, y) for x in range(4) for y in range(4) if x > y})


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
    ],
)
def test_blocks_without_possible_places_get_none(said: dict[str, set[tuple[int, ...]]]) -> None:
    blocks = board(structure(3, **said))
    assert blocks is not None
    assert [block.square for block in blocks] == [None] * 3


@pytest.mark.parametrize(
    "said",
    [
        {"Cube": {(0,)}, "Tet": {(0,)}},
        {"Small": {(0,)}, "Large": {(0,)}},
        {"Small": set(), "Medium": set(), "Large": set()},
        {"Larger": {(0, 1), (1, 0)}},
        {"Larger": {(0, 0)}},
        {"SameShape": set()},
        {"Smaller": {(x, y) for x in range(4) for y in range(4) if x < y}},
    ],
)
def test_shapes_and_sizes_that_no_block_has_are_not_drawn(said: dict[str, set[tuple[int, ...]]]) -> None:
    assert board(structure(4, **said)) is None


def test_between_is_on_one_line() -> None:
    assert is_between((2, 2), (0, 0), (5, 5))
    assert is_between((3, 1), (3, 7), (3, 0))
    assert not is_between((1, 2), (0, 0), (2, 4))
    assert not is_between((0, 0), (0, 0), (0, 5))
    assert not is_between((0, 6), (0, 0), (0, 5))
    assert not is_between((0, 0), (0, 0), (0, 0))


def test_masks_have_the_squares_between_two_and_those_that_two_lie_between() -> None:
    first, middle, last, other = map(_SQUARES.index, ((0, 1), (2, 1), (3, 1), (4, 6)))

    def chosen(mask: int) -> list[tuple[int, int]]:
        return sorted(square for place, square in enumerate(_SQUARES) if mask >> place & 1)

    assert chosen(_middles(first, last)) == chosen(_middles(last, first)) == [(1, 1), (2, 1)]
    assert chosen(_ends(middle, first)) == [(row, 1) for row in range(3, SIDE)]
    assert chosen(_ends(middle, last)) == [(0, 1), (1, 1)]
    assert _middles(first, other) == _ends(first, other) == 0


def test_only_blocks_worlds_are_drawn() -> None:
    ontology = read_ontologies(ROOT / "resources/datasets/tarski/ontology.yaml").of("w01")
    assert ontology is not None
    assert is_blocks_world(ontology)
    large = Predicate("Large", 1, "{} is large", "{} is not large")
    assert not is_blocks_world(Ontology((large,))), "large things need not be blocks"
    assert not is_blocks_world(Ontology((*ontology.predicates, Predicate("Barks", 1, "{} barks", "{} is silent"))))
    with pytest.raises(ValueError, match="Barks"):
        board(structure(1, Barks=set()))


def test_more_things_than_squares_are_not_placed() -> None:
    blocks = board(structure(SIDE**2 + 1))
    assert blocks is not None
    assert blocks[0].square is None
