"""Real harnesses: the same scores as nlfol's own, item by item, and what comes back from their logs.

They are asked where they are installed: in this environment, or by ``NLFOL_INSPECT_PYTHON`` and
``NLFOL_LM_EVAL_PYTHON``, interpreters with ``locks/doors.txt`` (``make test-doors``).
"""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from benchmarks.harnesses import CHOICES, SEVERAL_STEPS, differing, in_environment, record, record_choices

HARNESSES = {"inspect": ("inspect_ai", "NLFOL_INSPECT_PYTHON"), "lm_eval": ("lm_eval", "NLFOL_LM_EVAL_PYTHON")}
KINDS = ("logical_translation", "question_answering", "most_similar", "round_trip")


def interpreter(harness: str) -> str:
    """Return an interpreter that has a harness; skip the test if there is none."""
    package, variable = HARNESSES[harness]
    python = os.environ.get(variable) or (sys.executable if find_spec(package) else None)
    if python is None:
        pytest.skip(f"{package} is not installed, and {variable} names no interpreter that has it")
    return python


@pytest.mark.parametrize("harness", HARNESSES)
def test_harness_scores_as_nlfol_does(harness: str, few: str, tmp_path: Path) -> None:
    python = interpreter(harness)
    kinds = [kind for kind in KINDS if harness == "inspect" or kind not in SEVERAL_STEPS]
    recorded = [part for kind in kinds for part in record(kind, 6, few)]
    assert {1, 0} <= {next(iter(part.scores.values())) for part in recorded}
    found = in_environment(python, harness, recorded, few, tmp_path / harness)
    assert {name: differing(recorded, scores) for name, scores in found.items()} == {"scores": [], "imported": []}


def test_lm_eval_chooses_as_nlfol_does_after_its_prompt(few: str, tmp_path: Path) -> None:
    python = interpreter("lm_eval")
    recorded = [part for kind in CHOICES for part in record_choices(kind, 6, few)]
    assert {1, 0} <= {next(iter(part.scores.values())) for part in recorded}
    found = in_environment(python, "likelihood", recorded, few, tmp_path / "likelihood")
    assert {name: differing(recorded, scores) for name, scores in found.items()} == {"scores": [], "imported": []}
