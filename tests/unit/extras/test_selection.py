"""Cells that a row and a column mean, and their places."""

from pathlib import Path
from typing import Any

import pytest

from nlfol_extras.explaining.selection import SelectionError, cell_of, select

TABLES = {
    "logical_translation": """\
dataset,model,task,items,items_available,seeds,equivalence_mean,equivalence_deviation,equivalent
mine,a,logical_translation,4,8,2,0.5,0.1,4
mine,b,logical_translation,8,8,2,0.25,0.0,4
""",
    "embedding": """\
dataset,protocol,model,presentation,most_similar_task,most_similar_accuracy_mean,most_similar_failed,ranking_task,\
ranking_items_available,ranking_both_mean,tied_ranking_negation
mine,audited,e,formula,most_similar,0.5,0,,,,
mine,audited,e,english,most_similar,0.5,0,hard,7,0.25,3
""",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in TABLES.items():
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    return tmp_path


def test_cell_selection_accepts_row_value_or_number(folder: Path) -> None:
    table = folder / "logical_translation.csv"
    by_value, by_number = select(table, ["model=b"], "equivalence"), select(table, ["2"], "equivalence_mean")
    assert by_value == by_number
    assert (by_value.number, by_value.column, by_value.value) == (2, "equivalence_mean", "0.25")
    assert select(folder / "logical_translation.md", ["1"], "items").value == "4", "any form of a table names it"


@pytest.mark.parametrize(
    ("rows", "column", "message"),
    [
        (["dataset=mine"], "items", "rows 1, 2 have dataset=mine; name one row by name=value"),
        (["model=c"], "items", "no row has model=c"),
        ([], "items", "rows 1, 2 have nothing given"),
        (["3"], "items", "no row 3; the rows are 1 to 2"),
        (["0"], "items", "no row 0"),
        (["modell=a"], "items", "row 'modell=a': write name=value with one of dataset, model"),
        (["1"], "accuracy", "no column 'accuracy'; choose from dataset, model"),
    ],
)
def test_cell_selection_rejects_ambiguous_rows(folder: Path, rows: list[str], column: str, message: str) -> None:
    with pytest.raises(SelectionError, match=message):
        select(folder / "logical_translation.csv", rows, column)


def test_cell_selection_rejects_missing_table(folder: Path) -> None:
    with pytest.raises(SelectionError, match=r"dialog\.csv: no such table"):
        select(folder / "dialog.csv", ["1"], "items")


def cell(kind: str, task: str, metric: str, model: str, presentation: str = "", *, items: int = 4) -> dict[str, Any]:
    named = {"dataset": "mine", "task": task, "task_kind": kind, "metric": metric, "model": model}
    figures = dict.fromkeys(("available", "mean", "deviation", "failed", "equivalent", "tied"), 0)
    return {**named, "presentation": presentation, "items": items, **figures}


CELLS = [
    cell("logical_translation", "logical_translation", "equivalence", "b"),
    cell("logical_translation", "logical_translation", "bleu", "b"),
    cell("most_similar", "most_similar", "accuracy", "e", "formula"),
    *(
        cell("ranking", "hard", metric, "e", presentation)
        for presentation in ("formula", "english")
        for metric in ("both", "equivalence", "negation")
    ),
    cell("most_similar", "most_similar", "accuracy", "e", "english"),
]


@pytest.mark.parametrize(
    ("table", "column", "metric", "field"),
    [
        ("logical_translation", "equivalence_deviation", "equivalence", "deviation"),
        ("logical_translation", "equivalent", "equivalence", "equivalent"),
        ("logical_translation", "items_available", "equivalence", "available"),
        ("embedding", "most_similar_accuracy_mean", "accuracy", "mean"),
        ("embedding", "most_similar_failed", "accuracy", "failed"),
        ("embedding", "ranking_both_mean", "both", "mean"),
        ("embedding", "ranking_items_available", "both", "available"),
        ("embedding", "tied_ranking_negation", "negation", "tied"),
    ],
)
def test_cell_lookup_finds_metric_and_field_by_column(
    folder: Path, table: str, column: str, metric: str, field: str
) -> None:
    cell, found = cell_of(select(folder / f"{table}.csv", ["2"], column), CELLS)
    assert (cell["metric"], found) == (metric, field)
    assert (cell["model"], cell["presentation"]) == (("b", "") if table == "logical_translation" else ("e", "english"))


def test_cell_lookup_refuses_columns_without_figure(folder: Path) -> None:
    with pytest.raises(SelectionError, match="column 'model' identifies the row"):
        cell_of(select(folder / "logical_translation.csv", ["1"], "model"), CELLS)
    with pytest.raises(SelectionError, match="row 1 has no ranking_both_mean: nothing was asked of its kind"):
        cell_of(select(folder / "embedding.csv", ["1"], "ranking_both"), CELLS)


def test_cell_lookup_finds_row_with_zero_items(folder: Path) -> None:
    unasked = cell("ranking", "hard", "", "e", items=0)
    selection = select(folder / "embedding.csv", ["presentation=english"], "ranking_items_available")
    assert cell_of(selection, [*CELLS[:3], unasked]) == (unasked, "available")
