"""A dataset in parts: other jobs, and the same files."""

from collections.abc import Callable
from typing import Any

from tests.workflow.checkout import Checkout, configuration

STAGES = {"measure_items": 1, "build_items": 1, "audit_candidates": 1, "judge_answers": 3}
ASKED = {"ask_chat_part": 3, "gather_answers": 1}


def _files(checkout: Checkout) -> dict[str, bytes]:
    """Files made in parts, files made from them, and what was paid for: a job that asks nothing adds no line."""
    kept = ("datasets/*/*", "items/*/*", "audits/*/*", "responses/*/*/*", "scores/*/*/*")
    journal = {name: lines for name, lines in checkout.bytes("journal/**/*.jsonl").items() if lines}
    return {name: content for each in kept for name, content in checkout.bytes(f"results/{each}").items()} | journal


def test_sharded_files_equal_whole_files_without_new_requests(
    finished: Checkout, changed: Callable[[Callable[[dict[str, Any]], object]], Checkout]
) -> None:
    def in_parts(values: dict[str, Any]) -> None:
        values["datasets"]["mine"].update(shards=2)
        values["models"]["tiny"].update(shards=3)

    checkout = changed(in_parts)
    stages = ("datasets/*/measures.arrow", "audits/*/most_similar.arrow", "scores/*/most_similar/*")
    targets = [name for stage in stages for name in finished.bytes(f"results/{stage}")]
    run = checkout.run(*targets)
    assert {rule: run.jobs[rule] for rule in STAGES} == STAGES
    assert {rule: run.jobs[f"{rule}_part"] for rule in STAGES} == {rule: 2 * count for rule, count in STAGES.items()}
    assert {rule: run.jobs.get(rule) for rule in (*ASKED, "ask_chat")} == {**ASKED, "ask_chat": None}
    made = _files(finished)
    assert len(made) > 3 + 3 + 2 + 2 * 8
    assert _files(checkout) == made
    assert not checkout.bytes("results/parts/**/*")
    assert checkout.dry_run(*targets).jobs == {}


def test_scatter_option_sets_part_count(checkout: Checkout) -> None:
    values = configuration()
    values["datasets"]["other"] = {**values["datasets"]["mine"], "shards": 3}
    # What is drawn from a grammar is made in parts from the first stage on.
    values["datasets"]["drawn"] = {"reader": "grammar", "grammar": "first_order", "values": [3, 4], "shards": 2}
    checkout.configure(values)
    targets = [f"results/items/{name}/ranking.arrow" for name in ("mine", "other", "drawn")]
    run = checkout.run(*targets, "--set-scatter", "mine=2", "--dry-run")
    assert run.jobs["build_items"] == 3
    assert run.jobs["build_items_part"] == 2 + 3 + 2
    assert run.jobs["ingest_dataset"] == run.jobs["attach_ontology"] == 3
    assert run.jobs["ingest_dataset_part"] == run.jobs["attach_ontology_part"] == 2
