"""Validity of tasks: planted abilities, models that all guess, and what papers' own figures say."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import spearmanr
from tests.examples import ROOT
from tests.stored import stored

from nlfol.store.schemas import CELLS
from nlfol_extras.analyses.validity import validity

MODELS = 12


def cells(task: str, means: Any, error: float, metric: str = "accuracy") -> list[Any]:
    about = {"dataset": "toy", "task": task, "task_kind": task, "metric": metric, "kind": "chat", "error": error}
    return [stored(CELLS, **about, model=f"m{place}", mean=float(mean)) for place, mean in enumerate(means)]


def criterion(means: Any) -> list[Any]:
    about = {"paper": "autoeval", "table": "6", "dataset": "humaneval", "task": "code", "metric": "pass_at_1"}
    return [{**about, "second": None, "model": f"m{place}", "mean": float(mean)} for place, mean in enumerate(means)]


def test_validity_finds_ability_behind_noise() -> None:
    """Two noisy tasks of one ability and a criterion of another: without error the first two agree."""
    draw = np.random.default_rng(4)
    ability, other = draw.normal(0.5, 0.1, MODELS), draw.normal(0.5, 0.1, MODELS)
    noisy = [ability + draw.normal(0, 0.05, MODELS) for _ in range(2)]
    rows = list(
        validity(
            [*cells("most_similar", noisy[0], 0.05), *cells("logical_translation", noisy[1], 0.05, "equivalence")],
            criterion(other),
        )
    )
    alike, *apart = rows
    assert [(row["criterion"], row["models"]) for row in rows] == [("convergent", 12), *[("divergent", 12)] * 2]
    assert alike["rho"] == pytest.approx(spearmanr(*noisy).statistic)
    known: Any = alike["disattenuated"], alike["rho"], alike["rho_low"], alike["rho_high"]
    assert known[0] > known[1] > 0.5
    assert known[2] < known[1] < known[3]
    assert all(abs(row["rho"] or 0) < known[1] for row in apart)
    assert {row["reliability_second"] for row in apart} == {None}


def test_validity_says_nothing_without_error_of_guessers() -> None:
    """Scores of models that all guess differ by error alone: no correlation is to be had from them."""
    draw = np.random.default_rng(1)
    guesses = draw.normal(0.17, 0.026, (2, MODELS))
    (row,) = validity(
        [*cells("most_similar", guesses[0], 0.026), *cells("logical_translation", guesses[1], 0.026, "equivalence")], []
    )
    assert min(row["reliability_first"] or 0, row["reliability_second"] or 0) < 0.25
    assert row["disattenuated"] is None
    (flat,) = validity(
        [*cells("most_similar", [0.5] * 5, 0.0), *cells("logical_translation", range(5), 0.0, "equivalence")], []
    )
    assert (flat["rho"], flat["reliability_first"], flat["disattenuated"]) == (None, 0.0, None)


def test_published_code_test_predicts_translation_as_well_as_round_trips() -> None:
    """The figures of docs/round-trip.md: neither criterion tells translation from other abilities."""
    figures = pl.read_csv(ROOT / "resources/published/autoeval.csv", infer_schema_length=None)
    by_task = {
        task: dict(figures.filter(pl.col("table").cast(pl.String) == table, task=task).select("model", "mean").rows())
        for table, task in (("12", "formalization"), ("12", "round_trip"), ("14", "code"))
    }
    models = [*by_task["formalization"]]
    told = {
        task: spearmanr(*([scores[model] for model in models] for scores in (by_task["formalization"], by_task[task])))
        for task in ("round_trip", "code")
    }
    assert {task: round(float(both.statistic), 2) for task, both in told.items()} == {"round_trip": 0.89, "code": 0.90}
