"""``nlfol verify``: whether a run's files are intact, and come out again."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from nlfol.cli.lines import write

if TYPE_CHECKING:
    from nlfol.provenance.fault import Fault

KEPT = ("journal", "results")
"""Default folders of an experiment."""

EQUAL, DIFFERS, NOT_CHECKED = 0, 1, 3
"""Exit statuses; that of a wrong argument is 2."""


def verified(
    folders: Sequence[Path], *, again: bool = False, signers: Path | None = None, root: str | None = None
) -> int:
    """Write a line for each fault, and a count; return the exit status. ``typer.BadParameter`` for no folder.

    ``again`` makes each stage anew (``cli.again``). Manifests must be signed by one of the ``signers`` of a file, and
    have a root that begins as ``root``, where these are given.
    """
    from nlfol.provenance.intactness import MANIFEST, Looked, faults

    looked, unchecked, found = Looked(), list[str](), 0
    through = _looked_through(folders)
    beside = [folder.parent / KEPT[0] for folder in through]
    journals = next((folder for folder in [*beside, Path(KEPT[0])] if folder.is_dir()), None)
    parts = [faults(folder, looked, journals) for folder in through]
    for manifest in (folder / MANIFEST for folder in through if folder.name != KEPT[0]):
        if manifest.is_file():
            parts += [_published(manifest, signers, root, unchecked)]
            parts += [_again(manifest.parent, journals, unchecked)] if again else []

    def rows() -> Iterator[dict[str, object]]:
        nonlocal found
        for fault in chain.from_iterable(parts):
            found += 1
            yield asdict(fault)

    write(rows())
    if not looked.files:
        raise typer.BadParameter("no journal, vectors or results there; name the folder that holds them")
    chained = f", {looked.unchained} of them not chained" if looked.unchained else ""
    sys.stderr.write(f"{looked.files} files, {looked.lines} lines of journals{chained}: {found} faults\n")
    counts = Counter(path.parent for path in looked.others).items()
    unchecked += [f"{folder} ({count} file{'' if count == 1 else 's'})" for folder, count in counts]
    if journals is None:
        unchecked.append("whether journals have the answers of results, as there is no folder journal")
    sys.stderr.writelines(f"not checked: {said}\n" for said in unchecked)
    return DIFFERS if found else NOT_CHECKED if unchecked else EQUAL


def _published(manifest: Path, allowed: Path | None, root: str | None, unchecked: list[str]) -> "Iterator[Fault]":
    """Yield how a manifest differs from what was signed, or published before."""
    from nlfol.provenance.fault import Fault
    from nlfol.provenance.manifest import ManifestError, read
    from nlfol.provenance.signature import signature_name, signers

    signature = signature_name(manifest)
    if allowed is None:
        unchecked += [f"{signature}, as no --allowed-signers are given"] if signature.is_file() else []
    elif isinstance(said := signers(manifest, allowed), Fault):
        yield said
    elif said is None:
        unchecked.append(f"{signature}, as there is no ssh-keygen")
    else:
        sys.stderr.write(f"{manifest}: signed by {', '.join(said)}\n")
    if root is not None:
        try:
            has = str(read(manifest)["environment"].get("root"))
        except ManifestError as error:
            has = str(error)
        if not has.startswith(root):
            problem = f"its root is {has[: len(root)]}, not the published {root}"
            yield Fault(str(manifest), None, problem, "ask who published it for the files of that run")


def _again(results: Path, journals: Path | None, unchecked: list[str]) -> "Iterator[Fault]":
    from nlfol.cli.again import Again, made_again
    from nlfol.provenance.fault import Fault
    from nlfol.store.files import StoreError

    done = Again()
    try:
        yield from made_again(results, journals, done)
    except StoreError as error:
        yield Fault(str(results), None, str(error), "nothing can be made again without it")
    sys.stderr.write(f"made again: {done.equal} files, equal byte by byte\n")
    unchecked += done.unchecked


def _looked_through(folders: Sequence[Path]) -> list[Path]:
    listed: list[Path] = []
    for folder in folders:
        if not folder.is_dir():
            raise typer.BadParameter(f"no folder {folder}; name one that holds journals or results")
        listed += [folder / name for name in KEPT if (folder / name).is_dir()] or [folder]
    return listed
