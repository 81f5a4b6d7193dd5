"""What the three tasks have in common: an item, a question, and the judgement of an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from nlfol.logic.structures import Structure
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
class Item:
    """One usable row of a ITEMS file.

    Attributes:
        item: its name in the dataset.
        story: the story it belongs to.
        text: the sentence.
        formula: the gold formula.
        ontology: the signature with its glosses.
        members: the candidate set, gold first; empty for logical translation.
    """

    item: str
    story: str
    text: str
    formula: str
    ontology: Ontology
    members: tuple[Member, ...]

    @property
    def labels(self) -> tuple[str, str, str]:
        """What tells the item apart in a draw, see ``randomness.content_labels``."""
        return self.story, self.text, self.formula

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Item:
        """From a row of a ITEMS file."""
        members = tuple(Member(m["formula"], m["english"], m["role"]) for m in row["candidates"])
        return cls(row["item"], row["story"], row["text"], row["formula"], Ontology.from_row(row["ontology"]), members)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an answer is worth.

    Attributes:
        scores: metric to score in [0, 1].
        outcome: ``answered`` or ``unparsable``.
        verdict: for translations, how the answer stands to the gold formula; None otherwise.
        means: what decided the verdict.
        relation: for a translation that is not equivalent, how it stands to the gold formula.
        fault: for the same, what is wrong with it by the one change that would put it right; None where there is none.
        detail: a counter-model in words, or what is wrong with the answer.
        counter_model: the same counter-model as a structure.
        answer: the extracted answer.
        tied: the metrics of which a candidate is as similar as one that is not of them, whether or not that decides.
        formula: for translations, the formula that the answer was read as.
        dialect: the notation that it was written in.
        repairs: the liberties taken in reading it.
        ambiguities: what could have been read otherwise.
        policy: the policies of reading and judging, in one line.
    """

    scores: Mapping[str, float]
    outcome: str = "answered"
    verdict: str | None = None
    means: str | None = None
    relation: str | None = None
    fault: str | None = None
    detail: str | None = None
    counter_model: Structure | None = None
    answer: str | None = None
    tied: frozenset[str] = frozenset()
    formula: str | None = None
    dialect: str | None = None
    repairs: tuple[str, ...] = ()
    ambiguities: tuple[str, ...] = ()
    policy: str | None = None


class Task(Protocol):
    """What a task must say of itself; see the three modules beside this one."""

    name: str
    metrics: tuple[str, ...]

    def judge(self, item: Item, order: Sequence[int], text: str) -> Judgement:
        """Judge a dialogue model's answer, given the order in which candidates were shown."""
        ...

    def chance(self, item: Item) -> Judgement:
        """The exact expected scores of a uniformly random answerer."""
        ...


class ChoiceTask(Task, Protocol):
    """A task that embedding models do as well."""

    def judge_similarities(self, item: Item, similarities: Sequence[float]) -> Judgement:
        """Judge by the similarity of each candidate to the sentence."""
        ...


def wrong(task: Task, outcome: str, detail: str | None = None, answer: str | None = None) -> Judgement:
    """The judgement of an answer that counts as wrong in every metric."""
    return Judgement(dict.fromkeys(task.metrics, 0.0), outcome=outcome, detail=detail, answer=answer)
