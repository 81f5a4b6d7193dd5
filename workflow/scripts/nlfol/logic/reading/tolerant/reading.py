"""The tolerant reader: what language models write, to a syntax tree with an account of every liberty taken.

A text that the strict reader accepts is read as it reads it. Beyond that there are three kinds of answer: a reading
with repairs where only one formula can be meant, a reading with ambiguities where several can (the others are its
alternatives), and an error with the reason where the text is no formula. Symbols are never guessed: a name is changed
only where its punctuation forces a change. ``logic.decided`` reads formulas for verdicts, which need one meaning.

Two classes of texts that the strict reader accepts are read in another way, where the signature does not declare the
words in question. ``Not(P(a))`` and ``ForAll(x, P(x))`` are for it atoms over function terms; here such words are
operators, and the strict reading is the alternative, under the ambiguity ``word_operator``. ``x_1`` is for it a
constant, unless a quantifier binds it; here it is a variable, as ``x1`` is. A strict text with neither, in which
nothing can be grouped in another way, is not read again.

A name alone is a propositional letter where the signature has it as one, or where the caller takes every name for one;
operators' words, truth values and English function words are letters only where the signature has them.
"""

import dataclasses
import re
from functools import lru_cache
from typing import NamedTuple

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.measuring import Signature, free_variables
from nlfol.logic.naming import valid_name
from nlfol.logic.reading.automaton import Reading
from nlfol.logic.reading.strict import MAX_LENGTH, read_with
from nlfol.logic.reading.tokens import TOKEN, Letters
from nlfol.logic.reading.tolerant.ambiguities import MAX_TOKENS, Ambiguity, TolerantReading, groupings, is_settled
from nlfol.logic.reading.tolerant.infix import read_infix
from nlfol.logic.reading.tolerant.lexemes import OPERATOR_WORDS, Vocabulary, place
from nlfol.logic.reading.tolerant.notations import respelled_notation
from nlfol.logic.reading.tolerant.replies import MAX_LINES, Piece, denies_by_dash, is_prose, lines, pieces
from nlfol.logic.reading.tolerant.strict_tokens import SUBSCRIPTED, Token, is_subscripted, with_equivalences
from nlfol.logic.syntax import Atom, Equality, ForAll, Formula, Function

__all__ = ["close_universally", "read_tolerantly"]

MAX_PROBLEM = 280  # characters of an error message, which quotes names of any length
_LONGEST_KEPT = 2_000  # characters of a text above which its reading is not kept

_SIDE = "(?:∧*|∨*|⊕*)"
_IMPLICATION = f"{_SIDE}(?:→{_SIDE})?"
_GROUPING_SIGN = re.compile("[()∧∨⊕→↔∀∃]")
_ONE_GROUPING = re.compile(f"{_IMPLICATION}(?:↔{_IMPLICATION})*[∀∃]*")
OTHER_NAME = re.compile(rf"\b(?:(?i:{'|'.join(sorted(OPERATOR_WORDS))}|for|there)|{SUBSCRIPTED.pattern})\b")


def read_tolerantly(text: str, *, signature: Signature | None = None, propositions: bool = False) -> TolerantReading:
    """Read the one formula of a model's reply.

    A word of the signature is a symbol, never an operator, and a predicate of no arguments a propositional letter;
    other names that stand alone are such letters where propositions are asked for. Raises ``FormulaSyntaxError``, with
    its place in the reply, if that has no formula, several, or none that can be read.
    """
    if len(text) > MAX_LENGTH:
        raise FormulaSyntaxError(f"{len(text)} characters; at most {MAX_LENGTH} are read", text, MAX_LENGTH)
    reader = _reading if len(text) <= _LONGEST_KEPT else _reading.__wrapped__
    reading = reader(text, Vocabulary.of(signature, propositions=propositions))
    if isinstance(reading, _Unread):
        raise FormulaSyntaxError(reading.problem, text, reading.position)
    return reading


class _Unread(NamedTuple):
    """The problem of a text that cannot be read, and its place."""

    problem: str
    position: int


