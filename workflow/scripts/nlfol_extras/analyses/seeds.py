"""Answers over seeds: what several answers come to, and the variance by item, order and sampling.

Of ``n`` seeds of an item let ``c`` be right. Of ``k`` of them drawn without replacement, at least one is right with
probability 1 - C(n - c, k) / C(n, k), called pass@k (Chen et al., "Evaluating Large Language Models Trained on Code",
arXiv 2107.03374, equation 1); all are with probability C(c, k) / C(n, k), called pass^k (Yao et al., "τ-bench",
arXiv 2406.12045, section 4). An item is consistent where all its seeds are right or all are wrong.

The variance of single answers has the components item, order of candidates, and sampling. Of two answers the mean
product says how far they go together. Over pairs of answers to one item, first averaged within the item, and over pairs
of answers to two items::

    square = mean of y²
    same   = mean of y * y' where both were shown the gold formula at one position
    apart  = mean of y * y' where they were shown it at different positions
    other  = mean of y * y' of two items

    item     = apart - other
    order    = same - apart
    sampling = square - same

which are unbiased estimates of the components of nested random effects, however many answers there are of each kind,
and for balanced numbers those of the analysis of variance (Koch, "A General Approach to the Estimation of Variance
Components", 1967). ``within``, order and sampling together, is square - apart over all items; it is split in the
proportion of the two over the items with pairs of both kinds. No component is below 0. Where each item is shown in
one order, ``same`` stands for ``apart``: what the order does is in ``item``. Sampling includes the order of the other
candidates, which each seed draws again.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, fsum
from statistics import fmean
from typing import TypedDict

import polars as pl

from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.statistics.summary import OF_SERIES, Origin, QuestionColumns, Series, series_of
from nlfol.results.tables import columns
from nlfol.results.tables.opening import but
from nlfol.results.tables.table import Kind, Row, TableForm
from nlfol.store.columns import TaskColumns, row_schema


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


class VarianceRow(TaskColumns):
    """One row a dialogue model under several seeds, task and presentation."""

    metric: str  # the task's first metric
    presentation: str
    model: str
    items: int
    available: int
    seeds: int
    variance: float  # of an answer
    # Shares of it, null where it is 0; order and sampling also where they cannot be told apart.
    item: float | None
    within: float | None
    order: float | None
    sampling: float | None
    repeated: int  # items by which they are


VARIANCES = row_schema("variances", 1, VarianceRow)


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
        if one.source.kind == "chat" and not one.answers.is_empty():
            yield {
                **one.about,
                "model": one.source.model,
                "available": one.source.available,
                "seeds": one.seeds,
                "items": one.items.height,
                **repetitions([round(right) for right in one.items["right"].to_list()], one.seeds),
            }


def variance_rows(loaded: Iterable[tuple[Origin, pl.DataFrame]]) -> Iterator[VarianceRow]:
    """Yield the rows of ``VARIANCES``: of dialogue models under several seeds, by their tasks' first metric."""
    for source, scores in loaded:
        first = source.asked.metrics[:1]
        if source.kind != "chat" or not first or scores["seed"].n_unique() < 2:
            continue
        for (presentation,), answers in scores.filter(pl.col("metric") == first[0]).group_by(
            "presentation", maintain_order=True
        ):
            by_item = answers.group_by("item", maintain_order=True).agg("score", "position")
            if by_item.height < 2:
                continue
            variance = variances([Item(*row) for row in by_item.select("score", "position").rows()])
            parts = (variance.item, variance.within, variance.order, variance.sampling)
            item, within, order, sampling = (
                None if part is None or not variance.total else part / variance.total for part in parts
            )
            yield {
                **source.of_task,
                "model": source.model,
                "available": source.available,
                "metric": first[0],
                "presentation": str(presentation),
                "items": by_item.height,
                "seeds": answers["seed"].n_unique(),
                "variance": variance.total,
                "item": item,
                "within": within,
                "order": order,
                "sampling": sampling,
                "repeated": variance.repeated,
            }


@dataclass(frozen=True, slots=True)
class Item:
    """The scores of one item, and where the gold formula was shown; None where there is no order."""

    scores: Sequence[float]
    positions: Sequence[int | None]


