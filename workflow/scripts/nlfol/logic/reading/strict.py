"""The strict reader: Unicode notation to syntax tree, nothing accepted that is not understood.

Connectives, tightest first: ``¬ ∀ ∃``, ``∧``, ``∨``, ``⊕``, ``→`` (to the right), ``↔``; equal ones group to the
left. A quantifier binds tightly: ``∀x P(x) → Q(x)`` is ``(∀x P(x)) → Q(x)``. Where that leaves an occurrence of the
quantified name free and letting the quantifier reach to the end of its parenthesis binds it, the wide scope is taken
and the reading carries a warning; a block such as ``∀x∀y`` has one scope. A name is a variable where it is quantified
anywhere in the text or is one of u to z with or without digits; other argument names are constants. A name alone is a
propositional letter where the caller says so (``letters``), and an error elsewhere.

``tests/unit/logic/reference_grammar.py`` defines the notation as a grammar. Most texts are read in one short pass
(``fast``), all others, and those that are not formulas, by an automaton with an error for each (``automaton``).
"""

from functools import lru_cache

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.measuring import Signature
from nlfol.logic.reading import fast
from nlfol.logic.reading.automaton import Reading, read_fully
from nlfol.logic.reading.fast import formula_of
from nlfol.logic.reading.tokens import NO_LETTERS, Letters, letters_of
from nlfol.logic.syntax import Formula

MAX_LENGTH = 20_000  # characters that ``read`` accepts: what models write is untrusted

# A gold formula is read again for each of its candidates.
_formula_of = lru_cache(maxsize=4_096)(formula_of)
_read_fully = lru_cache(maxsize=2_048)(read_fully)


def read(text: str, *, signature: Signature | None = None, propositions: bool = False) -> Reading:
    """Read one formula; raises ``FormulaSyntaxError`` with line and column.

    Args:
        text: in the strict notation.
        signature: where to find the propositional letters. That all other symbols are in it is not checked.
        propositions: whether every name is a propositional letter where it stands alone as a formula.
    """
    return read_with(text, letters_of(signature, propositions))


def read_with(text: str, letters: Letters = NO_LETTERS) -> Reading:
    """Read one formula as ``read`` does, given its letters."""
    if len(text) > MAX_LENGTH:
        raise _too_long(text)
    # Without letters, the key of the cache is that of ``parse``.
    asked = (text,) if letters is NO_LETTERS else (text, letters)
    formula = _formula_of(*asked)
    return _read_fully(*asked) if formula is None else Reading(formula)


def parse(text: str, *, signature: Signature | None = None, propositions: bool = False) -> Formula:
    """Read one formula as ``read`` does, without the warnings."""
    if propositions or signature is not None:
        return read_with(text, letters_of(signature, propositions)).formula
    if len(text) > MAX_LENGTH:
        raise _too_long(text)
    return _formula_of(text) or _read_fully(text).formula


def parse_once(text: str) -> Formula:
    """Read as ``parse`` does, without remembering a text that is hardly ever read again."""
    if len(text) > MAX_LENGTH:
        raise _too_long(text)
    return formula_of(text) or read_fully(text).formula


def _too_long(text: str) -> FormulaSyntaxError:
    return FormulaSyntaxError(f"{len(text)} characters; at most {MAX_LENGTH} are read", text, MAX_LENGTH)


def forget() -> None:
    """Drop the formulas that were read lately."""
    fast.forget()
    _formula_of.cache_clear()
    _read_fully.cache_clear()
