"""``nlfol explain`` as a command: what it needs, and what it says to arguments that it cannot use."""

import sys
from pathlib import Path

import pytest
from tests.unit.cli.rows import process


def test_cli_start_avoids_heavy_imports() -> None:
    heavy = "{'polars', 'pyarrow', 'scipy', 'torch', 'nlfol.logic', 'nlfol.provenance'}"
    code = f"import sys, nlfol.cli.main; print(sorted({heavy} & sys.modules.keys()))"
    done = process(command=[sys.executable, "-c", code])
    assert (done.returncode, done.stdout, done.stderr) == (0, "[]\n", "")


def test_explain_names_missing_package(tmp_path: Path) -> None:
    code = "import sys; sys.modules['polars'] = None; from nlfol.cli.main import main; main()"
    asked = ("explain", str(tmp_path / "t.csv"), "--row", "1", "--column", "items")
    done = process(*asked, command=[sys.executable, "-c", code])
    assert done.returncode == 2
    assert "nlfol explain needs the package polars: pip install -r requirements.txt" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent.csv", "--row", "1", "--column", "items"], "absent.csv: no such table"),
        (["absent.csv", "--column", "items"], "Missing option '--row'"),
        (["absent.csv", "--row", "1"], "Missing option '--column'"),
    ],
)
def test_unusable_arguments_exit_with_status_2(arguments: list[str], message: str) -> None:
    done = process("explain", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
