"""Judging the dialogues of a RESPONSES file."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, groupby, islice
from math import isnan
from operator import attrgetter
from pathlib import Path
from typing import Any, cast

import pyarrow as pa

from nlfol.asking.asking import usable_items
from nlfol.facts import GUESSERS
from nlfol.store import files, schemas
from nlfol.store.cores import in_order
from nlfol.store.files import StoreError
from nlfol.store.origins import metadata_at
from nlfol.store.parts import Part
from nlfol.store.schemas import ResponseRow
from nlfol.tasks.item import Item
from nlfol.tasks.judging import judgements
from nlfol.tasks.plan import Reply
from nlfol.tasks.task import AnyTask, Judgement

Responses = Sequence[ResponseRow]
"""The rows of one dialogue, by step; of models that hold none, one row."""


COLUMNS = [
    *("item", "story", "presentation", "seed", "step", "part", "outcome", "answer", "order", "error"),
    *("similarities", "shown"),
]
"""Columns of RESPONSES that judging reads."""

_ROWS = 1_000
"""Responses that are rows of Python at once."""


def dialogues(rows: Iterable[ResponseRow]) -> list[Responses]:
    """Return the rows of a RESPONSES file by dialogue, in the order of their first steps."""
    by_dialogue: dict[tuple[Any, ...], list[ResponseRow]] = {}
    for row in rows:
        by_dialogue.setdefault(_dialogue(row), []).append(row)
    return [_by_step(steps) for steps in by_dialogue.values()]


def _dialogue(row: ResponseRow) -> tuple[str, str, int | None]:
    return row["item"], row["presentation"], row["seed"]


def _by_step(steps: Iterable[ResponseRow]) -> Responses:
    return sorted(steps, key=lambda row: int(row["step"]))


def read_dialogues(responses: Path, part: Part) -> tuple[int, Iterable[Responses]]:
    """Return the number of a part's dialogues, and the dialogues, of which few are in memory where their rows adjoin.

    Raises ``StoreError`` if the file is unreadable.
    """
    count, is_simple, runs, last = 0, True, array("q"), None
    for batch in files.batches(responses, schemas.RESPONSES, ["item", "presentation", "seed", "step"]):
        items, presentations, seeds, steps = (batch[name].to_pylist() for name in batch.schema.names)
        count += batch.num_rows
        is_simple = is_simple and {*steps} <= {1}
        for dialogue in zip(items, presentations, seeds, strict=True):
            if dialogue != last:
                runs.append(hash(dialogue))
                last = dialogue
    if is_simple:
        first, end = part.span(count)
        return end - first, ([row] for row in islice(_rows(responses), first, end))
    if len({*runs}) < len(runs):
        listed = part.rows(dialogues(_rows(responses)))
        return len(listed), listed
    first, end = part.span(len(runs))
    adjoining = (_by_step(steps) for _, steps in groupby(_rows(responses), _dialogue))
    return end - first, islice(adjoining, first, end)


def _rows(responses: Path) -> Iterator[ResponseRow]:
    for batch in files.batches(responses, schemas.RESPONSES, COLUMNS):
        for start in range(0, batch.num_rows, _ROWS):
            yield from cast("list[ResponseRow]", batch.slice(start, _ROWS).to_pylist())


def with_items(items_file: Path, responses: Path, listed: Iterable[Responses]) -> Iterator[tuple[Item, Responses]]:
    """Yield dialogues with their items; raises ``StoreError`` if one has none."""
    items = {item.item: item for item in usable_items(items_file)}
    for dialogue in listed:
        item = items.get(dialogue[0]["item"])
        if item is None:
            raise StoreError(
                f"{responses}: item {dialogue[0]['item']!r} is not in {items_file}; delete the responses and run again"
            )
        yield item, dialogue


def compared_pairs(task: AnyTask, items_file: Path, responses: Path) -> list[tuple[str, str]]:
    """Return the pairs of texts of a RESPONSES file that judging needs compared, each once; raises ``StoreError``."""
    plain = "plain" in metadata_at(responses)
    answered = (
        (item, replies_of(task, item, dialogue, plain=plain)[0])
        for item, dialogue in with_items(items_file, responses, dialogues(files.rows(responses, ResponseRow)))
    )
    pairs = [task.compared_texts(item, reply.text) for item, reply in answered if reply.text is not None]
    return list(dict.fromkeys(chain.from_iterable(pairs)))


def score_tables(
    task: AnyTask,
    metadata: Mapping[str, str],
    responses: Path,
    listed: Iterable[tuple[Item, Responses]],
    cores: int = 1,
) -> Iterator[pa.Table]:
    """Yield the rows of a SCORES file in tables of some hundred dialogues: a row a judgement's metric.

    An unexpected error in judging is the outcome ``internal_error``, which counts as wrong; the log names item, model
    and seed, and has the traceback. Raises ``StoreError`` if a similarity is no number.
    """
    waiting = iter(listed)
    pieces = iter(lambda: list(islice(waiting, _ROWS)), [])
    return in_order(partial(_scored, task, metadata, responses), pieces, cores)


def _scored(
    task: AnyTask, metadata: Mapping[str, str], responses: Path, some: Sequence[tuple[Item, Responses]]
) -> pa.Table:
    judged: list[tuple[Any, ...]] = []
    indices: list[int] = []
    scores: list[tuple[Any, ...]] = []
    for item, dialogue in some:
        if any(isnan(similarity) for response in dialogue for similarity in response["similarities"]):
            raise StoreError(
                f"{responses}: item {item.item!r} has a similarity that is no number; "
                "delete the responses and run again"
            )
        for judgement in _judged(task, metadata, item, dialogue):
            for metric, score in judgement.scores.items():
                indices.append(len(judged))
                value = None if isnan(score) else score
                scores.append((metric, task.facts.round_of(metric), value, metric in judgement.tied))
            judged.append(
                (*map(dialogue[-1].get, _ASKED), *_judged_columns(judgement), _position(dialogue), dialogue[0]["shown"])
            )
    # A judgement becomes Arrow's once, however many metrics it has.
    columns = _arrays(_SAME, judged)
    taken = {name: column.take(pa.array(indices, pa.int32())) for name, column in columns.items()}
    rows = taken | _arrays(_BY_METRIC, scores)
    return pa.table([rows[name] for name in schemas.SCORES.names], schema=schemas.SCORES)


def _arrays(names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> dict[str, pa.Array[Any]]:
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    return {
        name: pa.array(column, schemas.SCORES.field(name).type) for name, column in zip(names, columns, strict=True)
    }


def _judged(task: AnyTask, metadata: Mapping[str, str], item: Item, dialogue: Responses) -> Sequence[Judgement]:
    """Return judgements that share no metric."""
    kind, model = metadata["kind"], metadata["model"]
    if kind in GUESSERS:
        return [task.reasoner(item) if kind == "reasoner" else task.chance(item)]
    if kind == "embedding":
        return [task.judge_similarities(item, dialogue[0]["similarities"])]
    label, replies = f" of model {model}, seed {dialogue[0]['seed']}", [reply_of(response) for response in dialogue]
    return judgements(task, item, replies, plain="plain" in metadata, label=label)


def replies_of(task: AnyTask, item: Item, dialogue: Responses, *, plain: bool = False) -> list[Reply]:
    """Return the rows of a dialogue as a task sees them, out of their envelopes; ``plain`` if that was asked for."""
    return [task.opened(item, reply_of(response), plain=plain) for response in dialogue]


def reply_of(response: ResponseRow) -> Reply:
    """Return a row of a RESPONSES file as a task sees it."""
    return Reply(response["part"], response["outcome"], response["answer"], tuple(response["order"]), response["error"])


def _position(dialogue: Responses) -> int | None:
    """Return where the gold formula was shown, from 1; None if a model was shown candidates in no order."""
    order = dialogue[-1]["order"]
    return None if dialogue[-1]["seed"] is None or 0 not in order else order.index(0) + 1


_ASKED = ("item", "story", "presentation", "seed")
_JUDGED = (
    *("outcome", "verdict", "stop", "means", "fault", "detail", "pair"),
    *("word", "answer", "formula", "dialect", "policy", "repairs", "ambiguities", "liberties"),
    *("forgiven", "strictly"),
)
"""Fields of a judgement that are columns of ``SCORES`` unchanged."""
_judged_columns = attrgetter(*_JUDGED)
_SAME = (*_ASKED, *_JUDGED, "position", "shown")
"""Columns that are the same for all metrics of a judgement."""
_BY_METRIC = ("metric", "round", "score", "tied")
