"""Commands that are run in this process, and the rows that they write."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

import nlfol
from nlfol.cli.main import app


def run(*arguments: str, lines: str | bytes = "") -> Result:
    """Run a command on lines of its standard input."""
    return CliRunner().invoke(app, arguments, input=lines)


COMMAND = [sys.executable, "-m", "nlfol.cli.main"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(nlfol.__file__).parents[1]), "COLUMNS": "1000"}


def process(*arguments: str, lines: str = "", command: Sequence[str] = COMMAND) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, with room for long lines on its terminal."""
    return subprocess.run(
        [*command, *arguments], input=lines, capture_output=True, encoding="utf-8", env=ENVIRONMENT, check=False
    )


def run_on(records: Iterable[object], *arguments: str) -> Result:
    """Run a command on a line for each record, a text being a line as it stands."""
    return run(*arguments, lines="".join(r if isinstance(r, str) else json.dumps(r) + "\n" for r in records))


def status(rows: Iterable[Mapping[str, Any]]) -> int:
    """Return 1 if a row says that something failed."""
    return int(any(row.get(key) for row in rows for key in ("error", "unusable_lines", "faults")))


def rows_of(result: Result) -> list[dict[str, Any]]:
    """Return the rows, of a command that could be run."""
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == status(rows), result.output
    return rows


def usage_error(*arguments: str, lines: str | bytes = "") -> str:
    """Return the error of a command that cannot be run, on one line."""
    result = run(*arguments, lines=lines)
    assert result.exit_code == 2, result.output
    return " ".join(result.stderr.replace("│", " ").split())
