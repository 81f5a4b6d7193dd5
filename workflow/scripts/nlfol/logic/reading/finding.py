"""Finding the formulas in a text: the maximal spans that are closed formulas over a signature, each with its place.

A text is split where no formula can go on: at words that are neither symbols nor operators nor variables, at quotes and
marks of emphasis, at empty lines. In each run the longest span from the first place on that the tolerant reader takes
for a closed formula over the signature is a formula; the search goes on behind it. Spans whose parentheses do not match
are none, so that nothing is mended. The number of spans that are tried is bounded.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.measuring import Signature
from nlfol.logic.naming import valid_name
from nlfol.logic.reading.strict import formula_of
from nlfol.logic.reading.tolerant.lexemes import OPERATOR_WORDS, Vocabulary
from nlfol.logic.reading.tolerant.reading import OTHER_NAME, has_one_reading, read_tolerantly
from nlfol.logic.syntax import Formula

MAX_TRIED = 300
"""Spans of a text that are read."""
MAX_CHARACTERS = 60_000
"""Characters of all the spans that are read."""
MAX_SPAN = 4_000
"""Characters of a span."""
_SCANNED = 8
"""Characters scanned for ends that cost as much as one that is read."""
_MOST_ENDS = 12
"""Ends that are tried for one beginning."""

_TOKEN = re.compile(
    r"\\<\^?\w{1,30}>|\\{1,4}u[0-9a-fA-F]{4}|&#?\w{1,12};|\\[A-Za-z]{1,30}|\\[()\[\]]|\\.|:::|\n[ \t]*\n\s*|\s+"
    r"|[^\W_]\w*|_+|.",
    re.DOTALL,
)
_SPLITS = frozenset('"“”„«»`*#$;•%…≡—–_') | {":::", "\\(", "\\)", "\\[", "\\]", "\\boxed", "\\equiv", "\\text"}
_SIGNS = re.compile(r"[∀∃∧∨→↔¬⊕]|\\(?:forall|exists|land|lor|neg|lnot|wedge|vee|rightarrow|to)\b|&(?:forall|exist);")
_QUANTIFIERS = frozenset(("∀", "∃", "∄", "\\forall", "\\exists", "forall", "exists", "all", "Forall", "Exists"))
_BEGINS = frozenset("∀∃∄¬~(!?-") | frozenset(
    ("\\forall", "\\exists", "\\nexists", "\\neg", "\\lnot", "\\+", "forall", "exists", "all", "some", "not", "ForAll",
     "Exists", "Forall", "Not", "And", "Or", "Implies", "Iff", "fof", "\\<forall>", "\\<exists>", "\\<not>", "&forall;",
     "&exist;", "&not;", "\\left", "\\mathrm", "\\mathit", "\\mathsf", "\\text", "\\operatorname", "there")
)  # fmt: skip
_ENTITY = re.compile(r"\\{1,4}u(?:2200|2203|00ac)|&#(?:8704|8707|172|x2200|x2203|xac);", re.IGNORECASE)
_FONT = re.compile(r"\\(?:text|mathrm|mathit|mathsf|mathbf|operatorname)\{\w+\}")
_BEFORE_OPERAND = frozenset("∀∃¬∧∨⊕→↔")
_OF_TPTP = 6
"""Tokens of ``fof(name, role,``."""
_VARIABLE = re.compile(r"[A-Za-z](?:_?\d{1,3})?")
_WORDS = frozenset(("and", "or", "not", "xor", "implies", "iff", "all", "some", "for", "there", "equivalent", "equiv"))


_GOES_ON = re.compile(
    r"\s{0,9}(?:[∧∨⊕→↔≠⟶⇒⟷⇔&]|=(?!\s?[\"“])|\|(?!\s{0,9}(?:\n|\Z))|<?[-=]+>|/\\|\\/|\\(?:land|lor|to|wedge|vee|rightarrow)\b)"
)
_WAS_ON = re.compile(
    r"(?:[\w)\]]\s?(?:[∧∨⊕↔≠⟷⇔&]|/\\|\\/)|[)\]]\s?(?:[→⟶⇒=]|[-=]>))\s?[¬~(]{0,9}\s?\Z|[∀∃]\w{1,20}[\s.(]{0,3}\Z"
)
_STRICT = re.compile(r"[A-Za-z0-9_ ,()¬∧∨⊕→↔∀∃=≠]{1,2000}")
"""Characters of the strict notation alone."""
_BLANKS = re.compile(r"[ (¬] | \)|\w ?→")
_LEADS = re.compile(r"^[(¬]|[∀∃]\w+ ?\(*¬|\({3}|[(¬]{9}")
"""Signs between a formula and the connective or quantifier before it."""

_TITLE = re.compile(r"(?:fol|translation|formula|logic)\s?\([^()\n]{1,300}\)\s?=\s?\Z", re.IGNORECASE)
"""A function's name for the formula of a sentence: "FOL(S) = …"."""


class Span(NamedTuple):
    """A formula with its place in a text; None where it is but a part of something else that is no formula."""

    start: int
    end: int
    formula: Formula | None


class _Token(NamedTuple):
    text: str
    start: int
    end: int


def formulas_in(text: str, signature: Signature) -> list[Span]:
    """Return the maximal spans of a text that are closed formulas over a signature, in their order."""
    found: list[Span] = []
    tried, left = 0, MAX_CHARACTERS
    has_letters = bool(signature.letters)
    for run in _runs(text, signature):
        index = 0
        while index < len(run) and tried < MAX_TRIED and left > 0:
            if not _begins(text, run, index, signature):
                index += 1
                continue
            left -= min(MAX_SPAN, run[-1].end - run[index].start) // _SCANNED
            for end in _ends(text, run, index):
                tried += 1
                left -= run[end].end - run[index].start
                is_none = not has_letters and _ends_in_name(run, index, end)
                span = text[run[index].start : run[end].end]
                if not is_none and (formula := closed_formula(span, signature)) is not None:
                    found.append(_whole(text, run[index].start, run[end].end, formula))
                    index = end
                    break
                if tried >= MAX_TRIED or left <= 0:
                    break
            index += 1
    return found


def _whole(text: str, start: int, end: int, formula: Formula) -> Span:
    """Return the span of a formula, which is a part of something else where a connective stands beside it."""
    is_part = _GOES_ON.match(text, end) or (
        _WAS_ON.search(text[max(0, start - 40) : start]) and not _TITLE.search(text[max(0, start - 320) : start])
    )
    return Span(start, end, None if is_part else formula)


def closed_formula(text: str, signature: Signature) -> Formula | None:
    """Return the closed formula over a signature that a text is; None if it is none."""
    try:
        formula = read_tolerantly(text, signature=signature).formula
    except FormulaSyntaxError:
        return None
    return formula if is_closed_over(formula, signature) else None


def is_closed_over(formula: Formula, signature: Signature) -> bool:
    """Return whether a formula is closed, and all its symbols are in a signature."""
    return not formula.profile.free and signature.covers(formula)


def lone_formula(text: str, signature: Signature) -> Formula | None:
    """Return the formula that a text is in the strict notation; it may be open, or over other symbols.

    It is what the tolerant reader makes of the text, and ``formulas_in`` finds nothing else there that could be an
    answer. None where only these can tell, as where the signature has letters.
    """
    if _STRICT.fullmatch(text) is None or signature.letters:
        return None
    formula = formula_of(text, tight=True)
    # Other scopes could close an open formula; of a closed one they are noted alone.
    if formula is None or OTHER_NAME.search(text) or (formula.profile.free and not has_one_reading(text)):
        return None
    if is_closed_over(formula, signature):
        return formula
    declared = Vocabulary.of(signature).declared
    is_name = any(valid_name(name, constant=True) in declared for name in formula.profile.free)
    return None if is_name or not _is_undivided(text) else formula


def _is_undivided(text: str) -> bool:
    """Return whether ``formulas_in`` finds nothing but parts of something else in a formula that it does not find.

    The text is in the strict notation. What it holds of other formulas stands beside a connective or behind a
    quantifier. Only behind an equation, or with blanks or parentheses beyond the usual, are they not seen to be parts.
    """
    ends = 2 * text.count("(") + text.count("∀") + text.count("∃")
    return not (_BLANKS.search(text) or (ends > _MOST_ENDS and _LEADS.search(text)))


def _runs(text: str, signature: Signature) -> Iterator[list[_Token]]:
    """Yield the runs of tokens in which a formula can stand; blanks are left out."""
    declared = {*signature.predicates, *signature.functions, *signature.constants}
    has_signs = _SIGNS.search(text) is not None or _ENTITY.search(text) is not None
    run: list[_Token] = []
    table = {line.start() + at for line in re.finditer(r"^[ \t]*\|[^\n]*\|[ \t]*$", text, re.MULTILINE)
             for at, sign in enumerate(line[0]) if sign == "|"}  # fmt: skip
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token.isspace():
            if "\n" in token and re.search(r"\n[ \t]*\n", token) and run:
                yield run
                run = []
            continue
        is_word = token[0].isalnum()
        fits = match.start() not in table and token not in _SPLITS
        if token == "\\text" and _FONT.match(text, match.start()):
            fits = True
        if is_word and fits:
            fits = _fits(token, run, declared, has_signs)
        if fits:
            run.append(_Token(token, match.start(), match.end()))
        elif run:
            yield run
            run = []
    if run:
        yield run


def _fits(word: str, run: list[_Token], declared: set[str], has_signs: bool) -> bool:
    """Return whether a word can stand in a formula."""
    if word in declared or _VARIABLE.fullmatch(word) or word[0].upper() + word[1:] in declared:
        return True
    before = run[-1].text if run else ""
    if before in _QUANTIFIERS or (before == ":" and len(run) > 1 and _VARIABLE.fullmatch(run[-2].text)):
        return True
    if run and run[0].text == "fof" and len(run) < _OF_TPTP:
        return True
    if len(run) > 2 and _VARIABLE.fullmatch(before) and run[-2].text == "(" and run[-3].text in "()":
        return True  # a sort in SMT-LIB
    low = word.lower()
    return low in OPERATOR_WORDS and (low not in _WORDS or not has_signs)


def _begins(text: str, run: list[_Token], index: int, signature: Signature) -> bool:
    token = run[index].text
    if token in ("!", "?", "-"):  # marks of a sentence, and bullets
        after_word = run[index].start > 0 and (
            text[run[index].start - 1].isalnum() or text[run[index].start - 1] in ")'"
        )
        return not after_word and text[run[index].end : run[index].end + 1].strip() != ""
    if token == "(" and text[run[index].start - 1 : run[index].start].isalnum():  # what an unknown name is applied to
        return False
    if token in _BEGINS or _ENTITY.fullmatch(token) or token in signature.predicates:
        return True
    after = run[index + 1].text if index + 1 < len(run) else ""
    return (token in signature.constants or token in signature.functions) and after in ("=", "≠", "!", "(")


def _ends_in_name(run: list[_Token], first: int, last: int) -> bool:
    """Return whether a span ends in a name that is but begun to be applied, or quantified: it is no formula."""
    return run[last].text[0].isalnum() and (first == last or run[last - 1].text in _BEFORE_OPERAND)


def _ends(text: str, run: list[_Token], first: int) -> Iterator[int]:
    """Yield the places where a formula can end that begins at one, the last first: parentheses match up to there."""
    ends: list[int] = []
    depth = 0
    for index in range(first, len(run)):
        token = run[index].text
        if run[index].end - run[first].start > MAX_SPAN:
            break
        if depth == 0 and token[0].isalpha() and token.lower() not in OPERATOR_WORDS and index > first:
            before = run[index - 1]
            if before.text == ")" and "\n" in text[before.end : run[index].start]:  # another one, on its own line
                break
        depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
        if depth < 0:
            break
        if depth == 0 and (token in (")", "]", "}") or token[0].isalnum()):
            ends.append(index)
    yield from ends[: -_MOST_ENDS - 1 : -1]
