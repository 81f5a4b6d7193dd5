"""``nlfol verify``: whether a run's files are intact."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import typer

from nlfol.cli.lines import write

KEPT = ("journal", "results")
"""Default folders of an experiment."""


def verified(folders: Sequence[Path]) -> bool:
    """Write a line for each fault, and a count; return whether there is none. ``typer.BadParameter`` for no folder."""
    from nlfol.provenance.intactness import Looked, faults

    looked, found = Looked(), 0
    through = _looked_through(folders)
    beside = [folder.parent / "journal" for folder in through]
    journals = next((folder for folder in [*beside, Path("journal")] if folder.is_dir()), None)

    def rows() -> Iterator[dict[str, object]]:
        nonlocal found
        for folder in through:
            for fault in faults(folder, looked, journals):
                found += 1
                yield asdict(fault)

    write(rows())
    if not looked.files:
        raise typer.BadParameter("no journal, vectors or results there; name the folder that holds them")
    sys.stderr.write(f"{looked.files} files, {looked.lines} lines of journals: {found} faults\n")
    for folder, count in Counter(path.parent for path in looked.others).items():
        sys.stderr.write(f"not checked: {folder} ({count} file{'' if count == 1 else 's'})\n")
    if journals is None:
        sys.stderr.write("not checked: whether journals have the answers of results, as there is no folder journal\n")
    return not found


def _looked_through(folders: Sequence[Path]) -> list[Path]:
    listed: list[Path] = []
    for folder in folders:
        if not folder.is_dir():
            raise typer.BadParameter(f"no folder {folder}; name one that holds journals or results")
        listed += [folder / name for name in KEPT if (folder / name).is_dir()] or [folder]
    return listed
