r"""A table as LaTeX for an article of two columns: its narrow form, on a page; the wide one is its CSV.

Of the columns that differ between rows there are at most ``_MOST``, and as many as fit on a line: those that the table
names (``paper``), or else words before the first number, the first count, scores, other measures (without any, further
counts), and other words, in this order. Words that say the same of several rows stand above these, which come together.
"""

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, takewhile
from math import ceil, inf

from nlfol.results.tables.table import MISSING, Cell, Kind, Score, Table, TableError, Written, shown

COLUMN, PAGE = 219, 450
"""Points of a line of one column, and of two, in the narrowest of common styles."""

_SIZE, _BETWEEN = 8, 6
"""Points of a letter, and between columns."""

_NARROW, _EVEN, _BROAD = 0.36, 0.55, 0.82
"""Width of letters by their size; ``_WIDE`` ones are broad."""

_WIDE = "mwMW%&@+±×−→↔=<>∀∃∧∨⊕≠≥¬"

_MOST = 7
_LINES, _LEAST = 48, 90
"""Lines of rows on a page, and points of the narrowest column that wraps."""

_WORDS = 40
"""Words of notes, whole ones in their order; the last one, of the run, is beside them."""

_MEASURED = (Kind.SCORE, Kind.SHARE)
_WORDED = {Kind.TEXT, Kind.PROSE}
_SKIPS = r"\setlength{\abovecaptionskip}{0pt}\setlength{\belowcaptionskip}{4pt}"
_NOTHING = {MISSING, "0", ".000", "0 / 0"}

# Where bold begins and ends, until a renderer says so in its own way.
BOLD, PLAIN = "\ue000", "\ue001"
UNMARKED = str.maketrans("", "", BOLD + PLAIN)

_ESCAPED = {
    BOLD: r"\textbf{",
    PLAIN: "}",
    **{sign: rf"\{sign}" for sign in "&%$#{}"},
    "_": r"\_\allowbreak{}",
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "−": r"\ensuremath{-}",
    **{sign: rf"\ensuremath{{{sign}}}" for sign in "<>|"},
    **{
        # Signs that pdfLaTeX has no glyph for in its text fonts.
        sign: rf"\ensuremath{{\{command}}}"
        for sign, command in {
            "±": "pm", "×": "times", "¬": "neg", "∀": "forall", "∃": "exists", "∧": "wedge", "∨": "vee",
            "⊕": "oplus", "→": "rightarrow", "↔": "leftrightarrow", "≠": "neq", "≥": "geq", "φ": "varphi",
        }.items()
    },
}  # fmt: skip


@dataclass(slots=True)
class _Column:
    """A column as it is drawn: its place in the table, its cells as texts, and the points of a line if it wraps."""

    place: int
    header: str
    worded: bool
    texts: list[str]
    wraps: int = 0

    @property
    def head(self) -> list[str]:
        longest = max(8, *map(len, [] if self.wraps else self.texts), 0)
        return textwrap.wrap(self.header, longest, break_long_words=False) or [""]

    @property
    def width(self) -> float:
        return self.wraps or max(map(_width, (*self.head, *self.texts)))

    @property
    def is_split(self) -> bool:
        """Return whether intervals stand apart, so that scores without one stand below scores."""
        return not self.worded and any(" [" in text for text in self.texts)

    @property
    def letter(self) -> str:
        if self.wraps:
            return rf">{{\raggedright\arraybackslash}}p{{{self.wraps}pt}}"
        return "l" if self.worded else "r@{ }l" if self.is_split else "r"

    @property
    def heading(self) -> str:
        head = r"\\".join(map(latex, self.head))
        side = "l" if self.worded else "c" if self.is_split else "r"
        head = rf"\shortstack[{side}]{{{head}}}" if len(self.head) > 1 else head
        return rf"\multicolumn{{2}}{{c}}{{{head}}}" if self.is_split else head

    def cell(self, row: int) -> str:
        """Return a cell for LaTeX; of one that is split, the score alone is bold."""
        text = self.texts[row]
        if not self.is_split:
            return latex(text, marked=True)
        score, bracket, interval = text.partition(" [")
        bold = PLAIN if bracket and text.endswith(PLAIN) else ""
        return f"{latex(score + bold, marked=True)} & {latex(bracket[1:] + interval)}".rstrip()


