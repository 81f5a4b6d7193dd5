"""A run whose asking is shared by several jobs, killed at seeded instants and started again until it is done.

    python benchmarks/kills.py [--kills 20] [--items 40] [--latency 0.25] [--seed 1]

Round trips of three rounds at a server on the loopback, in three jobs of four requests at once (``shards: 3``). At each
instant Snakemake and all its jobs are killed (SIGKILL): four times in five after so many more requests, else before
the first one, or at it; both drawn. In the second half the number of jobs changes with each start; once the last
line of a journal is torn as well. Then a run that nothing kills ends it, and results are made again from the journals
in two and in five jobs.

Checked, else the exit status is 1: the answers are those of a run that nothing killed; no request comes again but those
that no journal had an answer to at a kill, each at most once for each such kill; of those, the server had answered none
more than a second before; changing the number of jobs asks nothing.

Measured: of 216 requests, 39 were under way at the 20 kills (3 at most) or torn, and 39 were sent again; the oldest
answer that was lost had come 0.5 s before.
"""

import argparse
import json
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.unit.models.chat_server import ChatServer, Scripted, answered
from tests.workflow.checkout import Checkout, interface

from nlfol.store import files, schemas

CONCURRENCY = 4
JOBS = 3
RESPONSES = "results/responses/drawn/round_trip/tiny.arrow"
LATE = 1.0
"""Seconds after which an answer that has come must be in a journal."""


def reply(body: dict[str, Any]) -> Scripted:
    """Repeat formulas as their English, and make a formula of it that one time in ten is another."""
    kind, _, text = body["messages"][-1]["content"].partition(": ")
    if kind == "Formula":
        return answered(f"That is, {text}")
    formula = text.removeprefix("That is, ")
    return answered(f"¬({formula})" if Random(asked(body)).random() < 0.1 else formula)


def asked(request: dict[str, Any]) -> str:
    """Return what a request is told from others by, as it is sent or as a journal has it."""
    messages = [[message["role"], message["content"]] for message in request["messages"]]
    return json.dumps([messages, request.get("seed")])


def experiment(url: str, items: int, shards: int = JOBS) -> dict[str, Any]:
    """Round trips of three rounds over formulas drawn from a grammar."""
    drawn = {"reader": "grammar", "grammar": "first_order", "values": [2], "count": items}
    sampled = {"structured": "none", "sampling": {"temperature": 1.0}}
    return {
        "seed": 7,
        "datasets": {"drawn": drawn},
        "tasks": {"round_trip": {"rounds": 3}},
        "models": {"tiny": interface(url, model="tiny", concurrency=CONCURRENCY, shards=shards, **sampled)},
    }


