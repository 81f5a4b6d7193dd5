"""Published figures in tables of ours: they stand there if they were asked alike, and are counted otherwise."""

from typing import Any

import polars as pl
import pytest
from tests.stored import frame, records
from tests.unit.results.worked_out import beside_figures

from nlfol.results.analyses import ceiling, rating, rewrites, round_trip, strategies
from nlfol.results.analyses.analysis import WAYS, schema_of
from nlfol.results.tables.table import TableForm
from nlfol.store.schemas import CELLS

WAY: dict[str, Any] = {"task": "t", "prompt": "published", "reasoning": 0}
KEY = {"prompt": "published", "reasoning": "no", "runs": 1}
SCORE = {"mean": 0.5, "items": 5, "available": 5, "seeds": 1, "model": "m", "kind": "chat"}
VARIED = {"dataset": "varied", "reader": "prontoqa", "original": "pronto", "intensity": 1.0, "procedure": "paper"}


def cell(kind: str, metric: str, **more: Any) -> dict[str, Any]:
    return {"dataset": "ours", "task": "t", "task_kind": kind, "metric": metric, **SCORE, **more}


TABLES: dict[TableForm, tuple[dict[str, Any], dict[str, list[dict[str, Any]]]]] = {
    round_trip.ROUNDS: (
        {"task": "round_trip", "metric": "truth_operators_6", "presentation": "zero_shot"},
        {"cells": [cell("round_trip", "truth", presentation="zero_shot")]},
    ),
    rating.TABLE: (
        {"task": "diversification", "metric": "rating", "dataset": "prontoqa"},
        {
            "ratings": [{"dataset": "varied", "task": "t", "model": "m", "reader": "prontoqa"}],
            "cells": [cell("rating", "rating", dataset="varied")],
        },
    ),
    ceiling.TABLE: (
        {"task": "logical_translation", "metric": "equivalence"},
        {"cells": [cell("logical_translation", metric) for metric in ("equivalence", "accepted")]},
    ),
    ceiling.BOTH_WRONG_TABLE: (
        {"task": "logical_translation", "metric": "neither", "second": "n"},
        {
            "both_wrong": [{"dataset": "ours", "task": "t", "model": "m", "second": "n"}],
            "cells": [cell("logical_translation", "accepted", model=model) for model in "mn"],
        },
    ),
}
"""A published figure, and what is measured, by table."""


@pytest.mark.parametrize("model", ["m", "elsewhere"])
@pytest.mark.parametrize("form", TABLES, ids=lambda form: form.name)
def test_published_figure_stands_below_ours_only_if_asked_alike(form: TableForm, model: str) -> None:
    figure, measured = TABLES[form]
    figures = pl.DataFrame([{"dataset": "theirs", "model": model, "paper": "p", "mean": 0.25, **figure, **KEY}])
    frames = {name: frame(CELLS if name == "cells" else schema_of(name), *rows) for name, rows in measured.items()}
    names = pl.DataFrame({"dataset": ["ours"], "published": ["theirs"]})

    def drawn(way: dict[str, Any]) -> tuple[int, list[str]]:
        ways = pl.DataFrame([{**WAY, **way}], WAYS)
        table = beside_figures(form, figures, names=names, ways=ways, **frames)
        return len(table.rows), [note for note in table.notes if note.startswith("Published figures left out")]

    alike, notes = drawn({})
    assert notes == []
    count, (note,) = drawn({"prompt": "own", "reasoning": 9})
    assert count == alike - 1
    assert "1 “asked with nlfol's own prompt; asked with reasoning”" in note


def test_pair_of_models_stands_only_if_both_were_asked_alike() -> None:
    figure, measured = TABLES[ceiling.BOTH_WRONG_TABLE]
    figures = pl.DataFrame([{"dataset": "ours", "model": "m", "paper": "p", "mean": 0.25, **figure, **KEY}])
    cells = frame(CELLS, *(row | {"seeds": 2 if row["model"] == "n" else 1} for row in measured["cells"]))
    rows = frame(ceiling.BOTH_WRONG, *measured["both_wrong"])
    ways = pl.DataFrame([WAY], WAYS)
    table = beside_figures(ceiling.BOTH_WRONG_TABLE, figures, both_wrong=rows, cells=cells, ways=ways)
    assert len(table.rows) == 1
    assert any("1 “runs: 2, not 1”" in note for note in table.notes)


def test_published_scores_stand_below_entry_asked_alike() -> None:
    figure, measured = TABLES[round_trip.ROUNDS]
    figures = pl.DataFrame([{"dataset": "ours", "model": "m", "paper": "p", "mean": 0.25, **figure, **KEY}])
    cells = frame(CELLS, *(row | {"task": task} for task in ("reasoned", "t") for row in measured["cells"]))
    ways = pl.DataFrame([WAY, WAY | {"task": "reasoned", "reasoning": 9}], WAYS)
    table = beside_figures(round_trip.ROUNDS, figures, cells=cells, ways=ways)
    assert [(row["task"], row["source"]) for row in records(table)] == [
        ("reasoned", "here"),
        ("t", "here"),
        ("t", "published"),
    ]


@pytest.mark.parametrize(("procedure", "cosines"), [("paper", 1), ("audited", 0)])
def test_published_cosine_stands_below_texts_of_same_procedure(procedure: str, cosines: int) -> None:
    row = {"dataset": "prontoqa", "model": "m", "task": "diversification", "metric": "similarity", "mean": 0.25}
    similarity = frame(rewrites.SIMILARITY, {**VARIED, "procedure": procedure, "model": "m", "unit": "problem"})
    figures = pl.DataFrame([row | {"protocol": "paper"}])
    table = beside_figures(rewrites.SIMILARITY_TABLE, figures, similarity=similarity)
    assert len(table.rows) == 1 + cosines
    assert any("1 “certified sets or wordings”" in note for note in table.notes) == (not cosines)


@pytest.mark.parametrize(
    ("way", "more", "gain"),
    [
        ({}, {}, 0.125),
        ({"prompt": "own"}, {}, None),
        # The other strategy, with examples in other words than the paper's.
        ({"task": "plain", "examples": "varied"}, {}, None),
        ({}, {"procedure": "audited"}, None),
    ],
)
def test_published_gain_stands_only_if_both_strategies_were_asked_alike(
    way: dict[str, Any], more: dict[str, Any], gain: float | None
) -> None:
    figure = {"dataset": "prontoqa", "model": "m", "metric": "accuracy_percent", "presentation": "diversified"}
    means = {"direct": 50.0, "concept_table": 62.5}
    figures = [figure | {"task": name, "mean": mean, "protocol": "paper", **KEY} for name, mean in means.items()]
    figures[0]["examples"] = "plain"
    tasks = {"task": "t", "base_task": "plain", "strategy": "concept_table", "base_strategy": "direct"}
    rows = frame(strategies.STRATEGIES, {**VARIED, **tasks, "model": "m", "comparison": "strategies", **more})
    cells = frame(CELLS, *(cell("program", "right", task=task) for task in ("t", "plain")))
    ways = pl.DataFrame([WAY, WAY | {"task": "plain", "examples": "plain"}, WAY | way], WAYS)
    table = beside_figures(strategies.TABLE, pl.DataFrame(figures), strategies=rows, cells=cells, ways=ways)
    assert [row["published"] for row in records(table)] == [gain]
    assert any("left out" in note for note in table.notes) == (gain is None)
