"""Scores without the items whose gold formula is in doubt (``gold_audit``), beside the scores of all items.

Suspects are items that no dialogue model translates as the gold formula has it. So the scores of translations can only
rise without them, whether or not the gold formulas are wrong; other tasks do not choose them.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from nlfol.analyses.analysis import Analysis, Rows
from nlfol.statistics.summary import load, summarise
from nlfol.store.columns import TASK, counts, numbers, schema, texts
from nlfol.tables import columns
from nlfol.tables.opening import but
from nlfol.tables.table import Kind, Row, Score, TableForm

_KEPT = ("dataset", "task", "task_kind", "protocol", "metric", "presentation", "model", "kind", "items", "available")
_SCORE = ("mean", "deviation", "low", "high")
_WITHOUT = tuple(f"{name}_without" for name in _SCORE)

WITHOUT_SUSPECTS = schema(
    "without_suspects",
    1,
    *TASK,
    *texts("metric", "presentation", "model", "kind"),
    *counts("items", "available", "suspects"),  # asked; suspects of those asked
    # As in CELLS, of all items asked, and without suspects, where all is null if no item is left.
    *numbers(*_SCORE, *_WITHOUT, null=True),
)
"""One row a cell of a dataset with suspect gold formulas whose model was asked one of them."""


def without_suspects(paths: Iterable[Path], suspects: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the rows of ``WITHOUT_SUSPECTS`` in the order of the scores files; ``suspects`` are rows of GOLD_AUDIT."""
    doubted: dict[str, set[str]] = {}
    for row in suspects:
        doubted.setdefault(row["dataset"], set()).add(row["item"])
    for path in paths if doubted else ():
        source, scores = load(path)
        named = doubted.get(source.dataset, set())
        asked = named & set(scores["item"])
        if not asked or source.kind == "chance":
            continue
        left = summarise(path, source, scores.filter(~pl.col("item").is_in(named)))
        cells = {(cell["metric"], cell["presentation"]): cell for cell in left}
        for cell in summarise(path, source, scores):
            # Of a model that was asked suspects alone nothing is left.
            other = cells.get((cell["metric"], cell["presentation"]), {})
            yield {
                **{name: cell[name] for name in _KEPT},
                "suspects": cell["items"] - other.get("items", 0),
                **{name: cell[name] for name in _SCORE},
                **{without: other.get(name) for name, without in zip(_SCORE, _WITHOUT, strict=True)},
            }


def _left(row: Row) -> Score | None:
    return columns.score_of({name: row[without] for name, without in zip(_SCORE, _WITHOUT, strict=True)})


TABLE = TableForm(
    "without_suspects",
    "Scores without suspect gold formulas",
    "Scores of all items, and without those whose gold formula is in doubt.",
    (
        *columns.texts("dataset", "task", "metric", "presentation", "model"),
        columns.sample(),
        columns.count("suspects", "Suspect"),
        columns.score(),
        columns.column("without", "Without suspects", Kind.SCORE, _left),
    ),
    (
        "Suspect: items of the table of gold formulas in doubt, which no model translates as the gold formula.",
        "So translations can only score higher without them, whether or not the gold formulas are wrong.",
        "Mean ± sample standard deviation over seeds, and the interval at 95 % (clusters: stories).",
    ),
    ("without_suspects",),
    opens=but("suspects", "without"),
    nothing="No gold formula is in doubt.",
)

ANALYSIS = Analysis(
    rows=(
        Rows(
            WITHOUT_SUSPECTS,
            lambda given: without_suspects(given.files["scores"], given.frame("gold_audit").to_dicts()),
        ),
    ),
    tables=(TABLE,),
)
