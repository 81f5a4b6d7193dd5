"""The tolerant reader: what language models write, to a syntax tree with an account of every liberty taken.

A text that the strict reader accepts is read as it reads it. Beyond that there are three kinds of answer: a reading
with repairs where only one formula can be meant, a reading with ambiguities where several can (the others are its
alternatives), and an error with the reason where the text is no formula. Symbols are never guessed: a name is changed
only where its punctuation forces a change.

Two classes of texts that the strict reader accepts are read in another way, where the signature does not declare the
words in question. ``Not(P(a))`` and ``ForAll(x, P(x))`` are for it atoms over function terms; here such words are
operators, and the strict reading is the alternative, under the ambiguity ``word_operator``. ``x_1`` is for it a
constant, unless a quantifier binds it; here it is a variable, as ``x1`` is.

A name alone is a propositional letter where the signature has it as one, or where the caller takes every name for one;
operators' words, truth values and English function words are letters only where the signature has them.
"""

from __future__ import annotations

import re
from dataclasses import replace

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.measuring import Signature, constants, free_variables
from nlfol.logic.reading.letters import Letters
from nlfol.logic.reading.strict.reading import MAX_LENGTH, Reading, read_with
from nlfol.logic.reading.tolerant.infix import read_infix
from nlfol.logic.reading.tolerant.interpretations import Ambiguity, TolerantReading
from nlfol.logic.reading.tolerant.replies import MAX_LINES, Piece, is_prose, lines, pieces
from nlfol.logic.reading.tolerant.s_expressions import looks_like_s_expression, read_s_expression
from nlfol.logic.reading.tolerant.strict_tokens import is_subscripted, make_names_valid, read_tokens
from nlfol.logic.reading.tolerant.tokens import place
from nlfol.logic.reading.tolerant.vocabulary import OPERATOR_WORDS, Vocabulary
from nlfol.logic.syntax import Atom, ForAll, Formula, Function, distinct_subformulas, subterms, terms

__all__ = ["Ambiguity", "TolerantReading", "close_universally", "read_tolerantly"]

MAX_PROBLEM = 280
"""Characters of an error's sentence, which quotes names of any length."""

_TPTP = re.compile(r"\s*(fof|cnf|tff|tcf|thf)\s*\(\s*(?:\w+|'[^'\n]*')\s*,\s*\w+\s*,")
_ASCII_ONLY = re.compile(r"[\x00-\x7f]*")


def read_tolerantly(text: str, *, signature: Signature | None = None, propositions: bool = False) -> TolerantReading:
    """Read the one formula of a model's reply.

    Args:
        text: the reply.
        signature: the symbols that may be used, if they are known: a word in it is a symbol, never an operator, and a
            predicate of no arguments a propositional letter.
        propositions: whether other names that stand alone are propositional letters, too.

    Raises:
        FormulaSyntaxError: if the reply has no formula or several, or what it has is not one of the notation; line and
            column are those of the reply.
    """
    if len(text) > MAX_LENGTH:
        raise FormulaSyntaxError(f"{len(text)} characters; at most {MAX_LENGTH} are read", text, MAX_LENGTH)
    vocabulary = Vocabulary.of(signature, propositions=propositions)
    strict = _strictly(text, vocabulary.letters)
    if strict is not None:
        return _as_strict(text, strict, vocabulary)
    try:
        return _read_reply(text, vocabulary)
    except FormulaSyntaxError as error:
        raise FormulaSyntaxError(_shortened(error.problem), text, _position(text, error)) from None


def close_universally(formula: Formula) -> Formula:
    """The formula with its free variables quantified universally, in alphabetical order from outside."""
    for variable in sorted(free_variables(formula), key=lambda v: v.name, reverse=True):
        formula = ForAll(variable, formula)
    return formula


