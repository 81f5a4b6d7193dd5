"""Problems of another dataset, reworded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, PositiveInt, model_validator
from typing_extensions import override

from nlfol.data.entries.block import PathText, shipped
from nlfol.data.entries.problems import ProblemsEntry
from nlfol.problems.forms import Part

WORDNET = tuple(f"{kind}.{part}" for part in ("noun", "verb", "adj", "adv") for kind in ("index", "data"))
"""Files read from WordNet's folder."""


class Filter(BaseModel):
    """A filter of rewritten statements by the cosine with the original, by an embedding model of the configuration."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    threshold: Annotated[float, Field(ge=-1, le=1)] = 0.9


class Similarity(BaseModel):
    """The least cosine of a whole problem with its original, by an embedding model of the configuration."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str
    least: Annotated[float, Field(ge=-1, le=1)]


class DiversifiedEntry(ProblemsEntry):
    """The problems of another dataset in other words, certified by reading them back, or as SoLT makes them.

    The keys from ``wordnet`` on are of the protocol ``paper``; ``words``, ``forms``, ``glossary`` and ``decoys`` of
    ``audited``. ``words`` are those of tests, or those of solved examples, which sets to learn from have. Without
    ``types``, all are used but ``frame``; ``forms`` bounds the forms of a concept, its base form among them.
    """

    reader: Literal["diversified"]
    of: str
    protocol: Literal["audited", "paper"] = "audited"
    intensity: Annotated[float, Field(ge=0, le=1)] = 1.0
    words: Part = "tested"
    types: tuple[Literal["synonym", "phrase", "part_of_speech", "voice", "reference", "syntax", "frame"], ...] = ()
    forms: PositiveInt | None = None
    at_most: PositiveInt | None = None
    glossary: bool = False
    decoys: NonNegativeInt = 0
    similarity: Similarity | None = None
    wordnet: PathText | None = None
    ppdb: PathText | None = None
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
        if self.protocol == "paper" and (others := [name for name in self.types if name in _OF_FORMS]):
            raise ValueError(f"types: {' and '.join(others)} is not of protocol 'paper'; remove it")
        if self.protocol == "paper" and (missing := [key for key in _ASKED if key not in given]):
            raise ValueError(f"protocol 'paper' needs {' and '.join(missing)}: names of models of the configuration")
        return self

    @property
    @override
    def original(self) -> str | None:
        return self.of

    @property
    @override
    def read_from(self) -> list[str]:
        files = [f"{self.wordnet}/{name}" for name in WORDNET] if self.wordnet else []
        return [*files, *([self.ppdb] if self.ppdb else [])]

    @property
    @override
    def source_files(self) -> list[str]:
        shipped_words = [] if self.protocol == "paper" else [shipped("resources/lexicon/diversified.yaml")]
        return [shipped("resources/lexicon/problems.yaml"), *shipped_words, *self.read_from]

    @property
    @override
    def is_drawn(self) -> bool:
        return self.protocol == "audited" or self.intensity < 1 or self.at_most is not None

    @property
    def asked(self) -> PaperModels:
        """The models of protocol ``paper``; raises ``TypeError`` under ``audited``, which asks none."""
        if self.rewriter is None or self.filter is None or self.assembler is None:
            raise TypeError(f"protocol {self.protocol!r} asks no models")
        return PaperModels(self.rewriter, self.filter, self.assembler)

    def check_models(self, location: str, kinds: Mapping[str, str]) -> None:
        """Check that the models it asks are among ``kinds``, by name; raises ``ValueError`` naming the key at fault."""
        named = {} if self.similarity is None else {"similarity.model": self.similarity.model}
        if self.protocol == "paper":
            asked = self.asked
            named |= {"rewriter": asked.rewriter, "filter.model": asked.filter.model, "assembler": asked.assembler}
        for key, model in named.items():
            kind = "embedding" if key.endswith(".model") else "chat"
            if kinds.get(model) != kind:
                known = ", ".join(name for name, of in kinds.items() if of == kind) or "there is none yet"
                raise ValueError(
                    f"{location}.{key}: {model} is no model of kind {kind} under models; name one of: {known}"
                )


class PaperModels(NamedTuple):
    """The models that a dataset of protocol ``paper`` names."""

    rewriter: str
    filter: Filter
    assembler: str


_ASKED = PaperModels._fields
_OF_FORMS = ("part_of_speech", "syntax", "frame")
_OF_PROTOCOL = {"audited": ("words", "forms", "glossary", "decoys"), "paper": ("wordnet", "ppdb", *_ASKED)}
