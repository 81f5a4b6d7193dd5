"""What the tasks with candidates have in common: their entry, their candidate sets, and asking about them once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, ClassVar, Literal, Self, TypeVar

from pydantic import model_validator

from nlfol.candidates import audited
from nlfol.candidates.sets import Candidate
from nlfol.english.errors import EnglishSyntaxError
from nlfol.english.reading import read_english
from nlfol.english.styles import Style
from nlfol.languages.registry import LANGUAGES
from nlfol.logic.syntax import Formula
from nlfol.ontology.ontology import Ontology
from nlfol.randomness import content_labels, generator
from nlfol.tasks.entry import SetProtocol, TaskEntry
from nlfol.tasks.item import Item, Member
from nlfol.tasks.orders import shown_orders
from nlfol.tasks.plan import OneStep, Plan, Reply, Setting, Step
from nlfol.tasks.reference import PLAIN, Asked, Manner, ReaderError, Reference
from nlfol.tasks.surface import Shown, expected_grades
from nlfol.tasks.task import Judgement, Task

Presentation = Literal["formula", "english"]

Sampling = Literal["edits", "kinds"]
"""What is drawn uniformly for a perturbation: an edit, or a kind of edit and then an edit of it."""

STYLES: Mapping[SetProtocol, Style] = {"audited": Style.UNAMBIGUOUS, "paper": Style.PAPER}
"""The style of English of each protocol, where an entry names none."""


class ChoiceEntry(TaskEntry):
    """The entry of a task with candidates."""

    protocol: SetProtocol = "audited"
    perturbations: int
    """k of the paper: at most so many."""
    minimum: int = 1
    """Perturbations below which an item is refused; filled up to with two edits where single ones are too few."""
    sampling: Sampling = "edits"
    presentations: tuple[Presentation, ...] = ("formula", "english")
    """What candidates are shown as; each is asked apart."""
    english: Style | None = None
    """The style of English; None for the protocol's own."""

    DECIDES_ITEMS: ClassVar[frozenset[str]] = frozenset(
        {"task", "protocol", "perturbations", "minimum", "sampling", "english"}
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.presentations or len(set(self.presentations)) != len(self.presentations):
            raise ValueError("presentations must be one or both of 'formula' and 'english', each once")
        if self.minimum > self.perturbations:
            raise ValueError(f"minimum ({self.minimum}) is above perturbations ({self.perturbations})")
        if self.protocol == "paper" and (self.minimum, self.sampling) != (1, "edits"):
            raise ValueError("minimum and sampling are of protocol audited; under paper leave them out")
        return self

    @property
    def shown_as(self) -> tuple[str, ...]:
        """The presentations."""
        return self.presentations

    @property
    def sets_protocol(self) -> SetProtocol:
        """The protocol."""
        return self.protocol

    @property
    def sets_style(self) -> Style:
        """The style of English in which candidates are rendered."""
        return self.english or STYLES[self.protocol]


C = TypeVar("C", bound=ChoiceEntry)

Published = Callable[..., list[Candidate]]
Certified = Callable[[Formula, Ontology, audited.Plan, Random], list[Candidate]]


class ChoiceTask(Task[C]):
    """A task with candidates, asked in one step."""

    published_set: ClassVar[Published]
    """Makes a candidate set under the protocol ``paper``."""
    certified_set: ClassVar[Certified]
    """Makes a candidate set under the protocol ``audited``."""

    def is_done_by(self, model_kind: str, answer: str | None = None) -> bool:
        """Embedding models compare texts, surface their look; the reader needs candidates in English of one reading."""
        if model_kind == "reader":
            return "english" in self.entry.presentations and self.entry.sets_style is Style.UNAMBIGUOUS
        return model_kind in ("chat", "embedding", "surface", "chance")

    def candidates(self, triple: Mapping[str, Any], dataset: str, seed: int) -> list[Candidate]:
        """The candidate set, by the entry's protocol."""
        gold, ontology = LANGUAGES[triple["language"]].parse(triple["formula"]), Ontology.from_row(triple["ontology"])
        draw = generator(seed, dataset, *content_labels(triple), self.kind)
        entry, style = self.entry, self.entry.sets_style
        if entry.protocol == "paper":
            return type(self).published_set(gold, ontology, perturbations=entry.perturbations, style=style, draw=draw)
        plan = audited.Plan(entry.perturbations, entry.minimum, entry.sampling == "kinds", style)
        return type(self).certified_set(gold, ontology, plan, draw)

    def plan(self, setting: Setting) -> Plan:
        """Ask once, with the candidates in the order of the seed."""
        orders: dict[str, dict[int, list[int]]] = {}
        told = {"limits": self.entry.limits, "protocol": self.entry.protocol}

        def step(item: Item, presentation: str, seed: int) -> Step:
            # The same for each presentation.
            if item.item not in orders:
                orders[item.item] = self.orders(item, setting.model_seeds, setting.dataset, setting.seed)
            order = orders[item.item][seed]
            system, user = (
                setting.prompts.render(f"{self.kind}/{part}", item, presentation, order, **told)
                for part in ("system", "user")
            )
            return Step("", system, user, self.schema(len(order)), tuple(order))

        return OneStep(step)

    def orders(self, item: Item, model_seeds: Sequence[int], dataset: str, seed: int) -> dict[int, list[int]]:
        """In which order each of a model's seeds is shown the candidates, see ``shown_orders``."""
        return shown_orders(
            item, model_seeds, seed=seed, dataset=dataset, kind=self.kind, protocol=self.entry.sets_protocol
        )

    def judge(self, item: Item, replies: Sequence[Reply]) -> Judgement:
        """As of one answer; one that was given no order names candidates by their places in the set."""
        last = replies[-1]
        return super().judge(item, [replace(last, order=last.order or tuple(range(len(item.members))))])

    @abstractmethod
    def schema(self, count: int) -> dict[str, Any]:
        """The neutral JSON schema of an answer about so many candidates."""

    def shown_to(self, model_kind: str) -> tuple[str, ...]:
        """The reader reads English alone."""
        return ("english",) if model_kind == "reader" else self.entry.shown_as

    def reference(self, model_kind: str, items: Sequence[Item], manner: Manner = PLAIN) -> Reference:
        """The reader reads the candidates, and is handed the gold formula for the sentence (``reader``).

        What they look like is all that ``surface`` goes by.
        """
        if model_kind == "surface":
            return self._by_surface(items)
        if model_kind != "reader":
            return super().reference(model_kind, items, manner)

        def read(asked: Asked) -> str:
            members = [asked.item.members[place] for place in asked.step.order]
            return self.answer_by_reading(asked.item, [member.shown(asked.presentation) for member in members])

        return read

    def _by_surface(self, items: Sequence[Item]) -> Reference:
        @cache
        def expected(presentation: str) -> dict[str, list[float]]:
            shown = [
                Shown(item.story, [m.shown(presentation) for m in item.members], [*map(self.grade, item.members)])
                for item in items
            ]
            return dict(zip((item.item for item in items), expected_grades(shown), strict=True))

        def answer(asked: Asked) -> str:
            try:
                found = expected(asked.presentation)[asked.item.item]
            except ValueError as error:
                raise ReaderError(str(error)) from error
            return self.answer_of_grades([found[place] for place in asked.step.order])

        return answer

    @abstractmethod
    def grade(self, member: Member) -> int:
        """How close a candidate is to the sentence, as far as scores go: the greater, the closer."""

    @abstractmethod
    def answer_of_grades(self, grades: Sequence[float]) -> str:
        """The answer, as JSON, of one who expects these grades of the candidates as shown; of equals, the first."""

    def answer_by_reading(self, item: Item, texts: Sequence[str]) -> str:
        """The reader's answer, as JSON of the form that dialogue models are asked for (``reader``).

        Args:
            item: what is asked about.
            texts: of the candidates, as shown.

        Raises:
            ReaderError: if the texts do not settle the answer.
        """
        candidates = [_read(number, text, item.ontology) for number, text in enumerate(texts, 1)]
        return self.answer_of_meanings(LANGUAGES[item.language].parse(item.formula), candidates)

    @abstractmethod
    def answer_of_meanings(self, sentence: Formula, candidates: Sequence[Formula]) -> str:
        """The answer, as JSON, of one who knows what the sentence and each candidate mean.

        Raises:
            ReaderError: if that does not settle it.
        """


def _read(number: int, text: str, ontology: Ontology) -> Formula:
    try:
        return read_english(text, ontology)
    except EnglishSyntaxError as error:
        raise ReaderError(f"candidate {number} cannot be read: {error}") from error
