import polars as pl

from nlfol.analyses.audit import TABLE
from nlfol.store import schemas


def frame(*rows: tuple[str, str, int, str, int, int]) -> pl.DataFrame:
    empty = pl.from_arrow(schemas.AUDITS.empty_table())
    assert isinstance(empty, pl.DataFrame)
    names = ("dataset", "task", "sets", "check", "items", "pairs")
    return pl.DataFrame([dict(zip(names, row, strict=True)) | {"faults": []} for row in rows], schema=empty.schema)


def test_every_check_has_a_row_in_the_order_of_the_audits() -> None:
    rows = (
        ("toy", "most_similar", 7, "open", 0, 0),
        ("toy", "most_similar", 7, "unknown", 1, 3),
        ("toy", "ranking", 6, "open", 2, 5),
    )
    table = TABLE.table(frame(*rows))
    assert table.rows == rows
    assert [field for column in table.columns for field in column.fields] == [
        "dataset",
        "task",
        "sets",
        "check",
        "items",
        "pairs",
    ]


def test_no_audit() -> None:
    assert TABLE.table(frame()).rows == ()
