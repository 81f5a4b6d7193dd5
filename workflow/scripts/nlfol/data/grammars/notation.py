"""The notation of right-hand sides: from text to tokens, and from the tokens of a logical language to a template.

``P{clause ∨}`` stands for ``P ∨ P ∨ … ∨ P`` with as many P as the parameter ``clause`` says; a number may stand in its
place. ``ε``, or nothing, is the empty word. Names are ASCII and end where something else begins: ``SΣK`` is S, Σ and K.

A template is a piece of a formula in prefix order: ``(S ∧ S)`` becomes the symbols ``∧ 0 0``, a sign, and for each
nonterminal its number. Put together in the order of a derivation they are the whole formula in Łukasiewicz's notation,
so that no text is written and read. That gives the same tree as reading the text would, because a nonterminal stands
only where all that it can become binds tightly enough; grammars in which it does not are refused.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from nlfol.data.grammars.grammar import EQUATION, LEAF, GrammarError, Hole, Template, Token, TokenKind
from nlfol.logic.infix import PRECEDENCE

if TYPE_CHECKING:
    import pyparsing as pp

MAX_TOKENS = 500
"""Tokens of one right-hand side."""

_LOOSE, _PREFIX, ATOMIC = 0, 6, 7
_MAX_NESTING = 50
_FORMULA = "a formula, a nonterminal or a slot"
_RELATION = "= or ≠"


@dataclass(frozen=True)
class Alphabet:
    """The terminals of one language: slots that a vocabulary fills, signs, and other spellings of slots."""

    slots: Collection[str]
    signs: Collection[str]
    aliases: Mapping[str, str]


ALPHABETS: Mapping[str, Alphabet] = {
    "propositional": Alphabet(("LETTER",), "()¬∧∨⊕→↔", {}),
    "first_order": Alphabet(("PREDICATION", "TERM", "VARIABLE"), "()¬∧∨⊕→↔∀∃=≠", {"ATOM": "PREDICATION"}),
    "regular": Alphabet(("DIGIT",), "()*+?|", {"Σ": "DIGIT"}),
}


class _Written(NamedTuple):
    column: int
    name: str
    times: str
    joint: str
    sign: str


@cache
def _writing() -> pp.ParserElement:
    """Return the grammar of names, repetitions and signs."""
    import pyparsing as pp  # reading is rare, and the import takes as long as the rest of a start

    name = pp.Regex("[A-Za-z][A-Za-z0-9_]*")
    times = name | pp.Regex("[0-9]{1,3}")
    repetition = "{" + times("times") + pp.Opt(pp.White(" ")) + pp.Opt(pp.Regex(r"[^\s{}]")("joint")) + "}"
    written = name("name") + pp.Opt(repetition) | pp.Regex(r"[^\sε]")("sign")
    written.set_parse_action(lambda _, position, tokens: _Written(position + 1, *map(tokens.get, _Written._fields[1:])))
    skipped = pp.Regex(r"[\sε]+").suppress()
    grammar: pp.ParserElement = (written | skipped)[...].leave_whitespace().parse_with_tabs()
    return grammar


def scan(text: str, alphabet: Alphabet, nonterminals: Collection[str], parameters: Mapping[str, int]) -> list[Token]:
    """Return the tokens of a right-hand side, its repetitions written out; raises `GrammarError` at a foreign name."""
    tokens: list[Token] = []
    written: _Written
    for written in _writing().parse_string(text, parse_all=True):
        if written.name:
            token = _named(written, alphabet, nonterminals)
            times, joint = _repetition(written, alphabet, parameters)
            tokens += [token, *[*joint, token] * (times - 1)]
        else:
            tokens.append(_sign(written.sign, alphabet, written.column))
        if len(tokens) > MAX_TOKENS:
            raise GrammarError(f"more than {MAX_TOKENS} signs; split the alternative into several rules")
    return tokens


def _named(written: _Written, alphabet: Alphabet, nonterminals: Collection[str]) -> Token:
    if written.name in nonterminals:
        return Token(TokenKind.NONTERMINAL, written.name)
    slot = alphabet.aliases.get(written.name, written.name)
    if slot in alphabet.slots:
        return Token(TokenKind.SLOT, slot)
    raise GrammarError(
        f"column {written.column}: {written.name!r} is neither a rule nor one of the slots "
        f"{', '.join(alphabet.slots)}; add a rule for it, or put a blank between two names"
    )


def _sign(sign: str, alphabet: Alphabet, column: int) -> Token:
    if sign in alphabet.aliases:
        return Token(TokenKind.SLOT, alphabet.aliases[sign])
    if sign in alphabet.signs:
        return Token(TokenKind.SIGN, sign)
    raise GrammarError(f"column {column}: {sign!r} is no sign of the language; it has {' '.join(alphabet.signs)}")


def _repetition(written: _Written, alphabet: Alphabet, parameters: Mapping[str, int]) -> tuple[int, list[Token]]:
    times, column = written.times, written.column
    if not times:
        return 1, []
    if not times.isdigit() and times not in parameters:
        raise GrammarError(f"column {column}: no parameter {times!r}; add it under 'parameters', or write a number")
    number = int(times) if times.isdigit() else parameters[times]
    if not 1 <= number <= MAX_TOKENS:
        raise GrammarError(f"column {column}: {number} times; 1 to {MAX_TOKENS} are possible")
    return number, [_sign(written.joint, alphabet, column)] if written.joint else []


def read_template(tokens: Sequence[Token], numbers: Mapping[str, int]) -> Template:
    """Return the template of an alternative; raises `GrammarError` unless it is a formula with nonterminals in it."""
    from pyparsing import ParseBaseException

    if max(accumulate((t.text == "(") - (t.text == ")") for t in tokens), default=0) > _MAX_NESTING:
        raise GrammarError(f"nested deeper than {_MAX_NESTING}; split the alternative into several rules")
    text = " ".join(token.text for token in tokens)
    try:
        template: Template = _formula(tuple(numbers)).parse_string(text, parse_all=True)[0]
    except ParseBaseException as error:
        raise GrammarError(_problem(error.msg.removeprefix("Expected "), text[error.loc :].partition(" ")[0])) from None
    return template


def _problem(expected: str, token: str) -> str:
    if expected == "end of text":
        return f"unexpected {token!r} after a complete formula"
    if expected in (_FORMULA, _RELATION) and not token:
        return "the formula is not complete"
    if expected == _FORMULA:
        return f"unexpected {token!r}; {_FORMULA} stands here"
    if expected == _RELATION:
        return "TERM stands in an equation, as in 'TERM = TERM'; for an atom write PREDICATION"
    return f"{expected} expected" + (f" before {token!r}" if token else " at the end")


@lru_cache(maxsize=16)
def _formula(nonterminals: tuple[str, ...]) -> pp.ParserElement:
    """Return the grammar of the right-hand sides of a logical language, whose tokens stand between blanks."""
    import pyparsing as pp

    term, variable = (pp.Keyword(slot).set_name(repr(slot)).suppress() for slot in ("TERM", "VARIABLE"))
    nonterminal = pp.one_of(nonterminals, as_keyword=True).set_parse_action(
        lambda tokens: Template((number := nonterminals.index(tokens[0]),), None, (Hole(number, _LOOSE),))
    )
    atom = pp.one_of("LETTER PREDICATION", as_keyword=True).set_parse_action(lambda: Template((LEAF,), ATOMIC, ()))
    equation = (term - pp.one_of("= ≠").set_name(_RELATION) - term).set_parse_action(
        lambda tokens: Template((EQUATION,) if tokens[0] == "=" else ("¬", EQUATION), ATOMIC, ())
    )
    formula = pp.Forward()
    group = (pp.Suppress("(") - formula - pp.Suppress(")")).set_parse_action(
        lambda tokens: Template(tokens[0].symbols, ATOMIC, tokens[0].holes)
    )
    prefix = "¬" | pp.one_of("∀ ∃") - variable
    operand = (prefix[...] + (nonterminal | atom | equation | group).set_name(_FORMULA)).set_parse_action(_prefixed)
    formula <<= (operand + (pp.one_of(list(PRECEDENCE)) - operand)[...]).set_parse_action(_grouped)
    return formula


def _prefixed(tokens: pp.ParseResults) -> Template:
    piece: Template
    *signs, piece = tokens
    for sign in reversed(signs):
        piece = Template((sign, *piece.symbols), _PREFIX, piece.holes_below(_PREFIX))
    return piece


def _grouped(tokens: pp.ParseResults) -> Template:
    """Join operands by their connectives, those that bind tighter first; → groups to the right, others to the left."""
    operands: list[Template] = list(tokens[::2])
    signs: list[str] = list(tokens[1::2])
    while signs:
        tightest = max(map(PRECEDENCE.__getitem__, signs))
        indices = [index for index, sign in enumerate(signs) if PRECEDENCE[sign] == tightest]
        index = indices[-1 if signs[indices[0]] == "→" else 0]
        sign, left, right = signs.pop(index), operands[index], operands.pop(index + 1)
        to_right = sign == "→"
        holes = left.holes_below(tightest + to_right) + right.holes_below(tightest + (not to_right))
        operands[index] = Template((sign, *left.symbols, *right.symbols), tightest, holes)
    return operands[0]
