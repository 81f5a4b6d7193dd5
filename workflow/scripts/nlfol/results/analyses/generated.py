"""Generated items and other formulas: diversity, and sizes of generated items."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from statistics import fmean, median
from typing import TypedDict

import polars as pl

from nlfol.mappings import JsonDict
from nlfol.results.analyses.analysis import Analysis, Given, Rows
from nlfol.results.analyses.figure import DRAWN_OVER, Figure
from nlfol.results.statistics.binning import MOST_BINS, bins
from nlfol.results.statistics.clusters import ratio
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number, nothing
from nlfol.results.tables.table import Row, TableForm
from nlfol.store import files
from nlfol.store.columns import Interval, row_schema, with_ends
from nlfol.store.schemas import CATEGORY, MEASURE_NAMES, MEASURES, MeasureRow, TripleRow


class DiversityRow(TypedDict):
    """One row a dataset, over its usable items."""

    dataset: str
    items: int  # usable ones
    refused: int
    formulas: int  # distinct ones
    # Of generated items: distinct derivation trees without vocabulary, their share of the items, and the items
    # whose tree another item has with another formula.
    trees: int | None
    trees_share: float | None
    sharing: int | None
    constant: int  # items true everywhere or nowhere
    constant_unknown: int  # undecided ones
    edits: int  # single edits tried, of all items
    undecided: int
    sensitivity: Interval  # detected of edits
    operators: float | None  # mean


DIVERSITY = row_schema("diversity", 1, DiversityRow)


class CountRow(TypedDict):
    """One row a generated dataset, measure (of MEASURES, category included) and value that a usable item has."""

    dataset: str
    measure: str
    value: float
    items: int


COUNTS = row_schema("counts", 1, CountRow)


def diversity(dataset: str, triples: Path, measures: Path) -> DiversityRow:
    """Return the row of ``DIVERSITY`` for a dataset; raises ``StoreError`` if the two files are of different items.

    A tree is a generated item's derivation tree without its vocabulary (∀uto∃∨∧L, arXiv 2410.08437, appendix M).
    """
    rows = files.rows(triples, TripleRow)
    usable = [row for row in rows if row["status"] == "usable"]
    measured = files.rows(measures, MeasureRow)
    if [row["item"] for row in usable] != [row["item"] for row in measured]:
        raise files.StoreError(f"{measures}: of other items than {triples}; delete it and run again")
    operators = [row["operators"] for row in measured if row["operators"] is not None]
    trees, sharing = _trees(usable)
    edits = [row["edits"] for row in measured]
    detected, stories = [row["detected"] for row in measured], [row["story"] for row in measured]
    row: DiversityRow = {
        "dataset": dataset,
        "items": len(usable),
        "refused": len(rows) - len(usable),
        "formulas": len({row["formula"] for row in usable}),
        "trees": trees,
        "trees_share": None if trees is None else trees / len(usable),
        "sharing": sharing,
        "constant": sum(row["constant"] is True for row in measured),
        "constant_unknown": sum(row["constant"] is None for row in measured),
        "edits": sum(edits),
        "undecided": sum(row["undecided"] for row in measured),
        "sensitivity": ratio(detected, edits, stories).ends if sum(edits) else None,
        "operators": fmean(operators) if operators and len(operators) == len(measured) else None,
    }
    return with_ends(DiversityRow, row)


def _trees(usable: Sequence[TripleRow]) -> tuple[int | None, int | None]:
    """Return the number of derivation trees, and of items that share one; null of items without."""
    formulas: dict[str, set[str | None]] = {}
    for row in usable:
        if row["tree"] is not None:
            formulas.setdefault(row["tree"], set()).add(row["formula"])
    if not formulas:
        return None, None
    return len(formulas), sum(row["tree"] is not None and len(formulas[row["tree"]]) > 1 for row in usable)


def counts(dataset: str, measures: Path) -> list[CountRow]:
    """Return the rows of ``COUNTS`` for a generated dataset (∀uto∃∨∧L, figures 9 and 10), without measures of 0."""
    tallies: dict[str, Counter[float]] = {name: Counter() for name in (CATEGORY, *MEASURE_NAMES)}
    for rows in files.chunks(measures, MEASURES):
        for name, tally in tallies.items():
            tally.update(row[name] for row in rows if row[name] is not None)
    if not tallies[CATEGORY]:
        return []
    return [
        {"dataset": dataset, "measure": name, "value": value, "items": tally[value]}
        for name, tally in tallies.items()
        if any(tally)
        for value in sorted(tally)
    ]


def _diversities(given: Given) -> list[DiversityRow]:
    measures = given.by_dataset("measures")
    return [diversity(dataset, path, measures[dataset]) for dataset, path in given.by_dataset("triples").items()]


COUNTED = ("items", "formulas", "trees", "trees_share", "sharing")
"""Columns of DIVERSITY that may be published of a dataset."""


def _with_published(rows: pl.DataFrame, names: pl.DataFrame, figures: pl.DataFrame) -> Iterator[Row]:
    """Yield the row of each dataset, and then what is published of it."""
    published = dict(names.rows())
    for row in rows.to_dicts():
        yield {**row, "source": "here"}
        name = published.get(row["dataset"], row["dataset"])
        known = figures.filter(pl.col("task").is_null(), pl.col("dataset") == name, pl.col("metric").is_in(COUNTED))
        if not known.is_empty():
            means = {
                name: mean if name == "trees_share" else int(mean)
                for name, mean in known.select("metric", "mean").rows()
            }
            yield {**dict.fromkeys(DIVERSITY.names), "dataset": row["dataset"], "source": "published", **means}


def _of_dataset(number: Number) -> Filter | None:
    """Choose all items of a dataset of ours; the explorer cannot tell a unique formula from another."""
    ours = number.row["source"] == "here"
    return number.named("dataset") if ours and number.column in ("items", "sensitivity", "operators") else None


DIVERSITY_TABLE = TableForm(
    "diversity",
    "Diversity of the datasets",
    "How often formulas and trees repeat, and how many single edits of a formula change its meaning.",
    (
        *columns.texts("dataset", "source"),
        *columns.counts("items", "refused"),
        columns.count("formulas", "Unique formulas"),
        columns.count("trees", "Unique trees"),
        columns.share("trees_share", "Share"),
        columns.count("sharing", "Sharing a tree"),
        columns.count("constant"),
        columns.count("constant_unknown", "Unknown"),
        *columns.counts("edits", "undecided"),
        columns.interval("sensitivity"),
        columns.share("operators"),
    ),
    (
        "Unique trees: derivation trees of generated items without their vocabulary; Share: of the items.",
        "Sharing a tree: items whose tree another item has with another formula.",
        "Constant: true everywhere or nowhere, or matching all words or none; Unknown: undecided.",
        "Sensitivity: of the edits tried, the share proven to change the meaning; interval at 95 % over stories.",
        "A mistake that changes no meaning is not found.",
    ),
    ("diversity", "names", "figures"),
    _with_published,
    opens=_of_dataset,
)


def _spread(rows: pl.DataFrame) -> Iterator[Row]:
    for (dataset, measure), group in rows.group_by("dataset", "measure", maintain_order=True):
        values: list[float] = group["value"].repeat_by(group["items"]).explode().to_list()
        of_values = {"least": min(values), "median": median(values), "mean": fmean(values), "greatest": max(values)}
        yield {"dataset": dataset, "measure": measure, "items": len(values), **of_values}


COUNTS_TABLE = TableForm(
    "counts",
    "Size of generated items",
    "How the values of each measure spread over the generated items of a dataset.",
    (
        *columns.texts("dataset", "measure"),
        columns.count("items"),
        *map(columns.share, ("least", "median", "mean", "greatest")),
    ),
    (
        "Category: the measure that generation was stratified by. Items: those that have the measure.",
        "A measure that is 0 of every item of a dataset is left out.",
        "How many items have each value is in counts.arrow, and of the measures that curves are over in the report.",
    ),
    ("counts",),
    _spread,
    opens=nothing,  # the explorer cannot choose items by most measures
)


def counts_figure(rows: pl.DataFrame) -> Figure | None:
    """Draw the number of generated items by value of a measure that the reader chooses (figures 9 and 10).

    A dataset whose items all have one value, or share a range of values, has no panel.
    """
    import altair as alt

    from nlfol.results.analyses.charts import INK, chart, choice, figure, once, panels, tips

    of_curves = rows.filter(pl.col("measure").is_in(DRAWN_OVER)).to_dicts()
    groups = groupby(of_curves, key=lambda row: (row["dataset"], row["measure"]))
    bars = [_bars(dataset, measure, list(group)) for (dataset, measure), group in groups]
    drawn = [bar for group in bars if len(group) > 1 for bar in group]
    chosen = choice(drawn, "measure")
    axis = alt.Axis(labelAngle=0, labelOverlap=True)
    whole_items = alt.Axis(labelExpr="datum.value % 1 ? '' : format(datum.value, ',d')")
    base = chart(height=150).encode(
        x=alt.X("bin:O", title=" ", sort=alt.EncodingSortField("start", op="min"), axis=axis),
        y=alt.Y("items:Q", title="Items", axis=whole_items),
        tooltip=tips("panel", "measure", "bin", items="items"),
    )
    layers = alt.layer(base.mark_bar(color=INK), once("measure", 0, "height", dy=28, align="left")).add_params(chosen)
    layers = layers.transform_filter(alt.datum.measure == chosen)
    return figure(
        drawn,
        "counts",
        "Size of generated items",
        "How many generated items have each value, or range of values, of a measure. Choose the measure below. "
        "Category: the measure that generation was stratified by.",
        panels(layers, drawn, rank=False).resolve_scale(x="independent", y="independent"),
    )


def _bars(dataset: str, measure: str, rows: Sequence[Row]) -> list[JsonDict]:
    made = bins([row["value"] for row in rows], None if measure == CATEGORY else MOST_BINS)
    starts, items = [span.start for span in made], [0] * len(made)
    for row in rows:
        items[bisect_right(starts, row["value"]) - 1] += row["items"]
    tip = {"panel": dataset, "measure": measure, "opens": None}
    return [tip | {"bin": span.bin, "start": span.start, "items": n} for span, n in zip(made, items, strict=True)]


ANALYSIS = Analysis(
    rows=(Rows(DIVERSITY, _diversities), Rows(COUNTS, lambda given: given.of_datasets("measures", counts))),
    tables=(DIVERSITY_TABLE, COUNTS_TABLE),
    figures=((("counts",), counts_figure),),
)
