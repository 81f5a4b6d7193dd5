"""What all entries of datasets have in common; paths are relative to the working directory."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, PositiveInt, StringConstraints, model_validator

PROJECT = Path(__file__).resolve().parents[5]
"""The checkout that this library lies in."""

Place = Annotated[str, StringConstraints(pattern=r"^[^{}]+$")]
"""A path: Snakemake takes an empty one for no file, and braces for a wildcard."""


def shipped(name: str) -> str:
    """The place of a file that the project ships, from the working directory: there, or else in the project itself.

    Relative, so that a project that was moved makes nothing again.
    """
    return name if Path(name).exists() else os.path.relpath(PROJECT / name)


Holding = Literal["sentences", "formulas", "expressions", "problems"]
"""What a dataset holds: sentences with gold formulas, formulas, regular expressions, or problems."""


class Block(BaseModel):
    """What every entry may say."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    shards: PositiveInt = 1
    """In how many parts candidates are built, audited and answers judged, side by side; no result depends on it."""

    @property
    def edits_tried(self) -> int:
        """How many single edits of each item are tried."""
        return 0

    @property
    def holds(self) -> Holding:
        """What the dataset holds."""
        return "sentences"

    @property
    def original(self) -> str | None:
        """The dataset of which this one has the items in other words; None where they are its own."""
        return None

    @property
    def is_drawn(self) -> bool:
        """Whether it depends on the experiment's seed."""
        return False


class Patchable(Block):
    """A source whose gold formulas can be corrected.

    Attributes:
        gold: whether formulas are taken as ``published``, or ``corrected`` by the entries of a patch file.
        patches: the patch file, see ``patches``; it is read where ``gold`` is ``corrected``.
    """

    gold: Literal["published", "corrected"] = "published"
    patches: Place | None = None

    @model_validator(mode="after")
    def _has_patches(self) -> Self:
        if self.gold == "corrected" and self.patches is None:
            raise ValueError("gold is 'corrected', but there is no patch file; set the key 'patches'")
        return self

    @property
    def patch_files(self) -> list[str]:
        """What the gold formulas are corrected by."""
        return [self.patches] if self.gold == "corrected" and self.patches is not None else []
