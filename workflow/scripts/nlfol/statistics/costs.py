"""What answers took: tokens, time and money of each dialogue model, dataset and task.

Of tasks of one kind, such as two strategies, the later ones are held against the first: over what both were asked (an
item under one presentation and seed), the tokens and the cost of all requests about it in the one, by those in the
other. So a dialogue of several steps counts whole, and a task that is asked on fewer items is compared on these.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum
from pathlib import Path
from typing import Any

from nlfol.store import files, schemas

_Spent = Mapping[tuple[Any, ...], tuple[float, float, float | None]]
"""Of each item, presentation and seed: tokens of prompts and completions, and the cost, which may be unknown."""

_COUNTS = ("prompt_tokens", "cached_tokens", "completion_tokens", "reasoning_tokens")


def costs(paths: Iterable[Path]) -> Iterator[dict[str, Any]]:
    """The rows of ``analysis_schemas.COSTS`` for responses files of dialogue models, in the files' order.

    A request is counted once, however many rows have its answer; in a ratio, in each of them.

    Raises:
        StoreError: if a file is missing or no responses file.
    """
    firsts: dict[tuple[str, ...], tuple[str, _Spent]] = {}
    for path in paths:
        about = files.metadata_of(files.read(path, schemas.RESPONSES))
        price = json.loads(about["price"])
        every = files.rows(path, schemas.RESPONSES)
        # Answers from a file have no request: each is one of its own.
        rows = list({row["request"] or number: row for number, row in enumerate(every)}.values())
        counted = [row for row in rows if row["prompt_tokens"] is not None and row["completion_tokens"] is not None]
        yield {
            **{name: about[name] for name in ("dataset", "task", "task_kind", "model")},
            "protocol": about["protocol"] or None,
            "requests": len(rows),
            "uncounted": len(rows) - len(counted),
            **{name: sum(row[name] or 0 for row in counted) for name in _COUNTS},
            "seconds": fsum(row["seconds"] or 0.0 for row in rows),
            "cost": None if price is None else fsum(row["cost"] or 0.0 for row in counted),
            "currency": price and price["currency"],
            "price_read": price and price["read"],
            **_against(about, _spent(every), firsts),
        }


def _spent(rows: Sequence[Mapping[str, Any]]) -> _Spent:
    """What each item took; without those of which a request has no count of tokens."""
    found: dict[tuple[Any, ...], tuple[float, float, float | None] | None] = {}
    for row in rows:
        asked = row["item"], row["presentation"], row["seed"]
        prompt, completion, cost = row["prompt_tokens"], row["completion_tokens"], row["cost"]
        before = found.get(asked, (0.0, 0.0, 0.0))
        if before is None or prompt is None or completion is None:
            found[asked] = None
            continue
        whole = None if cost is None or before[2] is None else before[2] + cost
        found[asked] = before[0] + prompt, before[1] + completion, whole
    return {asked: spent for asked, spent in found.items() if spent is not None}


def _against(
    about: Mapping[str, str], spent: _Spent, firsts: dict[tuple[str, ...], tuple[str, _Spent]]
) -> dict[str, Any]:
    """A task held against the first of its kind on the dataset; all null for the first itself."""
    ratios = ("prompt_ratio", "completion_ratio", "cost_ratio")
    place = tuple(about[name] for name in ("dataset", "task_kind", "model"))
    task, first = firsts.setdefault(place, (about["task"], spent))
    if task == about["task"]:
        return dict.fromkeys(("against", "common", *ratios))
    common = [asked for asked in spent if asked in first]
    found = {}
    for number, name in enumerate(ratios):
        ours, theirs = ([each[asked][number] for asked in common] for each in (spent, first))
        known = None not in (*ours, *theirs) and fsum(each or 0.0 for each in theirs) > 0
        found[name] = fsum(each or 0.0 for each in ours) / fsum(each or 0.0 for each in theirs) if known else None
    return {"against": task, "common": len(common), **found}
