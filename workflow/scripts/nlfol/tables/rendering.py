"""A table as CSV, Markdown and LaTeX."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping

from tabulate import tabulate

from nlfol.tables.table import Cell, Column, Kind, Score, Table, plain, shown

# Where bold begins and ends, until a renderer says so in its own way: escaping leaves characters of private use alone.
_BOLD, _PLAIN = "\ue000", "\ue001"
_UNMARKED = str.maketrans("", "", _BOLD + _PLAIN)

# A backslash first: it must not escape what is escaped after it. An underscore inside a word means nothing in Markdown.
_MARKDOWN = re.compile(r"[\\|`*<>\[\]]|(?<!\w)_|_(?!\w)")

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
}

# Characters that pdfLaTeX has no glyph for in its text fonts. They are outside ASCII, so `tabulate`, which escapes the
# characters above in cells, leaves them to us.
_SYMBOLS = str.maketrans(
    {
        "–": "--",
        _BOLD: r"\textbf{",
        _PLAIN: "}",
        **{
            sign: rf"\ensuremath{{\{command}}}"
            for sign, command in {
                "±": "pm",
                "×": "times",
                "¬": "neg",
                "∀": "forall",
                "∃": "exists",
                "∧": "wedge",
                "∨": "vee",
                "⊕": "oplus",
                "→": "rightarrow",
                "↔": "leftrightarrow",
                "≠": "neq",
                "≥": "geq",
                "φ": "varphi",
            }.items()
        },
    }
)

_SHRUNK = r"\resizebox{\ifdim\width>\linewidth \linewidth\else\width\fi}{!}{%"


def to_csv(table: Table) -> str:
    """Plain values in full precision, one header line, missing values empty; title and notes are left out."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow([field for column in table.columns for field in column.fields])
    for row in table.rows:
        cells = zip(table.columns, row, strict=True)
        writer.writerow([value for column, cell in cells for value in plain(column, cell)])
    return target.getvalue()


def to_markdown(table: Table) -> str:
    """A pipe table below its title and caption, with the notes as a list."""
    headers, rows = _texts(table)
    body = tabulate(
        [[_markdown(text) for text in row] for row in rows],
        headers=[_markdown(text) for text in headers],
        tablefmt="pipe",
        disable_numparse=True,
        colalign=_alignment(table),
    )
    parts = [f"# {_markdown(table.title)}", _markdown(table.caption), body]
    if table.notes:
        parts.append("\n".join(f"- {_markdown(note)}" for note in table.notes))
    return "\n\n".join(parts) + "\n"


def to_latex(table: Table) -> str:
    r"""A ``table`` (or ``longtable``) in booktabs style with caption, label ``tab:NAME`` and notes.

    Needs the packages booktabs and graphicx, which shrinks a table that is wider than the page, or longtable for a long
    table.
    """
    headers, rows = _texts(table)
    drawn = tabulate(
        rows, headers=headers, tablefmt="latex_booktabs", disable_numparse=True, colalign=_alignment(table)
    )
    # Only `tabulate`'s rows: its column letters know no wrapping, and it omits them for a table without rows.
    top, head, middle, *body, bottom = drawn.translate(_SYMBOLS).splitlines()[1:-1]
    columns = "".join(_letter(column) for column in table.columns)
    caption = rf"\caption{{{_latex(f'{table.title}. {table.caption}')}}}\label{{tab:{table.name}}}"
    notes = [rf"\par\smallskip\raggedright\footnotesize {_latex(' '.join(table.notes))}"] if table.notes else []
    if table.long:
        opening = [r"{\small", rf"\begin{{longtable}}{{{columns}}}", caption + r" \\"]
        heading = [top, head, middle, r"\endhead", bottom, r"\endlastfoot"]
        lines = [*opening, *heading, *body, r"\end{longtable}", *notes, r"\par}"]
    else:
        opening = [r"\begin{table}", r"\centering\small", caption, _SHRUNK, rf"\begin{{tabular}}{{{columns}}}"]
        lines = [*opening, top, head, middle, *body, bottom, r"\end{tabular}}", *notes, r"\end{table}"]
    return "\n".join(lines) + "\n"


RENDERERS: Mapping[str, Callable[[Table], str]] = {"csv": to_csv, "md": to_markdown, "tex": to_latex}
"""The renderer of each file suffix."""


def _texts(table: Table) -> tuple[list[str], list[list[str]]]:
    # A line break would end the row in Markdown and a blank line the paragraph in LaTeX.
    return [column.header for column in table.columns], [[_text(cell) for cell in row] for row in table.rows]


def _text(cell: Cell) -> str:
    text = " ".join(shown(cell).translate(_UNMARKED).split())
    return f"{_BOLD}{text}{_PLAIN}" if isinstance(cell, Score) and cell.best else text


def _alignment(table: Table) -> list[str] | None:
    # `tabulate` fails on alignments where there is no row to align.
    return [str(column.alignment) for column in table.columns] if table.rows else None


def _markdown(text: str) -> str:
    escaped = _MARKDOWN.sub(lambda found: "\\" + found[0], text)
    return escaped.replace(_BOLD, "**").replace(_PLAIN, "**")


def _latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text).translate(_SYMBOLS)


def _letter(column: Column) -> str:
    return r"p{0.4\linewidth}" if column.kind is Kind.PROSE else column.alignment[0]