# One answer is read when it is opened, for a verdict, and to see what was taken with it.
@lru_cache(maxsize=2_048)
def _reading(text: str, vocabulary: Vocabulary) -> TolerantReading | _Unread:
    strict = _strictly(text, vocabulary.letters)
    if strict is not None:
        return _with_equations_doubted(_as_strict(text, strict, vocabulary), vocabulary)
    try:
        return _with_equations_doubted(_read_reply(text, vocabulary), vocabulary)
    except FormulaSyntaxError as error:
        other = _in_another_notation(text, vocabulary)
        if other is not None:
            return other
        return _Unread(_shortened(error.problem), _position(text, error))


def forget() -> None:
    """Drop the readings of texts that were read lately."""
    _reading.cache_clear()
    _line.cache_clear()


def _in_another_notation(text: str, vocabulary: Vocabulary) -> TolerantReading | None:
    """Read a text of another notation respelled in one that is known; None where it is of none."""
    respelled = respelled_notation(text, vocabulary.applicable)
    if respelled is None or len(respelled) > MAX_LENGTH:
        return None
    try:
        reading = _read_reply(respelled, vocabulary)
    except FormulaSyntaxError:
        return None
    reading = dataclasses.replace(reading, repairs=(*reading.repairs, "respelled from another notation"))
    return _with_equations_doubted(reading, vocabulary)


def _with_equations_doubted(reading: TolerantReading, vocabulary: Vocabulary) -> TolerantReading:
    """Note that P(a) = Q(a) could be ↔, and P(a) ≠ Q(a) its negation, where P or Q is a predicate elsewhere."""
    if not reading.formula.profile.has_equality:
        return reading
    symbols = reading.formula.profile.symbols
    predicates = {name for kind, name, _ in symbols if kind == "predicate"} - vocabulary.functions
    if vocabulary.applicable is not None:
        predicates |= vocabulary.applicable - vocabulary.functions

    def between_atoms(equation: Equality) -> bool:
        names = {side.name for side in (equation.left, equation.right) if isinstance(side, Function)}
        applied = isinstance(equation.left, Function) and isinstance(equation.right, Function)
        return applied and not names.isdisjoint(predicates) and names.isdisjoint(vocabulary.functions)

    equivalence = with_equivalences(reading.formula, between_atoms)
    if equivalence is reading.formula:
        return reading
    detail = "'=' between predicates taken as an equation of terms; it could be ↔"
    ambiguity = Ambiguity("equality", detail, equivalence)
    return dataclasses.replace(
        reading,
        ambiguities=tuple(dict.fromkeys((*reading.ambiguities, ambiguity))),
        alternatives=tuple(dict.fromkeys((*reading.alternatives, equivalence))),
    )


def close_universally(formula: Formula) -> Formula:
    """Return the formula with its free variables quantified universally, in alphabetical order from outside."""
    for variable in sorted(free_variables(formula), key=lambda v: v.name, reverse=True):
        formula = ForAll(variable, formula)
    return formula


def _shortened(problem: str) -> str:
    """Return the sentence without the middle of what it quotes, where that is much."""
    half = MAX_PROBLEM // 2
    return problem if len(problem) <= MAX_PROBLEM else f"{problem[:half]} … {problem[-half:]}"


def _position(text: str, error: FormulaSyntaxError) -> int:
    start = 0
    for _ in range(error.line - 1):
        start = text.find("\n", start) + 1
    return start + error.column - 1


def _strictly(text: str, letters: Letters) -> Reading | None:
    try:
        return read_with(text, letters)
    except FormulaSyntaxError:
        return None


