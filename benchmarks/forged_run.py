"""A small finished run to be forged, and the digests, chains and roots that a forger makes anew."""

import json
import shutil
from collections.abc import Callable, Generator, Sequence
from contextlib import chdir
from pathlib import Path
from typing import Any
from unittest import mock

from nlfol.cli import again
from nlfol.models.journal.reading import FIRST, checked, digest_in
from nlfol.models.request import ChatReply, ChatRequest, Ending, Feed
from nlfol.provenance.manifest import to_text
from nlfol.provenance.roots import root_of, roots
from nlfol.store import files, schemas
from nlfol.store.canonical import canonical, sha256
from nlfol.store.checksums import read_checksums, write_checksums
from nlfol.store.origins import OUTSIDE, metadata_at, origins, place_of

SENTENCES = """\
story,text,formula
pets,Every cat sleeps.,∀x (Cat(x) → Sleeps(x))
pets,No dog sleeps.,∀x (Dog(x) → ¬Sleeps(x))
pets,Tom is a cat or a dog.,Cat(tom) ∨ Dog(tom)
pets,Rex sleeps soundly.,Sleeps(rex
chase,Some dog is no cat.,∃x (Dog(x) ∧ ¬Cat(x))
chase,Rex is a dog.,Dog(rex)
chase,Tom sleeps.,Sleeps(tom)
chase,No cat is a dog.,∀x (Cat(x) → ¬Dog(x))
"""
ONTOLOGY = "predicates:\n" + "".join(
    f"  {name}: {{arity: 1, positive: '{{}} {yes}', negative: '{{}} {no}'}}\n"
    for name, yes, no in (
        ("Cat", "is a cat", "is no cat"),
        ("Dog", "is a dog", "is no dog"),
        ("Sleeps", "sleeps", "wakes"),
    )
)
ONTOLOGY += "constants: {tom: Tom, rex: Rex}\n"
MODEL = {"kind": "chat", "backend": "openai", "base_url": "http://127.0.0.1:9/v1", "api_key_env": None}
CONFIGURATION: dict[str, Any] = {
    "seed": 7,
    "datasets": {"mine": {"reader": "table", "path": "mine/sentences.csv", "ontology": "mine/ontology.yaml"}},
    "tasks": {"logical_translation": {}},
    "models": {"ada": {**MODEL, "model": "ada"}, "bob": {**MODEL, "model": "bob"}, "chance": {"kind": "chance"}},
}
RIGHT = "Dog(rex)"
JOB = "mine/logical_translation"


class Scripted:
    """A model that writes one formula for all sentences, and refuses one of them."""

    def __init__(self, entry: Any) -> None:
        self.identity = entry.identity

    def answer_feed(self, feed: Feed[ChatRequest]) -> Generator[Sequence[ChatReply], None, None]:
        """Yield the replies."""
        for request in feed.drain():
            ending = Ending.REFUSED if "Some dog" in request.messages[-1].content else Ending.ANSWERED
            text = None if ending is Ending.REFUSED else json.dumps({"reasoning": "", "formula": RIGHT})
            yield (ChatReply(request.key, ending, text, seconds=0.5),)


EARLIER = ("ingest_dataset", "attach_ontology", "build_items", "ask_chat")
"""Scripts of an earlier look at two items."""
_plans: dict[str, Sequence[Any]] = {}


def planned(given: dict[str, Any], results: Path, plan: Callable[..., Sequence[Any]] = again.planned) -> Sequence[Any]:
    """The jobs of a configuration, which are the same in all folders of a kind."""
    # The project's files have other relative paths where they are linked.
    key = canonical([Path("resources").exists(), {name: given[name] for name in CONFIGURATION}])
    if key not in _plans:
        _plans[key] = plan(given, results)
    return _plans[key]


