"""Programs by another solver, item by item; right sentences against right problems."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.stored import stored

from nlfol.results.statistics.aligned import Aligned
from nlfol.store import files, schemas
from nlfol_extras.analyses.chains import chains, chains_figure
from nlfol_extras.analyses.levels import levels, levels_figure

OURS = {"a": ("true", 1), "b": ("false", 0), "c": ("true", 0), "d": (None, 0), "e": ("true", 1), "f": ("true", 0)}
THEIRS = {"a": ("true", 1), "b": ("true", 1), "c": ("false", 0), "d": ("true", 1), "e": (None, 0), "g": ("true", 1)}


def scores(folder: Path, task: str, kind: str, model: str, answers: dict[str, tuple[str | None, int]]) -> Path:
    path = folder / f"{task}.{model}.arrow"
    rows = [
        stored(schemas.SCORES, item=item, metric="right", seed=0, answer=answer, score=float(right))
        for item, (answer, right) in answers.items()
    ]
    about = {"dataset": "d", "task": task, "task_kind": kind, "model": model, "kind": "chat", "protocol": ""}
    files.write(path, schemas.SCORES, rows, about)
    return path


def test_chains_count_verdicts_item_by_item(tmp_path: Path) -> None:
    paths = [
        scores(tmp_path, "p", "program", "m", OURS),
        scores(tmp_path, "p", "program", "other", OURS),
        scores(tmp_path, "v", "question_answering", "m.pyke", THEIRS),
    ]
    (row,) = chains(paths, {"m.pyke": "m"})
    assert row == {
        "dataset": "d",
        "task": "p",
        "model": "m",
        "chain": "m.pyke",
        "programs": 5,
        "theirs": 4,
        "theirs_right": 3,
        "ours": 4,
        "ours_right": 2,
        "only_ours": 1,
        "only_ours_right": 1,
        "both": 3,
        "agree": 1,
        "for_ours": 0,
        "for_theirs": 1,
        "for_neither": 1,
    }
    figure = chains_figure(pl.DataFrame([row]))
    assert figure is not None
    assert {(mark["by"], mark["part"], mark["share"]) for mark in figure.rows} == {
        *(("m, pyke", "executed", 0.8), ("m, pyke", "right", 0.6)),
        *(("m, nlfol", "executed", 0.8), ("m, nlfol", "right", 0.4)),
    }
    assert chains(paths[:2], {"m.pyke": "m"}) == []


def aligned(model: str, *programs: tuple[int, bool]) -> Aligned:
    """Programs of two lines each, of which so many are equivalent."""
    rows: list[Any] = [
        {"item": f"{number}", "story": f"{number}", "seed": 0, "right": right, "lines": {"sum": float(lines), "of": 2}}
        for number, (lines, right) in enumerate(programs)
    ]
    rows.append({"item": "x", "story": "x", "seed": 0, "right": True, "lines": None})
    return Aligned({"dataset": "d", "task": "p", "model": model, "kind": "chat"}, tuple(rows), "plain")


def test_levels_separate_models_from_their_programs() -> None:
    # The better a model, the more of both; inside each, right answers do not go with right lines.
    models = (
        aligned("good", (2, True), (2, False), (1, True), (1, True)),
        aligned("middle", (1, True), (1, False), (0, True), (0, False)),
        aligned("bad", (0, False), (0, False), (1, False), (0, False)),
    )
    rows = levels(models)
    found = {(row["model"], row["level"]): row for row in rows}
    assert {row["across"] for row in rows if row["level"] == "all"} == {1.0}
    assert found["good", "all"]["within"] == pytest.approx(-((1 / 3) ** 0.5))
    assert found["middle", "all"]["within"] == pytest.approx(0)
    assert found["bad", "all"]["within"] is None
    assert (found["good", "every"]["programs"], found["good", "every"]["right"]) == (2, 0.5)
    assert [level for model, level in found if model == "middle"] == ["all", "none", "half or more"]
    assert levels(models[:2])[0]["across"] is None
    assert levels_figure(pl.DataFrame(rows)) is not None