def _as_strict(text: str, strict: Reading, vocabulary: Vocabulary) -> TolerantReading:
    scopes = tuple(Ambiguity("quantifier_scope", warning) for warning in strict.warnings)
    account = TolerantReading(strict.formula, "unicode", strict.warnings, scopes)
    declared = vocabulary.declared
    renamed = bool(declared) and any(
        valid_name(name, constant=True) in declared for name in strict.formula.profile.free
    )
    if has_one_reading(text) and not renamed:
        return account
    symbols = strict.formula.profile.symbols
    subscripted = renamed or any(
        kind == "constant" and is_subscripted(name, vocabulary.declared) for kind, name, _ in symbols
    )
    wrapped = isinstance(strict.formula, Atom) and strict.formula.predicate == "fof"
    if not (subscripted or wrapped or len(text) > MAX_TOKENS or OTHER_NAME.search(text)) and is_settled(text):
        return _regrouped(text, account, vocabulary.letters)
    try:
        tolerant = read_infix(text, vocabulary, wrapped=wrapped)
    except FormulaSyntaxError:
        if subscripted:
            raise
        return account  # operators' words that cannot be operators where they stand
    if subscripted or tolerant.formula is strict.formula:
        return dataclasses.replace(tolerant, dialect="unicode")
    applied = {name for kind, name, _ in symbols if kind != "constant"} - vocabulary.declared
    words = sorted(name for name in applied if name.lower() in OPERATOR_WORDS)
    if not words:
        return account
    # Functions begin in lower case, and a role tells fof of TPTP.
    is_term = not wrapped and not any(kind == "function" and name[0].isupper() for kind, name, _ in symbols)
    other = strict.formula if is_term else None
    ambiguity = Ambiguity("word_operator", f"{words[0]!r} taken as an operator; it could be a predicate", other)
    return dataclasses.replace(
        tolerant,
        ambiguities=(*tolerant.ambiguities, ambiguity),
        alternatives=tuple(dict.fromkeys((*tolerant.alternatives, strict.formula))),
    )


def _regrouped(text: str, account: TolerantReading, letters: Letters) -> TolerantReading:
    """Return the account of a strict text, of which only connectives side by side can be grouped in another way."""
    tokens = [Token(token[0], token.start()) for token in TOKEN.finditer(text)]
    others = list(groupings(text, tokens, letters))
    alternatives = dict.fromkeys(other for *_, other in others if other not in (None, account.formula))
    ambiguities = dict.fromkeys(Ambiguity(kind, detail) for kind, detail, _ in others)
    return dataclasses.replace(account, ambiguities=tuple(ambiguities), alternatives=tuple(alternatives))


def has_one_reading(text: str) -> bool:
    """Return whether a strict text has no word for an operator, no subscript, and no other possible grouping.

    It could be grouped in another way where, between two parentheses, a connective follows a quantifier, ∧, ∨ and ⊕
    stand side by side, or → follows →.
    """
    if len(text) > MAX_TOKENS or OTHER_NAME.search(text):
        return False
    levels = [""]
    for sign in _GROUPING_SIGN.findall(text):
        if sign == "(":
            levels.append("")
        elif sign != ")":
            levels[-1] += sign
        elif not _ONE_GROUPING.fullmatch(levels.pop()):
            return False
    return _ONE_GROUPING.fullmatch(levels[0]) is not None


def _read_reply(text: str, vocabulary: Vocabulary) -> TolerantReading:
    readings: list[TolerantReading] = []
    left = MAX_LINES
    for piece in pieces(text):
        found_here, tried = _read_piece(text, piece, vocabulary, left)
        readings += found_here
        left -= tried
    return _one(text, readings)


def _one(text: str, readings: list[TolerantReading]) -> TolerantReading:
    different = len({reading.formula for reading in readings})
    if different > 1:
        problem = f"{different} different formulas found; mark one as the final answer"
        raise FormulaSyntaxError(problem, text, len(text) - len(text.lstrip()))
    if len(readings) > 1:
        note = f"the same formula found {len(readings)} times"
        return dataclasses.replace(readings[0], repairs=(*readings[0].repairs, note))
    return readings[0]


