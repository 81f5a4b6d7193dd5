"""Adherence of an API to requests: failures, answers that break their structure, answers that were not sampled.

Some servers take a schema and ignore it (docs/adding-a-model.md); answers that break their schema show it.

``<journal>.failed`` lists requests that failed, one JSON object a failure of a run. It only grows when a run ends with
failures. As its size is a parameter of the rule, Snakemake runs the job again while there are new ones, and leaves it
alone once all are answered.
"""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from nlfol.asking.asking import Asking
from nlfol.asking.dialogue import Dialogue
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.entries.provider_table import Structure
from nlfol.models.request import AwayError, ChatReply, ChatRequest, Ending, Message
from nlfol.models.schema import json_object
from nlfol.store.logs import LOGGER
from nlfol.tasks.answers import AnswerError
from nlfol.tasks.item import Item
from nlfol.tasks.task import AnyTask

_NO_OBJECT = "no JSON object"
_NO_CHANCE = 3
"""Prompts with one answer under all seeds from which it is no chance any more."""


def review(asking: Asking, entry: ApiChatEntry, journal: Path, dialogues: Sequence[Dialogue]) -> None:
    """List failures beside the journal, and warn of what the replies show of the interface.

    Raises ``ChatError`` if more requests failed than the entry accepts.
    """
    exchanged = [(dialogue.item, exchange) for dialogue in dialogues for exchange in dialogue.exchanged]
    replies = {exchange.request.key: exchange.reply for _, exchange in exchanged}
    list_failures(journal, replies.values())
    if failed := refuse_failures(entry, asking.label, replies.values()):
        LOGGER.warning(
            f"warning: {failed} requests failed and count as wrong answers; they are listed in "
            f"{failures_path(journal)}, and the next run asks them again"
        )
    answered = [(item, exchange.step.part, exchange.reply) for item, exchange in exchanged]
    faults = breaches(entry.structured, asking.task, answered)
    if faults:
        fault, _ = faults.most_common(1)[0]
        LOGGER.warning(
            f"warning: {faults.total()} of {len(answered)} answers break the schema that {entry.identity} was to hold "
            f"them to ({fault}); they are read as far as they can be. Where it cannot hold answers to structured: "
            f"{entry.structured}, say so: structured: json_object_schema, json_object, or none"
        )
    if entry.sampling.temperature and (
        prompts := unsampled((exchange.request, exchange.reply) for _, exchange in exchanged)
    ):
        LOGGER.warning(
            f"warning: {prompts} of {prompts} prompts have one answer under all seeds, at temperature "
            f"{entry.sampling.temperature:g}: {entry.identity} does not seem to sample. Make the server do so, or ask "
            "under one seed at temperature 0; a spread over these seeds says nothing"
        )
    served = Counter(reply.served_model for reply in replies.values() if reply.served_model is not None)
    if len(served) > 1:
        listed = ", ".join(f"{name} ({count} answers)" for name, count in served.most_common())
        LOGGER.warning(
            f"warning: {entry.identity} answered as several models: {listed}. Scores take them for one; comparisons "
            "within a model pair no two of them. Give a dated name to ask one alone; the column served_model says "
            "whose an answer is"
        )


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


def unsampled(answered: Iterable[tuple[ChatRequest, ChatReply]]) -> int | None:
    """Return the number of prompts with one answer under all their seeds, if that holds for all and is no chance.

    ``answered`` are at a temperature above 0. None if an answer depends on its seed, or fewer than three prompts were
    answered under two seeds.
    """
    texts: defaultdict[tuple[Message, ...], list[str]] = defaultdict(list)
    for request, reply in answered:
        if reply.text:
            texts[request.messages].append(reply.text)
    compared = [answers for answers in texts.values() if len(answers) > 1]
    alike = all(len(set(answers)) == 1 for answers in compared)
    return len(compared) if alike and len(compared) >= _NO_CHANCE else None


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


def refuse_failures(entry: ApiChatEntry, label: str, replies: Collection[ChatReply]) -> int:
    """Return how many requests failed.

    Raises ``ChatError`` if they are more than the entry accepts, with their commonest error and the remedy.
    """
    errors = Counter(reply.error or "" for reply in replies if reply.outcome is Ending.FAILED)
    failed, asked = errors.total(), len(replies)
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
