"""Choice of the items that are asked."""

import json
from pathlib import Path

import pytest
from tests.unit.asking.conversations import ITEM

from nlfol.asking.asking import Asking, Offered
from nlfol.tasks.item import Item
from nlfol.tasks.registry import build_task

ITEMS = tuple(Item(f"w:{n}", "w", f"A{n} is P.", "P(a)", ITEM.ontology, ()) for n in range(12))


def asking(most: int | None, runs: int | None = None) -> Asking:
    task = build_task(json.dumps({"task": "logical_translation", "items": most, "runs": runs}))
    return Asking(Offered(ITEMS, {}), "toy", "logical_translation", task, "m", "{}", 7, Path("r.arrow"))


@pytest.mark.parametrize(
    ("of_task", "of_model", "asked"),
    [(None, None, 12), (None, 5, 5), (5, None, 5), (3, 5, 3), (5, 3, 3), (99, None, 12), (99, 5, 5)],
)
def test_item_limits_from_task_and_model_take_minimum(of_task: int | None, of_model: int | None, asked: int) -> None:
    found = asking(of_task).items(of_model)
    assert len(found) == asked
    assert found == [item for item in ITEMS if item in found], "in their order"


def test_dataset_stage_asks_all_items_with_single_seed() -> None:
    task = build_task(json.dumps({"task": "rewriting"}))
    of_stage = Asking(Offered(ITEMS, {}), "toy", "rewriting", task, "m", "{}", 7, Path("r.arrow"))
    assert (of_stage.items(5), of_stage.seeds((3, 12))) == (list(ITEMS), (3,))
    assert asking(None).seeds((3, 12)) == (3, 12)


@pytest.mark.parametrize(("runs", "asked"), [(None, (3, 12, 26)), (1, (3,)), (2, (3, 12)), (9, (3, 12, 26))])
def test_runs_limit_seeds_to_first_ones(runs: int | None, asked: tuple[int, ...]) -> None:
    assert asking(None, runs).seeds((3, 12, 26)) == asked


def test_item_sample_is_same_for_task_and_model_limit() -> None:
    assert asking(5).items(None) == asking(None).items(5) == asking(5).items(9)
    assert set(asking(3).items(5)) < set(asking(5).items(None))