def _read_piece(text: str, piece: Piece, vocabulary: Vocabulary, most: int) -> tuple[list[TolerantReading], int]:
    """Read a piece that is a formula, or whose lines are, with prose between; count the lines that were tried."""
    try:
        return [_read_whole(piece, vocabulary)], 0
    except FormulaSyntaxError as error:
        parts = lines(piece, most)
        if len(parts) < 2:
            raise
        first = error
    readings: list[TolerantReading] = []
    dropped: list[int] = []
    for part in parts:
        try:
            readings.append(_read_whole(part, vocabulary))
        except FormulaSyntaxError as error:
            if not is_prose(part.text):
                raise error if readings else first from None
            dropped.append(len(part.text) - len(part.text.lstrip()))
    if not readings:
        raise first
    notes = tuple(f"{place(text, position)}: a line of prose dropped" for position in dropped)
    return [dataclasses.replace(reading, repairs=(*reading.repairs, *notes)) for reading in readings], len(parts)


def _read_whole(piece: Piece, vocabulary: Vocabulary) -> TolerantReading:
    """Read a piece as one formula, with the repairs made around it."""
    reading = _read_dashed(piece, vocabulary) if piece.dashed is not None else _read_text(piece, piece.text, vocabulary)
    return dataclasses.replace(reading, repairs=(*piece.repairs, *reading.repairs))


def _read_dashed(piece: Piece, vocabulary: Vocabulary) -> TolerantReading:
    """Read a piece with a dash before the formula: Prover9's negation, or a bullet where that gives no formula.

    One line proves no list. It could be a bullet in a notation with another sign for negation, and in prose.
    """
    at = piece.dashed
    assert at is not None
    without = piece.text[:at] + " " + piece.text[at + 1 :]
    try:
        negation = _read_text(piece, piece.text, vocabulary)
    except FormulaSyntaxError:
        bullet = _read_text(piece, without, vocabulary)
        return dataclasses.replace(bullet, repairs=(f"{place(piece.text, at)}: the bullet dropped", *bullet.repairs))
    denies = denies_by_dash(without)
    if denies or (denies is None and not piece.part and piece.text[at] == "-"):
        return negation
    try:
        other = _read_text(piece, without, vocabulary).formula
    except FormulaSyntaxError:
        return negation
    ambiguity = Ambiguity(
        "leading_dash", "the dash before the formula taken as a negation; it could be a bullet", other
    )
    return dataclasses.replace(
        negation,
        ambiguities=(*negation.ambiguities, ambiguity),
        alternatives=tuple(dict.fromkeys((*negation.alternatives, other))),
    )


def _read_text(piece: Piece, text: str, vocabulary: Vocabulary) -> TolerantReading:
    bare = text.strip()
    if not bare:
        raise FormulaSyntaxError("there is no formula", text, len(text))
    # A blank after a backslash is TeX's, and part of the line.
    if not piece.part or "\n" in bare or len(bare) > _LONGEST_KEPT or bare.endswith("\\"):
        return read_infix(text, vocabulary, latex=piece.mathematics, wrapped=True, mend=not piece.part)
    start = text.find(bare)

    def origin(position: int) -> int:
        return start + position if position <= len(bare) else len(text)

    reading = _line(bare, vocabulary, piece.mathematics)
    if isinstance(reading, _Unread):
        raise FormulaSyntaxError(reading.problem, text, origin(reading.position))

    def placed(note: str) -> str:
        return re.sub(r"^column (\d+)(?=:)", lambda column: place(text, origin(int(column[1]) - 1)), note)

    return dataclasses.replace(
        reading,
        repairs=tuple(map(placed, reading.repairs)),
        ambiguities=tuple(dataclasses.replace(doubt, detail=placed(doubt.detail)) for doubt in reading.ambiguities),
    )


# Where formulas are looked for in a list of them, each line stands in many spans that are tried.
@lru_cache(maxsize=2_048)
def _line(text: str, vocabulary: Vocabulary, latex: bool) -> TolerantReading | _Unread:
    """Read a line as one formula, with columns of its own; a blank after it tells the end of the reply from its end."""
    try:
        return read_infix(text + " ", vocabulary, latex=latex, wrapped=True, mend=False)
    except FormulaSyntaxError as error:
        return _Unread(error.problem, error.column - 1)
