"""The RESPONSES file of one model, task and dataset: its rows and its metadata."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import merge
from types import MappingProxyType
from typing import Any, cast

from nlfol.asking.asking import Asking
from nlfol.asking.components import of_request
from nlfol.asking.dialogue import Dialogue
from nlfol.models.entries.prices import Price
from nlfol.store import files
from nlfol.store.canonical import canonical
from nlfol.store.schemas import RESPONSES, ResponseRow
from nlfol.store.spilled import Spilled
from nlfol.tasks.item import Item

_RECORDED = (
    *("thinking", "finish_reason", "prompt_tokens", "cached_tokens", "completion_tokens", "reasoning_tokens"),
    *("logprob", "logprob_tokens"),
    *("seconds", "attempts", "served_model", "fingerprint", "response_id", "batch", "error"),
)


def response_row(item: Item, presentation: str, **values: Any) -> ResponseRow:
    """Return a row of a RESPONSES file; what ``values`` lacks is null, empty, or of one step that was answered."""
    row = dict.fromkeys(RESPONSES.names)
    row |= {"item": item.item, "story": item.story, "presentation": presentation, "step": 1, "part": ""}
    return cast("ResponseRow", row | {"order": [], "similarities": [], "outcome": "answered"} | values)


def responses(
    dialogue: Dialogue, price: Price | None, without_thinking: str | None = None, bounds: Sequence[str] = ()
) -> list[ResponseRow]:
    """Return the rows of a dialogue: one a step.

    ``without_thinking`` is the model's identity when it does not think; None of a model that was not asked here.
    ``bounds`` are those that its interface holds answers to.
    """
    rows = [
        response_row(
            dialogue.item,
            dialogue.presentation,
            seed=dialogue.seed,
            step=number,
            part=exchanged.step.part,
            order=list(exchanged.step.order),
            request=exchanged.reply.key,
            shown=None
            if without_thinking is None
            else of_request(exchanged.step, exchanged.request, without_thinking, bounds, exchanged.reply.served_model),
            outcome=exchanged.reply.outcome.value,
            answer=exchanged.reply.text,
            cost=None if price is None else price.of_reply(exchanged.reply),
            **{name: getattr(exchanged.reply, name) for name in _RECORDED},
        )
        for number, exchanged in enumerate(dialogue.exchanged, start=1)
    ]
    if dialogue.error is not None:
        # Where the plan failed, the last answer does not belong to its last step, and must not be judged as if it did.
        rows[-1] |= {"outcome": "internal_error", "error": dialogue.error}
    return rows


def write_responses(
    asking: Asking,
    kind: str,
    identity: str,
    rows: Iterable[ResponseRow] | Spilled[ResponseRow],
    more: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Write a RESPONSES file of rows made by ``response_row``; ``kind`` is chat, embedding, reader or chance."""
    metadata = {
        "dataset": asking.dataset,
        "task": asking.task_name,
        "task_kind": asking.task.kind,
        "protocol": asking.task.entry.sets_protocol or "",
        "model": asking.model,
        "kind": kind,
        "identity": identity,
        "available": str(asking.offered.available),
        **asking.offered.origin,
        **more,
    }
    if isinstance(rows, Spilled):
        files.write_tables(asking.output, RESPONSES, rows.tables(), metadata, chunk=files.CHUNK)
    else:
        files.write(asking.output, RESPONSES, rows, metadata, chunk=files.CHUNK)


def gathered(asking: Asking, seeds: tuple[int, ...]) -> Iterator[ResponseRow]:
    """Yield the rows of the parts of a job in the order in which one job has them.

    ``seeds`` are the model's. Raises ``StoreError`` if a part is unreadable, or made from other items.
    """
    presentations = list(asking.presentations)
    asked: list[int | None] = [*asking.seeds(seeds)]
    places = {item.item: place for place, item in enumerate(asking.offered.items)}

    def place(row: ResponseRow) -> tuple[int, int, int, int]:
        shown, seed = presentations.index(row["presentation"]), asked.index(row["seed"])
        return shown, seed, places[row["item"]], row["step"]

    return merge(*asking.part.rows_of_each(ResponseRow, asking.offered.origin), key=place)


def merged(parts: Iterable[str]) -> dict[str, str]:
    """Return the metadata that ``engines`` gives of all parts, from the lists of each."""
    counts: Counter[str] = Counter()
    for each in parts:
        for counted in json.loads(each):
            counts[canonical(counted["engine"])] += counted["answers"]
    return engines(counts)


def engines(counts: Mapping[str, int]) -> dict[str, str]:
    """Return the metadata on what answers were computed with and on, and how many by each."""
    listed = [{"engine": json.loads(engine), "answers": counts[engine]} for engine in sorted(counts)]
    return {"engines": canonical(listed)} if listed else {}
