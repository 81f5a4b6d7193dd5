"""Integrity of journals, vectors and results, checked by file and by line, and answers that journals lost."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nlfol.models.journal.batches import BatchRecordError, reserved_in_batches
from nlfol.models.journal.reading import read_record
from nlfol.provenance.links import links_to_stages, missing_answers
from nlfol.store.canonical import canonical, sha256
from nlfol.store.checksums import NAME as CHECKSUMS
from nlfol.store.checksums import read_checksums
from nlfol.store.files import StoreError, check, digest
from nlfol.store.origins import OUTSIDE, name_of, place_of

MANIFEST = "manifest.json"
_AGAIN = "delete it and run again"
_RESTORE = "restore the file from a copy; without one delete the line, and its request is sent again"


@dataclass(frozen=True, slots=True)
class Fault:
    """Damage to a file, or to a line of it, from 1, where it has lines."""

    file: str
    line: int | None
    problem: str
    remedy: str


@dataclass(slots=True)
class Looked:
    """Counts of files and lines looked at, and ``others``, files that are not."""

    files: int = 0
    lines: int = 0
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
                yield from _of_manifest(path, looked)
            case _ if path not in summed and path.name != CHECKSUMS and not path.name.startswith("."):
                looked.others.append(path)


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
    *lines, unfinished = path.read_bytes().split(b"\n")
    looked.lines += len(lines)
    for number, line in enumerate(lines, start=1):
        try:
            read_record(line)
        except ValueError as error:
            yield Fault(str(path), number, f"not a journal line: {error}", _RESTORE)
    if unfinished:
        remedy = "wait until no job writes to it; the next run sets it aside or ends it"
        yield Fault(str(path), len(lines) + 1, "the last line has no end", remedy)


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


def _of_manifest(path: Path, looked: Looked) -> Iterator[Fault]:
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
