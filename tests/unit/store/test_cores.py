"""Work on several cores."""

import os
from collections.abc import Iterator

import pytest

from nlfol.store.cores import in_order


@pytest.mark.parametrize("cores", [1, 3])
def test_results_come_in_order_while_few_pieces_are_taken(cores: int) -> None:
    taken: list[int] = []

    def pieces() -> Iterator[int]:
        for number in range(50):
            taken.append(number)
            yield number

    found = []
    for number, process in in_order(lambda piece: (piece * 2, os.getpid()), pieces(), cores):
        found.append(number)
        assert len(taken) <= len(found) + 2 * cores
        assert (process == os.getpid()) is (cores == 1)
    assert found == [2 * number for number in range(50)]


def test_error_in_piece_ends_work_after_results_before_it() -> None:
    results = in_order(lambda piece: 6 // piece, [3, 2, 1, 0, 1], 2)
    assert [next(results) for _ in range(3)] == [2, 3, 6]
    with pytest.raises(ZeroDivisionError):
        next(results)
