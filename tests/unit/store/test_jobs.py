"""Scripts called as jobs of Snakemake."""

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from snakemake.iocontainers import InputFiles, OutputFiles, Params, Wildcards

from nlfol.store.jobs import arguments, run_job
from nlfol.store.parts import WHOLE, Part


def main(
    items_file: Path,
    *,
    lexica: Sequence[Path],
    task_json: str,
    dataset: str,
    output: Path,
    outputs: Sequence[Path],
    glosses: Path | None,
    wordnet: Path | None,
    seed: int | None,
    part: Part = WHOLE,
    forms: Path = Path("shipped.yaml"),
) -> None:
    raise AssertionError(items_file, lexica, task_json, dataset, output, outputs, glosses, wordnet, seed, part, forms)


def job(folder: Path, **more: Any) -> SimpleNamespace:
    files = {"items_file": "items.arrow", "lexica": ["a.yaml", "b.yaml"], "glosses": [], "seed": "of another file"}
    params = {"task_": (), "task_items": ("task.items=3",), "seed": None, "wordnet": "wordnet"}
    return SimpleNamespace(
        input=InputFiles(fromdict=files),
        output=OutputFiles(fromdict={"scores": "scores.arrow", "log": "log.csv"}),
        params=Params(fromdict=params | more),
        wildcards=Wildcards(fromdict={"dataset": "toy"}),
        resources={"gpu": 2},
        log=[str(folder / "logs/job.log")],
    )


def test_job_arguments_match_rule_keywords(tmp_path: Path) -> None:
    assert arguments(main, job(tmp_path)) == {
        "items_file": Path("items.arrow"),
        "lexica": [Path("a.yaml"), Path("b.yaml")],
        "task_json": '{"items": 3}',
        "dataset": "toy",
        "output": Path("scores.arrow"),
        "outputs": [Path("scores.arrow"), Path("log.csv")],
        "glosses": None,
        "wordnet": Path("wordnet"),
        "seed": None,
        "part": WHOLE,
    }
    assert arguments(main, job(tmp_path, forms="own.yaml"))["forms"] == Path("own.yaml")


def test_run_job_sets_log_gpus_and_derived_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[int] = []

    def holding(count: int) -> nullcontext[None]:
        held.append(count)
        return nullcontext()

    monkeypatch.setitem(main.__globals__, "snakemake", job(tmp_path))
    with pytest.raises(SystemExit):
        run_job(main, holding, seed=lambda given: given.resources["gpu"] + 1)
    assert held == [2]
    log = (tmp_path / "logs/job.log").read_text()
    assert "AssertionError: (PosixPath('items.arrow'), [PosixPath('a.yaml')" in log
    assert "PosixPath('wordnet'), 3, Part(" in log
