"""Copies of the notation in what should be English: repeating the formula loses no meaning and translates nothing.

Four things are copies:

* a *sign* of the notation, in Unicode, LaTeX or ASCII, other than the equality sign;
* a *spelled* sign: words for a bracket, such as "open parenthesis": text that needs them is the notation read aloud;
* an *application*: a symbol of the vocabulary with arguments in parentheses;
* a *formula*: the longest run of tokens that reads as one with an operator, be it a word between parentheses
  (``(p1 and p2)``), or as an *expression* with an operator or with two letters in parentheses.

Names that stand alone, digits, and letters in quotation marks are none. Nor is what the vocabulary itself says: signs
inside its glosses, and the symbols that the unambiguous style of English puts in brackets after a literal whose text
would be misread (``“x and y or z meet” [Meet(x, y, z)]``), where it is that very literal's own text. The plural of a
name (``cat(s)``) and Markdown's emphasis are English.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain, groupby, islice, pairwise
from typing import Literal

from nlfol.logic.english.lexicon import lexicon, read_symbols
from nlfol.logic.english.wording import EnglishLengthError
from nlfol.logic.errors import LogicError
from nlfol.logic.languages.language import LanguageName, ReadingError, UnknownSymbolError
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.ontology import SLOT, Ontology
from nlfol.logic.reading.tolerant.lexemes import Lexeme, LexemeKind, scan
from nlfol.logic.syntax import FREE_VARIABLE

CopyKind = Literal["sign", "spelled", "application", "formula", "expression", "encoded"]
"""Kinds of copies; an ``encoded`` text is one as a whole (``tasks.encoded``)."""

_REMEMBERED = 4096
"""Texts whose copies are kept: a plan reads the replies so far again at each step."""
_ATTEMPTS = 200
"""Parts of a run of tokens that are read in search of the longest formula; where none is one, its signs count."""
_READ = 100_000
"""Characters that are read in all for it."""
_CONSIDERED = 20_000
"""Parts that are looked at to find these."""

_QUOTES = str.maketrans(dict.fromkeys("\"'`“”‘’«»", " "))
_OPERATORS = frozenset(["and", "or", "not", "implies", "iff", "xor"])
"""Words for operators that formulas are written with, too."""
_SUFFIXES = frozenset(["s", "es", "ies", "d", "ed", "r", "er", "rs", "ers", "n", "en", "ing", "ly"])
"""Endings in parentheses after a word of English, as in ``cat(s)``."""
_SYMBOLS = re.compile(r"” \[([^\]]*)\]")
_APPLIED = re.compile(r"(?<!\w)(\w+)(\s*)\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_BANG = re.compile(r"(?<![\w!])!(?=[\w(])")
_EMPHASIS = re.compile(r"(?:(?<=\s)|^)(\*{1,3})(?=[^\s*])[^*\n]*[^\s*]\1(?!\w)|^[ \t]*\*(?= )", re.MULTILINE)
_SPELLED = re.compile(
    r"\b(?:open(?:ing|s)?|left|clos(?:e|es|ing)|right|end(?:ing|s)?)[ -]+(?:the[ -]+)?(?:round[ -]+)?"
    r"(?:brackets?|paren(?:s|thes[ie]s)?)\b",
    re.IGNORECASE,
)
_WORDS = {
    "¬": "not", "∧": "and", "∨": "or", "⊕": "xor", "→": "implies", "↔": "iff", "∀": "for all", "∃": "there is",
    "=": "equals", "≠": "is not", "(": "open bracket", ")": "close bracket",
    "*": "star", "+": "plus", "?": "maybe", "|": "or", ",": "comma",
}  # fmt: skip
_STARS = re.compile(r"\\?\*|\^?\{?\\ast\}?|[∗⋆⁎＊]")


@dataclass(frozen=True, slots=True)
class Copy:
    """A copied piece with its span in the text."""

    kind: CopyKind
    start: int
    end: int


@lru_cache(maxsize=_REMEMBERED)
def copies(text: str, ontology: Ontology, language: LanguageName) -> tuple[Copy, ...]:
    """Return the pieces of a notation in a text that should be English, in their order; none lies in another."""
    spelled = (Copy("spelled", *match.span()) for match in _SPELLED.finditer(text))
    if language == "regular":
        return _outermost([*spelled, *_expressions(text, ontology)])
    own = own_passages(text, ontology)
    pieces = chain(spelled, _applications(text, ontology), _formulas(text, ontology, language))
    return _outermost(copy for copy in pieces if not any(start <= copy.start and copy.end <= end for start, end in own))


def transliterated(formula: str) -> str:
    """Return a formula or expression with a word for each sign."""
    return " ".join("".join(f" {_WORDS[sign]} " if sign in _WORDS else sign for sign in formula).split())


def described(text: str, passages: Sequence[Copy]) -> str:
    """Describe the copies in a text, with their places."""
    return "; ".join(f"{copy.kind} at {copy.start}-{copy.end}: {text[copy.start : copy.end]}" for copy in passages)


def _outermost(passages: Iterable[Copy]) -> tuple[Copy, ...]:
    kept: list[Copy] = []
    for copy in sorted(passages, key=lambda copy: (copy.start, -copy.end)):
        if not kept or copy.end > kept[-1].end:
            kept.append(copy)
    return tuple(kept)


# Formulas


def own_passages(text: str, ontology: Ontology) -> list[tuple[int, int]]:
    """Return the spans of the vocabulary's own glosses, with signs or parentheses, and of its quoted literals."""
    spans = [match.span() for piece in _odd_pieces(ontology) for match in piece.finditer(text)]
    for match in _SYMBOLS.finditer(text):
        try:
            quoted = lexicon(ontology).literal(read_symbols(match[1]))
        except (LogicError, EnglishLengthError):
            continue
        if text.endswith(quoted, 0, match.end()):
            spans.append((match.end() - len(quoted), match.end()))
    return spans


