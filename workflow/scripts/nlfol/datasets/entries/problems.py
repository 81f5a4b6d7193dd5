"""Sources of problems: statements with a question and its answer."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, PositiveInt, model_validator

from nlfol.datasets.entries.block import Block, Holding, Place, shipped

WORDNET = tuple(f"{kind}.{part}" for part in ("noun", "verb", "adj", "adv") for kind in ("index", "data"))
"""What is read of WordNet's folder."""


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


class Filter(BaseModel):
    """Which rewrites are similar enough.

    Attributes:
        model: an embedding model of the configuration.
        threshold: the least cosine of the vectors of a statement and of the statement in other words.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    threshold: Annotated[float, Field(ge=-1, le=1)] = 0.9


class DiversifiedEntry(ProblemsBlock):
    """The problems of another dataset in other words, certified by reading them back, or as SoLT makes them.

    Attributes:
        reader: ``diversified``.
        of: the other dataset, whose items these are.
        protocol: ``audited``, by the lexicon; or ``paper``, by lexica and models, see ``diversification.paper``. The
            keys from ``wordnet`` on are of ``paper``, those between of ``audited``.
        intensity: share of the statements that are rewritten, from 0 to 1.
        types: kinds of forms that are used; empty for all.
        at_most: how many mentions of concepts are rewritten in a problem; null for all.
        glossary: whether the synonymies used are said before the problem.
        decoys: how many concepts are added to a problem that sound like others and are not they.
        wordnet: folder of WordNet's files; null for none.
        ppdb: a file of PPDB, which may be packed by gzip; null for none.
        rewriter: dialogue model of the configuration that writes sentences, and other words where lexica have none.
        filter: which rewrites are kept.
        assembler: dialogue model that picks a sentence for each statement.
    """

    reader: Literal["diversified"]
    of: str
    protocol: Literal["audited", "paper"] = "audited"
    intensity: Annotated[float, Field(ge=0, le=1)] = 1.0
    types: tuple[Literal["synonym", "phrase", "part_of_speech", "voice", "reference"], ...] = ()
    at_most: PositiveInt | None = None
    glossary: bool = False
    decoys: NonNegativeInt = 0
    wordnet: Place | None = None
    ppdb: Place | None = None
    rewriter: str | None = None
    filter: Filter | None = None
    assembler: str | None = None
    sample: None = None

    @model_validator(mode="after")
    def _has_keys_of_its_protocol(self) -> Self:
        given = {key for key, field in type(self).model_fields.items() if getattr(self, key) != field.get_default()}
        other = _OF_PROTOCOL["audited" if self.protocol == "paper" else "paper"]
        if wrong := [key for key in other if key in given]:
            raise ValueError(
                f"{' and '.join(wrong)} {'is' if len(wrong) == 1 else 'are'} not of protocol {self.protocol!r}; remove "
                "this, or set the other protocol"
            )
        if self.protocol == "paper" and (missing := [key for key in _ASKED if key not in given]):
            raise ValueError(f"protocol 'paper' needs {' and '.join(missing)}: names of models of the configuration")
        return self

    @property
    def read_from(self) -> list[str]:
        """The lexica that are read."""
        files = [f"{self.wordnet}/{name}" for name in WORDNET] if self.wordnet else []
        return [*files, *([self.ppdb] if self.ppdb else [])]

    @property
    def source_files(self) -> list[str]:
        """The words that are used; the problems are a file of the other dataset."""
        shipped_words = [] if self.protocol == "paper" else [shipped("resources/lexicon/diversified.yaml")]
        return [shipped("resources/lexicon/problems.yaml"), *shipped_words, *self.read_from]

    @property
    def is_drawn(self) -> bool:
        """They do where they are drawn."""
        return self.protocol == "audited"

    @property
    def asked(self) -> PaperModels:
        """The models of protocol ``paper``.

        Raises:
            TypeError: of another protocol.
        """
        if self.rewriter is None or self.filter is None or self.assembler is None:
            raise TypeError(f"protocol {self.protocol!r} asks no models")
        return PaperModels(self.rewriter, self.filter, self.assembler)


class PaperModels(NamedTuple):
    """The models that a dataset of protocol ``paper`` names."""

    rewriter: str
    filter: Filter
    assembler: str


_ASKED = PaperModels._fields
_OF_PROTOCOL = {
    "audited": ("intensity", "types", "at_most", "glossary", "decoys"),
    "paper": ("wordnet", "ppdb", *_ASKED),
}

ProblemsEntry = Annotated[
    FamilyEntry
    | ProofWriterEntry
    | ProntoQAEntry
    | LogicalDeductionEntry
    | ArLsatEntry
    | FileEntry
    | LogievalEntry
    | DiversifiedEntry,
    Field(discriminator="reader"),
]
"""Any source of problems."""
