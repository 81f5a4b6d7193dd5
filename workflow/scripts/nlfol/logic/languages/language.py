"""The protocol of a formal language: reading, printing, English and back, verdicts with evidence, edits, measures."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeVar

from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.equivalence import Contingency
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.structures import Structure

LanguageName = Literal["first_order", "propositional", "regular"]

S = TypeVar("S")
"""A sentence of the language: a formula, or a regular expression. Equal sentences are one object."""


class ReadingError(ValueError):
    """A text that is no sentence of the language; the message says where and why."""


class UnknownSymbolError(ValueError):
    """A sentence not over its ontology (kind ``signature``), or with a name that nothing binds (``open_formula``)."""

    def __init__(self, kind: str, problem: str) -> None:
        super().__init__(problem)
        self.kind = kind

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, str(self))


@dataclass(frozen=True, slots=True)
class Read(Generic[S]):
    """The sentence of a model's text, with a sentence for each liberty taken and each place that could mean another."""

    sentence: S
    dialect: str
    repairs: tuple[str, ...] = ()
    ambiguities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Relation of two sentences, with the evidence."""

    outcome: Outcome
    means: str
    reason: str | None = None  # a sentence for unknown and invalid
    counter_model: Structure | None = None  # in which exactly one of two formulas is true, where one is known
    word: str | None = None  # the shortest that exactly one of two regular expressions matches


@dataclass(frozen=True, slots=True)
class Judged(Generic[S]):
    """An answer's text as it was read, and the relation of its sentence to gold; or the ``problem`` with the text.

    ``ambiguities`` are those of a text with readings that differ in meaning.
    """

    read: Read[S] | None = None
    comparison: Comparison | None = None
    problem: str | None = None
    ambiguities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edited(Generic[S]):
    """The whole sentence after an edit of some kind or a law; the path to the changed node is of child indices."""

    kind: str
    sentence: S
    path: tuple[int, ...]


class Language(ABC, Generic[S]):
    """A formal language; its instances have no state."""

    name: ClassVar[LanguageName]

    @abstractmethod
    def parse(self, text: str) -> S:
        """Read the canonical notation; raises `ReadingError` if the text is none."""

    @abstractmethod
    def read(self, text: str, ontology: Ontology) -> Read[S]:
        """Read what a model wrote; raises `ReadingError` unless exactly one sentence can be meant."""

    def judge(
        self, gold: S, text: str, ontology: Ontology, *, strict: bool, reading: AbstractContextManager[object]
    ) -> Judged[S]:
        """Read an answer once, within a context, and compare it with gold; with ``strict`` canonical notation alone.

        A sentence that is open or not over the ontology is invalid.
        """
        try:
            with reading:
                read = Read(self.parse(text), self.name) if strict else self.read(text, ontology)
        except ReadingError as error:
            return Judged(problem=str(error))
        try:
            self.check(read.sentence, ontology)
        except UnknownSymbolError as error:
            return Judged(read, Comparison(Outcome.INVALID, error.kind, str(error)))
        return Judged(read, self.compare(gold, read.sentence))

    @abstractmethod
    def check(self, sentence: S, ontology: Ontology) -> None:
        """Raise `UnknownSymbolError` for a sentence that is open, or not over the ontology's symbols."""

    @abstractmethod
    def write(self, sentence: S) -> str:
        """Return the canonical notation; ``parse`` inverts it."""

    @abstractmethod
    def render(self, sentence: S, ontology: Ontology) -> str:
        """Return English that ``read_english`` inverts; `ValueError` if it is too long, or not over the ontology."""

    @abstractmethod
    def read_english(self, text: str, ontology: Ontology) -> S:
        """Return the sentence whose rendering a text is; raises `ReadingError` if there is none."""

    @abstractmethod
    def compare(self, first: S, second: S) -> Comparison:
        """Return whether two sentences mean the same, within the engine's budget."""

    @abstractmethod
    def contingency(self, sentence: S, ontology: Ontology) -> Contingency:
        """Return whether a sentence is true everywhere or nowhere, or an expression matches all words or none."""

    @abstractmethod
    def edits(self, sentence: S, ontology: Ontology) -> Iterator[Edited[S]]:
        """Yield every elementary edit within the ontology, in an order that depends on the two alone."""

    @abstractmethod
    def rewrites(self, sentence: S, ontology: Ontology) -> Iterator[Edited[S]]:
        """Yield every sentence that one law makes of it at one place, the law's name as ``kind``: all mean the same."""

    @abstractmethod
    def measures(self, sentence: S) -> Mapping[str, float | None]:
        """Return measures of complexity, by column of ``MEASURES``; None where undefined."""
