"""Ask a dialogue model one task over a dataset: candidates -> responses.

Each answer goes into the journal as it arrives; the responses are assembled from there, so that a job that was stopped
asks only what is missing.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.models.canonical import canonical
from nlfol.models.journal import Journal, ask
from nlfol.models.materialisation import identity
from nlfol.models.request import ChatBackend, ChatReply, ChatRequest, Message
from nlfol.models.specification import ApiChatSpecification, LocalChatSpecification, read_specification
from nlfol.store.logs import LOGGER, job_log
from nlfol.tasks.answers import Limits, answer_schema
from nlfol.tasks.asking import Asking, response_row
from nlfol.tasks.prompts import Prompts
from nlfol.tasks.task import Item, shown_order

if TYPE_CHECKING:
    snakemake: Any


def main(asking: Asking, prompts: Path, weights: Path | None, journal: Path) -> None:
    """Write the RESPONSES file of one dataset, task and dialogue model.

    Args:
        asking: what is asked of which model.
        prompts: folder of the templates.
        weights: folder of the materialised model; None for one behind an interface.
        journal: where answers are kept.
    """
    entry = read_specification(asking.specification)
    if not isinstance(entry, LocalChatSpecification | ApiChatSpecification):
        raise TypeError(f"model {asking.model!r} is no dialogue model")
    items = asking.items(entry.items)
    backend = _backend(entry, weights)
    limits = Limits(entry.limits.reasoning, entry.limits.formula)
    templates = Prompts(prompts)

    def request(item: Item, presentation: str, seed: int, order: list[int]) -> ChatRequest:
        prompt = templates.render(asking.task, item, presentation, order, limits)
        return ChatRequest(
            model=backend.identity,
            messages=(Message("system", prompt.system), Message("user", prompt.user)),
            answer_schema=answer_schema(asking.task, len(item.members), limits),
            temperature=entry.sampling.temperature,
            top_p=entry.sampling.top_p,
            max_tokens=entry.limits.tokens,
            seed=seed,
        )

    def progress(done: int, total: int) -> None:
        LOGGER.info(f"{asking.label}: {done} of {total} answers")

    asked = []
    for presentation, seed, item in product(asking.presentations, entry.seeds, items):
        order = shown_order(asking.seed, asking.dataset, item, asking.task, seed)
        asked.append((item, presentation, seed, order, request(item, presentation, seed, order)))
    with Journal(journal) as kept:
        replies = ask(backend, [question for *_, question in asked], kept, progress)
    rows = [
        response_row(item, presentation, seed=seed, order=order, **_answer(replies[question.key]))
        for item, presentation, seed, order, question in asked
    ]
    asking.write("chat", backend.identity, rows, engines(replies[question.key] for *_, question in asked))


@dataclass(frozen=True)
class _Deferred:
    """A back end that is opened when something is missing from the journal, and needs no weights or key before."""

    identity: str
    open: Callable[[], ChatBackend]

    def answer(self, requests: Sequence[ChatRequest]) -> Iterator[ChatReply]:
        return self.open().answer(requests)


def _backend(entry: LocalChatSpecification | ApiChatSpecification, weights: Path | None) -> ChatBackend:
    if isinstance(entry, ApiChatSpecification):
        from nlfol.models.chat_api import ApiChat

        return _Deferred(entry.identity, lambda: ApiChat(entry))
    from nlfol.models.chat_local import LocalChat

    assert weights is not None
    return _Deferred(identity(entry, weights), lambda: LocalChat(entry, weights))


def engines(replies: Iterable[ChatReply]) -> dict[str, str]:
    """For the file's metadata: what answers were computed with and on, and how many by each."""
    counts = Counter(reply.engine for reply in replies if reply.engine is not None)
    listed = [{"engine": json.loads(engine), "answers": counts[engine]} for engine in sorted(counts)]
    return {"engines": canonical(listed)} if listed else {}


def _answer(reply: ChatReply) -> dict[str, Any]:
    return {
        "request": reply.key,
        "outcome": reply.outcome.value,
        "answer": reply.text,
        "thinking": reply.thinking,
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.completion_tokens,
        "seconds": reply.seconds,
        "error": reply.error,
    }


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            Asking.of_job(snakemake),
            Path(snakemake.params.prompts),
            Path(snakemake.input.weights) if snakemake.input.weights else None,
            Path(snakemake.params.journal),
        )
