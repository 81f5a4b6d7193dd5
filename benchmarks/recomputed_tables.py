"""Tables of a finished run with what the papers print, computed again from the files of stages and compared with CSV.

    python benchmarks/recomputed_tables.py [RESULTS] [--table NAME ...]

Nothing of nlfol is imported. The definitions are those of docs, of captions and of the docstrings of ``analyses`` and
``statistics``, so that a value differs where code and definition do not agree. Values agree if they are equal
to one part in 10⁸. Rows are found by their words; missing rows and columns, surplus rows and those that are there twice
differ, too.

Of each table it prints how many values were compared, the first ones that differ, and which columns are not computed,
with the reason; at the end, by name, the run's tables that are not computed here at all, most of which no paper prints.
The status is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.recomputed_rows import ROWS
from benchmarks.recomputed_run import TABLES, Cells, NoSuchRowError, Run, Shown
from benchmarks.recomputed_statistics import detection, holm

MOST_SHOWN = 5
"""Differences of a table that are printed."""

for entering in ("files", "scores", "studies", "verification"):
    import_module(f"benchmarks.recomputed_{entering}")  # enters tables and their rows


@dataclass
class Comparison:
    """Findings about a table: values compared, differences, and columns that were not compared."""

    values: int = 0
    differences: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def compare(run: Run, name: str) -> Comparison:
    """Compare a table."""
    how, rows, found = TABLES[name], [], Comparison()
    recomputed = []
    for row in run.csv(name):
        try:
            recomputed.append(how.cells(run, row))
            rows.append(row)
        except NoSuchRowError as missing:
            found.differences.append(f"{_named(how.key, row)}: {missing}")
    _adjust(run, name, rows, recomputed)
    compared: set[str] = set()
    for row, cells in zip(rows, recomputed, strict=True):
        where = _named(how.key, row)
        for column in row.keys() & cells.keys() - set(how.key):
            compared.add(column)
            found.values += 1
            if not agrees(row[column], cells[column]):
                found.differences.append(f"{where}: {column} is {row[column] or '–'}, recomputed {cells[column]}")
        lacking = sorted(name for name in cells.keys() - row.keys() - {*how.without} if cells[name] is not None)
        found.differences += [f"{where}: there is no column {column}" for column in lacking]
    found.differences += _other_rows(run, name, how.key)
    filled = {column: None for row in rows for column, value in row.items() if value}
    found.left_out = [column for column in filled if column not in {*compared, *how.key}]
    return found


def _named(key: Iterable[str], row: Shown) -> str:
    return ", ".join(f"{column}={row[column]}" for column in key if row[column])


def _adjust(run: Run, name: str, rows: list[dict[str, str]], recomputed: list[Cells]) -> None:
    """Adjust p-values, and what is detectable, by family."""
    families: dict[object, list[Cells]] = defaultdict(list)
    is_family = TABLES[name].family or (lambda *_: None)
    for row, cells in zip(rows, recomputed, strict=True):
        family = is_family(run, row)
        if TABLES[name].family is not None:
            cells.setdefault("adjusted", None)
        if family and cells["p"] is not None:
            families[family].append(cells)
    for members in families.values():
        for cells, adjusted in zip(members, holm([cells["p"] for cells in members]), strict=True):
            cells["adjusted"] = adjusted
            if cells.get("freedom") is not None:
                cells["detectable"] *= detection(cells["freedom"], len(members)) / detection(cells["freedom"])
    for cells in recomputed:
        cells.pop("freedom", None)


def _other_rows(run: Run, name: str, key: tuple[str, ...]) -> Iterator[str]:
    """Rows that are missing, too many, or there twice."""
    ours = Counter(tuple(row[column] for column in key) for row in run.csv(name) if row.get("source") != "published")
    needed = Counter(tuple(value or "" for value in row) for row in ROWS[name](run))
    for row, count in ours.items():
        if count != max(1, needed[row]):
            yield f"{', '.join(row)}: there are {count} rows"
    yield from (f"{', '.join(row)}: there is no row" for row in sorted(needed.keys() - ours.keys()))
    yield from (f"{', '.join(row)}: there is a row too many" for row in sorted(ours.keys() - needed.keys()))


def agrees(text: str, value: Any) -> bool:
    """Return whether a cell of a CSV file holds a value."""
    if value is None or isinstance(value, str) or not text:
        return text == ("" if value is None else value)
    return math.isclose(float(text), float(value), rel_tol=1e-8, abs_tol=1e-11)


def report(run: Run, names: list[str], others: Iterable[str] = ()) -> Iterator[tuple[str, bool]]:
    """Yield lines on each table, on all and on other tables, and whether they say that something differs."""
    values = differences = 0
    for name in names:
        found = compare(run, name)
        yield f"{name}: {found.values} values compared, {len(found.differences)} differences", bool(found.differences)
        yield from ((f"    {difference}", True) for difference in found.differences[:MOST_SHOWN])
        for column in found.left_out:
            yield f"    not recomputed: {column} ({TABLES[name].left_out.get(column, 'words')})", False
        values, differences = values + found.values, differences + len(found.differences)
    yield f"in all: {values} values compared, {differences} differences", False
    yield f"not recomputed: {', '.join(sorted(others)) or 'none'}", False


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(description="Compute a run's tables again and compare them.")
    parser.add_argument("results", nargs="?", type=Path, default=Path("results"))
    parser.add_argument("--table", action="append", choices=TABLES, help="all of these by default")
    given = parser.parse_args()
    made = {path.stem for path in (given.results / "tables").glob("*.csv")}
    names = given.table or sorted(made & TABLES.keys())
    lines = list(report(Run(given.results), names, made - TABLES.keys()))
    print(*(line for line, _ in lines), sep="\n")
    sys.exit(any(differs for _, differs in lines))


if __name__ == "__main__":
    main()
