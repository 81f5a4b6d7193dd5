"""From recorded responses to what compares models, tasks and repetitions: every figure worked out by hand."""

from __future__ import annotations

from math import sqrt
from pathlib import Path

from tests.unit.tables.worked_out import CERTAIN, Value, Z, check

POWER = 0.8416212335729143  # the normal distribution's quantile at 0.8

QUESTIONS: list[list[Value]] = [
    ["toy", "logical_translation", "equivalence", None],
    ["toy", "most_similar", "accuracy", "english"],
    ["toy", "ranking", "equivalence", "english"],
    ["toy", "ranking", "negation", "english"],
    ["toy", "ranking", "both", "english"],
]

# alpha less beta. Items 1/2, 0, 1/2, 0: as in the test of translation. Items 1, -1/2, -1/2, 1/2: stories 1/4, -5/8,
# 3/8, the squares sum to 19/32. Then 1 and 0; 1/2 and 0; 1 and 0, of two stories each.
MEANS = [1 / 4, 1 / 8, 1 / 2, 1 / 4, 1 / 2]
ERRORS = [sqrt(3 / 256), sqrt(3 / 2 * 19 / 32) / 4, 1 / 2, 1 / 4, 1 / 2]
# Mean squares of the differences, and effective items: the variance over the squared error, in translation and most
# similar times CERTAIN, at most 4. 1/16 over 3/256; 27/64 over 57/1024 is above 4; 1/4 over 1/4; 1/16 over 1/16.
SQUARES = [1 / 8, 7 / 16, 1 / 2, 1 / 8, 1 / 2]
EFFECTIVE = [16 / 3 * CERTAIN, 4, 1, 1, 1]
# Sums by story 1/2, 1/2, 0: of the four signs, two are as far from 0. 1/2, -1/2, 1/2: all are. One sum alone: both.
P = [1 / 2, 1.0, 1.0, 1.0, 1.0]


def _compared(place: int) -> tuple[list[Value], float, float]:
    """Difference with its interval; p; what can be detected."""
    mean, n = MEANS[place], EFFECTIVE[place]
    # Two items are added, with the differences 1 and -1.
    middle, square = mean * n / (n + 2), (SQUARES[place] * n + 2) / (n + 2)
    error = sqrt((square - middle**2) / (n + 2))
    interval = [max(-1.0, middle - Z * error), min(1.0, middle + Z * error)]
    return [mean, None, *interval], P[place], (Z + POWER) * error


def test_differences(recorded_tables: Path) -> None:
    rows = []
    for place, question in enumerate(QUESTIONS):
        paired, p, detectable = _compared(place)
        counts: list[Value] = [4, 3] if place < 2 else [2, 2]
        # Translation is a family of its own; of the other four all are at 1.
        rows.append([*question, "alpha", "beta", *counts, *paired, p, p, detectable])
    check(recorded_tables, "differences", rows)


def test_thinking(recorded_tables: Path) -> None:
    scores = [(1 / 4, 0), (1 / 2, 3 / 8), (3 / 4, 1 / 4), (1 / 2, 1 / 4), (1 / 2, 0)]
    rows = []
    for place, question in enumerate(QUESTIONS):
        paired, p, detectable = _compared(place)
        # One family of five: the least p, 1/2, times five.
        rows.append([*question, "alpha", "beta", 4 if place < 2 else 2, *scores[place], *paired, p, 1, detectable])
    check(recorded_tables, "thinking", rows)


def test_agreement(recorded_tables: Path) -> None:
    # Of eight answers, and of four in ranking: both, first, second, neither; kappa: (seen - expected) / (1 - expected).
    shares: list[list[Value]] = [
        [0, 2 / 8, 0, 6 / 8, 0],  # seen 3/4, expected 3/4 * 1
        [1 / 8, 3 / 8, 2 / 8, 2 / 8, -1 / 4],  # seen 3/8, expected 1/2 * 3/8 + 1/2 * 5/8 = 1/2
        [0, 3 / 4, 1 / 4, 0, -3 / 5],  # seen 0, expected 2 * 3/4 * 1/4 = 3/8
        [1 / 4, 1 / 4, 0, 2 / 4, 1 / 2],  # seen 3/4, expected 1/2 * 1/4 + 1/2 * 3/4 = 1/2
        [0, 2 / 4, 0, 2 / 4, 0],  # seen 1/2, expected 1/2 * 1
    ]
    check(recorded_tables, "agreement", [[*q, "alpha", "beta", *s] for q, s in zip(QUESTIONS, shares, strict=True)])


def test_task_agreement(recorded_tables: Path) -> None:
    def row(model: str, *shares: float) -> list[Value]:
        return ["toy", "audited", model, "english", "most_similar", "ranking", 2, *shares]

    check(
        recorded_tables,
        "task_agreement",
        [
            # On a:0 and c:0, alpha is right in both tasks but for c:0 at seed 12, where it is in neither.
            row("alpha", 3 / 4, 0, 0, 1 / 4, 1),
            # beta is right once, in ranking: seen 3/4, expected 3/4.
            row("beta", 0, 0, 1 / 4, 3 / 4, 0),
            # 1/2 and 1; 1/4 and 1/3. Both (1/2 + 1/12) / 2; means 3/8 and 2/3; neither (0 + 3/4 * 2/3) / 2. Seen 13/24,
            # expected 3/8 * 2/3 + 5/8 * 1/3 = 11/24: 2/13.
            row("embedding", 7 / 24, 2 / 24, 9 / 24, 6 / 24, 2 / 13),
        ],
    )


def test_repetitions(recorded_tables: Path) -> None:
    # Items by how often they are right of twice; pass@1, pass@2, pass^2, consistent.
    found: dict[str, list[list[Value]]] = {
        "alpha": [
            [4, 2, 1 / 4, 2 / 4, 0, 2 / 4],  # 1 0 1 0
            [4, 2, 1 / 2, 3 / 4, 1 / 4, 2 / 4],  # 2 1 0 1
            [2, 2, 3 / 4, 1, 1 / 2, 1 / 2],  # 2 1
            [2, 2, 1 / 2, 1 / 2, 1 / 2, 1],  # 2 0
            [2, 2, 1 / 2, 1 / 2, 1 / 2, 1],
        ],
        "beta": [
            [4, 2, 0, 0, 0, 1],
            [4, 2, 3 / 8, 2 / 4, 1 / 4, 3 / 4],  # 0 2 1 0
            [2, 2, 1 / 4, 1 / 2, 0, 1 / 2],  # 0 1
            [2, 2, 1 / 4, 1 / 2, 0, 1 / 2],  # 1 0
            [2, 2, 0, 0, 0, 1],
        ],
    }
    wanted = []
    for places in ([0], [1], [2, 3, 4]):
        wanted += [[*QUESTIONS[place], model, *found[model][place]] for model in found for place in places]
    check(recorded_tables, "repetitions", wanted)
