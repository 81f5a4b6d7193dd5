"""``nlfol explain``: where a cell of a table comes from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any


class UnusableArgumentError(ValueError):
    """An argument that names nothing, or not one thing."""


def explained(
    table: Path, rows: Sequence[str], column: str, journal: Path, item: str | None
) -> tuple[dict[str, Any], str]:
    """The explanation of a cell, as JSON values and as text; see ``nlfol.provenance``.

    Raises:
        UnusableArgumentError: if an argument is unusable, or a package that reads results is not installed.
    """
    # These need polars and pyarrow, which reading and comparing formulas do not.
    try:
        from nlfol.provenance.explanation import explain
        from nlfol.provenance.reading import to_text
        from nlfol.provenance.selection import SelectionError, select
    except ModuleNotFoundError as error:
        raise UnusableArgumentError(
            f"explain needs the packages of a run, and {error.name} is missing; install requirements.txt"
        ) from error
    try:
        found = explain(select(table, rows, column), journal, item)
    except SelectionError as error:
        raise UnusableArgumentError(str(error)) from error
    return found.as_json(), to_text(found)
