"""A tenth of what ``benchmarks/boards.py`` does."""

from time import process_time

from benchmarks.boards import faults, turned, wrong
from tests.board_relations import fewest_blocks

from nlfol.logic.boards import on_boards
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.reading import parse


def test_board_search_agrees_with_small_board_enumeration() -> None:
    pairs = wrong(30)
    on_boards(*pairs[0])
    started = process_time()
    found = [on_boards(*pair) for pair in pairs]
    assert (process_time() - started) / len(pairs) < 0.05
    assert [fault for pair, each in zip(pairs, found, strict=True) for fault in faults(*pair, each)] == []
    assert sum(fewest_blocks(*pair) is not None for pair in pairs) >= 25


def test_inverted_relations_are_equivalent_on_boards() -> None:
    pairs = list(turned())[::10]
    found = [on_boards(*pair) for pair in pairs]
    assert {each.outcome for each in found} == {Outcome.EQUIVALENT}
    assert [fault for pair, each in zip(pairs, found, strict=True) for fault in faults(*pair, each)] == []


def test_faults_report_missed_board() -> None:
    first, second = parse("Cube(b)"), parse("Tet(b)")
    missed = on_boards(first, first)
    assert faults(first, second, missed) == [f"a board of 1 blocks tells {first} from {second}"]
