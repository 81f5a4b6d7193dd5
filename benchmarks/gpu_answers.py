"""Parts of ``benchmarks/gpu.py`` that have models answer or learn: precision, embeddings, training and engines."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.gpu_job import ROOT, Figure, Job, LackingError, configuration, dialogue_model, short, steps

from nlfol.models.entries import memory
from nlfol.models.entries.chat import LocalChatEntry
from nlfol.models.entries.embedding import EmbeddingEntry
from nlfol.models.local import materialisation
from nlfol.models.request import ChatRequest, Message
from nlfol.tasks.plan import Step

ANIMALS: Final = ("ant", "bee", "cat", "dog", "elk", "fox", "hen", "owl", "pig", "ram")
KILLED_AT: Final = 12
"""Steps after which a training is killed."""


def precision(job: Job) -> Iterator[Figure]:
    """Compare greedy answers, and log-probabilities of the tokens that begin them, by type of the weights."""
    from nlfol.asking.questions import request_of
    from nlfol.models.local.chat import LocalChat

    yield Figure("asked (MB)", memory.ASKING)
    entry, folder = dialogue_model(job)
    asked = steps(job)
    exact: list[Any] = []
    base = 0.0
    for dtype in ("float32", "bfloat16", "float16"):
        chat = LocalChat(entry.model_copy(update={"dtype": dtype, "logprobs": True}), folder)
        requests = [replace(request_of(step, entry, "gpu", 0), logprobs=True) for step in asked]
        rows, seconds = _written(chat, requests)
        rate = sum(len(row.written) for row in rows) / seconds
        base = base or rate
        yield Figure(f"{dtype}: tokens of {len(rows)} answers", sum(len(row.written) for row in rows))
        yield Figure(f"{dtype}: rate to that of float32", rate / base)
        few = requests[:3]
        alone = [_written(chat, [each])[0][0].written for each in few]
        same = sum(one == row.written for one, row in zip(alone, rows, strict=False))
        yield Figure(f"{dtype}: answers that are the same asked alone", f"{same} of {len(few)}")
        if dtype == "float32":
            exact = rows
            continue
        pairs = list(zip(exact, rows, strict=True))
        same = sum(one.written == other.written for one, other in pairs)
        yield Figure(f"{dtype}: answers that are those of float32", f"{same} of {len(pairs)}")
        apart = [
            abs(before - after)
            for one, other in pairs
            for (_, before), (_, after) in takewhile(_alike, zip(_tokens(one), _tokens(other), strict=False))
            if before is not None and after is not None
        ]
        yield Figure(f"{dtype}: largest difference of log-probabilities (nats)", max(apart, default="no token alike"))
        del chat


def _tokens(row: Any) -> Iterator[tuple[int, float | None]]:
    return zip(row.written, row.logprobs, strict=True)


def _alike(pair: tuple[tuple[int, Any], tuple[int, Any]]) -> bool:
    (one, _), (other, _) = pair
    return one == other


def _written(chat: Any, requests: Sequence[ChatRequest]) -> tuple[list[Any], float]:
    """Return the requests' rows in their order, finished, and the seconds that this took."""
    rows = [chat.row(request) for request in requests]
    begin = time.perf_counter()
    list(chat.write(rows))
    return rows, time.perf_counter() - begin


def embeddings(job: Job) -> Iterator[Figure]:
    """Compare vectors of the default experiment's embedding model on the device with those on the CPU."""
    import numpy as np

    if find_spec("sentence_transformers") is None:
        raise LackingError("sentence-transformers is not installed: it needs scikit-learn and scipy; install all three")
    from nlfol.models.vectors.local import LocalEmbedder

    yield Figure("asked (MB)", memory.ASKING)
    said = configuration().models["minilm"].model_dump(mode="json", exclude_unset=True)
    entry, folder = EmbeddingEntry.model_validate(said), job.work / "minilm"
    if not folder.exists():
        materialisation.materialise(entry, folder)
    texts = sorted({f"{step.user} Number {n}." for n in range(1 if job.tiny else 100) for step in steps(job)})
    vectors, rates = [], []
    for device in ("cpu", job.device):
        embedder = LocalEmbedder(entry.model_copy(update={"device": device}), folder)
        embedder.encode(texts[:8], "query")
        begin = time.perf_counter()
        vectors.append(np.array([each.vector for each in embedder.encode(texts, "query")], dtype=np.float64))
        rates.append(len(texts) / (time.perf_counter() - begin))
    on_cpu, here = vectors
    yield Figure("device", "cuda" if job.cuda else "cpu, as its own reference")
    yield Figure("texts", len(texts))
    yield Figure("largest difference of a component", float(np.abs(on_cpu - here).max()))
    yield Figure("largest difference of a cosine", float(np.abs(on_cpu @ on_cpu.T - here @ here.T).max()))
    yield Figure("texts a second, to those of the CPU", rates[1] / rates[0])