@lru_cache(maxsize=1024)
def _odd_pieces(ontology: Ontology) -> tuple[re.Pattern[str], ...]:
    glosses = (
        *(gloss for predicate in ontology.predicates for gloss in (predicate.positive, predicate.negative)),
        *(function.meaning for function in ontology.functions),
        *(constant.meaning for constant in ontology.constants),
    )
    pieces = {piece for gloss in glosses for piece in gloss.split(SLOT)}
    odd = sorted(piece for piece in pieces if "(" in piece or next(_signs(piece), None) is not None)
    return tuple(re.compile(re.escape(piece), re.IGNORECASE) for piece in odd)


def _signs(text: str) -> Iterator[tuple[int, int]]:
    for lexeme in scan(text.translate(_QUOTES)).lexemes:
        if _is_operator(lexeme):
            yield lexeme.start, lexeme.end
    for match in _BANG.finditer(text):
        yield match.span()


def _is_operator(lexeme: Lexeme) -> bool:
    return lexeme.kind is LexemeKind.QUANTIFIER or (lexeme.kind is LexemeKind.SIGN and lexeme.text != "=")


def _applications(text: str, ontology: Ontology) -> Iterator[Copy]:
    arities = {predicate.name.lower(): predicate.arity for predicate in ontology.predicates if predicate.arity}
    arities |= {function.name.lower(): function.arity for function in ontology.functions}
    terms = {constant.name for constant in ontology.constants}
    for match in _APPLIED.finditer(text):
        name, gap, inside = match.groups()
        arity = arities.get(name.lower())
        arguments = [argument.strip() for argument in inside.split(",")]
        if arity is None or not inside.strip():
            continue
        if gap:
            # "the cat (Tom)" is English; what stands there as in the notation is not.
            plain = all(argument in terms or FREE_VARIABLE.fullmatch(argument) for argument in arguments)
            applied = plain and arguments[0][:1].isalpha() and len(arguments) == arity
        else:
            applied = arguments[0] in terms or arguments[0].lower() not in _SUFFIXES
        if applied:
            yield Copy("application", *match.span())


def _formulas(text: str, ontology: Ontology, language: LanguageName) -> Iterator[Copy]:
    for match in _BANG.finditer(text):
        yield Copy("sign", *match.span())
    plain = text.translate(_QUOTES)
    for run in _runs(scan(plain).lexemes, ontology):
        span = _longest(plain, run, ontology, language)
        if span is not None:
            yield Copy("formula", *span)
        for lexeme in filter(_is_operator, run):
            yield Copy("sign", lexeme.start, lexeme.end)


