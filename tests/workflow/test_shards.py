"""A dataset in parts: other jobs, and the same files."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from tests.workflow.checkout import Checkout, configuration

SHARDED = ("items", "audits", "scores")


def _shard(values: dict[str, Any], shards: int) -> dict[str, Any]:
    values["datasets"]["mine"]["shards"] = shards
    return values


def _files(checkout: Checkout) -> dict[str, bytes]:
    return {name: content for stage in SHARDED for name, content in checkout.bytes(f"results/{stage}/**/*").items()}


@pytest.mark.parametrize("shards", [2, 3])
def test_the_files_of_parts_are_those_made_in_one_go(
    finished: Checkout, again: Checkout, experiment: dict[str, Any], shards: int
) -> None:
    again.configure(_shard(copy.deepcopy(experiment), shards))
    made = _files(finished)
    assert len(made) == 3 + 2 + 8
    for name in made:
        (again.folder / name).unlink()
    run = again.snakemake("results/tables")
    assert run.status == 0, run.output
    stages = {"build_items": 3, "audit_candidates": 2, "judge_answers": 8}
    assert {rule: run.jobs[rule] for rule in stages} == stages
    assert {rule: run.jobs[f"{rule}_part"] for rule in stages} == {
        rule: count * shards for rule, count in stages.items()
    }
    assert _files(again) == made
    assert not again.bytes("results/parts/**/*")


@pytest.mark.parametrize("shards", [1, 2])
def test_another_number_of_parts_makes_nothing_again(checkout: Checkout, shards: int) -> None:
    targets = ["results/audits/mine/ranking.arrow", "results/scores/mine/ranking/chance.arrow"]
    checkout.configure(_shard(configuration(), shards))
    run = checkout.snakemake(*targets)
    assert run.status == 0, run.output
    assert ("build_items_part" in run.jobs) == (shards > 1)
    for other in (1, 2, 3):
        checkout.configure(_shard(configuration(), other))
        again = checkout.dry_run(*targets)
        assert again.status == 0, again.output
        assert again.jobs == {}


def test_the_tables_and_the_experiment_they_name_do_not_depend_on_the_number_of_parts(
    changed: Callable[[Callable[[dict[str, Any]], object]], Checkout],
) -> None:
    assert changed(lambda values: _shard(values, 3)).dry_run("results/tables").jobs == {}


def test_changed_parameters_are_where_the_number_of_parts_counts_at_once(
    changed: Callable[[Callable[[dict[str, Any]], object]], Checkout],
) -> None:
    """The audit, whose parameters are as they were, keeps the one part that it was made in."""

    def change(values: dict[str, Any]) -> None:
        _shard(values, 3)
        values["tasks"]["ranking"]["perturbations"] = 2

    run = changed(change).dry_run("results/audits/mine/ranking.arrow")
    assert run.jobs == {"build_items": 1, "build_items_part": 3, "audit_candidates": 1}