def to_latex(table: Table, room: int | None = None) -> str:
    r"""Return a ``table`` of one column, or ``table*`` of two, in booktabs style with label ``tab:NAME``, at 8 points.

    Needs booktabs and array. Notes are the first ``_WORDS`` words; what is left out is in ``NAME.md`` and ``NAME.csv``.
    With ``room``, the points of a line, all notes and all columns are drawn; raises ``TableError`` if these do not fit.
    """
    many = len(table.rows) > 1
    distinct = [{_text(row[index]) for row in table.rows} for index in range(len(table.columns))]
    every = [*range(len(distinct))]
    vary = [place for place in every if not distinct[place] <= _NOTHING and len(distinct[place]) > many] or [0]
    same = [
        f"{table.columns[index].header}: {min(texts)}"
        for index, texts in enumerate(distinct)
        if len(texts - _NOTHING) == len(texts) == 1 and not room
    ]
    chosen = every if room else _chosen(table, vary)
    above = _above(table, chosen)
    columns = _fitted(table, chosen[above:], room)
    labels = [" · ".join(_text(row[index]) for index in chosen[:above] if row[index]) for row in table.rows]
    shown = _shown(columns, labels)
    if room is not None and len(shown) < len(labels):
        raise TableError(f"table {table.name!r}: {len(labels)} rows, and a page has room for {len(shown)}")
    kind = "table*" if (room or _total(columns)) > COLUMN else "table"
    places = len(columns) + sum(column.is_split for column in columns)
    heading = rf"\multicolumn{{{places}}}{{@{{}}p{{{_total(columns):.0f}pt}}@{{}}}}{{\raggedright\textit{{%s}}}} \\"
    body = [rf"\par {latex(table.nothing)}"]
    if table.rows:
        body = [rf"\begin{{tabular}}{{@{{}}{''.join(column.letter for column in columns)}@{{}}}}", r"\toprule"]
        body.append(" & ".join(column.heading for column in columns) + r" \\")
        for label, rows in groupby(shown, lambda index: labels[index]):
            body += [r"\midrule", *([heading % latex(label)] if above else [])]
            body += [" & ".join(column.cell(row) for column in columns) + r" \\" for row in rows]
        body += [r"\bottomrule", r"\end{tabular}"]
    sentences = [f"{table.title}. {table.caption}", *([f"In each row {'; '.join(same)}."] if same and many else [])]
    if len(shown) < len(labels):
        sentences.append(f"{len(shown):,} of {len(labels):,} rows; all are in {table.name}.csv.")
    most = _WORDS if room is None else inf
    first = sum(count <= most for count in accumulate(len(note.split()) for note in table.notes[:-1]))
    more = [f"More: {table.name}.md."] if first < len(table.notes) - 1 else []
    notes = latex(" ".join([*table.notes[:first], *more, *table.notes[-1:]]))
    opening = [rf"\begin{{{kind}}}", r"\centering\footnotesize\setlength{\tabcolsep}{3pt}" + _SKIPS]
    opening.append(rf"\caption{{{latex(' '.join(sentences))}}}\label{{tab:{table.name}}}")
    closing = [*([rf"\par\smallskip\raggedright\scriptsize {notes}"] if notes else []), rf"\end{{{kind}}}", ""]
    return "\n".join([*opening, *body, *closing])


