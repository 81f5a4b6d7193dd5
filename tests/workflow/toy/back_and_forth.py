"""Back and forth: the model says the sentence in other words, then puts these into a formula."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.reading import parse
from nlfol.tasks.answers import read_text, text_schema
from nlfol.tasks.entry import TaskEntry
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Plan, Reply, Setting, Step, Stop
from nlfol.tasks.task import Judgement, Task

CHARACTERS = 500
KEPT = "kept"


class BackAndForthEntry(TaskEntry):
    """Its entry: what all tasks have."""

    task: Literal["back_and_forth"] = "back_and_forth"


@dataclass(frozen=True, slots=True)
class _Plan:
    setting: Setting
    reasoning: int

    def most_steps(self, item: Item) -> int:
        return 2

    def following(self, item: Item, presentation: str, seed: int, replies: Sequence[Reply]) -> Step | Stop:
        if len(replies) == 2 or (replies and replies[-1].outcome != "answered"):
            return Stop()
        if not replies:
            return self._step("say", item, said=item.text)
        return self._step("formalize", item, said=read_text(replies[0].text or ""))

    def _step(self, part: str, item: Item, said: str) -> Step:
        system = self.setting.prompts.render(f"back_and_forth/{part}", item, said=said)
        return Step(part, system, said, text_schema(CHARACTERS, self.reasoning))


class BackAndForth(Task[BackAndForthEntry]):
    """Right when the formula is equivalent to the gold formula."""

    kind = "back_and_forth"
    entry_type: ClassVar[type[TaskEntry]] = BackAndForthEntry
    metrics = (KEPT,)

    def plan(self, setting: Setting) -> Plan:
        """Say it, then formalize what was said."""
        return _Plan(setting, self.entry.limits.reasoning)

    def check(self, item: Item, part: str, text: str) -> None:
        """See that there is a text."""
        read_text(text)

    def judge_answer(self, item: Item, order: Sequence[int], text: str) -> Judgement:
        """1 if the formula is equivalent to the gold formula."""
        written = read_text(text)
        verdict = equivalence(parse(item.formula), parse(written))
        return Judgement({KEPT: float(verdict.outcome is Outcome.EQUIVALENT)}, answer=written)

    def chance(self, item: Item) -> Judgement:
        """0, as for any formula."""
        return Judgement({KEPT: 0.0})
