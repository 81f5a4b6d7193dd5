"""Two strategies of one model that begin alike: their first steps are asked once, and both are judged by them."""

import polars as pl
from tests.unit.models.chat_server import ChatServer
from tests.workflow.checkout import Checkout, interface

from nlfol.store import files, schemas
from nlfol_extras.analyses.costs import COSTS


def test_strategies_share_answers_to_equal_first_step(checkout: Checkout) -> None:
    with ChatServer() as server:
        price = {"prompt": 0, "completion": 1_000_000}
        checkout.configure(
            {
                "seed": 7,
                "datasets": {"rules": {"reader": "family", "family": "rules", "count": 4, "depth": [1, 1]}},
                "tasks": {
                    "direct": {"task": "program", "strategy": "direct"},
                    "refined": {"task": "program", "strategy": "refine", "rounds": 2},
                },
                "models": {"scripted": interface(server.url, price=price)},
            }
        )
        checkout.run("estimate")
        direct, refined = pl.read_csv(checkout.folder / "results/estimate.csv").to_dicts()
        firsts = direct["left"]
        assert (direct["shared"], refined["shared"], refined["left"]) == (0, firsts, 0)
        assert refined["following_most"] > 0
        # Both at once.
        scores = [f"results/scores/rules/{task}/scripted.arrow" for task in ("direct", "refined")]
        checkout.run(*scores, "results/tables/costs.arrow", cores=2)
        asked = len(server.asked)
    rows = {
        task: files.rows(checkout.folder / f"results/responses/rules/{task}/scripted.arrow", schemas.RESPONSES)
        for task in ("direct", "refined")
    }
    requests = {task: {row["request"]: row["response_id"] for row in of_task} for task, of_task in rows.items()}
    assert len(requests["direct"]) == firsts
    assert requests["direct"].keys() < requests["refined"].keys()
    journals = [checkout.read(f"journal/scripted/rules.{task}.jsonl") for task in requests]
    assert sum(len(journal.splitlines()) for journal in journals) == asked == len(requests["refined"])
    checkout.run("estimate")
    assert pl.read_csv(checkout.folder / "results/estimate.csv")["left"].to_list() == [0, 0]
    # 7 tokens of completion an answer.
    costs = {row["task"]: row for row in files.rows(checkout.folder / "results/tables/costs.arrow", COSTS)}
    assert [costs["direct"]["cost"], costs["direct"]["paid"]] == [7 * firsts] * 2
    assert costs["refined"]["cost"] == 7 * asked
    assert costs["refined"]["paid"] == 7 * (asked - firsts)
