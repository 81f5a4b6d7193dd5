"""Answers over seeds: what several answers to an item come to.

Of ``n`` seeds of an item let ``c`` be right. Of ``k`` of them drawn without replacement, at least one is right with
probability 1 - C(n - c, k) / C(n, k), called pass@k (Chen et al., "Evaluating Large Language Models Trained on Code",
arXiv 2107.03374, equation 1); all are with probability C(c, k) / C(n, k), called pass^k (Yao et al., "τ-bench",
arXiv 2406.12045, section 4). An item is consistent where all its seeds are right or all are wrong.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import comb
from typing import TypedDict

from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.statistics.summary import QuestionColumns, Series
from nlfol.results.tables import columns
from nlfol.results.tables.table import Kind, Row, TableForm
from nlfol.store.columns import row_schema


class _Repetition(QuestionColumns):
    model: str
    items: int
    available: int
    seeds: int


class Repeated(TypedDict):
    """Columns of means over items."""

    any_right: list[float]  # pass@k for k = 1 to the number of seeds
    all_right: list[float]  # pass^k
    consistent: float


class RepetitionRow(_Repetition, Repeated):
    """One row a dialogue model, task, metric and presentation."""


REPETITIONS = row_schema("repetitions", 2, RepetitionRow)


def repetitions(right: Iterable[int], seeds: int) -> Repeated:
    """Summarise items by how many of their n seeds were right; ``ValueError`` without seeds, or outside 0 to n.

    Returns the columns of means over items: pass@k and pass^k for k = 1, ..., n, and the share whose seeds agree.
    """
    counts = list(right)
    if not counts or seeds < 1 or not all(0 <= count <= seeds for count in counts):
        raise ValueError(f"{len(counts)} counts of right answers, each to be from 0 to {seeds} seeds")
    some, every = [], []
    for k in range(1, seeds + 1):
        ways = len(counts) * comb(seeds, k)
        some.append(float(1 - Fraction(sum(comb(seeds - count, k) for count in counts), ways)))
        every.append(float(Fraction(sum(comb(count, k) for count in counts), ways)))
    agreeing = sum(count in (0, seeds) for count in counts)
    return {"any_right": some, "all_right": every, "consistent": agreeing / len(counts)}


def seed_repetitions(series: Iterable[Series]) -> Iterator[RepetitionRow]:
    """Yield the rows of ``REPETITIONS``: one a series of a dialogue model."""
    for one in series:
        if one.source.kind == "chat" and not one.is_empty:
            yield {
                **one.about,
                "model": one.source.model,
                "available": one.source.available,
                "seeds": one.seeds,
                "items": one.items.height,
                **repetitions([round(right) for right in one.items["right"].to_list()], one.seeds),
            }


def _of(name: str, k: int) -> Callable[[Row], float]:
    return lambda row: float(row[name][k])


ANALYSIS = Analysis(
    rows=(Rows(REPETITIONS, lambda given: seed_repetitions(given.series())),),
    tables=(
        TableForm(
            "repetitions",
            "Repetition over seeds",
            "Right under at least one of k seeds (pass@k) and under all of k (pass^k), for k the number of seeds.",
            (
                *columns.texts("dataset", "task", "metric", "presentation", "model"),
                columns.sample(),
                columns.count("seeds", "Seeds (k)"),
                columns.column("pass_1", "pass@1", Kind.SHARE, _of("any_right", 0)),
                columns.column("pass_at_k", "pass@k", Kind.SHARE, _of("any_right", -1)),
                columns.column("pass_hat_k", "pass^k", Kind.SHARE, _of("all_right", -1)),
                columns.share("consistent"),
            ),
            ("Consistent: share of items right under all seeds or wrong under all.",),
            ("repetitions",),
            nothing="No dialogue model answered.",
        ),
    ),
)
