"""A run that is killed: a real process asks a real server over the loopback, and is ended in the middle of it."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from nlfol.models.journal.journal import Journal

from .chat_server import ChatServer
from .conftest import request

CONCURRENCY = 6
REQUESTS = 400
KILLS = 20
PROGRAM = """
import json, os, sys
from pathlib import Path
from nlfol.models.api.chat import ApiChat
from nlfol.models.journal.journal import Journal
from nlfol.models.entries.chat import ApiChatEntry
from tests.unit.asking.single import ask
from tests.unit.models.conftest import request

journal, url, concurrency, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
chat = ApiChat(
    ApiChatEntry(
        kind="chat", backend="openai", model="tiny", base_url=url, api_key_env=None, concurrency=concurrency
    )
)
questions = [request(chat.identity, f"Sentence {number}.") for number in range(count)]
with Journal(journal) as kept:
    print("asking", flush=True)
    ask(chat, questions, kept)
"""


def start(journal: Path, url: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PROGRAM, str(journal), url, str(CONCURRENCY), str(REQUESTS)]
    environment = {**os.environ, "PYTHONPATH": ":".join(sys.path)}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def test_kills_at_twenty_moments_cost_no_answer_but_those_under_way(tmp_path: Path) -> None:
    """Each process is killed after so many more requests have reached the server, and at a drawn moment from then."""
    draw = random.Random(20260119)
    journal = tmp_path / "j.jsonl"
    kept_before: set[bytes] = set()
    with ChatServer(seconds=0.01) as server:
        for _ in range(KILLS):
            with start(journal, server.url) as process:
                assert process.stdout
                assert process.stdout.readline() == "asking\n"
                goal = len(server.asked) + draw.randrange(1, 18)
                while len(server.asked) < goal and process.poll() is None:
                    time.sleep(0.001)
                time.sleep(draw.random() * 0.02)
                process.send_signal(signal.SIGKILL)
            # Every whole line of before is still there; half a line at most is after them.
            lines = set(journal.read_bytes().split(b"\n")[:-1])
            assert kept_before <= lines
            kept_before = lines
        interrupted = server.attempts
        assert 0 < len(kept_before) < REQUESTS
        with start(journal, server.url) as process:
            assert process.wait() == 0
        attempts = server.attempts
    with Journal(journal) as journal_read:
        answers = {key: json.loads(reply.text or "")["answer"] for key, reply in journal_read.replies.items()}
    identity = f"openai:{server.url}/tiny"
    assert answers == {request(identity, f"Sentence {n}.").key: f"Sentence {n}." for n in range(REQUESTS)}
    lines_of = Counter(json.loads(line)["key"] for line in journal.read_bytes().splitlines())
    assert set(lines_of.values()) == {1}
    # Asked again was only what a kill caught under way.
    assert attempts.total() - REQUESTS <= KILLS * CONCURRENCY
    assert interrupted.total() - len(kept_before) <= KILLS * CONCURRENCY


def test_a_line_that_a_kill_tore_is_put_aside_and_its_request_asked_again(tmp_path: Path) -> None:
    journal = tmp_path / "j.jsonl"
    with ChatServer() as server:
        with start(journal, server.url) as process:
            assert process.wait() == 0
        whole = journal.read_bytes()
        journal.write_bytes(whole[:-200])
        with start(journal, server.url) as process:
            assert process.wait() == 0
        again = server.attempts
    assert sorted(again.values())[-2:] == [1, 2]
    assert len(journal.read_bytes().splitlines()) == REQUESTS
    torn = (tmp_path / "j.jsonl.torn").read_bytes()
    assert torn == whole.splitlines()[-1][: -200 + 1] + b"\n"
