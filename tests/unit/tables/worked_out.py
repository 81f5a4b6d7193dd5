"""How figures that were worked out by hand are written down and compared with tables."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

Value = str | float | None
NOTHING = [None] * 4

CERTAIN = (3.182446305283708 / (0.95 * sqrt(2 / (1 - 0.95**2)))) ** 2
"""Of four items in three stories: Student's quantiles at 0.975 with 3 and with 2 degrees of freedom, squared."""

Z = 1.959963984540054  # the normal distribution's quantile at 0.975


def check(tables: Path, name: str, expected: Iterable[Any]) -> None:
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
                assert float(text) == pytest.approx(value, abs=1e-12), (found, column)


def score(mean: float, deviation: float | None, independent: float) -> list[Value]:
    """A mean, its deviation and Wilson's interval for so many independent items."""
    scale = 1 + Z**2 / independent
    centre = (mean + Z**2 / (2 * independent)) / scale
    half = Z / scale * sqrt(mean * (1 - mean) / independent + Z**2 / (4 * independent**2))
    return [mean, deviation, centre - half, centre + half]