def make(folder: Path, *, looks: bool = True) -> None:
    """Make the run in a folder that may have a journal; otherwise ``looks`` lets an earlier look come before it."""
    (folder / "mine").mkdir(parents=True, exist_ok=True)
    (folder / "mine/sentences.csv").write_text(SENTENCES, encoding="utf-8")
    (folder / "mine/ontology.yaml").write_text(ONTOLOGY, encoding="utf-8")
    if looks and not (folder / "journal").exists():
        _run(folder, {**CONFIGURATION, "tasks": {"logical_translation": {"items": 2}}}, EARLIER)
        shutil.rmtree(folder / "results")
    _run(folder, CONFIGURATION)


def _run(folder: Path, given: dict[str, Any], scripts: Sequence[str] = ()) -> None:
    with chdir(folder), mock.patch("nlfol.asking.chat.open_backend", lambda entry, _: Scripted(entry)):
        for job in planned(given, folder / "results"):
            if scripts and Path(job.rule.script).stem not in scripts:
                continue
            for path in map(Path, job.output):
                path.parent.mkdir(parents=True, exist_ok=True)
            if problem := again.run_here(job, given):
                raise RuntimeError(problem)


def lines(path: Path) -> list[dict[str, Any]]:
    """The records of a journal."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_lines(path: Path, records: Sequence[dict[str, Any]]) -> None:
    """Write a journal of these records, with checksums and a chain."""
    last, written = FIRST, []
    for record in records:
        reply = json.dumps(record["reply"], ensure_ascii=False, separators=(",", ":"))
        content = f'{{"key":"{record["key"]}","request":{canonical(record["request"])},"reply":{reply}'
        written.append(checked(content.encode(), last))
        last = digest_in(written[-1])
    path.write_bytes(b"".join(line + b"\n" for line in written))


def rewritten(path: Path, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]], **about: str) -> None:
    """Change the rows of a stage's file, and its metadata."""
    schema = {"items": schemas.ITEMS, "responses": schemas.RESPONSES, "scores": schemas.SCORES, "datasets": None}
    kind = schema[next(part for part in path.parts[::-1] if part in schema)] or schemas.SENTENCES
    table = files.read(path, kind)
    files.write(path, kind, change(table.to_pylist()), {**files.metadata_of(table), **about})


def cover(folder: Path, change: Callable[[dict[str, Any]], object] = lambda _: None) -> None:
    """Give all files that have digests of others those of the files as they are now, after a change of the manifest."""
    results = folder / "results"
    _link(results)
    path = results / "manifest.json"
    if path.exists():
        manifest = json.loads(path.read_bytes())
        for part in (manifest["experiment"]["data"], manifest["environment"]["files"]):
            part |= {name: files.digest(place_of(name, results)) for name in part if not name.startswith(OUTSIDE)}
        change(manifest)
        manifest["digest"] = sha256(canonical(manifest["experiment"]))
        items, responses = (sorted(results.glob(f"{stage}/**/*.arrow")) for stage in ("items", "responses"))
        manifest["environment"]["roots"] = by_file = roots(items, responses, folder / "journal")
        manifest["environment"]["root"] = root_of(by_file)
        path.write_text(to_text(manifest), encoding="utf-8")
        write_checksums(results, [path])
    listed = results / "tables/checksums"
    if listed.exists():
        write_checksums(listed.parent, [named for named, _ in [*read_checksums(listed)] if named.exists()])


def _link(results: Path) -> None:
    """Let all stages' files name the files that they are made from as these are now."""
    stages = list(results.glob("**/*.arrow"))
    while changed := [path for path in stages if _is_relinked(path, results)]:
        for path in changed:
            files._add_checksum(path)


def _is_relinked(path: Path, results: Path) -> bool:
    written = whole = path.read_bytes()
    for name, before in origins(metadata_at(path)).items():
        if not name.startswith(OUTSIDE):
            written = written.replace(before.encode(), files.digest(place_of(name, results)).encode())
    path.write_bytes(written)
    return written != whole
