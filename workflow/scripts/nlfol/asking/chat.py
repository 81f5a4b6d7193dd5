"""Asking a dialogue model one task over a dataset, from the items to the RESPONSES file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from nlfol.asking import adherence
from nlfol.asking.asking import Asking
from nlfol.asking.backends import Place, identity_of, open_backend
from nlfol.asking.dialogue import Dialogue, Exchanged, responses
from nlfol.asking.loop import Conversation
from nlfol.asking.questions import dialogues
from nlfol.models.entries.batch import ProviderBatch
from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.models.entries.prices import Price
from nlfol.models.journal.batches import refuse_in_flight
from nlfol.models.journal.failures import failures_path, list_failures, refuse_failures
from nlfol.models.journal.journal import Journal
from nlfol.models.request import ChatError, ChatReply
from nlfol.store.canonical import canonical
from nlfol.store.logs import LOGGER, Progress


def ask_chat(
    asking: Asking, entry: LocalChatEntry | ApiChatEntry, prompts: Path, place: Place, price: Price | None
) -> None:
    """Write the RESPONSES file of one dataset, task and dialogue model: one row a request.

    Each answer goes into the journal as it arrives; the responses are assembled from there. Requests that failed are
    listed beside the journal, and the next run asks them again.

    Args:
        asking: what is asked of which model.
        entry: the model's entry.
        prompts: folder of the templates.
        place: where the job finds what it needs.
        price: of the model; None where nobody says.

    Raises:
        ChatError: if the model cannot be asked, or more requests failed than its entry accepts.
    """
    identity = identity_of(entry, place.weights)
    with Journal(place.journal) as journal:
        conversation = Conversation(dialogues(asking, entry, prompts, identity), journal, Progress(asking.label))
        if missing := conversation.missing:
            if isinstance(entry, ApiChatEntry) and not isinstance(entry.batch, ProviderBatch):
                refuse_in_flight(place.journal, missing)
            try:
                conversation.ask(open_backend(entry, place))
            except ChatError as error:
                _go_on_without(conversation, journal, entry, error)
    exchanged = [(dialogue, each) for dialogue in conversation.dialogues for each in dialogue.exchanged]
    if isinstance(entry, ApiChatEntry):
        _look_at(asking, entry, place.journal, exchanged)
    rows = [row for dialogue in conversation.dialogues for row in responses(dialogue, price)]
    more = {
        "price": "null" if price is None else price.model_dump_json(),
        **engines(each.reply for _, each in exchanged),
        **_thinking(entry, place.weights),
    }
    asking.write("chat", identity, rows, more)


def _go_on_without(
    conversation: Conversation, journal: Journal, entry: LocalChatEntry | ApiChatEntry, error: ChatError
) -> None:
    """Go on without what cannot be asked again now, where all of it failed before and the entry accepts so much."""
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


def _look_at(
    asking: Asking, entry: ApiChatEntry, journal: Path, exchanged: Sequence[tuple[Dialogue, Exchanged]]
) -> None:
    """List failures, and say what the replies show of the interface.

    Raises:
        ChatError: if more requests failed than the entry accepts.
    """
    replies = {each.request.key: each.reply for _, each in exchanged}
    list_failures(journal, replies.values())
    if failed := refuse_failures(entry, asking.label, replies.values()):
        LOGGER.warning(
            f"warning: {failed} requests failed and count as wrong answers; they are listed in "
            f"{failures_path(journal)}, and the next run asks them again"
        )
    _warn_of_free_answers(asking, entry, exchanged)
    _warn_of_greedy_answers(entry, [each for _, each in exchanged])
    _warn_of_several_models(entry, replies.values())


def _thinking(entry: LocalChatEntry | ApiChatEntry, weights: Path | None) -> dict[str, str]:
    """For the file's metadata: whether the model was to think, and what it is apart from that."""
    if entry.thinking is None:
        return {}
    apart = identity_of(entry.without_thinking, weights)
    return {"thinking": "yes" if entry.thinking else "no", "apart_from_thinking": apart}


def _warn_of_free_answers(asking: Asking, entry: ApiChatEntry, exchanged: Sequence[tuple[Dialogue, Exchanged]]) -> None:
    """Say so where answers show that an interface did not hold them to their structure."""
    answered = [(dialogue.item, each.step.part, each.reply) for dialogue, each in exchanged]
    faults = adherence.breaches(entry.structured, asking.task, answered)
    if faults:
        fault, _ = faults.most_common(1)[0]
        LOGGER.warning(
            f"warning: {faults.total()} of {len(answered)} answers break the schema that {entry.identity} was to hold "
            f"them to ({fault}); they count as wrong. Where it cannot hold answers to structured: {entry.structured}, "
            "say so: structured: json_object_schema, json_object, or none"
        )


def _warn_of_greedy_answers(entry: ApiChatEntry, exchanged: Sequence[Exchanged]) -> None:
    """Say so where answers show that an interface did not sample them."""
    answered = [(each.request, each.reply) for each in exchanged]
    if entry.sampling.temperature and (prompts := adherence.unsampled(answered)):
        LOGGER.warning(
            f"warning: {prompts} of {prompts} prompts have one answer under all seeds, at temperature "
            f"{entry.sampling.temperature:g}: {entry.identity} does not seem to sample. Make the server do so, or ask "
            "under one seed at temperature 0; a spread over these seeds says nothing"
        )


def _warn_of_several_models(entry: ApiChatEntry, replies: Iterable[ChatReply]) -> None:
    """Say so where an interface answered as several models under one name."""
    served = Counter(reply.served_model for reply in replies if reply.served_model is not None)
    if len(served) > 1:
        listed = ", ".join(f"{name} ({count} answers)" for name, count in served.most_common())
        LOGGER.warning(
            f"warning: {entry.identity} answered as several models, which count as one in the tables: {listed}. Give a "
            "dated name to ask one alone; the column served_model says which answer is whose"
        )


def engines(replies: Iterable[ChatReply]) -> dict[str, str]:
    """For the file's metadata: what answers were computed with and on, and how many by each."""
    counts = Counter(reply.engine for reply in replies if reply.engine is not None)
    listed = [{"engine": json.loads(engine), "answers": counts[engine]} for engine in sorted(counts)]
    return {"engines": canonical(listed)} if listed else {}
