"""From recorded responses through scoring, aggregation and rendering: every figure worked out by hand.

Items' scores over seeds stand by story: ``[[1 / 2, 0], [1 / 2], [0]]`` are those of a:0, a:1, b:0 and c:0.
"""

from math import sqrt
from pathlib import Path

from tests.unit.results.worked_out import NOTHING, Value, check, score


def test_recorded_logical_translation_matches_hand_computation(recorded_tables: Path) -> None:
    task = "logical_translation"
    # alpha is right on a:0 and b:0 at seed 3, never at seed 12: 2/4 and 0/4.
    alpha = [2, 4, 0, 0, *(1, 1, 0, 0, 0, 0, 0), 0, 0, 0]
    # Equivalent, not equivalent, unknown, invalid; unparsable, truncated, empty, blank, refused, failed, error.
    beta = [0, 1, 0, 3, *(0, 0, 1, 1, 1, 1, 0), 0, 0, 0]
    check(
        recorded_tables,
        "logical_translation",
        [
            ["toy", "alpha", task, "", 4, 4, 2, *score([[1 / 2, 0], [1 / 2], [0]], sqrt(1 / 8)), *NOTHING, *alpha],
            ["toy", "beta", task, "", 4, 4, 2, *score([[0, 0], [0], [0]], 0), *NOTHING, *beta],
            ["toy", "chance", task, "", 4, 4, None, 0, *[None] * 21],
        ],
    )


def test_recorded_dialogue_matches_hand_computation(recorded_tables: Path) -> None:
    def row(model: str, seeds: int | None, chosen: list[Value], ranked: list[Value]) -> list[Value]:
        front: list[Value] = ["toy", "audited", model, "english", seeds]
        opened = [None if seeds is None else 0] * 2
        return [*front, "most_similar", 4, 4, *chosen, "ranking", 2, 4, *ranked, *opened]

    none = [0] * 7
    # alpha chooses rightly in 3/4 and 1/4, and ranks equivalents so in 1 and 1/2; the rest of a:0 under both seeds.
    alpha = [*score([[1, 1 / 2], [0], [1 / 2]], sqrt(1 / 8)), *(1, 1, 0, 0, 0, 0, 0)]
    alpha_ranks = [
        *score([[1], [0]], 0),
        *score([[1], [1 / 2]], sqrt(1 / 8)),
        *score([[1], [0]], 0),
        *(0, 0, 0, 1, 0, 0, 0),
    ]
    # beta chooses rightly in 1/2 and 1/4, and ranks so in 0 and 1/2, by c:0 at seed 12; negations in 1/2 and 0, by a:0
    # at seed 3; never both.
    beta = [*score([[0, 1], [1 / 2], [0]], sqrt(1 / 32)), *(0, 0, 0, 0, 1, 1, 0)]
    ends = [*score([[0], [0]], 0), *score([[0], [1 / 2]], sqrt(1 / 8)), *score([[1 / 2], [0]], sqrt(1 / 8))]
    # Chance: 1/3, 1/2, 1/2, 1/4. Of five: two first in C(5, 2) = 10 ways, two last likewise, and both in 30.
    chance: list[Value] = [1 / 30, None, None, None, 1 / 10, None, None, None, 1 / 10, *[None] * 10]
    # Two meanings are said twice.
    reasoner: list[Value] = [*[1 / 2, None, None, None] * 3, *[None] * 7]
    check(
        recorded_tables,
        "dialogue",
        [
            row("alpha", 2, alpha, alpha_ranks),
            row("beta", 2, beta, [*ends, *(1, 0, 1, 0, 0, 0, 0)]),
            row("reader", 1, [*score([[1, 1], [1], [1]], None), *none], [*score([[1], [1]], None) * 3, *none]),
            row("chance", None, [19 / 48, *[None] * 10], chance),
            row("reasoner", None, [19 / 48, *[None] * 10], reasoner),
        ],
    )


def test_recorded_embedding_matches_hand_computation(recorded_tables: Path) -> None:
    # Two equal at the top 1/2; right; wrong; four equal 1/4.
    chosen = score([[1 / 2, 1], [0], [1 / 4]], None)
    # c:0 has three equal ones for the two first places: 1/3.
    partly = score([[1], [1 / 3]], None)
    ranked = [*partly, *partly, *score([[1], [1]], None)]
    chance: list[Value] = [19 / 48, None, None, None]
    by_chance: list[Value] = [1 / 30, None, None, None, 1 / 10, None, None, None, 1 / 10, None, None, None]
    check(
        recorded_tables,
        "embedding",
        [
            # Its last places are tied with no other candidate.
            ["toy", "audited", "embedding", "english", *_tasks(chosen, ranked), 2, 1, 1, 0],
            ["toy", "audited", "chance", "english", *_tasks(chance, by_chance), *NOTHING],
        ],
    )


def _tasks(chosen: list[Value], ranked: list[Value]) -> list[Value]:
    lost: list[Value] = [0] * 7 if chosen[0] != 19 / 48 else [None] * 7
    return ["most_similar", 4, 4, *chosen, *lost, "ranking", 2, 4, *ranked, *lost]
