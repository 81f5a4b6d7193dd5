"""Asking a dialogue model one task over a dataset, from the items to the RESPONSES file."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from contextlib import closing
from functools import partial
from math import fsum, inf
from pathlib import Path
from typing import Any

from nlfol.asking.adherence import Review
from nlfol.asking.asking import Asking
from nlfol.asking.dialogue import Conversation, Dialogue
from nlfol.asking.looks import looked
from nlfol.asking.questions import dialogues, identity_of, is_plain
from nlfol.asking.responses import engines, gathered, merged, responses, write_responses
from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.models.entries.prices import Price
from nlfol.models.journal.batches import refuse_in_flight
from nlfol.models.journal.journal import Journal
from nlfol.models.journal.reading import JournalReader
from nlfol.models.journal.siblings import journals_of
from nlfol.models.request import ChatBackend, ChatReply, Ending, JobFiles, refuse_alone
from nlfol.plugins import registered
from nlfol.store.files import read
from nlfol.store.logs import LOGGER, Progress
from nlfol.store.origins import metadata_at
from nlfol.store.schemas import RESPONSES, ResponseRow
from nlfol.store.spilled import Spilled

_WAITING = 8_192
"""Requests that wait for a reply at a time, beside which the rows of answers are on the disk."""


def ask_chat(
    asking: Asking, entry: LocalChatEntry | ApiChatEntry, prompts: Path, files: JobFiles, price: Price | None
) -> None:
    """Write the RESPONSES file of one dataset, task and dialogue model: one row a request.

    Each answer goes into the journal as it arrives; the responses are assembled from there. Requests that failed are
    listed beside the journal, and the next run asks them again. Where several jobs asked for parts of it, it is put
    together from theirs: no model is asked. Raises ``ChatError`` if the model cannot be asked, or more requests failed
    than its entry accepts.
    """
    identity, apart_from_thinking = (identity_of(variant, files.weights) for variant in (entry, entry.without_thinking))
    if asking.part.made:
        keys = (row["request"] for part in asking.part.made for row in read(part, RESPONSES, ["request"]).to_pylist())
        computed = merged(metadata_at(part).get("engines", "[]") for part in asking.part.made)
        perhaps = _perhaps(files.kept, keys, price)
        more = _about(asking, entry, apart_from_thinking, price, computed=computed, perhaps=perhaps)
        more |= looked(asking, asking.items(entry.items), files.kept)
        write_responses(asking, "chat", identity, gathered(asking, entry.seeds), more)
        return
    progress, cost, tokens, told = Progress(asking.label), 0.0, 0, False
    bounds = entry.bounds if isinstance(entry, ApiChatEntry) else ()
    review = Review(asking, entry) if isinstance(entry, ApiChatEntry) else None
    spilled, computed_by = Spilled[ResponseRow](asking.output, RESPONSES), Counter[str]()

    def tally(replies: Iterable[ChatReply]) -> None:
        nonlocal cost, tokens
        for reply in replies:
            progress.failed += reply.outcome is Ending.FAILED
            tokens += (reply.prompt_tokens or 0) + (reply.completion_tokens or 0)
            progress.spent = f"{tokens:,} tokens"
            if price is not None and price.charges:
                cost += price.of_reply(reply) or 0.0
                progress.spent += f", {cost:.4f} {price.currency}"

    def ended(dialogue: Dialogue) -> None:
        nonlocal told
        spilled.add(responses(dialogue, price, apart_from_thinking, bounds))
        replies = [exchanged.reply for exchanged in dialogue.exchanged]
        computed_by.update(reply.engine for reply in replies if reply.engine is not None)
        told = told or any(reply.logprob is not None for reply in replies)
        if review is not None:
            review.take(dialogue)

    asked = dialogues(asking, entry, prompts, identity)
    count = len(asking.seeds(entry.seeds)) * len(asking.asked(asking.presentations, asking.items(entry.items)))
    # All that waits is compared with batches in flight, and a batch is sent whole.
    whole = (isinstance(entry, ApiChatEntry) and entry.batch) or any(files.kept.parent.glob("*.batches"))
    with Journal(files.kept) as journal, closing(progress):
        conversation = Conversation(
            asked, journal, progress, tally, ended=ended, most=inf if whole else _WAITING, count=count
        )
        if conversation.missing and isinstance(entry, ApiChatEntry) and not entry.batch:
            refuse_in_flight(files.kept, conversation.missing)
        accepted = entry.accept_failed if isinstance(entry, ApiChatEntry) else 0.0
        conversation.finish(partial(open_backend, entry, files), accepted)
    if review is not None:
        review.tell(files.kept)
    if entry.logprobs and not told:
        LOGGER.warning(f"warning: {identity} tells no log-probabilities; the column logprob is empty")
    keys = (key for table in spilled.tables() for key in table["request"].to_pylist())
    perhaps = _perhaps(files.kept, keys, price)
    more = _about(asking, entry, apart_from_thinking, price, computed=engines(computed_by), perhaps=perhaps)
    if asking.part.of == 1:
        more |= looked(asking, asking.items(entry.items), files.kept)
    write_responses(asking, "chat", identity, spilled, more)


def _about(
    asking: Asking,
    entry: LocalChatEntry | ApiChatEntry,
    apart_from_thinking: str,
    price: Price | None,
    *,
    computed: Mapping[str, str],
    perhaps: float,
) -> dict[str, str]:
    """Return the metadata of a RESPONSES file that all dialogue models have."""
    more = {"price": "null" if price is None else price.model_dump_json(), **computed}
    if entry.thinks is not None:
        more |= {"thinking": "yes" if entry.thinks else "no", "apart_from_thinking": apart_from_thinking}
        more["reasoning"] = str(asking.task.entry.reasoning)
    if perhaps:
        more["perhaps"] = repr(perhaps)
    if is_plain(asking, entry):
        more["plain"] = "yes"
    return more


def _perhaps(journal: Path, keys: Iterable[str | None], price: Price | None) -> float:
    """Return what attempts without a reply may have cost, of requests that a job's journals answer."""
    if price is None or not price.charges:
        return 0.0
    costs = defaultdict[str | None, list[float]](list)
    for request, reply in (record for path in journals_of(journal) for record in JournalReader(path).fresh()):
        if cost := price.perhaps(request, reply):
            costs[reply.key].append(cost)
    return fsum(cost for key in {key for key in keys if key in costs} for cost in costs[key])


def open_backend(entry: LocalChatEntry | ApiChatEntry, files: JobFiles) -> ChatBackend:
    """Open a dialogue model.

    Raises ``ChatError`` if it cannot be asked, or its interface does not hold answers to their structure.
    """
    refuse_alone(entry.identity)
    backend: ChatBackend = _backend_class(entry).open(entry, files)
    return backend


def _backend_class(entry: LocalChatEntry | ApiChatEntry) -> Any:
    by_likelihood = entry.answer == "likelihood"
    if isinstance(entry, LocalChatEntry):
        from nlfol.models.local.chat import LocalChat
        from nlfol.models.local.option_likelihoods import LocalOptions

        return LocalOptions if by_likelihood else LocalChat
    if entry.batch:
        return registered("batches", type, ())[entry.backend]
    from nlfol.models.api.chat import ApiChat
    from nlfol.models.api.option_likelihoods import ApiOptions

    return ApiOptions if by_likelihood else ApiChat
