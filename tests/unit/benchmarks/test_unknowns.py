"""The report on generated pairs, on a few of them."""

import re
import subprocess
import sys
from pathlib import Path

import nlfol

ROOT = Path(__file__).parents[3]


def test_the_report_counts_every_pair_and_none_is_wrong() -> None:
    script = ROOT / "benchmarks/unknowns.py"
    environment = {"PYTHONPATH": str(Path(nlfol.__file__).parents[1]), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, str(script), "--pairs", "40", "12"]
    out = subprocess.run(command, env=environment, capture_output=True, check=True, encoding="utf-8").stdout
    heads = re.findall(r"^(\w+): (\d+) pairs, unknown (\d+) \(.*%\), wrong (\d+)$", out, re.MULTILINE)
    assert [(kind, count, wrong) for kind, count, _, wrong in heads] == [("prenex", "40", "0"), ("nested", "12", "0")]
    assert len(re.findall(r"seconds a pair: mean .*, 99th percentile .*, most ", out)) == 2
    assert sum(map(int, re.findall(r"^ +(\d+) (?:equivalent|not_equivalent|unknown) by", out, re.MULTILINE))) == 52
