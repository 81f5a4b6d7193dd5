"""Options of several commands. Nothing here imports the logic: each command imports what it runs when it is run."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer


@contextmanager
def refusing(*errors: type[Exception]) -> Iterator[None]:
    """Turn some errors into that of an argument, which the command cannot use."""
    try:
        yield
    except errors as error:
        raise typer.BadParameter(str(error)) from error


def require_workflow() -> None:
    """Refuse a command that runs experiments where there is no workflow; raises ``typer.BadParameter``."""
    from nlfol.installed import workflow_is_here

    if not workflow_is_here():
        raise typer.BadParameter(
            "the workflow is not here: clone the repository and run nlfol there, after make tables"
        )


def existing(path: Path | None) -> Path | None:
    """Return the path of an existing file, or None for standard input; raises ``typer.BadParameter`` otherwise."""
    if path is None or str(path) == "-":
        if sys.stdin is None:
            raise typer.BadParameter("standard input is closed; name a file")
    elif not path.is_file():
        raise typer.BadParameter(f"no file {path}; name a file of JSON Lines, or leave it out to read standard input")
    return path


def one_of(names: Callable[[], Iterable[str]], *declarations: str, help: str) -> Any:  # noqa: A002
    """Declare an option whose value, or each of several, is one of some names, which are imported when it is used."""

    def check(value: str | list[str] | None) -> str | list[str] | None:
        for each in [value] if isinstance(value, str) else value or ():
            if each not in (allowed := list(names())):
                raise typer.BadParameter(f"{each!r} is not one of {', '.join(allowed)}")
        return value

    return typer.Option(*declarations, callback=check, autocompletion=lambda: list(names()), help=help)


def budget_of(rlimit: int | None) -> int:
    """Return Z3's budget per question: ``--rlimit``, or the one that experiments have."""
    from nlfol.logic.decision.solver import DEFAULT_BUDGET

    return DEFAULT_BUDGET if rlimit is None else rlimit


File = Annotated[
    Path | None, typer.Argument(callback=existing, help="JSON Lines; by default, or with '-', standard input.")
]
Budget = Annotated[
    int | None, typer.Option("--rlimit", min=1, help="Z3's budget per question; by default that of experiments.")
]
Jobs = Annotated[int, typer.Option("--jobs", min=1, help="Number of processes; the results do not depend on it.")]

Propositions = Annotated[
    bool, typer.Option("--propositions", help="Names that stand alone are propositional letters: p → q ∨ r.")
]
