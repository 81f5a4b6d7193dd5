"""The tokens of the strict notation, and which bare names are propositional letters.

A name alone where a formula could stand is an error, unless the caller says otherwise: for the letters of a
signature, or for every name. Position decides what a name is, as it does for ``P(P)``: in ``rain ∧ Likes(ann, rain)``
the first is a letter and the second a constant.
"""

import re
import unicodedata
from dataclasses import dataclass

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.measuring import Signature
from nlfol.logic.syntax import NAME

SYMBOLS = ("(", ")", ",", "¬", "=", "≠", "∧", "∨", "⊕", "→", "↔", "∀", "∃")
"""All tokens but names."""

END = ""
"""The token after the last."""

_WHITE = " \n\t\r"
TOKEN = re.compile(rf"{NAME.pattern}|[{re.escape(''.join(SYMBOLS))}]")
_NEITHER = re.compile(rf"[^{_WHITE}]")


def tokens_of(text: str) -> list[str]:
    """Return the tokens of a text, and ``END``; raises ``FormulaSyntaxError`` at a character that begins none."""
    tokens: list[str] = TOKEN.findall(text)
    # What no token covers must be white space: the cheap test says whether it is, the loop finds where it is not.
    if sum(map(len, tokens)) + sum(map(text.count, _WHITE)) != len(text):
        end = 0
        for token in TOKEN.finditer(text + SYMBOLS[0]):
            stray = _NEITHER.search(text, end, token.start())
            if stray:
                character = stray.group()
                # A letter of another script can look like an ASCII one.
                is_foreign = character.isalpha() and not character.isascii()
                looks = f", {unicodedata.name(character, 'unnamed')}" if is_foreign else ""
                raise FormulaSyntaxError(f"unexpected character {character!r}{looks}", text, stray.start())
            end = token.end()
    tokens.append(END)
    return tokens


def position_of(text: str, index: int) -> int:
    """Return where the token of that number begins; for ``END``, the end of the text."""
    starts = [match.start() for match in TOKEN.finditer(text)]
    return starts[index] if index < len(starts) else len(text)


@dataclass(frozen=True, slots=True)
class Letters:
    """Names that are read as propositional letters: some, or every one but those, given in lower case, in ``but``."""

    names: frozenset[str] = frozenset()
    every: bool = False
    but: frozenset[str] = frozenset()

    def __contains__(self, name: str) -> bool:
        return name in self.names or (self.every and name.lower() not in self.but)

    def __bool__(self) -> bool:
        return self.every or bool(self.names)


NO_LETTERS = Letters()


def letters_of(signature: Signature | None, propositions: bool, but: frozenset[str] = frozenset()) -> Letters:
    """Return the letters of a signature, if there is one; every name where propositions are asked for."""
    names = frozenset[str]() if signature is None else signature.letters
    return Letters(names, propositions, but) if names or propositions else NO_LETTERS
