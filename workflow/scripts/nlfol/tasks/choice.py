"""Tasks with candidates: their entry, candidate sets, presentation orders, and scores of orders.

Each seed of a model has an order of its own, drawn uniformly by the item's source; under ``paper`` and ``released`` an
item has one for all seeds and models, as published. Formulas and their English stand in the same order, which depends
neither on the entry's name nor on other items.

Candidates of equal similarity are ordered at random: a score is the exact probability of an event over those orders.
With all similarities equal it is the score of a uniformly random answerer.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from math import comb, inf, isnan
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self, TypeVar

from pydantic import AfterValidator, Field, model_validator
from typing_extensions import override

from nlfol.data.entries.block import PathText
from nlfol.facts import GUESSERS, is_blind
from nlfol.logic.english.styles import Style
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.syntax import Formula
from nlfol.randomness import generator
from nlfol.sets import anagram, audited, released
from nlfol.sets.distances import nearness
from nlfol.sets.drawn import sentence
from nlfol.sets.sets import Candidate, CandidateError
from nlfol.tasks import cues
from nlfol.tasks.entry import EVEN_SETS, Control, PromptedEntry, SetProtocol, controlled, each_once
from nlfol.tasks.item import Item, Member
from nlfol.tasks.neighbours import check_asked, paired
from nlfol.tasks.plan import Reply, Setting
from nlfol.tasks.reference import PLAIN, Asked, Manner, ReaderError, Reference, Shown, expected_grades, read_candidate
from nlfol.tasks.task import Judgement, OneStepTask

if TYPE_CHECKING:
    from nlfol.store.row_parts import Candidate as CandidateRow
    from nlfol.store.row_parts import UsableTriple
    from nlfol.store.schemas import TripleRow

Presentation = Literal["formula", "english"]

STYLES: Mapping[SetProtocol, Style] = {
    "anagram": Style.EVEN,
    "audited": Style.UNAMBIGUOUS,
    "fair": Style.EVEN,
    "paper": Style.PAPER,
    "released": Style.PAPER,
}
"""The style of English of each protocol, where an entry names none."""


class ChoiceEntry(PromptedEntry):
    """The entry of a task with candidates."""

    protocol: SetProtocol = "fair"
    candidates: PathText | None = None
    """The folder of released sets, under ``protocol: released``."""
    perturbations: int
    """k of the paper: at most so many."""
    minimum: Annotated[int, Field(ge=1)] = 1
    """Perturbations below which an item is refused; without any the only candidate would be right."""
    presentations: Annotated[tuple[Presentation, ...], AfterValidator(each_once)] = ("formula", "english")
    """Forms in which candidates are shown; each is asked apart."""
    control: Control | None = None
    """With ``blind``, everything is asked once more with the sentence withheld."""
    english: Style | None = None
    """The style of English; None for the protocol's own."""
    forms: Literal["drawn", "plain"] | None = None
    """Forms of ``fair`` and ``anagram`` candidates: each drawn by laws of logic (None), or plain, as sets are made."""
    wordings: Literal["drawn", "plain"] | None = None
    """Generated sentences of these protocols: plain (None), or drawn, so that order does not tell what implies what."""

    DECIDES_ITEMS: ClassVar[frozenset[str]] = frozenset(
        {"task", "protocol", "candidates", "perturbations", "minimum", "english", "forms", "wordings"}
    )
    RELEASED: ClassVar[str]
    """The kind of its released sets, see ``sets.released``."""
    MOST: ClassVar[int]
    """Members of the largest set that is asked."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.minimum > self.perturbations:
            raise ValueError(f"minimum ({self.minimum}) is above perturbations ({self.perturbations})")
        if (self.protocol == "released") != (self.candidates is not None):
            raise ValueError("protocol released has candidates: the folder of released sets; other protocols have none")
        fields = type(self).model_fields
        given = [name for name in ("perturbations", "english") if getattr(self, name) != fields[name].default]
        if self.protocol == "released" and given:
            raise ValueError(f"{', '.join(given)}: released sets are as they are; leave it out")
        if self.protocol != "audited" and self.minimum != 1:
            raise ValueError(f"minimum is of protocol audited; under {self.protocol} leave it out")
        if self.protocol in EVEN_SETS and self.english not in (None, Style.EVEN):
            raise ValueError(
                f"english: sets of protocol {self.protocol} are told apart by length in any other style; leave it out"
            )
        if self.protocol not in EVEN_SETS:
            for name in ("forms", "wordings"):
                if getattr(self, name) is not None:
                    raise ValueError(f"{name} is of protocol fair or anagram; under {self.protocol} leave it out")
        if self.protocol == "anagram" and self.task != "most_similar":
            raise ValueError("protocol anagram is of most_similar: no pairs of equal meaning; for ranking take fair")
        if self.protocol == "anagram" and self.perturbations + 1 < anagram.LEAST:
            raise ValueError(f"perturbations: anagram sets have {anagram.LEAST - 1} or 7; take one of these, or more")
        return self

    @property
    @override
    def shown_as(self) -> tuple[str, ...]:
        return controlled(self.presentations, self.control)

    @property
    @override
    def sets_protocol(self) -> SetProtocol:
        return self.protocol

    @property
    @override
    def sets_style(self) -> Style:
        return self.english or STYLES[self.protocol]

    @property
    @override
    def made_from(self) -> Mapping[str, Sequence[str]]:
        if self.candidates is None:
            return {}
        return {"candidates": [*map(str, released.files_of(Path(self.candidates), self.RELEASED))]}


LEARNERS: Mapping[str, Callable[[Sequence[Shown]], list[list[float]]]] = {
    "surface": expected_grades,
    "learner": cues.expected_grades,
}
COUNTERS: Mapping[str, Sequence[cues.Score]] = {"words": cues.WORDS, "order": cues.ORDER}
"""References that learn from other stories, and that sum scores."""

C = TypeVar("C", bound=ChoiceEntry)

Published = Callable[..., list[Candidate]]
Certified = Callable[[Formula, Ontology, audited.Plan, Random], list[Candidate]]


class ChoiceTask(OneStepTask[C]):
    """A task with candidates, asked in one step."""

    published_set: ClassVar[Published]
    """Makes a candidate set under the protocol ``paper``."""
    certified_set: ClassVar[Certified]
    """Makes a candidate set under the protocol ``audited``."""
    fair_set: ClassVar[Certified]
    """Makes a candidate set under the protocol ``fair``."""

    @override
    def is_done_by(self, model_kind: str, answer: str | None = None) -> bool:
        if model_kind == "reader":
            # It needs candidates in English of one reading.
            return "english" in self.entry.presentations and self.entry.sets_style.is_injective
        return model_kind in ("chat", "embedding", "medoid", *LEARNERS, *COUNTERS, *GUESSERS)

    @override
    def candidates(self, triple: UsableTriple, seed: int) -> list[Candidate]:
        gold, ontology = LANGUAGES[triple["language"]].parse(triple["formula"]), Ontology.from_row(triple["ontology"])
        draw = generator(seed, triple["source"], self.kind)
        entry, style = self.entry, self.entry.sets_style
        if entry.protocol == "released":
            return []
        if entry.protocol == "paper":
            return type(self).published_set(gold, ontology, perturbations=entry.perturbations, style=style, draw=draw)
        forms = None if entry.forms == "plain" else generator(seed, triple["source"], self.kind, "forms")
        plan = audited.Plan(entry.perturbations, entry.minimum, style, draws_gold=_is_generated(triple), forms=forms)
        if entry.protocol == "anagram":
            check_asked(triple)
            return anagram.most_similar_set(gold, ontology, plan, draw)
        made = type(self).fair_set if entry.protocol == "fair" else type(self).certified_set
        return made(gold, ontology, plan, draw)

    @override
    def joined(self, triples: Sequence[TripleRow]) -> Sequence[TripleRow]:
        return paired(triples) if self.entry.protocol == "anagram" else triples

    @override
    def published(self, triple: UsableTriple) -> list[CandidateRow]:
        if self.entry.candidates is None:
            return []
        folder, kind = Path(self.entry.candidates), self.entry.RELEASED
        members = released.members_of(folder, kind, triple["story"], triple["formula"])
        if len(members) > self.entry.MOST:
            raise CandidateError(
                "too_many_candidates", f"{len(members)} members, and at most {self.entry.MOST} are asked"
            )
        return members

    @override
    def asked_instead(self, triple: UsableTriple, candidates: Sequence[Candidate]) -> tuple[str, str] | None:
        if self.entry.protocol not in EVEN_SETS or not candidates or not _is_generated(triple):
            return None
        # Said as it was made: a sentence in the order of the form that is shown would give this away.
        language, gold = LANGUAGES[triple["language"]], candidates[0].plain or candidates[0].formula
        ontology = Ontology.from_row(triple["ontology"])
        if self.entry.wordings == "drawn":
            draw = generator(triple["source"], self.kind, "wordings")
            return sentence(gold, ontology, draw), language.write(gold)
        return language.render(gold, ontology), language.write(gold)

    @override
    def order(self, setting: Setting, item: Item, presentation: str, seed: int) -> Sequence[int]:
        return shown_order(item, setting, seed, kind=self.kind, protocol=self.entry.protocol)

    @override
    def material(self, item: Item, presentation: str, order: Sequence[int]) -> Mapping[str, object]:
        return {"limits": self.entry.limits, "protocol": self.entry.protocol}

    @override
    def judge(self, item: Item, replies: Sequence[Reply]) -> Judgement:
        """Judge the last answer. Without a shown order, labels follow the candidate set."""
        last = replies[-1]
        return super().judge(item, [last if last.order else replace(last, order=tuple(range(len(item.members))))])

    @abstractmethod
    def ends(self, item: Item) -> Mapping[str, tuple[Sequence[int], Sequence[int]]]:
        """Return by metric the places of candidates that belong first and last; none at an end that does not count."""

    def scores(self, item: Item, similarities: Sequence[float]) -> dict[str, float]:
        """Return by metric the probability that the order of similarities has its ends right."""
        return {metric: probability_ends(similarities, *ends) for metric, ends in self.ends(item).items()}

    @override
    def judge_similarities(self, item: Item, similarities: Sequence[float]) -> Judgement:
        tied = frozenset(metric for metric, ends in self.ends(item).items() if is_tied(similarities, ends))
        return Judgement(self.scores(item, similarities), tied=tied)

    @override
    def chance(self, item: Item) -> Judgement:
        return Judgement(self.scores(item, [0.0] * len(item.members)))

    @override
    def shown_to(self, model_kind: str) -> tuple[str, ...]:
        return ("english",) if model_kind == "reader" else super().shown_to(model_kind)

    @override
    def reference(self, model_kind: str, items: Sequence[Item], manner: Manner = PLAIN) -> Reference:
        """Return the reader, given the gold formula as the sentence's meaning, or one that does no logic."""
        if model_kind in LEARNERS:
            return self._learnt(items, LEARNERS[model_kind])
        if model_kind in COUNTERS:
            return partial(self._counted, COUNTERS[model_kind])
        if model_kind == "medoid":
            return self._nearest
        if model_kind != "reader":
            return super().reference(model_kind, items, manner)

        def read(asked: Asked) -> str:
            item = asked.item
            texts = [item.members[index].shown(asked.presentation) for index in asked.step.order]
            candidates = [read_candidate(number, text, item.ontology) for number, text in enumerate(texts, 1)]
            return self.answer_of_meanings(LANGUAGES[item.language].parse(item.formula), candidates)

        return read

    def _nearest(self, asked: Asked) -> str:
        texts = [asked.item.members[index].shown(asked.presentation) for index in asked.step.order]
        return self.answer_of_grades([-float(away) for away in nearness(texts)])

    def _counted(self, scores: Sequence[cues.Score], asked: Asked) -> str:
        texts = [asked.item.members[index].shown(asked.presentation) for index in asked.step.order]
        rows = cues.scored(_sentence(asked.item, asked.presentation), texts, scores)
        # What scores alike ties, whatever the order in which scores are summed.
        return self.answer_of_grades([round(sum(row), 9) for row in rows])

    def _learnt(self, items: Sequence[Item], learn: Callable[[Sequence[Shown]], list[list[float]]]) -> Reference:
        @cache
        def expected(presentation: str) -> dict[str, list[float]]:
            shown = [
                Shown(
                    item.story,
                    [m.shown(presentation) for m in item.members],
                    [*map(self.grade, item.members)],
                    _sentence(item, presentation),
                )
                for item in items
            ]
            return dict(zip((item.item for item in items), learn(shown), strict=True))

        def answer(asked: Asked) -> str:
            try:
                grades = expected(asked.presentation)[asked.item.item]
            except ValueError as error:
                raise ReaderError(str(error)) from error
            return self.answer_of_grades([grades[index] for index in asked.step.order])

        return answer

    @abstractmethod
    def grade(self, member: Member) -> int:
        """Return how close a candidate is to the sentence, as far as scores go: the greater, the closer."""

    @abstractmethod
    def answer_of_grades(self, grades: Sequence[float]) -> str:
        """Return the JSON answer that follows from expected grades of the candidates as shown; of equals, the first."""

    @abstractmethod
    def answer_of_meanings(self, sentence: Formula, candidates: Sequence[Formula]) -> str:
        """Return the JSON answer that follows from the meanings; raises ``ReaderError`` if they do not settle it."""


