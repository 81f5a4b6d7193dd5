"""Ranking: the candidates in order of closeness to the sentence (paper, section 4).

*Equivalence*: the gold formula and its equivalent stand first, in either order. *Negation*: the negation and its
negation normal form stand last, in either order. *Both*: both, by which models are ranked.

Without the sentence, proof tells which candidates say the same, and which deny them. Who knows that both the sentence
and its negation are said twice can only draw: one of two such meanings in an audited set, one of four in a fair one.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import comb
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import override

from nlfol.facts import BOTH, EQUIVALENCE, FIRST, LAST, NEGATION, Role
from nlfol.logic import FormulaSyntaxError, read_decided
from nlfol.logic.equivalence import Outcome
from nlfol.logic.languages.registry import LANGUAGES
from nlfol.logic.syntax import Formula, Not
from nlfol.mappings import JsonObject
from nlfol.sets import audited, fair, paper
from nlfol.tasks.answers import order_schema, read_order
from nlfol.tasks.choice import ChoiceEntry, ChoiceTask
from nlfol.tasks.item import Item, Member
from nlfol.tasks.reference import equivalent, reasoned
from nlfol.tasks.task import Judgement

MAX_RANKED = 9
"""Members of the largest set: beyond it neither a model nor a schema of permutations copes."""


class RankingEntry(ChoiceEntry):
    """The gold formula, an equivalent, perturbations, the negation and its normal form, to be ordered."""

    task: Literal["ranking"] = "ranking"
    perturbations: Annotated[int, Field(ge=1, le=MAX_RANKED - 4)] = 3

    RELEASED = "r"
    MOST = MAX_RANKED


class Ranking(ChoiceTask[RankingEntry]):
    """Scored by which candidates stand at the two ends."""

    kind = "ranking"
    entry_type = RankingEntry
    published_set = paper.ranking_set
    certified_set = audited.ranking_set
    fair_set = fair.ranking_set

    @override
    def schema(self, item: Item) -> JsonObject:
        return order_schema(len(item.members), self.entry.reasoning)

    @override
    def read(self, item: Item, text: str) -> list[int]:
        return read_order(text, len(item.members), self.entry.reasoning)

    @override
    def judge_answer(self, item: Item, order: Sequence[int], text: str) -> Judgement:
        ranking = self.read(item, text)
        similarities = [0.0] * len(order)
        for rank, index in enumerate(ranking):
            similarities[order[index]] = -float(rank)
        answer = " ".join(str(index + 1) for index in ranking)
        return Judgement(self.scores(item, similarities), answer=answer, fault=self._misranked(item, similarities))

    @override
    def judge_similarities(self, item: Item, similarities: Sequence[float]) -> Judgement:
        judged = super().judge_similarities(item, similarities)
        return replace(judged, fault=self._misranked(item, similarities))

    def _misranked(self, item: Item, similarities: Sequence[float]) -> str | None:
        """Return the roles of members that do not stand at their end; None if all do."""
        first, last = self.ends(item)[BOTH]
        others = [value for index, value in enumerate(similarities) if index not in first]
        before = max(others, default=-math.inf)
        others = [value for index, value in enumerate(similarities) if index not in last]
        behind = min(others, default=math.inf)
        out = [item.members[index].role for index in first if similarities[index] < before]
        out += [item.members[index].role for index in last if similarities[index] > behind]
        return " ".join(out) or None

    @override
    def ends(self, item: Item) -> Mapping[str, tuple[Sequence[int], Sequence[int]]]:
        return _ends(tuple([member.role for member in item.members]))

    @override
    def reasoner(self, item: Item) -> Judgement:
        """Draw which two candidates say the sentence, and which two deny it, among all that can be for all proof tells.

        Each score is the share of these in which the right ones stand at their ends.
        """
        meanings = self._meanings(item)
        affirmed, denied = (comb(size, 2) for size in meanings[0])
        every = 2 * sum(comb(one, 2) * comb(other, 2) for one, other in meanings)
        return Judgement({BOTH: 1 / every, EQUIVALENCE: denied / every, NEGATION: affirmed / every})

    def _meanings(self, item: Item) -> list[list[int]]:
        """Count the candidates that say, and that deny, each meaning, the sentence's first.

        Only sets of the protocols ``paper`` and ``released`` have perturbations that may say what others do, or deny
        it; one that cannot be read has a meaning of its own.
        """
        again = sum(member.role == Role.REPHRASED for member in item.members) // 2
        counts = [[len(FIRST), len(FIRST)] for _ in range(1 + again)]
        if self.entry.protocol not in ("paper", "released"):
            return counts
        language = LANGUAGES[item.language]
        known, unread = [language.parse(item.formula)], 0
        for text in (member.formula for member in item.members if member.role == Role.PERTURBATION):
            try:
                # Released perturbations are in the notation of FOLIO.
                formula = language.parse(text) if self.entry.protocol == "paper" else read_decided(text).formula
            except FormulaSyntaxError:
                unread += 1
                continue
            matches = [
                (index, is_denied)
                for index, meaning in enumerate(known)
                for is_denied, other in enumerate((meaning, Not(meaning)))
                if language.compare(other, formula).outcome is Outcome.EQUIVALENT
            ]
            if matches:
                counts[matches[0][0]][matches[0][1]] += 1
            else:
                known.append(formula)
                counts.append([1, 0])
        return [*counts, *[[1, 0]] * unread]

    @override
    def answer_of_meanings(self, sentence: Formula, candidates: Sequence[Formula]) -> str:
        first = equivalent("the sentence", sentence, candidates, 2)
        last = equivalent("the negation of the sentence", Not(sentence), candidates, 2)
        middle = [number for number in range(1, len(candidates) + 1) if number not in (*first, *last)]
        reasoning = (
            f"Candidates {first[0]} and {first[1]} are equivalent to the sentence, "
            f"{last[0]} and {last[1]} to its negation, no others are."
        )
        return reasoned(reasoning, [*first, *middle, *last])

    @override
    def grade(self, member: Member) -> int:
        return (member.role in FIRST) - (member.role in LAST)

    @override
    def answer_of_grades(self, grades: Sequence[float]) -> str:
        numbers = range(1, len(grades) + 1)
        return reasoned("By the look of the candidates.", sorted(numbers, key=lambda number: -grades[number - 1]))


@cache
def _ends(roles: tuple[str, ...]) -> Mapping[str, tuple[Sequence[int], Sequence[int]]]:
    first = [index for index, role in enumerate(roles) if role in FIRST]
    last = [index for index, role in enumerate(roles) if role in LAST]
    return {BOTH: (first, last), EQUIVALENCE: (first, ()), NEGATION: ((), last)}
