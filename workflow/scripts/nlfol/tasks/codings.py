"""Codings: texts that hold a whole formula or expression and translate none of it, each with its way back.

A model that answers the first step of a round trip in a code, and undoes it in the second, loses no meaning and has
said nothing in English. The reference ``coder`` does so: its scores are what a coder gains in a measure
(``benchmarks/codings.py``). The list is open; each entry stands for a family.

*Layouts* write the tree with the operator first, and a word for each sign. All are read back alike: where arities are
known, the order of the words alone determines the tree. *Ciphers* rewrite such words, or the notation, by letters or
bytes.
"""

import base64
import codecs
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial, reduce
from html import unescape
from typing import Any, Final
from urllib.parse import unquote

from nlfol.facts import CodingName
from nlfol.logic import syntax as fol
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.regular import syntax as regular
from nlfol.tasks.item import Item
from nlfol.tasks.meanings import Sentence

_Words = Mapping[str, str]
_Layout = Callable[[str, tuple[str, ...]], str]
_Cipher = Callable[[str], str]

_CHAIN = "·"
"""The sign that concatenation lacks."""
_SIGNS = f"∀∃¬∧∨⊕→↔={_CHAIN}|*+?ε"


def _for_signs(words: str) -> _Words:
    return dict(zip(_SIGNS, words.split(), strict=True))


_PLAIN = _for_signs("forall exists not and or xor implies iff equals then or star plus maybe empty")
_POLISH = _for_signs("U S N K A J C E I K A M P O L")
_SYNONYMS = _for_signs(
    "everything something never together perhaps rather provided exactly same before perhaps often always sometimes "
    "nothing"
)
_UNARY, _BINARY = frozenset("¬*+?"), frozenset("∧∨⊕→↔=|·∀∃")


@dataclass(frozen=True, slots=True)
class Coding:
    """A way to write sentences: by a layout, or in the notation, and then by a cipher.

    Of a text in words, ``noise`` is dropped before it is read back.
    """

    encode: _Cipher = str
    decode: _Cipher = str
    layout: _Layout | None = None
    words: _Words = field(default_factory=lambda: _PLAIN)
    noise: re.Pattern[str] = re.compile(r"(?!)")

    def encoded(self, sentence: Sentence, item: Item) -> str:
        """Write a sentence in the code."""
        if self.layout is None:
            return self.encode(LANGUAGES[item.language].write(sentence))
        if isinstance(sentence, regular.Node):
            return self.encode(_laid_out_expression(sentence, self.words, self.layout))
        return self.encode(_laid_out(sentence, self.words, self.layout))

    def decoded(self, text: str, item: Item) -> str:
        """Return the notation of a text in the code; raises ``ValueError`` for a text that is none."""
        plain = self.decode(text)
        if self.layout is None:
            return plain
        words = re.findall(r"\w+", self.noise.sub(" ", plain))
        return _read(words, self.words, item.ontology, is_regular=item.language == "regular")


# Trees in words


def _laid_out(formula: fol.Formula, words: _Words, layout: _Layout) -> str:
    def of_term(term: fol.Term, parts: tuple[str, ...]) -> str:
        return layout(term.name, parts)

    def step(node: fol.Formula, parts: tuple[str, ...]) -> str:
        terms = tuple(fol.fold(term, of_term) for term in fol.terms(node))
        match node:
            case fol.Atom():
                return layout(node.predicate, terms)
            case fol.ForAll() | fol.Exists():
                parts = (layout(node.variable.name, ()), *parts)
        return layout(words[node.sign], parts or terms)

    return fol.fold(formula, step)


def _laid_out_expression(expression: regular.Expression, words: _Words, layout: _Layout) -> str:
    def step(node: regular.Expression, parts: tuple[str, ...]) -> str:
        if isinstance(node, regular.Letter):
            return layout(node.symbol, ())
        word = words[node.sign or _CHAIN]
        if isinstance(node, regular.Chain):
            return reduce(lambda rest, part: layout(word, (part, rest)), reversed(parts))
        return layout(word, parts)

    return regular.fold(expression, step)


