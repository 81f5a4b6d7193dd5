"""Synonyms of WordNet, paraphrases of PPDB, and inflection by lemminflect where it is installed.

WordNet is read from its own files: ``index.noun``, ``data.noun`` and so on (``man 5 wndb``). A line of an index has a
lemma, its synsets by their place in the data file, the most frequent sense first, and the number of its senses that
were met in tagged texts. PPDB has text lines of fields between ``|||``, as ``[NP] ||| phrase ||| paraphrase |||
features``, and may be packed by gzip. Both are read line by line, and only what is asked for is kept.
"""

import gzip
import importlib
import importlib.util
import re
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import heappush, heappushpop
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

from nlfol.problems.lexicon import Category, LexiconError

PartOfSpeech = Literal["noun", "verb", "adj", "adv"]
PARTS: tuple[PartOfSpeech, ...] = ("noun", "verb", "adj", "adv")
PART_OF_CATEGORY: Mapping[Category, PartOfSpeech] = {
    Category.ADJECTIVE: "adj",
    Category.VERB: "verb",
    Category.NOUN: "noun",
    Category.ANIMAL: "noun",
    Category.OBJECT: "noun",
}

_MAX_LINE = 100_000
_MARKER = re.compile(r"\((?:a|p|ip)\)$")
"""Positions in which adjectives may stand."""

_SCORE = re.compile(r"\bPPDB2\.0Score=(-?[0-9.]+(?:[eE]-?[0-9]+)?)")
_TAGS: dict[PartOfSpeech, tuple[str, ...]] = {
    "noun": ("NN", "NNS"),
    "verb": ("VB", "VBZ", "VBG", "VBN", "VBD"),
    "adj": ("JJ", "JJR", "JJS"),
    "adv": ("RB", "RBR", "RBS"),
}
_UNIVERSAL: dict[PartOfSpeech, str] = {"noun": "NOUN", "verb": "VERB", "adj": "ADJ", "adv": "ADV"}
_BASE = frozenset({"NN", "VB", "JJ", "RB"})


@dataclass(frozen=True, slots=True)
class Senses:
    """The senses of a lemma, the most frequent first, each by its other lemmas; and how many are in tagged texts."""

    tagged: int
    synonyms: tuple[tuple[str, ...], ...]

    @property
    def ranked(self) -> list[str]:
        """Return all synonyms, those of frequent senses first."""
        return list(dict.fromkeys(word for sense in self.synonyms for word in sense))


WordNet = Mapping[str, Mapping[PartOfSpeech, Senses]]
"""By lemma, in small letters with blanks between its words, and part of speech."""


def read_wordnet(folder: Path, lemmas: Collection[str]) -> WordNet:
    """Read the senses of lemmas from WordNet's folder; raises `LexiconError` if a file is missing or malformed."""
    wanted = {lemma.replace(" ", "_").encode(): lemma for lemma in lemmas}
    senses_of: dict[str, dict[PartOfSpeech, Senses]] = {}
    for part in PARTS:
        for lemma, senses in _senses(folder / f"data.{part}", list(_index(folder / f"index.{part}", wanted))):
            senses_of.setdefault(lemma, {})[part] = senses
    return senses_of


def _index(path: Path, wanted: Mapping[bytes, str]) -> Iterator[tuple[str, int, list[int]]]:
    """Yield wanted lemmas, the number of their tagged senses, and the offsets of their synsets."""
    with _wordnet_file(path) as file:
        for number, line in enumerate(iter(lambda: file.readline(_MAX_LINE), b""), 1):
            # The licence at the beginning is indented.
            lemma = None if line.startswith(b" ") else wanted.get(line[: line.find(b" ")])
            if lemma is None:
                continue
            fields = line.split()
            try:
                synsets, pointers = int(fields[2]), int(fields[3])
                tagged = int(fields[5 + pointers])
                offsets = [int(offset) for offset in fields[6 + pointers :]]
                if synsets != len(offsets):
                    raise ValueError
            except (ValueError, IndexError):
                raise _malformed(path, f"line {number}") from None
            yield lemma, tagged, offsets


