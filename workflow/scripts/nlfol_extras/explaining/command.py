"""The command ``nlfol explain``."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from nlfol.cli.lines import write
from nlfol.plugins import placed


@placed(after="score")
def explain(
    *,
    table: Annotated[Path, typer.Argument(help="A table of a run: results/tables/NAME.csv.")],
    row: Annotated[list[str], typer.Option("--row", help="The row: NAME=VALUE, repeatable, or its number from 1.")],
    column: Annotated[str, typer.Option("--column", help="A column of the CSV.")],
    item: Annotated[str | None, typer.Option("--item", help="An item to show in full.")] = None,
    journal: Annotated[Path, typer.Option("--journal", help="The folder of journals.")] = Path("journal"),
    as_json: Annotated[bool, typer.Option("--json", help="Write one line of JSON instead of text.")] = False,
) -> None:
    """Trace a number in a table to its source, and check every file on the way.

    The exit status is 1 if a link is broken.
    """
    from nlfol_extras.explaining.texts import explained

    explanation, text = explained(table, row, column, journal, item)
    if as_json:
        write([explanation])
    else:
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
    if explanation["broken"]:
        raise typer.Exit(1)