def _shortened(problem: str) -> str:
    """The sentence without the middle of what it quotes, where that is much."""
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
    try:
        wrapped = isinstance(strict.formula, Atom) and strict.formula.predicate == "fof"
        tolerant = _read_text(Piece(text), text, vocabulary) if wrapped else read_infix(text, vocabulary)
    except FormulaSyntaxError:
        if any(is_subscripted(name, vocabulary.declared) for name in constants(strict.formula)):
            raise
        # Operators' words that cannot be operators where they stand.
        return TolerantReading(strict.formula, "unicode", strict.warnings, _scope_ambiguities(strict))
    if tolerant.formula is strict.formula:
        return replace(tolerant, dialect="unicode")
    if any(is_subscripted(name, vocabulary.declared) for name in constants(strict.formula)):
        return replace(tolerant, dialect="unicode")
    words = sorted(_symbols(strict.formula) - vocabulary.declared)
    words = [word for word in words if word.lower() in OPERATOR_WORDS]
    if not words:
        return TolerantReading(strict.formula, "unicode", strict.warnings, _scope_ambiguities(strict))
    ambiguity = Ambiguity("word_operator", f"{words[0]!r} taken as an operator; it could be a predicate")
    return replace(
        tolerant,
        ambiguities=(*tolerant.ambiguities, ambiguity),
        alternatives=tuple(dict.fromkeys((*tolerant.alternatives, strict.formula))),
    )


def _scope_ambiguities(strict: Reading) -> tuple[Ambiguity, ...]:
    return tuple(Ambiguity("quantifier_scope", warning) for warning in strict.warnings)


def _symbols(formula: Formula) -> set[str]:
    """The predicates and functions."""
    nodes = list(distinct_subformulas(formula))
    applied = {t.name for node in nodes for term in terms(node) for t in subterms(term) if isinstance(t, Function)}
    return applied | {node.predicate for node in nodes if isinstance(node, Atom)}


def _read_reply(text: str, vocabulary: Vocabulary) -> TolerantReading:
    found: list[TolerantReading] = []
    left = MAX_LINES
    for piece in pieces(text):
        found_here, tried = _read_piece(text, piece, vocabulary, left)
        found += found_here
        left -= tried
    return _one(text, found)


def _one(text: str, found: list[TolerantReading]) -> TolerantReading:
    different = len({reading.formula for reading in found})
    if different > 1:
        problem = f"{different} different formulas found; mark one as the final answer"
        raise FormulaSyntaxError(problem, text, len(text) - len(text.lstrip()))
    if len(found) > 1:
        note = f"the same formula found {len(found)} times"
        return replace(found[0], repairs=(*found[0].repairs, note))
    return found[0]


def _read_piece(text: str, piece: Piece, vocabulary: Vocabulary, most: int) -> tuple[list[TolerantReading], int]:
    """The formulas of a piece: it is one, or its lines are, with prose between them; and how many lines were tried."""
    try:
        return [_read_whole(piece, vocabulary)], 0
    except FormulaSyntaxError as error:
        parts = lines(piece, most)
        if len(parts) < 2:
            raise
        first = error
    found: list[TolerantReading] = []
    dropped: list[int] = []
    for part in parts:
        try:
            found.append(_read_whole(part, vocabulary))
        except FormulaSyntaxError as error:
            if not is_prose(part.text):
                raise error if found else first from None
            dropped.append(len(part.text) - len(part.text.lstrip()))
    if not found:
        raise first
    notes = tuple(f"{place(text, position)}: a line of prose dropped" for position in dropped)
    return [replace(reading, repairs=(*reading.repairs, *notes)) for reading in found], len(parts)


def _read_whole(piece: Piece, vocabulary: Vocabulary) -> TolerantReading:
    """Read a piece as one formula, with the repairs made around it."""
    reading = _read_dashed(piece, vocabulary) if piece.dashed is not None else _read_text(piece, piece.text, vocabulary)
    return replace(reading, repairs=(*piece.repairs, *reading.repairs))


