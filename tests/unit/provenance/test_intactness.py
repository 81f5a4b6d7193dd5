"""Kept files are checked byte by byte."""

import shutil
import subprocess
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from benchmarks.damage import JOURNAL, SENTENCES, TRIPLES, VECTORS, damage, kept
from tests.stored import stored

from nlfol.cli.results import DIFFERS, EQUAL, NOT_CHECKED, verified
from nlfol.models.journal.journal import Journal
from nlfol.models.journal.reading import checked
from nlfol.models.request import ChatReply, ChatRequest, Ending, Message
from nlfol.provenance.intactness import Looked, asked_again, faults
from nlfol.provenance.manifest import to_text
from nlfol.store import files, schemas
from nlfol.store.canonical import canonical, sha256
from nlfol.store.checksums import write_checksums


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a run has kept something."""
    made = tmp_path_factory.mktemp("kept")
    kept(made)
    return made


def test_fresh_files_verify_without_faults(folder: Path) -> None:
    looked = Looked()
    assert list(faults(folder, looked)) == []
    assert (looked.files, looked.lines) == (4, 20)


def test_verification_detects_all_single_byte_changes(folder: Path) -> None:
    found = damage(folder, 100, seed=5)
    for kind in ("journal", "vectors", "results"):
        made = found[kind, "made"]
        assert made
        # Half a line at the end is what a crash leaves: the next run puts it aside.
        torn = 1 if kind == "journal" else 0
        assert found[kind, "verified"] == made
        assert found[kind, "refused"] >= made - torn


def test_verification_names_journal_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / JOURNAL
    whole = path.read_bytes()
    lines = whole.split(b"\n")
    lines[4] = lines[4].replace(b"Small", b"Snall")
    try:
        path.write_bytes(b"\n".join(lines))
        assert verified([folder]) == DIFFERS
    finally:
        path.write_bytes(whole)
    output, said = capsys.readouterr()
    assert f'"file": "{path}", "line": 5, "problem": "not a journal line: it does not end with its checksum' in output
    assert said == "4 files, 20 lines of journals: 1 faults\n"


def test_verification_detects_replaced_input_file(folder: Path) -> None:
    path = folder / SENTENCES
    whole = path.read_bytes()
    try:
        rows = files.rows(path, schemas.SENTENCES)
        metadata = files.metadata_of(files.read(path, schemas.SENTENCES))
        files.write(path, schemas.SENTENCES, rows[:-1], metadata)
        (fault,) = faults(folder / "results", Looked())
    finally:
        path.write_bytes(whole)
    assert fault.file == str(folder / TRIPLES)
    assert fault.problem.endswith("was made from another sentences file; run again")


def test_verification_rejects_folder_without_files(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(typer.BadParameter, match="name the folder that holds them"):
        verified([tmp_path])
    with pytest.raises(typer.BadParameter, match="no folder"):
        verified([folder / VECTORS])


@pytest.mark.parametrize("name", ["scores.csv", "scores.md", "scores.tex"])
def test_verification_detects_changed_table_byte(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    tables = tmp_path / "results/tables"
    tables.mkdir(parents=True)
    for each in ("scores.csv", "scores.md", "scores.tex"):
        (tables / each).write_text("model,score\nm,0.5\n")
    write_checksums(tables, tables.iterdir())
    for needed in ("journal", "results/items", "results/responses", "results/scores"):
        (tmp_path / needed).mkdir()
    manifest = tables.parent / "manifest.json"
    values = {"digest": sha256(canonical({"data": {}})), "experiment": {"data": {}}, "environment": {"files": {}}}
    manifest.write_text(to_text(values))
    write_checksums(tables.parent, [manifest])
    assert verified([tmp_path]) == EQUAL
    subprocess.run(["sha256sum", "--check", "--strict", "checksums"], cwd=tables, check=True, capture_output=True)
    (tables / name).write_text("model,score\nm,9.5\n")
    (tables / "more.csv").write_text("model\n")
    (tables.parent / "weights").mkdir()
    (tables.parent / "weights/source.json").write_text("{}")
    assert verified([tmp_path]) == DIFFERS
    output, said = capsys.readouterr()
    assert f'"file": "{tables / name}", "line": null, "problem": "not as it was written' in output
    assert f'"file": "{tables / "more.csv"}", "line": null, "problem": "not in {tables / "checksums"}' in output
    assert "not checked" not in said
    (tables / name).unlink()
    assert verified([tmp_path]) == DIFFERS
    (tables / "checksums").write_text("nonsense\n")
    assert verified([tmp_path]) == DIFFERS
    (tables / "checksums").unlink()
    manifest.unlink()
    capsys.readouterr()
    assert verified([tmp_path]) == DIFFERS
    output = capsys.readouterr().out
    assert all(
        f'"file": "{path}", "line": null, "problem": "no such file' in output
        for path in (manifest, tables / "checksums")
    )


def test_unknown_files_and_absent_journals_are_not_checked(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "results", tmp_path / "results")
    assert verified([tmp_path / "results"]) == NOT_CHECKED, "no journal has the answers"
    shutil.copytree(folder / "journal", tmp_path / "journal")
    assert verified([tmp_path]) == EQUAL
    (tmp_path / "results/more.txt").write_text("?")
    assert verified([tmp_path]) == NOT_CHECKED


def journal_lines(folder: Path, change: Callable[[list[bytes]], list[bytes]]) -> tuple[list[int | None], int]:
    """Numbers of the lines that are no continuation of the one before, and how many are not chained."""
    whole, looked = (folder / JOURNAL).read_bytes(), Looked()
    try:
        (folder / JOURNAL).write_bytes(b"".join(change(whole.splitlines(keepends=True))))
        found = [fault.line for fault in faults(folder / "journal", looked) if "not written after" in fault.problem]
    finally:
        (folder / JOURNAL).write_bytes(whole)
    return found, looked.unchained


def unchained(line: bytes) -> bytes:
    """A line as earlier versions wrote it."""
    return checked(line.partition(b',"previous":')[0]) + b"\n"


def test_chain_tells_lines_that_were_dropped_moved_or_spliced_in(folder: Path) -> None:
    assert journal_lines(folder, lambda lines: lines) == ([], 0)
    assert journal_lines(folder, lambda lines: lines[1:]) == ([1], 0)
    assert journal_lines(folder, lambda lines: [*lines[:4], *lines[6:]]) == ([5], 0)
    assert journal_lines(folder, lambda lines: [*lines[:4], lines[5], lines[4], *lines[6:]]) == ([5, 6, 7], 0)
    assert journal_lines(folder, lambda lines: [*lines[:4], lines[9], *lines[4:]]) == ([5, 6], 0)


def test_journal_is_verified_line_by_line(tmp_path: Path) -> None:
    text = "P(a) " * 2_000
    asked = [ChatRequest("m", (Message("user", f"{number} {text}"),), {}, 0.0, None, 9, 1) for number in range(300)]
    with Journal(tmp_path / "m.jsonl") as journal:
        journal.append((each, ChatReply(each.key, Ending.ANSWERED, text)) for each in asked)
    looked = Looked()
    tracemalloc.start()
    try:
        assert list(faults(tmp_path, looked)) == []
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert looked.lines == len(asked)
    assert peak < (tmp_path / "m.jsonl").stat().st_size / 10


def test_journals_of_earlier_versions_and_put_together_ones_are_no_faults(folder: Path) -> None:
    assert journal_lines(folder, lambda lines: [*lines, *lines]) == ([], 0)
    assert journal_lines(folder, lambda lines: [unchained(line) for line in lines]) == ([], 20)
    assert journal_lines(folder, lambda lines: [*lines, unchained(lines[3])]) == ([], 1)


def test_responses_with_other_texts_than_the_journal_are_found(tmp_path: Path) -> None:
    kept(tmp_path)
    responses = tmp_path / "results/responses/mine/logical_translation/model.arrow"
    with Journal(tmp_path / JOURNAL) as journal:
        keys = list(journal.replies)
    rows = [stored(schemas.RESPONSES, item=key, request=key, answer="Small(a)") for key in keys]
    rows[3] |= {"answer": "Small(b)"}
    files.write(
        responses,
        schemas.RESPONSES,
        rows,
        {"dataset": "mine", "task": "logical_translation", "model": "model", "kind": "chat"},
    )
    (fault,) = faults(tmp_path, Looked(), tmp_path / "journal")
    assert fault.file == str(responses)
    assert fault.problem == f"1 answers are not what the journal has, that to {keys[3][:12]} among them"


@pytest.mark.parametrize("lost", ["line", "emptied", "exchanged", "journal"])
def test_answers_lost_from_journal_are_counted(tmp_path: Path, lost: str) -> None:
    kept(tmp_path)
    responses = tmp_path / "results/responses/mine/logical_translation/model.arrow"
    with Journal(tmp_path / JOURNAL) as journal:
        rows = [
            stored(schemas.RESPONSES, item=f"s:{place}", request=key, answer="Small(a)")
            for place, key in enumerate(journal.replies)
        ]
    about = {"dataset": "mine", "task": "logical_translation", "model": "model", "kind": "chat"}
    responses.parent.mkdir(parents=True)
    files.write(responses, schemas.RESPONSES, rows, about)
    assert not list(faults(tmp_path, Looked(), tmp_path / "journal"))
    assert not list(asked_again([responses], tmp_path / "journal"))
    if lost == "line":
        lines = (tmp_path / JOURNAL).read_bytes().splitlines(keepends=True)
        (tmp_path / JOURNAL).write_bytes(b"".join(lines[1:]))
    elif lost == "emptied":
        (tmp_path / JOURNAL).write_bytes(b"")
    else:
        (tmp_path / JOURNAL).unlink()
        if lost == "exchanged":
            asked = ChatRequest("another", (Message("user", "What?"),), {}, 0.0, None, 10, 3)
            with Journal(tmp_path / JOURNAL) as journal:
                journal.append([(asked, ChatReply(asked.key, Ending.ANSWERED, "That."))])
    found = {fault.file: fault for fault in faults(tmp_path, Looked(), tmp_path / "journal")}
    assert found.keys() == {str(responses), *([str(tmp_path / JOURNAL)] if lost == "line" else [])}
    fault = found[str(responses)]
    count = 1 if lost == "line" else 20
    assert fault.problem == f"{count} of 20 answers are no longer in {tmp_path / JOURNAL}"
    (said,) = asked_again([responses, tmp_path / "none.arrow"], tmp_path / "journal")
    assert f"{count} of 20 answers are no longer in" in said
