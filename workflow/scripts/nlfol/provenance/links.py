"""From a file back to what it was made from: each digest that a file records against the earlier file as it is now."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nlfol.datasets.entries.folio import PUBLISHED
from nlfol.datasets.entries.grammar import GrammarEntry
from nlfol.datasets.entries.problems import ProblemsEntry, source_digest
from nlfol.datasets.entries.sentences import SentencesEntry
from nlfol.datasets.entry import read_entry
from nlfol.datasets.generation import SetDigest, recipe_digest
from nlfol.datasets.pin import Pin
from nlfol.models.entries.baselines import AnswersEntry
from nlfol.ontology.ontology import OntologyError
from nlfol.provenance.manifest import ELSEWHERE, read
from nlfol.store.files import StoreError, chunks, digest
from nlfol.store.origins import OUTSIDE, metadata_at, origins, place_of
from nlfol.store.records import SourceError
from nlfol.store.schemas import SENTENCES


@dataclass(frozen=True, slots=True)
class Link:
    """Recorded origin of a file: a path, or what else it is.

    ``problem`` has a remedy, too; ``note`` says what was looked at, where it is not one digest against another.
    """

    file: str
    origin: str
    problem: str | None = None
    note: str | None = None


def links(path: Path, results: Path) -> list[Link]:
    """Return the links of a file and of all its origins, each file once, breadth first.

    What is behind a broken link is not looked at by it: the earlier file is another than the one it was made from.
    Raises ``StoreError`` if ``path`` itself is missing or no stage's file.
    """
    found: list[Link] = []
    waiting, seen = [path], {path}
    while waiting:
        current = waiting.pop(0)
        for link, earlier in _of(current, results):
            found.append(link)
            if earlier is not None and link.problem is None and earlier not in seen:
                seen.add(earlier)
                waiting.append(earlier)
    return found


def links_to_stages(path: Path, results: Path) -> Iterator[Link]:
    """Yield the links of one file to the stage files that it was made from; raises ``StoreError`` if it is none."""
    for name, said in origins(metadata_at(path)).items():
        if not name.startswith(OUTSIDE):
            yield link(path, place_of(name, results), said)


def _of(path: Path, results: Path) -> Iterator[tuple[Link, Path | None]]:
    """Yield the links of one file, each with the earlier file if a stage made it."""
    recorded = origins(metadata_at(path))
    if not recorded:
        yield (
            Link(str(path), "?", f"{path} does not say what it was made from: an earlier version made it; run again"),
            None,
        )
    for name, said in recorded.items():
        if name.startswith(OUTSIDE):
            yield _outside(path, name, said, results), None
        else:
            earlier = place_of(name, results)
            yield link(path, earlier, said), earlier


def link(path: Path, earlier: Path, recorded: str | None) -> Link:
    """Return the link from a file to an earlier one whose digest it recorded, or should have."""
    if recorded is None:
        return Link(str(path), str(earlier), f"{path} does not say that it was made from it; run again")
    if not earlier.is_file():
        # Snakemake by itself makes no lost file again while those made from it are there.
        lost = f"{path} was made from a file that is no longer there"
        return Link(str(path), str(earlier), f"{lost}; make {earlier} again by asking Snakemake for it by name")
    if digest(earlier) != recorded:
        try:
            stage = metadata_at(earlier)["nlfol.schema"]
        except StoreError as error:
            return Link(str(path), str(earlier), str(error))
        return Link(str(path), str(earlier), f"{path} was made from another {stage} file; run again")
    return Link(str(path), str(earlier))


def _outside(path: Path, name: str, recorded: str, results: Path) -> Link:
    """Return the link to a dataset's source, patches or ontology, which the manifest names."""
    kind, _, dataset = name.partition("/")
    try:
        if kind == "answers":
            return _answers(path, name, recorded, results)
        block = read(results / "manifest.json")["experiment"]["configuration"]["datasets"][dataset]
        entry = read_entry(json.dumps(block))
        if isinstance(entry, GrammarEntry):
            return _generated(path, name, recorded, entry, results)
        if isinstance(entry, ProblemsEntry):
            return _of_problems(path, recorded, entry)
        assert isinstance(entry, SentencesEntry)
        files_of = {"source": entry.source_files[:1], "patches": entry.patch_files, "ontology": entry.ontology_files}
        named = files_of[kind]
        place = ", ".join(named)
        published = kind == "ontology" and entry.ontology == PUBLISHED
        if published or any(file.startswith(ELSEWHERE) for file in named):
            return _not_looked_at(path, place, recorded)
        if kind == "ontology":
            ontologies = entry.ontologies()
            found = None if ontologies is None else ontologies.digest
        elif kind == "source" and entry.path is None:
            found = Pin.from_file(Path(place)).sha256
        else:
            found = digest(*map(Path, named))
    except (StoreError, SourceError, OntologyError, OSError, KeyError) as error:
        remedy = "look from the folder of the experiment"
        return Link(str(path), name, f"{path}: its {kind} cannot be found again ({error}); {remedy}")
    return _compared(path, place, kind, found, recorded)


def _not_looked_at(path: Path, place: str, recorded: str) -> Link:
    return Link(str(path), place, note=f"not looked at; its SHA-256 was {recorded}")


def _compared(path: Path, place: str, what: str, found: str | None, recorded: str) -> Link:
    problem = None if found == recorded else f"{path} was made from another {what}; run again"
    return Link(str(path), place, problem)


def _generated(path: Path, name: str, recorded: str, entry: GrammarEntry, results: Path) -> Link:
    """Return the link to the recipe of a generated set, or to its content."""
    kind, _, dataset = name.partition("/")
    if kind == "source":
        found, what = recipe_digest(entry), f"grammar {entry.grammar}, vocabulary {entry.vocabulary}"
    else:
        digest_of_set = SetDigest()
        for rows in chunks(place_of(f"sentences/{dataset}", results), SENTENCES):
            for row in rows:
                digest_of_set.add(row)
        found, what = digest_of_set.hex(), f"the set {dataset}"
    return _compared(path, what, kind, found, recorded)


def _of_problems(path: Path, recorded: str, entry: ProblemsEntry) -> Link:
    """Return the link to the source or recipe of problems."""
    place = ", ".join(entry.source_files)
    if any(file.startswith(ELSEWHERE) for file in entry.source_files):
        return _not_looked_at(path, place, recorded)
    return _compared(path, place, "source", source_digest(entry), recorded)


def _answers(path: Path, name: str, recorded: str, results: Path) -> Link:
    """Return the link to a file of answers."""
    _, dataset, task, model = name.split("/")
    entry = read(results / "manifest.json")["experiment"]["configuration"]["models"][model]
    place = AnswersEntry.model_validate(entry).file(dataset, task)
    if place.startswith(ELSEWHERE):
        return _not_looked_at(path, place, recorded)
    return _compared(path, place, "file of answers", digest(Path(place)), recorded)
