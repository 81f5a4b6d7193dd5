"""``nlfol released``: from a source to tables, at a few problems."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tests.examples import ROOT
from tests.unit.extras.test_released_sources import record, verdict

from nlfol.store.files import read_frame
from nlfol_extras.analyses.chains import CHAINS
from nlfol_extras.analyses.released import RELEASED


def test_released_answers_are_judged_beside_another_solver(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    right = "Premises:\nCold(p)\n∀x (Cold(x) → Kind(x))\nConclusion:\nKind(p)"
    programs = [record(0, raw_logic_programs=[right]), record(1), record(2, raw_logic_programs=["no program"])]
    verdicts = [verdict(0, "B", "success"), verdict(1, "C", "success"), verdict(2, "A", "parsing error")]
    for name, content in (("a.json", programs), ("b.json", verdicts)):
        (tmp_path / "data" / name).write_text(json.dumps(content), encoding="utf-8")
    file = {"path": "a.json", "dataset": "folio_dev", "model": "m", "published": {"accuracy": 0.5}}
    file |= {"solver": {"path": "b.json", "name": "prover9"}}
    source = {
        "repository": "me/mine",
        "commit": "0" * 40,
        "licence": None,
        "form": "logic_lm",
        "decoding": "greedy",
        "publication": {"where": "table 2"},
        "prompt": {"id": "p", "examples": 2},
        "models": {"m": {"provider": "P", "date": "2024"}},
        "files": [file],
    }
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources/mine.yaml").write_text(yaml.safe_dump(source), encoding="utf-8")
    command = ["-c", "from nlfol.cli.main import main; main()", "released", "mine", "--sources", "sources"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "workflow/scripts"), "NLFOL_DATA": str(tmp_path / "data")}
    arguments = [sys.executable, *command, "--name", "r", "--cores", "2", "--verbose"]
    done = subprocess.run(arguments, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (row,) = read_frame(tmp_path / "runs/r/results/tables/chains.arrow", CHAINS).to_dicts()
    assert {name: row[name] for name in ("programs", "theirs", "ours", "both", "for_ours", "agree")} == {
        "programs": 3,
        "theirs": 2,
        "ours": 2,
        "both": 2,
        "for_ours": 1,
        "agree": 1,
    }
    (row,) = read_frame(tmp_path / "runs/r/results/tables/released.arrow", RELEASED).to_dicts()
    assert (row["published"], row["where"], row["items"]) == (0.5, "table 2", 3)
    assert row["difference"] == pytest.approx(row["right"] - 0.5)
    assert "m.prover9" in (tmp_path / "runs/r/results/tables/chains.md").read_text(encoding="utf-8")
