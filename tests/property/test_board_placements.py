"""Boards read back: what is drawn says just what the structure says."""

from itertools import product

from hypothesis import example, given
from hypothesis import strategies as st
from tests.board_relations import relations_of

from nlfol.logic.board_proofs import SIDE
from nlfol.logic.boards import ARITIES, SHAPES, SIZES, Block, board
from nlfol.logic.structures import Structure

blocks = st.builds(
    Block,
    st.just(()),
    st.sampled_from(sorted(SHAPES.values())),
    st.sampled_from(sorted(SIZES.values())),
    st.just(False),
    st.tuples(st.integers(0, SIDE - 1), st.integers(0, SIDE - 1)),
)
worlds = st.lists(blocks, min_size=1, max_size=4, unique_by=lambda block: block.square)
symbols = st.sets(st.sampled_from(sorted(ARITIES)), max_size=6)


@st.composite
def structures(draw: st.DrawFn) -> Structure:
    size = draw(st.integers(1, 3))
    said = {}
    for name in sorted(draw(symbols)):
        rows = list(product(range(size), repeat=ARITIES[name]))
        said[name] = frozenset(draw(st.sets(st.sampled_from(rows))))
    return Structure(size, {}, {}, said)


def standing(*squares: tuple[int, int]) -> list[Block]:
    """Large cubes on these squares."""
    return [Block((), "cube", "large", False, square) for square in squares]


@given(worlds, symbols)
@example(standing((1, 0), (1, 1), (0, 0), (1, 2)), {"Between"})
@example(standing((7, 7), (0, 0), (3, 3), (0, 6)), {"Between", "SameRow"})
def test_board_is_found_for_relations_holding_on_generated_world(world: list[Block], named: set[str]) -> None:
    holding = relations_of(world)
    said = {name: holding[name] for name in sorted(named)}
    found = board(Structure(len(world), {}, {}, said))
    assert found is not None
    again = relations_of(found)
    assert {name: again[name] for name in said} == said


@given(structures())
def test_board_draws_only_true_relations(structure: Structure) -> None:
    found = board(structure)
    if found is None:
        return
    holding = relations_of(found)
    for name, extension in structure.predicates.items():
        if name in SHAPES:
            assert {(place,) for place, block in enumerate(found) if block.shape == SHAPES[name]} == extension
        elif name in SIZES:
            assert {(place,) for place, block in enumerate(found) if block.size == SIZES[name]} == extension
        else:
            assert holding[name] == extension
    squares = [block.square for block in found]
    assert len(squares) == len(set(squares))
