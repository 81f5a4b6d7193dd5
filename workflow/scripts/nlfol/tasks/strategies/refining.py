"""Programs that are corrected by what the solver says, round by round.

``refine`` is the self-refinement of Logic-LM (Pan et al., Findings of EMNLP 2023): the message goes back until the
program is executable, and the last program counts. ``refine_pairwise`` is after Logic-LM++ (Kirtania, Gupta and
Radhakrishna, 2024): a round has one or more corrections of one program, and the model judges each against the best so
far, at first that program; the worse is dropped. Executable programs can be refined as well, which asks whether they
say what the text says.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import StrictInt, StrictStr
from typing_extensions import override

from nlfol.mappings import JsonDict
from nlfol.randomness import generator
from nlfol.tasks.answers import AnswerError, JsonAnswer, object_schema, read_form
from nlfol.tasks.item import numbered
from nlfol.tasks.plan import Reply, Step, Turn
from nlfol.tasks.program_answers import Attempt
from nlfol.tasks.program_gold import Translation
from nlfol.tasks.strategies.strategy import ANSWERED, FAILED, About, Once, Text, ended, is_answered

REFINEMENT, COMPARISON = "refinement", "comparison"
EXECUTED, ROUNDS = "executed", "rounds"


class Refining(Once):
    """The solver's message goes back until the program is executable."""

    is_dialogue = True
    keys = frozenset({"rounds"})

    @override
    def most_steps(self, about: About) -> int:
        return 1 + about.rounds

    @override
    def stop(self, about: About, replies: Sequence[Reply]) -> str | None:
        if not replies:
            return None
        if ending := ended(replies):
            return ending
        if self.attempt(about, replies[-1]).outcome == ANSWERED:
            return EXECUTED
        return ROUNDS if len(replies) > about.rounds else None

    @override
    def step(self, about: About, replies: Sequence[Reply], text: Text) -> Step:
        return self.correction(about, replies[-1], text) if replies else super().step(about, replies, text)

    @override
    def counting(self, about: About, replies: Sequence[Reply]) -> Collection[int]:
        return (len(replies) - 1,)

    def correction(self, about: About, reply: Reply, text: Text, draw: int = 0, **more: Any) -> Step:
        """Return the step that shows the solver's message against a program."""
        first = super().step(about, (), text)
        attempt = self.attempt(about, reply)
        lines = numbered(attempt.written.text.split("\n")) if attempt.written else []
        message = text(REFINEMENT, message=attempt.message, lines=lines, **more)
        earlier = (Turn("user", first.user), Turn("assistant", reply.said))
        return Step(REFINEMENT, first.system, message, first.schema, earlier=earlier, draw=draw)


class _Choice(JsonAnswer):
    reasoning: StrictStr = ""
    answer: StrictInt


@dataclass(slots=True)
class _Course:
    """The state of corrections: the answer that counts so far, and a correction that waits for its comparison.

    Corrections of a round are all made of its ``draft``, and are told how many were ``tried`` before the round.
    """

    kept: Reply
    draft: Reply
    made: int = 0
    dropped: int = 0
    tried: int = 0
    corrected: Reply | None = None
    stop: str | None = None


