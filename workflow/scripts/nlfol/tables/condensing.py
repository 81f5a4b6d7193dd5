"""Tables for readers: a column that says the same in each row is said once, in the caption."""

from dataclasses import replace

from nlfol.tables.table import Column, Kind, Table, shown

_NEVER = {Kind.SCORE, Kind.SHARE}
"""Measured values: a reader looks for them in the row, however equal they are."""


def condensed(table: Table) -> Table:
    """Return the table without its constant and empty columns, which the caption names.

    A table of fewer than two rows stays as it is. Where all columns are constant, the first one stays.
    """
    if len(table.rows) < 2:
        return table
    constant = [place for place, column in enumerate(table.columns) if _is_constant(table, place, column)]
    kept = [place for place in range(len(table.columns)) if place not in constant] or [0]
    left_out = [place for place in constant if place not in kept]
    if not left_out:
        return table
    first = table.rows[0]
    said = [f"{table.columns[place].header}: {shown(first[place])}" for place in left_out if first[place] is not None]
    empty = [table.columns[place].header for place in left_out if first[place] is None]
    sentences = [
        *(["In each row " + "; ".join(said) + "."] if said else []),
        *(["Empty: " + ", ".join(empty) + "."] if empty else []),
    ]
    return replace(
        table,
        caption=" ".join([table.caption, *sentences]),
        columns=tuple(table.columns[place] for place in kept),
        rows=tuple(tuple(row[place] for place in kept) for row in table.rows),
    )


def _is_constant(table: Table, place: int, column: Column) -> bool:
    first = table.rows[0][place]
    return (first is None or column.kind not in _NEVER) and all(row[place] == first for row in table.rows)
