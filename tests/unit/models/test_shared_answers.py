"""Equal requests of several jobs of a model are asked once, also when the jobs run at the same time."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from tests.unit.asking.conversations import Scripted, ask

from nlfol.asking import dialogue
from nlfol.models.journal.journal import Journal, recorded, unrecorded
from nlfol.models.journal.reading import JournalError
from nlfol.models.request import ChatReply, ChatRequest, Ending
from nlfol.store.logs import LOGGER

from .chat_server import ChatServer
from .conftest import request

CONCURRENCY = 4
PROGRAM = """
import sys
from pathlib import Path
from nlfol.models.api.chat import ApiChat
from nlfol.models.journal.journal import Journal
from tests.unit.asking.conversations import ask
from tests.unit.models.conftest import openai_entry, request

journal, url, concurrency, first, last = sys.argv[1:]
chat = ApiChat(openai_entry(url, concurrency=int(concurrency)))
questions = [request(chat.identity, f"Sentence {number}.") for number in range(int(first), int(last))]
print("ready", flush=True)
sys.stdin.readline()
with Journal(Path(journal)) as kept:
    print(len(ask(chat, questions, kept)), flush=True)
"""
A, B, C = (request(text=text) for text in "ABC")


def reply(asked: ChatRequest, text: str | None, outcome: Ending = Ending.ANSWERED) -> tuple[ChatRequest, ChatReply]:
    return asked, ChatReply(asked.key, outcome, text)


def keep(path: Path, *replies: tuple[ChatRequest, ChatReply]) -> None:
    with Journal(path) as journal:
        journal.append(replies)


def text_of(journal: Journal, asked: ChatRequest) -> str | None:
    found = journal.answered(asked.key)
    return None if found is None else found.text


def test_shared_answers_are_reused_without_copying(tmp_path: Path) -> None:
    keep(tmp_path / "d.direct.jsonl", reply(A, "said"), reply(B, None, Ending.FAILED))
    backend = Scripted()
    with Journal(tmp_path / "d.refine.jsonl") as journal:
        replies = ask(backend, [A, B, C], journal)
        assert set(journal.replies) == {B.key, C.key}
    assert sorted(backend.asked) == ["B", "C"]
    assert replies[A.key].text == "said"
    assert sorted(path.name for path in tmp_path.iterdir()) == [".claims", "d.direct.jsonl", "d.refine.jsonl"]


def test_own_journal_answer_precedes_alphabetical_order(tmp_path: Path) -> None:
    for name in ("c", "a", "b"):
        keep(tmp_path / f"{name}.jsonl", reply(B, None, Ending.FAILED), reply(A, name), reply(B, name))
    # A journal that was put together from others answers twice.
    merged = b"".join((tmp_path / f"{name}.jsonl").read_bytes() for name in "ba")
    (tmp_path / "0.jsonl").write_bytes(merged)
    with Journal(tmp_path / "c.jsonl") as own, Journal(tmp_path / "d.jsonl") as new:
        assert [text_of(own, each) for each in (A, B)] == ["c", "c"]
        assert [text_of(new, each) for each in (A, B)] == ["b", "b"]


def test_damaged_line_in_other_journal_fails_only_its_lookup(tmp_path: Path) -> None:
    keep(tmp_path / "a.jsonl", reply(A, "right"), reply(B, "right"), reply(C, "right"))
    whole = (tmp_path / "a.jsonl").read_bytes()
    first, second, third = whole.splitlines(keepends=True)
    (tmp_path / "a.jsonl").write_bytes(first.replace(b"right", b"wrong") + second + third[:-20])
    with Journal(tmp_path / "b.jsonl") as journal:
        assert text_of(journal, B) == "right"
        assert text_of(journal, C) is None, "a line without an end may be being written"
        with pytest.raises(JournalError, match=r"a\.jsonl, byte 0: not a journal line .* restore the file"):
            journal.answered(A.key)


def test_request_claim_lasts_until_answer_or_job_end(tmp_path: Path) -> None:
    keys = [A.key, B.key, C.key]
    with Journal(tmp_path / "b.jsonl") as second:
        with Journal(tmp_path / "a.jsonl") as first:
            assert first.claim(keys[:2]) == set(keys[:2])
            assert second.claim(keys) == {C.key}
            assert first.claim(keys) == set(keys[:2])
            first.append([reply(A, "said"), reply(B, None, Ending.FAILED)])
            assert second.claim(keys[:2]) == {B.key}
            assert text_of(second, A) == "said"
            assert first.claim([B.key]) == set()
        with Journal(tmp_path / "a.jsonl") as first:
            assert first.claim(keys[1:]) == set(), "those of the second one are still claimed"
            second.close()
            assert first.claim(keys[1:]) == set(keys[1:])
    # Left by a process that was killed: nobody holds their lock.
    (tmp_path / ".a.jsonl.claims").write_text(f"token\n{A.key}\n")
    (tmp_path / "a.jsonl").unlink()
    with Journal(tmp_path / "b.jsonl") as second:
        assert second.claim(keys) == set(keys)


def test_log_names_process_being_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(LOGGER, "propagate", True)
    monkeypatch.setattr(dialogue, "_LOOKS", 3)
    with Journal(tmp_path / "a.jsonl") as first, Journal(tmp_path / "b.jsonl") as second:
        first.claim([A.key])
        slept: list[float] = []

        def sleep(seconds: float) -> None:
            slept.append(seconds)
            if len(slept) == 5:
                first.append([reply(A, "said")])

        monkeypatch.setattr(dialogue, "sleep", sleep)
        assert ask(Scripted(), [A], second)[A.key].text == "said"
    (said,) = (row.getMessage() for row in caplog.records if row.levelname == "WARNING")
    assert re.search(
        rf"no reply for 2 s to 1 requests .*a\.jsonl \(process {os.getpid()} on .*\); if it is stopped", said
    )


def test_recorded_lines_list_own_journal_first(tmp_path: Path) -> None:
    keep(tmp_path / "a.jsonl", reply(A, "there"), reply(B, "there"))
    keep(tmp_path / "b.jsonl", reply(C, "here"), reply(A, "here"))
    found = recorded(tmp_path / "b.jsonl", {A.key, B.key})
    assert [(path.name, number, each.text) for path, number, each in found[A.key]] == [
        ("b.jsonl", 2, "here"),
        ("a.jsonl", 1, "there"),
    ]
    assert [(path.name, number) for path, number, _ in found[B.key]] == [("a.jsonl", 2)]
    assert unrecorded(tmp_path / "c.jsonl", {A.key, C.key, "0" * 64}) == {"0" * 64}


class Job:
    """A process that asks about sentences from one to before another, once it is told to."""

    def __init__(self, journal: Path, url: str, first: int, last: int) -> None:
        command = [sys.executable, "-c", PROGRAM, str(journal), url, str(CONCURRENCY), str(first), str(last)]
        environment = {**os.environ, "PYTHONPATH": ":".join(sys.path)}
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        assert self.process.stdin
        assert self.process.stdout
        assert self.process.stdout.readline() == "ready\n"

    def start(self) -> None:
        assert self.process.stdin
        self.process.stdin.write("\n")

    def answered(self) -> int:
        """The number of requests with a reply, in the end."""
        said, _ = self.process.communicate(timeout=60)
        assert self.process.returncode == 0
        return int(said)


def lines(*journals: Path) -> Counter[str]:
    return Counter(json.loads(line)["key"] for path in journals for line in path.read_bytes().splitlines())


def test_concurrent_jobs_ask_shared_requests_once(tmp_path: Path) -> None:
    journals = [tmp_path / "m/d.direct.jsonl", tmp_path / "m/d.refine.jsonl"]
    with ChatServer(seconds=0.01) as server:
        jobs = [Job(journals[0], server.url, 0, 150), Job(journals[1], server.url, 50, 200)]
        for job in jobs:
            job.start()
        assert [job.answered() for job in jobs] == [150, 150]
    assert server.attempts == {f"Sentence {number}.": 1 for number in range(200)}
    assert set(lines(*journals).values()) == {1}


def test_surviving_job_takes_over_killed_jobs_requests(tmp_path: Path) -> None:
    journals = [tmp_path / "m/d.direct.jsonl", tmp_path / "m/d.refine.jsonl"]
    with ChatServer(seconds=0.02) as server:
        killed, other = Job(journals[0], server.url, 0, 200), Job(journals[1], server.url, 0, 220)
        killed.start()
        while len(server.asked) < 20:
            time.sleep(0.005)
        other.start()
        while len(server.asked) < 80:
            time.sleep(0.005)
        os.kill(killed.process.pid, signal.SIGKILL)
        killed.process.communicate()
        assert other.answered() == 220
    assert set(server.attempts) == {f"Sentence {number}." for number in range(220)}
    assert server.attempts.total() - 220 <= CONCURRENCY
    found = lines(*journals)
    assert len(found) == 220
    assert set(found.values()) == {1}
    assert lines(journals[0]).total() >= 80 - 2 * CONCURRENCY, "the other one waited for these"
