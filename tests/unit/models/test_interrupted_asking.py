"""A run that is killed: a real process asks a real server over the loopback, and is ended in the middle of it."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Self

from nlfol.models.journal.journal import Journal

from .chat_server import ChatServer
from .conftest import request

CONCURRENCY = 6
REQUESTS = 400
KILLS = 20
PROGRAM = """
import json, os, sys
from pathlib import Path
import openai.resources
from nlfol.models.api import client
from nlfol.models.api.chat import ApiChat
from nlfol.models.journal.journal import Journal
from tests.unit.asking.conversations import ask
from tests.unit.models.conftest import openai_entry, request

def main(journal, url, concurrency, count):
    chat = ApiChat(openai_entry(url, concurrency=concurrency))
    questions = [request(chat.identity, f"Sentence {number}.") for number in range(count)]
    with Journal(journal) as kept:
        # One write of one process: the parent says nothing before this one has ended.
        os.write(1, b"%d asking\\n" % os.getpid())
        ask(chat, questions, kept)

for _ in sys.stdin:
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
    else:
        main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
        break
"""


class Asker:
    """Processes that ask, one after the other: forks of one that has imported the library."""

    def __init__(self, journal: Path, url: str) -> None:
        command = [sys.executable, "-c", PROGRAM, str(journal), url, str(CONCURRENCY), str(REQUESTS)]
        environment = {**os.environ, "PYTHONPATH": ":".join(sys.path)}
        self._parent = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._parent.communicate()

    def start(self) -> int:
        """A process that asks from now on."""
        assert self._parent.stdin
        self._parent.stdin.write("\n")
        process, said = self._read().split()
        assert said == "asking"
        return int(process)

    def status(self) -> int:
        """Its exit status, once it has ended."""
        return int(self._read())

    def _read(self) -> str:
        assert self._parent.stdout
        return self._parent.stdout.readline().strip()


def test_killed_run_loses_only_answers_in_flight(tmp_path: Path) -> None:
    """Each process is killed after so many more requests have reached the server, and at a drawn moment from then."""
    draw = random.Random(20260119)
    journal = tmp_path / "j.jsonl"
    kept_before: set[bytes] = set()
    with ChatServer(seconds=0.01) as server, Asker(journal, server.url) as asker:
        for _ in range(KILLS):
            process = asker.start()
            goal = len(server.asked) + draw.randrange(1, 18)
            while len(server.asked) < goal:
                os.kill(process, 0)  # raises an error if it has ended
                time.sleep(0.001)
            time.sleep(draw.random() * 0.02)
            os.kill(process, signal.SIGKILL)
            assert asker.status() == -signal.SIGKILL
            # Every whole line of before is still there; half a line at most is after them.
            lines = set(journal.read_bytes().split(b"\n")[:-1])
            assert kept_before <= lines
            kept_before = lines
        interrupted = server.attempts
        assert 0 < len(kept_before) < REQUESTS
        asker.start()
        assert asker.status() == 0
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
