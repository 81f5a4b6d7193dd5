"""Real servers of a small model: answers that can be read, by task and mode, and requests per second.

    python benchmarks/servers.py [--engines llama.cpp vllm] [--modes ...] [--tasks ...] [--draws 2] [--rate 24]
                                 [--tokens 300] [--threads 2] [--at-once 4] [--loop] [--vllm COMMAND]
                                 [--work FOLDER]

Each engine serves the dialogue model of ``config.yaml`` as the workflow does (``serve``). Of every task of the default
experiment the first request, about a stand-in item, is asked with so many seeds at temperature 0.7 in each mode: held
to the local loop's grammar, to the schema with bounds, to the schema without bounds, and to nothing (plain text).
An answer counts as read if its task reads it.

The overhead is that of nlfol's client beside bare HTTP: the same short requests, as many at once, in turns; the ratios
of seconds and of the server's CPU, and the client's CPU a request. ``--loop`` asks the local loop the like, too.
``--vllm`` is vLLM's command where it is not installed here. The folder keeps the weights for the next time.
"""

import argparse
import asyncio
import shlex
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx2
import psutil
import yaml

from nlfol.asking.questions import messages_of
from nlfol.config import read_configuration
from nlfol.models.api.chat import ApiChat
from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.models.local.chat import LocalChat
from nlfol.models.local.materialisation import materialise, weights
from nlfol.models.providers.openai import OpenaiChatEntry, body
from nlfol.models.request import ChatRequest, Ending
from nlfol.models.schema import bounds_in
from nlfol.models.serving.service import Server, own_state, write_state
from nlfol.tasks.answers import AnswerError, reasoning_of
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Prompts, Setting, Step
from nlfol.tasks.registry import task_of
from nlfol.tasks.task import AnyTask
from nlfol_extras.serving.engines import Place
from nlfol_extras.serving.model_server import ModelServer, started

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.unit.tasks.published_prompts import stand_in

ROOT: Final = Path(__file__).parents[1]
MODES: Final = {
    "grammar": ("grammar", False),
    "schema with bounds": ("json_schema", True),
    "schema": ("json_schema", False),
    "plain text": ("none", False),
}
"""The setting ``structured`` of each mode, and whether bounds are sent."""


class Asked(NamedTuple):
    """The first request of a task, as a step about an item."""

    name: str
    task: AnyTask
    item: Item
    step: Step

    def is_read(self, text: str) -> bool:
        """Return whether the task can read an answer."""
        try:
            self.task.check(self.item, self.step.part, text)
        except AnswerError:
            return False
        return True


