"""A tenth of what ``benchmarks/boards.py`` does."""

from time import process_time

from benchmarks.boards import faults, turned, wrong
from tests.board_relations import fewest_blocks

from nlfol.logic.boards import on_boards
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.reading import parse


def test_small_boards_say_the_same() -> None:
    pairs = wrong(30)
    on_boards(*pairs[0])
    started = process_time()
    found = [on_boards(*pair) for pair in pairs]
    assert (process_time() - started) / len(pairs) < 0.05
    assert [fault for pair, each in zip(pairs, found, strict=True) for fault in faults(*pair, each)] == []
    assert sum(fewest_blocks(*pair) is not None for pair in pairs) >= 25


def test_relations_the_other_way_round_are_right_on_boards() -> None:
    pairs = list(turned())[::10]
    found = [on_boards(*pair) for pair in pairs]
    assert {each.outcome for each in found} == {Outcome.EQUIVALENT}
    assert [fault for pair, each in zip(pairs, found, strict=True) for fault in faults(*pair, each)] == []


def test_a_missed_board_is_seen() -> None:
    first, second = parse("Cube(b)"), parse("Tet(b)")
    missed = on_boards(first, first)
    assert faults(first, second, missed) == [f"a board of 1 blocks tells {first} from {second}"]
