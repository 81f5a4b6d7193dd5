"""The tolerant reader: the one expression of a model's reply, with an account of every liberty taken.

Only wrapping is taken off and only signs that can mean one thing are changed. Letters are never guessed: what reads as
prose is refused, and letters outside an item's alphabet stay.
"""

import re
from enum import StrEnum
from typing import NamedTuple

from nlfol.logic.regular.errors import ExpressionSyntaxError
from nlfol.logic.regular.reading import MAX_LENGTH, Dialect, parse
from nlfol.logic.regular.syntax import Expression


class LibertyKind(StrEnum):
    """Kind of a liberty: text taken off or changed."""

    CODE_FENCE = "code_fence"
    """The lines around a code block."""
    PROSE = "prose"
    """Words around the one expression, which has a line or backticks of its own."""
    LABEL = "label"
    """Words such as "Regex:" in front."""
    QUOTES = "quotes"
    """Quotation marks, backticks, or the signs of mathematics around."""
    FULL_STOP = "full_stop"
    """The full stop at the end."""
    ANCHORS = "anchors"
    """``^`` in front or ``$`` at the end."""
    SPACES = "spaces"
    """White space, around or inside."""
    SIGN = "sign"
    """Another way of writing a sign: ``^*``, ``∗``, ``\\*``, ``(?:``, ``∪``, ``·``."""


class Liberty(NamedTuple):
    """One liberty."""

    kind: LibertyKind
    detail: str


class TolerantReading(NamedTuple):
    """An expression with the liberties in the order taken; none if the text is strict."""

    expression: Expression
    liberties: tuple[Liberty, ...]


class _Refusal(NamedTuple):
    """A line that is no expression: why, and where; only an error that is raised counts the lines of the reply."""

    problem: str
    position: int


_FENCE = re.compile(r"^[ \t]*```([^\n`]*)$", re.MULTILINE)
_SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_LABEL = re.compile(
    r"[\s*_]{0,9}(?:(?:the|my|your|final|resulting|equivalent|corresponding)\s+){0,4}"
    r"(?:answer|output|result|regex|regexp|regular\s+expression|expression)(?:\s+is)?[*_]*\s*[:=]+(?:\s*\*\*)?\s*",
    re.IGNORECASE,
)
_AROUND = (
    ("**", "**"),
    ("`", "`"),
    ("'", "'"),
    ('"', '"'),
    ("“", "”"),
    ("‘", "’"),
    ("$", "$"),
    (r"\(", r"\)"),
    ("/", "/"),
)
_SIGNS = (
    *(("^*", "*"), ("^{*}", "*"), (r"^\ast", "*"), (r"\ast", "*"), (r"\*", "*"), ("∗", "*"), ("⁎", "*"), ("＊", "*")),
    *(("(?:", "("), (r"\cdot", ""), ("·", ""), ("∘", "")),
    *((r"\cup", "|"), ("∪", "|"), (r"\mid", "|"), ("^+", "+"), ("^{+}", "+")),
    *((r"\varepsilon", "ε"), (r"\epsilon", "ε"), ("ϵ", "ε"), ("(", "("), (")", ")")),
)
_SIGN = re.compile("|".join(re.escape(written) for written, _ in _SIGNS))
_MEANT = dict(_SIGNS)
_PROSE = re.compile(r"(?<![A-Za-z])[A-Za-z]{2,}[,;:]?\s+[A-Za-z]{2,}")
_OTHER_NOTATION = {
    ".": "'.' stands for any letter in other notations and for nothing here: write the letters",
    "\\": "a backslash has no meaning here: write letters as they are",
    "[": "character classes are not read: write the letters, with parentheses and '|' where it is allowed",
    "{": "counted repetition is not read: write the operand as often as it is meant",
    "^": "'^' inside an expression",
    "$": "'$' inside an expression",
}


def read_tolerantly(text: str, dialect: Dialect = Dialect.PUBLISHED) -> TolerantReading:
    """Read the one expression of a reply; `ExpressionSyntaxError` has a position if there is none, or several."""
    try:
        return TolerantReading(parse(text, dialect), ())
    except ExpressionSyntaxError as error:
        if len(text) > MAX_LENGTH:
            raise
        if not text.strip():
            raise ExpressionSyntaxError("an empty reply", text, 0) from error
    return _read_piece(text, 0, len(text), dialect, ())


