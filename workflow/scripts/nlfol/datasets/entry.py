"""The block of the configuration that says where a dataset comes from; paths are relative to the working directory."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PositiveInt,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from nlfol.datasets.errors import DatasetError

_PROJECT = Path(__file__).resolve().parents[4]
_FOLIO = "resources/datasets/folio"

PUBLISHED = "published"
"""In place of a path: the ontologies as their authors publish them."""

_Place = Annotated[str, StringConstraints(pattern=r"^[^{}]+$")]
"""A path: Snakemake takes an empty one for no file, and braces for a wildcard."""


def shipped(name: str) -> str:
    """The place of a file that the project ships, from the working directory: there, or else in the project itself.

    Relative, so that a project that was moved makes nothing again.
    """
    return name if Path(name).exists() else os.path.relpath(_PROJECT / name)


Holding = Literal["sentences", "formulas", "expressions", "problems"]
"""What a dataset holds: sentences with gold formulas, formulas, regular expressions, or problems."""


class _Block(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    holds: ClassVar[Holding] = "sentences"

    shards: PositiveInt = 1
    """In how many parts candidates are built, audited and answers judged, side by side; no result depends on it."""


class _Patchable(_Block):
    """A source whose gold formulas can be corrected.

    Attributes:
        gold: whether formulas are taken as ``published``, or ``corrected`` by the entries of a patch file.
        patches: the patch file, see ``patches``; it is read where ``gold`` is ``corrected``.
    """

    gold: Literal["published", "corrected"] = "published"
    patches: _Place | None = None

    @model_validator(mode="after")
    def _has_patches(self) -> Self:
        if self.gold == "corrected" and self.patches is None:
            raise ValueError("gold is 'corrected', but there is no patch file; set the key 'patches'")
        return self

    @property
    def patch_files(self) -> list[str]:
        """What the gold formulas are corrected by."""
        return [self.patches] if self.gold == "corrected" and self.patches is not None else []


class FolioEntry(_Patchable):
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
    patches: _Place | None = Field(default_factory=lambda: shipped(f"{_FOLIO}/patches.jsonl"))
    path: _Place | None = None
    pin: str = Field(default_factory=lambda: shipped(f"{_FOLIO}/pin.json"))
    ontology: _Place | None = None
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


class TableEntry(_Patchable):
    """A table with the columns story, text and formula.

    Attributes:
        reader: ``table``.
        path: a .csv, .jsonl, .ndjson, .parquet, .arrow or .feather file.
        ontology: a file of ontologies; null derives one for each story.
    """

    reader: Literal["table"]
    path: _Place
    ontology: _Place | None = None

    @property
    def source_files(self) -> list[str]:
        """What the sentences are made from."""
        return [self.path, *self.patch_files]

    @property
    def ontology_files(self) -> list[str]:
        """What the ontologies are made from."""
        return [] if self.ontology is None else [self.ontology]


DatasetEntry = Annotated[FolioEntry | TableEntry, Field(discriminator="reader")]
"""Any of the blocks, told apart by ``reader``."""

_ADAPTER: TypeAdapter[FolioEntry | TableEntry] = TypeAdapter(DatasetEntry)


def read_entry(text: str) -> FolioEntry | TableEntry:
    """The block that a JSON text spells.

    Raises:
        DatasetError: naming each key at fault.
    """
    try:
        return _ADAPTER.validate_json(text)
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in problem['loc']) or 'block'}: {problem['msg']}"
            for problem in error.errors()
        )
        raise DatasetError(f"dataset entry: {problems}") from error
