"""Round trips of three rounds behind an interface, in a run that is killed again and again."""

import json
import os
import signal
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.unit.models.chat_server import ChatServer, Scripted, answered
from tests.workflow.checkout import Checkout, interface

from nlfol.store import files, schemas

CONCURRENCY = 4


def server(seconds: float) -> ChatServer:
    """It repeats formulas as their English, and makes a formula of it that one time in ten is another."""

    def answer(body: dict[str, Any]) -> Scripted:
        question = body["messages"][-1]["content"]
        kind, _, text = question.partition(": ")
        if kind == "Formula":
            return answered(f"That is, {text}")
        formula = text.removeprefix("That is, ")
        lost = Random(asked(body)).random() < 0.1
        return answered(f"¬({formula})" if lost else formula)

    return ChatServer(every=answer, seconds=seconds)


def asked(body: dict[str, Any]) -> str:
    """Return the key of a request."""
    return json.dumps([body["messages"], body.get("seed")])


def configure(checkout: Checkout, url: str, items: int) -> None:
    """Round trips over a set of so many items, and verification on those of the server."""
    drawn = {"reader": "grammar", "grammar": "first_order", "values": [2], "count": items}
    sampled = {"structured": "none", "sampling": {"temperature": 1.0}}
    model = interface(url, model="tiny", concurrency=CONCURRENCY, **sampled)
    checkout.configure(
        {
            "seed": 7,
            "datasets": {"drawn": drawn},
            "tasks": {
                "round_trip": {"rounds": 3},
                # About what the model made, whose formulas are equivalent but for a tenth.
                "verified": {
                    "task": "verification",
                    "pairs": {"of": "tiny", "in": "round_trip"},
                    "models": ["reader", "always_yes"],
                },
            },
            "models": {
                "tiny": model,
                "reader": {"kind": "reader"},
                "always_yes": {"kind": "constant", "answer": "yes"},
            },
        }
    )


@dataclass(frozen=True, slots=True)
class Outcome:
    """Cost of kills: distinct requests, and those that reached the server again, while it was asked."""

    requests: int
    again: int
    same: bool
    """Scores are those of a run that was not killed, and so are the tables, to the byte."""
    kills: int


def interrupted(
    checkout: Checkout, *, items: int, kills: int, seconds: float, targets: Sequence[str] = ("results/tables",)
) -> Outcome:
    """Run it once as it is, then again in a copy and kill that so often while it asks.

    Args:
        checkout: in which nothing has run.
        items: of the set.
        kills: each after a drawn number of further requests, at a drawn moment from then.
        seconds: that the server takes to answer.
        targets: of the run.
    """
    draw = Random("kills")
    with server(seconds) as asking:
        configure(checkout, asking.url, items)
        again = checkout.copy(checkout.folder.with_name("killed"))
        checkout.run(*targets)
        expected = _results(checkout)
        requests = {asked(body) for body in asking.bodies}
        asking.bodies.clear()
        hits = 0
        for _ in range(kills):
            further = draw.randint(1, max(1, len(requests) // (kills + 1)))
            moment = draw.random() * 2 * seconds
            hits += _killed(again, targets, asking, len(asking.bodies) + further, moment)
        again.run(*targets, "--nolock")
        attempts = Counter(map(asked, asking.bodies))
    assert set(attempts) == requests
    return Outcome(len(requests), attempts.total() - len(requests), _results(again) == expected, hits)


def _results(checkout: Checkout) -> dict[str, Any]:
    scores = checkout.bytes("results/scores/*/*/*.arrow")
    found: dict[str, Any] = {name: files.rows(checkout.folder / name, schemas.SCORES) for name in scores}
    for suffix in ("csv", "md", "tex"):
        found |= checkout.bytes(f"results/tables/*.{suffix}")
    return found


def _killed(checkout: Checkout, targets: Sequence[str], asking: ChatServer, requests: int, moment: float) -> bool:
    """Start a run and kill it and its jobs once so many requests came, and a moment later; whether that hit it."""
    with (checkout.folder / "killed.log").open("ab") as log:
        run = checkout.start(*targets, "--cores", "2", "--nolock", output=log)
        while len(asking.bodies) < requests and run.poll() is None:
            time.sleep(0.001)
        time.sleep(moment)
        hit = run.poll() is None
        os.killpg(run.pid, signal.SIGKILL) if hit else None
        run.wait()
    return hit
