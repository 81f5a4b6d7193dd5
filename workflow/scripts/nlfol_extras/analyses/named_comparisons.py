"""Comparisons of models or tasks that an experiment names before it has results (``comparisons:``).

Of two tasks, each model's answers are compared: to the same items, asked in two ways. The table says in which
components their requests differ.

The p-values in a task's first metric are one family for each dataset and (first) task, adjusted by Holm. All pairs of
many models are a large family, in which little is significant; few comparisons that were named beforehand are a small
one. Comparisons that the results suggest, such as that of the two best, belong to the family of all pairs
(``comparisons.DIFFERENCES``): named afterwards, they would be significant too often.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from nlfol.results.analyses.analysis import Analysis, Rows, grouped
from nlfol.results.statistics.contrasts import adjust, contrast, is_main
from nlfol.results.statistics.pairing import COMPARISONS, Comparison, differing, pairs, wholes
from nlfol.results.statistics.summary import Series
from nlfol.results.tables import columns
from nlfol.results.tables.table import TableForm
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


def named_comparisons(series: Iterable[Series], compared: Compared) -> list[NamedRow]:
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
    adjust(rows, "dataset", "task", counts=is_main)
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


_FAMILY = (
    f"{columns.TEST} Adjusted: by Holm over the named comparisons in a task's first metric on a dataset; – other "
    "metrics are exploratory. Valid if they were named before the results were seen."
)

ANALYSIS = Analysis(
    rows=(Rows(NAMED, lambda given: named_comparisons(given.series(), given.setting("compared"))),),
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
                "Bold: adjusted p below 0.05.",
                columns.SAMPLE,
            ),
            ("named",),
            nothing="No named pair answered the same items: nothing to compare.",
        ),
    ),
)
