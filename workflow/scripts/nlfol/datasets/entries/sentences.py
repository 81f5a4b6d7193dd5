"""Sources of sentences with gold formulas."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from nlfol.datasets.entries.block import Patchable, Place, shipped

_FOLIO = "resources/datasets/folio"

PUBLISHED = "published"
"""In place of a path: the ontologies as their authors publish them."""


class FolioEntry(Patchable):
    """FOLIO v0.0, from its publisher or from a copy.

    Attributes:
        reader: ``folio``.
        path: a copy of the file; null downloads it.
        pin: the file that says where it is published and what its SHA-256 is.
        ontology: a folder or file of ontologies; ``published`` fetches those of the NL-FOL-LT paper's authors; null
            derives one for each story.
        ontology_pins: the files that say where those are published.
        exclusive_or: whether formulas with ⊕ are refused, as in the paper, or kept.
    """

    reader: Literal["folio"]
    patches: Place | None = Field(default_factory=lambda: shipped(f"{_FOLIO}/patches.jsonl"))
    path: Place | None = None
    pin: str = Field(default_factory=lambda: shipped(f"{_FOLIO}/pin.json"))
    ontology: Place | None = None
    ontology_pins: tuple[str, ...] = Field(
        default_factory=lambda: tuple(shipped(f"{_FOLIO}/{part}_pin.json") for part in ("predicates", "constants"))
    )
    exclusive_or: Literal["exclude", "include"] = "exclude"

    @property
    def source_files(self) -> list[str]:
        """What the sentences are made from, as far as it lies at hand."""
        return [self.pin if self.path is None else self.path, *self.patch_files]

    @property
    def ontology_files(self) -> list[str]:
        """What the ontologies are made from, as far as it lies at hand."""
        if self.ontology == PUBLISHED:
            return list(self.ontology_pins)
        return [] if self.ontology is None else [self.ontology]


class TableEntry(Patchable):
    """A table with the columns story, text and formula.

    Attributes:
        reader: ``table``.
        path: a .csv, .jsonl, .ndjson, .parquet, .arrow or .feather file.
        ontology: a file of ontologies; null derives one for each story.
    """

    reader: Literal["table"]
    path: Place
    ontology: Place | None = None

    @property
    def source_files(self) -> list[str]:
        """What the sentences are made from."""
        return [self.path, *self.patch_files]

    @property
    def ontology_files(self) -> list[str]:
        """What the ontologies are made from."""
        return [] if self.ontology is None else [self.ontology]


SentencesEntry = FolioEntry | TableEntry
"""A source of sentences."""
