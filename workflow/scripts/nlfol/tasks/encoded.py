"""Texts in place of English that are none: codes of a notation, which no list of copies foresees.

English has grammar: between words with a meaning of their own stand articles, verbs, prepositions, "that" and "who". A
code needs none. A text is read as a row of classes of words, such as articles, variables, or words in -ed, and each
pair of neighbours is worth so many bits for English, or against it (``BITS``). A text is *encoded* if in some stretch
the bits against it exceed ``BOUND`` (the cumulative sum of Page, *Continuous Inspection Schemes*, 1954), so that
English around a code does not hide it; if there are more than ``PER_PAIR`` against each pair of the whole, so that a
code is seen in few words, too; and if it has more than ``SPEECHLESS`` characters and no word. A name of several words,
as the glosses have it, counts as one.

``benchmarks/codings.py`` counts the bits in certified and other English, and sets the bound above it. Code in
grammatical sentences about something else is not seen: another reader of the text tells (``english: {of, in}``).
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from nlfol.logic.ontology.ontology import Ontology
from nlfol.tasks.copies import own_passages

BOUND = 27
"""Bits against English in a stretch of English, at most; sentences that the table was learnt from have 24."""
PER_PAIR = 1
"""Bits against English for each pair of neighbours of a text, at most."""
SPEECHLESS = 12
"""Characters of a text without a word, at most."""

_LISTED = {
    "D": "the a an this these those its his her their my your our",
    "Q": "every each all any some no both either most few many much several none nothing something everything someone "
    "everyone anyone nobody anything more less least fewer exactly only once another other same",
    "U": "zero one two three four five six seven eight nine ten eleven twelve hundred thousand",
    "B": "is are was were be been being am",
    "A": "does do did has have had can could will would may might must should shall cannot ll ve d re m",
    "N": "not never",
    "P": "of to in on at by with from for as than between into about before after over under during through without "
    "within behind above below near next out up down off",
    "C": "and or but nor neither",
    "I": "if then when whenever unless because since while that whether such therefore thus so otherwise iff however "
    "perhaps maybe",
    "R": "who whom whose which where what how why it he she they them him me us i himself itself herself themselves "
    "there here we you",
    "y": "just also very too often even well",
    "w": "forall exists implies equals xor",
}
_CLASS = {word: name for name, words in _LISTED.items() for word in words.split()}
_ENDINGS = {"ing": "g", "ed": "d", "ly": "y", "s": "s"}
CLASSES: Final = "DQUBANPCIRgdyswVL,."
"""Listed words; words in -ing, -ed, -ly, -s, and others; variables and numbers; marks of lists; commas; stops."""
_SIGN = "S"
_AGAINST = -4
"""Bits that a sign is worth which English lacks."""
_ALONE = -1
"""Bits that a word is worth, at most, between two commas or stops."""

_PART = 4
"""Characters of an overlong word, or of one with digits, that count as a word."""
_LONGEST, _HYPHENS = 24, 4
_TOKEN = re.compile(
    r"(?P<mark>\(\d+(?:\.\d+)*\))"
    r"|(?P<number>\d+(?:[:.,/]\d+)*(?:st|nd|rd|th|s|%)?(?!\w))"
    r"|(?P<initials>(?:[^\W\d_]\.){2,})"
    r"|(?P<word>[^\W\d_]+(?:[-’'][^\W_]+)*(?!\w))"
    r"|(?P<name>\w+)"
    r"|(?P<stop>[.?!;:](?!\w))"
    r"|(?P<comma>,|[–—]|(?<=\S\s)-+(?=\s))"
    r"|(?P<free>[\"'`“”‘’«»*)-]|(?<!\w)\()"
    r"|(?P<sign>\S)"
)
_LATIN = re.compile(r"[a-zA-ZÀ-ɏ0-9'’-]+")
_MARKED = re.compile(r" \[(?:not )?(\w+)\]")

_TABLE = """
-1  1 -1 -1 -1 -1 -1 -1 -1 -1  1 -1 -1  0  1 -1 -1 -1 -1
 2  1  0  1 -1 -6  4 -3 -1  1 -4 -3 -3  2 -1 -1  3 -3  0
-1 -4 -5 -1 -1 -6  2  3 -6 -1 -4 -5 -4  1  0 -6 -1 -5 -1
 4  0 -1 -1 -1  1  2 -1 -1 -1  1  2 -1 -1  0 -1 -1 -1 -1
 1 -1 -1  2  0  4 -1 -1 -1  0 -1  0 -1 -1  0 -1 -1 -1 -1
 3  1 -6 -1  1 -6 -1 -6 -6 -1 -1  0 -3 -3  0  1 -1 -6 -1
 4  2  3 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1  0 -1  3 -1 -1
 3  2 -3 -1 -1  1 -1 -6 -3  2 -4 -3 -3 -2  0  0  2 -6 -1
 3  2 -6  0 -1 -3  1 -1  1  3 -5 -3 -3 -2  0 -1  1 -4 -1
