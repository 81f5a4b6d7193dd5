"""Adherence of an API to requests: failures, answers that break their structure, answers that were not sampled.

Some servers take a schema and ignore it (docs/adding-a-model.md); answers that break their schema show it.

``<journal>.failed`` lists requests that failed, one JSON object a failure of a run. It only grows when a run ends with
failures. As its size is a parameter of the rule, Snakemake runs the job again while there are new ones, and leaves it
alone once all are answered.
"""

import json
import math
from array import array
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from nlfol.asking.asking import Asking
from nlfol.asking.dialogue import Dialogue
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.entries.provider_table import Structure
from nlfol.models.request import AwayError, ChatReply, ChatRequest, Ending
from nlfol.models.schema import json_object
from nlfol.store.logs import LOGGER
from nlfol.tasks.answers import AnswerError
from nlfol.tasks.item import Item
from nlfol.tasks.task import AnyTask

_DIGITS = 16
"""Digits of a key that tell it from others in a job: 64 bits."""

_NO_OBJECT = "no JSON object"
_NO_CHANCE = 3
"""Prompts with one answer under all seeds from which it is no chance any more."""


class Review:
    """Findings on an interface from its replies, taken dialogue by dialogue and told at the end."""

    def __init__(self, asking: Asking, entry: ApiChatEntry) -> None:
        self._asking, self._entry = asking, entry
        self._keys, self._served = array("Q"), array("h")  # of each reply
        self._names = dict[str | None, int]()
        self._failed = dict[str, ChatReply]()
        self._faults = Counter[str]()
        self._sampled = Sampled()

    def take(self, dialogue: Dialogue) -> None:
        """Take the replies of a dialogue."""
        replies = [(dialogue.item, done.step.part, done.reply) for done in dialogue.exchanged]
        self._faults += breaches(self._entry.structured, self._asking.task, replies)
        for done in dialogue.exchanged:
            reply = done.reply
            self._keys.append(int(reply.key[:_DIGITS], 16))
            self._served.append(self._names.setdefault(reply.served_model, len(self._names)))
            if reply.outcome is Ending.FAILED:
                self._failed[reply.key] = reply
            if self._entry.sampling.temperature:
                self._sampled.take(done.request, reply)

    def tell(self, journal: Path) -> None:
        """List failures beside the journal, and warn of what the replies show.

        Raises ``ChatError`` if more requests failed than the entry accepts.
        """
        entry = self._entry
        keys, first = np.unique(np.frombuffer(self._keys, np.uint64), return_index=True)
        list_failures(journal, self._failed.values())
        if failed := refuse_failures(entry, self._asking.label, self._failed.values(), len(keys)):
            LOGGER.warning(
                f"warning: {failed} requests failed and count as wrong answers; they are listed in "
                f"{failures_path(journal)}, and the next run asks them again"
            )
        if self._faults:
            fault, _ = self._faults.most_common(1)[0]
            LOGGER.warning(
                f"warning: {self._faults.total()} of {len(self._keys)} answers break the schema that {entry.identity} "
                f"was to hold them to ({fault}); they are read as far as they can be. Where it cannot hold answers to "
                f"structured: {entry.structured}, say so: structured: json_object_schema, json_object, or none"
            )
        if prompts := self._sampled.prompts:
            LOGGER.warning(
                f"warning: {prompts} of {prompts} prompts have one answer under all seeds, at temperature "
                f"{entry.sampling.temperature:g}: {entry.identity} does not seem to sample. Make the server do so, or "
                "ask under one seed at temperature 0; a spread over these seeds says nothing"
            )
        names = [*self._names]
        served = Counter(names[index] for index in np.frombuffer(self._served, np.int16)[np.sort(first)])
        del served[None]
        if len(served) > 1:
            listed = ", ".join(f"{name} ({count} answers)" for name, count in served.most_common())
            LOGGER.warning(
                f"warning: {entry.identity} answered as several models: {listed}. Scores take them for one; "
                "comparisons within a model pair no two of them. Give a dated name to ask one alone; the column "
                "served_model says whose an answer is"
            )


