"""Why a text in an infix notation cannot go on as it does."""

from __future__ import annotations

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.reading.tolerant.tokens import ENGLISH, Kind, Lexeme, refuse


def _shown(text: str, lexeme: Lexeme) -> str:
    return repr(text[lexeme.start : lexeme.end]) if lexeme.kind is not Kind.END else "the end"


def no_operand(text: str, lexemes: list[Lexeme], index: int) -> FormulaSyntaxError:
    """The error where a formula should begin."""
    lexeme = lexemes[index]
    if lexeme.kind is Kind.REFUSED:
        return refuse(text, lexeme)
    if lexeme.is_mark(")") and index and lexemes[index - 1].is_mark("("):
        problem = "nothing stands between these parentheses"
    else:
        problem = f"expected a formula, found {_shown(text, lexeme)}"
    return FormulaSyntaxError(problem, text, lexeme.start)


def no_connective(text: str, lexeme: Lexeme, closing: str) -> FormulaSyntaxError:
    """The error after an operand.

    Args:
        text: where the lexeme is.
        lexeme: what stands there.
        closing: the bracket that would close what is open, if anything is.
    """
    shown = _shown(text, lexeme)
    if lexeme.kind is Kind.REFUSED:
        return refuse(text, lexeme)
    if lexeme.is_mark(")", "]", "}"):
        problem = f"expected {closing!r}, found {shown}" if closing else "this parenthesis was never opened"
    elif lexeme.is_mark(","):
        problem = "a list of formulas is no formula: join them with a connective"
    elif lexeme.is_mark(".", ";") and not closing:
        problem = "more follows after the end of a formula"
    elif lexeme.kind is Kind.NAME and lexeme.text.lower() in ENGLISH:
        problem = f"{shown} is an English word: this is prose, not a formula"
    elif lexeme.is_mark("-", "–"):
        problem = "a subtraction has no place in the notation; a negation needs a connective before it"
    else:
        problem = f"expected a connective or the end, found {shown}"
    return FormulaSyntaxError(problem, text, lexeme.start)
