"""Verification: whether two formulas, or two expressions, mean the same (∀uto∃∨∧L, where models judge equivalence).

With certified pairs an item is asked about twice, apart: once with a pair that means the same and once with one that
does not, each of two, drawn for each seed (``candidates.pairs``). So classes are of one size, and who always says yes
has a precision of 1/2, a recall of 1 and an F1 of 2/3.

With a model's round trips it is asked about once, beside the formula that the model made of it in the first round, as
published. Labels are the verdicts on the round trips; an item without a compliant formula, or with a verdict of
unknown, is refused. Which of the two is shown first is drawn for each item, partner and seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, NonNegativeInt
from typing_extensions import override

from nlfol.facts import CERTIFIED, RIGHT, SAME_MEANING, Role
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.languages.language import Language, LanguageName
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.ontology.ontology import Ontology
from nlfol.mappings import JsonObject
from nlfol.randomness import generator
from nlfol.sets.pairs import certified_pairs, looks
from nlfol.sets.sets import Candidate, CandidateError, Certificate, candidate_rows
from nlfol.tasks.answers import read_word, word_schema
from nlfol.tasks.entry import Control, PromptedEntry, Taken, controlled
from nlfol.tasks.explaining import Pair, counter_model
from nlfol.tasks.item import Item, Member
from nlfol.tasks.meanings import PairKind
from nlfol.tasks.plan import Reply, Setting
from nlfol.tasks.reference import PLAIN, Asked, Manner, ReaderError, Reference, learnt_grades, reasoned
from nlfol.tasks.task import FirstRound, Judgement, OneStepTask

if TYPE_CHECKING:
    from nlfol.store.row_parts import TakenColumns, UsableTriple
    from nlfol.store.schemas import ItemRow


def _measure(name: str) -> str:
    from nlfol.store.schemas import MEASURE_NAMES  # scoring does without PyArrow

    if name not in MEASURE_NAMES:
        raise ValueError(f"{name!r} is no measure; use some of {', '.join(MEASURE_NAMES)}")
    return name


MeasureName = Annotated[str, AfterValidator(_measure)]

YES, NO = "yes", "no"
ANSWERS = (YES, NO)

PARTNERS: Mapping[str, Outcome] = {
    role: Outcome.EQUIVALENT if is_same else Outcome.NOT_EQUIVALENT for role, is_same in SAME_MEANING.items()
}
"""The members of a set by their relation to the item's sentence."""

_MEANT = (Role.GOLD.value, Role.EQUIVALENT.value)


class VerificationEntry(PromptedEntry):
    """Pairs of formulas to whether they mean the same."""

    task: Literal["verification"] = "verification"
    pairs: Literal["certified"] | Taken = "certified"
    """Origin of the pairs: made here, or out of a model's round trips."""
    at_most: dict[MeasureName, NonNegativeInt] = Field(default_factory=dict)
    """The largest items that are asked about, by any measure of theirs: the paper has 20 operators, and depth 20."""
    control: Control | None = None
    """With ``blind``, everything is asked once more with the second of the two withheld."""

    DECIDES_ITEMS: ClassVar[frozenset[str]] = frozenset({"task", "pairs", "at_most"})

    @property
    @override
    def shown_as(self) -> tuple[str, ...]:
        return controlled(CERTIFIED if self.taken is None else ("",), self.control)

    @property
    @override
    def taken(self) -> Taken | None:
        return None if self.pairs == "certified" else self.pairs


