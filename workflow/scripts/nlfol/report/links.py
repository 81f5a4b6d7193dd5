"""Addresses, within the page, of the items behind each number of a table.

An address is ``#items?KEY=VALUE&...`` for the explorer, whose keys ``assets/filters.js`` lists, or ``#rows?...`` for
the rows of the table of refused sentences. A key given more than once allows any of its values.
"""

from collections.abc import Mapping

from nlfol.tables.opening import Filter, Number, address
from nlfol.tables.table import Cell, Column, Kind, Table

Row = Mapping[str, Cell]


def links(table: Table, first_task: Mapping[str, str]) -> list[list[tuple[str | None, ...]]]:
    """Return the address of each part of each cell; None for numbers without items, such as a count of 0.

    Args:
        table: any table.
        first_task: of each dataset, a task that has an entry for each of its usable sentences.
    """
    opened = []
    for cells in table.rows:
        row = {column.name: cell for column, cell in zip(table.columns, cells, strict=True)}
        opened.append([_of_cell(table, column, row, first_task) for column in table.columns])
    return opened


def _of_cell(table: Table, column: Column, row: Row, first_task: Mapping[str, str]) -> tuple[str | None, ...]:
    cell = row[column.name]
    parts = column.parts or ("",)
    if cell is None or column.kind in {Kind.TEXT, Kind.PROSE}:
        return (None,) * len(parts)
    if table.name in _REFUSALS:
        return (_refused(column, row, first_task),)
    found = [table.opens(Number(row, column.name, part)) for part in parts]
    for chosen in found:
        if chosen is not None and "dataset" in row and "task" not in chosen:
            chosen["task"] = first_task.get(str(row["dataset"]))
    counts = cell if isinstance(cell, tuple) else (cell,)
    return tuple(
        None if chosen is None or (count == 0 and isinstance(count, int)) else address(chosen)
        for chosen, count in zip(found, counts, strict=True)
    )


_REFUSALS = ("funnel", "refused", "refused_rows")


def _refused(column: Column, row: Row, first_task: Mapping[str, str]) -> str | None:
    if column.name in ("corrected", "regained"):
        return "#table-corrections" if row[column.name] else None
    reason = row.get("reason", row.get("step"))
    if column.name == "refused" or "reason" in row:
        named = {name: row[name] for name in ("dataset", "stage", "task")}
        return address({**named, "reason": reason}, "rows")
    if reason not in ("usable", "candidate sets"):
        return None
    chosen: Filter = {"dataset": row["dataset"], "task": row["task"] or first_task.get(str(row["dataset"]))}
    return address(chosen | ({"status": "usable"} if reason == "candidate sets" else {}))