def first_steps(*, plain: bool) -> Iterator[Asked]:
    """Yield the first request of each task of the default experiment that a dialogue model can be asked."""
    configuration = read_configuration(yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8")))
    setting, seen = Setting(7, Prompts(ROOT / "resources/prompts", plain=plain)), set[str]()
    for dataset, name in configuration.pairs():
        task = task_of(configuration.tasks[name])
        item = stand_in(configuration, dataset, task)
        step = task.plan(setting).following(item, task.entry.shown_as[0], 1, [])
        if isinstance(step, Step) and name not in seen:
            seen.add(name)
            yield Asked(name, task, item, step)


def to_request(entry: ApiChatEntry, step: Step, seed: int, *, bounded: bool) -> ChatRequest:
    """Return a step as a request, sampled at temperature 0.7."""
    most = entry.limits.tokens + reasoning_of(step.schema)
    bounds = bounds_in(step.schema, entry.bounds) if bounded else ()
    return ChatRequest(entry.identity, messages_of(step), step.schema, 0.7, 1.0, most, seed, bounds)


@contextmanager
def served(
    engine: str, work: Path, options: argparse.Namespace
) -> Iterator[tuple[ModelServer, OpenaiChatEntry, Server]]:
    """Serve the default experiment's model; give its server, entry and service."""
    values = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["models"]["smollm2-135m"]
    serve = {"engine": engine, "source": values["source"], "context": 4096}
    if engine == "vllm":
        serve |= {"arguments": ["--enforce-eager"], "command": shlex.split(options.vllm) if options.vllm else None}
    said = {"kind": "chat", "backend": "openai", "model": "smollm2", "serve": serve, "concurrency": options.at_once}
    entry = OpenaiChatEntry.model_validate({**said, "limits": {"tokens": options.tokens}})
    if not (work / engine).exists():
        materialise(entry, work / engine)
    place = Place(weights(work / engine), threads=options.threads, memory=6_000)
    with started(entry, place, work / f"{engine}.log", 1800) as server:
        path = work / f"{engine}.json"
        reached = {"host": server.host, "port": server.port, "key": server.key, "engine": engine}
        write_state(path, own_state().model_copy(update={**reached, "version": server.version()}))
        yield server, entry, Server(path, entry.identity)


def answered(
    entry: OpenaiChatEntry, service: Server, mode: str, draws: int, tasks: Sequence[str]
) -> dict[str, Counter[str]]:
    """Return by task how many answers were read, and how the others ended."""
    structured, bounded = MODES[mode]
    held = OpenaiChatEntry.model_validate({**entry.model_dump(), "structured": structured})
    steps = [asked for asked in first_steps(plain=structured == "none") if not tasks or asked.name in tasks]
    requests = [
        (to_request(held, asked.step, seed, bounded=bounded), asked) for asked in steps for seed in range(draws)
    ]
    by_key = {request.key: asked for request, asked in requests}
    counts: dict[str, Counter[str]] = {asked.name: Counter() for asked in steps}
    for reply in ApiChat(held, server=service).answer([request for request, _ in requests]):
        asked = by_key[reply.key]
        ended = "unread" if reply.outcome is Ending.ANSWERED else str(reply.outcome)
        counts[asked.name]["read" if ended == "unread" and asked.is_read(reply.text or "") else ended] += 1
    return counts


async def _bare(server: ModelServer, bodies: Sequence[dict[str, Any]], at_once: int) -> None:
    address = f"http://{server.host}:{server.port}/v1/chat/completions"
    free = asyncio.Semaphore(at_once)
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {server.key}"}, timeout=600) as client:

        async def ask(said: dict[str, Any]) -> None:
            async with free:
                (await client.post(address, json=said)).raise_for_status()

        await asyncio.gather(*map(ask, bodies))


def short_requests(entry: ApiChatEntry, count: int, turn: int) -> list[ChatRequest]:
    """Return so many requests of verification for 16 tokens, none of them of another turn."""
    (step, *_) = (asked.step for asked in first_steps(plain=False) if asked.name == "verification")
    requests = [to_request(entry, step, count * turn + number, bounded=False) for number in range(count)]
    return [replace(request, max_tokens=16) for request in requests]


def _cpu() -> tuple[float, float]:
    """Return seconds of CPU that this process has taken, and those that its children have, which serve."""
    used = [process.cpu_times() for process in psutil.Process().children(recursive=True)]
    return time.process_time(), sum(each.user + each.system for each in used)


def overhead(server: ModelServer, entry: OpenaiChatEntry, service: Server, count: int) -> tuple[str, float]:
    """Return what bare HTTP and nlfol's client take, in turns, as a line, and the CPU of a request with nlfol in s."""
    seconds, client, served = [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]
    # The first turn only fills the server's caches.
    for turn in range(5):
        requests = short_requests(entry, count, turn)
        ours, start, before = turn in (2, 3), time.perf_counter(), _cpu()
        if ours:
            list(ApiChat(entry, server=service).answer(requests))
        else:
            asyncio.run(_bare(server, [body(entry, request) for request in requests], entry.at_once))
        if turn:
            after = _cpu()
            seconds[ours] += time.perf_counter() - start
            client[ours] += after[0] - before[0]
            served[ours] += after[1] - before[1]
    rates = [2 * count / spent for spent in seconds]
    return (
        f"{rates[0]:.2f} requests/s alone, {rates[1]:.2f} through nlfol: {seconds[1] / seconds[0]:.3f} of the time, "
        f"{served[1] / served[0]:.3f} of the server's CPU; the client {1000 * client[0] / (2 * count):.1f} ms of CPU a "
        f"request alone, {1000 * client[1] / (2 * count):.1f} ms through nlfol"
    ), (client[1] + served[1]) / (2 * count)


def loop_cpu(entry: OpenaiChatEntry, work: Path, options: argparse.Namespace) -> float:
    """Return seconds of CPU that a request takes in the local loop, which computes with the same weights in float32."""
    import torch

    torch.set_num_threads(options.threads)
    assert entry.serve is not None
    said = {"kind": "chat", "backend": "transformers", "source": entry.serve.source, "dtype": "float32"}
    loop = LocalChatEntry.model_validate({**said, "context": entry.serve.context, "batch_size": options.at_once})
    if not (work / "loop").exists():
        materialise(loop, work / "loop")
    chat = LocalChat(loop, work / "loop")
    list(chat.answer(short_requests(entry, options.at_once, 0)))
    before = time.process_time()
    list(chat.answer(short_requests(entry, options.rate, 1)))
    spent: float = time.process_time() - before
    return spent / int(options.rate)


def main() -> int:
    """Print a table and a line of rates for each engine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engines", nargs="+", default=["llama.cpp", "vllm"])
    parser.add_argument("--modes", nargs="+", choices=MODES, default=list(MODES))
    parser.add_argument("--tasks", nargs="+", default=[], help="by default all")
    parser.add_argument("--draws", type=int, default=2)
    parser.add_argument("--tokens", type=int, default=300, help="limit of an answer, less than nlfol's 1024")
    parser.add_argument("--rate", type=int, default=24, metavar="REQUESTS", help="of a turn; 0 leaves the rates out")
    parser.add_argument("--loop", action="store_true", help="compare its CPU with that of the local loop")
    parser.add_argument("--vllm", metavar="COMMAND")
    parser.add_argument("--threads", type=int, default=2, help="1 where other work takes the cores")
    parser.add_argument("--at-once", type=int, default=4, help="requests under way")
    parser.add_argument("--work", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        for engine in options.engines:
            work = options.work or Path(temporary)
            with served(engine, work, options) as (server, entry, service):
                print(f"\n{engine} {server.version()}\n\n| task | {' | '.join(options.modes)} |", flush=True)
                columns = [answered(entry, service, mode, options.draws, options.tasks) for mode in options.modes]
                print("|---|" + "--:|" * len(columns))
                for task in columns[0]:
                    print(f"| `{task}` | {' | '.join(shown(column[task]) for column in columns)} |", flush=True)
                if options.rate:
                    line, cpu = overhead(server, entry, service, options.rate)
                    print(f"\n{line}", flush=True)
            if options.rate and options.loop:
                loop = loop_cpu(entry, work, options)
                print(f"\n{cpu:.2f} s of CPU a request, in the local loop {loop:.2f}: {cpu / loop:.2f}", flush=True)
    return 0


def shown(counts: Counter[str]) -> str:
    """Return answers read of those asked, and how the others ended."""
    others = ", ".join(f"{number} {name}" for name, number in sorted(counts.items()) if name != "read")
    return f"{counts['read']} of {counts.total()}" + (f" ({others})" if others else "")


if __name__ == "__main__":
    raise SystemExit(main())
