"""Forgeries of a finished run, each covered by new checksums, and what finds them.

    python benchmarks/forgeries.py [NAME ...]

A small run is made first: eight sentences, two dialogue models whose answers are scripted, and chance. Each forgery
changes a copy, as somebody would who knows the formats: lines get new checksums and a new chain, Arrow files,
``checksums`` and the manifest new digests and roots. Then it is verified in three ways: as it lies there (``nlfol
verify``), made again (``--again``), and against the root that was published before (``--root``). Printed is a line of
JSON each: the file and problem that the first way names which finds it, or null. The exit status is 1 if one is found
otherwise than ``FORGERIES`` says.
"""

import argparse
import json
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.forged_run import (
    JOB,
    RIGHT,
    cover,
    lines,
    make,
    planned,
    rewritten,
    write_lines,
)

from nlfol.cli import again
from nlfol.provenance.fault import Fault
from nlfol.provenance.intactness import Looked, faults
from nlfol.store import files, schemas

Forgery = Callable[[Path], None]
PLAIN, AGAIN, ROOT, SIGNATURE = "verify", "again", "root", "signature"


@dataclass(frozen=True, slots=True)
class Known:
    """A forgery, and the way that finds it first."""

    forge: Forgery
    found: str


FORGERIES: dict[str, Known] = {}


def forgery(found: str) -> Callable[[Forgery], Forgery]:
    """Enter a function as a forgery, by its name."""

    def enter(forge: Forgery) -> Forgery:
        FORGERIES[forge.__name__] = Known(forge, found)
        return forge

    return enter


def _journal(folder: Path, model: str = "ada") -> Path:
    return folder / f"journal/{model}/mine.logical_translation.jsonl"


def _looks(folder: Path, model: str = "ada") -> Path:
    return _journal(folder, model).with_name(_journal(folder, model).name + ".looks")


def _stage(folder: Path, stage: str, model: str = "ada") -> Path:
    return folder / f"results/{stage}/{JOB}/{model}.arrow"


def _replied(folder: Path, **values: Any) -> None:
    records = lines(_journal(folder))
    records[1]["reply"] |= values
    write_lines(_journal(folder), records)


GOLD = json.dumps({"reasoning": "", "formula": "∀x (Cat(x) → ¬Dog(x))"}, ensure_ascii=False)


@forgery(PLAIN)
def reply_changed(folder: Path) -> None:
    """A reply in the journal becomes the gold formula."""
    _replied(folder, text=GOLD)
    cover(folder)


@forgery(AGAIN)
def reply_and_response_changed(folder: Path) -> None:
    """The response becomes it, too, but not the score."""
    key = lines(_journal(folder))[1]["key"]
    _replied(folder, text=GOLD)
    rewritten(
        _stage(folder, "responses"),
        lambda rows: [row | {"answer": GOLD} if row["request"] == key else row for row in rows],
    )
    cover(folder)


@forgery(AGAIN)
def score_changed(folder: Path) -> None:
    """A wrong answer's score becomes 1."""
    rewritten(_stage(folder, "scores"), lambda rows: [row | {"score": 1.0} for row in rows])
    cover(folder)


@forgery(AGAIN)
def table_changed(folder: Path) -> None:
    """A table has another number."""
    _edit(folder / "results/tables/logical_translation.csv", "mine,ada,", "mine,eva,")
    cover(folder)


@forgery(PLAIN)
def table_taken_off_the_list(folder: Path) -> None:
    """A table is edited, and its line taken out of the list of checksums."""
    path = folder / "results/tables/logical_translation.csv"
    _edit(path, "mine,ada,", "mine,eva,")
    listed = path.with_name("checksums")
    kept = [line for line in listed.read_text().splitlines(keepends=True) if path.name not in line]
    listed.write_text("".join(kept))


