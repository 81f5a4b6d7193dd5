"""Programs for solvers: how many are executable, how many are right, and what a fallback would make of the others.

A better translator executes more programs, and may so lower the share that is right among those executed (Logic-LM:
Pan et al., Findings of EMNLP 2023, has both). So all stand side by side. With a random guess in place of what is not
executable, the score of an answer is its exact expectation, right + (1 - executable) / options; with the same model's
answer without a solver it is that answer's score, of the same item and seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

import polars as pl

from nlfol.programs import Failure, Outcome
from nlfol.statistics.asked_problems import Items, interval, mean_of
from nlfol.statistics.clusters import ratio
from nlfol.statistics.summary import OUTCOMES, Origin

RIGHT, EXECUTABLE = "right", "executable"

FAULTS = (*(failure.value for failure in Failure), Outcome.NO_ANSWER.value)
"""Why a program that was read gives no answer."""

LOST = tuple(outcome for outcome in OUTCOMES if outcome not in ("answered", "unparsable"))
"""How requests end that give no answer."""

_KEY = ["item", "seed"]

Loaded = Sequence[tuple[Origin, pl.DataFrame]]


def solvers(loaded: Loaded, items: Items) -> list[dict[str, Any]]:
    """The rows of ``problem_schemas.SOLVERS``, one a dataset, task of programs and model."""
    answering = _answering(loaded, items)
    return [
        _row(source, scores, items, answering.get((source.dataset, source.model)))
        for source, scores in loaded
        if EXECUTABLE in source.asked.metrics and not scores.is_empty() and (source.dataset, source.task) in items
    ]


def _answering(loaded: Loaded, items: Items) -> Mapping[tuple[str, str], tuple[str, pl.DataFrame]]:
    """Of each dataset and model, its answers without a solver: of the first task and presentation."""
    found: dict[tuple[str, str], tuple[str, pl.DataFrame]] = {}
    for source, scores in loaded:
        if source.asked.metrics == (RIGHT,) and (source.dataset, source.task) in items and not scores.is_empty():
            first = scores.filter(pl.col("presentation") == scores["presentation"][0])
            answers = first.select(*_KEY, pl.col("score").alias("fallback"))
            found.setdefault((source.dataset, source.model), (source.task, answers))
    return found


def _row(
    source: Origin, scores: pl.DataFrame, items: Items, answering: tuple[str, pl.DataFrame] | None
) -> dict[str, Any]:
    asked = items[source.dataset, source.task]
    wide = _side_by_side(scores)
    options = pl.col("item").replace_strict(
        {item: len(facts.labels) for item, facts in asked.items()}, return_dtype=pl.Float64
    )
    missed = 1 - pl.col(EXECUTABLE)
    wide = wide.with_columns((pl.col(RIGHT) + missed / options).alias("guessed"))
    row: dict[str, Any] = {
        "dataset": source.dataset,
        "task": source.task,
        "task_kind": source.task_kind,
        "protocol": source.protocol,
        "model": source.model,
        "kind": source.kind,
        "items": wide["item"].n_unique(),
        "seeds": wide["seed"].n_unique(),
        **_named(RIGHT, mean_of(wide, RIGHT)),
        **_named(EXECUTABLE, mean_of(wide, EXECUTABLE)),
        **_named("right_executed", _right_among_executable(wide)),
        **_named("guessed", mean_of(wide, "guessed")),
        "answering": None,
        **_named("fallback", None),
    }
    if answering is not None:
        task, answers = answering
        both = wide.join(answers, on=_KEY, how="inner", nulls_equal=True, maintain_order="left")
        if both.height == wide.height:
            both = both.with_columns((pl.col(RIGHT) + missed * pl.col("fallback")).alias("fallback"))
            row |= {"answering": task, **_named("fallback", mean_of(both, "fallback"))}
    return row | _counts(source, scores.filter(pl.col("metric") == EXECUTABLE))


def _side_by_side(scores: pl.DataFrame) -> pl.DataFrame:
    """One row an answer, with the scores of both metrics."""
    right, executable = (
        scores.filter(pl.col("metric") == metric).select(*_KEY, "story", pl.col("score").alias(metric))
        for metric in (RIGHT, EXECUTABLE)
    )
    return right.join(executable.drop("story"), on=_KEY, nulls_equal=True, maintain_order="left")


def _right_among_executable(wide: pl.DataFrame) -> dict[str, Any] | None:
    """Right of executable, over all seeds together in the interval; None where nothing is executable."""
    by_seed = wide.group_by("seed", maintain_order=True).agg(pl.col(RIGHT).sum(), pl.col(EXECUTABLE).sum())
    shares = [right / executed for _, right, executed in by_seed.iter_rows() if executed]
    if not shares:
        return None
    by_item = wide.group_by("item", maintain_order=True).agg(
        pl.col("story").first(), pl.col(RIGHT).mean(), pl.col(EXECUTABLE).mean()
    )
    found = ratio(by_item[RIGHT].to_list(), by_item[EXECUTABLE].to_list(), by_item["story"].to_list())
    return {"mean": fmean(shares), "deviation": stdev(shares) if len(shares) > 1 else None, **interval(found)}


def _named(name: str, found: Mapping[str, Any] | None) -> dict[str, Any]:
    parts = ("deviation", "low", "high")
    return {
        name: found["mean"] if found else None,
        **{f"{name}_{part}": found[part] if found else None for part in parts},
    }


def _counts(source: Origin, answers: pl.DataFrame) -> dict[str, int | None]:
    """How many answers ended how; nothing is known of chance, whose answers are an expectation."""
    if source.kind == "chance":
        return dict.fromkeys(("executed", "unparsable", *FAULTS, "lost"))
    return {
        "executed": int((answers["score"] == 1).sum()),
        "unparsable": int((answers["outcome"] == "unparsable").sum()),
        **{fault: int((answers["fault"] == fault).sum()) for fault in FAULTS},
        "lost": int(answers["outcome"].is_in(LOST).sum()),
    }
