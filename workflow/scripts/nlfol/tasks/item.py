"""Items, with the candidates that some tasks show beside the sentence, and problems as tasks show them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from nlfol.facts import labels_of, sighted
from nlfol.logic.languages.language import LanguageName
from nlfol.logic.ontology.ontology import Ontology
from nlfol.mappings import JsonDict, JsonObject
from nlfol.problems.problem import Problem

if TYPE_CHECKING:
    from nlfol.store.schemas import ItemRow

ASKED = "Question: "
"""Before the question."""

_PLAIN = ("item", "story", "source", "language", "text", "formula", "category", "depth")


@dataclass(frozen=True, slots=True)
class Member:
    """A candidate as a task sees it."""

    formula: str
    english: str
    role: str
    change: tuple[str, ...] = ()
    """Kinds of the edits or laws that made it."""

    def shown(self, presentation: str) -> str:
        """Return its formula or its English, as a presentation has it."""
        return self.formula if sighted(presentation) == "formula" else self.english


@dataclass(frozen=True, slots=True)
class Exemplar:
    """A solved example: a formula with its English, a problem with its program, or a question with its query."""

    text: str
    formula: str


@dataclass(frozen=True, slots=True)
class Item:
    """One usable row of an ITEMS file; its story is the cluster of its scores.

    Attributes:
        formula: the gold formula; of a problem, its answer.
        members: the candidate set, gold first; empty for tasks without candidates.
        language: language of the gold formula; unused for problems.
        category: the value of the measure that a generated set is stratified by; of a problem, its depth.
        problem: what the item is, where it is no sentence.
        source: what it is of, whatever its gold formula and wording; all draws about it are labelled by this.
        readings: formulas that are accepted of the sentence, corrected gold first; none unless they are known.
        context: gold formulas of the other sentences of its story, for evidence on translations.
        unasked: presentations under which it is not asked about, for want of examples.
        depth: that of a generated sentence's derivation.
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
    source: str = ""
    unasked: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    depth: int | None = None
    context: tuple[str, ...] = ()

    @property
    def asked(self) -> Problem:
        """Return the problem; raises ``TypeError`` if the item is not one."""
        if self.problem is None:
            raise TypeError(f"item {self.item} is no problem")
        return self.problem

    @classmethod
    def from_row(cls, row: JsonObject | ItemRow, members: Sequence[Member] | None = None) -> Item:
        """Return the item of a row of an ITEMS file; ``members`` if they are read from its candidates already."""
        if members is None:
            listed = row["candidates"]
            members = [Member(m["formula"], m["english"], m["role"], tuple(m["change"])) for m in listed]
        ontology = _ontology(row["ontology"])
        exemplars = tuple(Exemplar(**exemplar) for exemplar in row["exemplars"])
        item, story, text, formula = (row[name] for name in ("item", "story", "text", "formula"))
        language: LanguageName = row["language"] or "first_order"
        category = row["category"]
        problem = None if row["problem"] is None else Problem.from_row(json.loads(row["problem"]))
        source, unasked, readings = row["source"], tuple(row["unasked"]), tuple(row["readings"])
        return cls(
            *(item, story, text, formula, ontology, tuple(members), language, category, exemplars, problem),
            *(source, unasked, readings, row["depth"], tuple(row.get("context", ()))),
        )

    def to_row(self) -> JsonDict:
        """Return the columns of ITEMS that ``from_row`` reads, as plain values: a JSON object."""
        return {
            **{name: getattr(self, name) for name in _PLAIN},
            "ontology": self.ontology.to_row(),
            "problem": None if self.problem is None else json.dumps(self.problem.to_row(), ensure_ascii=False),
            "candidates": [asdict(member) | {"change": list(member.change)} for member in self.members],
            "exemplars": [asdict(exemplar) for exemplar in self.exemplars],
            "unasked": list(self.unasked),
            "readings": list(self.readings),
            "context": list(self.context),
        }


_ONTOLOGIES: dict[str, Ontology] = {}
"""Those met lately, by the text of their rows: items of one story, or of all, share one."""


def _ontology(row: JsonObject) -> Ontology:
    text = repr(row)
    if text not in _ONTOLOGIES:
        if len(_ONTOLOGIES) >= 2_000:
            _ONTOLOGIES.clear()
        _ONTOLOGIES[text] = Ontology.from_row(row)
    return _ONTOLOGIES[text]


def labels(problem: Problem) -> Mapping[str, str]:
    """Return the label of each option's letter: a word such as "true", or else the letter."""
    return labels_of([option.text for option in problem.options])


def shown(problem: Problem, presentation: str = "english") -> str:
    """Return the statements by number, the question, and the options where these are no words.

    Under ``formula`` the lines of the gold program stand for the sentences that have one.
    """
    formal = presentation == "formula"

    def form(text: str, line: str | None) -> str:
        return line if formal and line is not None else text

    statements = [form(statement.text, statement.line) for statement in problem.statements]
    question = form(problem.question.text, problem.question.line)
    options = [f"{letter}) {form(option.text, option.line)}" for letter, option in problem.by_letter.items()]
    lettered = list(labels(problem)) == list(labels(problem).values())
    return "\n".join([*numbered(statements), f"{ASKED}{question}", *(options if lettered else [])])


def numbered(lines: Sequence[str]) -> list[str]:
    """Return lines with their numbers, from 1."""
    return [f"{number}. {line}" for number, line in enumerate(lines, 1)]
