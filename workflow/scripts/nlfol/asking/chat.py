"""Asking a dialogue model one task over a dataset, from the items to the RESPONSES file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from nlfol.asking.adherence import review
from nlfol.asking.asking import Asking
from nlfol.asking.backends import identities, open_backend
from nlfol.asking.dialogue import Conversation
from nlfol.asking.questions import dialogues
from nlfol.asking.responses import engines, responses, write_responses
from nlfol.models.entries.batch import ProviderBatch
from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.models.entries.prices import Price
from nlfol.models.job_files import JobFiles
from nlfol.models.journal.batches import refuse_in_flight
from nlfol.models.journal.journal import Journal
from nlfol.models.request import ChatError, ChatReply, Ending
from nlfol.store.logs import LOGGER, Progress


def ask_chat(
    asking: Asking, entry: LocalChatEntry | ApiChatEntry, prompts: Path, files: JobFiles, price: Price | None
) -> None:
    """Write the RESPONSES file of one dataset, task and dialogue model: one row a request.

    Each answer goes into the journal as it arrives; the responses are assembled from there. Requests that failed are
    listed beside the journal, and the next run asks them again.

    Args:
        asking: what is asked of which model.
        entry: the model's entry.
        prompts: folder of the templates.
        files: those of the job.
        price: None if unknown.

    Raises:
        ChatError: if the model cannot be asked, or more requests failed than its entry accepts.
    """
    identity, apart_from_thinking = identities(entry, entry.without_thinking, files=files)
    with Journal(files.kept) as journal:
        progress = Progress(asking.label)
        conversation = Conversation(
            dialogues(asking, entry, prompts, identity), journal, progress, _tally(progress, price)
        )
        if missing := conversation.missing:
            if isinstance(entry, ApiChatEntry) and not isinstance(entry.batch, ProviderBatch):
                refuse_in_flight(files.kept, missing)
            try:
                conversation.ask(open_backend(entry, files))
            except ChatError as error:
                _go_on_without(conversation, journal, entry, error)
    exchanged = [(dialogue, each) for dialogue in conversation.dialogues for each in dialogue.exchanged]
    if isinstance(entry, ApiChatEntry):
        review(asking, entry, files.kept, exchanged)
    thinking = (
        {}
        if entry.thinking is None
        else {
            "thinking": "yes" if entry.thinking else "no",
            "apart_from_thinking": apart_from_thinking,
        }
    )
    write_responses(
        asking,
        "chat",
        identity,
        [row for dialogue in conversation.dialogues for row in responses(dialogue, price)],
        {
            "price": "null" if price is None else price.model_dump_json(),
            **engines(each.reply for _, each in exchanged),
            **thinking,
        },
    )


def _tally(progress: Progress, price: Price | None) -> Callable[[Iterable[ChatReply]], None]:
    """Return what tells a job's progress of its failures and its cost."""
    cost = 0.0

    def seen(replies: Iterable[ChatReply]) -> None:
        nonlocal cost
        for reply in replies:
            progress.failed += reply.outcome is Ending.FAILED
            if price is not None and price.charges:
                cost += price.of_reply(reply) or 0.0
                progress.spent = f"{cost:.4f} {price.currency}"

    return seen


def _go_on_without(
    conversation: Conversation, journal: Journal, entry: LocalChatEntry | ApiChatEntry, error: ChatError
) -> None:
    """Take the failures of earlier runs for replies, if nothing else is missing and the entry accepts so many."""
    waiting = [dialogue for dialogue in conversation.dialogues if dialogue.asked is not None]
    known = {key: journal.replies.get(key) for key in conversation.missing}
    answered = {each.request.key for dialogue in conversation.dialogues for each in dialogue.exchanged}
    accepted = entry.accept_failed if isinstance(entry, ApiChatEntry) else 0.0
    if None in known.values() or len(known) > accepted * len(known.keys() | answered):
        raise error
    for dialogue in waiting:
        reply = known[dialogue.pending[1].key]
        assert reply is not None
        dialogue.take(reply)
        if dialogue.advance() is not None:
            raise error
    LOGGER.warning(f"warning: {len(known)} requests that failed before were not asked again: {error}")
