"""Asking an interface against the ideal: requests x latency / requests under way, both in one run.

    python benchmarks/api.py [--requests 3200] [--steps 1] [--latency 0.2] [--sigma 0] [--concurrency 64]
                             [--journal FOLDER]

A server of the loopback, in a process of its own, answers each request after the latency, which is the median of a
log-normal distribution with that sigma. The whole way is measured, from dialogues of so many steps to answers in the
journal on the disk. Printed besides: the ratio for the same client without a journal and dialogues, and what one
synchronisation of the journal's disk takes.

The ideal is the sum of all latencies over the requests under way, but no less than the longest dialogue. Nobody reaches
it where the last requests do not fill all places: equal latencies come in whole rounds, so 1,600 requests, 128 at a
time, take 13 rounds, 1.04 of the ideal (``ratio_of_whole_rounds``).
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import ceil
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any

from nlfol.asking.dialogue import Conversation, Dialogue
from nlfol.logic.ontology.ontology import Ontology
from nlfol.models.api.chat import ApiChat
from nlfol.models.journal.journal import Journal
from nlfol.models.providers.openai import OpenaiChatEntry
from nlfol.models.request import ChatRequest, Message
from nlfol.tasks.answers import text_schema
from nlfol.tasks.item import Item
from nlfol.tasks.plan import Reply, Step, Stop

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.unit.models.chat_server import ChatServer

SCHEMA = text_schema(500, 1000)
INSTRUCTIONS = "Translate the sentence into first-order logic. " * 20


def latency_of(question: str, median: float, sigma: float) -> float:
    """Seconds until a question is answered: always the same for the same one."""
    return median * Random(question).lognormvariate(0, sigma)


class Uneven(ChatServer):
    """Answers each question after the time of its own."""

    def __init__(self, median: float, sigma: float) -> None:
        super().__init__()
        self._median, self._sigma = median, sigma

    async def _respond(self, head: str, body: dict[str, Any], writer: asyncio.StreamWriter) -> bool:
        await asyncio.sleep(latency_of(body["messages"][-1]["content"], self._median, self._sigma))
        return await super()._respond(head, body, writer)


@dataclass(frozen=True)
class Chain:
    """Asks so many questions, one after the other."""

    steps: int

    def most_steps(self, item: Item) -> int:
        """All."""
        return self.steps

    def following(self, item: Item, presentation: str, seed: int, replies: Sequence[Reply]) -> Step | Stop:
        """The next question."""
        number = len(replies)
        return Stop() if number == self.steps else Step("", INSTRUCTIONS, f"Sentence {item.item}.{number}", SCHEMA)


def serve(latency: float, sigma: float, parent: Connection) -> None:
    """Tell the address, and then at each request the seconds of CPU so far, until told to stop."""
    with Uneven(latency, sigma) as server:
        parent.send(server.url)
        while parent.recv():
            parent.send(process_time())


@dataclass(frozen=True)
class Served:
    """The server in a process of its own."""

    url: str
    pipe: Connection

    def cpu(self) -> float:
        """Seconds of CPU that it has taken."""
        self.pipe.send(True)
        return float(self.pipe.recv())


@contextmanager
def server(latency: float, sigma: float) -> Iterator[Served]:
    """A server in a process of its own."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(latency, sigma, there))
    process.start()
    # Else the pipe stays open, and nobody sees that the server has ended.
    there.close()
    try:
        url = here.recv()
    except EOFError:
        process.join()
        raise RuntimeError("the server ended before it told its address; its error is above") from None
    try:
        yield Served(url, here)
    finally:
        here.send(False)
        process.join()


def dialogues(identity: str, requests: int, steps: int) -> list[Dialogue]:
    """Dialogues of the usual size that together ask so many questions, each another."""

    def put(step: Step, seed: int) -> ChatRequest:
        messages = (Message("system", step.system), Message("user", step.user))
        return ChatRequest(identity, messages, step.schema, 0.0, 1.0, 1024, seed)

    item = Item("", "", "", "", Ontology((), (), ()), ())
    return [Dialogue(Chain(steps), put, replace(item, item=str(n)), "", 0) for n in range(requests // steps)]


def bound(asked: Sequence[Dialogue], median: float, sigma: float, concurrency: int) -> float:
    """Seconds below which nobody could have them answered."""
    chains = [
        sum(latency_of(f"Sentence {each.item.item}.{n}", median, sigma) for n in range(each.plan.most_steps(each.item)))
        for each in asked
    ]
    return max(sum(chains) / concurrency, *chains)


def synchronisation(folder: Path, times: int = 50) -> float:
    """Seconds that one fsync of a small write takes there."""
    with tempfile.NamedTemporaryFile(dir=folder, buffering=0) as file:
        start = perf_counter()
        for _ in range(times):
            file.write(bytes(2_000))
            os.fsync(file.fileno())
        return (perf_counter() - start) / times


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=3_200)
    parser.add_argument("--steps", type=int, default=1)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--sigma", type=float, default=0.0)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--journal", type=Path, default=None)
    arguments = parser.parse_args()
    os.environ["NLFOL_BENCHMARK_KEY"] = "none"
    with (
        server(arguments.latency, arguments.sigma) as served,
        tempfile.TemporaryDirectory(dir=arguments.journal) as folder,
    ):
        entry = OpenaiChatEntry(
            kind="chat",
            backend="openai",
            model="tiny",
            base_url=served.url,
            api_key_env="NLFOL_BENCHMARK_KEY",
            concurrency=arguments.concurrency,
        )
        chat = ApiChat(entry, Path(folder) / "sharers")
        asked = dialogues(chat.identity, arguments.requests, arguments.steps)
        first = [request for each in dialogues(chat.identity, 8, 1) if (request := each.advance())]
        list(chat.answer(first))  # imports
        rounds = ceil(len(asked) / arguments.concurrency)
        ideal = bound(asked, arguments.latency, arguments.sigma, arguments.concurrency)
        start, spent, serving = perf_counter(), process_time(), served.cpu()
        with Journal(Path(folder) / "journal.jsonl") as journal:
            Conversation(asked, journal).ask(chat)
        kept, spent, serving = perf_counter() - start, process_time() - spent, served.cpu() - serving
        requests = [exchanged.request for each in asked for exchanged in each.exchanged]
        start = perf_counter()
        replies = sum(1 for _ in chat.answer(requests))
        bare = perf_counter() - start
        figures = {
            "requests": replies,
            "ideal_s": round(ideal, 2),
            "ratio_with_journal": round(kept / ideal, 3),
            "ratio_without_journal": round(bare / ideal, 3),  # of single requests
            "ratio_of_whole_rounds": round(rounds * arguments.latency * arguments.steps / ideal, 3),
            "client_cpu_ms_per_request": round(1e3 * spent / arguments.requests, 2),
            "server_cpu_ms_per_request": round(1e3 * serving / arguments.requests, 2),
            "fsync_ms": round(1e3 * synchronisation(Path(folder)), 2),
            "load": os.getloadavg()[0],
        }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
