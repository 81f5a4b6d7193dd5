"""The base of all entries of datasets; their paths are relative to the working directory."""

import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, PositiveInt, StringConstraints

from nlfol.installed import PROJECT

PathText = Annotated[str, StringConstraints(pattern=r"^[^{}]+$")]
"""A path: Snakemake takes an empty one for no file, and braces for a wildcard."""

Holding = Literal["sentences", "formulas", "expressions", "problems"]
"""Kind of a dataset's items: sentences with gold formulas, formulas, regular expressions, or problems."""


def shipped(name: str) -> str:
    """Return the relative path of a shipped file, here or in the project: moving the project changes no result."""
    return name if Path(name).exists() else os.path.relpath(PROJECT / name)


class Block(BaseModel, ABC):
    """The base of all entries; an entry is chosen by its ``reader``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    shards: PositiveInt = 1
    """Parts in which candidates are built and audited, and answers judged, side by side; no result depends on it."""

    if TYPE_CHECKING:
        reader: str

    @property
    @abstractmethod
    def source_files(self) -> list[str]:
        """The local files that the dataset is made from."""

    @property
    def patch_files(self) -> list[str]:
        """The files that correct gold formulas."""
        return []

    @property
    def ontology_files(self) -> list[str]:
        """The local files that ontologies are made from."""
        return []

    @property
    def edits_tried(self) -> int:
        """The number of single edits tried of each item."""
        return 0

    @property
    def holds(self) -> Holding:
        """The kind of the dataset's items."""
        return "sentences"

    @property
    def original(self) -> str | None:
        """The dataset whose items these are in other words; None if they are its own."""
        return None

    @property
    def published_as(self) -> str | None:
        """The name that papers have for the dataset, whatever the entry's is; None if that one tells."""
        return None

    @property
    def is_drawn(self) -> bool:
        """True if the dataset depends on the experiment's seed."""
        return False
