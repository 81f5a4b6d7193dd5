"""Every script of ``benchmarks`` at its smallest size, as its head says to call it.

Some need results, published data or minutes: these only say what they take, which imports all that they use.
"""

import ast
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pytest
from tests.examples import ROOT

RUN = {
    "adapter_sentences": ["FOLDER", "--signatures", "4", "--each", "2"],
    "api": ["--requests", "20", "--latency", "0.01", "--concurrency", "4"],
    "attribution": ["--samples", "2"],
    "boards": ["--pairs", "5"],
    "candidates": ["--naive", "5"],
    "claims": ["--samples", "2"],
    "copies": ["--count", "20"],
    "damage": ["--count", "5"],
    "diversification": ["--count", "8", "--faults", "2"],
    "fuzzed_texts": ["--count", "60"],
    "generated_pairs": ["--items", "1", "--sets", "k_sat"],
    "generating": ["--count", "1", "--draws", "200"],
    "generating_memory": ["--items", "20"],
    "intervals": ["--samples", "2"],
    "journals": ["--journals", "2", "--lines", "20", "--characters", "100"],
    "locks": ["--turns", "5"],
    "packages": [],
    "phrasings": [],
    "problems": ["--count", "8", "--processes", "1"],
    "regular": ["--pairs", "10"],
    "same_results": ["record", "FOLDER"],
    "scoring": ["--items", "8"],
    "sharing": ["--jobs", "4", "--latency", "0.01"],
    "slow_texts": ["--slips", "5"],
    "surface_cues": ["--rows", "5"],
    "unknowns": ["--pairs", "8", "8"],
    "verification_cues": ["--count", "1"],
}
"""Arguments by script; FOLDER is an empty one."""

ASKED = {
    "of a run": ("embedding", "local_chat", "paper_exports", "recomputed_tables"),
    "published data": (
        "entailment",
        "gold_formulas",
        "lint",
        "other_words",
        "own_ontologies",
        "programs",
        "released_programs",
    ),
    "whole runs": ("dag", "estimates", "interruptions", "scored_files", "scripted_models", "starts"),
    "minutes": ("alignment", "equivalence", "fair_sets", "mutants", "published_sets", "round_trip_references"),
    "Chromium": ("report",),
}
"""What scripts need to be more than asked what they take."""

SCRIPTS = {path.stem: path for path in (ROOT / "benchmarks").glob("*.py")}


def _is_script(path: Path) -> bool:
    """Return True if a file does something when it is run."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return any(isinstance(node, ast.If) and "__main__" in ast.unparse(node.test) for node in tree.body)


def _run(name: str, arguments: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    # As with an nlfol that is installed from this checkout; the folder of benchmarks is where Python finds the script.
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "workflow/scripts")}
    command = [sys.executable, str(SCRIPTS[name]), *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_every_benchmark_has_an_entry() -> None:
    asked = [name for names in ASKED.values() for name in names]
    assert sorted([*RUN, *asked]) == sorted(name for name, path in SCRIPTS.items() if _is_script(path))


@pytest.mark.parametrize("name", sorted(name for name, path in SCRIPTS.items() if not _is_script(path)))
def test_modules_of_benchmarks_are_imported(name: str) -> None:
    import_module(f"benchmarks.{name}")


@pytest.mark.parametrize("name", sorted(RUN))
def test_benchmark_runs_at_its_smallest_size(name: str, tmp_path: Path) -> None:
    arguments = [str(tmp_path) if each == "FOLDER" else each for each in RUN[name]]
    done = _run(name, arguments, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout or any(tmp_path.iterdir())


@pytest.mark.parametrize("name", sorted(name for names in ASKED.values() for name in names))
def test_benchmark_says_what_it_takes(name: str, tmp_path: Path) -> None:
    done = _run(name, ["--help"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: ")
