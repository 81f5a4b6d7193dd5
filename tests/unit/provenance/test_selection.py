"""Which cell a row and a column mean, and where it stands among the cells."""

from pathlib import Path

import pytest

from nlfol.provenance.selection import SelectionError, Source, select, source_of

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


def test_a_row_by_its_values_or_its_number(folder: Path) -> None:
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
def test_what_is_not_one_cell(folder: Path, rows: list[str], column: str, message: str) -> None:
    with pytest.raises(SelectionError, match=message):
        select(folder / "logical_translation.csv", rows, column)


def test_a_table_that_is_not_there(folder: Path) -> None:
    with pytest.raises(SelectionError, match=r"dialog\.csv: no such table"):
        select(folder / "dialog.csv", ["1"], "items")


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
def test_the_metric_and_field_behind_a_column(folder: Path, table: str, column: str, metric: str, field: str) -> None:
    source = source_of(select(folder / f"{table}.csv", ["2"], column))
    assert (source.key["metric"], source.field) == (metric, field)


def test_the_task_is_the_entry_that_the_row_names(folder: Path) -> None:
    source = source_of(select(folder / "embedding.csv", ["presentation=english"], "ranking_both"))
    wanted = {"dataset": "mine", "task": "hard", "model": "e", "metric": "both", "presentation": "english"}
    assert source.key == wanted


def test_columns_without_a_figure(folder: Path) -> None:
    with pytest.raises(SelectionError, match="column 'model' identifies the row"):
        source_of(select(folder / "logical_translation.csv", ["1"], "model"))
    with pytest.raises(SelectionError, match="row 1 has no task of kind ranking: nothing was asked"):
        source_of(select(folder / "embedding.csv", ["1"], "ranking_both"))


def test_a_cell_is_found_even_where_no_item_was_asked() -> None:
    source = Source({"model": "m", "metric": "both", "presentation": "english"}, "items")
    cells = [
        {"model": "m", "metric": "both", "presentation": "formula", "items": 4},
        {"model": "m", "metric": "both", "presentation": "english", "items": 4},
        {"model": "n", "metric": "", "presentation": "", "items": 0},
    ]
    assert source.find(cells) is cells[1]
    assert Source({**source.key, "model": "n"}, "items").find(cells) is cells[2]
    with pytest.raises(SelectionError, match="0 cells with model=o"):
        Source({**source.key, "model": "o"}, "items").find(cells)
