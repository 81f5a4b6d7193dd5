"""A run of round trips that is killed; ``benchmarks/interruptions.py`` kills it twenty times."""

from __future__ import annotations

from tests.workflow.checkout import Checkout
from tests.workflow.interrupted_trips import CONCURRENCY, interrupted


def test_a_kill_costs_no_answer_but_those_under_way_and_change_no_table(checkout: Checkout) -> None:
    found = interrupted(checkout, items=8, kills=1, seconds=0.05)
    assert found.same
    assert found.kills == 1
    assert found.requests > 8 * 4
    assert found.again <= CONCURRENCY
    # Verifiers of its round trips: one that knows, and one that says yes to all.
    rated = {row["model"]: row for row in checkout.table("verification")}
    assert rated["reader"]["pairs"] == rated["always_yes"]["pairs"] == 8
    assert rated["reader"]["f1_mean"] == 1
    (trips,) = (row for row in checkout.table("round_trip") if (row["model"], row["round"]) == ("tiny", 1))
    assert rated["always_yes"]["precision_mean"] == trips["truth_mean"]
