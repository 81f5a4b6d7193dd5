"""The base of entries that read sentences."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from pydantic import model_validator
from typing_extensions import override

from nlfol.datasets.entries.block import Block, PathText
from nlfol.datasets.sentences import Dataset

if TYPE_CHECKING:
    from nlfol.datasets.patches import Patches
    from nlfol.ontology.files import Ontologies


class SentencesEntry(Block):
    """The base of entries that read sentences with gold formulas, which a patch file corrects if ``gold`` says so.

    ``accepted`` keeps published gold, and judges translations by corrected gold and further readings, too.
    """

    gold: Literal["published", "corrected", "accepted"] = "published"
    patches: PathText | None = None
    accepted: PathText | None = None

    if TYPE_CHECKING:
        path: str | None
        ontology: str | None

    @model_validator(mode="after")
    def _has_patches(self) -> Self:
        if self.gold == "corrected" and self.patches is None:
            raise ValueError("gold is 'corrected', but there is no patch file; set the key 'patches'")
        if self.gold == "accepted" and self.accepted is None:
            raise ValueError("gold is 'accepted', but there is no file of readings; set the key 'accepted'")
        return self

    @abstractmethod
    def read(self) -> Dataset:
        """Read the sentences, refused ones among them; raises ``SourceError`` if a file cannot be read at all."""

    def ontologies(self) -> Ontologies | None:
        """Read the configured ontologies, None if they are to be derived; raises ``SourceError``, ``OntologyError``."""
        from nlfol.ontology.files import read_ontologies

        return None if self.ontology is None else read_ontologies(Path(self.ontology))

    def read_patches(self) -> Patches | None:
        """Read the patch file, None if gold formulas are as published; raises ``SourceError`` if it cannot be used."""
        from nlfol.datasets.patches import read_patches

        return (
            read_patches(Path(self.patches)) if self.patches is not None and self.patches in self.patch_files else None
        )

    @property
    @override
    def patch_files(self) -> list[str]:
        files = {"published": [], "corrected": [self.patches], "accepted": [self.patches, self.accepted]}
        return [file for file in files[self.gold] if file is not None]

    @property
    @override
    def ontology_files(self) -> list[str]:
        return [] if self.ontology is None else [self.ontology]
