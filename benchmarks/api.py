"""Asking an interface against the ideal: requests x latency / requests under way, both in one run.

    python benchmarks/api.py [--requests 3200] [--latency 0.2] [--concurrency 64] [--journal FOLDER]

A server of the loopback, in a process of its own, answers each request after the latency. The whole way is measured,
from requests to answers in the journal on the disk. Printed besides: the ratio for the same client without a journal,
and what one synchronisation of the journal's disk takes.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter, process_time

from nlfol.models.api.chat import ApiChat
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.journal.journal import Journal, ask
from nlfol.models.request import ChatRequest, Message
from nlfol.tasks.answers import Limits, formula_schema

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.unit.models.chat_server import ChatServer


def serve(latency: float, parent: Connection) -> None:
    """Tell the address, and serve until told to stop."""
    with ChatServer(seconds=latency) as server:
        parent.send(server.url)
        parent.recv()


@contextmanager
def server(latency: float) -> Iterator[str]:
    """The address of a server in a process of its own."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(latency, there))
    process.start()
    try:
        yield here.recv()
    finally:
        here.send(None)
        process.join()


def questions(identity: str, count: int) -> list[ChatRequest]:
    """Requests of the usual size, each another."""
    system = "Translate the sentence into first-order logic. " * 20
    schema = formula_schema(Limits(reasoning=1000, formula=500))
    return [
        ChatRequest(identity, (Message("system", system), Message("user", f"Sentence {n}.")), schema, 0.0, 1.0, 1024, 0)
        for n in range(count)
    ]


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
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--journal", type=Path, default=None)
    arguments = parser.parse_args()
    os.environ["NLFOL_BENCHMARK_KEY"] = "none"
    ideal = arguments.requests * arguments.latency / arguments.concurrency
    with server(arguments.latency) as url, tempfile.TemporaryDirectory(dir=arguments.journal) as folder:
        entry = ApiChatEntry(
            kind="chat",
            backend="openai",
            model="tiny",
            base_url=url,
            api_key_env="NLFOL_BENCHMARK_KEY",
            concurrency=arguments.concurrency,
        )
        chat = ApiChat(entry, Path(folder) / "sharers")
        list(chat.answer(questions(chat.identity, 8)))  # imports
        asked = questions(chat.identity, arguments.requests)
        start, spent = perf_counter(), process_time()
        with Journal(Path(folder) / "journal.jsonl") as journal:
            ask(chat, asked, journal)
        kept, spent = perf_counter() - start, process_time() - spent
        start = perf_counter()
        replies = sum(1 for _ in chat.answer(asked))
        bare = perf_counter() - start
        figures = {
            "requests": replies,
            "ideal_s": round(ideal, 2),
            "ratio_with_journal": round(kept / ideal, 3),
            "ratio_without_journal": round(bare / ideal, 3),
            "client_cpu_ms_per_request": round(1e3 * spent / arguments.requests, 2),
            "fsync_ms": round(1e3 * synchronisation(Path(folder)), 2),
            "load": os.getloadavg()[0],
        }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
