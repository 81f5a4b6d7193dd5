"""Words that are operators, and symbols that are known before a text is read."""

from __future__ import annotations

from dataclasses import dataclass

from nlfol.logic.measuring import Signature
from nlfol.logic.reading.tokens import NO_LETTERS, Letters, letters_of
from nlfol.logic.reading.tolerant.tokens import ENGLISH, TRUTH_VALUES, Lexeme, LexemeKind

QUANTIFIER_WORDS = {"forall": "∀", "all": "∀", "exists": "∃", "some": "∃"}
PREFIX_WORDS = {
    "not": "¬", "and": "∧", "or": "∨", "xor": "⊕", "implies": "→", "iff": "↔", "equivalent": "↔", "equiv": "↔",
}  # fmt: skip
"""Before the formula that they deny, or before those in parentheses that they join."""
INFIX_WORDS = {"and": "∧", "or": "∨", "xor": "⊕", "implies": "→", "iff": "↔"}
INFIX_LETTERS = {"v": "∨", "V": "∨", "Λ": "∧", "ʌ": "∧"}
"""Between two formulas."""

OPERATOR_WORDS = frozenset([*PREFIX_WORDS, *QUANTIFIER_WORDS, "fof"])
"""Words that can be operators, in lower case."""

_NO_LETTERS = OPERATOR_WORDS | ENGLISH | TRUTH_VALUES


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words that are symbols, not operators, and what can be applied, if it is known.

    Attributes:
        declared: the symbols of the signature.
        applicable: the predicates and functions with arguments; None where there is no signature.
    """

    declared: frozenset[str] = frozenset()
    applicable: frozenset[str] | None = None
    letters: Letters = NO_LETTERS
    functions: frozenset[str] = frozenset()

    def joins(self, lexeme: Lexeme) -> bool:
        """Return whether a word or letter can stand for a connective between two formulas."""
        if lexeme.kind is not LexemeKind.NAME or lexeme.text in self.declared:
            return False
        return lexeme.text.lower() in INFIX_WORDS or lexeme.text in INFIX_LETTERS

    @classmethod
    def of(cls, signature: Signature | None, *, propositions: bool = False) -> Vocabulary:
        """Return the vocabulary of a signature; where propositions are asked for, most words can be letters."""
        letters = letters_of(signature, propositions, _NO_LETTERS)
        if signature is None:
            return cls(letters=letters)
        applicable = frozenset(signature.predicates) - signature.letters | frozenset(signature.functions)
        return cls(
            applicable | signature.letters | signature.constants, applicable, letters, frozenset(signature.functions)
        )
