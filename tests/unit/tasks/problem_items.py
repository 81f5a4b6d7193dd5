"""Problems as tasks are asked about them, and talks of scripted models about programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.examples import ROOT, forms, lexicon

from nlfol.models.schema import lark_grammar
from nlfol.problems.families import generate
from nlfol.problems.problem import Problem
from nlfol.problems.rewording import Settings, diversify
from nlfol.randomness import label_digest
from nlfol.tasks.item import Item
from nlfol.tasks.item_rows import ProblemItems
from nlfol.tasks.plan import Prompts, Reply, Setting, Step
from nlfol.tasks.program import Program, ProgramEntry
from nlfol.tasks.solved import solved
from nlfol.tasks.task import AnyTask, Surroundings

if TYPE_CHECKING:
    from nlfol.store.schemas import ItemRow

PROMPTS = Prompts(ROOT / "resources/prompts")


def around(problems: Sequence[Problem]) -> Surroundings:
    return Surroundings(7, problems, lexicon, forms)


def rows(problems: Sequence[Problem], task: AnyTask) -> list[ItemRow]:
    build = ProblemItems(problems, task, around(problems))
    return [build.row(problem) for problem in problems]


def items(problems: Sequence[Problem], task: AnyTask) -> list[Item]:
    """Return the usable items."""
    return [Item.from_row(row) for row in rows(problems, task) if row["status"] == "usable"]


def item(problem: Problem, task: AnyTask) -> Item:
    (only,) = items([problem], task)
    return only


def examples_of(name: str, *, varied: bool = False) -> list[Problem]:
    """Return the problems that are shown before those of a family, under the seed of ``around``."""
    seed = int.from_bytes(label_digest(7, name, "exemplars")[:8])
    drawn = generate(name, seed=seed, count=5, lexicon=lexicon())
    if varied:
        drawn = [diversify(each, forms(), Settings(), seed).problem for each in drawn]
    assert all(bool(each.rewrites) is varied for each in drawn)
    read = [] if name == "order" else solved("controlled", varied=varied)
    return [drawn[0], *read, *drawn[1:]][:5]


def replied(answer: Mapping[str, Any]) -> Reply:
    return Reply("", "answered", json.dumps(answer))


def lines(*given: str, query: str) -> dict[str, Any]:
    """Return an answer with a line for each sentence."""
    return {"lines": [{"sentence": number, "line": line} for number, line in enumerate(given, 1)], "query": query}


RULE, SAD = "Cold($x, True) >>> Sad($x, True)", "Sad(bob, True)"
WHOLE = lines("Cold(bob, True)", RULE, query=SAD)
BROKEN = lines("Cold(bob, True)", "Cold($x, True >>> Sad($x, True)", query=SAD)
"""Programs of ``COLD``."""

SETTING = Setting(7, PROMPTS)

Answer = Mapping[str, Any] | str | None
"""None is an answer that was cut off."""


def next_step(task: AnyTask, about: Item, *replies: Reply, presentation: str = "") -> Step:
    step = task.plan(SETTING).following(about, presentation, 1, replies)
    assert isinstance(step, Step)
    return step


class Talk(NamedTuple):
    """The questions and answers of a scripted model."""

    task: Program
    item: Item
    steps: list[Step]
    replies: list[Reply]
    stop: str

    @property
    def parts(self) -> list[str]:
        return [step.part for step in self.steps]

    @property
    def verdict(self) -> tuple[str, str | None, float]:
        """Return outcome, reason of the end and score, as judged."""
        found = self.task.judge(self.item, self.replies)
        assert found.stop == (self.stop if self.task.strategy.is_dialogue else None)
        written = self.task.written(self.item, self.replies)
        assert found.formula == (written.text if written else None)
        return found.outcome, found.stop, found.scores["right"]


def task(strategy: str = "direct", **keys: Any) -> Program:
    return Program(ProgramEntry(**{"shots": 0, "reasoning": 0, "strategy": strategy, **keys}))


def talk(asked: Program, problem: Problem | Item, *script: Answer, by: Callable[[Step], Answer] | None = None) -> Talk:
    about = problem if isinstance(problem, Item) else item(problem, asked)
    plan, left = asked.plan(SETTING), iter(script)
    steps: list[Step] = []
    replies: list[Reply] = []
    while isinstance(step := plan.following(about, "", 1, replies), Step):
        lark_grammar(step.schema)
        answer = next(left) if by is None else by(step)
        text = answer if isinstance(answer, str | None) else json.dumps(answer)
        replies.append(Reply(step.part, "truncated" if text is None else "answered", text, step.order))
        steps.append(step)
    assert len(steps) <= plan.most_steps(about)
    assert not list(left)
    return Talk(asked, about, steps, replies, step.reason)
