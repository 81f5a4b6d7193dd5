"""Training examples from recorded answers: each dialogue is replayed as it was asked.

Prompts are those of a local model, whichever model answered. So you can train on answers of APIs, of references and
from files, and the trained model is asked as it was trained.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nlfol.asking.asking import usable_items
from nlfol.asking.judging import replies_of
from nlfol.asking.questions import messages_of
from nlfol.mappings import JsonObject
from nlfol.models.request import Message
from nlfol.store import files
from nlfol.store.schemas import ResponseRow, ScoreRow
from nlfol.tasks.answers import AnswerError
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Plan, Prompts, Setting, Step
from nlfol.tasks.registry import build_task
from nlfol.tasks.task import AnyTask


@dataclass(frozen=True, slots=True)
class Source:
    """The files of one model's answers to one task on one dataset, with their names in the configuration."""

    dataset: str
    task: str
    model: str
    entry_json: str
    items: Path
    responses: Path
    scores: Path

    @classmethod
    def of(cls, values: Mapping[str, str]) -> Source:
        """Return the source of plain values, as a rule hands them to a script."""
        paths = {name: Path(values[name]) for name in ("items", "responses", "scores")}
        return cls(values["dataset"], values["task"], values["model"], values["entry_json"], **paths)


@dataclass(frozen=True, slots=True)
class Example:
    """A prompt with a good answer, the last of ``messages``; or one refused as an example, with a snake_case reason.

    Step counts from 1; ``part`` is of the task's plan; references have no seed.
    """

    source: Source
    item: Item
    presentation: str
    seed: int | None
    step: int
    part: str
    messages: tuple[Message, ...] = ()
    reason: str | None = None
    detail: str | None = None


def examples_of(source: Source, seed: int, prompts: Path, *, right: bool) -> Iterator[Example]:
    """Yield the examples of a source, in the order of its responses.

    With ``right``, dialogues that score less than 1 in the task's first metric are refused. Raises ``StoreError`` if a
    file is missing or of another schema, or files do not belong together.
    """
    task = build_task(source.entry_json)
    items = {item.item: item for item in usable_items(source.items)}
    rows = files.rows(source.responses, ResponseRow)
    scores = {
        _dialogue(row): row["score"] for row in files.rows(source.scores, ScoreRow) if row["metric"] == task.metrics[0]
    }
    plan = task.plan(Setting(seed, Prompts(prompts)))
    dialogues: dict[tuple[str, str, int | None], list[ResponseRow]] = {}
    for row in rows:
        dialogues.setdefault(_dialogue(row), []).append(row)
    for key, steps in dialogues.items():
        if key[0] not in items or key not in scores:
            raise files.StoreError(f"{source.responses}: item {key[0]!r} is not in {source.items}; run again")
        steps.sort(key=lambda row: int(row["step"]))
        yield from _of_dialogue(source, task, plan, items[key[0]], steps, good=scores[key] == 1 or not right)


def right_items(sources: Sequence[Source]) -> set[tuple[str, str, str]]:
    """Return the dataset, model and name of each item that was answered rightly, under any presentation and seed."""
    return {
        (source.dataset, source.model, row["item"])
        for source in sources
        for row in files.rows(source.scores, ScoreRow)
        if row["metric"] == build_task(source.entry_json).metrics[0] and row["score"] == 1
    }


def in_common(examples: Iterable[Example], right: Collection[tuple[str, str, str]]) -> Iterator[Example]:
    """Yield examples, of which those about other items than these (``right_items``) are refused."""
    for example in examples:
        if example.reason is None and (example.source.dataset, example.source.model, example.item.item) not in right:
            detail = "the model did not get the item right for the training that this one has its items in common with"
            yield replace(example, messages=(), reason="not_common", detail=detail)
        else:
            yield example


def _dialogue(row: ResponseRow | ScoreRow) -> tuple[str, str, int | None]:
    return row["item"], row["presentation"], row["seed"]


def _of_dialogue(
    source: Source, task: AnyTask, plan: Plan, item: Item, rows: Sequence[ResponseRow], *, good: bool
) -> Iterator[Example]:
    first, last = rows[0], rows[-1]

    def example(row: ResponseRow, **more: Any) -> Example:
        about = (row["presentation"], row["seed"], row["step"], row["part"])
        return Example(source, item, *about, **more)

    if last["outcome"] != "answered":
        yield example(last, reason="not_answered", detail=f"the dialogue ended: {last['outcome']}")
        return
    if not good:
        yield example(last, reason="wrong", detail=f"{task.metrics[0]} is not 1")
        return
    replies = replies_of(task, item, rows)
    lessons = task.lessons(item, replies)
    if not lessons:
        yield example(last, reason="no_lesson", detail="no step of the dialogue is one to learn")
    for lesson in lessons:
        row = rows[lesson.step]
        # References have no seed, and answer as under 0 (answer_by_reference).
        step = plan.following(item, first["presentation"], first["seed"] or 0, replies[: lesson.step])
        if not isinstance(step, Step) or step.part != row["part"] or list(step.order) != row["order"]:
            yield example(row, reason="asked_otherwise", detail="the task now asks otherwise than it did")
            continue
        try:
            task.check(item, step.part, lesson.answer)
        except AnswerError as error:
            yield example(row, reason="unparsable", detail=str(error))
            continue
        completion = Message("assistant", _as_held(lesson.answer, step.schema))
        yield example(row, messages=(*messages_of(step), completion))


def _as_held(answer: str, schema: JsonObject) -> str:
    """Return an answer as a local model held to the schema writes it: without spaces, keys in their order."""
    try:
        values = json.loads(answer)
    except (ValueError, RecursionError):
        return answer  # a bare word, of a model that is not held to JSON
    properties = schema.get("properties", {})
    if not isinstance(values, dict) or not values.keys() <= properties.keys():
        return answer
    ordered = {name: values[name] for name in properties if name in values}
    return json.dumps(ordered, ensure_ascii=False, separators=(",", ":"))