def _read_piece(text: str, start: int, end: int, dialect: Dialect, liberties: tuple[Liberty, ...]) -> TolerantReading:
    blocks = _code_blocks(text, start, end)
    if blocks:
        fenced = (*liberties, Liberty(LibertyKind.CODE_FENCE, "```"))
        return _only([_read_piece(text, *block, dialect, fenced) for block in blocks], text, blocks[-1][0])
    lines = [(match.start(), match.end()) for match in re.finditer(r"[^\n]*\S[^\n]*", text[start:end])]
    if not lines:
        raise ExpressionSyntaxError("an empty code block", text, start)
    read = [_read_line(text, start + begin, start + stop, dialect) for begin, stop in lines]
    parsed = [result for result in read if isinstance(result, TolerantReading)]
    if parsed:
        reading = _only(parsed, text, start + lines[-1][0])
        if len(parsed) < len(lines):
            liberties = (*liberties, Liberty(LibertyKind.PROSE, "other lines"))
        return reading._replace(liberties=(*liberties, *reading.liberties))
    spans = [span.span(1) for span in _SPAN.finditer(text, start, end)]
    within = [_read_line(text, *span, dialect) for span in spans]
    refused = [result for result in (within or read) if isinstance(result, _Refusal)]
    if refused:
        raise ExpressionSyntaxError(refused[0].problem, text, refused[0].position)
    around = (*liberties, Liberty(LibertyKind.PROSE, "words around backticks"), Liberty(LibertyKind.QUOTES, "``"))
    readings = [
        result._replace(liberties=(*around, *result.liberties))
        for result in within
        if isinstance(result, TolerantReading)
    ]
    return _only(readings, text, spans[-1][0])


def _code_blocks(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return where the insides of the code blocks begin and end."""
    blocks: list[tuple[int, int]] = []
    opened: int | None = None
    for fence in _FENCE.finditer(text, start, end):
        if opened is None:
            opened = fence.end() + 1
        elif not fence[1].strip():
            blocks.append((opened, fence.start()))
            opened = None
    return blocks


def _only(readings: list[TolerantReading], text: str, position: int) -> TolerantReading:
    if any(reading.expression is not readings[0].expression for reading in readings):
        raise ExpressionSyntaxError("several different expressions; only one is read", text, position)
    return readings[0]


def _read_line(text: str, start: int, end: int, dialect: Dialect) -> TolerantReading | _Refusal:
    liberties: list[Liberty] = []
    while True:
        start, end, liberty = _peeled(text, start, end)
        if liberty is None:
            break
        liberties.append(liberty)
    if start == end:
        return _Refusal("no expression here", start)
    prose = _PROSE.search(text, start, end)
    if prose:
        return _Refusal("prose, not an expression", prose.start())
    pieces: list[str] = []
    positions: list[int] = []  # where each character that is kept stood
    position = start
    while position < end:
        sign = _SIGN.match(text, position, end)
        written = sign.group() if sign else text[position]
        meant = _MEANT[written] if sign else "" if written.isspace() else written
        if meant != written:
            kind = LibertyKind.SPACES if written.isspace() else LibertyKind.SIGN
            liberties.append(Liberty(kind, "inside" if written.isspace() else written))
        pieces.append(meant)
        positions.extend([position] * len(meant))
        position += len(written)
    try:
        expression = parse("".join(pieces), dialect)
    except ExpressionSyntaxError as error:
        error_at = positions[error.position] if error.position < len(positions) else end
        refused = error.text[error.position : error.position + 1]
        return _Refusal(_OTHER_NOTATION.get(refused, error.problem), error_at)
    return TolerantReading(expression, tuple(dict.fromkeys(liberties)))


def _peeled(text: str, start: int, end: int) -> tuple[int, int, Liberty | None]:
    """Return the span without one layer of wrapping, and what that was."""
    stripped = text[start:end].strip()
    if len(stripped) < end - start:
        start = text.index(stripped, start)
        return start, start + len(stripped), Liberty(LibertyKind.SPACES, "around")
    label = _LABEL.match(text, start, end)
    if label:
        return label.end(), end, Liberty(LibertyKind.LABEL, label.group().strip())
    for opening, closing in _AROUND:
        inside = len(stripped) - len(opening) - len(closing)
        if inside > 0 and stripped.startswith(opening) and stripped.endswith(closing):
            return start + len(opening), end - len(closing), Liberty(LibertyKind.QUOTES, opening + closing)
    if stripped.endswith(".") and len(stripped) > 1:
        return start, end - 1, Liberty(LibertyKind.FULL_STOP, ".")
    if stripped.startswith("^"):
        return start + 1, end, Liberty(LibertyKind.ANCHORS, "^")
    if stripped.endswith("$"):
        return start, end - 1, Liberty(LibertyKind.ANCHORS, "$")
    return start, end, None