@dataclass(frozen=True, slots=True)
class Variances:
    """Components of the variance of an answer, none below 0; ``repeated`` counts items that tell order from sampling.

    ``order`` is None where no item has pairs at one position beside pairs at different ones; so is ``sampling``, but
    all of ``within`` where each item is shown in one order.
    """

    item: float
    within: float
    order: float | None
    sampling: float | None
    repeated: int

    @property
    def total(self) -> float:
        """Return the variance of an answer."""
        return self.item + self.within


@dataclass(frozen=True, slots=True)
class _Products:
    """Mean products of one item's answers; None where there is no such pair."""

    square: float
    same: float | None
    apart: float | None


def variances(items: Sequence[Item]) -> Variances:
    """Decompose the variance of answers; raises ``ValueError`` below two items with two answers each."""
    if len(items) < 2 or any(len(item.scores) < 2 for item in items):
        raise ValueError(f"{len(items)} items; two are needed, with two answers each")
    products = [_products(item) for item in items]
    means = [fmean(item.scores) for item in items]
    other = (fsum(means) ** 2 - fsum(mean**2 for mean in means)) / (len(means) * (len(means) - 1))
    apart = fmean(pair.same if pair.apart is None else pair.apart for pair in products)  # type: ignore[misc]
    item, within = max(0.0, apart - other), fmean(pair.square for pair in products) - apart
    both = [
        (pair.square, pair.same, pair.apart) for pair in products if pair.same is not None and pair.apart is not None
    ]
    if not both:
        in_one_order = all(pair.apart is None for pair in products)
        return Variances(item, within, None, within if in_one_order else None, 0)
    order = max(0.0, fmean(same - different for _, same, different in both))
    sampling = max(0.0, fmean(square - same for square, same, _ in both))
    share = order / (order + sampling) if order + sampling else 0.0
    return Variances(item, within, share * within, (1 - share) * within, len(both))


def _products(item: Item) -> _Products:
    cells: dict[int | None, list[float]] = {}
    for position, score in zip(item.positions, item.scores, strict=True):
        cells.setdefault(position, []).append(score)
    square, of_cells = fsum(score**2 for score in item.scores), fsum(fsum(scores) ** 2 for scores in cells.values())
    pairs = sum(len(scores) * (len(scores) - 1) for scores in cells.values())
    count = len(item.scores)
    others = count * (count - 1) - pairs
    return _Products(
        square / count,
        (of_cells - square) / pairs if pairs else None,
        (fsum(item.scores) ** 2 - of_cells) / others if others else None,
    )


_KOCH = "Components of nested random effects by Koch (1967); what is estimated below 0 is 0. Tasks: first metric."


def _of(name: str, k: int) -> Callable[[Row], float]:
    return lambda row: float(row[name][k])


_READ = (*OF_SERIES, "position")

ANALYSIS = Analysis(
    rows=(
        Rows(REPETITIONS, lambda given: seed_repetitions(series_of(given.loaded(columns=_READ)))),
        Rows(VARIANCES, lambda given: variance_rows(given.loaded(columns=_READ))),
    ),
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
        TableForm(
            "variances",
            "Where the variance of answers comes from",
            "Variance of single answers, and the shares of it between items and within items, over seeds.",
            (
                *columns.texts("dataset", "task", "metric", "presentation", "model"),
                columns.sample("Items asked"),
                columns.count("seeds"),
                columns.share("variance"),
                columns.share("item_share", "Items", of="item"),
                columns.share("within_share", "Order and sampling", of="within"),
                columns.share("order_share", "Order", of="order"),
                columns.share("sampling_share", "Sampling", of="sampling"),
                columns.count("repeated", "Items repeated"),
            ),
            (
                _KOCH,
                "Order: the position of the gold formula. Sampling includes the order of the other candidates.",
                "The two are told apart by the items repeated, which are shown several times at one position.",
                "Order –: they cannot be told apart; or no item is shown in two orders, and its effect is in “Items”.",
                columns.ASKED,
            ),
            ("variances",),
            opens=but("repeated"),
            nothing="No dialogue model answered two items under several seeds.",
        ),
    ),
)
