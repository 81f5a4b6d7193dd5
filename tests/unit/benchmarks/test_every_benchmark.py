"""Every script of ``benchmarks`` at its smallest size, in this process: most of a small run is the imports.

Some need results, published data or minutes: these only say what they take, which imports all that they use.
"""

import ast
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from benchmarks import scoring
from tests.examples import ROOT

RUN = {
    "adequate_problems": ["--families", "proofs", "--count", "1", "--most", "6"],
    "adapter_sentences": ["FOLDER", "--signatures", "4", "--each", "2"],
    "api": ["--requests", "20", "--latency", "0.01", "--concurrency", "4"],
    "attribution": ["--samples", "1"],
    "boards": ["--pairs", "5"],
    "claims": ["--samples", "2"],
    "codings": ["--count", "1", "--most", "2"],
    "copies": ["--count", "20"],
    "damage": ["--count", "5"],
    "diversification": ["--count", "8"],
    "dressed_answers": ["--count", "60"],
    "first_requests": ["paper", "--brief"],
    "fuzzed_texts": ["--count", "60"],
    "generated_pairs": ["--items", "1", "--sets", "k_sat"],
    "generating": ["--count", "1", "--draws", "200", "--sets", "k_sat", "regular"],
    "gpu_parts": ["environment", "environment.json", "--work", "FOLDER"],
    "harnesses": ["--count", "2", "--tasks", "logical_translation", "question_answering"],
    "intervals": ["--samples", "2"],
    "journals": ["--journals", "2", "--lines", "20", "--characters", "100"],
    "packages": [],
    "planning": ["--samples", "2", "--rounds", "2"],
    "problems": ["--count", "8", "--processes", "1"],
    "ranks": ["--samples", "2"],
    "rare_drift": ["--samples", "2"],
    "reading_sets": ["--samples", "1"],
    "regular": ["--pairs", "10"],
    "reward_games": ["--rows", "1", "--kinds", "logical_translation"],
    "rewards": ["--rows", "2", "--group", "4", "--hostile", "4"],
    "same_results": ["record", "FOLDER"],
    "scale": ["--answers", "20", "--characters", "100"],
    "scoring": ["--items", "4", "--rates", "rates.json"],
    "second_looks": ["--samples", "2"],
    "story_flips": ["--samples", "2"],
    "surface_cues": ["--rows", "5"],
    "typed_distance": ["--premises", "1"],
    "unknowns": ["--pairs", "8", "8"],
    "verification_cues": ["--count", "1"],
    "witnesses": ["--premises", "8"],
}
"""Arguments by script; FOLDER is an empty one."""

ASKED = {
    "of a run": ("paper_exports", "recomputed_tables"),
    "servers": ("servers",),
    "a process a part": ("gpu",),
    "TRL": ("reinforcement",),
    "published data": (
        "arlsat",
        "definitions",
        "forward_chaining",
        "gold_formulas",
        "lint",
        "other_words",
        "own_ontologies",
        "programs",
        "released_programs",
        "verified_gold",
        "written_programs",
    ),
    "whole runs": ("dag", "forgeries", "kills", "scored_files", "scripted_models", "starts"),
    "minutes": (
        "alignment",
        "anagram_sets",
        "equivalence",
        "fair_kinds",
        "fair_sets",
        "phrasings",
        "published_sets",
        "round_trip_references",
    ),
}
"""Scripts that need more than ``--help``, by what they need."""

SCRIPTS = {path.stem: path for path in (ROOT / "benchmarks").glob("*.py")}


def _is_script(path: Path) -> bool:
    """Return True if a file does something when it is run."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return any(isinstance(node, ast.If) and "__main__" in ast.unparse(node.test) for node in tree.body)


def _run(name: str, arguments: Sequence[str]) -> None:
    """Run a script as with these arguments; it must succeed."""
    with mock.patch.object(sys, "argv", [name, *arguments]), mock.patch.dict(os.environ):
        try:
            status = import_module(f"benchmarks.{name}").main()
        except SystemExit as end:
            status = end.code
    assert not status


def test_benchmark_scripts_are_all_registered() -> None:
    asked = [name for names in ASKED.values() for name in names]
    assert sorted([*RUN, *asked]) == sorted(name for name, path in SCRIPTS.items() if _is_script(path))


@pytest.mark.parametrize("name", sorted(name for name, path in SCRIPTS.items() if not _is_script(path)))
def test_benchmark_modules_import(name: str) -> None:
    import_module(f"benchmarks.{name}")


def test_benchmark_scripts_put_checkout_on_path() -> None:
    for name, path in SCRIPTS.items():
        text = path.read_text(encoding="utf-8")
        if _is_script(path) and ("\nfrom tests" in text or "\nfrom benchmarks" in text):
            assert "sys.path.insert(0, str(Path(__file__).parents[1]))" in text, name


@pytest.mark.parametrize("name", sorted(RUN))
def test_benchmarks_run_at_smallest_size(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def here(_: str, work: Callable[..., float], jobs: Sequence[tuple[Any, ...]]) -> tuple[float, float, float]:
        return sum(work(*job) for job in jobs), 0.0, 0.0

    monkeypatch.setattr(scoring, "measure", here)  # else a process a job
    monkeypatch.chdir(tmp_path)
    _run(name, [str(tmp_path) if each == "FOLDER" else each for each in RUN[name]])
    assert capfd.readouterr().out or any(tmp_path.iterdir())


@pytest.mark.parametrize("name", sorted(name for names in ASKED.values() for name in names))
def test_benchmarks_print_usage(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    _run(name, ["--help"])
    assert capfd.readouterr().out.startswith("usage: ")