class Pairwise(Refining):
    """Each correction is judged against the best program so far.

    A correction that is no program, or the same one, is dropped unasked; one where there was no program is kept
    unasked. A comparison that is not answered in the agreed form keeps the program before. Every round has all of its
    corrections.
    """

    keys = frozenset({"rounds", "corrections", "refines"})

    @override
    def most_steps(self, about: About) -> int:
        return 1 + 2 * about.rounds * about.corrections

    @override
    def stop(self, about: About, replies: Sequence[Reply]) -> str | None:
        return self._course(about, replies).stop if replies else None

    @override
    def step(self, about: About, replies: Sequence[Reply], text: Text) -> Step:
        if not replies:
            return super().step(about, replies, text)
        course = self._course(about, replies)
        if course.corrected is None:
            # What is asked again is a draw of its own.
            return self.correction(about, course.draft, text, course.made, dropped=course.tried)
        drafts = [self.attempt(about, reply).written for reply in (course.kept, course.corrected)]
        programs = [written.text for written in drafts if written is not None]
        shown = [numbered(programs[index].split("\n")) for index in _order(about, *programs)]
        system = text("comparison_system", corrections=about.corrections)
        return Step(COMPARISON, system, text(COMPARISON, programs=shown), _choice(about))

    @override
    def result(self, about: About, replies: Sequence[Reply]) -> Attempt | Reply:
        last = replies[-1]
        if last.outcome == FAILED:
            return last
        kept = self._course(about, replies).kept
        return self.attempt(about, kept) if is_answered(kept) else kept

    @override
    def counting(self, about: About, replies: Sequence[Reply]) -> Collection[int]:
        kept = self._course(about, replies).kept
        return [index for index, reply in enumerate(replies) if reply is kept]

    @override
    def agreed(self, about: About, part: str) -> JsonDict:
        return _choice(about) if part == COMPARISON else super().agreed(about, part)

    @override
    def check(self, about: About, part: str, text: str) -> None:
        if part == COMPARISON:
            _chosen(text)
        else:
            super().check(about, part, text)

    @override
    def answer(self, translation: Translation, part: str, number: int) -> JsonDict:
        return {"answer": 1} if part == COMPARISON else super().answer(translation, part, number)

    def _course(self, about: About, replies: Sequence[Reply]) -> _Course:
        left = iter(replies)
        first = next(left)
        course = _Course(first, first)
        if not is_answered(course.kept):
            course.stop = course.kept.outcome
            return course
        while not self._is_over(about, course):
            corrected = next(left, None)
            if corrected is None or not self._compare(about, course, corrected, left):
                break
        return course

    def _is_over(self, about: About, course: _Course) -> bool:
        rounds, corrections = divmod(course.made, about.corrections)
        if course.stop is None and not corrections:
            course.draft, course.tried = course.kept, course.dropped
            if not about.refines_all and self.attempt(about, course.kept).outcome == ANSWERED:
                course.stop = EXECUTED
            elif rounds == about.rounds:
                course.stop = ROUNDS
        return course.stop is not None

    def _compare(self, about: About, course: _Course, corrected: Reply, left: Iterator[Reply]) -> bool:
        """Keep or drop a correction; return whether that is settled."""
        course.made += 1
        if corrected.outcome == FAILED:
            course.stop = FAILED
            return True
        before = self.attempt(about, course.kept).written
        after = self.attempt(about, corrected).written if is_answered(corrected) else None
        if after is not None and before is None:
            course.kept = corrected
            return True
        if after is None or before is None or after.text == before.text:
            course.dropped += 1
            return True
        compared = next(left, None)
        if compared is None:
            course.corrected = corrected
            return False
        if compared.outcome == FAILED:
            course.stop = FAILED
        elif _prefers_second(compared, _order(about, before.text, after.text)):
            course.kept = corrected
        else:
            course.dropped += 1
        return True


def _prefers_second(reply: Reply, order: Sequence[int]) -> bool:
    try:
        return is_answered(reply) and order[_chosen(reply.answer)] == 1
    except AnswerError:
        return False


def _order(about: About, before: str, after: str) -> list[int]:
    """Draw which of two programs is shown first: by the texts, because judging has no seed."""
    order = [0, 1]
    generator(about.item.item, COMPARISON, before, after).shuffle(order)
    return order


def _choice(about: About) -> JsonDict:
    return object_schema({"answer": {"type": "integer", "enum": [1, 2]}}, about.reasoning)


def _chosen(text: str) -> int:
    number = read_form(text, _Choice).answer
    if number not in (1, 2):
        raise AnswerError(f"answer {number} is neither 1 nor 2")
    return number - 1
