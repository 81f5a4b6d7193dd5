"""Figures that were worked out by hand, to be compared with tables."""

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.stored import frame, records
from tests.unit.results.by_definition import Stories, interval

from nlfol.results.analyses.analysis import WAYS, schema_of
from nlfol.results.tables.table import Table, TableForm
from nlfol.store.files import ASKED, FIGURES
from nlfol_extras.analyses.published import TABLE

Value = str | float | None
NOTHING = [None] * 4


def check(tables: Path, name: str, expected: Iterable[Any], within: float = 1e-12) -> None:
    """Every row of a table, every value in full."""
    with (tables / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    wanted = [list(row) for row in expected]
    assert [len(row) for row in wanted] == [len(header)] * len(rows)
    for found, values in zip(rows, wanted, strict=True):
        for column, text, value in zip(header, found, values, strict=True):
            if value is None or isinstance(value, str):
                assert text == (value or ""), (found, column)
            else:
                assert float(text) == pytest.approx(value, abs=within), (found, column)


def score(stories: Stories, deviation: float | None) -> list[Value]:
    """A mean over seeds of the items of some stories, its deviation (of five items) and its interval."""
    items = [item for story in stories for item in story]
    return [sum(items) / len(items), deviation if len(items) >= 5 else None, *interval(stories)]


def beside_figures(form: TableForm, figures: pl.DataFrame, **measured: pl.DataFrame) -> Table:
    """A table with published figures, in an experiment that measured just what is given."""
    given = {
        "names": pl.DataFrame([], {"dataset": pl.String, "published": pl.String}),
        "ways": pl.DataFrame([], WAYS),
        "best": frozenset(),
        "figures": figures.with_columns(
            pl.lit(None, pl.String).alias(name) for name in (*FIGURES, *ASKED) if name not in figures.columns
        ),
        **measured,
    }
    return form.table(*(given[name] if name in given else frame(schema_of(name)) for name in form.of))


def published_rows(figures: pl.DataFrame, **measured: pl.DataFrame) -> list[dict[str, Any]]:
    """The rows of the table of published figures, in an experiment that measured just what is given."""
    return records(beside_figures(TABLE, figures, **measured))


def published_beside(figures: pl.DataFrame, **measured: pl.DataFrame) -> list[dict[str, Any]]:
    """Those rows of ``published_rows`` that have a figure of the experiment."""
    return [row for row in published_rows(figures, **measured) if row["ours"] is not None]