@forgery(PLAIN)
def list_of_checksums_deleted(folder: Path) -> None:
    """A table is edited, and there is no list."""
    _edit(folder / "results/tables/logical_translation.csv", "mine,ada,", "mine,eva,")
    (folder / "results/tables/checksums").unlink()


@forgery(PLAIN)
def manifest_deleted(folder: Path) -> None:
    """The manifest is gone with its checksums."""
    (folder / "results/manifest.json").unlink()
    (folder / "results/checksums").unlink()


@forgery(PLAIN)
def table_added(folder: Path) -> None:
    """A table that no run made."""
    (folder / "results/tables/best.csv").write_text("model,score\nada,1.0\n")


@forgery(AGAIN)
def gold_swapped(folder: Path) -> None:
    """An item's gold formula is that of the model's answer."""
    rewritten(folder / f"results/items/{JOB}.arrow", lambda rows: [row | {"formula": RIGHT} for row in rows])
    cover(folder)


@forgery(AGAIN)
def row_dropped(folder: Path) -> None:
    """A wrong answer has no score."""
    rewritten(_stage(folder, "scores"), lambda rows: rows[1:])
    cover(folder)


@forgery(AGAIN)
def row_doubled(folder: Path) -> None:
    """A response counts twice."""
    rewritten(_stage(folder, "responses"), lambda rows: [*rows, rows[-1]])
    cover(folder)


@forgery(AGAIN)
def models_swapped(folder: Path) -> None:
    """Two models have each other's journals, responses and scores."""
    for one, other in ((folder / "journal/ada", folder / "journal/bob"), *_pairs(folder)):
        aside = one.with_name("aside")
        one.rename(aside)
        other.rename(one)
        aside.rename(other)
    for stage in ("responses", "scores"):
        for model in ("ada", "bob"):
            rewritten(_stage(folder, stage, model), lambda rows: rows, model=model)
    cover(folder)


@forgery(AGAIN)
def refused_row_hidden(folder: Path) -> None:
    """The dataset's refused sentence was never there."""
    rewritten(
        folder / "results/datasets/mine/sentences.arrow",
        lambda rows: [row for row in rows if "soundly" not in row["text"]],
    )
    cover(folder)


@forgery(AGAIN)
def refusal_hidden(folder: Path) -> None:
    """A refusal of the model is in neither journal, responses nor scores."""
    records = lines(_journal(folder))
    gone = next(record for record in records if record["reply"]["outcome"] == "refused")
    write_lines(_journal(folder), [record for record in records if record is not gone])
    hidden = {
        row["item"]
        for row in files.rows(_stage(folder, "responses"), schemas.RESPONSES)
        if row["request"] == gone["key"]
    }
    for stage in ("responses", "scores"):
        rewritten(_stage(folder, stage), lambda rows: [row for row in rows if row["item"] not in hidden])
    cover(folder)


@forgery(PLAIN)
def line_spliced_in(folder: Path) -> None:
    """A line of another run stands among the others."""
    path = _journal(folder)
    first, *rest = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([first, _journal(folder, "bob").read_bytes().splitlines(keepends=True)[2], *rest]))
    cover(folder)


@forgery(PLAIN)
def line_dropped(folder: Path) -> None:
    """A line of the journal is gone, and the chain is as it was."""
    path = _journal(folder)
    kept = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(kept[:2] + kept[3:]))
    cover(folder)


@forgery(AGAIN)
def seed_changed(folder: Path) -> None:
    """The manifest says another seed."""
    cover(folder, lambda manifest: _configured(manifest, seed=8))


@forgery(AGAIN)
def configuration_edited(folder: Path) -> None:
    """The manifest says that less was asked for."""
    cover(folder, lambda manifest: _configured(manifest, reasoning=5))


@forgery(AGAIN)
def prompt_changed(folder: Path) -> None:
    """The manifest says another template."""
    cover(folder, lambda manifest: manifest["experiment"]["prompts"].update({"symbols.jinja": "0" * 64}))


