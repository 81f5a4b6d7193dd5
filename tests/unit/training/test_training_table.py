"""Fine-tuned models beside their bases, from files of answers to the tables."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.analysing import analyse
from tests.examples import family
from tests.stored import frame, records, stored
from tests.unit.tasks.problem_items import rows, task

import align_programs
import answer_by_reference
import judge_answers
from nlfol.asking.asking import Asking, Offered
from nlfol.problems.problem import Problem
from nlfol.results.analyses.training import TABLE, TRAINED
from nlfol.results.tables.table import Score
from nlfol.store import files, schemas
from nlfol.store.files import read_frame
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.store.training_schemas import EXAMPLES
from nlfol_extras.analyses.refusals import REFUSALS, REFUSED_ROWS

STRATEGIES = {"direct": "direct", "table": "concept_table", "formulas": "direct", "table_formulas": "concept_table"}


def job(folder: Path, name: str, strategy: str, model: str, drifting: float) -> tuple[Path, Path]:
    """The scores and programs of a translator that drifts, under a model's name."""
    problems: tuple[Problem, ...] = family("rules", 12)
    asked = task(strategy, language="formulas" if "formulas" in name else None)
    items, source = folder / f"{name}.items.arrow", folder / "problems.arrow"
    said = {"dataset": "toy", "task": name, "task_kind": "program", "protocol": "", "style": ""}
    said |= {"examples": asked.entry.example_words}
    files.write(source, PROBLEMS, [problem.to_row() for problem in problems], {"dataset": "toy"})
    files.write(items, schemas.ITEMS, rows(problems, asked), said)
    responses, scores, programs = (folder / f"{name}.{model}.{stage}.arrow" for stage in ("responses", "scores", "p"))
    given = json.dumps({"kind": "drifting", "probability": drifting})
    answer_by_reference.main(Asking(Offered.read(items), "toy", name, asked, model, given, 7, responses))
    entry_json = asked.entry.model_dump_json()
    judge_answers.main(items, responses, entry_json, scores)
    align_programs.main(items, source, responses, scores, entry_json, output=programs)
    return scores, programs


DRIFTS = {
    ("direct", "base"): 0.6,
    ("direct", "tuned"): 0.2,
    ("table", "base"): 0.3,
    ("table", "tuned"): 0.0,
    ("direct", "other"): 0.0,
}


def trained(tmp_path: Path, drifts: Mapping[tuple[str, str], float] = DRIFTS) -> tuple[Any, tuple[Path, ...]]:
    """The rows of TRAINED for translators that drift, by task and model, and their scores."""
    made = [job(tmp_path, name, STRATEGIES[name], model, share) for (name, model), share in drifts.items()]
    scores, programs = zip(*made, strict=True)
    origins = {"origins": {"tuned": ["gold", "base"]}}
    analyse("training", tmp_path, origins, trained_scores=scores, trained_programs=programs)
    return files.read(tmp_path / "trained.arrow", TRAINED), scores


def test_trained_table_pairs_adapter_with_base(tmp_path: Path) -> None:
    table, scores = trained(tmp_path)
    found = {(row["task"], row["base_task"]): row for row in table.to_pylist()}
    assert list(found) == [("direct", "direct"), ("table", "table"), ("table", "direct")]
    share = {
        key: sum(row["score"] for row in files.rows(path, schemas.SCORES) if row["metric"] == "right") / 12
        for key, path in zip(DRIFTS, scores, strict=True)
    }
    for (name, base_task), row in found.items():
        assert row["right"] == pytest.approx(share[name, "tuned"])
        assert row["right_base"] == pytest.approx(share[base_task, "base"])
        assert row["gain"] == pytest.approx(row["right"] - row["right_base"])
        assert (row["items"], row["available"], row["training"], row["base"]) == (12, 12, "gold", "base")
        assert row["strategy"] == STRATEGIES[name]
        assert row["dispersion"] < row["dispersion_base"]
        assert row["p"] <= row["adjusted"] <= 1
    assert found["table", "direct"]["low"] > 0
    assert found["table", "direct"]["dispersion_base"] == found["direct", "direct"]["dispersion_base"]

    shown = records(TABLE.table(frame(TRAINED, *table.to_pylist())))
    gain = shown[2]["gain"]
    assert isinstance(gain, Score)
    assert gain.best
    assert shown[2]["base_task"] == "direct"


def test_base_of_another_strategy_writes_programs_of_same_language(tmp_path: Path) -> None:
    made = [(name, model) for name in STRATEGIES for model in ("base", "tuned")]
    table, _ = trained(tmp_path, dict.fromkeys(made, 0.0))
    assert [(row["task"], row["base_task"]) for row in table.to_pylist()] == [
        *(("direct", "direct"), ("table", "table"), ("table", "direct")),
        *(("formulas", "formulas"), ("table_formulas", "table_formulas"), ("table_formulas", "formulas")),
    ]


def test_excluded_training_answers_appear_in_refused_rows(tmp_path: Path) -> None:
    about = {"dataset": "toy", "task": "t", "model": "m", "item": "3", "seed": 0, "step": 2}
    leak = {"tested_dataset": "exam", "tested_item": "7", "status": "refused", "reason": "leak", "detail": "it is."}
    files.write(tmp_path / "examples.arrow", EXAMPLES, [stored(EXAMPLES, **about, **leak)], {"training": "gold"})
    analyse("refusals", tmp_path, examples=[tmp_path / "examples.arrow"])
    refusals = read_frame(tmp_path / "refusals.arrow", REFUSALS)
    assert REFUSED_ROWS.table(refusals).rows == (("toy", "training", "t", "3", "leak", "gold: m, step 2: it is."),)
