"""Comparisons of models or tasks that an experiment names before it has results (``comparisons:``).

Of two tasks, each model's answers are compared: to the same items, asked in two ways. The table says in which
components their requests differ.

The p-values in a task's first metric are one family for each dataset and (first) task, adjusted by Holm. All pairs of
many models are a large family, in which little is significant; few comparisons that were named beforehand are a small
one. Comparisons that the results suggest, such as that of the two best, belong to the family of all pairs
(``comparisons.DIFFERENCES``): named afterwards, they would be significant too often.

Over the models asked in both ways, ``ranks`` counts those pairs that change their order, with Kendall's τ ("The
Treatment of Ties in Ranking Problems", Biometrika 33, 1945: τ_b).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import polars as pl

from nlfol.results.analyses.analysis import Analysis, Rows, grouped
from nlfol.results.statistics.contrasts import adjust, contrast, is_main
from nlfol.results.statistics.pairing import COMPARISONS, Comparison, differing, pairs, wholes
from nlfol.results.statistics.second_looks import NOTHING_PLANNED, Planned
from nlfol.results.statistics.summary import Series
from nlfol.results.tables import columns
from nlfol.results.tables.opening import nothing
from nlfol.results.tables.table import Cell, Row, TableForm
from nlfol.store.columns import Pairing, TaskColumns, Tested, row_schema
from nlfol.store.schemas import COMPONENTS

ASKED = ("model", "served", "thinking", "sampling", "seed", "limits", "text")
"""Components that two tasks must share; in the others, their names say what they differ in."""

CONTRACTS = {
    # Plain text is asked for in another form than an object.
    "model": replace(COMPARISONS["models"], follows=COMPARISONS["models"].follows | {"prompt", "examples"}),
    "task": Comparison(frozenset(COMPONENTS) - frozenset(ASKED)),
}
"""Contracts of the pairs of models and of tasks: the components in which their requests may differ."""


class _Named(TaskColumns):
    comparison: str
    metric: str
    presentation: str
    model: str | None  # whose answers to two tasks are compared
    first: str
    second: str
    differ: str  # components in which the requests of some pair differ
    items: int
    available: int
    stories: int
    score: float | None
    score_second: float | None
    difference: float | None


class NamedRow(_Named, Tested, Pairing):
    """One row a question (dataset, task, metric, presentation), named comparison and pair of models, or of tasks."""


NAMED = row_schema("named", 2, NamedRow)

Compared = Mapping[str, Mapping[str, Sequence[Sequence[str]]]]
"""Pairs by the name of their comparison, of models and of tasks (``CONTRACTS``)."""


def named_comparisons(
    series: Iterable[Series], compared: Compared, planned: Planned = NOTHING_PLANNED
) -> list[NamedRow]:
    """Return the rows of ``NAMED``, those of models first; questions and comparisons keep their orders."""
    listed = list(series)
    rows: list[NamedRow] = []
    for of, contract in CONTRACTS.items():
        alike = ("task" if of == "model" else "model", "dataset", "metric", "presentation")
        for group in grouped([*listed, *wholes(listed)], *alike):
            arms = {getattr(one.source, of): one for one in group}
            for name, named in compared.get(of, {}).items():
                rows += [
                    _row(arms[first], arms[second], contract, name, of)
                    for first, second in named
                    if {first, second} <= arms.keys()
                ]
    # What is named is a family by itself, whatever the board has places for.
    adjust(rows, "dataset", "task", counts=is_main, planned=replace(planned, models=None))
    return rows


def _row(first: Series, second: Series, contract: Comparison, name: str, of: str) -> NamedRow:
    made = pairs(first, second, contract)
    figures = contrast(made, first.source.available)
    return {
        **first.about,
        "comparison": name,
        "model": None if of == "model" else first.source.model,
        "first": getattr(first.source, of),
        "second": getattr(second.source, of),
        "differ": ", ".join(part for part, count in differing(first, second, made.kept, COMPONENTS).items() if count),
        "score": figures.first,
        "score_second": figures.second,
        "difference": figures.difference,
        **figures.columns,
    }


LEAST_MODELS = 3
"""Models of which there is a ranking, at least."""

_QUESTION = ("dataset", "task", "metric", "presentation", "comparison")


def ranks(named: pl.DataFrame) -> Iterator[Row]:
    """Yield how the order of the models differs between two tasks, or the first and second models of a comparison.

    A model counts with the means of its row in ``NAMED``.
    """
    arms: dict[tuple[Cell, ...], list[Row]] = {}
    for row in named.to_dicts():
        tasks = (None, None) if row["model"] is None else (row["first"], row["second"])
        arms.setdefault((*(row[name] for name in _QUESTION), *tasks), []).append(row)
    for names, rows in arms.items():
        compared = [(row["score"], row["score_second"]) for row in rows if row["difference"] is not None]
        is_ranked = len(compared) >= LEAST_MODELS
        turned, pairs, tau = order(compared) if is_ranked else (None, None, None)
        yield {
            **dict(zip((*_QUESTION, "first", "second"), names, strict=True)),
            "models": len(compared),
            "turned": turned,
            "pairs_of_models": pairs,
            "share": None if turned is None or pairs is None else turned / pairs,
            "tau": tau,
            "reason": f"fewer than {LEAST_MODELS} models" if not is_ranked else "all tied" if tau is None else None,
        }


def order(scores: Sequence[tuple[float, float]]) -> tuple[int, int, float | None]:
    """Return how many pairs, of how many, two scores put in another order, and τ; None if one of the two ties all."""
    from scipy.stats import kendalltau

    both = list(combinations(scores, 2))
    turned = sum((one[0] - other[0]) * (one[1] - other[1]) < 0 for one, other in both)
    first, second = zip(*scores, strict=True)
    is_tied = min(len({*first}), len({*second})) == 1
    return turned, len(both), None if is_tied else float(kendalltau(first, second).statistic)


_FAMILY = (
    f"{columns.TEST} Adjusted: by Holm over the named comparisons in a task's first metric on a dataset; – other "
    "metrics are exploratory. Valid if they were named before the results were seen."
)

ANALYSIS = Analysis(
    rows=(Rows(NAMED, lambda given: named_comparisons(given.series(), given.setting("compared"), given.planned)),),
    tables=(
        TableForm(
            "named_comparisons",
            "Named comparisons",
            "Mean of the first model less that of the second on their common items, with the interval at 95 % "
            "(clusters: stories), for the comparisons that the experiment names. Of two tasks, the means are of the "
            "model's answers to the first and to the second.",
            (
                *columns.texts("dataset", "task", "metric", "presentation", "comparison", "model", "first", "second"),
                columns.text("differ_in", of="differ"),
                columns.sample(),
                columns.share("score", "First"),
                columns.share("score_second", "Second"),
                *columns.contrast(),
                *columns.pairing(),
            ),
            (
                columns.PAIRING,
                COMPARISONS["models"].note,
                _FAMILY,
                lambda _, __, planned=NOTHING_PLANNED: replace(planned, models=None).notes(),
                "Bold: adjusted p below 0.05.",
                columns.SAMPLE,
            ),
            ("named", "planned"),
            lambda rows, *_: rows.to_dicts(),
            nothing="No named pair answered the same items: nothing to compare.",
        ),
        TableForm(
            "ranks",
            "Ranks in named comparisons",
            "Models in another order: of the models asked in two ways, the pairs whose order is not the same in both, "
            "and Kendall's tau of their means.",
            (
                *columns.texts(*_QUESTION, "first", "second"),
                *columns.counts("models", "turned", "pairs_of_models"),
                columns.share("share", "Share turned"),
                columns.share("tau", "tau"),
                columns.text("reason", "No tau"),
            ),
            (
                "First, second: tasks; – of models, of whose pairs the first are one ranking, the second the other.",
                "Means of the common items of both, as in named_comparisons; models without a difference have no rank.",
                "Pairs that are tied in either ranking have not turned. tau: form b.",
                "Orders of models that are nearly equal turn by chance, too: see the intervals in named_comparisons.",
            ),
            ("named",),
            ranks,
            nothing,
            nothing="No named pair answered the same items: nothing to rank.",
        ),
    ),
)
