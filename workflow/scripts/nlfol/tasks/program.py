"""Program: a problem to a program for a solver, which is executed (Logic-LM: Pan et al., Findings of EMNLP 2023).

A program is ``executable`` if it gives exactly one answer, and ``right`` if that is the problem's. One that cannot be
read is ``unparsable``; one that is read and gives none has its failure beside the score (``fault``):
``undefined_symbol``, ``arity``, ``open``, ``contradictory``, ``budget``, or ``no_answer``.

With the strategy ``refine`` the solver's message goes back until the program is executable, or the rounds are over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, PositiveInt, model_validator

from nlfol.candidates.sets import CandidateError
from nlfol.datasets.entries.block import Holding
from nlfol.problems.problem import Problem
from nlfol.programs import traced
from nlfol.programs.execution import DEFAULT_POLICY
from nlfol.programs.options import OptionsError, by_truth
from nlfol.tasks.entry import Limits, TaskEntry
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Plan, Reply, Setting, Step, Stop, Turn
from nlfol.tasks.problem_texts import labels, numbered
from nlfol.tasks.program_answers import Attempt, LanguageName, Written, attempt, read_program
from nlfol.tasks.program_schemas import program_schema
from nlfol.tasks.program_exemplars import exemplars, gold_answer, of_same_story
from nlfol.tasks.reference import Asked, ReaderError, Reference, answer_json
from nlfol.tasks.task import Judgement, Surroundings, Task

RIGHT, EXECUTABLE = "right", "executable"

ROUNDS = 3
"""Rounds of refinement where the entry does not say it, as Logic-LM has them."""

MAX_TRACE = 10_000
"""Characters of a trace that are kept beside a score."""

_POLICY = (
    f"free variables {DEFAULT_POLICY.free_variables}, rlimit {DEFAULT_POLICY.budget}, {DEFAULT_POLICY.steps} steps"
)


class ProgramLimits(Limits):
    """How long the strings of an answer may be."""

    line: PositiveInt = 300
    """Of a line, in characters."""


class ProgramEntry(TaskEntry):
    """Problems to programs."""

    task: Literal["program"] = "program"
    strategy: Literal["direct", "refine"] = "direct"
    """Whether the model is asked once, or again with what the solver says."""
    rounds: Annotated[int, Field(ge=1, le=10)] | None = None
    """Of ``refine``, how often it is asked again at most; by default 3."""
    language: LanguageName | None = None
    """What the program is written in; by default the language of the problem's gold program."""
    shots: Annotated[int, Field(ge=0, le=5)] = 2
    """Solved examples that are shown."""
    reasoning: bool = False
    """Whether the model reasons in its answer before it writes the program."""
    limits: ProgramLimits = ProgramLimits()

    DECIDES_ITEMS: ClassVar[frozenset[str]] = frozenset({"task", "language", "shots"})
    DECIDES_SCORES: ClassVar[frozenset[str]] = frozenset({"task", "strategy", "rounds", "language"})
    DECIDES_REQUESTS: ClassVar[frozenset[str]] = DECIDES_SCORES

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.rounds is not None and self.strategy != "refine":
            raise ValueError(f"the strategy {self.strategy!r} has no rounds; remove the key 'rounds'")
        return self

    @property
    def refinements(self) -> int:
        """How often the solver's message goes back at most."""
        return (self.rounds or ROUNDS) if self.strategy == "refine" else 0


@dataclass(frozen=True, slots=True)
class _Plan:
    setting: Setting
    task: Program

    @property
    def most_steps(self) -> int:
        """One, and one a round."""
        return 1 + self.task.entry.refinements

    def following(self, item: Item, presentation: str, seed: int, replies: Sequence[Reply]) -> Step | Stop:
        """The question, and then what the solver says against the last answer."""
        stop = self.task.stop(item, replies)
        if stop is not None:
            return Stop(stop)
        problem, language = item.asked, self.task.language_of(item.asked)
        system, user = (self._text(item, part) for part in ("system", "user"))
        reasoning = self.task.reasoning
        schema = program_schema(language, problem, self.task.entry.limits.line, reasoning)
        if not replies:
            return Step("program", system, user, schema)
        last = replies[-1].text or ""
        found = attempt(language, problem, last)
        lines = found.written.text.split("\n") if found.written else []
        message = self._text(item, "refinement", message=found.message, lines=numbered(lines))
        earlier = (Turn("user", user), Turn("assistant", last))
        return Step("refinement", system, message, schema, earlier=earlier)

    def _text(self, item: Item, part: str, **more: Any) -> str:
        entry, problem = self.task.entry, item.asked
        return self.setting.prompts.render(
            f"{self.task.kind}/{part}",
            item,
            language=self.task.language_of(problem),
            letters=list(problem.by_letter),
            exemplars=[each for each in item.exemplars if not of_same_story(each)],
            siblings=[each for each in item.exemplars if of_same_story(each)],
            reasoning=self.task.reasoning,
            limits=entry.limits,
            **more,
        )


