"""A table as CSV and as Markdown, in which what every row says stands once, in the caption; the renderers by suffix."""

import csv
import io
import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from tabulate import tabulate

from nlfol.results.tables.latex import BOLD, PLAIN, UNMARKED, to_latex
from nlfol.results.tables.table import Cell, Column, Kind, Score, Table, plain, shown

# A backslash first: it must not escape what is escaped after it. An underscore inside a word means nothing in Markdown.
_MARKDOWN = re.compile(r"[\\|`*<>\[\]]|(?<!\w)_|_(?!\w)")

_EXECUTED = re.compile(r"[=+@\t\r\n＝＋＠]|[-－](?!\Z|[0-9.]+\Z)")
"""The beginning of a text that spreadsheets may execute; a number is none."""

_MEASURED = {Kind.SCORE, Kind.SHARE}
"""Kinds of columns in which a reader looks for a value in the row, however equal all are."""

_COUNTED = {Kind.COUNT, Kind.SAMPLE, Kind.TALLY}

_WIDE = 12
"""Columns from which on a table for readers leaves counts out."""


def defused(value: object) -> object:
    """Return a cell that no spreadsheet takes for a formula: such a text gets an apostrophe before it."""
    return f"'{value}" if isinstance(value, str) and _EXECUTED.match(value) else value


def to_csv(table: Table) -> str:
    """Plain values in full precision, one header line, missing values empty; title and notes are left out.

    Texts that a spreadsheet would execute are defused.
    """
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow([field for column in table.columns for field in column.fields])
    for row in table.rows:
        cells = zip(table.columns, row, strict=True)
        writer.writerow([defused(value) for column, cell in cells for value in plain(column, cell)])
    return target.getvalue()


def to_markdown(table: Table) -> str:
    """Return a pipe table with title, caption and notes; constant columns are in the caption."""
    table = _condensed(table)
    parts = [f"# {_markdown(table.title)}", _markdown(table.caption)]
    parts.append(_piped(table) if table.rows else f"**{_markdown(table.nothing)}**")
    if table.notes:
        parts.append("\n".join(f"- {_markdown(note)}" for note in table.notes))
    return "\n\n".join(parts) + "\n"


def _piped(table: Table) -> str:
    return tabulate(
        [[_markdown(_text(cell), marked=True) for cell in row] for row in table.rows],
        headers=[_markdown(column.header) for column in table.columns],
        tablefmt="pipe",
        disable_numparse=True,
        colalign=[column.alignment for column in table.columns],
    )


def to_caption(table: Table) -> str:
    """Return the caption as reStructuredText, for Snakemake's report."""
    return re.sub(r"[\\*`|_{]", r"\\\g<0>", table.caption) + "\n"


RENDERERS: Mapping[str, Callable[[Table], str]] = {"csv": to_csv, "md": to_markdown, "tex": to_latex, "rst": to_caption}
"""The renderer of each file suffix."""


def _condensed(table: Table) -> Table:
    """Return the table without its constant and empty columns, which the caption names; a wide one has one count alone.

    A table of fewer than two rows stays as it is. Where all columns are constant, the first one stays.
    """
    if len(table.rows) < 2:
        return table
    constant = [index for index, column in enumerate(table.columns) if _is_constant(table, index, column)]
    kept = [index for index in range(len(table.columns)) if index not in constant] or [0]
    left_out = [index for index in constant if index not in kept]
    counts = [index for index in kept if table.columns[index].kind in _COUNTED][1:] if len(kept) > _WIDE else []
    kept = [index for index in kept if index not in counts]
    first = table.rows[0]
    stated = [f"{table.columns[index].header}: {shown(first[index])}" for index in left_out if first[index] is not None]
    empty = [table.columns[index].header for index in left_out if first[index] is None]
    sentences = [
        *(["In each row " + "; ".join(stated) + "."] if stated else []),
        *(["Empty: " + ", ".join(empty) + "."] if empty else []),
        *([f"Further counts are in {table.name}.csv."] if counts else []),
    ]
    return replace(
        table,
        caption=" ".join([table.caption, *sentences]),
        columns=tuple(table.columns[index] for index in kept),
        rows=tuple(tuple(row[index] for index in kept) for row in table.rows),
    )


def _is_constant(table: Table, index: int, column: Column) -> bool:
    first = table.rows[0][index]
    return (first is None or column.kind not in _MEASURED) and all(row[index] == first for row in table.rows)


def _text(cell: Cell) -> str:
    # A line break would end the row.
    text = " ".join(shown(cell).translate(UNMARKED).split())
    return f"{BOLD}{text}{PLAIN}" if isinstance(cell, Score) and cell.best else text


def _markdown(text: str, *, marked: bool = False) -> str:
    escaped = _MARKDOWN.sub(lambda match: "\\" + match[0], text if marked else text.translate(UNMARKED))
    return escaped.replace(BOLD, "**").replace(PLAIN, "**")
