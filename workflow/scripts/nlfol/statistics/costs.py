"""What answers took: tokens, time and money of each dialogue model, dataset and task."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from math import fsum
from pathlib import Path
from typing import Any

from nlfol.store import files, schemas

_COUNTS = ("prompt_tokens", "cached_tokens", "completion_tokens", "reasoning_tokens")


def costs(paths: Iterable[Path]) -> Iterator[dict[str, Any]]:
    """The rows of ``analysis_schemas.COSTS`` for responses files of dialogue models, in the files' order.

    A request is counted once, however many rows have its answer.

    Raises:
        StoreError: if a file is missing or no responses file.
    """
    for path in paths:
        about = files.metadata_of(files.read(path, schemas.RESPONSES))
        price = json.loads(about["price"])
        rows = list({row["request"]: row for row in files.rows(path, schemas.RESPONSES)}.values())
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
        }