def _runs(lexemes: Sequence[Lexeme], ontology: Ontology) -> Iterator[list[Lexeme]]:
    """Yield the longest runs of tokens of which formulas consist."""
    names = _OPERATORS | ontology.predicate.keys() | ontology.function.keys()
    names |= {constant.name for constant in ontology.constants}
    names |= {name.text for sign, name in pairwise(lexemes) if sign.kind is LexemeKind.QUANTIFIER}

    def belongs(lexeme: Lexeme) -> bool:
        if lexeme.kind is LexemeKind.NAME:
            return lexeme.text in names or FREE_VARIABLE.fullmatch(lexeme.text) is not None
        return lexeme.kind in (LexemeKind.SIGN, LexemeKind.QUANTIFIER) or lexeme.is_mark(*"()[],.:")

    return (list(run) for within, run in groupby(lexemes, belongs) if within)


def _longest(text: str, run: Sequence[Lexeme], ontology: Ontology, language: LanguageName) -> tuple[int, int] | None:
    """Return the span of the longest part of a run that reads as a formula with an operator; None if there is none.

    A part with a sign holds the first one. Words for operators stand between bare names in English, too: with them
    alone, a part in parentheses counts if it is over the vocabulary.
    """
    sign = next((index for index, lexeme in enumerate(run) if _is_operator(lexeme)), None)
    depth = [0, *accumulate(lexeme.is_mark("(") - lexeme.is_mark(")") for lexeme in run)]
    if sign is not None:
        parts: Iterator[tuple[int, int]] = islice(_longest_first(len(run), sign), _CONSIDERED)
    elif any(lexeme.text in _OPERATORS for lexeme in run):
        parts = _groups(run)
    else:
        return None
    balanced = ((first, last) for first, last in parts if depth[first] == depth[last + 1])
    attempts = min(_ATTEMPTS, 1 + _READ // (run[-1].end - run[0].start))
    for first, last in islice(balanced, attempts):
        start, end = run[first].start, run[last].end
        if not run[last].is_mark(",", ".", ":") and _is_formula(text[start:end], ontology, language, sign is None):
            return start, end
    return None


def _is_formula(text: str, ontology: Ontology, language: LanguageName, of_words: bool) -> bool:
    spoken = LANGUAGES[language]
    try:
        spoken.check(spoken.read(text, ontology).sentence, ontology)
    except ReadingError:
        return False
    except UnknownSymbolError:
        return not of_words
    return True


def _groups(run: Sequence[Lexeme]) -> Iterator[tuple[int, int]]:
    """Return the first and last places of what is in parentheses, the longest first."""
    opened: list[int] = []
    groups: list[tuple[int, int]] = []
    for index, lexeme in enumerate(run):
        if lexeme.is_mark("("):
            opened.append(index)
        elif lexeme.is_mark(")") and opened:
            groups.append((opened.pop(), index))
    return iter(sorted(groups, key=lambda part: part[0] - part[1]))


def _longest_first(length: int, index: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last place of each part that holds a place, the longest parts first."""
    for size in range(length, 0, -1):
        for first in range(max(0, index - size + 1), min(index, length - size) + 1):
            yield first, first + size - 1


# Expressions


def _expressions(text: str, ontology: Ontology) -> Iterator[Copy]:
    letters = "".join(filter(str.isalnum, ontology.alphabet))
    plain = _EMPHASIS.sub(lambda match: match[0].replace("*", " "), text)
    for match in _STARS.finditer(plain):
        yield Copy("sign", *match.span())
    signs = re.escape("".join({*"()*|+?ε", *letters}))
    for match in re.finditer(rf"(?<!\w)[{signs}]*[{signs}](?!\w)", plain):
        for start, end in _read_parts(match[0]):
            yield Copy("expression", match.start() + start, match.start() + end)


def _read_parts(run: str) -> Iterator[tuple[int, int]]:
    """Yield the span of the longest part of a run that reads as an expression with an operator or a group."""
    grouped = re.search(r"\(\w{2,}\)", run)
    if not ("*" in run or "|" in run or grouped or re.search(r"[\w)][+?].", run)):
        return
    index = next(index for index, sign in enumerate(run) if not sign.isalnum())
    for first, last in islice(_longest_first(len(run), index), _ATTEMPTS):
        part = run[first : last + 1]
        if part.count("(") != part.count(")"):
            continue
        try:
            LANGUAGES["regular"].parse(part)
        except ReadingError:
            continue
        yield first, last + 1
        return
