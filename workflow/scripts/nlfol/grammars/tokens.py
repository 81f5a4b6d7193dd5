"""The scanner of right-hand sides: text to names, signs and repetitions.

``P{clause ∨}`` stands for ``P ∨ P ∨ … ∨ P`` with as many P as the parameter ``clause`` says; a number may stand in its
place. ``ε``, or nothing, is the empty word. Names are ASCII and end where something else begins: ``SΣK`` is S, Σ and K.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from nlfol.grammars.errors import GrammarError

MAX_TOKENS = 500
"""Of one right-hand side: a grammar may be anybody's."""

_TOKEN = re.compile(
    r"(?P<name>[A-Za-z][A-Za-z0-9_]*)(?:\{(?P<times>[A-Za-z][A-Za-z0-9_]*|[0-9]{1,3}) *(?P<joint>[^\s{}]?)\})?"
    r"|(?P<space>\s+)|(?P<empty>ε)|(?P<sign>\S)"
)


class Kind(Enum):
    """What a token is."""

    NONTERMINAL = auto()
    SLOT = auto()
    SIGN = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A nonterminal, a slot of a vocabulary, or a sign of the language."""

    kind: Kind
    text: str


@dataclass(frozen=True)
class Alphabet:
    """What may stand in the right-hand sides of one language.

    Attributes:
        slots: names that a vocabulary fills.
        signs: single characters that stand for themselves.
        aliases: other spellings of slots.
    """

    slots: Collection[str]
    signs: Collection[str]
    aliases: Mapping[str, str]


ALPHABETS: Mapping[str, Alphabet] = {
    "propositional": Alphabet(("LETTER",), "()¬∧∨⊕→↔", {}),
    "first_order": Alphabet(("PREDICATION", "TERM", "VARIABLE"), "()¬∧∨⊕→↔∀∃=≠", {"ATOM": "PREDICATION"}),
    "regular": Alphabet(("DIGIT",), "()*+?|", {"Σ": "DIGIT"}),
}
"""By the name of the language."""


def scan(text: str, alphabet: Alphabet, nonterminals: Collection[str], parameters: Mapping[str, int]) -> list[Token]:
    """The tokens of a right-hand side.

    Raises:
        GrammarError: naming the first thing that is neither a name of the grammar nor of the language.
    """
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        column = match.start() + 1
        if match["name"]:
            token = _named(match["name"], alphabet, nonterminals, column)
            times, joint = _repetition(match["times"], match["joint"], alphabet, parameters, column)
            for number in range(times):
                if number and joint is not None:
                    found.append(joint)
                found.append(token)
        elif match["sign"]:
            found.append(_sign(match["sign"], alphabet, column))
        if len(found) > MAX_TOKENS:
            raise GrammarError(f"more than {MAX_TOKENS} signs; split the alternative into several rules")
    return found


def _named(name: str, alphabet: Alphabet, nonterminals: Collection[str], column: int) -> Token:
    if name in nonterminals:
        return Token(Kind.NONTERMINAL, name)
    slot = alphabet.aliases.get(name, name)
    if slot in alphabet.slots:
        return Token(Kind.SLOT, slot)
    raise GrammarError(
        f"column {column}: {name!r} is neither a rule nor one of the slots {', '.join(alphabet.slots)}; add a rule for "
        "it, or put a blank between two names"
    )


def _sign(sign: str, alphabet: Alphabet, column: int) -> Token:
    if sign in alphabet.aliases:
        return Token(Kind.SLOT, alphabet.aliases[sign])
    if sign in alphabet.signs:
        return Token(Kind.SIGN, sign)
    raise GrammarError(f"column {column}: {sign!r} is no sign of the language; it has {' '.join(alphabet.signs)}")


def _repetition(
    times: str | None, joint: str, alphabet: Alphabet, parameters: Mapping[str, int], column: int
) -> tuple[int, Token | None]:
    if times is None:
        return 1, None
    if not times.isdigit() and times not in parameters:
        raise GrammarError(f"column {column}: no parameter {times!r}; add it under 'parameters', or write a number")
    number = int(times) if times.isdigit() else parameters[times]
    if not 1 <= number <= MAX_TOKENS:
        raise GrammarError(f"column {column}: {number} times; 1 to {MAX_TOKENS} are possible")
    return number, _sign(joint, alphabet, column) if joint else None
