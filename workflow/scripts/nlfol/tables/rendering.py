"""A table as CSV, Markdown and LaTeX; for readers, what every row says stands once, in the caption."""

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tabulate import tabulate

from nlfol.tables.table import Cell, Column, Kind, Score, Table, plain, shown

# Where bold begins and ends, until a renderer says so in its own way: escaping leaves characters of private use alone.
_BOLD, _PLAIN = "\ue000", "\ue001"
# In the same way the braces of LaTeX around what siunitx is not to read.
_BRACES = "\ue002", "\ue003"
_UNMARKED = str.maketrans("", "", _BOLD + _PLAIN + "".join(_BRACES))

_NUMBER = re.compile(r"-?[0-9,]+(\.[0-9]+)?")

# A backslash first: it must not escape what is escaped after it. An underscore inside a word means nothing in Markdown.
_MARKDOWN = re.compile(r"[\\|`*<>\[\]]|(?<!\w)_|_(?!\w)")

_LATEX = {
    **{sign: rf"\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
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
        **dict(zip(_BRACES, "{}", strict=True)),
        **{
            sign: rf"\ensuremath{{\{command}}}"
            for sign, command in {
                "±": "pm", "×": "times", "¬": "neg", "∀": "forall", "∃": "exists", "∧": "wedge", "∨": "vee",
                "⊕": "oplus", "→": "rightarrow", "↔": "leftrightarrow", "≠": "neq", "≥": "geq", "φ": "varphi",
            }.items()
        },
    }
)  # fmt: skip

# Characters of \\footnotesize and of \\scriptsize in a line, and those after which a cell of a wide table wraps.
_LINE, _SMALL_LINE, _LONGEST = 80, 100, 40
_RAGGED = {"left": r"\raggedright", "right": r"\raggedleft"}

_MEASURED = {Kind.SCORE, Kind.SHARE}
"""Kinds of columns in which a reader looks for a value in the row, however equal all are."""

_COUNTED = {Kind.COUNT, Kind.SAMPLE, Kind.TALLY}

_WIDE = 12
"""Columns from which on a table for readers leaves counts out."""

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
    """Return a pipe table with title, caption and notes; constant columns are in the caption."""
    table = _condensed(table)
    parts = [f"# {_markdown(table.title)}", _markdown(table.caption)]
    parts.append(_piped(table) if table.rows else f"**{_markdown(table.nothing)}**")
    if table.notes:
        parts.append("\n".join(f"- {_markdown(note)}" for note in table.notes))
    return "\n\n".join(parts) + "\n"


def _piped(table: Table) -> str:
    headers, rows = _texts(table)
    return tabulate(
        [[_markdown(text) for text in row] for row in rows],
        headers=[_markdown(text) for text in headers],
        tablefmt="pipe",
        disable_numparse=True,
        colalign=_alignment(table),
    )


