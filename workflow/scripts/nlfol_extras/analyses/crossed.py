"""Scores by informalizer and formalizer: who formalizes whose English in a round trip."""

from collections.abc import Iterator, Sequence
from typing import TypedDict

import polars as pl

from nlfol.results.analyses.analysis import Analysis, Given, Rows
from nlfol.results.statistics.summary import OF_SERIES, clustered, series_in, stream
from nlfol.results.tables import columns
from nlfol.results.tables.opening import nothing
from nlfol.results.tables.table import Row, TableForm
from nlfol.store.columns import row_schema


class CrossedRow(TypedDict):
    """One row a dataset, task that takes a model's English, and model that formalizes it."""

    # The model whose English it is, and the one that formalizes it, with its kind.
    dataset: str
    task: str
    informalizer: str
    formalizer: str
    kind: str
    metric: str
    # Items that are asked in all rows of the dataset, of those that have English by this informalizer.
    items: int
    available: int
    stories: int
    seeds: int
    mean: float | None  # null where no item is in all rows
    low: float | None
    high: float | None


CROSSED = row_schema("crossed", 1, CrossedRow)


def crossed(given: Given) -> Iterator[CrossedRow]:
    """Yield the rows of ``CROSSED``, in the order of the files."""
    crossing = [
        (informalizer, one)
        for path, informalizer in zip(given.files["crossed_scores"], given.setting("informalizers"), strict=True)
        for one in series_in(*stream(path, columns=OF_SERIES))
    ]
    common: dict[str, pl.DataFrame] = {}
    for _, one in crossing:
        dataset = one.source.dataset
        common[dataset] = one.items.select("item").join(common.get(dataset, one.items), on="item", how="semi")
    for informalizer, one in crossing:
        items = one.items.join(common[one.source.dataset], on="item", how="semi", maintain_order="left")
        figures = clustered(items) if items.height else None
        yield {
            "dataset": one.source.dataset,
            "task": one.source.task,
            "kind": one.source.kind,
            "available": one.source.available,
            "metric": one.metric,
            "seeds": one.seeds,
            "informalizer": informalizer,
            "formalizer": one.source.model,
            "items": items.height,
            "stories": items["story"].n_unique(),
            "mean": None if figures is None else figures.mean,
            "low": None if figures is None else figures.low,
            "high": None if figures is None else figures.high,
        }


def _empty(shown: Sequence[Row], *_: object) -> Iterator[str]:
    count = sum(not row["items"] for row in shown)
    if count:
        yield f"{count:,} rows of no items: no item of the dataset was put into English by every model of the table."


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
                "Items: that every model of the table put into English, so that all rows of a dataset are of the same.",
                "English: under the first presentation and seed. Of n: that the first model put into English at all.",
                "The formalizer is asked as in logical translation. Interval at 95 % over stories.",
                _empty,
            ),
            ("crossed",),
            opens=nothing,
            nothing="No task formalizes the English of another model's round trips.",
        ),
    ),
)