def training(job: Job) -> Iterator[Figure]:
    """Compare the losses of a LoRA training with those of one that was killed and went on, and of one more."""
    yield Figure("asked (MB)", memory.TRAINING)
    dialogue_model(job)
    begin = time.perf_counter()
    whole, _ = _trained(job, "whole")
    yield Figure("seconds of a training with its start", time.perf_counter() - begin)
    yield Figure("steps", len(whole))
    yield Figure("first loss (nats)", whole[0])
    yield Figure("last loss (nats)", whole[-1])
    killed, status = _trained(job, "killed", kill=KILLED_AT)
    if status != -signal.SIGKILL or killed:
        raise RuntimeError(f"the training that was to be killed ended with status {status}")
    resumed, _ = _trained(job, "killed")
    yield Figure("killed at step", KILLED_AT)
    yield Figure("largest difference of losses, killed and resumed", _largest(whole, resumed))
    again, _ = _trained(job, "again")
    yield Figure("largest difference of losses, once more", _largest(whole, again))


def _largest(one: Sequence[float], other: Sequence[float]) -> float:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def _trained(job: Job, name: str, kill: int = 0) -> tuple[list[float], int]:
    """Train in a process of its own, which is killed at a step; return losses, none if it was, and its status."""
    folder = job.work / f"training-{name}"
    if name != "killed" or kill:
        shutil.rmtree(folder, ignore_errors=True)
    losses = folder / "losses.json"
    told = [f"--device={job.device}", f"--model={job.model}", f"--work={job.work}", f"--kill={kill}"]
    told += ["--tiny"] if job.tiny else []
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks/gpu_parts.py"), "train", str(losses), *told], check=False
    )
    if done.returncode and not kill:
        raise RuntimeError(f"the training {name} ended with status {done.returncode}")
    return json.loads(losses.read_text()) if losses.exists() else [], done.returncode


def train(job: Job, output: Path, kill: int) -> None:
    """Train the dialogue model on forty sentences, as rule ``train_adapter`` does, and write the losses."""
    from nlfol.training import lora
    from nlfol.training.entry import Settings

    seen, collate = 0, lora.collate

    def counted(*arguments: Any, **named: Any) -> Any:
        nonlocal seen
        seen += 1
        if seen == kill:
            os.kill(os.getpid(), signal.SIGKILL)
        return collate(*arguments, **named)

    setattr(lora, "collate", counted)  # noqa: B010 - another module's name
    words = [f"{one}{two}" for one in ("red", "wild", "old", "sea") for two in ANIMALS]
    dialogues = [
        (
            Message("system", "Translate into first-order logic."),
            Message("user", f"Every {word} is a mammal."),
            Message("assistant", f'{{"reasoning":"","answer":"∀x ({word.title()}(x) → Mammal(x))"}}'),
        )
        for word in words
    ]
    entry, folder = dialogue_model(job)
    settings = Settings(epochs=3, batch=5, learning_rate=1e-3, dropout=0.1)
    output.parent.mkdir(parents=True, exist_ok=True)
    done = lora.train(settings, entry, folder, dialogues, output.parent / "adapter", saved_every=5)
    output.write_text(json.dumps([row["loss"] for row in done.losses]))
    shutil.rmtree(done.work)


