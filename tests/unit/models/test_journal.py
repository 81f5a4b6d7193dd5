import errno
import json
import os
import tracemalloc
from pathlib import Path
from random import Random
from typing import Any, BinaryIO

import pytest
from tests.unit.asking.conversations import Scripted, ask

from nlfol.models.journal.journal import Journal, recorded
from nlfol.models.journal.reading import JournalError, JournalReader
from nlfol.models.request import ChatReply, ChatRequest, Ending
from nlfol.provenance.intactness import Looked, faults
from nlfol.store.locks import LockError

from .conftest import request
from .test_journal_reading import keep, with_checksum

REQUESTS = [request(text=text) for text in ("one", "two", "three")]


@pytest.mark.parametrize("cut", [1, 2, 40, 200])
def test_torn_last_journal_line_loses_only_itself(path: Path, tmp_path: Path, cut: int) -> None:
    with Journal(path) as journal:
        ask(Scripted(), REQUESTS, journal)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    with Journal(path) as journal:
        # Without its end alone the record is whole.
        assert len(journal.replies) == (3 if cut == 1 else 2)
        ask(Scripted(), REQUESTS, journal)
    assert path.read_bytes() == whole
    if cut > 1:
        assert (tmp_path / "j.jsonl.torn").read_bytes() == whole.splitlines()[-1][: 1 - cut] + b"\n"
    with Journal(path) as journal:
        assert len(journal.replies) == 3


def test_journal_keeps_all_torn_lines_aside(path: Path, tmp_path: Path) -> None:
    for torn in (b'{"key":"first', b'{"key":"second'):
        with path.open("ab") as file:
            file.write(torn)
        Journal(path).close()
    assert path.read_bytes() == b""
    assert (tmp_path / "j.jsonl.torn").read_bytes() == b'{"key":"first\n{"key":"second\n'


@pytest.mark.parametrize(
    "line", ["", "nonsense", "[]", '{"key": "k", "request": {}, "reply": {}}', '{"key":"k","request":{"a":1}}']
)
def test_damaged_journal_line_is_named(path: Path, line: str) -> None:
    with Journal(path) as journal:
        ask(Scripted(), REQUESTS, journal)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], line, *lines[1:]]) + "\n")
    with pytest.raises(JournalError, match=r"j\.jsonl:2: not a journal line"):
        Journal(path)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_journal_line_without_checksum_is_damaged(path: Path, tmp_path: Path, place: int) -> None:
    keep(path, answers())
    lines = path.read_text().splitlines()
    lines[place] = lines[place].partition(',"sha256":')[0] + "}"
    path.write_text("\n".join(lines) + "\n")
    said = "it does not end with its checksum: it was changed since it was written"
    with pytest.raises(JournalError, match=rf"j\.jsonl:{place + 1}: not a journal line \({said}\).*delete the line"):
        Journal(path)
    with pytest.raises(JournalError, match=said):
        list(JournalReader(path).fresh())
    with pytest.raises(JournalError, match=rf"j\.jsonl:{place + 1}: .*{said}"):
        recorded(path, {REQUESTS[place].key})
    with Journal(tmp_path / "k.jsonl") as beside, pytest.raises(JournalError, match=rf"j\.jsonl, byte .*{said}"):
        beside.answered(REQUESTS[place].key)
    (fault,) = faults(tmp_path, Looked())
    assert (fault.line, fault.problem) == (place + 1, f"not a journal line: {said}")
    assert "without one delete the line" in fault.remedy


def test_journal_lookup_reports_line_with_damaged_start(path: Path, tmp_path: Path) -> None:
    keep(path, answers()[:1])
    path.write_bytes(path.read_bytes().replace(b'{"key"', b'{"kez"', 1))
    with pytest.raises(JournalError, match=r"j\.jsonl:1: not a journal line"):
        recorded(path, {REQUESTS[0].key})
    with Journal(tmp_path / "k.jsonl") as beside, pytest.raises(JournalError, match=r"j\.jsonl, byte 0: not a journal"):
        beside.answered(REQUESTS[0].key)


