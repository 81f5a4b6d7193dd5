"""The tokens of the strict notation."""

import re
import unicodedata

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.syntax import NAME

SYMBOLS = ("(", ")", ",", "¬", "=", "≠", "∧", "∨", "⊕", "→", "↔", "∀", "∃")
"""All tokens but names."""

END = ""
"""The token after the last."""

_WHITE = " \n\t\r"
_TOKEN = re.compile(rf"{NAME.pattern}|[{re.escape(''.join(SYMBOLS))}]")
_NEITHER = re.compile(rf"[^{_WHITE}]")


def tokens_of(text: str) -> list[str]:
    """Return the tokens of a text, and ``END``.

    Raises:
        FormulaSyntaxError: at the first character that begins no token.
    """
    tokens: list[str] = _TOKEN.findall(text)
    # What no token covers must be white space: the cheap test says whether it is, the loop finds where it is not.
    if sum(map(len, tokens)) + sum(map(text.count, _WHITE)) != len(text):
        end = 0
        for token in _TOKEN.finditer(text + SYMBOLS[0]):
            stray = _NEITHER.search(text, end, token.start())
            if stray:
                raise FormulaSyntaxError(_unexpected(stray.group()), text, stray.start())
            end = token.end()
    tokens.append(END)
    return tokens


def _unexpected(character: str) -> str:
    """Return the error for a character that begins no token: a letter of another script can look like an ASCII one."""
    looks = f", {unicodedata.name(character, 'unnamed')}" if character.isalpha() and not character.isascii() else ""
    return f"unexpected character {character!r}{looks}"


def position_of(text: str, index: int) -> int:
    """Return where the token of that number begins; for ``END``, the end of the text."""
    starts = [found.start() for found in _TOKEN.finditer(text)]
    return starts[index] if index < len(starts) else len(text)
