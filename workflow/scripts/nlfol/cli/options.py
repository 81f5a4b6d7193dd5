"""Options that several commands have."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from nlfol.logic.decision.engines import ENGINES, EngineError, stages_of


def existing(path: Path | None) -> Path | None:
    """A path of a file that is there, or none for standard input.

    Raises:
        typer.BadParameter: if it is not, or standard input is closed.
    """
    if path is None or str(path) == "-":
        if sys.stdin is None:
            raise typer.BadParameter("standard input is closed; name a file")
    elif not path.is_file():
        raise typer.BadParameter(f"no file {path}; name a file of JSON Lines, or leave it out to read standard input")
    return path


def _installed(names: list[str]) -> list[str]:
    try:
        stages_of(names)
    except EngineError as error:
        raise typer.BadParameter(str(error)) from error
    return names


File = Annotated[
    Path | None,
    typer.Argument(callback=existing, help="JSON Lines; by default, or with '-', standard input."),
]
Engines = Annotated[
    list[str],
    typer.Option(
        "--engine",
        callback=_installed,
        help=f"Another engine: {', '.join(sorted(ENGINES))}; repeatable.",
    ),
]
Budget = Annotated[int, typer.Option("--rlimit", min=1, help="Z3's budget per question.")]
Jobs = Annotated[int, typer.Option("--jobs", min=1, help="Number of processes; the results do not depend on it.")]

Propositions = Annotated[
    bool, typer.Option("--propositions", help="Names that stand alone are propositional letters: p → q ∨ r.")
]
