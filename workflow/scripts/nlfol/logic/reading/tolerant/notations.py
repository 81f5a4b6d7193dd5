"""Which of the infix notations a text is in."""

from __future__ import annotations

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.reading.tolerant.tokens import Kind, Lexeme

_PROVER9 = frozenset(["&", "|", "->", "<->", "=", "!="])


def dialect_of(text: str, lexemes: list[Lexeme], features: set[str], *, lean: bool) -> str:
    """The notation of a text, by its signs and what was noticed in it.

    Raises:
        FormulaSyntaxError: if a sign means one thing in the notation and another in all others.
    """
    raw = {text[lexeme.start : lexeme.end] for lexeme in lexemes if lexeme.kind is Kind.SIGN}
    if "tptp" in features:
        return "tptp"
    if "latex" in features:
        if "~" in raw:
            at = next(lexeme.start for lexeme in lexemes if text[lexeme.start : lexeme.end] == "~")
            raise FormulaSyntaxError("'~' is a blank in LaTeX, and a negation elsewhere", text, at)
        return "latex"
    if lean:
        return "lean"
    if "nltk" in features:
        return "nltk"
    plain = raw <= _PROVER9 and not features & {"functional", "ascii_word"}
    if plain and ("prover9" in features or (raw & {"&", "|", "->", "<->"} and features & {"minus", "full_stop"})):
        return "prover9"
    if features & {"ascii", "functional", "prover9", "minus"}:
        return "ascii"
    return "lean" if "lean" in features else "unicode"
