"""Ask a dialogue model one task over a dataset: candidates -> responses.

Each answer goes into the journal as it arrives; the responses are assembled from there, so that a job that was stopped
asks only what is missing. Requests that failed are listed beside the journal, and end the job with an error where there
are more of them than the model's entry accepts; the next run asks them again.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.asking.asking import Asking, response_row
from nlfol.asking.questions import questions
from nlfol.models.batches.record import refuse_in_flight
from nlfol.models.entries.batch import ProviderBatch, VllmBatch
from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.models.entries.model import read_entry
from nlfol.models.entries.prices import Price
from nlfol.models.journal.failures import failures_path, list_failures, refuse_failures
from nlfol.models.journal.journal import Journal, ask
from nlfol.models.local.devices import claimed
from nlfol.models.local.materialisation import identity
from nlfol.models.request import ChatBackend, ChatError, ChatReply, ChatRequest, Outcome, groups
from nlfol.spending import ledger_of, price_of
from nlfol.store.canonical import canonical
from nlfol.store.logs import LOGGER, Progress, job_log
from nlfol.tasks.specification import TaskKind
from nlfol.tasks.task import Item

if TYPE_CHECKING:
    from nlfol.models.budget.ledger import Ledger

    snakemake: Any

_RECORDED = (
    "thinking",
    "finish_reason",
    "prompt_tokens",
    "cached_tokens",
    "completion_tokens",
    "reasoning_tokens",
    "seconds",
    "attempts",
    "served_model",
    "fingerprint",
    "response_id",
    "batch",
    "error",
)


def main(
    asking: Asking,
    prompts: Path,
    weights: Path | None,
    journal: Path,
    sharers: Path,
    *,
    ledger: "Ledger | None" = None,
    service: Path | None = None,
) -> None:
    """Write the RESPONSES file of one dataset, task and dialogue model.

    Args:
        asking: what is asked of which model.
        prompts: folder of the templates.
        weights: folder of the materialised model; None for one behind an interface.
        journal: where answers are kept.
        sharers: where jobs that ask one interface find one another.
        ledger: the budget; None where there is none, or for a model that runs here.
        service: the service file of the model's server; None for one that the workflow does not serve.
    """
    entry = read_entry(asking.entry_json)
    if not isinstance(entry, LocalChatEntry | ApiChatEntry):
        raise TypeError(f"model {asking.model!r} is no dialogue model")
    backend = _backend(entry, weights, journal, sharers, ledger=ledger, service=service)
    asked = questions(asking, entry, prompts, backend.identity)
    with Journal(journal) as kept:
        if isinstance(entry, ApiChatEntry) and not isinstance(entry.batch, ProviderBatch):
            refuse_in_flight(journal, (each.request.key for each in asked if not kept.answered(each.request.key)))
        replies = _replies(backend, entry, [question.request for question in asked], kept, asking.label)
    if isinstance(entry, ApiChatEntry):
        list_failures(journal, replies.values())
        if failed := refuse_failures(entry, asking.label, replies.values()):
            LOGGER.warning(
                f"warning: {failed} requests failed and count as wrong answers; they are listed in "
                f"{failures_path(journal)}, and the next run asks them again"
            )
        _warn_of_free_answers(entry, asking.task_kind, [(each.item, replies[each.request.key]) for each in asked])
        _warn_of_greedy_answers(entry, [(each.request, replies[each.request.key]) for each in asked])
        _warn_of_several_models(entry, replies.values())
    price = price_of(entry)
    rows = [
        response_row(
            each.item,
            each.presentation,
            seed=each.seed,
            order=each.order,
            **_answer(replies[each.request.key], price),
        )
        for each in asked
    ]
    more = {
        "price": "null" if price is None else price.model_dump_json(),
        **engines(replies[each.request.key] for each in asked),
        **_thinking(entry, weights),
    }
    asking.write("chat", backend.identity, rows, more)


def _replies(
    backend: ChatBackend,
    entry: LocalChatEntry | ApiChatEntry,
    questions: list[ChatRequest],
    journal: Journal,
    label: str,
) -> dict[str, ChatReply]:
    """The reply to each request, by its key; what failed before and was accepted need not be asked again to have it."""
    try:
        return ask(backend, questions, journal, Progress(label))
    except ChatError as error:
        known = {key: journal.replies[key] for key in (each.key for each in questions) if key in journal.replies}
        failed = sum(reply.outcome is Outcome.FAILED for reply in known.values())
        accepted = entry.accept_failed if isinstance(entry, ApiChatEntry) else 0.0
        if any(each.key not in known for each in questions) or failed > accepted * len(known):
            raise
        LOGGER.warning(f"warning: {failed} requests that failed before were not asked again: {error}")
        return known


@dataclass(frozen=True)
class _Deferred:
    """A back end that is opened when something is missing from the journal, and needs no weights or key before."""

    identity: str
    open: Callable[[], ChatBackend]

    def answer(self, requests: Sequence[ChatRequest]) -> Iterator[ChatReply]:
        return self.open().answer(requests)

    def answer_groups(self, requests: Sequence[ChatRequest]) -> Iterator[Sequence[ChatReply]]:
        return groups(self.open(), requests)


def _backend(
    entry: LocalChatEntry | ApiChatEntry,
    weights: Path | None,
    journal: Path,
    sharers: Path,
    *,
    ledger: "Ledger | None",
    service: Path | None,
) -> ChatBackend:
    if isinstance(entry, ApiChatEntry):
        from nlfol.asking.adherence import refuse_free_answers
        from nlfol.models.api.chat import ApiChat
        from nlfol.models.batches.chat import BatchChat, VllmBatchChat
        from nlfol.models.serving.service import Server

        match entry.batch:
            case ProviderBatch():
                return _Deferred(entry.identity, lambda: BatchChat(entry, journal, ledger))
            case VllmBatch():
                return _Deferred(entry.identity, lambda: VllmBatchChat(entry))

        def interface() -> ApiChat:
            server = None if service is None else Server(service, entry.identity)
            # Without the budget: it costs nothing.
            if doubt := refuse_free_answers(entry, ApiChat(entry, sharers, server=server)):
                LOGGER.warning(f"warning: whether {entry.identity} holds answers to a structure is not known: {doubt}")
            return ApiChat(entry, sharers, ledger, server=server)

        return _Deferred(entry.identity, interface)
    from nlfol.models.local.chat import LocalChat

    assert weights is not None
    return _Deferred(identity(entry, weights), lambda: LocalChat(entry, weights))


def _thinking(entry: LocalChatEntry | ApiChatEntry, weights: Path | None) -> dict[str, str]:
    """For the file's metadata: whether the model was to think, and what it is apart from that."""
    if entry.thinking is None:
        return {}
    other = entry.without_thinking
    if isinstance(other, ApiChatEntry):
        apart = other.identity
    else:
        assert weights is not None
        apart = identity(other, weights)
    return {"thinking": "yes" if entry.thinking else "no", "apart_from_thinking": apart}


