"""Question answering: the answer to a problem without a solver, directly or with reasoning first.

An answer is one of the labels that the problem has: true, false or unknown; yes or no; or the letters of its options.
What cannot be read counts as wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar, Literal, Self

from pydantic import model_validator

from nlfol.candidates.sets import CandidateError
from nlfol.datasets.entries.block import Holding
from nlfol.problems.gold import program
from nlfol.problems.problem import Problem
from nlfol.programs import execute
from nlfol.tasks.answers import AnswerError, read_word, word_schema
from nlfol.tasks.entry import TaskEntry
from nlfol.tasks.item import Item
from nlfol.tasks.plan import OneStep, Plan, Setting, Step
from nlfol.tasks.problem_texts import labels, shown
from nlfol.tasks.reference import PLAIN, Asked, Manner, ReaderError, Reference, answer_json
from nlfol.tasks.task import AnswerForm, Judgement, Surroundings, Task

RIGHT = "right"

COMMONEST = "commonest"
CONSTANTS = ("yes", "no", COMMONEST)
"""What a constant may be said to answer."""

Presentation = Literal["english", "formula"]


class QuestionAnsweringEntry(TaskEntry):
    """Problems to their answers."""

    task: Literal["question_answering"] = "question_answering"
    presentations: tuple[Presentation, ...] = ("english",)
    """Whether the sentences are shown, or the lines of the gold program in their place; each is asked apart."""
    reasoning: bool = True
    """Whether the model reasons in its answer before it commits."""

    DECIDES_ITEMS: ClassVar[frozenset[str]] = frozenset({"task", "presentations"})
    DECIDES_SCORES: ClassVar[frozenset[str]] = frozenset({"task", "reasoning"})
    DECIDES_REQUESTS: ClassVar[frozenset[str]] = DECIDES_SCORES

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.presentations or len(set(self.presentations)) != len(self.presentations):
            raise ValueError("presentations must be one or both of 'english' and 'formula', each once")
        return self

    @property
    def shown_as(self) -> tuple[str, ...]:
        """The presentations."""
        return self.presentations


class QuestionAnswering(Task[QuestionAnsweringEntry]):
    """Scored by whether the answer is the right one."""

    kind = "question_answering"
    entry_type: ClassVar[type[TaskEntry]] = QuestionAnsweringEntry
    form: ClassVar[AnswerForm] = AnswerForm.LABEL
    metrics = (RIGHT,)
    takes: ClassVar[frozenset[Holding]] = frozenset({"problems"})

    def is_done_by(self, model_kind: str, answer: str | None = None) -> bool:
        """Dialogue models, chance, the reader, and constants."""
        if model_kind == "constant":
            return answer in CONSTANTS
        return model_kind in ("chat", "reader", "chance")

    def exemplars(self, problem: Problem, about: Surroundings) -> list[dict[str, str]]:
        """None; a problem without a gold program is refused where its program is to be shown."""
        if "formula" in self.entry.presentations and problem.language is None:
            raise CandidateError("no_program", "there is no gold program to be shown as formulas")
        return []

    def plan(self, setting: Setting) -> Plan:
        """Ask once for the answer."""
        reasoning = self.entry.limits.reasoning if self.entry.reasoning else None

        def step(item: Item, presentation: str, _: int) -> Step:
            words = list(labels(item.asked).values())
            system, user = (
                setting.prompts.render(
                    f"{self.kind}/{part}",
                    item,
                    presentation,
                    text=shown(item.asked, presentation),
                    language=item.asked.language,
                    words=words,
                    reasoning=reasoning,
                )
                for part in ("system", "user")
            )
            return Step("", system, user, word_schema(words, reasoning))

        return OneStep(step)

    def check(self, item: Item, part: str, text: str) -> None:
        """See that an answer is one of the labels."""
        self._read(item, text)

    def judge_answer(self, item: Item, order: Sequence[int], text: str) -> Judgement:
        """1 if the answer is the right label, else 0."""
        try:
            answer = self._read(item, text)
        except AnswerError as error:
            return self.wrong("unparsable", str(error))
        return Judgement({RIGHT: float(answer == item.formula)}, answer=answer)

    def chance(self, item: Item) -> Judgement:
        """One in as many as there are options."""
        return Judgement({RIGHT: 1 / len(item.asked.options)})

    def reference(self, model_kind: str, items: Sequence[Item], manner: Manner = PLAIN) -> Reference:
        """The reader executes the gold program; a constant says its word, or the label that is right most often."""
        if not self.is_done_by(model_kind, manner.answer):
            return super().reference(model_kind, items, manner)
        counts = Counter(item.formula for item in items)
        always = counts.most_common(1)[0][0] if manner.answer == COMMONEST and counts else manner.answer

        def answered(asked: Asked) -> str:
            problem = asked.item.asked
            words = labels(problem)
            if always is None:
                return self._said("By the gold program.", words[executed(problem)])
            if always not in words.values():
                raise ReaderError(f"{always!r} is not one of {', '.join(words.values())}")
            return self._said("I always say so.", always)

        return answered

    def _read(self, item: Item, text: str) -> str:
        return read_word(text, list(labels(item.asked).values()), reasoned=self.entry.reasoning)

    def _said(self, reasoning: str, answer: str) -> str:
        return answer_json({"reasoning": reasoning, "answer": answer} if self.entry.reasoning else {"answer": answer})


def executed(problem: Problem) -> str:
    """The letter that a problem's gold program gives.

    Raises:
        ReaderError: if there is no gold program, or it gives none.
    """
    if problem.language is None:
        raise ReaderError("there is no gold program")
    found = execute(problem.language, program(problem), problem.lettered)
    if found.answer is None:
        raise ReaderError(f"the gold program gives no answer: {found.error}")
    return found.answer
