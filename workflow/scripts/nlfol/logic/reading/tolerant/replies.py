"""Text around the formula in a model's reply: labels, code fences, emphasis, numbering, explanations.

Nothing is moved: what is dropped becomes blanks, so that every place is a place of the reply.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.reading.tolerant.lexemes import place

_LEAD_IN_WORDS = (
    "the a an my here here's this that it's its is so thus hence and in of for to into as be would can could follows "
    "first order first-order fol logic logical formal formally predicate symbolic final correct resulting "
    "corresponding translated full answer formula sentence translation representation expression notation output "
    "result formalization formalisation form statement written expressed translates premise conclusion step language "
    "symbols solution"
)
_LEAD_IN = re.compile(
    rf"[*_]*(?:(?:{'|'.join(map(re.escape, _LEAD_IN_WORDS.split()))})(?:\s+\d{{1,3}})?(?![\w(])[\s,*_`]*){{1,16}}"
    r"(?:[:：]|(?<=\bis)(?=\s))[\s*_]*(?=\S)",
    re.IGNORECASE,
)
_FINAL = re.compile(
    r"(?im)(?:^|[.!?])[ \t*_#>]{0,20}(?:the\s+)?final\s+(?:answer|formula|fol(?:\s+formula)?|translation)[\s*_]*"
    r"(?:is[\s*_]*)?[:：][*_]*"
)
_FENCE = re.compile(r"```[ \t]*+(?:[\w+-]*+[ \t]*+\n)?((?:[^`]|`(?!``))*)```")
_NUMBER = re.compile(r"(?:\(\d{1,3}\)|\d{1,3}[.)])\s+(?=\S)")
_BULLET = re.compile(r"[*•‣▪●]\s+(?=\S)|#{1,6}\s+|>\s+")
_DASH = re.compile(r"[-–—]\s+(?=\S)")
_PAIRS = (
    ("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$"), ("**", "**"), ("*", "*"), ("__", "__"), ("``", "``"),
    ("`", "`"),
    ('"', '"'), ("“", "”"), ("‘", "’"), ("«", "»"), ("'", "'"),
)  # fmt: skip
_MATHEMATICS = frozenset(["$$", "\\[", "\\(", "$"])
_LOGICAL = re.compile(r"[∀∃∧∨⊕→↔¬⇒⇔⟶⟷∼&|~]|[-=]>|\\[A-Za-z]{2,}|\b(?:forall|exists)\b")
_DENIAL = re.compile(
    r"(?:[(&|>∧∨→↔⊕][ \t]*-[ \t]*|\.[ \t]*-|^[ \t]*-)(?=[^\W\d]|\()",
    re.MULTILINE,
)
"""A dash that can only be a negation: after a connective, parenthesis or quantifier, or without a blank."""
_OTHER_SIGN = re.compile(r"[∀∃∧∨⊕→↔¬∼˜⇒⇔⟶⟷⊃≡~]|!(?!=)|\\[A-Za-z]{2,}|\bnot\b", re.IGNORECASE)
"""A sign of a notation whose negation is not a dash."""
_GOES_ON = re.compile(
    r"\b(?:that|not|and|or|but|if|then|implies|when|unless|iff)\W*$|^\W*(?:and|or|but|if|implies|unless|iff|only)\b"
)

MAX_LINES = 100  # lines of a reply that are each tried as a formula, and code blocks
MAX_MENDED = 2  # code blocks of a reply in which a parenthesis is mended: all its ways are tried


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a reply that may be a formula: the reply with blanks for all else."""

    text: str
    repairs: tuple[str, ...] = ()  # what was dropped around it
    mathematics: bool = False  # whether TeX's signs for mathematics stood around it
    dashed: int | None = None  # where a dash stands before it that is a bullet or a negation
    part: bool = False  # whether it is one of several lines or code blocks, in which no parenthesis is mended


