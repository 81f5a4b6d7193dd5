"""``nlfol explain`` as a command: what it needs, and what it says to arguments that it cannot use."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.unit.cli.rows import usage_error

import nlfol

LIBRARY = str(Path(nlfol.__file__).parents[1])


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": LIBRARY, "COLUMNS": "1000"}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_the_start_of_every_command_loads_neither_the_logic_nor_packages_of_a_run() -> None:
    heavy = "{'polars', 'pyarrow', 'scipy', 'torch', 'nlfol.logic', 'nlfol.provenance'}"
    done = run(f"import sys, nlfol.cli.main; print(sorted({heavy} & sys.modules.keys()))")
    assert (done.returncode, done.stdout, done.stderr) == (0, "[]\n", "")


def test_without_the_packages_of_a_run_it_says_which_is_missing() -> None:
    code = "import sys; sys.modules['polars'] = None; from nlfol.cli.main import main; main()"
    done = run(code, "explain", "t.csv", "--row", "1", "--column", "items")
    assert done.returncode == 2
    assert "polars is missing; install requirements.txt" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--row", "1", "--column", "items"], "absent.csv: no such table"),
        (["--column", "items"], "Missing option '--row'"),
        (["--row", "1"], "Missing option '--column'"),
    ],
)
def test_unusable_arguments_have_status_2(arguments: list[str], message: str) -> None:
    assert message in usage_error("explain", "absent.csv", *arguments)