def _read(written: Iterable[str], words: _Words, ontology: Ontology, *, is_regular: bool) -> str:
    """Return the notation of a tree's words in preorder; raises ``ValueError`` if they are none."""
    sign_of = {word: sign for sign, word in words.items() if (sign in "·|*+?ε") is is_regular}
    arities = {predicate.name: predicate.arity for predicate in ontology.predicates}
    arities |= {function.name: function.arity for function in ontology.functions}
    stack: list[str] = []
    for word in reversed([*written]):
        sign = sign_of.get(word, word)
        arity = 1 if sign in _UNARY else 2 if sign in _BINARY else arities.get(word, 0)
        if len(stack) < arity:
            raise ValueError(f"{word!r} lacks an operand")
        parts = [stack.pop() for _ in range(arity)]
        stack.append(_notation(sign, parts))
    if len(stack) != 1:
        raise ValueError(f"the words are of {len(stack)} formulas")
    return stack[0]


def _notation(sign: str, parts: list[str]) -> str:
    match parts:
        case [variable, body] if sign in fol.QUANTIFIERS:
            return f"{sign}{variable} ({body})"
        case [operand] if sign == "¬":
            return f"¬({operand})"
        case [operand] if sign in _UNARY:
            return f"({operand}){sign}"
        case [left, right] if sign in "|·":
            return f"({left}{sign.strip(_CHAIN)}{right})"
        case [left, right] if sign in _BINARY:
            return f"({left} {sign} {right})"
    return f"{sign}({', '.join(parts)})" if parts else sign


# Layouts


def _in_row(word: str, parts: tuple[str, ...]) -> str:
    return " ".join((word, *parts))


def _called(word: str, parts: tuple[str, ...]) -> str:
    return f"{word}({', '.join(parts)})" if parts else f"'{word}'"


def _as_json(word: str, parts: tuple[str, ...]) -> str:
    return f"[{', '.join((json.dumps(word), *parts))}]" if parts else json.dumps(word)


def _outlined(word: str, parts: tuple[str, ...]) -> str:
    below = "\n".join(parts).replace("\n", "\n  ")
    return f"- {word}\n  {below}" if parts else f"- {word}"


# Ciphers

_LETTERS = (
    "alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo "
    "sierra tango uniform victor whiskey xray yankee zulu"
)
_SPELLED: Final = {word[0]: word for word in _LETTERS.split()}
_NUMBERS = "zero one two three four five six seven eight nine"
_DIGITS: Final = _NUMBERS.split()
_PEOPLE = "cat dog horse bird teacher farmer doctor child sailor baker king queen singer lawyer painter driver"
_NOUNS: Final = _PEOPLE.split()
"""A noun for each half of a byte."""
_INNOCENT: Final = "Some cubes are larger than b."


def _mirrored(text: str) -> str:
    return text[::-1]


def _postfix(text: str) -> str:
    return " ".join(text.split()[::-1])


def _of_bytes(write: Callable[[int], str], text: str) -> str:
    return "".join(map(write, text.encode()))


def _from_numbers(numbers: Iterable[int]) -> str:
    return bytes(numbers).decode()


def _shifted(first: int) -> Coding:
    """Write a character of a block of Unicode for each byte."""
    return in_row(
        lambda text: _of_bytes(lambda byte: chr(first + byte), text),
        lambda text: _from_numbers(ord(sign) - first for sign in text),
    )


def in_row(encode: _Cipher = str, decode: _Cipher = str, **others: Any) -> Coding:
    """Return the coding by words in a row, operator first, and then by a cipher."""
    return Coding(encode, decode, **{"layout": _in_row, **others})


def _by_words(change: _Cipher) -> _Cipher:
    return lambda text: re.sub(r"\w+", lambda word: change(word[0]), text)


def _spelled(text: str) -> str:
    return " ".join(
        _SPELLED.get(sign) or _SPELLED.get(sign.lower(), sign).capitalize() for sign in text.replace(" ", "/")
    )


def _unspelled(text: str) -> str:
    letter = {word: letter for letter, word in _SPELLED.items()}
    letter |= {word.capitalize(): sign.upper() for word, sign in letter.items()}
    return "".join(letter.get(word, word) for word in text.split()).replace("/", " ")


def _in_story(text: str) -> str:
    return " ".join(f"The {_NOUNS[byte >> 4]} sees a {_NOUNS[byte & 15]}." for byte in text.encode())


def _from_story(text: str) -> str:
    halves = [_NOUNS.index(noun) for noun in re.findall(rf"\b(?:{'|'.join(_NOUNS)})\b", text)]
    return _from_numbers(16 * first + second for first, second in zip(halves[::2], halves[1::2], strict=True))


def _hidden(text: str) -> str:
    bits = _of_bytes("{:08b}".format, text)
    return _INNOCENT + bits.replace("0", "\u200b").replace("1", "\u200c")


