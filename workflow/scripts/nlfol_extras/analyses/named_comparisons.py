"""Comparisons of models that an experiment names before it has results (``comparisons:`` in its configuration).

Their p-values in a task's first metric are one family for each dataset and task, adjusted by Holm. All pairs of many
models are a large family, in which little is significant; few comparisons that were named beforehand are a small one.
Comparisons that the results suggest, such as that of the two best, belong to the family of all pairs
(``comparisons.DIFFERENCES``): named afterwards, they would be significant too often.
"""

from collections.abc import Iterable, Mapping, Sequence

from nlfol.results.analyses.analysis import Analysis, Rows, grouped
from nlfol.results.statistics.contrasts import adjust, is_main, paired
from nlfol.results.statistics.pairing import COMPARISONS, wholes
from nlfol.results.statistics.summary import Series
from nlfol.results.tables import columns
from nlfol.results.tables.table import TableForm
from nlfol.store.columns import Pairing, TaskColumns, Tested, row_schema


class _Named(TaskColumns):
    comparison: str
    metric: str
    presentation: str
    first: str
    second: str
    items: int
    available: int
    stories: int
    score: float | None
    score_second: float | None
    difference: float | None


class NamedRow(_Named, Tested, Pairing):
    """One row a question (dataset, task, metric, presentation), named comparison and pair of models."""


NAMED = row_schema("named", 1, NamedRow)


def named_comparisons(series: Iterable[Series], compared: Mapping[str, Sequence[Sequence[str]]]) -> list[NamedRow]:
    """Return the rows of ``NAMED``, questions in the order of their first series, comparisons as they are named."""
    listed = list(series)
    rows: list[NamedRow] = []
    for models in grouped([*listed, *wholes(listed)], "dataset", "task", "metric", "presentation"):
        by_name = {one.source.model: one for one in models}
        for name, pairs in compared.items():
            for first, second in pairs:
                if {first, second} <= by_name.keys():
                    arms = by_name[first], by_name[second]
                    figures = paired(*arms, "models")
                    row: NamedRow = {
                        **arms[0].about,
                        "comparison": name,
                        "first": first,
                        "second": second,
                        "score": figures.first,
                        "score_second": figures.second,
                        "difference": figures.difference,
                        **figures.columns,
                    }
                    rows.append(row)
    adjust(rows, "dataset", "task", counts=is_main)
    return rows


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
            "(clusters: stories), for the comparisons that the experiment names.",
            (
                *columns.texts("dataset", "task", "metric", "presentation", "comparison", "first", "second"),
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
