"""The base of entries that read sentences."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from pydantic import model_validator
from typing_extensions import override

from nlfol.data.entries.block import Block, PathText
from nlfol.data.sentences import Dataset, Sentence

if TYPE_CHECKING:
    from nlfol.data.patches import Patches
    from nlfol.logic.ontology.files import Ontologies


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
        from nlfol.logic.ontology.files import read_ontologies

        return None if self.ontology is None else read_ontologies(Path(self.ontology))

    def read_patches(self) -> Patches | None:
        """Read the patch file, None if gold formulas are as published; raises ``SourceError`` if it cannot be used."""
        from nlfol.data.patches import read_patches

        return (
            read_patches(Path(self.patches)) if self.patches is not None and self.patches in self.patch_files else None
        )

    def corrected(
        self, published: Sequence[Sentence], correct: Callable[[Patches], Iterable[Sentence]]
    ) -> tuple[tuple[Sentence, ...], str | None]:
        """Return sentences with the gold of the entry, and the SHA-256 of the files that correct it, if any do.

        ``correct`` applies patches to the sentences. Raises ``SourceError`` if a file cannot be used.
        """
        patches = self.read_patches()
        if self.gold == "accepted" and self.accepted is not None:
            from nlfol.data.patches import with_readings

            sentences, digest = with_readings(published, Path(self.accepted), patches)
            return tuple(sentences), digest
        if patches is None:
            return tuple(published), None
        patches.check(published)
        return tuple(correct(patches)), patches.digest

    @property
    @override
    def patch_files(self) -> list[str]:
        files = {"published": [], "corrected": [self.patches], "accepted": [self.patches, self.accepted]}
        return [file for file in files[self.gold] if file is not None]

    @property
    @override
    def ontology_files(self) -> list[str]:
        return [] if self.ontology is None else [self.ontology]
