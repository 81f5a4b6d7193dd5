"""From recorded responses to what compares models, tasks and repetitions: every figure worked out by hand."""

from pathlib import Path

from tests.unit.results.by_definition import Stories, p_value, paired
from tests.unit.results.worked_out import Value, check

QUESTIONS: list[list[Value]] = [
    ["toy", "logical_translation", "equivalence", None],
    ["toy", "most_similar", "accuracy", "english"],
    ["toy", "ranking", "both", "english"],
    ["toy", "ranking", "equivalence", "english"],
    ["toy", "ranking", "negation", "english"],
]

# Items of alpha and of beta over seeds, by story.
ALPHA: list[Stories] = [
    [[1 / 2, 0], [1 / 2], [0]],
    [[1, 1 / 2], [0], [1 / 2]],
    [[1], [0]],
    [[1], [1 / 2]],
    [[1], [0]],
]
BETA: list[Stories] = [[[0, 0], [0], [0]], [[0, 1], [1 / 2], [0]], [[0], [0]], [[0], [1 / 2]], [[1 / 2], [0]]]


def _mean(stories: Stories) -> float:
    items = [item for story in stories for item in story]
    return sum(items) / len(items)


def _compared(place: int) -> tuple[list[Value], float, None]:
    """Difference with its interval; p; what can be detected: nothing by three stories."""
    first, second = ALPHA[place], BETA[place]
    return [_mean(first) - _mean(second), None, *paired(first, second)], p_value(first, second), None


UNREAD: list[tuple[int, int]] = [(2, 4), (2, 2), *[(1, 2)] * 3]
"""Answers of alpha and of beta, by question, that are none or are not of the agreed form."""


def _paired(place: int) -> list[Value]:
    """Pairs under two seeds, of which none is refused, and unread answers of both."""
    return [8 if place < 2 else 4, None, *UNREAD[place]]


def _adjusted(place: int) -> float | None:
    """By Holm within a task's first metric, here of one pair; other metrics of ranking are exploratory."""
    return _compared(place)[1] if place < 3 else None


def test_recorded_differences_match_hand_computation(recorded_tables: Path) -> None:
    rows = []
    for place, question in enumerate(QUESTIONS):
        interval, p, detectable = _compared(place)
        counts: list[Value] = [4, 4, 3] if place < 2 else [2, 4, 2]
        rows.append([*question, "alpha", "beta", *counts, *interval, p, _adjusted(place), detectable, *_paired(place)])
    check(recorded_tables, "differences", rows, within=1e-6)


def test_recorded_thinking_shares_adjustment_with_differences(recorded_tables: Path) -> None:
    rows = []
    for place, question in enumerate(QUESTIONS):
        interval, p, detectable = _compared(place)
        means = _mean(ALPHA[place]), _mean(BETA[place])
        counts: list[Value] = [4, 4] if place < 2 else [2, 4]
        # Every item has as many pairs, and an unread answer is wrong.
        wide = [
            means[0] - means[1] + sign * n / (8 if place < 2 else 4)
            for sign, n in zip((-1, 1), UNREAD[place][::-1], strict=True)
        ]
        tested = [*interval, p, _adjusted(place), detectable, *wide]
        rows.append([*question, "alpha", "beta", None, *counts, *means, *tested, *_paired(place)])
    check(recorded_tables, "thinking", rows, within=1e-6)


def test_recorded_agreement_matches_hand_computation(recorded_tables: Path) -> None:
    # Of eight answers, and of four in ranking: both, first, second, neither; kappa: (seen - expected) / (1 - expected).
    shares: list[list[float]] = [
        [0, 2 / 8, 0, 6 / 8, 0],  # seen 3/4, expected 3/4 * 1
        [1 / 8, 3 / 8, 2 / 8, 2 / 8, -1 / 4],  # seen 3/8, expected 1/2 * 3/8 + 1/2 * 5/8 = 1/2
        [0, 2 / 4, 0, 2 / 4, 0],  # seen 1/2, expected 1/2 * 1
        [0, 3 / 4, 1 / 4, 0, -3 / 5],  # seen 0, expected 2 * 3/4 * 1/4 = 3/8
        [1 / 4, 1 / 4, 0, 2 / 4, 1 / 2],  # seen 3/4, expected 1/2 * 1/4 + 1/2 * 3/4 = 1/2
    ]
    counts: list[list[Value]] = [[4, 4], [4, 4], [2, 4], [2, 4], [2, 4]]
    check(
        recorded_tables,
        "agreement",
        [
            [*q, "alpha", "beta", *n, s[0] + s[3], None, None, None, *s]
            for q, n, s in zip(QUESTIONS, counts, shares, strict=True)
        ],
    )


def test_recorded_task_agreement_matches_hand_computation(recorded_tables: Path) -> None:
    def row(model: str, pairs: int, unread: tuple[int, int], *shares: float) -> list[Value]:
        about = ["toy", "audited", model, "english", "most_similar", "ranking"]
        return [*about, 2, 4, shares[0] + shares[3], None, None, None, *shares, pairs, None, *unread]

    check(
        recorded_tables,
        "task_agreement",
        [
            # On a:0 and c:0, alpha is right in both tasks but for c:0 at seed 12, where it is in neither.
            row("alpha", 4, (1, 1), 3 / 4, 0, 0, 1 / 4, 1),
            # beta is right once, in ranking: seen 3/4, expected 3/4.
            row("beta", 4, (1, 2), 0, 0, 1 / 4, 3 / 4, 0),
            # 1/2 and 1; 1/4 and 1/3. Both (1/2 + 1/12) / 2; means 3/8 and 2/3; neither (0 + 3/4 * 2/3) / 2. Seen 13/24,
            # expected 3/8 * 2/3 + 5/8 * 1/3 = 11/24: 2/13.
            row("embedding", 2, (0, 0), 7 / 24, 2 / 24, 9 / 24, 6 / 24, 2 / 13),
        ],
    )


def test_recorded_repetitions_match_hand_computation(recorded_tables: Path) -> None:
    # Items by how often they are right of twice; pass@1, pass@2, pass^2, consistent.
    found: dict[str, list[list[Value]]] = {
        "alpha": [
            [4, 2, 1 / 4, 2 / 4, 0, 2 / 4],  # 1 0 1 0
            [4, 2, 1 / 2, 3 / 4, 1 / 4, 2 / 4],  # 2 1 0 1
            [2, 2, 1 / 2, 1 / 2, 1 / 2, 1],
            [2, 2, 3 / 4, 1, 1 / 2, 1 / 2],  # 2 1
            [2, 2, 1 / 2, 1 / 2, 1 / 2, 1],  # 2 0
        ],
        "beta": [
            [4, 2, 0, 0, 0, 1],
            [4, 2, 3 / 8, 2 / 4, 1 / 4, 3 / 4],  # 0 2 1 0
            [2, 2, 0, 0, 0, 1],
            [2, 2, 1 / 4, 1 / 2, 0, 1 / 2],  # 0 1
            [2, 2, 1 / 4, 1 / 2, 0, 1 / 2],  # 1 0
        ],
    }
    wanted = []
    for places in ([0], [1], [2, 3, 4]):
        rows = ((model, place, found[model][place]) for model in found for place in places)
        wanted += [[*QUESTIONS[place], model, row[0], 4, *row[1:]] for model, place, row in rows]
    check(recorded_tables, "repetitions", wanted)
