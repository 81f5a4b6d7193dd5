"""Requests that failed: listed beside the journal, counted against what the entry accepts, and asked again.

``<journal>.failed`` has one JSON object a failure of a run. It only grows when a run ends with failures, so that its
size, as a parameter of the rule, has Snakemake run the job again while there are new ones, and leave it alone once all
are answered.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from pathlib import Path

from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.request import ChatError, ChatReply, Ending


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


def failures_seen(journal: Path) -> int:
    """What changes whenever a run ends with failures: the size of the list, in bytes."""
    path = failures_path(journal)
    return path.stat().st_size if path.exists() else 0


def failures_path(journal: Path) -> Path:
    """Where a journal's failures are listed."""
    return journal.with_name(f"{journal.name}.failed")


def refuse_failures(entry: ApiChatEntry, label: str, replies: Collection[ChatReply]) -> int:
    """How many requests failed.

    Raises:
        ChatError: where they are more than the entry accepts, with their commonest error and the remedy.
    """
    errors = Counter(reply.error or "" for reply in replies if reply.outcome is Ending.FAILED)
    failed, asked = errors.total(), len(replies)
    if failed <= entry.accept_failed * asked:
        return failed
    error, count = errors.most_common(1)[0]
    raise ChatError(
        f"{label}: {failed} of {asked} requests failed, {count} of them with: {error}; the answers to the others are "
        "kept. Run again to ask these again, or have so many count as wrong answers: "
        f"accept_failed: {math.ceil(1000 * failed / asked) / 1000} in the model's entry"
    )