class Verification(OneStepTask[VerificationEntry]):
    """Scored by whether the answer is the true relation of the pair."""

    kind = "verification"
    entry_type = VerificationEntry
    takes = frozenset({"sentences", "formulas", "expressions"})

    @override
    def is_done_by(self, model_kind: str, answer: str | None = None) -> bool:
        if model_kind == "constant":
            return answer in ANSWERS
        return model_kind in ("chat", "reader", "surface", "chance")

    @override
    def candidates(self, triple: UsableTriple, seed: int) -> list[Candidate]:
        language = self._within(triple["language"], triple["formula"], triple["depth"])
        draw = generator(seed, triple["source"], self.kind)
        return certified_pairs(language.parse(triple["formula"]), language, Ontology.from_row(triple["ontology"]), draw)

    @override
    def taken(self, item: ItemRow, answers: FirstRound) -> TakenColumns:
        """Return the item's sentence and the model's, certified by the verdict on the round trip."""
        row, name = answers.formula, item["language"] or "first_order"
        language = self._within(name, item["formula"], item["depth"])
        if row["outcome"] != "answered" or row["verdict"] == Outcome.INVALID:
            why = row["verdict"] or row["outcome"]
            raise CandidateError("no_formula", f"the model made no formula of it that complies: {why}")
        if row["verdict"] == Outcome.UNKNOWN:
            raise CandidateError("unknown_pair", f"whether it is equivalent to the model's formula is {row['verdict']}")
        outcome, formula, means = Outcome(row["verdict"] or ""), row["formula"] or "", row["means"] or ""
        role = Role.EQUIVALENT if outcome is Outcome.EQUIVALENT else Role.DIFFERENT
        world = None
        if outcome is Outcome.NOT_EQUIVALENT and row["word"] is None:
            ontology = Ontology.from_row(item["ontology"])
            texts = item["formula"], formula
            world = counter_model(Pair(PairKind.FIRST_ROUND, name, *texts, ontology, outcome))
        certificate = Certificate(0, outcome, means, world, row["word"])
        members = [
            Candidate(language.parse(item["formula"]), "", Role.GOLD, certificates=()),
            Candidate(language.parse(formula), "", role, certificates=(certificate,)),
        ]
        return {"candidates": candidate_rows(members, name)}

    @override
    def expected(self, earlier: Sequence[Item]) -> Sequence[Item]:
        """Return the items with their own sentence in the place of others, less those that are too large."""
        pairs = []
        # Brackets tell the questions of the two presentations apart: equal ones are asked once.
        others = (Role.PERTURBATION, Role.CORNER) if self.entry.taken is None else ()
        for item in earlier:
            with suppress(CandidateError):
                self._within(item.language, item.formula, item.depth)
                members = (
                    *(Member(item.formula, "", role) for role in _MEANT),
                    *(Member(f"({item.formula})", "", role) for role in others),
                )
                pairs.append(replace(item, members=members))
        return pairs

    def _within(self, name: LanguageName, formula: str, depth: int | None) -> Language[Any]:
        """Return the item's language; raises ``CandidateError`` if the item is too large."""
        language = LANGUAGES[name]
        measures = dict(language.measures(language.parse(formula))) if self.entry.at_most else {}
        measures["depth"] = depth
        for measure, most in self.entry.at_most.items():
            # A sentence without the measure is not too large by it.
            if (value := measures.get(measure)) is not None and value > most:
                raise CandidateError("too_large", f"its {measure}: {value:g}; at most {most} are asked about")
        return language

    @override
    def order(self, setting: Setting, item: Item, presentation: str, seed: int) -> Sequence[int]:
        draw = generator(setting.seed, item.source, self.kind, presentation, seed)
        wanted = PARTNERS.get(presentation)
        pairs = [pair for pair in _pairs(item) if wanted in (None, _relation(item, pair))]
        order = list(draw.choice(pairs))
        draw.shuffle(order)
        return order

    @override
    def material(self, item: Item, presentation: str, order: Sequence[int]) -> Mapping[str, object]:
        first, second = (item.members[index].formula for index in order)
        signs = [sign for sign in item.ontology.alphabet if not sign.isalnum()]
        return {"signs": signs, "first": first, "second": second}

    @override
    def schema(self, item: Item) -> JsonObject:
        return word_schema(ANSWERS, self.entry.reasoning)

    @override
    def read(self, item: Item, text: str) -> str:
        return read_word(text, ANSWERS, self.entry.reasoning)

    @override
    def judge(self, item: Item, replies: Sequence[Reply]) -> Judgement:
        """Judge the last answer; the verdict is the relation of the pair, whatever the answer."""
        order = replies[-1].order
        partner = item.members[max(order)]
        return replace(super().judge(item, replies), verdict=_relation(item, order), formula=partner.formula)

    @override
    def judge_answer(self, item: Item, order: Sequence[int], text: str) -> Judgement:
        answer = self.read(item, text)
        same = _relation(item, order) is Outcome.EQUIVALENT
        return Judgement({RIGHT: float((answer == YES) == same)}, answer=answer)

    @override
    def chance(self, item: Item) -> Judgement:
        return Judgement({RIGHT: 1 / len(ANSWERS)})

    def _surface(self, items: Sequence[Item]) -> Reference:
        """Return boosted trees that count what the two look like, and have learnt from pairs of other stories."""

        @cache
        def expected() -> dict[tuple[str, int, int], float]:
            import numpy as np

            pairs = [(item, *pair) for item in items for pair in _pairs(item)]
            texts = [(item.members[a].formula, item.members[b].formula) for item, a, b in pairs]
            seen = np.array([looks(*pair) for pair in texts])
            same = [int(_relation(item, pair) is Outcome.EQUIVALENT) for item, *pair in pairs]
            grades = learnt_grades([item.story for item, *_ in pairs], seen, same)
            return {(item.item, a, b): grade for (item, a, b), grade in zip(pairs, grades, strict=True)}

        def answered(asked: Asked) -> str:
            first, second = sorted(asked.step.order)
            try:
                grade = expected()[asked.item.item, first, second]
            except ValueError as error:
                raise ReaderError(str(error)) from error
            return reasoned("By counts of signs and tokens.", YES if grade >= 1 / 2 else NO)

        return answered

    @override
    def reference(self, model_kind: str, items: Sequence[Item], manner: Manner = PLAIN) -> Reference:
        if not self.is_done_by(model_kind, manner.answer):
            return super().reference(model_kind, items, manner)
        if model_kind == "surface":
            return self._surface(items)

        def answered(asked: Asked) -> str:
            if manner.answer is not None:
                return reasoned("I always say so.", manner.answer)
            language = LANGUAGES[asked.item.language]
            first, second = (language.parse(asked.item.members[index].formula) for index in asked.step.order)
            outcome = language.compare(first, second).outcome
            if outcome not in PARTNERS.values():
                raise ReaderError(f"whether the two are equivalent is {outcome}")
            return reasoned("By proof.", YES if outcome is Outcome.EQUIVALENT else NO)

        return answered


def _pairs(item: Item) -> Iterator[tuple[int, int]]:
    """Yield the pairs of an item that may be shown, the place of the smaller number first."""
    if len(item.members) == 2:
        yield 0, 1
        return
    indices = {member.role: index for index, member in enumerate(item.members)}
    for partner in CERTIFIED:
        yield 0, indices[partner]
        yield indices[partner], indices[Role.CORNER.value]


def _relation(item: Item, order: Sequence[int]) -> Outcome:
    """Return how the two that are shown stand to each other."""
    first, second = (item.members[index].role in _MEANT for index in order)
    return Outcome.EQUIVALENT if first is second else Outcome.NOT_EQUIVALENT
