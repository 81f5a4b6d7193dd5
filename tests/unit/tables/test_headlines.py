from typing import Any

from tests.stored import stored

from nlfol.store.schemas import CELLS
from nlfol.tables.headlines import headlines
from nlfol.tasks.registry import TASKS


def cell(task: str, metric: str, model: str, mean: float | None, **other: Any) -> dict[str, Any]:
    about = {"dataset": "toy", "task": task, "task_kind": task if task in TASKS else "most_similar", "kind": "chat"}
    figures = {
        "metric": metric,
        "model": model,
        "mean": mean,
        "low": 0.1,
        "high": 0.9,
        "answered": 4,
        "items": 8,
        "available": 8,
    }
    return stored(CELLS, **{**about, **figures, **other})


def test_the_best_model_of_a_task_by_its_first_metric_beside_chance() -> None:
    cells = [
        cell("ranking", "equivalence", "one", 0.25, presentation="formula"),
        cell("ranking", "both", "one", 0.99, presentation="formula"),
        cell("ranking", "equivalence", "one", 0.5, presentation="english", low=0.375, high=0.625),
        cell("ranking", "equivalence", "two", 0.125, presentation="formula", kind="embedding"),
        cell("ranking", "equivalence", "hardly", 1.0, presentation="formula", items=2),
        cell("ranking", "equivalence", "reader", 1.0, presentation="english", kind="reader"),
        cell("ranking", "equivalence", "chance", 0.125, presentation="formula", kind="chance"),
        cell("ranking", "equivalence", "chance", 0.0625, presentation="english", kind="chance"),
    ]
    assert headlines(cells) == [
        # In the first presentation, among those asked at least half as much: two right answers are no rank.
        "ranking on toy: best of 2 is one with 0.250 [0.100, 0.900] (equivalence, formula; 8 items); chance 0.125"
    ]


def test_a_verifier_is_as_good_as_on_the_kind_of_pair_that_it_is_worse_at() -> None:
    means = {("always_yes", "equivalent"): 1.0, ("always_yes", "perturbation"): 0.0}
    means |= {("careful", "equivalent"): 0.75, ("careful", "perturbation"): 0.625}
    cells = [cell("verification", "right", model, mean, presentation=kind) for (model, kind), mean in means.items()]
    assert headlines(cells) == [
        "verification on toy: best of 2 is careful with 0.625 [0.100, 0.900] (right, perturbation; 8 items)"
    ]


def test_what_was_not_measured_is_not_told() -> None:
    cells = [cell("translation", "", "none", None), cell("ranking", "both", "chance", 0.5, kind="chance")]
    assert headlines(cells) == []
    told = headlines([*cells, cell("translation", "equivalence", "one", 0.0)])
    assert told == ["translation on toy: one with 0.000 [0.100, 0.900] (equivalence; 8 items)"]


def test_where_no_answer_could_be_read_it_is_said() -> None:
    (told,) = headlines([cell("ranking", "both", "silent", 0.0, answered=0, empty=3, unparsable=1)])
    assert told.endswith("(both; 8 items); no answer could be read: 1 unparsable, 3 empty")


def test_a_large_grid_has_few_lines() -> None:
    told = headlines([cell(f"task-{number}", "accuracy", "one", 0.5) for number in range(5)], most=3)
    assert len(told) == 4
    assert told[2].startswith("task-2 on toy")
    assert told[3] == "and 2 more"