def _read_dashed(piece: Piece, vocabulary: Vocabulary) -> TolerantReading:
    """A dash before a formula is a bullet, or Prover9's negation."""
    at = piece.dashed
    assert at is not None
    without = piece.text[:at] + " " + piece.text[at + 1 :]
    bullet = _read_text(piece, without, vocabulary)
    try:
        negation = _read_text(piece, piece.text, vocabulary)
    except FormulaSyntaxError:
        return replace(bullet, repairs=(f"{place(piece.text, at)}: the bullet dropped", *bullet.repairs))
    first, second = (negation, bullet) if _ASCII_ONLY.fullmatch(piece.text) else (bullet, negation)
    taken = "a negation" if first is negation else "a bullet"
    ambiguity = Ambiguity("leading_dash", f"the dash before the formula taken as {taken}; it could be the other")
    return replace(
        first,
        ambiguities=(*first.ambiguities, ambiguity),
        alternatives=tuple(dict.fromkeys((*first.alternatives, second.formula))),
    )


def _read_text(piece: Piece, text: str, vocabulary: Vocabulary) -> TolerantReading:
    if not text.strip():
        raise FormulaSyntaxError("there is no formula", text, len(text))
    problem: FormulaSyntaxError | None = None
    if looks_like_s_expression(text, vocabulary.letters):
        try:
            return _read_s_expression(text, vocabulary)
        except FormulaSyntaxError as error:
            problem = error
    try:
        unwrapped = _without_tptp_wrapper(text, vocabulary.declared)
        return read_infix(
            unwrapped, vocabulary, latex=piece.mathematics, tptp=unwrapped is not text, mend=not piece.part
        )
    except FormulaSyntaxError as error:
        raise problem or error from None


def _read_s_expression(text: str, vocabulary: Vocabulary) -> TolerantReading:
    found = read_s_expression(text, vocabulary.applicable, vocabulary.letters)
    if len(found.sorts) > 1:
        raise FormulaSyntaxError("several sorts: there is one universe; write predicates", text, 0)
    named = make_names_valid(text, found.tokens, found.names, letters=found.letters, declared=vocabulary.declared)
    reading = read_tokens(text, named.tokens, vocabulary.letters)
    ambiguities = [
        Ambiguity("equality", f"{place(text, position)}: taken as ↔; it could be an equation of terms")
        for position in found.doubtful
    ]
    alternatives: tuple[Formula, ...] = ()
    formula = reading.formula
    if isinstance(formula, Atom) and formula.arguments and "assert" not in text and vocabulary.applicable is None:
        detail = f"{formula.predicate!r} taken as a predicate of the names after it"
        ambiguities.append(Ambiguity("prefix_application", detail))
    if found.doubtful:
        other = read_s_expression(text, vocabulary.applicable, vocabulary.letters, equations=True)
        tokens = make_names_valid(
            text, other.tokens, other.names, letters=other.letters, declared=vocabulary.declared
        ).tokens
        alternatives = (read_tokens(text, tokens, vocabulary.letters).formula,)
    repairs = (*found.repairs, *named.repairs, *reading.warnings)
    return TolerantReading(formula, "smtlib", repairs, tuple(ambiguities), alternatives)


def _without_tptp_wrapper(text: str, declared: frozenset[str]) -> str:
    """The formula of ``fof(name, role, formula).``, with blanks for the rest; the text itself where it is none."""
    wrapper = _TPTP.match(text)
    if wrapper is None or wrapper[1] in declared:
        return text
    if wrapper[1] != "fof":
        raise FormulaSyntaxError(f"{wrapper[1]} is not read here: write fof", text, wrapper.start(1))
    end = len(text.rstrip())
    end -= text.endswith(".", 0, end)
    end = len(text[:end].rstrip())
    if not text.endswith(")", 0, end):
        raise FormulaSyntaxError("the parenthesis of fof is never closed", text, end)
    kept = text[wrapper.end() : end - 1]
    return re.sub(r"[^\n]", " ", wrapper[0]) + kept + " " * (len(text) - end + 1)
