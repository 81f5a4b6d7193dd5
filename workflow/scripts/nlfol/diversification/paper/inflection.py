"""Inflection by lemminflect, where it is installed: the lemma of a word that stands in a text, and others alike."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator
from typing import Any, NamedTuple

from nlfol.diversification.paper.wordnet import PARTS, PartOfSpeech

_TAGS: dict[PartOfSpeech, tuple[str, ...]] = {
    "noun": ("NN", "NNS"),
    "verb": ("VB", "VBZ", "VBG", "VBN", "VBD"),
    "adj": ("JJ", "JJR", "JJS"),
    "adv": ("RB", "RBR", "RBS"),
}
_UNIVERSAL: dict[PartOfSpeech, str] = {"noun": "NOUN", "verb": "VERB", "adj": "ADJ", "adv": "ADV"}
_BASE = frozenset({"NN", "VB", "JJ", "RB"})


class Inflected(NamedTuple):
    """How a word that stands in a text may be read.

    Attributes:
        lemma: its lemma.
        part: of speech.
        tag: of the Penn Treebank; none for a lemma that stands there itself.
    """

    lemma: str
    part: PartOfSpeech
    tag: str | None = None


def is_installed() -> bool:
    """Whether words can be inflected here."""
    return importlib.util.find_spec("lemminflect") is not None


def readings(words: str) -> Iterator[Inflected]:
    """As what some words may stand in a text: as a lemma of any part of speech, and as lemminflect has them."""
    said = words.lower()
    yield from (Inflected(said, part) for part in PARTS)
    if " " in said or not is_installed():
        return
    library = _library()
    for part in PARTS:
        for lemma in library.getLemma(said, upos=_UNIVERSAL[part]):
            tags = (tag for tag in _TAGS[part] if said in library.getInflection(lemma, tag=tag))
            tag = next(tags, None)
            if tag is not None and tag not in _BASE:
                yield Inflected(lemma, part, tag)


def inflected(lemma: str, like: Inflected) -> str | None:
    """A lemma in the form of a word; of several words the first one of a verb, else the last.

    Returns:
        None where it has no such form.
    """
    if like.tag is None:
        return lemma
    parts = lemma.split(" ")
    at = 0 if like.part == "verb" else -1
    found = _library().getInflection(parts[at], tag=like.tag)
    if not found:
        return None
    parts[at] = found[0]
    return " ".join(parts)


def _library() -> Any:
    return importlib.import_module("lemminflect")