def _warn_of_free_answers(entry: ApiChatEntry, task: TaskKind, answered: list[tuple[Item, ChatReply]]) -> None:
    """Say so where answers show that an interface did not hold them to their structure."""
    from nlfol.asking.adherence import breaches

    faults = breaches(entry.structured, task, answered)
    if faults:
        fault, _ = faults.most_common(1)[0]
        LOGGER.warning(
            f"warning: {faults.total()} of {len(answered)} answers break the schema that {entry.identity} was to hold "
            f"them to ({fault}); they count as wrong. Where it cannot hold answers to structured: {entry.structured}, "
            "say so: structured: json_object_schema, json_object, or none"
        )


def _warn_of_greedy_answers(entry: ApiChatEntry, answered: list[tuple[ChatRequest, ChatReply]]) -> None:
    """Say so where answers show that an interface did not sample them."""
    from nlfol.asking.adherence import unsampled

    if entry.sampling.temperature and (prompts := unsampled(answered)):
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


def _answer(reply: ChatReply, price: Price | None) -> dict[str, Any]:
    return {
        "request": reply.key,
        "outcome": reply.outcome.value,
        "answer": reply.text,
        "cost": None if price is None else price.of_reply(reply),
        **{name: getattr(reply, name) for name in _RECORDED},
    }


if __name__ == "__main__":
    with job_log(snakemake.log[0]), claimed(snakemake.resources.get("gpu", 0)):
        main(
            Asking.of_job(snakemake),
            Path(snakemake.params.prompts),
            Path(snakemake.input.weights) if snakemake.input.weights else None,
            Path(snakemake.params.journal),
            Path(snakemake.params.sharers),
            ledger=ledger_of(snakemake),
            service=Path(snakemake.input.server) if snakemake.input.server else None,
        )
