"""Rating: how good a problem in other words is, beside its original (SoLT, tables 1 and 2).

A model rates four things from 1 to 5. A rating ``r`` has the score ``(r - 1) / 4``, so that scores are in [0, 1] as of
all tasks; ``rating`` is the mean of the four. They are about the problem and not about whether an answer is right, so
none of them is among ``metrics``: raters are not compared as if the higher rating were the better one.
"""

from collections.abc import Mapping, Sequence
from math import fsum
from typing import Annotated, Literal

from pydantic import Field, StrictInt, StrictStr
from typing_extensions import override

from nlfol.facts import CRITERIA, GREATEST, LEAST, RATING, scaled
from nlfol.mappings import JsonObject
from nlfol.problems.problem import Problem
from nlfol.sets.sets import CandidateError
from nlfol.tasks.answers import JsonAnswer, object_schema, read_form
from nlfol.tasks.entry import PromptedEntry
from nlfol.tasks.item import Item, shown
from nlfol.tasks.task import Judgement, OneStepTask, Surroundings


class RatingEntry(PromptedEntry):
    """Problems in other words to ratings."""

    task: Literal["rating"] = "rating"


_Number = Annotated[StrictInt, Field(ge=LEAST, le=GREATEST)]


class _Ratings(JsonAnswer):
    reasoning: StrictStr = ""
    semantic_equivalence: _Number
    reasoning_preserved: _Number
    answer_invariance: _Number
    clarity: _Number


class Rating(OneStepTask[RatingEntry]):
    """Scored by the four criteria and their mean."""

    kind = "rating"
    entry_type = RatingEntry
    takes = frozenset({"problems"})
    of_rewritten = True

    @override
    def text_of(self, problem: Problem, about: Surroundings) -> str:
        """Return the original and the problem."""
        original = about.originals.get(problem.name)
        if original is None:
            raise CandidateError("no_original", f"there is no usable original of {problem.name}")
        before, after = shown(original), shown(problem)
        if before == after:
            raise CandidateError("not_rewritten", "nothing is said in other words than in the original")
        return f"Original:\n{before}\n\nIn other words:\n{after}"

    @override
    def material(self, item: Item, presentation: str, order: Sequence[int]) -> Mapping[str, object]:
        return {"criteria": CRITERIA, "reasoning": self.entry.reasoning}

    @override
    def schema(self, item: Item) -> JsonObject:
        number = {"type": "integer", "enum": list(range(LEAST, GREATEST + 1))}
        return object_schema(dict.fromkeys(CRITERIA, number), self.entry.reasoning)

    @override
    def read(self, item: Item, text: str) -> _Ratings:
        return read_form(text, _Ratings, self.entry.reasoning)

    @override
    def judge_answer(self, item: Item, order: Sequence[int], text: str) -> Judgement:
        answer = self.read(item, text)
        ratings = [int(getattr(answer, criterion)) for criterion in CRITERIA]
        named = ", ".join(f"{name} {rating}" for name, rating in zip(CRITERIA, ratings, strict=True))
        return Judgement(_scores(ratings), answer=named)

    @override
    def chance(self, item: Item) -> Judgement:
        return Judgement(_scores([(LEAST + GREATEST) / 2] * len(CRITERIA)))


def _scores(ratings: Sequence[float]) -> dict[str, float]:
    scores = [scaled(rating) for rating in ratings]
    return {RATING: fsum(scores) / len(scores), **dict(zip(CRITERIA, scores, strict=True))}
