"""Costs through Snakemake: the estimate, a budget, and batches of a scripted server."""

from typing import Any

import polars as pl
import pytest
from tests.unit.extras.batch_server import BatchServer
from tests.unit.models.chat_server import ChatServer
from tests.workflow.checkout import CHANCE, Checkout, configuration, interface

from nlfol.store import files, schemas

TRANSLATED = "results/responses/mine/logical_translation/scripted.arrow"


def experiment(url: str, budget: Any = None, **settings: Any) -> dict[str, Any]:
    said = {"price": {"prompt": 0, "completion": 1_000_000, "batch": 0.5}, "limits": {"tokens": 100}, "concurrency": 1}
    values = configuration(scripted=interface(url, **{**said, **settings}), chance=CHANCE)
    values["tasks"] = {"logical_translation": {}}
    return values | ({"budget": budget} if budget else {})


def test_estimate_sends_nothing_and_counts_rest_after_budget(checkout: Checkout) -> None:
    def estimated() -> dict[str, Any]:
        run = checkout.run("estimate")
        assert "| scripted | mine      | logical_translation |" in run.output
        (row,) = pl.read_csv(checkout.folder / "results/estimate.csv").to_dicts()
        return row

    # 7 tokens of completion an answer, at 1 each; at most 100, and 1 of reasoning.
    with ChatServer() as server:
        checkout.configure(experiment(server.url, {"total": 122}, api_key_env="NLFOL_UNSET_KEY"))
        before = estimated()
        assert (before["requests"], before["answered"], before["left"]) == (8, 0, 8)
        assert (before["completion_tokens"], before["completion_most"]) == (117, 808)
        assert (before["cost"], before["cost_most"]) == (117, 808)
        assert not server.asked

        checkout.configure(experiment(server.url, {"total": 122}))
        error = checkout.fail(TRANSLATED).error
        assert "budget.total of 122 USD has no room for more: 28.0000 USD are spent" in error
        assert "raise budget.total in the configuration" in error
        assert len(server.asked) == 4

        after = estimated()
        assert (after["answered"], after["left"], after["completion_tokens"], after["cost"]) == (4, 4, 28, 28)

        checkout.configure(experiment(server.url, {"total": 1000}))
        checkout.run(TRANSLATED)
        assert len(server.asked) == 8
        # Another budget changes nothing that is finished.
        checkout.configure(experiment(server.url, {"total": 2000}))
        assert checkout.dry_run(TRANSLATED).jobs == {}


def test_estimate_includes_glosses_for_paid_embedding_model(checkout: Checkout) -> None:
    values = experiment("http://localhost:9/v1")
    values["tasks"] = {"own": {"task": "logical_translation", "ontology": "own", "glosses": {"model": "paid"}}}
    price = {"prompt": 1_000_000, "completion": 0}
    values["models"]["paid"] = {"kind": "embedding", "backend": "openai", "model": "tiny", "price": price}
    checkout.configure(values)
    checkout.run("estimate")
    rows = {row["model"]: row for row in pl.read_csv(checkout.folder / "results/estimate.csv").to_dicts()}
    assert {(row["dataset"], row["task"]) for row in rows.values()} == {("mine", "own")}
    assert rows.keys() == {"scripted", "paid"}
    assert rows["paid"]["left"] > rows["scripted"]["left"]
    assert rows["paid"]["cost"] == rows["paid"]["prompt_tokens"] > 0


def test_batch_run_answers_experiment_at_half_price(checkout: Checkout) -> None:
    with BatchServer() as server:
        checkout.configure(experiment(server.url, {"total": 500}, batch={"interval": 0.1}))
        checkout.run(TRANSLATED)
        assert len(server.batches) == 1
    rows = files.rows(checkout.folder / TRANSLATED, schemas.RESPONSES)
    assert [(row["batch"], row["cost"]) for row in rows] == [("batch_0", pytest.approx(3.5))] * 8
