"""Question answering: the answer to a problem without a solver, directly or with reasoning first.

An answer is one of the labels that the problem has: true, false or unknown; yes or no; or the letters of its options.
An unreadable answer counts as wrong.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator
from typing_extensions import override

from nlfol.facts import RIGHT, UNASKED
from nlfol.mappings import JsonObject
from nlfol.problems.gold import program
from nlfol.problems.problem import Problem
from nlfol.problems.programs import execute
from nlfol.sets.sets import CandidateError
from nlfol.tasks.answers import REASONING, read_word, word_schema
from nlfol.tasks.entry import PromptedEntry, each_once
from nlfol.tasks.item import Exemplar, Item, labels, shown
from nlfol.tasks.reference import PLAIN, Asked, Manner, ReaderError, Reference, answer_json, reasoned
from nlfol.tasks.solved import Before, reasonings
from nlfol.tasks.task import Judgement, OneStepTask, Surroundings

COMMONEST = "commonest"
CONSTANTS = ("yes", "no", COMMONEST)
"""The answers that a constant may give."""


class QuestionAnsweringEntry(PromptedEntry):
    """Problems to their answers."""

    task: Literal["question_answering"] = "question_answering"
    presentations: Annotated[tuple[Literal["english", "formula"], ...], AfterValidator(each_once)] = ("english",)
    """The sentences are shown, or the lines of the gold program in their place; each is asked apart."""
    shots: Annotated[int, Field(ge=0, le=5)] = 0
    """Solved examples that are shown: the problems that ``program`` shows, with their answers."""

    DECIDES_ITEMS: ClassVar[frozenset[str]] = frozenset({"task", "presentations", "shots"})

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.shots and "formula" in self.presentations:
            raise ValueError("shots are problems in English; remove formula from presentations, or the key shots")
        return self

    @property
    @override
    def shown_as(self) -> tuple[str, ...]:
        return self.presentations


class QuestionAnswering(OneStepTask[QuestionAnsweringEntry]):
    """Scored by whether the answer is the right one."""

    kind = "question_answering"
    entry_type = QuestionAnsweringEntry
    takes = frozenset({"problems"})

    @override
    def is_done_by(self, model_kind: str, answer: str | None = None) -> bool:
        if model_kind == "constant":
            return answer in CONSTANTS
        return model_kind in ("chat", "reader", "chance")

    @override
    def unasked(self, problem: Problem) -> list[str]:
        """Return ``formula`` where there is no program; raises ``CandidateError`` (``no_program``) if that is all."""
        if problem.language is not None or "formula" not in self.entry.presentations:
            return []
        if len(self.entry.presentations) == 1:
            raise CandidateError(*UNASKED["formula"])
        return ["formula"]

    @override
    def exemplars(self, problem: Problem, about: Surroundings) -> list[dict[str, str]]:
        """Return solved examples with the same possible answers, with their reasoning if all have one.

        Raises ``CandidateError`` (``no_exemplar``) if there are none.
        """
        if not self.entry.shots:
            return []
        words = _possible(problem)

        def solution(other: Problem) -> str | None:
            return labels(other)[other.answer] if _possible(other) == words else None

        solved = Before(problem, about).solved(self.entry.shots, solution)
        if not solved:
            raise CandidateError("no_exemplar", "there is no other problem with the same possible answers")
        worked = [reasonings().get(earlier.context) for earlier, _ in solved]
        first = [{REASONING: reasoning} if all(worked) else {} for reasoning in worked]
        return [
            {"text": shown(earlier), "formula": answer_json({**why, "answer": answer})}
            for (earlier, answer), why in zip(solved, first, strict=True)
        ]

    @override
    def material(self, item: Item, presentation: str, order: Sequence[int]) -> Mapping[str, object]:
        return {
            "text": shown(item.asked, presentation),
            "language": item.asked.language,
            "words": _words(item),
            "examples": [self._example(exemplar) for exemplar in item.exemplars],
        }

    def _example(self, exemplar: Exemplar) -> Mapping[str, str]:
        answer: dict[str, str] = json.loads(exemplar.formula)
        if not self.entry.reasoning:
            answer.pop(REASONING, None)
        return {"problem": exemplar.text, "json": answer_json(answer), **answer}

    @override
    def schema(self, item: Item) -> JsonObject:
        return word_schema(_words(item), self.entry.reasoning)

    @override
    def read(self, item: Item, text: str) -> str:
        return read_word(text, _words(item), self.entry.reasoning)

    @override
    def from_text(self, item: Item, part: str, text: str) -> JsonObject | None:
        """Return the answer that a letter stands for, or a word in other case; None if it is neither."""
        words = labels(item.asked)
        word = words.get(text.strip(), text.strip().lower())
        return {**({REASONING: ""} if self.entry.reasoning else {}), "answer": word} if word in words.values() else None

    @override
    def judge_answer(self, item: Item, order: Sequence[int], text: str) -> Judgement:
        answer = self.read(item, text)
        return Judgement({RIGHT: float(answer == item.formula)}, answer=answer)

    @override
    def chance(self, item: Item) -> Judgement:
        return Judgement({RIGHT: 1 / len(item.asked.options)})

    @override
    def reference(self, model_kind: str, items: Sequence[Item], manner: Manner = PLAIN) -> Reference:
        """Return the reader, which executes the gold program, or a constant: a word, or the commonest label."""
        if not self.is_done_by(model_kind, manner.answer):
            return super().reference(model_kind, items, manner)
        counts = Counter(item.formula for item in items)
        always = counts.most_common(1)[0][0] if manner.answer == COMMONEST and counts else manner.answer

        def answered(asked: Asked) -> str:
            problem = asked.item.asked
            words = labels(problem)
            if always is None:
                return reasoned("By the gold program.", words[executed(problem)])
            if always not in words.values():
                raise ReaderError(f"{always!r} is not one of {', '.join(words.values())}")
            return reasoned("I always say so.", always)

        return answered


def _words(item: Item) -> list[str]:
    return list(labels(item.asked).values())


def _possible(problem: Problem) -> frozenset[str] | None:
    """Return the words that answer a problem; None if letters of its options do."""
    words = labels(problem)
    return None if list(words) == list(words.values()) else frozenset(words.values())


def executed(problem: Problem) -> str:
    """Return the letter that a problem's gold program gives; raises ``ReaderError`` if there is none."""
    if problem.language is None:
        raise ReaderError("there is no gold program")
    execution = execute(problem.language, program(problem), problem.lettered)
    if execution.answer is None:
        raise ReaderError(f"the gold program gives no answer: {execution.error}")
    return execution.answer
