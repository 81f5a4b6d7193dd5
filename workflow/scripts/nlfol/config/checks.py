"""Checks of a run's targets: Snakemake does not name the one that was meant."""

from collections.abc import Iterable
from pathlib import PurePath

from nlfol.config.reading import ConfigurationError
from nlfol.validation import nearest

FOLDERS = ("tables", "report")
"""The targets that are folders in the results."""


def check_targets(arguments: Iterable[str], results: str) -> None:
    """Check that target folders are in that of the results; ``ConfigurationError`` names the one that was meant."""
    for argument in arguments:
        folder, name = PurePath(argument).parent, PurePath(argument).name
        if "/" not in argument or argument.startswith("-"):
            continue
        if folder == PurePath(results) and name not in FOLDERS and not PurePath(name).suffix:
            if meant := nearest(name, FOLDERS):
                raise ConfigurationError(f"no target {argument}{meant.replace('mean ', f'mean {folder}/')}")
        elif folder != PurePath(results) and name in FOLDERS:
            raise ConfigurationError(
                f"no target {argument}: the configuration has results: {results}; ask for {results}/{name}, or set "
                f"results: {folder} in the file that --configfile names"
            )
