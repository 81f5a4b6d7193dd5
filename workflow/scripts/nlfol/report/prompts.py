"""Prompts sent to dialogue models, word for word, from the journals."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from nlfol.models.journal.journal import records_of
from nlfol.report.answers import Answers
from nlfol.store.logs import LOGGER

Prompt = Sequence[tuple[str, str]]
"""The turns of a request in their order: the role and the text of each."""


def prompts(answers: Answers, journals: Path) -> dict[str, Prompt]:
    """Return the prompt of each request behind some answers, by its key.

    A request that is not in the journal, such as one of a journal that was deleted, has no prompt, and a warning says
    how many there are.

    Args:
        answers: of one model to one task on one dataset.
        journals: the folder of the journals.

    Raises:
        JournalError: if a line of a request cannot be read.
    """
    keys = (
        {key for sent in answers.rows["requests"].to_list() for key in sent if key is not None}
        if answers.metrics
        else set()
    )
    if not keys:
        return {}
    source = answers.source
    path = journals / source.model / f"{source.dataset}.{source.task}.jsonl"
    records = records_of(path, keys) if path.exists() else ()
    found: dict[str, Prompt] = {
        reply.key: tuple((turn["role"], turn["content"]) for turn in request["messages"])
        for _, (request, reply) in records
    }
    if len(found) < len(keys):
        LOGGER.warning(
            f"{path}: {len(keys) - len(found)} of {len(keys)} requests are not in it, so the report lacks their prompts"
        )
    return found


def turns_of(sent: Sequence[str | None], told: Mapping[str, Prompt]) -> list[Prompt]:
    """Return the known prompts of a dialogue, step by step."""
    return [told[key] for key in sent if key is not None and key in told]
