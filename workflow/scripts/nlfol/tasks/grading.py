"""A reward for one completion, and the process that computes rewards within limits of CPU time and memory.

A right answer has 1. A wrong formula has a little for being read and for keeping to the given symbols, and more if it
is one slip from the gold formula (``distance.OneSlip``); one that says nothing, as a tautology does, has 0. In other
tasks the leading metric is the reward, with the little for an answer of the agreed form.

    python -m nlfol.tasks.grading SECONDS

reads lines ``[row, [completion, ...]]``, of which the row is JSON text, and writes a line with a number for each
completion; one with a text if the row cannot be used.
"""

import gc
import json
import math
import resource
import signal
import sys
from functools import cached_property, lru_cache
from time import process_time
from types import FrameType
from typing import TextIO

from nlfol.facts import AnswerForm
from nlfol.logic import parse
from nlfol.logic.decision.verdicts import Outcome
from nlfol.logic.distance import OneSlip, Reason
from nlfol.logic.equivalence import equivalence
from nlfol.logic.reading.finding import is_closed_over
from nlfol.logic.syntax import Formula
from nlfol.tasks.asked import Asked, reply_to
from nlfol.tasks.judging import judgements
from nlfol.tasks.logical_translation import LogicalTranslation
from nlfol.tasks.plan import NoPrompts, Step
from nlfol.tasks.task import Judgement

READ = 0.05
"""Reward of an answer that can be read, and is wrong."""

IN_SIGNATURE = 0.05
"""Reward of a wrong formula over the given symbols, beside ``READ``."""

NEAR = 0.5
"""Share of the credit of a typed distance that is rewarded: a quarter for one slip."""

MOST = READ + IN_SIGNATURE + NEAR / 2
"""The highest reward of a wrong answer."""

REMEMBERED = 500
"""Completions to a row, and wrong formulas among them, of which the rewards are kept."""

LONGEST_REMEMBERED = 1_000
"""Characters of a completion that is remembered."""

MEMORY = 4 << 30
"""Bytes of address space of a process that grades."""


class Grader:
    """Rewards of completions to one row, given as JSON.

    Raises ``ValueError`` if it has several steps, or no answer that is right.
    """

    def __init__(self, row: str) -> None:
        self._asked = asked = Asked.of(json.loads(row), NoPrompts())
        step, task = asked.following([]), asked.task
        if not isinstance(step, Step):
            raise ValueError(f"row {asked.item.item!r}: nothing is asked about it ({step.reason}); leave it out")
        if asked.plan.most_steps(asked.item) > 1 or not task.metrics:
            why = "asks several steps" if task.metrics else "has no right answers"
            raise ValueError(f"row {asked.item.item!r}: {task.kind} {why}, so a completion has no reward; leave it out")
        self._step = step
        self._is_formula = task.form is AnswerForm.FORMULA and asked.item.language == "first_order"
        self._translation = task if isinstance(task, LogicalTranslation) else None
        self._rewarded = lru_cache(REMEMBERED)(self._reward)
        self._valued = lru_cache(REMEMBERED)(self._of_formula)
        self._nearness = lru_cache(REMEMBERED)(self._of_wrong)

    def reward(self, text: str) -> float:
        """Return the reward of a completion, in [0, 1]; short ones are remembered, as models repeat themselves."""
        return self._rewarded(text) if len(text) <= LONGEST_REMEMBERED else self._reward(text)

    @cached_property
    def _gold(self) -> Formula:
        return parse(self._asked.item.formula)

    @cached_property
    def _slip(self) -> OneSlip:
        return OneSlip(self._gold)

    def _reward(self, text: str) -> float:
        task, item = self._asked.task, self._asked.item
        # Most answers are formulas and no more: of these a verdict is enough, without its evidence.
        if self._translation and (formula := self._translation.lone_formula(item, text)) is not None:
            return self._valued(formula)
        judged = judgements(task, item, [reply_to(self._step, text)])
        scores = {metric: score for part in judged for metric, score in part.scores.items()}
        value = scores[task.metrics[0]]
        if value < 1 and judged[0].outcome == "answered":
            value = max(value, self._wrong(judged[0]))
        return value

    def _wrong(self, judged: Judgement) -> float:
        """Return the reward of an answer that was read, and is not right."""
        if not self._is_formula or judged.formula is None or judged.verdict != Outcome.NOT_EQUIVALENT:
            return READ
        return self._nearness(parse(judged.formula))

    def _of_formula(self, formula: Formula) -> float:
        """Return the reward of a formula."""
        if not is_closed_over(formula, self._asked.item.ontology.signature()):
            return READ
        outcome = equivalence(self._gold, formula).outcome
        if outcome is Outcome.NOT_EQUIVALENT:
            return self._nearness(formula)
        return 1.0 if outcome is Outcome.EQUIVALENT else READ

    def _of_wrong(self, formula: Formula) -> float:
        found = self._slip.distance(formula)
        return 0.0 if found.reason is Reason.TRIVIAL else READ + (IN_SIGNATURE + NEAR * found.credit)


class _Late(BaseException):
    """Ends a completion that takes too long."""


def limited(grader: Grader, text: str, seconds: float) -> float:
    """Return a reward, 0 if it takes more CPU seconds; a proof that cannot be interrupted ends the process at twice."""
    soft = math.ceil(process_time() + 2 * seconds)
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (soft, most))
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds, seconds)
        try:
            return grader.reward(text)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except (_Late, MemoryError, RecursionError):
        return 0.0
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))


def listen() -> None:
    """Let ``limited`` interrupt this process."""

    def expire(_number: int, _frame: FrameType | None) -> None:
        raise _Late

    signal.signal(signal.SIGPROF, expire)


def serve(lines: TextIO, out: TextIO, seconds: float) -> None:
    """Answer lines until they end."""
    listen()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    gc.freeze()  # or what was imported would be looked through again and again
    grader = lru_cache(1_000)(Grader)
    print("ready", file=out, flush=True)
    for line in lines:
        row, texts = json.loads(line)
        try:
            of_row = grader(row)
        except ValueError as error:
            print(json.dumps(str(error)), file=out, flush=True)
            continue
        for text in texts:
            print(limited(of_row, text, seconds), file=out, flush=True)


if __name__ == "__main__":
    serve(sys.stdin, sys.stdout, float(sys.argv[1]))
