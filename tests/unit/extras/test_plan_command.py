"""``nlfol plan``: items needed, against figures worked out elsewhere, and a pilot's figures."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.unit.cli.rows import rows_of, run, usage_error

from nlfol.store import files
from nlfol.store.schemas import CELLS
from nlfol_extras.analyses.facets import FACETS
from nlfol_extras.commands import plan
from nlfol_extras.commands.plan import Design, Simulation, pilots, planned


@pytest.fixture(autouse=True)
def _few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "ROUNDS", (30, 60))


def test_plan_is_near_independent_formula() -> None:
    """Twenty points at power .8, one seed, one pair, no stories: (1.96 + 0.84)² 2 p (1 - p) / .2²."""
    design = Design(0.7, story_size=1, within_story=0, correlation=0)
    assert planned(0.2, design, seeds=1, models=2, power=0.8)["items"] == pytest.approx(82, rel=0.25)


def test_plan_grows_with_models_and_stories_and_falls_with_seeds() -> None:
    def items(models: int = 2, seeds: int = 1, within_story: float = 0.0) -> int:
        return planned(0.3, Design(item=0.4, within_story=within_story), seeds=seeds, models=models, power=0.8)["items"]

    plain = items()
    assert items(models=6, within_story=0.9) > 1.5 * plain
    assert items(seeds=5) < plain


def test_simulated_models_differ_as_asked() -> None:
    """Without a difference the p of the test is as rarely small as it says; with all the difference, always."""
    assert Simulation(Design(), 0.0, 1, 0.05).power(20, 200) < 0.1
    assert Simulation(Design(), 0.9, 1, 0.05).power(20, 20) == 1


def _row(component: str, variance: float) -> dict[str, Any]:
    named = {"dataset": "tarski", "task": "ranking", "presentation": "english", "task_kind": "ranking"}
    counts = {"models": 3, "wordings": 1, "datasets": 1, "stories": 5, "items": 20, "seeds": 3}
    untold = dict.fromkeys(("share", "saved", "answers", "reliability", "needed"))
    return {**named, **counts, "metric": "both", "component": component, "variance": variance, **untold}


def _pilot(folder: Path, models: int = 3) -> Path:
    parts = {"model": 9.0, "story": 1.0, "item": 2.0, "model × story": 1.0, "model × item": 2.0, "seed": 4.0}
    rows = [{**_row(component, variance), "models": models} for component, variance in parts.items()]
    cells = [
        {
            **{field.name: None for field in CELLS},
            **{name: rows[0][name] for name in ("dataset", "task", "presentation", "task_kind", "metric")},
            "kind": "chat",
            "model": f"m{mean}",
            "mean": mean,
            "items": 20,
            "stories": 5,
        }
        for mean in (0.3, 0.5)
    ]
    nought = {"int": 0, "str": "", "bool": False}
    (folder / "tables").mkdir()
    files.write(folder / "tables/facets.arrow", FACETS, rows, {})
    for cell in cells:
        for field in CELLS:
            if cell[field.name] is None and not field.nullable:
                cell[field.name] = next(value for name, value in nought.items() if name in f"{field.type}")
    files.write(folder / "tables/cells.arrow", CELLS, cells, {})
    return folder


def test_pilot_tells_design(tmp_path: Path) -> None:
    ((about, design),) = pilots(_pilot(tmp_path))
    assert about == {"dataset": "tarski", "task": "ranking", "presentation": "english"}
    assert design == Design(mean=0.4, story_size=4, item=0.6, within_story=1 / 3, correlation=0.5)


def test_pilot_tells_sizes_of_stories(tmp_path: Path) -> None:
    path = _pilot(tmp_path) / "items/tarski/ranking.arrow"
    path.parent.mkdir(parents=True)
    pl.DataFrame({"story": ["a"] * 7 + ["b"]}).write_ipc(path)
    ((_, design),) = pilots(tmp_path)
    assert (design.sizes, design.story_size) == ((1, 7), 4)
    assert Design().drawn_from.tolist() == [8]


def test_unequal_stories_take_more_items() -> None:
    equal, unequal = (
        planned(0.3, Design(within_story=0.5, sizes=sizes), seeds=1, models=2, power=0.8)["items"]
        for sizes in ((8,), (1, 1, 1, 1, 36))
    )
    assert unequal > 1.3 * equal


def test_plan_command_writes_line_for_each_number_of_seeds(tmp_path: Path) -> None:
    options = "--difference", "0.5", "--seeds", "1", "--seeds", "2", "--mean", "0.5"
    first, second = rows_of(run("plan", str(_pilot(tmp_path)), *options))
    assert (first["task"], first["seeds"], second["seeds"]) == ("ranking", 1, 2)
    assert first["items"] == 4 * first["stories"]
    assert second["answers"] == 2 * 2 * second["items"]


def test_plan_command_says_what_it_lacks(tmp_path: Path) -> None:
    assert "--difference 0.3 about --mean 0.95 leaves 0 to 1" in usage_error(
        "plan", "--difference", "0.3", "--mean", "0.95"
    )
    assert "is missing; give the folder" in usage_error("plan", str(tmp_path), "--difference", "0.1")
    alone = "no question was asked of two dialogue models"
    assert alone in usage_error("plan", str(_pilot(tmp_path, models=1)), "--difference", "0.1")
    (tmp_path / "tables/cells.arrow").write_bytes(b"")
    assert "not a complete Arrow file" in usage_error("plan", str(tmp_path), "--difference", "0.1")
