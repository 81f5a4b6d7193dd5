"""Entries of embedding models."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import Field, PositiveInt

from nlfol.models.entries.base import Entry, Part
from nlfol.models.entries.interface import Interface
from nlfol.models.entries.source import Source
from nlfol.store.canonical import canonical

Role = Literal["query", "document", "formula"]
"""A query is what one searches with, a document what one searches in; some models want a prompt before one of them.

A formula is a document, with a role of its own where the prompt of documents is given by kind of text.
"""

Similarity = Literal["cosine", "dot", "euclidean", "manhattan"]


def read_role(name: str) -> Role:
    """Return the role of a name; raises ``KeyError`` for an unknown name."""
    roles: dict[str, Role] = {"query": "query", "document": "document", "formula": "formula"}
    return roles[name]


class PromptsByKind(Part):
    """Prompts before documents, by kind of text."""

    formula: str
    english: str


class _Embedding(Entry):
    """An embedding model; entries that differ in ``similarity`` and ``dimensions`` alone share their vectors."""

    kind: Literal["embedding"]
    query_prompt: str | None = None
    """Put before every query; None is nothing."""
    document_prompt: str | PromptsByKind | None = None
    """Put before every document, or before formulas and sentences apart; None is nothing."""
    similarity: Similarity = "cosine"
    """Measure of two vectors; of a distance, its negative."""
    dimensions: PositiveInt | None = None
    """Number of first dimensions that are compared (Matryoshka truncation); None is all."""

    def prompt(self, role: Role) -> str:
        """Return what is put before a text in a role."""
        if role == "query":
            return self.query_prompt or ""
        if isinstance(self.document_prompt, PromptsByKind):
            return self.document_prompt.formula if role == "formula" else self.document_prompt.english
        return self.document_prompt or ""

    def role_of(self, *, formula: bool) -> Role:
        """Return the role of a document that is a formula, or a sentence."""
        return "formula" if formula and isinstance(self.document_prompt, PromptsByKind) else "document"

    @property
    def prompts(self) -> list[str]:
        """The prompts as a part of an identity; none where there are none."""
        roles: tuple[Role, ...] = ("query", "document", self.role_of(formula=True))
        prompts = [self.prompt(role) for role in dict.fromkeys(roles)]
        return [f"prompts={canonical(prompts)}"] if any(prompts) else []

    @property
    def comparison(self) -> str:
        """The comparison of vectors, in one line."""
        return self.similarity if self.dimensions is None else f"{self.similarity} of {self.dimensions} dimensions"


class EmbeddingEntry(_Embedding):
    """An embedding model that runs here, through sentence-transformers."""

    backend: Literal["sentence_transformers"]
    source: Source
    tokens_per_batch: PositiveInt | None = None
    """Encoded side by side, padding included; None is 2,048 on the CPU, for its caches' sake, and 65,536 on CUDA."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """``auto`` is a CUDA device, and the CPU where there is none."""
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "float32"
    """Type of the weights; ``auto`` is as they are stored."""

    @property
    def identity(self) -> str:
        """The model in one line, as far as the entry tells; see ``materialisation.identity``."""
        return self.named(self.source.identity)

    def named(self, source: str) -> str:
        """Return the model in one line, with its source as given."""
        return ";".join([source, f"dtype={self.dtype}", *self.prompts])


class ApiEmbeddingEntry(_Embedding, Interface):
    """An embedding model behind an interface; each provider has its own entry (``nlfol.models.providers``)."""

    output_dimensions: PositiveInt | None = None
    """Asked of the interface, for models that can shorten their vectors; None is as many as the model has."""
    texts_per_request: Annotated[int, Field(gt=0, le=2048)] = 100
    """At most so many texts side by side."""
    tokens_per_request: PositiveInt = 20_000
    """At most so many, estimated at three characters each; a text that has more is sent alone."""
    reaching: ClassVar[frozenset[str]] = Interface.reaching | {"texts_per_request", "tokens_per_request"}

    @property
    def identity(self) -> str:
        """The model in one line, with whatever the entry says that its vectors depend on."""
        shortened = [] if self.output_dimensions is None else [f"output_dimensions={self.output_dimensions}"]
        return ";".join([*self.address, *shortened, *self.prompts])


def vectors_folder(journal: Path, entry: EmbeddingEntry | ApiEmbeddingEntry, job: str) -> Path:
    """Return where the vectors of a job (dataset and task) are kept: those that are paid for once for all jobs."""
    return journal / "vectors" / (".interfaces" if isinstance(entry, Interface) and not entry.runs_here else job)
