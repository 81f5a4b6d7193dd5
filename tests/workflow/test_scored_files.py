"""``nlfol score`` and ``nlfol.score`` give the judgements of the workflow, of written answers and of 230 others."""

from collections.abc import Mapping
from math import isnan
from pathlib import Path
from typing import Any

import pytest
from benchmarks.scored_files import configuration, differences, synthetic, write_answers
from tests.workflow.checkout import Checkout

import nlfol
from nlfol.asking.judging import dialogues
from nlfol.cli.scored import Wanted, score
from nlfol.randomness import SEED
from nlfol.store import files, schemas

Scores = dict[tuple[Any, ...], dict[str, float | None]]
"""Scores by metric of each item, presentation and seed."""


def scored_alone(responses: Path, tasks: Mapping[str, Any]) -> Scores:
    """Return what ``nlfol.score`` says of the dialogues of a RESPONSES file, each with its row of ITEMS alone."""
    dataset, task = responses.parts[-3:-1]
    items = {row["item"]: row for row in files.rows(Path(f"results/items/{dataset}/{task}.arrow"), schemas.ITEMS)}
    found: Scores = {}
    for dialogue in dialogues(files.rows(responses, schemas.ResponseRow)):
        item, presentation, seed = key = tuple({**dialogue[0]}[name] for name in ("item", "presentation", "seed"))
        row = {**items[item], "task": {"task": task, **tasks[task]}, "presentation": presentation, "seed": seed}
        scores = nlfol.score(row, dialogue).scores
        found[key] = {metric: None if isnan(score) else score for metric, score in scores.items()}
    return found


def scored_by_the_workflow(responses: Path) -> Scores:
    found: Scores = {}
    for row in files.rows(Path("results/scores", *responses.parts[-3:]), schemas.SCORES):
        found.setdefault((row["item"], row["presentation"], row["seed"]), {})[row["metric"]] = row["score"]
    return found


def test_score_command_matches_workflow(checkout: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout.folder)
    answers = {"synthetic": Path("mine/synthetic.jsonl"), "written": Path("resources/answers/written.jsonl")}
    write_answers(answers["synthetic"], list(synthetic(230)))
    values = configuration("results", answers["synthetic"])
    checkout.configure(values)
    checkout.run("results/tables/cells.arrow")
    found = {}
    for model, dataset in (("synthetic", "tarski"), *(("written", name) for name in values["datasets"])):
        scored = score(Wanted(answers[model], dataset, values["datasets"], SEED))
        assert differences(Path("results"), model, scored) == []
        found[model, dataset] = {answer["outcome"] for answer in scored.answers}
    for path in Path("results/responses").rglob("*.arrow"):
        if path.stem in answers:
            assert scored_alone(path, values["tasks"]) == scored_by_the_workflow(path), path
    assert found["synthetic", "tarski"] == {"answered", "unparsable", "empty", "failed"}
    assert {dataset for _, dataset in found} == {"tarski", "rules", "rules_varied"}
