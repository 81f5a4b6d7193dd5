"""Reviewed corrections of a source's gold formulas: a file of patches, and what they do to sentences.

A patch file is JSON Lines, an object a sentence. The SHA-256 of the sentence and of its published formula are part of
an entry, so that it applies to what was reviewed and to nothing else.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, StringConstraints, ValidationError, model_validator

from nlfol.data.sentences import Correction, Sentence
from nlfol.logic.errors import FormulaSyntaxError, SignatureError
from nlfol.logic.measuring import free_variables, signature
from nlfol.logic.ontology.files import Symbols, with_symbols
from nlfol.logic.ontology.ontology import OntologyError
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading.strict import parse, read
from nlfol.logic.readings import Said, readings
from nlfol.store.disk import digest
from nlfol.store.records import SourceError, read_content, text_lines
from nlfol.validation import describe_faults

_Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
_Prose = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class PatchKind(StrEnum):
    """A fault of a published formula: of its form, or in what it says."""

    MALFORMED = "malformed"
    """It cannot be read, or a variable is free: a sign is missing, too many, or no sign of the notation."""
    SYMBOL = "symbol"
    """A symbol is misspelt, one of another thing, or used with two arities."""
    ARGUMENTS = "arguments"
    """By the glossary, arguments are in another order."""
    CONNECTIVE = "connective"
    """A connective is another one, or groups otherwise."""
    QUANTIFIER = "quantifier"
    """A quantifier is the other one, or has another scope."""
    NEGATION = "negation"
    """A negation is missing, added, or stands elsewhere."""
    DIRECTION = "direction"
    """An implication goes the other way, or only one of two."""
    MISSING = "missing"
    """Something that the sentence says is left out, though the symbols can say it."""
    ADDED = "added"
    """Something is added that the sentence does not say."""
    SWAPPED = "swapped"
    """The formula is that of another sentence of the story, which has this one's."""


