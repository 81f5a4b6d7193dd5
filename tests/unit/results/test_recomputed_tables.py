"""Tables of the recorded responses, computed again by ``benchmarks/recomputed_tables.py``."""

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from benchmarks.recomputed_rows import ROWS
from benchmarks.recomputed_run import GUESSERS, TABLES, UNREASONED, Run
from benchmarks.recomputed_tables import compare, report
from tests.unit.results import recorded

from nlfol import facts
from nlfol.results.analyses.registry import TABLES as ALL_TABLES


@pytest.fixture(scope="module")
def results(recorded_tables: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recorded experiment as a run has it."""
    made = recorded_tables.parent
    places = {made / f"{name}.arrow": f"datasets/toy/{name}.arrow" for name in ("sentences", "triples", "measures")}
    for task, models in recorded.MODELS.items():
        places[made / f"{task}.arrow"] = f"items/toy/{task}.arrow"
        places[made / f"audit.{task}.arrow"] = f"audits/toy/{task}.arrow"
        places[made / f"{task}.evidence.arrow"] = f"evidence/toy/{task}.arrow"
        for model in models:
            places[made / f"{task}.{model}.arrow"] = f"responses/toy/{task}/{model}.arrow"
            places[made / f"scores.{task}.{model}.arrow"] = f"scores/toy/{task}/{model}.arrow"
    results = tmp_path_factory.mktemp("results")
    for source, place in places.items():
        if source.exists():
            (results / place).parent.mkdir(parents=True, exist_ok=True)
            (results / place).symlink_to(source)
    shutil.copytree(recorded_tables, results / "tables")
    configuration: dict[str, dict[str, Any]] = {
        "datasets": {"toy": {}},
        "tasks": {task: {} for task in recorded.MODELS},
    }
    (results / "manifest.json").write_text(json.dumps({"experiment": {"configuration": configuration}}), "utf-8")
    return results


@pytest.mark.parametrize("table", TABLES)
def test_recomputed_table_matches_recorded_table(results: Path, table: str) -> None:
    assert compare(Run(results), table).differences == []


def test_recomputed_tables_have_row_definitions() -> None:
    assert {*TABLES} == {*ROWS}
    assert {*TABLES} <= {*ALL_TABLES}


def test_recomputed_kinds_of_models_are_those_of_tables() -> None:
    assert (GUESSERS, UNREASONED) == (facts.GUESSERS, facts.UNREASONED)


def test_report_names_tables_that_are_not_recomputed(results: Path) -> None:
    lines = [line for line, _ in report(Run(results), ["above_chance"], ["words", "costs"])]
    assert lines[0].startswith("above_chance: ")
    assert lines[-1] == "not recomputed: costs, words"


@pytest.fixture
def changed(results: Path, tmp_path: Path) -> Path:
    """A copy of the results, to be changed."""
    return shutil.copytree(results, tmp_path / "results")


def test_table_comparison_names_changed_value(changed: Path) -> None:
    path = changed / "tables/dialogue.csv"
    header, *rows = csv.reader(path.read_text(encoding="utf-8").splitlines())
    rows[1][header.index("ranking_equivalence_mean")] = "0.123"
    with path.open("w", encoding="utf-8", newline="") as target:
        csv.writer(target).writerows([header, *rows])
    (difference,) = compare(Run(changed), "dialogue").differences
    assert f"model={rows[1][header.index('model')]}" in difference
    assert "ranking_equivalence_mean is 0.123, recomputed" in difference


def test_table_comparison_names_missing_column(changed: Path) -> None:
    path = changed / "tables/dialogue.csv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("ranking_equivalence_mean", "ranking_mean", 1), encoding="utf-8")
    differences = compare(Run(changed), "dialogue").differences
    assert any("there is no column ranking_equivalence_mean" in each for each in differences)


def test_table_comparison_names_unmatched_rows_and_answers(changed: Path) -> None:
    path = changed / "tables/scores.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("alpha", "omega"), encoding="utf-8")
    differences = compare(Run(changed), "scores").differences
    assert any("omega" in each and "there are no answers" in each for each in differences)
    assert any("alpha" in each and "there is no row" in each for each in differences)


@pytest.mark.parametrize("table", ["dialogue", "differences", "task_agreement"])
def test_table_comparison_names_missing_and_duplicate_rows(changed: Path, table: str) -> None:
    path = changed / f"tables/{table}.csv"
    header, *rows = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([header, *rows[1:], rows[1]]) + "\n", encoding="utf-8")
    differences = compare(Run(changed), table).differences
    assert [each for each in differences if each.endswith("there is no row")]
    assert [each for each in differences if each.endswith("there are 2 rows")]
