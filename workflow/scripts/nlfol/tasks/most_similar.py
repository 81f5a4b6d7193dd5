"""Most similar: choose the candidate closest in meaning to the sentence, the gold formula (paper, section 4)."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import override

from nlfol.facts import ACCURACY, Role
from nlfol.logic.syntax import Formula
from nlfol.mappings import JsonObject
from nlfol.sets import audited, fair, paper
from nlfol.tasks.answers import index_schema, read_index
from nlfol.tasks.choice import ChoiceEntry, ChoiceTask
from nlfol.tasks.item import Item, Member
from nlfol.tasks.reference import equivalent, reasoned
from nlfol.tasks.task import Judgement

MAX_SHOWN = 65


class MostSimilarEntry(ChoiceEntry):
    """The gold formula among its perturbations."""

    task: Literal["most_similar"] = "most_similar"
    perturbations: Annotated[int, Field(ge=1, le=MAX_SHOWN - 1)] = 8

    RELEASED = "ms"
    MOST = MAX_SHOWN


class MostSimilar(ChoiceTask[MostSimilarEntry]):
    """Scored by the candidate chosen."""

    kind = "most_similar"
    entry_type = MostSimilarEntry
    published_set = paper.most_similar_set
    certified_set = audited.most_similar_set
    fair_set = fair.most_similar_set

    @override
    def schema(self, item: Item) -> JsonObject:
        return index_schema(len(item.members), self.entry.reasoning)

    @override
    def read(self, item: Item, text: str) -> int:
        return read_index(text, len(item.members), self.entry.reasoning)

    @override
    def judge_answer(self, item: Item, order: Sequence[int], text: str) -> Judgement:
        index = self.read(item, text)
        # The kinds of edit that a wrong candidate is made by.
        fault = " ".join(sorted(item.members[order[index]].change)) or None
        return Judgement({ACCURACY: float(order[index] == 0)}, answer=str(index + 1), fault=fault)

    @override
    def ends(self, item: Item) -> Mapping[str, tuple[Sequence[int], Sequence[int]]]:
        return {ACCURACY: ((0,), ())}

    @override
    def answer_of_meanings(self, sentence: Formula, candidates: Sequence[Formula]) -> str:
        (number,) = equivalent("the sentence", sentence, candidates, 1)
        return reasoned(f"Candidate {number} is equivalent to the sentence, no other is.", number)

    @override
    def grade(self, member: Member) -> int:
        return int(member.role == Role.GOLD)

    @override
    def answer_of_grades(self, grades: Sequence[float]) -> str:
        return reasoned("By the look of the candidates.", grades.index(max(grades)) + 1)
