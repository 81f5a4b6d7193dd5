"""Targets that no rule makes, before Snakemake says only that."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from nlfol.config.configuration import ConfigurationError
from nlfol.validation import nearest

FOLDERS = ("tables", "report")
"""What is asked for as a folder in the results."""


def check_targets(arguments: Iterable[str], results: str) -> None:
    """See that folders that the command line asks for are in the results.

    Args:
        arguments: of Snakemake; options and other targets are passed over.
        results: the configuration's folder.

    Raises:
        ConfigurationError: naming the target, and the one that was meant.
    """
    for argument in arguments:
        folder, name = PurePath(argument).parent, PurePath(argument).name
        if "/" not in argument or argument.startswith("-"):
            continue
        if folder == PurePath(results) and name not in FOLDERS and not PurePath(name).suffix:
            if meant := nearest(name, FOLDERS):
                raise ConfigurationError(f"no target {argument}{meant}")
        elif folder != PurePath(results) and name in FOLDERS:
            raise ConfigurationError(
                f"no target {argument}: the configuration has results: {results}; ask for {results}/{name}, or set "
                f"results: {folder} in the file that --configfile names"
            )