def _chosen(table: Table, vary: Sequence[int]) -> list[int]:
    """Return the places of the columns that are drawn, as the head of the module says."""
    columns = table.columns
    if table.paper:
        return [index for index in vary if columns[index].name in table.paper]
    number = next((index for index in vary if columns[index].kind not in _WORDED), len(columns))
    words = [index for index in vary if index < number]
    counts = [index for index in vary if columns[index].kind in (Kind.COUNT, Kind.SAMPLE)]
    measures = [index for kind in _MEASURED for index in vary if columns[index].kind is kind] or counts
    remarks = [index for index in vary if columns[index].kind in _WORDED]
    return list(dict.fromkeys([*words, *counts[:1], *measures, *remarks]))


def _above(table: Table, chosen: Sequence[int]) -> int:
    """Return how many of the first columns of words stand above rows, of which three or more on average share them."""
    words = list(takewhile(lambda index: table.columns[index].kind is Kind.TEXT, chosen))
    for above in range(len(words) - 1, max(0, len(words) - _MOST + 2), -1):
        if 3 * len({tuple(row[index] for index in words[:above]) for row in table.rows}) <= len(table.rows):
            return above
    return max(0, len(words) - _MOST + 2)


def _fitted(table: Table, chosen: Sequence[int], room: int | None) -> list[_Column]:
    """Return the first columns, in the order of the table, that fit on a line, the widest words wrapped.

    With ``room`` they are all; raises ``TableError`` if these do not fit.
    """
    columns = [
        _Column(index, column.header, column.kind in _WORDED, [_text(row[index]) for row in table.rows])
        for index in (chosen[:_MOST] if room is None else chosen)
        for column in table.columns[index : index + 1]
    ]
    while (over := _total(columns) - (room or PAGE)) > 0 and len(columns) > 1:
        words = [column for column in columns if column.worded and not column.wraps and column.width > _LEAST]
        if words:
            widest = max(words, key=lambda column: column.width)
            widest.wraps = max(_LEAST, int(widest.width - over))
        elif room is not None:
            raise TableError(f"table {table.name!r}: the columns take {over + room:.0f} points, and a line has {room}")
        else:
            columns.pop()
    return sorted(columns, key=lambda column: column.place)


def _total(columns: Sequence[_Column]) -> float:
    return sum(column.width + _BETWEEN for column in columns) - _BETWEEN


def _shown(columns: Sequence[_Column], labels: Sequence[str]) -> list[int]:
    """Return the rows that have any number, those under one label together, as many as fit on a page."""
    numbers = [column for column in columns if not column.worded] or columns
    rows = [index for index in range(len(labels)) if any(column.texts[index] != MISSING for column in numbers)]
    rows.sort(key=lambda index: labels.index(labels[index]))
    lines, before = 0.0, None
    for number, index in enumerate(rows):
        height = max(ceil(1.15 * _width(column.texts[index]) / (column.wraps or 999)) for column in columns)
        lines += height + (1.6 if labels[index] != before else 0)
        before = labels[index]
        if lines > _LINES:
            return rows[:number]
    return rows


def _text(cell: Cell) -> str:
    """Return a cell as readers see it, of numbers without deviation and the 0 before the point."""
    if isinstance(cell, str):
        return " ".join(cell.translate(UNMARKED).split()) + (" (written)" if isinstance(cell, Written) else "")
    text = shown(replace(cell, deviation=None) if isinstance(cell, Score) else cell)
    text = re.sub(r"\b0(?=\.\d)", "", text).replace("-", "−")
    return f"{BOLD}{text}{PLAIN}" if isinstance(cell, Score) and cell.best else text


def _width(text: str) -> float:
    """Return about the points of a text, in the widest of common fonts."""
    return _SIZE * sum(
        _NARROW if sign in " .,:;'|()[]!fijlrtI" else _BROAD if sign in _WIDE or sign.isupper() else _EVEN
        for sign in text
    )


def latex(text: str, *, marked: bool = False) -> str:
    """Return a text for LaTeX; only what is marked here has marks of bold."""
    return "".join(_ESCAPED.get(character, character) for character in (text if marked else text.translate(UNMARKED)))
