"""What a task is about: an item, with the candidates that some tasks show beside its sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nlfol.languages.language import LanguageName
from nlfol.ontology.ontology import Ontology


@dataclass(frozen=True, slots=True)
class Member:
    """A candidate as a task sees it."""

    formula: str
    english: str
    role: str

    def shown(self, presentation: str) -> str:
        """What stands for it under a presentation."""
        return self.formula if presentation == "formula" else self.english


@dataclass(frozen=True, slots=True)
class Exemplar:
    """A solved example: a formula, or an expression, and what it says."""

    text: str
    formula: str


@dataclass(frozen=True, slots=True)
class Item:
    """One usable row of an ITEMS file.

    Attributes:
        item: its name in the dataset.
        story: the story it belongs to: the cluster of its scores.
        text: the sentence.
        formula: the gold formula.
        ontology: the signature with its glosses.
        members: the candidate set, gold first; empty for tasks without candidates.
        language: of the gold formula.
        category: of a generated item, the value of the measure that its set is stratified by; None of others.
        exemplars: shown before the item where an entry asks for examples.
    """

    item: str
    story: str
    text: str
    formula: str
    ontology: Ontology
    members: tuple[Member, ...]
    language: LanguageName = "first_order"
    category: int | None = None
    exemplars: tuple[Exemplar, ...] = ()

    @property
    def labels(self) -> tuple[str, str, str]:
        """What tells the item apart in a draw, see ``randomness.content_labels``."""
        return self.story, self.text, self.formula

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Item:
        """From a row of an ITEMS file."""
        members = tuple(Member(m["formula"], m["english"], m["role"]) for m in row["candidates"])
        ontology = Ontology.from_row(row["ontology"])
        exemplars = tuple(Exemplar(**exemplar) for exemplar in row["exemplars"])
        item, story, text, formula = (row[name] for name in ("item", "story", "text", "formula"))
        return cls(item, story, text, formula, ontology, members, row["language"], row["category"], exemplars)
