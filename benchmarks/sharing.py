"""Jobs that share an interface: the registry of those that run, against what a resource of Snakemake could do instead.

    python benchmarks/sharing.py [--jobs 160 1600] [--latency 0.5] [--sigma 0] [--concurrency 64]

The jobs begin together. Seconds until all are done, over all requests x latency / concurrency: with the registry
(``registry``), with an equal part for each job from beginning to end (``parts``), and one job after another, as under a
resource of which there is one (``in_turn``; the time that Snakemake takes to start a job comes on top). Latencies are
log-normal with this median and sigma: models that think take seconds for one item and a minute for another.

Measured: if one of two jobs ends early, 1.30 of the ideal with the registry against 1.96 with equal parts.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from math import exp
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from nlfol.models.api.chat import ApiChat
from nlfol.models.providers.openai import OpenaiChatEntry
from nlfol.models.request import ChatRequest, Message

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.unit.models.chat_server import ChatServer

SCHEMA = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}


class Uneven(ChatServer):
    """Answers each request after a time of its own."""

    def __init__(self, median: float, sigma: float) -> None:
        super().__init__()
        self._random = Random(0)
        self._median, self._sigma = median, sigma

    async def _respond(self, head: str, body: dict[str, Any], writer: asyncio.StreamWriter) -> bool:
        await asyncio.sleep(self._median * self._random.lognormvariate(0, self._sigma))
        return await super()._respond(head, body, writer)


def seconds(url: str, jobs: list[int], concurrency: int, folder: Path | None, at_once: int) -> float:
    """Until all jobs are done, each with that many requests."""
    entry = OpenaiChatEntry(
        kind="chat",
        backend="openai",
        model="tiny",
        base_url=url,
        api_key_env="NLFOL_BENCHMARK_KEY",
        concurrency=concurrency,
    )

    def job(count: int) -> int:
        chat = ApiChat(entry, folder)
        asked = [
            ChatRequest(chat.identity, (Message("user", f"Sentence {n}."),), SCHEMA, 0.0, 1.0, 99, 0)
            for n in range(count)
        ]
        return sum(1 for _ in chat.answer(asked))

    start = perf_counter()
    with ThreadPoolExecutor(at_once) as threads:
        if list(threads.map(job, jobs)) != jobs:
            raise SystemExit("not every request was answered")
    return perf_counter() - start


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, nargs="+", default=[160, 1_600])
    parser.add_argument("--latency", type=float, default=0.5)
    parser.add_argument("--sigma", type=float, default=0.0)
    parser.add_argument("--concurrency", type=int, default=64)
    arguments = parser.parse_args()
    os.environ["NLFOL_BENCHMARK_KEY"] = "none"
    jobs, most = arguments.jobs, arguments.concurrency
    ideal = sum(jobs) * arguments.latency * exp(arguments.sigma**2 / 2) / most
    with Uneven(arguments.latency, arguments.sigma) as server, tempfile.TemporaryDirectory() as folder:
        seconds(server.url, [8], most, None, 1)  # imports
        figures = {
            "ideal_s": round(ideal, 1),
            "registry": round(seconds(server.url, jobs, most, Path(folder), len(jobs)) / ideal, 2),
            "parts": round(seconds(server.url, jobs, max(1, most // len(jobs)), None, len(jobs)) / ideal, 2),
            "in_turn": round(seconds(server.url, jobs, most, None, 1) / ideal, 2),
        }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
