"""The environment of verifiers, in an interpreter that has it: ``NLFOL_VERIFIERS_PYTHON`` (``make test-doors``)."""

import json
import os
import subprocess
import sys

import pytest
from tests.examples import ROOT

SCORE = """
import asyncio, json, sys
from types import SimpleNamespace
from nlfol_verifiers import NlfolTaskset
from nlfol_verifiers.taskset import NlfolConfig, NlfolTaskConfig

task = next(iter(NlfolTaskset(NlfolConfig(task=NlfolTaskConfig(python=sys.argv[1], seconds=0.5)))))
gold = json.loads(task.data.row)["formula"]
replies = [SimpleNamespace(last_reply=text) for text in (gold, "⊤", "(" * 9000, "", gold)]
print(json.dumps([asyncio.run(task.equivalence(reply)) for reply in replies]))
"""


def test_verifiers_environment_rewards_as_nlfol_does() -> None:
    python = os.environ.get("NLFOL_VERIFIERS_PYTHON")
    if not python:
        pytest.skip("NLFOL_VERIFIERS_PYTHON names no interpreter that has verifiers")
    paths = [str(ROOT / "environments/nlfol_verifiers"), str(ROOT / "workflow/scripts")]
    done = subprocess.run(
        [python, "-c", SCORE, sys.executable],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == [1, 0, 0, 0, 1]