def _sentence(item: Item, presentation: str) -> str:
    """Return the sentence as it is shown: not at all where it is withheld."""
    return "" if is_blind(presentation) else item.text


def _is_generated(triple: UsableTriple) -> bool:
    """Return whether the sentence is certified English of a generated formula."""
    return triple["category"] is not None


def shown_order(item: Item, setting: Setting, model_seed: int, *, kind: str, protocol: SetProtocol) -> list[int]:
    """Return which candidate is shown at each place under one of a model's seeds."""
    labels: tuple[int | str, ...] = (setting.seed, item.source, kind, "order")
    order = list(range(len(item.members)))
    generator(*labels, *(() if protocol in ("paper", "released") else (model_seed,))).shuffle(order)
    return order


def probability_ends(similarities: Sequence[float], first: Collection[int], last: Collection[int]) -> float:
    """Return the probability that ``first`` takes the first places and ``last`` the last ones, as sets.

    ``first`` and ``last`` are disjoint places of candidates; an empty one asks nothing of its end. Raises
    ``ValueError`` if a similarity is no number.
    """
    if isnan(sum(similarities)):
        raise ValueError("a similarity is no number, and has no place in an order; compare the vectors again")
    firsts, lasts = [similarities[index] for index in first], [similarities[index] for index in last]
    middle = [value for index, value in enumerate(similarities) if index not in first and index not in last]
    lowest_first, highest_last = min(firsts, default=inf), max(lasts, default=-inf)
    if lowest_first < highest_last or any(value > lowest_first or value < highest_last for value in middle):
        return 0.0
    tied_first, tied_last = firsts.count(lowest_first), lasts.count(highest_last)
    if lowest_first == highest_last:
        # One group of equals spans the first places, whatever lies between, and the last places.
        group = tied_first + len(middle) + tied_last
        return 1 / (comb(group, tied_first) * comb(group - tied_first, tied_last))
    at_first, at_last = middle.count(lowest_first), middle.count(highest_last)
    return 1 / (comb(tied_first + at_first, tied_first) * comb(tied_last + at_last, tied_last))


def is_tied(similarities: Sequence[float], groups: Collection[Collection[int]]) -> bool:
    """Return whether a member of one of the groups has the same similarity as a candidate outside that group."""
    for group in groups:
        inside = {similarities[index] for index in group}
        if any(value in inside for index, value in enumerate(similarities) if index not in group):
            return True
    return False