@forgery(AGAIN)
def note_changed(folder: Path) -> None:
    """A table's note names another run."""
    _edit(folder / "results/tables/logical_translation.md", "- Run ", "- Run 0")
    cover(folder)


@forgery(AGAIN)
def look_erased(folder: Path) -> None:
    """The list beside the journal has no earlier look at fewer items; the responses have it."""
    _looks(folder).unlink()
    cover(folder)


@forgery(SIGNATURE)
def look_erased_before_all(folder: Path) -> None:
    """Erase it from the journal, then make the run again from there."""
    for model in ("ada", "bob"):
        _looks(folder, model).unlink()
    shutil.rmtree(folder / "results")
    make(folder)


@forgery(SIGNATURE)
def version_changed(folder: Path) -> None:
    """The manifest says another version of a package."""
    cover(folder, lambda manifest: manifest["environment"]["packages"].update(polars="0.1"))


@forgery(ROOT)
def all_made_from_a_forged_reply(folder: Path) -> None:
    """A reply was forged first, and all else is made from it as a run does."""
    _replied(folder, text=GOLD)
    shutil.rmtree(folder / "results")
    make(folder)


@forgery(ROOT)
def all_made_without_a_line(folder: Path) -> None:
    """A reply was asked for once more, and all else is made from that."""
    records = lines(_journal(folder))
    write_lines(_journal(folder), [*records[:2], *records[3:], records[2]])
    shutil.rmtree(folder / "results")
    make(folder)


def _pairs(folder: Path) -> Iterator[tuple[Path, Path]]:
    for stage in ("responses", "scores"):
        yield _stage(folder, stage, "ada"), _stage(folder, stage, "bob")


def _configured(manifest: dict[str, Any], **values: Any) -> None:
    manifest["experiment"]["configuration"] |= values
    manifest["environment"]["configuration"] |= values


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text, (path, old)
    path.write_text(text.replace(old, new), encoding="utf-8")


def found(folder: Path, root: str, signed: bytes) -> tuple[str | None, list[Fault]]:
    """The first way that finds something in a folder, and what it finds."""
    if listed := list(faults(folder / "results", Looked(), folder / "journal")):
        return PLAIN, listed
    if listed := list(faults(folder / "journal", Looked())):
        return PLAIN, listed
    done = again.Again()
    with mock.patch.object(again, "planned", planned):
        if listed := list(again.made_again(folder / "results", folder / "journal", done)):
            return AGAIN, listed
    assert not done.unchecked, done.unchecked
    path = folder / "results/manifest.json"
    if json.loads(path.read_bytes())["environment"]["root"] != root:
        return ROOT, [Fault(str(path), None, "its root is another than was published", "")]
    if path.read_bytes() != signed:
        return SIGNATURE, [Fault(str(path), None, "its bytes are not those that were signed", "")]
    return None, []


def main() -> None:
    """Print a line a forgery."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(FORGERIES)}; all by default")
    names = parser.parse_args().names or list(FORGERIES)
    with TemporaryDirectory() as name:
        run = Path(name, "run")
        make(run)
        signed = (run / "results/manifest.json").read_bytes()
        root = json.loads(signed)["environment"]["root"]
        way, listed = found(run, root, signed)
        print(json.dumps({"forgery": None, "found": way, "by": [str(each) for each in listed]}))
        unforeseen = way is not None
        for forged in names:
            folder = Path(name, forged)
            shutil.copytree(run, folder)
            FORGERIES[forged].forge(folder)
            way, listed = found(folder, root, signed)
            unforeseen |= way != FORGERIES[forged].found
            by = [f"{Path(each.file).relative_to(folder)}: {each.problem}".replace(name, "") for each in listed]
            print(json.dumps({"forgery": forged, "found": way, "by": by[:3]}, ensure_ascii=False), flush=True)
    sys.exit(unforeseen)


if __name__ == "__main__":
    main()
