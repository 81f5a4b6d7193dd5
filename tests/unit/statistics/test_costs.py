from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nlfol.models.entries.prices import Price
from nlfol.statistics.costs import costs
from nlfol.store import analysis_schemas, files, schemas

ABOUT = {"dataset": "toy", "task": "t", "task_kind": "logical_translation", "protocol": "", "model": "m"}


def row(request: str, **values: Any) -> dict[str, Any]:
    empty = {
        "item": "1",
        "story": "1",
        "presentation": "",
        "step": 1,
        "part": "",
        "order": [],
        "similarities": [],
        "outcome": "answered",
    }
    return {**dict.fromkeys(schemas.RESPONSES.names), **empty, "request": request, **values}


def test_each_request_is_summed_once_and_those_without_numbers_are_told_apart(tmp_path: Path) -> None:
    counted = {"prompt_tokens": 10, "completion_tokens": 5, "reasoning_tokens": 2, "seconds": 0.5, "cost": 0.25}
    rows = [row("a", **counted), row("a", **counted), row("b", **counted), row("c", outcome="failed", seconds=1.0)]
    price = Price.model_validate({"prompt": 1, "completion": 1, "read": "2026-05-27"})
    files.write(tmp_path / "r.arrow", schemas.RESPONSES, rows, {**ABOUT, "price": price.model_dump_json()})
    (sums,) = costs([tmp_path / "r.arrow"])
    assert (sums["requests"], sums["uncounted"]) == (3, 1)
    names = ("prompt_tokens", "cached_tokens", "completion_tokens", "reasoning_tokens", "seconds", "cost")
    assert [sums[name] for name in names] == [20, 0, 10, 4, 2.0, 0.5]
    assert (sums["currency"], sums["price_read"], sums["protocol"]) == ("USD", "2026-05-27", None)


def test_without_a_price_there_are_tokens_and_no_cost(tmp_path: Path) -> None:
    rows = [row("a", prompt_tokens=10, completion_tokens=5)]
    files.write(tmp_path / "r.arrow", schemas.RESPONSES, rows, {**ABOUT, "price": "null"})
    (sums,) = costs([tmp_path / "r.arrow"])
    assert (sums["prompt_tokens"], sums["cost"], sums["currency"]) == (10, None, None)
    files.write(tmp_path / "costs.arrow", analysis_schemas.COSTS, [sums], {})
    assert files.rows(tmp_path / "costs.arrow", analysis_schemas.COSTS) == [pytest.approx(sums)]
