"""From a file back to what it was made from: each digest that a file records against the earlier file as it is now."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from nlfol.models.journal.journal import records_of, unrecorded
from nlfol.models.journal.siblings import beside
from nlfol.models.request import Ending
from nlfol.store.files import StoreError, digest, metadata_of, read
from nlfol.store.origins import OUTSIDE, metadata_at, origins, place_of
from nlfol.store.schemas import RESPONSES


@dataclass(frozen=True, slots=True)
class Link:
    """Recorded origin of a file: a path, or the name of what is no stage's file.

    ``problem`` has a remedy, too; ``note`` says what was compared, where it is not one digest against another.
    """

    file: str
    origin: str
    problem: str | None = None
    note: str | None = None


def links(path: Path, results: Path, *, only: Collection[str] = (), journals: Path | None = None) -> list[Link]:
    """Return the links of a file and of all its origins, each file once, breadth first.

    Of the file itself, ``only`` these origins are followed, or all. Nothing behind a broken link is followed: the
    earlier file is another than the one that it was made from. With the folder of ``journals``, answers are looked up
    there, too.
    """
    listed: list[Link] = []
    waiting = [path]
    for current in waiting:
        try:
            recorded = origins(metadata_at(current))
        except StoreError as error:
            return [*listed, Link(str(current), "?", str(error))]
        if current == path and only:
            recorded = {name: checksum for name, checksum in recorded.items() if name in only}
        if not recorded:
            missing = f"{current} does not say what it was made from: an earlier version made it; run again"
            listed.append(Link(str(current), "?", missing))
        if journals is not None and current.is_relative_to(results / "responses"):
            listed += _journalled(current, journals)
        for name, checksum in recorded.items():
            if name.startswith(OUTSIDE):
                listed.append(Link(str(current), name, note=f"SHA-256 {checksum}"))
                continue
            earlier = place_of(name, results)
            listed.append(_link(current, earlier, checksum))
            if listed[-1].problem is None and earlier not in waiting:
                waiting.append(earlier)
    return listed


def links_to_stages(path: Path, results: Path) -> Iterator[Link]:
    """Yield the links of one file to the stage files that it was made from; raises ``StoreError`` if it is none."""
    for name, checksum in origins(metadata_at(path)).items():
        if not name.startswith(OUTSIDE):
            yield _link(path, place_of(name, results), checksum)


def _link(path: Path, earlier: Path, recorded: str) -> Link:
    problem = None
    if not earlier.is_file():
        # Snakemake by itself makes no lost file again while those made from it are there.
        lost = f"{path} was made from a file that is no longer there"
        problem = f"{lost}; make {earlier} again by asking Snakemake for it by name"
    elif digest(earlier) != recorded:
        try:
            problem = f"{path} was made from another {metadata_at(earlier)['nlfol.schema']} file; run again"
        except StoreError as error:
            problem = str(error)
    return Link(str(path), str(earlier), problem)


def missing_answers(responses: Path, journals: Path) -> tuple[Path, int, int] | None:
    """Return the journal of a RESPONSES file, how many answers its model's journals lack, and how many were asked for.

    None if no model was asked for them. Raises ``StoreError`` if the file cannot be read.
    """
    found = _asked(responses, journals)
    return None if found is None else (found[0], len(unrecorded(found[0], found[1].keys())), len(found[1]))


def other_answers(responses: Path, journals: Path) -> list[str]:
    """Return the requests to which a RESPONSES file has another text than its model's journals; none if those lack it.

    Raises ``StoreError`` if a file cannot be read.
    """
    journal, asked = _asked(responses, journals) or (Path(), {})
    if not asked or not (journal.exists() or beside(journal)):
        return []
    first: dict[str, str | None] = {}
    for _, _, (_, reply) in records_of(journal, asked.keys()):
        if reply.outcome is not Ending.FAILED:
            first.setdefault(reply.key, reply.text)
    return [key for key, text in asked.items() if first.get(key, text) != text]


def _asked(responses: Path, journals: Path) -> tuple[Path, dict[str, str | None]] | None:
    table = read(responses, RESPONSES)
    about = metadata_of(table)
    # Answers of a file have the keys of whatever run wrote it.
    if about["kind"] != "chat" or any(name.startswith("answers/") for name in origins(about)):
        return None
    rows = table.select(["request", "outcome", "answer"]).to_pylist()
    asked = {row["request"]: row["answer"] for row in rows if row["request"] is not None and row["outcome"] != "failed"}
    return journals / about["model"] / f"{about['dataset']}.{about['task']}.jsonl", asked


def _journalled(responses: Path, journals: Path) -> Iterator[Link]:
    try:
        looked_up = missing_answers(responses, journals)
    except StoreError as error:
        yield Link(str(responses), str(journals), str(error))
        return
    if looked_up is not None:
        journal, missing, asked = looked_up
        remedy = "restore it, or name the folder of journals with --journal"
        problem = f"{missing:,} of {asked:,} answers are not in {journal}; {remedy}" if missing else None
        yield Link(str(responses), str(journal), problem, note=f"{asked} answers by their requests")
