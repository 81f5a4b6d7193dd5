"""Servers of other projects, as they are: what nlfol makes of what they ignore. Skipped where not installed."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import pytest
import yaml
from tests.workflow.checkout import ROOT

from nlfol.models.api.chat import ApiChat
from nlfol.models.api.probing import refuse_free_answers
from nlfol.models.entries.chat import LocalChatEntry
from nlfol.models.entries.provider_table import Bound
from nlfol.models.local.materialisation import ModelSourceError, locate
from nlfol.models.providers.openai import OpenaiChatEntry
from nlfol.models.request import ChatError, ChatReply, Ending
from nlfol.models.schema import bounds_in

from .conftest import openai_entry, permutation, request

TOKENS = 12


@contextmanager
def running(folder: Path, *command: str, python: str = sys.executable) -> Iterator[str]:
    """A server of its own process, once it answers; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (folder / "server.log").open("wb") as log:
        arguments = [*command, "--host", "127.0.0.1", "--port", str(port)]
        process = subprocess.Popen([python, *arguments], stdout=log, stderr=subprocess.STDOUT)
        try:
            while not listening(port):
                assert process.poll() is None, (folder / "server.log").read_text()
                time.sleep(0.2)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()
            process.wait()


def listening(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/openapi.json"):
            return True
    except HTTPError as error:
        return error.code == 404
    except URLError:
        return False


def entry(url: str, model: str, **settings: Any) -> OpenaiChatEntry:
    return openai_entry(url, **{"model": model, "retries": 0, "limits": {"tokens": TOKENS}, **settings})


def doubt(said: OpenaiChatEntry) -> str | None:
    return refuse_free_answers(said, ApiChat(said))


def free_answer(said: OpenaiChatEntry) -> ChatReply:
    asked = request(said.identity, "Tell me a long story.", temperature=0.0, max_tokens=TOKENS)
    (reply,) = ApiChat(said).answer([asked])
    return reply


def test_transformers_serve_is_refused_for_ignoring_response_format(
    tiny_model: Callable[[str], Path], tmp_path: Path
) -> None:
    for needed in ("fastapi", "uvicorn"):
        pytest.importorskip(needed, reason="transformers serve needs pip install transformers[serving]")
    model = str(tiny_model("qwen3"))
    start = "from transformers.cli.transformers import main; main()"
    with running(tmp_path, "-c", start, "serve", model, "--device", "cpu") as url:
        for structured in ("json_schema", "json_object", "json_object_schema"):
            with pytest.raises(ChatError, match=rf"This server ignores .* \(structured: {structured}\)"):
                doubt(entry(url, model, structured=structured))
        for limit in ("max_completion_tokens", "max_tokens"):
            reply = free_answer(entry(url, model, structured="none", capabilities={"limit": limit}))
            assert (reply.outcome, reply.completion_tokens) == (Ending.TRUNCATED, TOKENS)


@pytest.fixture
def weights() -> Path:
    """The GGUF of the default experiment's model."""
    values = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["models"]["smollm2-135m"]
    try:
        return locate(LocalChatEntry.model_validate(values).source)
    except ModelSourceError as error:
        pytest.skip(str(error))


LLAMA_CPP = """
import sys, threading, xllamacpp
parameters = xllamacpp.CommonParams()
parameters.model.path, parameters.port = sys.argv[1], int(sys.argv[-1])
parameters.n_ctx, parameters.n_parallel, parameters.warmup = 512, 1, False
parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(parameters)
threading.Event().wait()
"""


def test_llama_cpp_enforces_bounds_and_extra_settings(tmp_path: Path, weights: Path) -> None:
    pytest.importorskip("xllamacpp", reason="needs pip install xllamacpp")
    with running(tmp_path, "-c", LLAMA_CPP, str(weights)) as url:
        said = entry(url, "smollm2", thinking=False, extra={"top_k": 20, "min_p": 0}, limits={"tokens": 60})
        assert doubt(said) is None
        asked = request(said.identity, "Rank them.", answer=permutation(4), temperature=0.0, max_tokens=60)
        asked = replace(asked, bounds=bounds_in(asked.answer_schema, get_args(Bound)))
        (reply,) = ApiChat(said).answer([asked])
        assert (reply.outcome, reply.engine) == (Ending.ANSWERED, None)
        answer = json.loads(reply.text or "")
        assert len(answer["reasoning"]) <= 12
        assert (len(answer["answer"]), set(answer["answer"]) <= {1, 2, 3, 4}) == (4, True)


def test_llama_cpp_python_enforces_only_json_object_formats(tmp_path: Path, weights: Path) -> None:
    pytest.importorskip("llama_cpp.server.app", reason="needs pip install llama-cpp-python[server]")
    options = ("--model", str(weights), "--model_alias", "smollm2", "--n_ctx", "512")
    with running(tmp_path, "-m", "llama_cpp.server", *options) as url:
        with pytest.raises(ChatError, match=r"500: the model does not take response_format .* json_object_schema"):
            doubt(entry(url, "smollm2"))
        older = {"capabilities": {"limit": "max_tokens"}}
        for structured in ("json_object", "json_object_schema"):
            said = entry(url, "smollm2", structured=structured, limits={"tokens": 60}, **older)
            assert doubt(said) is None
        reply = free_answer(entry(url, "smollm2", structured="none"))
        assert reply.outcome is Ending.FAILED
        assert "capabilities: {limit: max_tokens}" in (reply.error or "")
        reply = free_answer(entry(url, "smollm2", structured="none", **older))
        assert (reply.outcome, reply.completion_tokens) == (Ending.TRUNCATED, TOKENS)
