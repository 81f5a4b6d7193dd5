"""The root of a run covers journals, vectors and items, and allows journals to grow."""

from pathlib import Path
from typing import Any

import pytest
from benchmarks.damage import JOURNAL, VECTORS, kept
from tests.stored import stored

from nlfol.models.journal.journal import Journal
from nlfol.models.request import ChatReply, ChatRequest, Ending, Message
from nlfol.provenance.roots import FileRoot, root_faults, root_of, roots
from nlfol.store import files, schemas

ITEMS = "results/items/mine/logical_translation.arrow"


@pytest.fixture
def run(tmp_path: Path) -> tuple[Path, dict[str, FileRoot]]:
    """The folder of a journal, vectors and items, and their roots."""
    kept(tmp_path)
    about = {"dataset": "mine", "task": "logical_translation"}
    write_items(tmp_path, ["a", "b"])
    responses = [tmp_path / f"results/responses/mine/{name}.arrow" for name in ("chat", "embedding")]
    for path, task in zip(responses, ("logical_translation", "most_similar"), strict=True):
        files.write(path, schemas.RESPONSES, [], {**about, "task": task, "model": "model", "kind": path.stem})
    return tmp_path, roots([tmp_path / ITEMS], responses, tmp_path / "journal")


def write_items(folder: Path, names: list[str]) -> None:
    rows: list[dict[str, Any]] = [stored(schemas.ITEMS, item=name) for name in names]
    files.write(folder / ITEMS, schemas.ITEMS, rows, {"dataset": "mine", "task": "logical_translation"})


def problems(folder: Path, by_name: dict[str, FileRoot]) -> list[str]:
    return [fault.problem for fault in root_faults(by_name, root_of(by_name), folder / "results", folder / "journal")]


def test_roots_list_journals_vectors_and_items(run: tuple[Path, dict[str, FileRoot]]) -> None:
    folder, by_name = run
    assert {name: file["leaves"] for name, file in by_name.items()} == {
        "items/mine/logical_translation": 2,
        JOURNAL: 20,
        VECTORS: 1,
    }
    assert problems(folder, by_name) == []


def test_grown_journal_has_the_root_of_its_run(run: tuple[Path, dict[str, FileRoot]]) -> None:
    folder, by_name = run
    asked = ChatRequest("another", (Message("user", "What?"),), {}, 0.0, None, 10, 3)
    with Journal(folder / JOURNAL) as journal:
        journal.append([(asked, ChatReply(asked.key, Ending.ANSWERED, "That."))])
    assert problems(folder, by_name) == []


@pytest.mark.parametrize("change", ["dropped", "moved", "doubled", "other", "lost", "swapped", "row", "vectors"])
def test_changed_leaves_are_named_by_their_file(run: tuple[Path, dict[str, FileRoot]], change: str) -> None:
    folder, by_name = run
    lines = (folder / JOURNAL).read_bytes().splitlines(keepends=True)
    first, second, *rest = lines
    written = {
        "dropped": lines[:-1],
        "moved": [second, first, *rest],
        "doubled": [first, first, *lines[1:]],
        "other": [first.replace(b"Small(a)", b"Small(b)"), second, *rest],
    }
    (folder / JOURNAL).write_bytes(b"".join(written.get(change, lines)))
    if change == "lost":
        (folder / JOURNAL).unlink()
    elif change in ("swapped", "row"):
        write_items(folder, ["b", "a"] if change == "swapped" else ["a"])
    elif change == "vectors":
        (folder / VECTORS).write_bytes((folder / VECTORS).read_bytes() + b" ")
    (problem,) = problems(folder, by_name)
    gone = {"dropped": "1 of 20 lines or rows are gone", "row": "1 of 2 lines or rows are gone"}
    gone |= {"lost": "a file of the run's root cannot be read", "vectors": "a file of the run's root cannot be read"}
    assert problem.startswith(gone.get(change, f"its first {2 if change == 'swapped' else 20} lines or rows are not"))


def test_other_list_of_files_has_another_root(run: tuple[Path, dict[str, FileRoot]]) -> None:
    folder, by_name = run
    root = root_of(by_name)
    del by_name[VECTORS]
    (fault,) = root_faults(by_name, root, folder / "results", folder / "journal")
    assert fault.problem == "the manifest's root is not that of the files it lists"
