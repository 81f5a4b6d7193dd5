"""A run of round trips that is killed."""

from tests.workflow.checkout import Checkout
from tests.workflow.interrupted_trips import CONCURRENCY, interrupted

from nlfol.store import files, schemas

SCORES = {
    name: f"results/scores/drawn/{name}.arrow"
    for name in ("round_trip/tiny", "round_trip/reader", "verified/reader", "verified/always_yes")
}


def test_a_kill_costs_no_answer_but_those_under_way_and_changes_no_score(checkout: Checkout) -> None:
    found = interrupted(checkout, items=8, kills=1, seconds=0.05, targets=list(SCORES.values()))
    assert found.same
    assert found.kills == 1
    assert found.requests > 8 * 4
    assert found.again <= CONCURRENCY
    scored = {name: files.rows(checkout.folder / path, schemas.SCORES) for name, path in SCORES.items()}
    # Verifiers of its round trips: one that knows, and one that says yes to all.
    assert [row["score"] for row in scored["verified/reader"]] == [1] * 8
    truths = [row["score"] for row in scored["round_trip/tiny"] if row["metric"] == "truth"]
    assert sum(row["score"] for row in scored["verified/always_yes"]) == sum(truths)
