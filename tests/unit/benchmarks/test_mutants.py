"""Mutants of a small module."""

import os
import subprocess
import sys
from pathlib import Path

TOY = "def larger(one: int, other: int) -> int:\n    return one if one > other else other + 0\n"


def test_mutants_that_tests_kill_are_counted(tmp_path: Path) -> None:
    module = tmp_path / "workflow" / "scripts" / "nlfol" / "toy" / "larger.py"
    module.parent.mkdir(parents=True)
    module.write_text(TOY, encoding="utf-8")
    (module.parents[1] / "__init__.py").touch()
    tests = tmp_path / "tests"
    tests.mkdir()
    test = "from nlfol.toy.larger import larger\n\ndef test():\n    assert larger(1, 2) == 2\n"
    (tests / "test_larger.py").write_text(test, encoding="utf-8")
    command = [sys.executable, "benchmarks/mutants.py", "--package", "toy", "--tests", "tests", "--root", str(tmp_path)]
    root = Path(__file__).parents[3]
    run = subprocess.run(command, cwd=root, env=os.environ, check=True, capture_output=True, text=True)
    assert sorted(run.stdout.splitlines()) == [
        "1 of 3 mutants killed",
        "SURVIVES (1 tests reach it) larger: one > other -> one >= other (1)",
        "SURVIVES (1 tests reach it) larger: other + 0 -> other - 0 (1)",
        "killed (1 tests reach it) larger: 0 -> 1 (1)",
    ]
