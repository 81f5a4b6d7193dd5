"""Scores by informalizer and formalizer: who formalizes whose English in a round trip."""

from collections.abc import Iterator
from typing import Any

from nlfol.analyses.analysis import Analysis, Given, Rows
from nlfol.statistics.clusters import clustered_mean
from nlfol.statistics.summary import load, series_of
from nlfol.store.columns import counts, mean, schema, texts
from nlfol.tables import columns
from nlfol.tables.opening import nothing
from nlfol.tables.table import TableForm

CROSSED = schema(
    "crossed",
    1,
    [
        # The model whose English it is, and the one that formalizes it, with its kind.
        *texts("dataset", "task", "informalizer", "formalizer", "kind", "metric"),
        *counts("items", "available", "stories", "seeds"),  # items asked, of those that have English
        *mean(),
    ],
)
"""One row a dataset, task that takes a model's English, and model that formalizes it."""


def crossed(given: Given) -> Iterator[dict[str, Any]]:
    """Yield the rows of ``CROSSED``, in the order of the files."""
    for path, informalizer in zip(given.files["crossed_scores"], given.settings["informalizers"], strict=True):
        for one in series_of([load(path)]):
            found = clustered_mean(one.items["score"].to_list(), one.items["story"].to_list())
            yield {
                **one.named("dataset", "task", "kind", "available", "metric", "seeds"),
                "informalizer": informalizer,
                "formalizer": one.source.model,
                **{name: getattr(found, name) for name in ("items", "stories", "mean", "low", "high")},
            }


ANALYSIS = Analysis(
    rows=(Rows(CROSSED, crossed),),
    tables=(
        TableForm(
            "crossed",
            "Informalizer and formalizer",
            "Share of formulas that keep their meaning when one model puts them into English and another formalizes "
            "that.",
            (
                *columns.texts("dataset", "task", "informalizer", "formalizer"),
                columns.sample(),
                columns.asked("seeds"),
                columns.score("score", "Equivalent"),
            ),
            (
                "Items: of those that the first model put into English at all, under its first presentation and seed.",
                "The formalizer is asked as in logical translation. Interval at 95 % over stories.",
            ),
            ("crossed",),
            opens=nothing,
        ),
    ),
)
