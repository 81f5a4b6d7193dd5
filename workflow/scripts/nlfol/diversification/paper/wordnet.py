"""Synonyms of WordNet, from its own files: ``index.noun``, ``data.noun`` and so on (``man 5 wndb``).

A line of an index has a lemma, its synsets by their place in the data file, the most frequent sense first, and how many
of its senses were met in tagged texts. The files are read line by line, and of the data the synsets alone that are
needed, so memory is bounded by what is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nlfol.problems.errors import LexiconError

PartOfSpeech = Literal["noun", "verb", "adj", "adv"]
PARTS: tuple[PartOfSpeech, ...] = ("noun", "verb", "adj", "adv")

_MAX_LINE = 100_000
_MARKER = re.compile(r"\((?:a|p|ip)\)$")
"""Of adjectives: where they may stand."""


@dataclass(frozen=True, slots=True)
class Senses:
    """What WordNet says of a lemma as one part of speech.

    Attributes:
        tagged: how many of its senses were met in tagged texts.
        synonyms: of each sense, the most frequent first, its other lemmas.
    """

    tagged: int
    synonyms: tuple[tuple[str, ...], ...]

    @property
    def ranked(self) -> list[str]:
        """All synonyms, those of frequent senses first."""
        return list(dict.fromkeys(word for sense in self.synonyms for word in sense))


WordNet = Mapping[str, Mapping[PartOfSpeech, Senses]]
"""By lemma, in small letters with blanks between its words, and part of speech."""


def read_wordnet(folder: Path, lemmas: Collection[str]) -> WordNet:
    """What WordNet has of some lemmas.

    Args:
        folder: of its files.
        lemmas: in small letters, with blanks between the words of one.

    Raises:
        LexiconError: if a file is missing or not of the format.
    """
    wanted = {lemma.replace(" ", "_").encode(): lemma for lemma in lemmas}
    found: dict[str, dict[PartOfSpeech, Senses]] = {}
    for part in PARTS:
        for lemma, senses in _senses(folder / f"data.{part}", list(_index(folder / f"index.{part}", wanted))):
            found.setdefault(lemma, {})[part] = senses
    return found


def _index(path: Path, wanted: Mapping[bytes, str]) -> Iterator[tuple[str, int, list[int]]]:
    """Of lemmas that are wanted: the tagged senses, and where the synsets lie."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(_MAX_LINE), b""), 1):
                # The licence at the beginning is indented.
                lemma = None if line.startswith(b" ") else wanted.get(line[: line.find(b" ")])
                if lemma is None:
                    continue
                fields = line.split()
                try:
                    synsets, pointers = int(fields[2]), int(fields[3])
                    tagged = int(fields[5 + pointers])
                    offsets = [int(place) for place in fields[6 + pointers :]]
                    if synsets != len(offsets):
                        raise ValueError
                except (ValueError, IndexError):
                    raise _malformed(path, f"line {number}") from None
                yield lemma, tagged, offsets
    except OSError as error:
        raise LexiconError(f"{path}: cannot be read ({error.strerror}); name WordNet's folder of such files") from error


def _senses(path: Path, index: list[tuple[str, int, list[int]]]) -> Iterator[tuple[str, Senses]]:
    try:
        with path.open("rb") as file:
            for lemma, tagged, offsets in index:
                synonyms = []
                for offset in offsets:
                    file.seek(offset)
                    words = _synset(path, offset, file.readline(_MAX_LINE).decode("utf-8", "replace"))
                    synonyms.append(tuple(word for word in words if word.lower() != lemma))
                yield lemma, Senses(tagged, tuple(synonyms))
    except OSError as error:
        raise LexiconError(f"{path}: cannot be read ({error.strerror}); name WordNet's folder of such files") from error


def _synset(path: Path, offset: int, line: str) -> list[str]:
    """The lemmas of a synset."""
    fields = line.partition(" | ")[0].split()
    try:
        if int(fields[0]) != offset:
            raise ValueError
        words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
        if len(words) != int(fields[3], 16):
            raise ValueError
    except (ValueError, IndexError):
        raise _malformed(path, f"byte {offset}") from None
    return [_MARKER.sub("", word).replace("_", " ") for word in words]


def _malformed(path: Path, place: str) -> LexiconError:
    return LexiconError(f"{path}: no entry of WordNet's format at {place}; take the file from its publisher")
