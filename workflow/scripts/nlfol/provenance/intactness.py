"""Integrity of journals, vectors and results, checked by file and by line, and answers that journals lost."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nlfol.models.journal.batches import BatchRecordError, reserved_in_batches
from nlfol.models.journal.reading import FIRST, digest_in, previous_in, read_record
from nlfol.provenance.fault import Fault
from nlfol.provenance.links import links_to_stages, missing_answers, other_answers
from nlfol.provenance.roots import root_faults
from nlfol.store.canonical import canonical, sha256
from nlfol.store.checksums import NAME as CHECKSUMS
from nlfol.store.checksums import read_checksums
from nlfol.store.files import StoreError, check, digest
from nlfol.store.origins import OUTSIDE, name_of, place_of

MANIFEST = "manifest.json"
_AGAIN = "delete it and run again"
_RESTORE = "restore the file from a copy; without one delete the line, and its request is sent again"
_CHAIN = "restore the file from a copy; a line that you deleted on purpose stays noted here"
_DRAWN = ("tables", "report", "figures")
"""Folders of files that people read, each with checksums."""
_KNOWN = (CHECKSUMS, "README.md", "lock", f"{MANIFEST}.sig")
"""Names of files that are checked otherwise, or describe the folder."""
_WORK = ("logs", "weights", "servers", "adapters")
"""Folders of what no result is read from."""


@dataclass(slots=True)
class Looked:
    """Counts of files and lines looked at, of lines that are not ``chained``, and ``others``, files not looked at."""

    files: int = 0
    lines: int = 0
    unchained: int = 0
    others: list[Path] = field(default_factory=list)


def faults(folder: Path, looked: Looked, journals: Path | None = None) -> Iterator[Fault]:
    """Yield the faults of all journals, vectors, stage files and manifests below a folder, and count what is looked at.

    ``journals`` is the folder of journals that must have the answers of results; None where it is not known.
    """
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    summed: set[Path] = set()
    for path in paths:
        if path.name == CHECKSUMS:
            yield from _of_checksums(path, looked, summed)
    yield from _missing(folder)
    for path in paths:
        match path.suffix:
            case ".arrow":
                yield from _of_arrow(path, looked, journals)
            case ".jsonl" if path.parent.name != "tables":
                yield from _of_journal(path, looked)
            case ".batches":
                yield from _of_batches(path, looked)
            case ".failed" | ".looks":
                yield from _of_list(path, looked)
            case ".json" if path.name == MANIFEST:
                yield from _of_manifest(path, looked, journals)
            case _ if path in summed or path.name in _KNOWN or path.name.startswith("."):
                continue
            case _ if path.parent.name in _DRAWN:
                yield Fault(str(path), None, f"not in {path.parent / CHECKSUMS}: no run wrote it there", "delete it")
            case _ if not set(_WORK).intersection(path.relative_to(folder).parts):
                looked.others.append(path)


def _missing(folder: Path) -> Iterator[Fault]:
    """Yield what a run writes with the tables, report and figures that lie in its folder of results."""
    drawn = [folder / name for name in _DRAWN if (folder / name).is_dir() and any((folder / name).iterdir())]
    needed = [each / CHECKSUMS for each in drawn]
    needed += [folder / name for name in (MANIFEST, CHECKSUMS, "items", "responses", "scores") if drawn]
    for path in needed:
        if not path.exists():
            yield Fault(str(path), None, "no such file, and a run with tables writes it", _AGAIN)


def _of_checksums(path: Path, looked: Looked, summed: set[Path]) -> Iterator[Fault]:
    """Yield the faults of a file of checksums and of the files that it names, which are added to ``summed``."""
    looked.files += 1
    try:
        listed = list(read_checksums(path))
    except ValueError as error:
        yield Fault(str(path), None, str(error), _AGAIN)
        return
    for named, recorded in listed:
        looked.files += named.name != MANIFEST
        summed.add(named)
        if not named.is_file():
            yield Fault(str(named), None, f"named in {path}, and no longer there", _AGAIN)
        elif digest(named) != recorded:
            yield Fault(str(named), None, f"not as it was written: its checksum is not the one in {path}", _AGAIN)


def _of_journal(path: Path, looked: Looked) -> Iterator[Fault]:
    looked.files += 1
    last: bytes | None = FIRST
    with path.open("rb") as lines:
        for number, ended in enumerate(lines, start=1):
            line = ended.removesuffix(b"\n")
            if line == ended:
                remedy = "wait until no job writes to it; the next run sets it aside or ends it"
                yield Fault(str(path), number, "the last line has no end", remedy)
                break
            looked.lines += 1
            try:
                read_record(line)
            except ValueError as error:
                yield Fault(str(path), number, f"not a journal line: {error}", _RESTORE)
                last = None
                continue
            previous = previous_in(line)
            looked.unchained += previous is None
            # Journals may be put together one after another: each begins a chain.
            if last is not None and previous not in (None, FIRST, last):
                said = "not written after the line that is before it: one is gone or moved"
                yield Fault(str(path), number, said, _CHAIN)
            last = digest_in(line)


def _of_batches(path: Path, looked: Looked) -> Iterator[Fault]:
    looked.files += 1
    try:
        reserved_in_batches(path)
    except BatchRecordError as error:
        yield Fault(str(path), None, str(error), "restore the file, or delete it if no batch is in flight")


def _of_list(path: Path, looked: Looked) -> Iterator[Fault]:
    looked.files += 1
    for number, line in enumerate(path.read_bytes().split(b"\n")[:-1], start=1):
        try:
            json.loads(line)
        except ValueError as error:
            yield Fault(str(path), number, f"no line of JSON: {error}", "delete the line: it is only a list")


def _of_arrow(path: Path, looked: Looked, journals: Path | None) -> Iterator[Fault]:
    looked.files += 1
    try:
        check(path)
        # Where the file lies below the folder of results, its name tells.
        relative = place_of(name_of(path), Path())
        results = Path(*path.parts[: -len(relative.parts)])
        if results / relative == path:
            for link in links_to_stages(path, results):
                if link.problem is not None and _is_intact(Path(link.origin)):
                    yield Fault(str(path), None, link.problem, "run again")
            if relative.parts[0] == "responses" and journals and (problem := _missing_answers(path, journals)):
                yield Fault(str(path), None, problem, "restore the journal; otherwise they are asked for again")
            if relative.parts[0] == "responses" and journals and (keys := other_answers(path, journals)):
                said = f"{len(keys):,} answers are not what the journal has, that to {min(keys)[:12]} among them"
                yield Fault(str(path), None, said, "restore the journal, or delete the file and run again")
    except StoreError as error:
        yield Fault(str(path), None, str(error), _AGAIN)


def _is_intact(path: Path) -> bool:
    """Return whether a stage's file is intact or gone."""
    try:
        if path.is_file():
            check(path)
    except StoreError:
        return False
    return True


