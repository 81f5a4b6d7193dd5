import pytest

from nlfol.results.tables.table import (
    Cell,
    Column,
    Kind,
    P,
    Quantity,
    Sample,
    Score,
    Table,
    TableError,
    Written,
    plain,
    shown,
)

NAME = Column("model", "Model", Kind.TEXT)
SCORE = Column("both", "Both", Kind.SCORE)
LOST = Column("lost", "u / f", Kind.TALLY, ("unparsable", "failed"))


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, "–"),
        (Score(0.8534, 0.0119), "0.853 ± 0.012"),
        (Score(1.0, 0.0), "1.000 ± 0.000"),
        (Score(1 / 9), "0.111"),
        (Score(1 / 16), "0.063"),
        (Score(-1 / 16, None, -3 / 16, 1 / 16), "-0.063 [-0.188, 0.063]"),
        (Score(-1e-17), "0.000"),
        (0.5, "0.500"),
        (0.0, "0.000"),
        (0.0004, "<0.001"),
        (0.9996, "1.000"),
        # A p-value is never rounded to the other side of 0.05.
        (P(0.0497), "0.0497"),
        (P(0.04996), "0.04996"),
        (P(0.0503), "0.050"),
        (P(0.05), "0.050"),
        (P(0.0123), "0.012"),
        (P(1e-9), "<0.001"),
        (P(1.0), "1.000"),
        # Counts that may be expected ones, and settings.
        (Quantity(4.0), "4"),
        (Quantity(1200.0), "1,200"),
        (Quantity(2.25), "2.25"),
        (Quantity(0.0), "0"),
        (1234.5, "1,234.500"),
        (Sample(171, 171), "171"),
        (Sample(8, 171), "8 of 171"),
        (Sample(8, 1565), "8 of 1,565"),
        (Sample(0, 0), "0"),
        (1671, "1,671"),
        (Written("mine"), "mine (written, not asked)"),
        ((3, 0), "3 / 0"),
        ((None, 2), "– / 2"),
        ((None, None), "–"),
        ("as it is", "as it is"),
    ],
)
def test_shown_formats_cell_for_readers(cell: Cell, text: str) -> None:
    assert shown(cell) == text


@pytest.mark.parametrize("sixteenths", range(-16, 17))
def test_shown_rounds_shares_half_away_from_zero(sixteenths: int) -> None:
    """A script's ``toFixed`` takes what lies in the middle away from 0."""
    share = sixteenths / 16
    rounded = int(abs(share) * 1000 + 0.5) / 1000
    assert float(shown(Score(share))) == (rounded if share > 0 else -rounded)


def test_plain_splits_cell_into_machine_fields() -> None:
    assert SCORE.fields == ("both_mean", "both_deviation", "both_low", "both_high")
    assert plain(SCORE, Score(1 / 3, None, 0.25, 0.5)) == (1 / 3, None, 0.25, 0.5)
    assert plain(SCORE, None) == (None,) * 4
    items = Column("items", "Items", Kind.SAMPLE)
    assert (items.fields, plain(items, Sample(8, 171))) == (("items", "items_available"), (8, 171))
    assert (LOST.fields, plain(LOST, (1, None))) == (("lost_unparsable", "lost_failed"), (1, None))
    assert (NAME.fields, plain(NAME, "m")) == (("model",), ("m",))


def test_column_alignment_is_left_for_text_only() -> None:
    left = {kind for kind in Kind if Column("c", "C", kind).alignment == "left"}
    assert left == {Kind.TEXT, Kind.PROSE}


@pytest.mark.parametrize(
    ("columns", "row", "message"),
    [
        ((NAME, SCORE), ("m",), "row 0: 1 cells for 2 columns"),
        ((NAME,), (3,), r"row 0: 3 in model is not a text"),
        ((SCORE,), (3,), "3 in both is not a score"),
        ((Column("n", "N", Kind.COUNT),), (True,), "True in n is not a count"),
        ((LOST,), ((1, 2, 3),), r"\(1, 2, 3\) in lost is not a tally"),
        ((NAME, NAME), ("a", "b"), "columns with the same name: model"),
        ((SCORE, Column("both_mean", "", Kind.COUNT)), (None, None), "columns with the same name: both_mean"),
    ],
)
def test_table_rejects_rows_that_mismatch_columns(
    columns: tuple[Column, ...], row: tuple[Cell, ...], message: str
) -> None:
    with pytest.raises(TableError, match=f"table 't': .*{message}"):
        Table("t", "T", "C.", columns, (row,))
