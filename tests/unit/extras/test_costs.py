from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.stored import stored

from nlfol.models.entries.prices import Price
from nlfol.models.entries.provider_table import ProviderTable
from nlfol.store import files, schemas
from nlfol.store.files import read_figures
from nlfol_extras.analyses.costs import costs

ROOT = Path(__file__).parents[3]

ABOUT = {"dataset": "toy", "task": "t", "task_kind": "logical_translation", "protocol": "", "model": "m"}


def row(request: str, **values: Any) -> dict[str, Any]:
    return stored(schemas.RESPONSES, **{"item": "1", "request": request, **values})


def test_costs_sum_requests_once_and_count_uncounted(tmp_path: Path) -> None:
    counted = {"prompt_tokens": 10, "completion_tokens": 5, "reasoning_tokens": 2, "seconds": 0.5, "cost": 0.25}
    rows = [row("a", **counted), row("a", **counted), row("b", **counted), row("c", outcome="failed", seconds=1.0)]
    price = Price.model_validate({"prompt": 1, "completion": 1, "read": "2026-05-27"})
    files.write(tmp_path / "r.arrow", schemas.RESPONSES, rows, {**ABOUT, "price": price.model_dump_json()})
    (sums,) = costs([tmp_path / "r.arrow"])
    assert (sums["requests"], sums["uncounted"]) == (3, 1)
    names = ("prompt_tokens", "cached_tokens", "completion_tokens", "reasoning_tokens", "seconds", "cost")
    assert [{**sums}[name] for name in names] == [20, 0, 10, 4, 2.0, 0.5]
    assert (sums["currency"], sums["price_read"], sums["protocol"]) == ("USD", "2026-05-27", None)


def spending(folder: Path, task: str, rows: list[dict[str, Any]]) -> Path:
    path = folder / f"{task}.arrow"
    about = {**ABOUT, "task": task, "task_kind": "program", "price": Price(prompt=1, completion=1).model_dump_json()}
    files.write(path, schemas.RESPONSES, rows, about)
    return path


def took(item: str, step: int, prompt: int, completion: int, cost: float | None = None) -> dict[str, Any]:
    asked = row(f"{item} {step} {prompt}", prompt_tokens=prompt, completion_tokens=completion, cost=cost)
    return {**asked, "item": item, "step": step, "seed": 0}


def test_cost_ratio_uses_items_shared_with_base_strategy(tmp_path: Path) -> None:
    direct = [took("1", 1, 100, 10, 0.5), took("2", 1, 300, 30, 1.5), took("3", 1, 900, 90, 9.0)]
    # Two steps of item 1; of item 3 a step has no count, so it is in no ratio; item 4 was asked here alone.
    stepwise = [
        *(took("1", 1, 100, 15, 0.5), took("1", 2, 200, 15, 1.0), took("2", 1, 300, 40, 2.5)),
        *(took("3", 1, 900, 90, 9.0), row("lost", outcome="failed", item="3", seed=0), took("4", 1, 7, 7, 7.0)),
    ]
    unpriced = [took("1", 1, 50, 0), took("2", 1, 150, 0)]
    paths = [spending(tmp_path, *each) for each in (("direct", direct), ("stepwise", stepwise), ("plain", unpriced))]
    first, second, third = costs(paths)
    names = ("against", "common", "prompt_ratio", "completion_ratio", "cost_ratio")
    assert [{**first}[name] for name in names] == [None] * 5
    assert [{**second}[name] for name in names] == ["direct", 2, 600 / 400, 70 / 40, 4.0 / 2.0]
    assert [{**third}[name] for name in names] == ["direct", 2, 200 / 400, 0.0, None]


def test_answer_shared_between_tasks_is_paid_once(tmp_path: Path) -> None:
    direct = [took("1", 1, 100, 10, 0.5), took("2", 1, 300, 30, 1.5)]
    refine = [*direct, took("2", 2, 350, 30, 2.0), took("3", 1, 50, 5, 0.25)]
    rows = list(costs([spending(tmp_path, "direct", direct), spending(tmp_path, "refine", refine)]))
    assert [(row["requests"], row["cost"], row["paid"]) for row in rows] == [(2, 2.0, 2.0), (4, 4.25, 2.25)]


def test_costs_table_shows_possible_cost_for_lost_attempts(tmp_path: Path) -> None:
    about = {**ABOUT, "price": Price(prompt=1, completion=1).model_dump_json()}
    for name, perhaps in (("none", {}), ("some", {"perhaps": "1.5"})):
        files.write(tmp_path / f"{name}.arrow", schemas.RESPONSES, [took("1", 1, 10, 1, 0.5)], {**about, **perhaps})
    rows = list(costs([tmp_path / "none.arrow", tmp_path / "some.arrow"]))
    assert [(row["cost"], row["perhaps"]) for row in rows] == [(0.5, 0.0), (0.5, 1.5)]


def test_solt_costs_follow_from_tokens_except_e1_completions() -> None:
    price = ProviderTable(ROOT / "resources/providers.yaml").price(
        "https://api.openai.com/v1", "gpt-4-turbo-2024-04-09"
    )
    assert price is not None
    assert (price.prompt, price.completion, price.currency) == (10, 30, "USD")
    rows = read_figures(ROOT / "resources/published/solt.csv").filter(pl.col("table").is_in(["8", "9"])).to_dicts()
    printed = {(each["task"], each["metric"]): each["mean"] for each in rows}
    beyond: dict[tuple[str, str], float] = {}
    for stage in ("E0", "E1", "E2", "E3"):
        prompt, completion = (int(printed[stage, f"{name}_tokens"]) for name in ("prompt", "completion"))
        ours = {
            "cost_prompt": price.of(prompt, 0, 0, batch=False),
            "cost_completion": price.of(0, 0, completion, batch=False),
            "cost": price.of(prompt, 0, completion, batch=False),
        }
        beyond |= {(stage, name): cost for name, cost in ours.items() if abs(cost - printed[stage, name]) > 0.02}
    # Printed as 63.43, with which its total does fit.
    assert beyond == {("E1", "cost_completion"): pytest.approx(63.40536)}
