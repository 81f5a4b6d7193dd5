"""Valid names for the printed names of an author, and the words of names."""

import re
import unicodedata

from nlfol.logic.errors import FormulaError
from nlfol.logic.syntax import FREE_VARIABLE, NAME

_SPOKEN = {"+": "_plus", "&": "_and_", "%": "_percent"}
_DROPPED = "'’‘ʼ`\"“”"
_LATIN_LETTER = re.compile(r"LATIN (SMALL|CAPITAL) (?:LETTER|LIGATURE) ([A-Z]{1,2})(?: WITH .*)?")

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
"""A word of a name: ``LargerThan`` and ``larger_than`` have two."""
_EMPTY = frozenset(
    ("a", "an", "the", "is", "are", "be", "it", "that", "true", "if", "iff", "when", "whether", "holds", "means")
)


def valid_name(name: str, *, constant: bool = False) -> str:
    """Return a name of ASCII letters, digits and ``_`` for any printed name; a valid name is its own.

    Diacritics are dropped, ``+``, ``&`` and ``%`` are spelled out, quotation marks vanish, all other punctuation and
    white space becomes ``_``, and a leading digit gets ``n`` before it. A constant that would be read as a variable
    gets ``_`` after its letter: ``y1976`` becomes ``y_1976``. The function is not injective: ``a-b`` and ``a b`` both
    become ``a_b``. Raises ``FormulaError`` if no letter or digit is left.
    """
    valid = name
    if not NAME.fullmatch(name):
        spelled = "".join(_spell(character) for character in unicodedata.normalize("NFKD", name))
        spelled = re.sub(r"_+", "_", spelled).strip("_")
        if not spelled:
            raise FormulaError(f"the name {name!r} has no letter and no digit; rename it")
        valid = spelled if spelled[0].isalpha() else f"n{spelled}"
    if constant and FREE_VARIABLE.fullmatch(valid):
        valid = f"{valid[0]}_{valid[1:]}"
    return valid


def _spell(character: str) -> str:
    if character.isascii():
        if character.isalnum():
            return character
        return "" if character in _DROPPED else _SPOKEN.get(character, "_")
    if unicodedata.combining(character) or character in _DROPPED:
        return ""
    if not character.isalnum():
        return "_"
    letter = _LATIN_LETTER.fullmatch(unicodedata.name(character, ""))
    if letter:
        return letter[2] if letter[1] == "CAPITAL" else letter[2].lower()
    return f"_char{ord(character):x}_"


def words(text: str) -> tuple[str, ...]:
    """Return the words of a name or gloss that say something, in lower case and without inflection."""
    stems = [_uninflected(word.lower()) for word in WORD.findall(text)]
    return tuple(word for word in stems if word not in _EMPTY) or tuple(stems)


def _uninflected(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