def _senses(path: Path, index: list[tuple[str, int, list[int]]]) -> Iterator[tuple[str, Senses]]:
    with _wordnet_file(path) as file:
        for lemma, tagged, offsets in index:
            synonyms = []
            for offset in offsets:
                file.seek(offset)
                words = _synset(path, offset, file.readline(_MAX_LINE).decode("utf-8", "replace"))
                synonyms.append(tuple(word for word in words if word.lower() != lemma))
            yield lemma, Senses(tagged, tuple(synonyms))


@contextmanager
def _wordnet_file(path: Path) -> Iterator[IO[bytes]]:
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise LexiconError(f"{path}: cannot be read ({error.strerror}); name WordNet's folder of such files") from error


def _synset(path: Path, offset: int, line: str) -> list[str]:
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


def _malformed(path: Path, location: str) -> LexiconError:
    return LexiconError(f"{path}: no entry of WordNet's format at {location}; take the file from its publisher")


def read_ppdb(path: Path, phrases: Collection[str], most: int) -> Mapping[str, list[str]]:
    """Read paraphrases of lower-case phrases, the highest PPDB 2.0 score first, else in the order of the file.

    Raises `LexiconError` if the file cannot be read or is malformed.
    """
    best: dict[str, list[tuple[float, int, str]]] = {}
    number = 0
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(_MAX_LINE), b""), 1):
                fields = line.split(b" ||| ", 4)
                if len(fields) < 3:
                    problem = f"line {number} is not of PPDB's format, fields between ' ||| '"
                    raise LexiconError(f"{path}: {problem}; take the file from its publisher")
                phrase = fields[1].decode("utf-8", "replace").strip().lower()
                if phrase not in phrases:
                    continue
                other = fields[2].decode("utf-8", "replace").strip()
                known = best.setdefault(phrase, [])
                if not other or other.lower() == phrase or "[" in other or any(other == kept for *_, kept in known):
                    continue
                score = _SCORE.search(line.decode("utf-8", "replace"))
                entry = (float(score[1]) if score else 0.0, -number, other)
                if len(known) < most:
                    heappush(known, entry)
                else:
                    heappushpop(known, entry)
    except (OSError, EOFError, zlib.error) as error:
        raise LexiconError(f"{path}: cannot be read ({error}); name the file of PPDB's text") from error
    if not number:
        raise LexiconError(f"{path}: there is nothing in it; name the file of PPDB's text")
    return {phrase: [other for *_, other in sorted(known, reverse=True)] for phrase, known in best.items()}


class Inflected(NamedTuple):
    """A reading of a word: its lemma, part of speech and tag of the Penn Treebank, None for the lemma itself."""

    lemma: str
    part: PartOfSpeech
    tag: str | None = None


def is_installed() -> bool:
    """Return whether lemminflect is installed."""
    return importlib.util.find_spec("lemminflect") is not None


def readings(words: str) -> Iterator[Inflected]:
    """Yield the readings of words in a text: as a lemma of any part of speech, and as forms that lemminflect knows."""
    text = words.lower()
    yield from (Inflected(text, part) for part in PARTS)
    if " " in text or not is_installed():
        return
    library = _library()
    for part in PARTS:
        for lemma in library.getLemma(text, upos=_UNIVERSAL[part]):
            tags = (tag for tag in _TAGS[part] if text in library.getInflection(lemma, tag=tag))
            tag = next(tags, None)
            if tag is not None and tag not in _BASE:
                yield Inflected(lemma, part, tag)


def inflected(lemma: str, like: Inflected) -> str | None:
    """Inflect a lemma like a word: the first word of a verb, else the last; None if it has no such form."""
    if like.tag is None:
        return lemma
    parts = lemma.split(" ")
    at = 0 if like.part == "verb" else -1
    forms = _library().getInflection(parts[at], tag=like.tag)
    if not forms:
        return None
    parts[at] = forms[0]
    return " ".join(parts)


def _library() -> Any:
    return importlib.import_module("lemminflect")
