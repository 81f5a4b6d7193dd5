"""Sources of problems: statements with a question and its answer."""

from __future__ import annotations

from typing import ClassVar, Literal, Self

from pydantic import NonNegativeInt, PositiveInt, model_validator

from nlfol.datasets.entries.block import Block, Holding, Place, shipped


class ProblemsBlock(Block):
    """What every source of problems may say.

    Attributes:
        sample: how many problems are drawn from the source, by the experiment's seed; null takes all.
    """

    sample: PositiveInt | None = None

    SPOKEN: ClassVar[bool] = False
    """Whether problems are read or written with the words of the lexicon."""

    @property
    def holds(self) -> Holding:
        """What the dataset holds."""
        return "problems"

    @property
    def read_from(self) -> list[str]:
        """The published file, or its pin."""
        return []

    @property
    def source_files(self) -> list[str]:
        """What the problems are made from."""
        return [*self.read_from, *([shipped("resources/lexicon/problems.yaml")] if self.SPOKEN else [])]

    @property
    def patch_files(self) -> list[str]:
        """None: problems are not corrected."""
        return []

    @property
    def ontology_files(self) -> list[str]:
        """None: problems have no ontology."""
        return []

    @property
    def is_drawn(self) -> bool:
        """Whether the problems depend on the experiment's seed."""
        return self.sample is not None


class FamilyEntry(ProblemsBlock):
    """Problems that are drawn by seed.

    Attributes:
        reader: ``family``.
        family: ``rules``, ``taxonomy``, ``order`` or ``proofs``.
        count: how many problems.
        depth: the least and the greatest depth; null is the family's default.
        labels: ``balanced``: each answer is right equally often.
    """

    reader: Literal["family"]
    family: Literal["rules", "taxonomy", "order", "proofs"]
    count: PositiveInt = 200
    depth: tuple[NonNegativeInt, NonNegativeInt] | None = None
    labels: Literal["balanced"] = "balanced"
    sample: None = None

    SPOKEN: ClassVar[bool] = True

    @property
    def is_drawn(self) -> bool:
        """They do."""
        return True

    @model_validator(mode="after")
    def _has_depths(self) -> Self:
        if self.depth is not None and self.depth[0] > self.depth[1]:
            raise ValueError("'depth' is the least depth and the greatest; exchange them")
        return self


class PinnedEntry(ProblemsBlock):
    """Problems of a file that is fetched.

    Attributes:
        path: a copy of the file; null fetches it.
        pin: the file that says where it is published and what its SHA-256 is; null is the one shipped.
    """

    path: Place | None = None
    pin: Place | None = None

    reader: str

    @property
    def pin_file(self) -> str:
        """Where the pin lies."""
        return self.pin or shipped(f"resources/datasets/{self.reader}/pin.json")

    @property
    def read_from(self) -> list[str]:
        """The copy, or the pin."""
        return [self.path or self.pin_file]


class ProofWriterEntry(PinnedEntry):
    """ProofWriter as Logic-LM has it; ``reader`` is ``proofwriter``."""

    reader: Literal["proofwriter"]

    SPOKEN: ClassVar[bool] = True


class ProntoQAEntry(PinnedEntry):
    """ProntoQA as Logic-LM has it.

    Attributes:
        reader: ``prontoqa``.
        nouns: ``nonce`` as published; ``real`` puts nouns of the lexicon for the nonce ones, drawn for each problem.
    """

    reader: Literal["prontoqa"]
    nouns: Literal["nonce", "real"] = "nonce"

    SPOKEN: ClassVar[bool] = True

    @property
    def is_drawn(self) -> bool:
        """They do with real nouns, and as a sample."""
        return self.nouns == "real" or super().is_drawn


class LogicalDeductionEntry(PinnedEntry):
    """LogicalDeduction as Logic-LM has it; ``reader`` is ``logical_deduction``."""

    reader: Literal["logical_deduction"]

    SPOKEN: ClassVar[bool] = True


class ArLsatEntry(PinnedEntry):
    """AR-LSAT as Logic-LM has it; ``reader`` is ``ar_lsat``."""

    reader: Literal["ar_lsat"]


class FileEntry(ProblemsBlock):
    """Problems of a file at hand.

    Attributes:
        reader: ``folio_questions`` (a split of FOLIO), ``proverqa``, or ``problems`` (a table of your own).
        path: the file.
    """

    reader: Literal["folio_questions", "proverqa", "problems"]
    path: Place

    @property
    def read_from(self) -> list[str]:
        """The file."""
        return [self.path]


class LogievalEntry(ProblemsBlock):
    """Multi-LogiEval.

    Attributes:
        reader: ``logieval``.
        path: its folder ``data``.
        logic: ``pl`` or ``fol``.
    """

    reader: Literal["logieval"]
    path: Place
    logic: Literal["pl", "fol"]

    @property
    def read_from(self) -> list[str]:
        """The folder."""
        return [self.path]