class Program(Task[ProgramEntry]):
    """Scored by the answer that the program gives."""

    kind = "program"
    entry_type: ClassVar[type[TaskEntry]] = ProgramEntry
    metrics = (RIGHT, EXECUTABLE)
    takes: ClassVar[frozenset[Holding]] = frozenset({"problems"})

    @property
    def reasoning(self) -> int | None:
        """Characters of the reasoning; None where none is asked for."""
        return self.entry.limits.reasoning if self.entry.reasoning else None

    def is_done_by(self, model_kind: str, answer: str | None = None) -> bool:
        """Dialogue models, chance and the reader."""
        return model_kind in ("chat", "reader", "chance")

    def language_of(self, problem: Problem) -> LanguageName:
        """What a problem's program is written in.

        Raises:
            ValueError: if neither the entry nor a gold program says it.
        """
        match self.entry.language or problem.language:
            case ("formulas" | "clauses" | "constraints") as name:
                return name
        raise ValueError(f"{problem.name}: no gold program says in which language; set the key 'language'")

    def exemplars(self, problem: Problem, about: Surroundings) -> list[dict[str, str]]:
        """As many as the entry asks for, see ``program_exemplars``."""
        try:
            language = self.language_of(problem)
        except ValueError as error:
            raise CandidateError("no_language", str(error)) from error
        if language != "constraints":
            try:
                by_truth(problem.lettered)
            except OptionsError as error:
                raise CandidateError("options", f"{error}; or set the key 'language' to constraints") from error
        return exemplars(problem, language, self.entry.shots, about)

    def plan(self, setting: Setting) -> Plan:
        """One step, and one for each refinement."""
        return _Plan(setting, self)

    def stop(self, item: Item, replies: Sequence[Reply]) -> str | None:
        """Why nothing more is asked; None where something is."""
        if not replies:
            return None
        last = replies[-1]
        if last.outcome != "answered" or last.text is None:
            return last.outcome
        if not self.entry.refinements:
            return "completed"
        if attempt(self.language_of(item.asked), item.asked, last.text).outcome == "answered":
            return "executed"
        return "rounds" if len(replies) > self.entry.refinements else None

    def check(self, item: Item, part: str, text: str) -> None:
        """See that an answer is an object of lines."""
        read_program(self.language_of(item.asked), item.asked, text)

    def written(self, item: Item, replies: Sequence[Reply]) -> Written | None:
        """The program that counts of a dialogue; None where there is none of the agreed form."""
        last = replies[-1]
        if last.outcome != "answered" or last.text is None:
            return None
        return attempt(self.language_of(item.asked), item.asked, last.text).written

    def judge(self, item: Item, replies: Sequence[Reply]) -> Judgement:
        """The last program counts; of a dialogue that may be longer, why it ended is said."""
        judged = super().judge(item, replies)
        return replace(judged, stop=self.stop(item, replies)) if self.entry.refinements else judged

    def judge_answer(self, item: Item, order: Sequence[int], text: str) -> Judgement:
        """Execute the program."""
        problem = item.asked
        language = self.language_of(problem)
        found = attempt(language, problem, text)
        about: dict[str, Any] = {"dialect": language, "repairs": found.repairs, "policy": _POLICY}
        about["formula"] = found.written.text if found.written else None
        if found.outcome == "unparsable":
            return replace(self.wrong("unparsable", _detail(found)), **about)
        scores = {RIGHT: 0.0, EXECUTABLE: 0.0}
        if found.execution is None or found.execution.answer is None:
            return Judgement(scores, fault=found.outcome, detail=_detail(found), **about)
        answer = found.execution.answer
        scores = {RIGHT: float(answer == problem.answer), EXECUTABLE: 1.0}
        return Judgement(scores, detail=_detail(found), answer=labels(problem).get(answer), **about)

    def chance(self, item: Item) -> Judgement:
        """0: a text drawn uniformly from all of the answer's length is no program (``LogicalTranslation.chance``)."""
        return Judgement({RIGHT: 0.0, EXECUTABLE: 0.0})

    def reference(self, model_kind: str, items: Sequence[Item], answer: str | None = None) -> Reference:
        """The reader writes the gold program."""
        if model_kind != "reader":
            return super().reference(model_kind, items, answer)

        def answered(asked: Asked) -> str:
            problem = asked.item.asked
            language = self.language_of(problem)
            gold = gold_answer(problem, language)
            if gold is None:
                raise ReaderError(f"there is no gold program of {language}")
            return answer_json({"reasoning": "The gold program.", **gold} if self.entry.reasoning else gold)

        return answered


def _detail(found: Attempt) -> str | None:
    """What the solver says, with what each line was written for, and then the trace."""
    execution, written = found.execution, found.written
    message = found.message
    place = written.places.get(execution.line or 0) if execution is not None and written is not None else None
    if message is not None and place is not None:
        message = f"{message} ({place})"
    trace = traced(execution.trace) if execution is not None else ""
    if len(trace) > MAX_TRACE:
        trace = f"{trace[:MAX_TRACE]}…"
    return "\n".join(filter(None, [message, trace])) or None