def engines(job: Job) -> Iterator[Figure]:
    """Compare the speed of the engines that are installed with that of the local loop, 64 answers of all tasks each."""
    from nlfol.asking.questions import request_of
    from nlfol.models.local.chat import LocalChat

    here = {"vllm": bool(job.vllm or find_spec("vllm") or shutil.which("vllm"))}
    here["llama.cpp"] = bool(find_spec("xllamacpp") or shutil.which("llama-server"))
    for engine in (name for name, installed in here.items() if not installed):
        yield Figure(engine, "not installed")
    if not any(here.values()):
        raise LackingError("neither vLLM nor llama.cpp is installed")
    if job.is_random:
        raise LackingError("a tiny model with random weights is not served")
    asked = steps(replace(job, requests=0))
    asked = [asked[number % len(asked)] for number in range(job.requests or 64)]
    entry, folder = dialogue_model(job)
    changed = {"dtype": "bfloat16" if job.cuda else "float32", "sampling": {"temperature": 0.7}}
    local = LocalChatEntry.model_validate({**entry.model_dump(mode="json", exclude_unset=True), **changed})
    yield Figure("answers of each", len(asked))
    unit = "second" if job.cuda else "CPU second"
    # Servers first: vLLM takes what is free of a GPU.
    rates: dict[str, float] = {}
    for engine in (name for name, installed in here.items() if installed):
        try:
            rates[engine], version = _served(job, engine, local, asked)
            yield Figure(f"{engine}: version", version or "not told")
            yield Figure(f"{engine}: tokens a {unit}", rates[engine])
        except Exception as error:  # recorded; the other engine goes on
            traceback.print_exc()
            yield Figure(engine, short(error))
    chat = LocalChat(local, folder)
    _written(chat, [request_of(asked[0], local, chat.identity, 10**6)])
    begin = _spent(job)
    rows, _ = _written(chat, [request_of(step, local, chat.identity, n) for n, step in enumerate(asked)])
    loop = sum(len(row.written) for row in rows) / (_spent(job) - begin)
    yield Figure(f"local loop: tokens a {unit}", loop)
    for engine, rate in rates.items():
        yield Figure(f"{engine}: tokens a {unit}, to those of the loop", rate / loop)


def _spent(job: Job) -> float:
    """Return seconds: on a GPU by the clock, otherwise of CPU, by this process and those under it."""
    if job.cuda:
        return time.perf_counter()
    import psutil

    here = psutil.Process()
    return float(sum(sum(each.cpu_times()[:2]) for each in (here, *here.children(recursive=True))))


def _served(job: Job, engine: str, local: LocalChatEntry, asked: Sequence[Step]) -> tuple[float, str | None]:
    """Return the tokens a second of a server that is started as the workflow does, and its version."""
    from nlfol.asking.questions import request_of
    from nlfol.models.api.chat import ApiChat
    from nlfol.models.providers.openai import OpenaiChatEntry
    from nlfol.models.serving.service import Server, own_state, write_state
    from nlfol_extras.serving.engines import Place
    from nlfol_extras.serving.model_server import started

    serve: dict[str, Any] = {"engine": engine, "source": local.source.model_dump(mode="json"), "context": 4096}
    if engine == "vllm":
        serve |= {"dtype": local.dtype, "command": shlex.split(job.vllm) or None}
    said = {"kind": "chat", "backend": "openai", "model": "served", "serve": serve, "sampling": {"temperature": 0.7}}
    more = {"limits": {"tokens": local.limits.tokens}, "concurrency": 32 if job.cuda else 4}
    entry = OpenaiChatEntry.model_validate({**said, **more})
    folder = job.work / f"served-{engine}-{Path(job.model.partition('@')[0]).name or 'default'}"
    if not folder.exists():
        materialisation.materialise(entry, folder)
    place = Place(
        materialisation.weights(folder),
        gpus=int(job.cuda),
        threads=len(os.sched_getaffinity(0)),
        memory=memory.of_server(materialisation.megabytes(entry, folder)),
    )
    path = job.work / f"{engine}-service.json"
    with started(entry, place, job.work / f"{engine}.server.log", 120) as server:
        reached = {"host": server.host, "port": server.port, "key": server.key, "engine": engine}
        write_state(path, own_state().model_copy(update={**reached, "version": server.version()}))
        chat = ApiChat(entry, server=Server(path, entry.identity))
        list(chat.answer([request_of(asked[0], entry, entry.identity, 10**6)]))
        begin = _spent(job)
        replies = list(chat.answer([request_of(step, entry, entry.identity, n) for n, step in enumerate(asked)]))
        seconds = _spent(job) - begin
        written = sum(reply.completion_tokens or 0 for reply in replies)
        if not written:
            raise RuntimeError(f"no answer: {replies[0].error}")
        return written / seconds, server.version()