@dataclass
class Kills:
    """Requests under way at each kill: they had come in this run, and no journal had an answer to them."""

    server: ChatServer
    replied: dict[str, float]
    """Times of the last answer to each request, in this run."""
    under_way: list[set[str]] = field(default_factory=list)
    lost: list[float] = field(default_factory=list)
    """Seconds between the server's answer and the kill, of answers that no journal had."""

    def kill(self, checkout: Checkout, *targets: str, until: Callable[[], bool]) -> bool:
        """Start a run and kill it when ``until`` says so; return False if it had ended by then."""
        before = len(self.server.bodies)
        self.replied.clear()
        status = checkout.snakemake(*targets, "--nolock", cores=JOBS, killed=until).status
        now = time.monotonic()
        assert status in (0, -signal.SIGKILL)
        self.under_way.append({asked(body) for body in self.server.bodies[before:]} - set(journal(checkout)))
        self.lost += [now - self.replied[key] for key in self.under_way[-1] & self.replied.keys()]
        return status != 0

    def tear(self, checkout: Checkout) -> None:
        """Cut the last line of a journal in half, as a crash of the machine does."""
        path = longest(checkout)
        assert path is not None
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:-1]) + lines[-1][: len(lines[-1]) // 2])
        self.under_way.append({asked(json.loads(lines[-1])["request"])})

    def again(self) -> list[str]:
        """Return the requests that came oftener than once and once more for each kill at which they were under way."""
        may = Counter(key for keys in self.under_way for key in keys)
        return [key for key, count in Counter(map(asked, self.server.bodies)).items() if count > 1 + may[key]]


def longest(checkout: Checkout) -> Path | None:
    """Return the longest journal with answers of the first two jobs: any next run opens it, with whatever jobs."""
    size = {path: path.stat().st_size for path in checkout.folder.glob("journal/tiny/*@[12].jsonl")}
    return max((path for path in size if size[path]), key=size.__getitem__, default=None)


def journal(checkout: Checkout) -> Iterator[str]:
    """Yield the requests that the journals of a checkout answer."""
    for path in checkout.folder.glob("journal/tiny/*.jsonl"):
        for line in path.read_bytes().splitlines():
            try:
                yield asked(json.loads(line)["request"])
            except ValueError:
                continue  # torn


def serving(latency: float) -> tuple[ChatServer, dict[str, float]]:
    """Return a server, and when it answered each request."""
    replied: dict[str, float] = {}

    def every(body: dict[str, Any]) -> Scripted:
        replied[asked(body)] = time.monotonic()
        return reply(body)

    return ChatServer(every=every, seconds=latency), replied


def answers(checkout: Checkout) -> list[dict[str, object]]:
    """Return the rows of the answers, less how long each took."""
    return [{**row, "seconds": None} for row in files.rows(checkout.folder / RESPONSES, schemas.RESPONSES)]


def instants(draws: Random, kills: int, whole: tuple[int, float], server: ChatServer) -> Iterator[Callable[[], bool]]:
    """Yield for each kill what tells that its instant has come; each is asked for when its run starts.

    Args:
        draws: of the instants.
        kills: their number.
        whole: requests of a run that nothing kills, and seconds to the first of them.
        server: whose requests are counted.
    """
    total, first = whole
    for number in range(kills):
        start, before = time.monotonic(), len(server.bodies)
        if number % 5 == 4:
            end = start + draws.uniform(0, first)

            def over(end: float = end, before: int = before) -> bool:
                return time.monotonic() > end or len(server.bodies) > before

            yield over
            continue
        # What is under way at a kill comes again, so all kills together take about a run.
        more, late = draws.randint(1, 1 + total // kills), draws.uniform(0, 2 * server.seconds)
        seen: list[float] = []

        def come(before: int = before, more: int = more, late: float = late, seen: list[float] = seen) -> bool:
            if not seen and len(server.bodies) >= before + more:
                seen.append(time.monotonic())
            return bool(seen) and time.monotonic() > seen[0] + late

        yield come


def main() -> int:
    """Run, kill and compare; print the figures and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--items", type=int, default=40)
    parser.add_argument("--latency", type=float, default=0.25, help="seconds of an answer")
    parser.add_argument("--seed", type=int, default=1, help="of the instants")
    given = parser.parse_args()
    server, replied = serving(given.latency)
    with tempfile.TemporaryDirectory() as name, server:
        whole = Checkout.make(Path(name) / "whole")
        whole.configure(experiment(server.url, given.items))
        killed = whole.copy(Path(name) / "killed")
        start = time.monotonic()
        whole.run(RESPONSES, cores=JOBS)
        first = min(replied.values()) - start
        requests = {asked(body) for body in server.bodies}
        server.bodies.clear()
        kills = Kills(server, replied)
        came = instants(Random(given.seed), given.kills, (len(requests), first), server)
        ended = 0
        for number, instant in enumerate(came):
            if number > given.kills // 2:
                killed.configure(experiment(server.url, given.items, 2 + 3 * (number % 2)))
            ended += not kills.kill(killed, RESPONSES, until=instant)
            if number == given.kills // 2:
                kills.tear(killed)
            print(f"{number + 1}: {len(server.bodies)} requests, {len(kills.under_way[-1])} under way", flush=True)
        killed.configure(experiment(server.url, given.items))
        killed.run(RESPONSES, "--nolock", cores=JOBS)
        came_in_all = len(server.bodies)
        same = answers(killed) == answers(whole)
        for shards in (2, 5):
            (killed.folder / RESPONSES).unlink()
            killed.configure(experiment(server.url, given.items, shards))
            killed.run(RESPONSES, "--nolock", cores=JOBS)
            same &= answers(killed) == answers(whole)
    figures = {
        "requests": len(requests),
        "kills": given.kills - ended,
        "runs that had ended before": ended,
        "sent again": came_in_all - len(requests),
        "under way at kills": sum(map(len, kills.under_way)),
        "most under way": max(map(len, kills.under_way)),
        "sent again though answered": len(kills.again()),
        "never asked": len(requests - {asked(body) for body in server.bodies}),
        "sent after a change of jobs": len(server.bodies) - came_in_all,
        "oldest answer lost, seconds": round(max(kills.lost, default=0.0), 3),
        "same answers": same,
    }
    print(json.dumps(figures, indent=1))
    wrong = ("sent again though answered", "never asked", "sent after a change of jobs")
    return int(any(figures[name] for name in wrong) or not same or max(kills.lost, default=0.0) > LATE)


if __name__ == "__main__":
    sys.exit(main())
