from typing import Any

from nlfol.report.sheets import sheet
from nlfol.results.tables.table import Cell, Column, Kind, Score, Table

MODEL = Column("model", "Model", Kind.TEXT)
TASK = Column("task", "Task", Kind.TEXT)
COUNT = Column("items", "Items", Kind.COUNT)
SCORE = Column("score", "Ranking: both", Kind.SCORE)
LOST = Column("lost", "Ranking: u / f", Kind.TALLY, ("unparsable", "failed"))


def laid_out(columns: tuple[Column, ...], *rows: tuple[Cell, ...], opens: str | None = None) -> dict[str, Any]:
    made = Table("t", "T", "C.", columns, rows, notes=("u / f: why.", "Another note."))
    opened = [
        [(None if c.kind is Kind.TEXT or opens is None else f"{opens}{row}",) * (len(c.parts) or 1) for c in columns]
        for row in range(len(rows))
    ]
    return sheet(made, opened)


def headers(found: dict[str, Any]) -> list[list[tuple[str, int, int]]]:
    return [[(head["text"], head["span"], head["rows"]) for head in heads] for heads in found["heads"]]


def texts(found: dict[str, Any]) -> list[list[str]]:
    return [[cell["text"] + cell["interval"] for cell in row] for row in found["rows"]]


def test_sheet_moves_constant_columns_above_table() -> None:
    found = laid_out((TASK, MODEL, COUNT), ("ranking", "one", 3), ("ranking", "two", 4))
    assert texts(found) == [["one", "3"], ["two", "4"]]
    assert found["common"] == ["In every row: Task ranking."]
    assert headers(found) == [[("Model", 1, 1), ("Items", 1, 1)]]
    assert [head["place"] for head in found["heads"][0]] == [0, 1]


def test_sheet_splits_tally_into_nonzero_columns() -> None:
    score = Score(0.5, None, 0.25, 0.75, best=True)
    found = laid_out((MODEL, SCORE, LOST), ("one", score, (2, 0)), ("two", Score(0.0), None))
    assert headers(found) == [[("Model", 1, 2), ("Ranking", 2, 1)], [("both", 1, 1), ("unparsable", 1, 1)]]
    assert texts(found) == [["one", "0.500 [0.250, 0.750]", "2"], ["two", "0.000", "–"]]
    assert found["common"] == ["0 in every row: Ranking: failed."]
    assert found["rows"][0][1]["style"] == "right best"
    assert found["notes"] == ["Another note."], "the abbreviations are written out"


def test_sheet_keeps_constant_score_column() -> None:
    found = laid_out((MODEL, SCORE), ("one", Score(0.0)), ("two", Score(0.0)))
    assert texts(found) == [["one", "0.000"], ["two", "0.000"]]
    assert found["common"] == []


def test_sheet_keeps_count_column_providing_only_link() -> None:
    alone = laid_out((MODEL, COUNT), ("one", 3), ("two", 3), opens="#items?row=")
    assert texts(alone) == [["one", "3"], ["two", "3"]]
    beside = laid_out((MODEL, COUNT, SCORE), ("one", 3, Score(0.5)), ("two", 3, Score(0.25)), opens="#items?row=")
    assert texts(beside) == [["one", "0.500"], ["two", "0.250"]]
    assert beside["common"] == ["In every row: Items 3."]


def test_sheet_keeps_values_in_single_row_table() -> None:
    found = laid_out((TASK, MODEL, COUNT), ("ranking", None, 3))
    assert texts(found) == [["ranking", "3"]]
    assert found["common"] == ["Hidden, because empty: Model."]


def test_sheet_keeps_table_with_equal_rows() -> None:
    found = laid_out((TASK, COUNT), ("ranking", 3), ("ranking", 3))
    assert texts(found) == [["ranking", "3"], ["ranking", "3"]]
    assert found["common"] == []


def test_sheet_flags_missing_intervals_and_spells_out_identifiers() -> None:
    with_interval = ("ranking", "my_model", Score(0.25, None, 0.1, 0.4))
    found = laid_out((TASK, MODEL, SCORE), ("most_similar", "my_model", Score(0.5)), with_interval)
    assert found["lacks"]
    assert texts(found) == [["most similar", "0.500"], ["ranking", "0.250 [0.100, 0.400]"]]
    assert found["common"] == ["In every row: Model my_model."]
    assert not laid_out((TASK, MODEL, SCORE), with_interval)["lacks"]