def to_latex(table: Table) -> str:
    r"""Return a ``table`` (or ``longtable``) in booktabs style with caption, label ``tab:NAME`` and notes.

    Needs the packages booktabs, siunitx, and graphicx, which shrinks a table that is wider than the page; for a long
    table longtable and array, whose columns wrap. Constant columns are in the caption.
    """
    table = _condensed(table)
    caption = rf"\caption{{{_latex(f'{table.title}. {table.caption}')}}}\label{{tab:{table.name}}}"
    notes = [rf"\par\smallskip\raggedright\footnotesize {_latex(' '.join(table.notes))}"] if table.notes else []
    if not table.rows:
        lines = [r"\begin{table}", r"\centering\small", caption, rf"\par {_latex(table.nothing)}", *notes]
        return "\n".join((*lines, r"\end{table}")) + "\n"
    headers, rows = _texts(table)
    widths = _widths(headers, rows) if table.long else []
    formats = [
        "" if widths else _format(column, [row[place] for row in rows]) for place, column in enumerate(table.columns)
    ]
    headers = [_braced(header) if each else header for header, each in zip(headers, formats, strict=True)]
    rows = [[_number(text) if each else text for text, each in zip(row, formats, strict=True)] for row in rows]
    drawn = tabulate(
        rows, headers=headers, tablefmt="latex_booktabs", disable_numparse=True, colalign=_alignment(table)
    )
    # Only `tabulate`'s rows: its column letters know no wrapping.
    top, head, middle, *body, bottom = drawn.translate(_SYMBOLS).splitlines()[1:-1]
    columns = "".join(each or column.alignment[0] for each, column in zip(formats, table.columns, strict=True))
    if widths:
        columns = "".join(
            rf">{{{_RAGGED[column.alignment]}\arraybackslash}}p{{\dimexpr {width - 0.0005:.3f}\linewidth-2\tabcolsep}}"
            for column, width in zip(table.columns, widths, strict=True)
        )
        # Names of several words, too, may go on in the next line.
        body = [line.replace(r"\_", r"\_\allowbreak{}") for line in body]
    if table.long:
        small = r"{\scriptsize\setlength{\tabcolsep}{3pt}" if widths else r"{\footnotesize"
        opening = [small, rf"\begin{{longtable}}{{{columns}}}", caption + r" \\"]
        heading = [top, head, middle, r"\endhead", bottom, r"\endlastfoot"]
        lines = [*opening, *heading, *body, r"\end{longtable}", *notes, r"\par}"]
    else:
        opening = [r"\begin{table}", r"\centering\small", caption, _SHRUNK, rf"\begin{{tabular}}{{{columns}}}"]
        lines = [*opening, top, head, middle, *body, bottom, r"\end{tabular}}", *notes, r"\end{table}"]
    return "\n".join(lines) + "\n"


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
    constant = [place for place, column in enumerate(table.columns) if _is_constant(table, place, column)]
    kept = [place for place in range(len(table.columns)) if place not in constant] or [0]
    left_out = [place for place in constant if place not in kept]
    counts = [place for place in kept if table.columns[place].kind in _COUNTED][1:] if len(kept) > _WIDE else []
    kept = [place for place in kept if place not in counts]
    first = table.rows[0]
    said = [f"{table.columns[place].header}: {shown(first[place])}" for place in left_out if first[place] is not None]
    empty = [table.columns[place].header for place in left_out if first[place] is None]
    sentences = [
        *(["In each row " + "; ".join(said) + "."] if said else []),
        *(["Empty: " + ", ".join(empty) + "."] if empty else []),
        *([f"Further counts are in {table.name}.csv."] if counts else []),
    ]
    return replace(
        table,
        caption=" ".join([table.caption, *sentences]),
        columns=tuple(table.columns[place] for place in kept),
        rows=tuple(tuple(row[place] for place in kept) for row in table.rows),
    )


def _is_constant(table: Table, place: int, column: Column) -> bool:
    first = table.rows[0][place]
    return (first is None or column.kind not in _MEASURED) and all(row[place] == first for row in table.rows)


def _texts(table: Table) -> tuple[list[str], list[list[str]]]:
    # A line break would end the row in Markdown and a blank line the paragraph in LaTeX.
    return [column.header for column in table.columns], [[_text(cell) for cell in row] for row in table.rows]


def _text(cell: Cell) -> str:
    text = " ".join(shown(cell).translate(_UNMARKED).split())
    return f"{_BOLD}{text}{_PLAIN}" if isinstance(cell, Score) and cell.best else text


def _alignment(table: Table) -> list[str]:
    return [column.alignment for column in table.columns]


def _format(column: Column, texts: Sequence[str]) -> str:
    """Return the siunitx format of a column of numbers; empty for another."""
    numbers = [text for text in texts if _NUMBER.fullmatch(text)]
    if column.kind not in {Kind.COUNT, Kind.SHARE} or not numbers:
        return ""
    sign = "-" if any(text.startswith("-") for text in numbers) else ""
    whole = max(len(text.partition(".")[0].strip("-").replace(",", "")) for text in numbers)
    decimals = max(len(text.partition(".")[2]) for text in numbers)
    return rf"S[table-format={sign}{whole}.{decimals},group-separator={{,}},group-minimum-digits=4]"


def _widths(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> list[float]:
    """Return the share of the line for each column of a wide table; empty if the table fits on a line."""
    texts = list(zip(headers, *rows, strict=True))
    longest = [max(map(len, column)) for column in texts]
    if sum(longest) + 2 * len(longest) <= _LINE:
        return []
    # Each column is as wide as its longest word and the space beside it; what is left goes by what would wrap.
    words = [max(len(word) for text in column for word in re.split(r"(?<=[ _])", text)) + 3 for column in texts]
    wraps = [max(0, min(_LONGEST, whole) - word) for word, whole in zip(words, longest, strict=True)]
    left = max(0, _SMALL_LINE - sum(words)) / max(1, sum(wraps))
    return [(word + left * wrap) / max(_SMALL_LINE, sum(words)) for word, wrap in zip(words, wraps, strict=True)]


def _number(text: str) -> str:
    """Return a cell of a column of numbers for siunitx, which takes a comma for a decimal point."""
    return text.replace(",", "") if _NUMBER.fullmatch(text) else _braced(text)


def _braced(text: str) -> str:
    opening, closing = _BRACES
    return f"{opening}{text}{closing}"


def _markdown(text: str) -> str:
    escaped = _MARKDOWN.sub(lambda found: "\\" + found[0], text)
    return escaped.replace(_BOLD, "**").replace(_PLAIN, "**")


def _latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text).translate(_SYMBOLS)
