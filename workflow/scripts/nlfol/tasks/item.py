"""Items, with the candidates that some tasks show beside the sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nlfol.languages.language import LanguageName
from nlfol.ontology.ontology import Ontology
from nlfol.problems.problem import Problem


@dataclass(frozen=True, slots=True)
class Member:
    """A candidate as a task sees it."""

    formula: str
    english: str
    role: str

    def shown(self, presentation: str) -> str:
        """Return its formula or its English, as a presentation has it."""
        return self.formula if presentation == "formula" else self.english


@dataclass(frozen=True, slots=True)
class Exemplar:
    """A solved example.

    A formula, or an expression, and what it says; a problem and its program as an answer; or a question and its query.
    """

    text: str
    formula: str


@dataclass(frozen=True, slots=True)
class Item:
    """One usable row of an ITEMS file.

    Attributes:
        item: its name in the dataset.
        story: the story it belongs to: the cluster of its scores.
        text: the sentence.
        formula: the gold formula; of a problem, its answer.
        ontology: the signature with its glosses; empty of a problem.
        members: the candidate set, gold first; empty for tasks without candidates.
        language: language of the gold formula; unused for problems.
        category: of a generated item, the value of the measure that its set is stratified by; of a problem, its depth;
            None of others.
        exemplars: shown before the item where an entry asks for examples.
        problem: what the item is, where it is no sentence.
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
    problem: Problem | None = None

    @property
    def asked(self) -> Problem:
        """Return the problem.

        Raises:
            TypeError: if the item is not a problem.
        """
        if self.problem is None:
            raise TypeError(f"item {self.item} is no problem")
        return self.problem

    @property
    def labels(self) -> tuple[str, str, str]:
        """Return what identifies the item in a draw, see ``randomness.content_labels``."""
        return self.story, self.text, self.formula

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Item:
        """Return the item of a row of an ITEMS file."""
        members = tuple(Member(m["formula"], m["english"], m["role"]) for m in row["candidates"])
        ontology = Ontology.from_row(row["ontology"])
        exemplars = tuple(Exemplar(**exemplar) for exemplar in row["exemplars"])
        item, story, text, formula = (row[name] for name in ("item", "story", "text", "formula"))
        language: LanguageName = row["language"] or "first_order"
        category = row["category"]
        problem = None if row["problem"] is None else Problem.from_row(json.loads(row["problem"]))
        return cls(item, story, text, formula, ontology, members, language, category, exemplars, problem)
