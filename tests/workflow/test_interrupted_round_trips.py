"""Round trips of three rounds behind an interface, asked by three jobs, in a run that is killed twice and goes on."""

from collections import Counter
from random import Random
from typing import Any

from benchmarks.kills import CONCURRENCY, JOBS, Kills, asked, experiment, instants, longest, serving
from tests.workflow.checkout import Checkout

from nlfol.store import files, schemas

ITEMS = 8
SCORES = {
    name: f"results/scores/drawn/{name}.arrow"
    for name in ("round_trip/tiny", "round_trip/reader", "verified/reader", "verified/always_yes")
}


def with_verification(values: dict[str, Any]) -> dict[str, Any]:
    """Round trips, and verification of the model's formulas by one that knows and one that says yes to all."""
    values["tasks"]["verified"] = {
        "task": "verification",
        "pairs": {"of": "tiny", "in": "round_trip"},
        "models": ["reader", "always_yes"],
    }
    values["models"] |= {"reader": {"kind": "reader"}, "always_yes": {"kind": "constant", "answer": "yes"}}
    return values


def scored(checkout: Checkout) -> dict[str, list[dict[str, Any]]]:
    return {name: files.rows(checkout.folder / path, schemas.SCORES) for name, path in SCORES.items()}


def test_killed_round_trip_run_loses_only_answers_in_flight(checkout: Checkout) -> None:
    server, replied = serving(0.05)
    with server:
        checkout.configure(with_verification(experiment(server.url, ITEMS)))
        killed = checkout.copy(checkout.folder.with_name("killed"))
        checkout.run(*SCORES.values())
        requests = {asked(body) for body in server.bodies}
        server.bodies.clear()
        kills = Kills(server, replied)
        for instant in instants(Random(1), 2, (len(requests) // 2, 0), server):
            assert kills.kill(killed, *SCORES.values(), until=instant)
        # On a fast machine no answer is in a journal by then.
        assert kills.kill(killed, *SCORES.values(), until=lambda: longest(killed) is not None)
        kills.tear(killed)
        # Other jobs go on with what those three have asked.
        killed.configure(with_verification(experiment(server.url, ITEMS, shards=2)))
        killed.run(*SCORES.values(), "--nolock")
        attempts = Counter(map(asked, server.bodies))
    assert len(requests) > ITEMS * 4
    assert set(attempts) == requests
    assert kills.again() == []
    assert all(len(keys) <= CONCURRENCY * JOBS + 1 for keys in kills.under_way)
    assert list(killed.folder.glob("journal/tiny/*.torn"))
    scores = scored(checkout)
    assert scored(killed) == scores
    # Verifiers of its round trips: one that knows, and one that says yes to all.
    assert [row["score"] for row in scores["verified/reader"]] == [1] * ITEMS
    truths = [row["score"] for row in scores["round_trip/tiny"] if row["metric"] == "truth"]
    assert sum(row["score"] for row in scores["verified/always_yes"]) == sum(truths)
