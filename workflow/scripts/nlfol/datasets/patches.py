"""Reviewed corrections of a source's gold formulas: a file of patches, and what they do to sentences.

A patch file is JSON Lines, an object a sentence. The SHA-256 of the sentence and of its published formula are part of
an entry, so that it applies to what was reviewed and to nothing else.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, StringConstraints, ValidationError

from nlfol.datasets.sentences import Correction, Sentence
from nlfol.logic.errors import FormulaSyntaxError, SignatureError
from nlfol.logic.measuring import free_variables, signature
from nlfol.logic.reading import read
from nlfol.store.records import SourceError, read_content, text_lines
from nlfol.validation import describe_faults

_Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
_Prose = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class PatchKind(StrEnum):
    """A fault of a published formula."""

    PARENTHESIS = "parenthesis"
    """Parentheses are missing, too many, or group otherwise than the sentence."""
    CONNECTIVE = "connective"
    """A connective is missing, or stands there as a sign that the notation does not have."""
    ARITY = "arity"
    """The story uses the symbol with another number of arguments."""
    OPEN = "open"
    """A variable is bound by no quantifier."""
    SYMBOL = "symbol"
    """A symbol is misspelt, or one of another thing."""
    MEANING = "meaning"
    """The formula can be read and says something else than the sentence."""


class Patch(BaseModel):
    """An entry of a patch file, with the SHA-256 of the sentence and of the formula as in the source, in UTF-8.

    The sentence is without surrounding white space; the corrected formula is closed, in the strict notation.
    ``evidence`` says why it is what its author meant, ``reviewed`` that a person compared it with the sentence; others
    are refused.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    story: _Prose
    index: NonNegativeInt
    text_sha256: _Sha256
    formula_sha256: _Sha256
    formula: _Prose
    kind: PatchKind
    reason: _Prose
    evidence: _Prose
    reviewed: bool = Field(strict=True)

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
        published = {sentence.item: sentence for sentence in sentences}
        for item, patch in self.by_item.items():
            if item not in published:
                raise SourceError(f"{self.path}: entry {item}: the dataset has no such sentence; remove the entry")
            sentence = published[item]
            for what, text, expected in (
                ("sentence", sentence.text, patch.text_sha256),
                ("published formula", sentence.source_formula, patch.formula_sha256),
            ):
                if text_digest(text) != expected:
                    raise SourceError(
                        f"{self.path}: entry {item}: the {what} has changed since the review: its SHA-256 is "
                        f"{text_digest(text)} not {expected}; review the entry and update the digest, or remove it"
                    )

    def correct(self, published: Sentence, corrected: Sentence) -> Sentence:
        """Return a sentence with what its own entry, or another of its story, has changed."""
        regained = published.reason if corrected.reason is None else None
        patch = self.by_item.get(published.item)
        if patch is None:
            return replace(corrected, regained=regained)
        correction = Correction(patch.kind.value, patch.reason, patch.evidence, published.formula)
        return replace(corrected, source_formula=published.source_formula, correction=correction, regained=regained)


def text_digest(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_patches(path: Path) -> Patches:
    """Read a patch file; ``SourceError`` names line and entry if one is not of the form of ``Patch``, or unusable."""
    content = read_content(path, "patches")
    by_item: dict[str, Patch] = {}
    for number, line in text_lines(path, content):
        patch = _patch(f"{path}: line {number}", line)
        if patch.item in by_item:
            raise SourceError(f"{path}: line {number}: entry {patch.item} is a duplicate; keep one")
        by_item[patch.item] = patch
    return Patches(path, by_item, hashlib.sha256(content).hexdigest())


def _patch(place: str, line: str) -> Patch:
    try:
        patch = Patch.model_validate_json(line)
    except ValidationError as error:
        raise SourceError(f"{place}: not a valid entry: {describe_faults(error, 'line')}") from error
    place = f"{place}: entry {patch.item}"
    if not patch.reviewed:
        raise SourceError(
            f"{place}: not reviewed; compare it with the sentence and set 'reviewed' to true, or remove the entry"
        )
    try:
        reading = read(patch.formula)
        signature(reading.formula)
    except (FormulaSyntaxError, SignatureError) as error:
        raise SourceError(f"{place}: {error}; correct the formula") from error
    if reading.warnings or free_variables(reading.formula):
        raise SourceError(f"{place}: a variable is free because a quantifier's scope is unclear; add parentheses")
    return patch