-1 -1 -1  4  2 -1 -1 -1 -1 -1 -1 -1 -1  0 -1 -1 -1 -1 -1
 2 -2 -2  1  3 -4  2  2 -3 -1 -2 -2  0  0  0 -6 -1  2  3
 1 -3 -3  0 -1 -5  4  1 -2 -1 -3 -4  0 -1 -3 -6 -1  1  2
 0 -1 -2  3  2 -2  3  1 -2  0  0  2  1  1 -1 -4  0  2  3
 2 -3 -4  3 -1 -6  4  2 -3 -1 -3 -2 -1 -1 -1 -3 -1  2  3
 0 -3 -4  4  1 -6  2  0  1 -1 -3 -2 -3  1 -3  0 -1  1  3
-1 -6 -1  4  3 -6  2  2 -2 -1 -6  0 -6  2 -6 -2 -1  2  2
 2  1 -1 -1 -1  0  3  1 -1  2 -1 -1 -1 -1 -1 -1 -1 -1  3
 2  2 -4 -1 -1 -1  1  2  1  3 -3 -4 -4 -2 -1 -1 -1 -6 -1
 2  1 -1 -1 -1 -1  1 -1  0  2 -1 -1 -1 -1 -1 -1  4 -1  4
"""
BITS: Final = {
    (first, second): int(bits)
    for first, row in zip(CLASSES, _TABLE.strip().splitlines(), strict=False)
    for second, bits in zip(CLASSES, row.split(), strict=True)
}
"""Bits by two neighbouring classes; before the first word and after the last there is a stop."""


def is_encoded(text: str, ontology: Ontology) -> bool:
    """Return whether a text that should be English is a code of something."""
    plain = _with_short_names(_without_symbols(text, ontology), ontology)
    bits = bits_of(plain)
    return is_speechless(plain) or worst_stretch(plain) > BOUND or sum(bits) < -PER_PAIR * len(bits)


def is_speechless(text: str) -> bool:
    """Return whether a text has no word, and is too long for a name."""
    return len(text) > SPEECHLESS and not re.search(r"(?<!\w)[a-zA-ZÀ-ɏ]{2,}(?!\w)", text)


@lru_cache(maxsize=4096)
def bits_of(text: str) -> tuple[int, ...]:
    """Return the bits for English of each pair of neighbours."""
    counted, before = list[int](), ""
    for first, second in pairwise((".", *classes(text), ".")):
        bits = _AGAINST if second == _SIGN else BITS.get((first, second), 0)
        if before in (",", ".") and second in (",", "."):
            bits = min(bits, _ALONE)
        counted.append(bits)
        before = first
    return tuple(counted)


def worst_stretch(text: str) -> int:
    """Return the greatest number of bits against English that neighbours in a row sum up to."""
    against = worst = 0
    for bits in bits_of(text):
        against = max(0, against - bits)
        worst = max(worst, against)
    return worst


def classes(text: str) -> Iterator[str]:
    """Yield the classes of a text's words and marks."""
    for match in _TOKEN.finditer(text):
        match match.lastgroup:
            case "mark":
                yield "L"
            case "number":
                yield "V"
            case "initials":
                yield "w"
            case "word":
                yield from _of_word(match[0])
            case "name":
                yield from "V" * -(-len(match[0]) // _PART)
            case "stop":
                yield "."
            case "comma":
                yield ","
            case "sign":
                yield _SIGN


def _of_word(written: str) -> Iterator[str]:
    word = written.lower().replace("’", "'")
    is_long = len(word) > _LONGEST and "-" not in word
    if not _LATIN.fullmatch(word):
        yield from _SIGN * len(word)
    elif is_long or word.count("-") > _HYPHENS:
        yield from _SIGN * (len(word) // _PART)
    elif word.endswith("n't"):
        yield from "AN"
    else:
        stem, _, ending = word.partition("'")
        if len(stem) == 1 and written not in ("a", "A", "I"):
            yield "V"
        else:
            yield _CLASS.get(stem) or _by_ending(stem)
        if ending != "s" and ending in _CLASS:
            yield _CLASS[ending]


def _by_ending(word: str) -> str:
    endings = (name for ending, name in _ENDINGS.items() if word.endswith(ending))
    return next(endings, "w") if len(word) > 3 else "w"


def _without_symbols(text: str, ontology: Ontology) -> str:
    """Return a text without the symbols that unambiguous English puts in brackets."""
    for start, end in reversed(own_passages(text, ontology)):
        text = text[:start] + text[start:end].partition(" [")[0] + text[end:]
    names = {*ontology.predicate, *ontology.function, *(constant.name for constant in ontology.constants)}
    return _MARKED.sub(lambda mark: "" if mark[1] in names else mark[0], text)


def _with_short_names(text: str, ontology: Ontology) -> str:
    """Return a text in which each name of several words, by the glosses of constants, is one."""
    for constant in ontology.constants:
        if " " in constant.meaning:
            text = text.replace(constant.meaning, constant.meaning.split()[0])
    return text