def _of_manifest(path: Path, looked: Looked, journals: Path | None) -> Iterator[Fault]:
    looked.files += 1
    try:
        manifest = json.loads(path.read_bytes())
        experiment, recorded = manifest["experiment"], manifest["digest"]
        named: Mapping[str, str] = {**experiment["data"], **manifest["environment"]["files"]}
    except (ValueError, TypeError, KeyError) as error:
        yield Fault(str(path), None, f"no manifest: {error!r}", _AGAIN)
        return
    if sha256(canonical(experiment)) != recorded:
        yield Fault(str(path), None, "its digest is of another experiment", _AGAIN)
    for name, digest_then in named.items():
        if name.startswith(OUTSIDE):
            continue
        target = place_of(name, path.parent)
        if not target.is_file():
            yield Fault(str(target), None, f"named in {path}, and no longer there", "ask Snakemake for it by name")
        elif digest(target) != digest_then:
            yield Fault(str(target), None, f"not the file that {path} is about", "run again")
    if root := manifest["environment"].get("root"):
        yield from root_faults(manifest["environment"]["roots"], root, path.parent, journals)


def _missing_answers(responses: Path, journals: Path) -> str | None:
    looked_up = missing_answers(responses, journals)
    if looked_up is None or not looked_up[1]:
        return None
    journal, missing, asked = looked_up
    return f"{missing:,} of {asked:,} answers are no longer in {journal}"


def asked_again(responses: Iterable[Path], journals: Path) -> Iterator[str]:
    """Yield what a run that makes these RESPONSES files is to ask again, though the ones there have the answers."""
    for path in responses:
        try:
            lost = _missing_answers(path, journals) if path.exists() else None
        except StoreError as error:
            lost = f"cannot be read, so it does not show what was answered ({error})"
        if lost is not None:
            yield f"{path}: {lost}; what is missing is asked for again, so stop this run if you can restore it"
