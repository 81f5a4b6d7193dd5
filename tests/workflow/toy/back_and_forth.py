"""Back and forth: a model puts the sentence into other words, then these into a formula."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from typing_extensions import override

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
    """An entry with the keys of all tasks."""

    task: Literal["back_and_forth"] = "back_and_forth"


@dataclass(frozen=True, slots=True)
class _Plan(Plan):
    setting: Setting
    reasoning: int

    @override
    def most_steps(self, item: Item) -> int:
        return 2

    @override
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
    """Scored by equivalence to the gold formula."""

    kind = "back_and_forth"
    entry_type: ClassVar[type[TaskEntry]] = BackAndForthEntry
    metrics = (KEPT,)

    @override
    def plan(self, setting: Setting) -> Plan:
        return _Plan(setting, self.entry.reasoning)

    @override
    def agreed(self, item: Item, part: str) -> Mapping[str, Any]:
        return text_schema(CHARACTERS, self.entry.reasoning)

    @override
    def check(self, item: Item, part: str, text: str) -> None:
        read_text(text)

    @override
    def judge_answer(self, item: Item, order: Sequence[int], text: str) -> Judgement:
        written = read_text(text)
        verdict = equivalence(parse(item.formula), parse(written))
        return Judgement({KEPT: float(verdict.outcome is Outcome.EQUIVALENT)}, answer=written)

    @override
    def chance(self, item: Item) -> Judgement:
        return Judgement({KEPT: 0.0})
