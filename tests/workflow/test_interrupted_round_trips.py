"""Round trips of three rounds behind an interface, in a run that is killed and goes on."""

import json
import os
import signal
import time
from collections import Counter
from random import Random
from typing import Any

from tests.unit.models.chat_server import ChatServer, Scripted, answered
from tests.workflow.checkout import Checkout, interface

from nlfol.store import files, schemas

ITEMS = 8
CONCURRENCY = 4
SCORES = {
    name: f"results/scores/drawn/{name}.arrow"
    for name in ("round_trip/tiny", "round_trip/reader", "verified/reader", "verified/always_yes")
}


def reply(body: dict[str, Any]) -> Scripted:
    """Repeat formulas as their English, and make a formula of it that one time in ten is another."""
    kind, _, text = body["messages"][-1]["content"].partition(": ")
    if kind == "Formula":
        return answered(f"That is, {text}")
    formula = text.removeprefix("That is, ")
    return answered(f"¬({formula})" if Random(asked(body)).random() < 0.1 else formula)


def asked(body: dict[str, Any]) -> str:
    """Return the key of a request."""
    return json.dumps([body["messages"], body.get("seed")])


def experiment(url: str) -> dict[str, Any]:
    """Round trips, and verification of the model's formulas by one that knows and one that says yes to all."""
    drawn = {"reader": "grammar", "grammar": "first_order", "values": [2], "count": ITEMS}
    sampled = {"structured": "none", "sampling": {"temperature": 1.0}}
    pairs = {"task": "verification", "pairs": {"of": "tiny", "in": "round_trip"}, "models": ["reader", "always_yes"]}
    return {
        "seed": 7,
        "datasets": {"drawn": drawn},
        "tasks": {"round_trip": {"rounds": 3}, "verified": pairs},
        "models": {
            "tiny": interface(url, model="tiny", concurrency=CONCURRENCY, **sampled),
            "reader": {"kind": "reader"},
            "always_yes": {"kind": "constant", "answer": "yes"},
        },
    }


def scored(checkout: Checkout) -> dict[str, list[dict[str, Any]]]:
    return {name: files.rows(checkout.folder / path, schemas.SCORES) for name, path in SCORES.items()}


def test_killed_round_trip_run_loses_only_answers_in_flight(checkout: Checkout) -> None:
    with ChatServer(every=reply, seconds=0.05) as server:
        checkout.configure(experiment(server.url))
        killed = checkout.copy(checkout.folder.with_name("killed"))
        checkout.run(*SCORES.values())
        requests = {asked(body) for body in server.bodies}
        server.bodies.clear()
        run = killed.start(*SCORES.values(), "--cores", "2", "--nolock")
        while len(server.bodies) < len(requests) // 3:
            assert run.poll() is None
            time.sleep(0.001)
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        killed.run(*SCORES.values(), "--nolock")
        attempts = Counter(map(asked, server.bodies))
    assert len(requests) > ITEMS * 4
    assert set(attempts) == requests
    assert attempts.total() - len(requests) <= CONCURRENCY
    scores = scored(checkout)
    assert scored(killed) == scores
    # Verifiers of its round trips: one that knows, and one that says yes to all.
    assert [row["score"] for row in scores["verified/reader"]] == [1] * ITEMS
    truths = [row["score"] for row in scores["round_trip/tiny"] if row["metric"] == "truth"]
    assert sum(row["score"] for row in scores["verified/always_yes"]) == sum(truths)