def test_deeply_nested_journal_line_counts_as_single_fault(path: Path, tmp_path: Path) -> None:
    nested = '{"key":"k","request":' + "[" * 100_000 + "]" * 100_000 + ',"reply":{}}'
    path.write_text(with_checksum(nested) + "nonsense\n")
    with pytest.raises(JournalError, match=r"j\.jsonl:1: not a journal line \(it is nested too deeply\)"):
        Journal(path)
    assert [fault.line for fault in faults(tmp_path, Looked())] == [1, 2]


def test_torn_line_stays_when_full_disk_prevents_setting_aside(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path.write_bytes(b'{"key":')
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(JournalError, match=r"j\.jsonl: its last line .* \(No space left on device\); make room"):
        Journal(path)
    assert path.read_bytes() == b'{"key":'


def test_unwritable_journal_error_names_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(path: Path, *arguments: Any, **options: Any) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    monkeypatch.setattr(Path, "open", read_only)
    with pytest.raises(JournalError, match=r"j\.jsonl: Read-only file system; see that it can be written"):
        Journal(tmp_path / "j.jsonl")


def test_altered_request_fails_key_check(path: Path) -> None:
    with Journal(path) as journal:
        ask(Scripted(), REQUESTS[:1], journal)
    record = json.loads(path.read_text())
    del record["previous"], record["sha256"]
    record["request"]["temperature"] = 0.1
    path.write_text(with_checksum(json.dumps(record)))
    with pytest.raises(JournalError, match="the key is not its request's"):
        Journal(path)


def test_journal_lock_admits_single_writer(path: Path) -> None:
    with Journal(path), pytest.raises(LockError, match="another process is writing this journal"):
        Journal(path)
    Journal(path).close()


def test_journal_rejects_reply_to_other_request(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.jsonl") as journal, pytest.raises(ValueError, match="is not to request"):
        journal.append([(REQUESTS[0], ChatReply(REQUESTS[1].key, Ending.ANSWERED))])


def test_journal_line_holds_reply_fields_in_order(tmp_path: Path) -> None:
    path, asked = tmp_path / "j.jsonl", REQUESTS[0]
    keep(path, [(asked, ChatReply(asked.key, Ending.TRUNCATED, "∀x", prompt_tokens=2, seconds=0.5, batch="b"))])
    reply = (
        f'{{"key":"{asked.key}","outcome":"truncated","text":"∀x","thinking":null,"finish_reason":null,'
        '"prompt_tokens":2,"completion_tokens":null,"seconds":0.5,"error":null,"cached_tokens":null,'
        '"reasoning_tokens":null,"served_model":null,"fingerprint":null,"response_id":null,"attempts":null,'
        '"engine":null,"batch":"b","lost":null}'
    )
    content, _, _ = path.read_text().partition(',"sha256":')
    chained = f'"previous":"{"0" * 64}"'
    assert content == f'{{"key":"{asked.key}","request":{asked.canonical},"reply":{reply},{chained}'


def answers() -> list[tuple[ChatRequest, ChatReply]]:
    """Each request with its answer."""
    return list(zip(REQUESTS, reversed(list(Scripted().answer(REQUESTS))), strict=True))


def test_journal_closes_after_fsync_failure(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    one, two, three = answers()
    with Journal(path) as journal:
        journal.append([three])
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(JournalError, match=r"j\.jsonl: No space left on device; the 1 replies before are kept"):
            journal.append([two])
        with pytest.raises(ValueError, match="closed file"):
            journal.append([one])
        assert journal.answered(REQUESTS[1].key) is None


@pytest.mark.parametrize("room", [0, 0.1, 1.0, 1.5, 2.9])
def test_journal_keeps_lines_written_before_disk_is_full(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: float
) -> None:
    class Full:
        """Takes so many bytes, then no more."""

        def __init__(self, file: BinaryIO, space: int) -> None:
            self.file, self.room = file, space

        def write(self, data: bytes) -> int:
            if not self.room:
                raise OSError(errno.ENOSPC, "No space left on device")
            taken = self.file.write(data[: self.room])
            self.room -= taken
            return taken

        def __getattr__(self, name: str) -> Any:
            return getattr(self.file, name)

    with Journal(tmp_path / "roomy/j.jsonl") as journal:
        journal.append(answers()[1:2])
    line = (tmp_path / "roomy/j.jsonl").stat().st_size
    with Journal(path) as journal:
        monkeypatch.setattr(journal, "_file", Full(journal._file, int(room * line)))
        with pytest.raises(JournalError, match="No space left"):
            journal.append(answers())
    whole = path.read_bytes().count(b"\n")
    assert whole == int(room)
    backend = Scripted()
    with Journal(path) as journal:
        assert len(journal.replies) == whole
        ask(backend, REQUESTS, journal)
    assert len(backend.asked) == len(REQUESTS) - whole
    with Journal(path) as journal:
        assert [journal.replies[each.key].text for each in REQUESTS] == ["one", "two", "three"]


def test_open_journal_leaves_replies_on_disk(path: Path) -> None:
    asked = [request(text=str(number)) for number in range(1_000)]
    with Journal(path) as journal:
        journal.append((each, ChatReply(each.key, Ending.ANSWERED, "x" * 5_000)) for each in asked)
    tracemalloc.start()
    with Journal(path) as journal:
        kept, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert kept < 200 * len(asked)
        journal.append([(REQUESTS[0], ChatReply(REQUESTS[0].key, Ending.ANSWERED, "x" * 100_000))])
        assert len(journal.answered(REQUESTS[0].key).text or "") == 100_000  # type: ignore[union-attr]
        assert [*journal.replies] == [each.key for each in (*asked, REQUESTS[0])]
        assert journal.replies.get("0" * 64) is None


def test_first_answer_wins_in_merged_journal(path: Path) -> None:
    key = REQUESTS[0].key
    failed = ChatReply(key, Ending.FAILED, error="busy")
    texts = [ChatReply(key, Ending.ANSWERED, text=text) for text in ("first", "second")]
    with Journal(path) as journal:
        journal.append((REQUESTS[0], reply) for reply in [failed, *texts, failed])
        assert journal.replies[key].text == "first"
    with Journal(path) as journal:
        assert journal.replies[key].text == "first"


def test_checksum_detects_any_changed_byte(path: Path) -> None:
    keep(path, answers())
    whole, draw = path.read_bytes(), Random(7)
    for _ in range(400):
        place, other = draw.randrange(len(whole)), draw.randrange(1, 256)
        path.write_bytes(whole[:place] + bytes([whole[place] ^ other]) + whole[place + 1 :])
        if place == len(whole) - 1:
            continue  # a last line without its end, which is put aside
        with pytest.raises(JournalError, match=r"j\.jsonl:[1-3]: not a journal line"):
            Journal(path)


@pytest.mark.usefixtures("lockless")
def test_lock_file_admits_single_writer_without_file_locks(path: Path, tmp_path: Path) -> None:
    with Journal(path) as journal:
        journal.append(answers())
        with pytest.raises(LockError, match=r"if it no longer runs, delete .*j\.jsonl\.lock"):
            Journal(path)
    with Journal(path) as journal:
        assert len(journal.replies) == 3
    assert [found.name for found in tmp_path.iterdir()] == ["j.jsonl"]


def test_recorded_replies_are_found_during_concurrent_writes(path: Path) -> None:
    with Journal(path) as journal:
        ask(Scripted({"two": Ending.FAILED}), REQUESTS[:2], journal)
        ask(Scripted(), REQUESTS[:2], journal)
        before = path.read_bytes()
        path.write_bytes(before + before[:100])
        found = recorded(path, {REQUESTS[1].key, REQUESTS[2].key})
        assert path.read_bytes() == before + before[:100], "a line that is being written is left alone"
    assert set(found) == {REQUESTS[1].key}
    assert [(name, number, reply.outcome, reply.text) for name, number, reply in found[REQUESTS[1].key]] == [
        (path, 1, Ending.FAILED, None),
        (path, 3, Ending.ANSWERED, "two"),
    ]


def test_journal_lookup_reports_missing_or_damaged_journal(path: Path) -> None:
    with pytest.raises(JournalError, match="no such file"):
        recorded(path, {REQUESTS[0].key})
    path.write_text(f'{{"key":"{REQUESTS[0].key}","request":{{}}}}\n', encoding="utf-8")
    with pytest.raises(JournalError, match=r"j\.jsonl:1: not a journal line"):
        recorded(path, {REQUESTS[0].key})
    assert recorded(path, {REQUESTS[1].key}) == {}