class Sampled:
    """Prompts and whether their answers depend on the seed."""

    def __init__(self) -> None:
        self._answers = dict[int, tuple[int, int]]()  # by prompt, with how many there are
        self._depends = False

    def take(self, request: ChatRequest, reply: ChatReply) -> None:
        """Take an answer at a temperature above 0."""
        if not reply.text or self._depends:
            return
        prompt, text = hash(request.messages), hash(reply.text)
        first, count = self._answers.get(prompt, (text, 0))
        self._answers[prompt] = first, count + 1
        if first != text:
            self._depends = True
            self._answers.clear()

    @property
    def prompts(self) -> int | None:
        """The number of prompts with one answer under all their seeds, if that holds for all and is no chance.

        None if an answer depends on its seed, or fewer than three prompts were answered under two seeds.
        """
        compared = sum(count > 1 for _, count in self._answers.values())
        return compared if compared >= _NO_CHANCE else None


def failures_seen(journal: Path) -> int:
    """Return the size of a journal's list of failures, in bytes: it changes whenever a run ends with failures."""
    path = failures_path(journal)
    return path.stat().st_size if path.exists() else 0


def failures_path(journal: Path) -> Path:
    """Return the file that lists a journal's failures."""
    return journal.with_name(f"{journal.name}.failed")


def breaches(structure: Structure, task: AnyTask, answered: Iterable[tuple[Item, str, ChatReply]]) -> Counter[str]:
    """Count the faults of answers that an interface cannot have held to a structure.

    Each reply comes with the item that it is about and the part of the plan that it answers.
    """
    if structure == "none":
        return Counter()
    faults = (_breach(structure, task, item, part, reply) for item, part, reply in answered)
    return Counter(fault for fault in faults if fault is not None)


def list_failures(journal: Path, replies: Iterable[ChatReply]) -> None:
    """Add this run's failures to the list beside a journal."""
    failed = [reply for reply in replies if reply.outcome is Ending.FAILED]
    if not failed:
        return
    now = datetime.now(UTC).isoformat(timespec="seconds")
    with failures_path(journal).open("a", encoding="utf-8") as file:
        for reply in failed:
            listed = {"at": now, "key": reply.key, "attempts": reply.attempts, "error": reply.error}
            file.write(json.dumps(listed, ensure_ascii=False) + "\n")


def refuse_failures(entry: ApiChatEntry, label: str, replies: Iterable[ChatReply], asked: int) -> int:
    """Return how many of the requests ``asked`` failed, by their replies or all.

    Raises ``ChatError`` if they are more than the entry accepts, with their commonest error and the remedy.
    """
    errors = Counter(reply.error or "" for reply in replies if reply.outcome is Ending.FAILED)
    failed = errors.total()
    if failed <= entry.accept_failed * asked:
        return failed
    error, count = errors.most_common(1)[0]
    raise AwayError(
        f"{label}: {failed} of {asked} requests failed, {count} of them with: {error}; the answers to the others are "
        "kept. Run again to ask these again, or have so many count as wrong answers: "
        f"accept_failed: {math.ceil(1000 * failed / asked) / 1000} in the model's entry"
    )


def _breach(structure: Structure, task: AnyTask, item: Item, part: str, reply: ChatReply) -> str | None:
    text = reply.text or ""
    if reply.outcome is Ending.TRUNCATED:
        return None if text.lstrip().startswith("{") else _NO_OBJECT
    if reply.outcome is not Ending.ANSWERED:
        return None
    if structure == "json_object":
        return None if json_object(text) is not None else _NO_OBJECT
    try:
        task.check(item, part, text)
    except AnswerError as error:
        # That no number stands twice in an order is not in the schemas that interfaces take.
        return None if "permutation" in str(error) else str(error)
    return None
