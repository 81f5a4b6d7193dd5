"""Tokens, time and money of each dialogue model, dataset and task.

Of tasks of one kind, such as two strategies, the later ones are compared with the first, over what both were asked (an
item under one presentation and seed): tokens and cost of all requests about it in the one, divided by those in the
other. So a dialogue of several steps counts whole, and a task that is asked on fewer items is compared on these.
The table leaves the time to the manifest: equal runs make equal tables.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum
from pathlib import Path
from typing import Any, TypedDict, cast

from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.tables import columns
from nlfol.results.tables.table import TableForm
from nlfol.store import files, schemas
from nlfol.store.columns import TaskColumns, row_schema
from nlfol.store.origins import metadata_at

_Spent = Mapping[tuple[Any, ...], tuple[float, float, float | None]]
"""Tokens of prompt and completion, and cost if known, by item, presentation and seed."""

_COUNTS = ("prompt_tokens", "cached_tokens", "completion_tokens", "reasoning_tokens")
_RATIOS = ("prompt_ratio", "completion_ratio", "cost_ratio")


class _Costs(TaskColumns):
    model: str
    requests: int  # distinct ones
    uncounted: int  # those of unknown token count, which are in no sum
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    reasoning_tokens: int
    seconds: float  # sum over requests, many of which are under way at once
    cost: float | None  # null without a price
    paid: float | None  # part of it that is for requests of no task above: their sum is what was paid
    perhaps: float | None  # the most that attempts without a reply cost, if charged; in no other sum
    currency: str | None
    price_read: str | None  # ISO date at which the price was read


class _Against(TypedDict):
    # The first task of the kind on the dataset, items asked in both, and ratios over these; null in its own row,
    # and ratios where one of the two is unknown or 0.
    against: str | None
    common: int | None
    prompt_ratio: float | None
    completion_ratio: float | None
    cost_ratio: float | None


class CostRow(_Costs, _Against):
    """One row a dataset, task and dialogue model."""


COSTS = row_schema("costs", 4, CostRow)


def costs(paths: Iterable[Path]) -> Iterator[CostRow]:
    """Yield the rows of ``COSTS`` for RESPONSES files of dialogue models, in order; each request counts once."""
    above: set[tuple[str, str]] = set()
    firsts: dict[tuple[str, ...], tuple[str, _Spent]] = {}
    for path in paths:
        about = metadata_at(path)
        price = json.loads(about["price"])
        every = files.rows(path, schemas.ResponseRow)
        # Answers from a file have no request: each is one of its own.
        rows = list({row["request"] or number: row for number, row in enumerate(every)}.values())
        first = [row for row in rows if (about["model"], row["request"]) not in above]
        above |= {(about["model"], row["request"]) for row in rows if row["request"] is not None}
        counted = [row for row in rows if row["prompt_tokens"] is not None and row["completion_tokens"] is not None]
        yield {
            "dataset": about["dataset"],
            "task": about["task"],
            "task_kind": about["task_kind"],
            "model": about["model"],
            "protocol": about["protocol"] or None,
            "requests": len(rows),
            "uncounted": len(rows) - len(counted),
            "prompt_tokens": sum(row["prompt_tokens"] or 0 for row in counted),
            "cached_tokens": sum(row["cached_tokens"] or 0 for row in counted),
            "completion_tokens": sum(row["completion_tokens"] or 0 for row in counted),
            "reasoning_tokens": sum(row["reasoning_tokens"] or 0 for row in counted),
            "seconds": fsum(row["seconds"] or 0.0 for row in rows),
            "cost": None if price is None else fsum(row["cost"] or 0.0 for row in counted),
            "paid": None if price is None else fsum(row["cost"] or 0.0 for row in first),
            "perhaps": None if price is None else float(about.get("perhaps", 0)),
            "currency": price and price["currency"],
            "price_read": price and price["read"],
            **_against(about, _spent(every), firsts),
        }


def _spent(rows: Sequence[schemas.ResponseRow]) -> _Spent:
    """Return the tokens and cost of each item; omit items with a request whose tokens are unknown."""
    by_asked: dict[tuple[Any, ...], tuple[float, float, float | None] | None] = {}
    for row in rows:
        asked = row["item"], row["presentation"], row["seed"]
        prompt, completion, cost = row["prompt_tokens"], row["completion_tokens"], row["cost"]
        before = by_asked.get(asked, (0.0, 0.0, 0.0))
        if before is None or prompt is None or completion is None:
            by_asked[asked] = None
            continue
        total = None if cost is None or before[2] is None else before[2] + cost
        by_asked[asked] = before[0] + prompt, before[1] + completion, total
    return {asked: spent for asked, spent in by_asked.items() if spent is not None}


def _against(about: Mapping[str, str], spent: _Spent, firsts: dict[tuple[str, ...], tuple[str, _Spent]]) -> _Against:
    """Compare a task with the first of its kind on the dataset; all null for the first itself."""
    key = tuple(about[name] for name in ("dataset", "task_kind", "model"))
    task, first = firsts.setdefault(key, (about["task"], spent))
    if task == about["task"]:
        return cast("_Against", dict.fromkeys(_Against.__annotations__))
    common = [asked for asked in spent if asked in first]
    ratios = {}
    for number, name in enumerate(_RATIOS):
        ours, theirs = ([side[asked][number] for asked in common] for side in (spent, first))
        known = None not in (*ours, *theirs) and fsum(value or 0.0 for value in theirs) > 0
        ratios[name] = fsum(value or 0.0 for value in ours) / fsum(value or 0.0 for value in theirs) if known else None
    return cast("_Against", {"against": task, "common": len(common), **ratios})


TABLE = TableForm(
    "costs",
    "Tokens and cost",
    "What the answers of dialogue models took, each request counted once.",
    (
        *columns.texts("model", "dataset", "task"),
        *columns.counts("requests", "uncounted", *_COUNTS),
        columns.share("cost"),
        columns.share("paid"),
        columns.share("perhaps"),
        columns.text("currency"),
        columns.text("price_read", "Price of"),
        columns.text("against"),
        *columns.counts("common"),
        *(columns.share(name, f"× {name.removesuffix('_ratio')}") for name in _RATIOS),
    ),
    (
        "Cached is a part of prompt, reasoning a part of completion.",
        "Uncounted are requests of which no numbers of tokens are known, and which are in no sum.",
        "Cost: of the tokens at the price of the date given; – where nobody stated one, 0 where a model runs here.",
        "Paid: the cost without requests of tasks above, whose answers serve both; summed up, what was paid.",
        "×: tokens and cost relative to the first task of its kind (Against), over common requests (Common).",
        "A table of concepts takes 1.3 × the prompt and 2.1 × the completion in SoLT's appendix D.",
        "Perhaps: the most that attempts without a reply cost, if the provider charges them; in no other sum.",
    ),
    ("costs",),
)

ANALYSIS = Analysis(rows=(Rows(COSTS, lambda given: costs(given.files["responses"])),), tables=(TABLE,))
