"""Tables of translations beyond right and wrong: other metrics, and what is wrong."""

from __future__ import annotations

from typing import Any

import polars as pl

from nlfol.tables.table import Cell, Column, Kind, Sample, Score, Table

_METRICS = {"bleu": "BLEU", "le": "LE"}
TITLES = {
    "answers": "all answers",
    "invalid": "invalid formulas",
    "relation": "formulas not equivalent to the gold one: how they stand to it",
    "fault": "formulas not equivalent to the gold one: the one change that would mend them",
}


def other_metrics(cells: pl.DataFrame, correlations: pl.DataFrame) -> Table:
    """BLEU and LE of translations, and how far they go with equivalence."""
    scores = {(row["dataset"], row["task"], row["model"], row["metric"]): row for row in cells.to_dicts()}
    correlated = {(row["dataset"], row["task"], row["model"], row["metric"]): row for row in correlations.to_dicts()}
    columns = [Column(name, name.capitalize(), Kind.TEXT) for name in ("dataset", "task", "model")]
    columns.append(Column("items", "Items", Kind.SAMPLE))
    for name, title in _METRICS.items():
        columns.append(Column(name, title, Kind.SCORE))
    for name, title in _METRICS.items():
        columns.append(Column(f"correlation_{name}", f"Correlation of {title}", Kind.SCORE))
    columns.append(Column("read", "Read", Kind.COUNT))
    rows: list[tuple[Cell, ...]] = []
    for key in dict.fromkeys(found[:3] for found in correlated):
        of_metric = [scores.get((*key, name)) for name in _METRICS]
        paired = [correlated[(*key, name)] for name in _METRICS]
        found = next((cell for cell in of_metric if cell), None)
        asked = Sample(found["items"], found["available"]) if found else None
        rows.append((*key, asked, *map(_score, of_metric), *map(_correlation, paired), paired[0]["read"]))
    return Table(
        "other_metrics",
        "Logical translation by BLEU and LE",
        "Two scores in use that measure something else, and their point-biserial correlation with equivalence.",
        tuple(columns),
        tuple(rows),
        (
            "Scores: mean ± sample standard deviation over seeds and interval at 95 %; what cannot be read scores 0.",
            "Correlation: mean ± sample standard deviation over seeds, of what could be read; – where nothing varies.",
            "BLEU: tokens of the canonical notation, unsmoothed. LE: as MALLS defines it; 1 does not mean equivalent.",
        ),
    )


def faults(rows: pl.DataFrame) -> Table:
    """What translations got wrong."""
    names = ("dataset", "task", "model")
    return Table(
        "faults",
        "What went wrong in translations",
        "Answers (items × seeds) by outcome, by relation to the gold formula, and by the one change that mends them.",
        (
            *(Column(name, name.capitalize(), Kind.TEXT) for name in names),
            Column("group", "Of", Kind.TEXT),
            Column("case", "Case", Kind.TEXT),
            Column("count", "Answers", Kind.COUNT),
            Column("share", "Share", Kind.SHARE),
        ),
        tuple(
            (
                *(row[name] for name in names),
                TITLES[row["group"]],
                row["case"].replace("_", " "),
                row["count"],
                row["share"],
            )
            for row in rows.to_dicts()
        ),
        ("Share: of the answers that the group is of.",),
    )


def _score(cell: dict[str, Any] | None) -> Score | None:
    if cell is None or cell["mean"] is None:
        return None
    return Score(cell["mean"], cell["deviation"], cell["low"], cell["high"])


def _correlation(row: dict[str, Any]) -> Score | None:
    return None if row["correlation"] is None else Score(row["correlation"], row["deviation"])