class _Place(BaseModel):
    """A sentence, with the SHA-256 of it and of its formula as published."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    index: NonNegativeInt
    text_sha256: _Sha256
    formula_sha256: _Sha256


class _Corrected(_Place):
    """A sentence, with the corrected formula."""

    formula: _Prose


class Accepted(_Place):
    """An entry of a file of readings: ``also``, further formulas that a careful translator may write."""

    story: _Prose
    also: Annotated[tuple[_Prose, ...], Field(min_length=1)]

    @property
    def item(self) -> str:
        """The name of the sentence in its dataset."""
        return f"{self.story}:{self.index}"


class Patch(_Corrected):
    """An entry of a patch file, with the SHA-256 of the sentence and of the formula as in the source, in UTF-8.

    The sentence is without surrounding white space; the corrected formula is closed, in the strict notation, and may
    use new ``symbols``. Of kind ``swapped``, ``other`` is the sentence whose formula this one had. ``evidence`` says
    why the formula is what its author meant, ``reviewed`` that it was compared with the sentence; others are refused.
    """

    story: _Prose
    kinds: tuple[PatchKind, ...] = ()
    reason: _Prose
    evidence: _Prose
    reviewed: bool = Field(strict=True)
    symbols: Symbols | None = None
    other: _Corrected | None = None

    @model_validator(mode="after")
    def _says_what_is_wrong(self) -> Self:
        if (self.other is not None) is not (PatchKind.SWAPPED in self.kinds):
            raise ValueError("an entry of kind 'swapped', and no other, has 'other', the sentence with its formula")
        if self.reviewed and not self.kinds:
            raise ValueError("no kinds; say what is wrong with the published formula")
        return self

    @property
    def item(self) -> str:
        """The name of the sentence in its dataset."""
        return f"{self.story}:{self.index}"


@dataclass(frozen=True, slots=True)
class Patches:
    """The entries of a patch file by item, and the SHA-256 of the file."""

    path: Path
    by_item: Mapping[str, Patch]
    digest: str

    def check(self, sentences: Iterable[Sentence]) -> None:
        """Confirm that entries are about sentences and formulas as published; raises ``SourceError`` naming another."""
        _check_digests(self.path, self.by_item, sentences)

    def correct(self, published: Sentence, corrected: Sentence) -> Sentence:
        """Return a sentence with what its own entry, or another of its story, has changed."""
        regained = published.reason if corrected.reason is None else None
        patch = self.by_item.get(published.item)
        if patch is None:
            return replace(corrected, regained=regained)
        symbols = None if patch.symbols is None else patch.symbols.model_dump_json(exclude_defaults=True)
        kinds = [kind.value for kind in patch.kinds]
        correction = Correction(kinds, patch.reason, patch.evidence, published.formula, symbols)
        return replace(corrected, source_formula=published.source_formula, correction=correction, regained=regained)


def _check_digests(path: Path, entries: Mapping[str, _Place], sentences: Iterable[Sentence]) -> None:
    published = {sentence.item: sentence for sentence in sentences}
    for item, entry in entries.items():
        if item not in published:
            raise SourceError(f"{path}: entry {item}: the dataset has no such sentence; remove the entry")
        sentence = published[item]
        for kind, text, expected in (
            ("sentence", sentence.text, entry.text_sha256),
            ("published formula", sentence.source_formula, entry.formula_sha256),
        ):
            if text_digest(text) != expected:
                raise SourceError(
                    f"{path}: entry {item}: the {kind} has changed since the review: its SHA-256 is "
                    f"{text_digest(text)} not {expected}; review the entry and update the digest, or remove it"
                )


def with_readings(sentences: Sequence[Sentence], path: Path, patches: Patches | None) -> tuple[list[Sentence], str]:
    """Return sentences as published, with the readings that are accepted of each, and the SHA-256 of their files.

    Corrected gold comes first, as ``patches`` have it, then those of the file, then what the rules *either* and
    *definition* make of these. Guards have no rule here: half of what it would add is wrong. Raises ``SourceError``
    naming an entry that does not fit.
    """
    content = read_content(path, "accepted")
    entries: dict[str, Accepted] = {}
    for number, line in text_lines(path, content):
        location = f"{path}: line {number}"
        try:
            entry = Accepted.model_validate_json(line)
        except ValidationError as error:
            raise SourceError(f"{location}: not a valid entry: {describe_faults(error, 'line')}") from error
        for formula in entry.also:
            _check(f"{location}: entry {entry.item}", formula)
        if entries.setdefault(entry.item, entry) is not entry:
            raise SourceError(f"{location}: entry {entry.item} is a duplicate; keep one")
    _check_digests(path, entries, sentences)
    known: Mapping[str, Patch] = {} if patches is None else patches.by_item
    if patches is not None:
        patches.check(sentences)
    accepted = []
    for sentence in sentences:
        corrected = known[sentence.item].formula if sentence.item in known else sentence.formula
        also = entries[sentence.item].also if sentence.item in entries else ()
        known_ones = () if corrected is None else (corrected, *also)
        accepted.append(replace(sentence, readings=(*known_ones, *_by_rule(sentence.text, known_ones))))
    return accepted, digest(path) if patches is None else digest(patches.path, path)


def _by_rule(sentence: str, listed: Sequence[str]) -> list[str]:
    """Return the readings that rules make of listed ones; an open formula has none."""
    said = Said(sentence)
    if not said.licenses:
        return []
    formulas = [parse(text) for text in listed]
    known = list(formulas)
    for formula in formulas:
        if not formula.profile.free:
            known += (reading.formula for reading in readings(formula, said, known))
    return [to_unicode(formula) for formula in known[len(listed) :]]


def text_digest(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_patches(path: Path) -> Patches:
    """Read a patch file; ``SourceError`` names line and entry if one is not of the form of ``Patch``, or unusable."""
    content = read_content(path, "patches")
    by_item: dict[str, Patch] = {}
    for number, line in text_lines(path, content):
        for patch in _patches(f"{path}: line {number}", line):
            if patch.item in by_item:
                raise SourceError(f"{path}: line {number}: entry {patch.item} is a duplicate; keep one")
            by_item[patch.item] = patch
    return Patches(path, by_item, hashlib.sha256(content).hexdigest())


def _patches(where: str, line: str) -> Iterator[Patch]:
    """Yield the patch of a line, and that of the other sentence where formulas were swapped."""
    try:
        patch = Patch.model_validate_json(line)
    except ValidationError as error:
        raise SourceError(f"{where}: not a valid entry: {describe_faults(error, 'line')}") from error
    if not patch.reviewed:
        raise SourceError(
            f"{where}: entry {patch.item}: not reviewed; compare it with the sentence and set 'reviewed' to true, or "
            "remove the entry"
        )
    for version in (patch, patch.model_copy(update=dict(patch.other))) if patch.other else (patch,):
        _check(f"{where}: entry {version.item}", version.formula)
        yield version
    try:
        if patch.symbols is not None:
            with_symbols(None, patch.symbols)
    except OntologyError as error:
        raise SourceError(f"{where}: entry {patch.item}: {error}") from error


def _check(location: str, formula: str) -> None:
    try:
        reading = read(formula)
        signature(reading.formula)
    except (FormulaSyntaxError, SignatureError) as error:
        raise SourceError(f"{location}: {error}; correct the formula") from error
    if reading.warnings or free_variables(reading.formula):
        raise SourceError(f"{location}: a variable is free because a quantifier's scope is unclear; add parentheses")