def pieces(reply: str) -> Iterator[Piece]:
    """Yield the parts of a reply that may each be a whole formula: its code blocks if there are any, or all of it."""
    start, repairs = 0, []
    finals = list(_FINAL.finditer(reply))
    if finals:
        start = finals[-1].end()
        before = reply[: finals[-1].start()].strip()
        repairs.append(f"{place(reply, start)}: took what is marked as final" + (", not the rest" if before else ""))
    fences = [fence.span(1) for fence in _FENCE.finditer(reply, start) if fence[1].strip()]
    if len(fences) > MAX_LINES:
        problem = f"{len(fences)} code blocks; at most {MAX_LINES} are read"
        raise FormulaSyntaxError(problem, reply, fences[MAX_LINES][0])
    if fences:
        repairs.append(f"{place(reply, fences[0][0])}: code fence dropped")
        outside = _FENCE.sub("", reply[start:]).strip()
        if outside:
            repairs.append(f"{place(reply, start)}: the text outside the code fence dropped")
    for begin, end in fences or [(start, len(reply))]:
        yield _trimmed(reply, begin, end, repairs, part=len(fences) > MAX_MENDED)


def lines(piece: Piece, most: int) -> list[Piece]:
    """Return the lines that are not empty, without numbers and bullets; none where there are over ``most``."""
    split = piece.text.split("\n")
    if sum(bool(line.strip()) for line in split) > most:
        return []
    written = [line.lstrip() for line in split if line.strip()]
    # A list has two lines at least, each with a dash; one dash is a negation.
    bullets = len(written) > 1 and all(map(_DASH.match, written)) and not _DENIAL.search(piece.text)
    parts, start = list[Piece](), 0
    for line in split:
        end = start + len(line)
        if line.strip():
            parts.append(_trimmed(piece.text, start, end, list(piece.repairs), bullets=bullets, part=True))
        start = end + 1
    return parts


def denies_by_dash(text: str) -> bool | None:
    """Return whether a text writes negation as a dash; None where no sign tells."""
    if _DENIAL.search(text):
        return True
    return False if _OTHER_SIGN.search(text) else None


def is_prose(line: str) -> bool:
    """Return whether a line has nothing of logic, and no sentence that goes on in a formula."""
    return not (_LOGICAL.search(line) or _GOES_ON.search(line.strip()))


def _trimmed(
    reply: str, start: int, end: int, repairs: list[str], *, bullets: bool = False, part: bool = False
) -> Piece:
    """Drop what stands around a formula, from outside inwards, until nothing is left to drop."""
    notes, mathematics, dashed = list(repairs), False, None
    explanation = reply.find(":::", start, end)
    if explanation >= 0:
        notes.append(f"{place(reply, explanation)}: the explanation after ':::' dropped")
        end = explanation
    for _ in range(12):
        while start < end and reply[start].isspace():
            start += 1
        while start < end and reply[end - 1].isspace():
            end -= 1
        if lead := (_LEAD_IN.match(reply, start, end) or _NUMBER.match(reply, start, end)) or _BULLET.match(
            reply, start, end
        ):
            notes.append(f"{place(reply, start)}: {reply[start : lead.end()].strip()!r} before the formula dropped")
            start = lead.end()
        elif (dash := _DASH.match(reply, start, end)) and bullets:
            notes.append(f"{place(reply, start)}: the bullet dropped")
            start = dash.end()
        elif pair := _pair(reply, start, end):
            mathematics |= pair[0] in _MATHEMATICS
            if pair[0] not in _MATHEMATICS:
                notes.append(f"{place(reply, start)}: {pair[0]!r} around the formula dropped")
            start, end = start + len(pair[0]), end - len(pair[1])
        elif (full := reply[start:end]) and full[-1] in ".,;。" and _pair(reply, start, end - 1):
            notes.append(f"{place(reply, end - 1)}: {full[-1]!r} after the formula dropped")
            end -= 1
        elif reply.endswith("**", start, end) and reply.count("**", start, end) == 1:
            end -= 2
        else:
            break
    if _DASH.match(reply, start, end):
        dashed = start
    before, after = ("\n".join([" " * len(line) for line in t.split("\n")]) for t in (reply[:start], reply[end:]))
    return Piece(before + reply[start:end] + after, tuple(notes), mathematics, dashed, part)


def _pair(reply: str, start: int, end: int) -> tuple[str, str] | None:
    """Return the signs around the whole piece that belong together."""
    for opening, closing in _PAIRS:
        if (
            end - start > len(opening) + len(closing)
            and reply.startswith(opening, start)
            and reply.endswith(closing, start, end)
            and reply.find(opening, start + len(opening), end - len(closing)) < 0
            and reply.find(closing, start + len(opening), end - len(closing)) < 0
        ):
            return opening, closing
    return None
