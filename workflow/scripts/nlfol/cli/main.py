"""The commands and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nlfol.cli.lines import opened, records, write

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="First-order logic on JSON Lines: one output line for each input line, in order.",
)



def _existing(path: Path | None) -> Path | None:
    if path is not None and str(path) != "-" and not path.is_file():
        raise typer.BadParameter(f"{path} is no file; give JSON Lines, or nothing to read standard input")
    return path


File = Annotated[Path | None, typer.Argument(callback=_existing, help="JSON Lines; standard input if none or '-'.")]


@app.command()
def parse(file: File = None) -> None:
    """Read formulas as models write them.

    {"id", "text"} -> {"id", "ok", "formula", "dialect", "repairs", "ambiguous", "error"}
    """
    from nlfol.cli.parse import parsed

    with opened(file) as source:
        write(parsed(records(source)))


@app.callback()
def _root() -> None:
    """First-order logic on JSON Lines: one output line for each input line, in order."""


def main() -> None:
    """Run the command; exit status 2 for unusable arguments."""
    app()
