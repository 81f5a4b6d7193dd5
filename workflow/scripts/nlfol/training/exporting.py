"""A fine-tuning set: a seeded sample of models' examples, without those that give tested items away."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from nlfol.models.request import Message
from nlfol.randomness import label_digest
from nlfol.store import files
from nlfol.store.logs import LOGGER
from nlfol.store.training_schemas import EXAMPLES, ExampleRow
from nlfol.training.entry import TrainingError
from nlfol.training.examples import Example
from nlfol.training.leaks import Leak, LeakFinder, Place

_NAMED = 5
"""Leaks that the log names; it counts the others, and the file has all."""


class Reason(StrEnum):
    """A reason for which a row of EXAMPLES is refused."""

    NOT_ANSWERED = "not_answered"  # the dialogue ended without an answer
    WRONG = "wrong"
    NO_LESSON = "no_lesson"  # it teaches nothing, such as a round trip that changed the meaning
    UNPARSABLE = "unparsable"
    ASKED_OTHERWISE = "asked_otherwise"  # candidates were shown in another order
    LEAK = "leak"  # it gives a tested item away
    REPEATED = "repeated"
    NOT_DRAWN = "not_drawn"  # there are more examples than wanted


class Export:
    """The rows of one set: ``count`` examples, drawn by the seed."""

    def __init__(self, name: str, finder: LeakFinder, count: int, seed: int) -> None:
        self._name = name
        self._finder = finder
        self._count = count
        self._seed = seed

    def rows(self, examples: Iterable[Example]) -> list[ExampleRow]:
        """Return the rows of an EXAMPLES file in the examples' order; raises ``TrainingError`` if none is left."""
        leaks: list[tuple[Example, Leak]] = []
        seen: set[tuple[Message, ...]] = set()
        listed: list[tuple[Example, Leak | None]] = []
        for example in examples:
            # A leak is reported whatever else is wrong with the example.
            leak = self._finder.leak(Place(example.source.dataset, example.item.item), example.item)
            if leak is not None:
                leaks.append((example, leak))
                listed.append((_refused(example, Reason.LEAK, _described(example, leak)), leak))
            elif example.messages in seen:
                listed.append((_refused(example, Reason.REPEATED, "an earlier example is the same"), None))
            else:
                listed.append((example, None))
                seen |= {example.messages} - {()}
        self._report(leaks)
        usable = [example for example, _ in listed if example.reason is None]
        if not usable:
            reasons = Counter(str(example.reason) for example, _ in listed)
            counts = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
            raise TrainingError(
                f"training.{self._name}: no example is left of {len(listed)} ({counts or 'nothing was answered'}); "
                f"name other sources under from{', or fewer datasets under tested' if leaks else ''}"
            )

        def rank(example: Example) -> bytes:
            source, asked = example.source, (example.presentation, str(example.seed), example.step)
            return label_digest(self._seed, source.task, source.model, example.item.source, *asked, "training")

        drawn = {id(example) for example in sorted(usable, key=rank)[: self._count]}
        if len(usable) < self._count:
            LOGGER.warning(f"warning: training.{self._name}: {len(usable)} examples, fewer than count: {self._count}")
        left_over = f"more than {self._count} examples"
        return [
            _row(
                example
                if example.reason is not None or id(example) in drawn
                else _refused(example, Reason.NOT_DRAWN, left_over),
                leak,
            )
            for example, leak in listed
        ]

    def _report(self, leaks: Sequence[tuple[Example, Leak]]) -> None:
        for example, leak in leaks[:_NAMED]:
            LOGGER.warning(f"warning: training.{self._name}: refused: {_described(example, leak)}")
        if len(leaks) > _NAMED:
            LOGGER.warning(
                f"warning: training.{self._name}: and {len(leaks) - _NAMED} more leaks, see the examples file"
            )


def write(rows: Sequence[ExampleRow], metadata: Mapping[str, str], arrow: Path, jsonl: Path) -> None:
    """Write the EXAMPLES file, and its usable rows as JSON lines of chats; ``StoreError`` if the disk is full."""
    files.write(arrow, EXAMPLES, rows, metadata)
    lines = [json.dumps({"messages": row["messages"]}, ensure_ascii=False) for row in rows if row["messages"]]
    with files.placed(jsonl) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def _refused(example: Example, reason: Reason, detail: str) -> Example:
    return replace(example, messages=(), reason=reason.value, detail=detail)


def _described(example: Example, leak: Leak) -> str:
    return (
        f"item {example.item.item!r} of {example.source.dataset} gives item {leak.place.item!r} of the tested dataset "
        f"{leak.place.dataset} away ({leak.likeness})"
    )


def _row(example: Example, leak: Leak | None) -> ExampleRow:
    return {
        "dataset": example.source.dataset,
        "task": example.source.task,
        "model": example.source.model,
        "item": example.item.item,
        "presentation": example.presentation,
        "seed": example.seed,
        "step": example.step,
        "part": example.part,
        "messages": [{"role": message.role, "content": message.content} for message in example.messages],
        "tested_dataset": leak.place.dataset if leak else None,
        "tested_item": leak.place.item if leak else None,
        "status": "usable" if example.reason is None else "refused",
        "reason": example.reason,
        "detail": example.detail,
    }