def _shown(text: str) -> str:
    bits = "".join("01"[sign == "\u200c"] for sign in text if sign in "\u200b\u200c")
    return _from_numbers(int(bits[start : start + 8], 2) for start in range(0, len(bits), 8))


def _in_base(encode: Callable[[bytes], bytes], decode: Callable[[str], bytes]) -> Coding:
    return Coding(lambda text: encode(text.encode()).decode(), lambda text: decode(text).decode())


def _split(text: str, base: int) -> str:
    return _from_numbers(int(number, base) for number in text.split())


_ATBASH = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "zyxwvutsrqponmlkjihgfedcbaZYXWVUTSRQPONMLKJIHGFEDCBA"
)
_WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
_NARROW = {wide: code for code, wide in _WIDE.items()}

CODINGS: Final[Mapping[CodingName, Coding]] = {
    # The notation itself, and what its signs become.
    "notation": Coding(),
    "spaced": Coding(
        lambda text: " ".join(text.replace(" ", "_")), lambda text: text.replace(" ", "").replace("_", " ")
    ),
    "mirrored": Coding(lambda text: text[::-1], lambda text: text[::-1]),
    "entities": Coding(lambda text: "".join(f"&#{ord(sign)};" for sign in text), unescape),
    "hex": Coding(lambda text: text.encode().hex(), lambda text: bytes.fromhex(text).decode()),
    "hex_pairs": Coding(lambda text: text.encode().hex(" "), lambda text: bytes.fromhex(text).decode()),
    "base64": _in_base(base64.b64encode, base64.b64decode),
    "base32": _in_base(base64.b32encode, base64.b32decode),
    "base85": _in_base(base64.b85encode, base64.b85decode),
    "binary": Coding(partial(_of_bytes, "{:08b} ".format), partial(_split, base=2)),
    "decimal": Coding(partial(_of_bytes, "{} ".format), partial(_split, base=10)),
    "percent": Coding(partial(_of_bytes, "%{:02X}".format), unquote),
    "story": Coding(_in_story, _from_story),
    # A word for each sign, in some layout.
    "prefix": in_row(),
    "polish": in_row(words=_POLISH),
    "synonyms": in_row(words=_SYNONYMS),
    "articles": in_row(
        layout=lambda word, parts: " of ".join((f"the {word}", *parts)), noise=re.compile(r"\b(?:the|of)\b")
    ),
    "lisp": Coding(layout=lambda word, parts: f"[{_in_row(word, parts)}]" if parts else word),
    "json": Coding(layout=_as_json),
    "python": Coding(layout=_called),
    "xml": Coding(layout=lambda word, parts: f"<{word}>{''.join(parts)}</{word}>", noise=re.compile(r"</\w+>")),
    "outline": Coding(layout=_outlined),
    "commas": in_row(lambda text: text.replace(" ", ", ")),
    "dotted": in_row(lambda text: text.replace(" ", "."), lambda text: text.replace(".", " ")),
    "snake": in_row(lambda text: text.replace(" ", "__"), lambda text: text.replace("__", " ")),
    "hyphens": in_row(lambda text: text.replace(" ", "-"), lambda text: text.replace("-", " ")),
    # Such words in a cipher.
    "backwards": in_row(_mirrored, _mirrored),
    "postfix": in_row(_postfix, _postfix),
    "rot13": in_row(lambda text: codecs.encode(text, "rot13"), lambda text: codecs.decode(text, "rot13")),
    "atbash": in_row(lambda text: text.translate(_ATBASH), lambda text: text.translate(_ATBASH)),
    "pig_latin": in_row(_by_words(lambda word: f"{word[1:]}{word[0]}ay"), _by_words(lambda word: word[-3] + word[:-3])),
    "spelled": in_row(_spelled, _unspelled),
    "digits": in_row(
        lambda text: _of_bytes("{:03d}".format, text).translate({48 + n: f"{word} " for n, word in enumerate(_DIGITS)}),
        lambda text: _split(re.sub(r"(\d{3})", r"\1 ", "".join(str(_DIGITS.index(word)) for word in text.split())), 10),
    ),
    "wide": in_row(lambda text: text.translate(_WIDE), lambda text: text.translate(_NARROW)),
    "braille": _shifted(0x2800),
    "ideographs": _shifted(0x4E00),
    "pictures": _shifted(0x1F300),
    "private": _shifted(0xE000),
    "invisible": in_row(_hidden, _shown),
}
"""Codings by name."""
