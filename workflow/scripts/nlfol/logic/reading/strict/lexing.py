"""The tokens of the strict notation.

One regular expression finds them, as the pyparsing grammar ``reference_tokens`` defines them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.syntax import NAME

if TYPE_CHECKING:
    import pyparsing as pp

SYMBOLS = ("(", ")", ",", "¬", "=", "≠", "∧", "∨", "⊕", "→", "↔", "∀", "∃")
"""All tokens but names."""

END = ""
"""The token after the last."""

_WHITE = " \n\t\r"
_TOKEN = re.compile(rf"{NAME.pattern}|[{re.escape(''.join(SYMBOLS))}]")
_NEITHER = re.compile(rf"[^{_WHITE}]")


def tokens_of(text: str) -> list[str]:
    """The tokens of a text, and ``END``.

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
    """What is said of a character that begins no token: a letter of another script can look like an ASCII one."""
    looks = f", {unicodedata.name(character, 'unnamed')}" if character.isalpha() and not character.isascii() else ""
    return f"unexpected character {character!r}{looks}"


def position_of(text: str, index: int) -> int:
    """Where the token of that number begins; the end of the text for the last, which stands for it."""
    starts = [found.start() for found in _TOKEN.finditer(text)]
    return starts[index] if index < len(starts) else len(text)


@cache
def _lexer() -> pp.ParserElement:
    import pyparsing as pp  # only where the definition itself is asked

    name = pp.Regex(NAME.pattern)
    symbol = pp.one_of(list(SYMBOLS))
    # On each alternative, not on their union, whose position is that of the white space before the token.
    for token in (name, symbol):
        token.set_parse_action(lambda _, position, found: (found[0], position))
    lexer: pp.ParserElement = (name | symbol)[...].parse_with_tabs()
    return lexer


def reference_tokens(text: str) -> list[tuple[str, int]]:
    """The tokens with their positions as a pyparsing grammar defines them; ``read`` finds the same, faster.

    Raises:
        FormulaSyntaxError: at the first character that begins no token.
    """
    tokens: list[tuple[str, int]] = list(_lexer().parse_string(text))
    end = tokens[-1][1] + len(tokens[-1][0]) if tokens else 0
    rest = text[end:].lstrip(_WHITE)
    if rest:
        position = len(text) - len(rest)
        raise FormulaSyntaxError(_unexpected(rest[0]), text, position)
    return [*tokens, (END, len(text))]
