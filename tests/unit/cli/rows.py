"""The rows that a command wrote, and the exit status that goes with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from typer.testing import Result


def status(rows: Iterable[Mapping[str, Any]]) -> int:
    """1 if a row says that something failed."""
    return int(any(row.get(key) for row in rows for key in ("error", "unusable_lines", "faults")))


def rows_of(result: Result) -> list[dict[str, Any]]:
    """The rows, of a command that could be run."""
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == status(rows), result.output
    return rows
