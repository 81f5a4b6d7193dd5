"""A row and replies as a task judges them, for ``scoring`` and ``grading``."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from nlfol.installed import PROJECT
from nlfol.mappings import JsonObject
from nlfol.randomness import SEED
from nlfol.store.logs import LOGGER
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Plan, Prompts, Reply, Setting, Step, Stop
from nlfol.tasks.registry import TASKS, build_task
from nlfol.tasks.task import AnyTask
from nlfol.validation import nearest

Answer = str | JsonObject | None
"""A reply of a model."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A row as its item and plan."""

    task: AnyTask
    item: Item
    plan: Plan
    presentation: str
    seed: int

    @classmethod
    def of(cls, row: JsonObject, prompts: Prompts) -> "Asked":
        """Read a row; raises ``ValueError`` naming what is wrong with it."""
        task = _task(row.get("task"))
        try:
            item = Item.from_row(row)
        except (KeyError, TypeError) as error:
            raise ValueError(f"row: {error!r}; give a row of ITEMS, as Item.to_row makes it") from error
        shown_as = task.entry.shown_as
        presentation = row.get("presentation", shown_as[0])
        if presentation not in shown_as or presentation in item.unasked:
            raise ValueError(f"row {item.item!r}: presentation: {presentation!r}; use one of {', '.join(shown_as)}")
        plan = task.plan(Setting(row.get("experiment_seed", SEED), prompts))
        return cls(task, item, plan, presentation, row.get("seed", 0))

    def replayed(self, answers: Sequence[Answer], *, plain: bool) -> tuple[list[Reply], Step | Stop | None]:
        """Return the replies that the plan asks for, and what it asks next; None after a reply that ends it.

        A plan that fails on a reply makes this an ``internal_error``.
        """
        taken: list[Reply] = []
        opened: list[Reply] = []
        following: Step | Stop = self.following(opened)
        if isinstance(following, Stop):
            raise ValueError(f"row {self.item.item!r}: nothing is asked about it ({following.reason})")
        for answer in answers:
            taken.append(reply_to(following, answer))
            if taken[-1].outcome == "failed":
                return taken, None
            try:
                opened.append(self.task.opened(self.item, taken[-1], plain=plain))
                following = self.following(opened)
            except Exception as error:
                LOGGER.exception(f"item {self.item.item!r}: no next step after {len(taken)}")
                taken[-1] = replace(taken[-1], outcome="internal_error", error=f"{type(error).__name__}: {error}")
                return taken, None
            if isinstance(following, Stop):
                break
        return taken, following

    def following(self, replies: Sequence[Reply]) -> Step | Stop:
        """Return what is asked after some replies."""
        return self.plan.following(self.item, self.presentation, self.seed, replies)


def reply_to(step: Step, answer: Answer) -> Reply:
    """Return an answer as a reply to a step."""
    given: JsonObject = answer if isinstance(answer, Mapping) else {"answer": answer}
    text = given.get("answer")
    # Half of a surrogate pair is in no text that a model's interface hands out, and in no file.
    text = None if text is None else str(text).encode(errors="replace").decode()
    status = "failed" if text is None else "answered" if text.strip() else "blank" if text else "empty"
    outcome, order = given.get("outcome") or status, given.get("order")
    return Reply(step.part, outcome, text, step.order if order is None else tuple(order), given.get("error"))


def _task(named: Any) -> AnyTask:
    """Return the task that a row names; raises ``ValueError`` if it names none, or one that needs a model to judge."""
    if isinstance(named, str):
        if named not in TASKS:
            raise ValueError(f"row: task: {named!r}{nearest(named, TASKS)}; use one of {', '.join(TASKS)}")
        named = {"task": named}
    elif not isinstance(named, Mapping):
        raise ValueError(f"row: no task; add the key 'task' with one of {', '.join(TASKS)}, or with its entry")
    return _built(json.dumps(named, sort_keys=True))


@cache
def prompts_of(plain: bool) -> Prompts:
    """Return the prompts that are shipped."""
    return Prompts(PROJECT / "resources/prompts", plain=plain)


@lru_cache(maxsize=64)
def _built(entry_json: str) -> AnyTask:
    task = build_task(entry_json)
    if task.entry.compared_by is not None:
        raise ValueError(f"row: task: {task.kind} compares answers by the model {task.entry.compared_by}; leave it out")
    return task
