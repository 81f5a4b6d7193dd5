"""The table of claims, computed again for ``recomputed_tables``. Nothing of nlfol is imported."""

from __future__ import annotations

from typing import Any

import polars as pl
from benchmarks.recomputed_run import (
    NO_SEED,
    OF_A_MODEL,
    PRIMARY,
    Cells,
    Run,
    Shown,
    available,
    by_item,
    contrast,
    paired,
    sample,
    shared,
    spread,
    table,
)
from benchmarks.recomputed_scores import above_chance, adjusted_difference
from benchmarks.recomputed_statistics import TAIL, above, correlation, newcombe, p_value

THINKING = "A model does better with thinking than without."
_SHOWN_TO_KINDS = "prompt examples shots glossary schema order seed replies"
FREE = {
    "Dialogue models rank formulas better than their English.": "candidates prompt glossary",
    "Embedding models do better with English than with formulas.": "candidates prompt glossary",
    "Dialogue models put equivalents first more often than negations last.": "",
    "Embedding models put negations last more often than equivalents first.": "",
    "A model solves most similar more often than ranking.": "prompt schema candidates order",
    "Dialogue models do better than embedding models.": f"{OF_A_MODEL} {_SHOWN_TO_KINDS}",
    "Sets by the published procedure are easier than certified ones.": "candidates prompt schema order",
    THINKING: "thinking sampling limits",
}
"""What the sides of each claim may be shown otherwise."""


def _of_claim(_: Run, row: Shown) -> object:
    """The family of a claim; thinking is adjusted among the differences."""
    return None if row["claim"] == THINKING else row["claim"]


@table("claims", "dataset claim task presentation model first second", family=_of_claim, without="stories detectable")
def _claims(run: Run, row: Shown) -> Cells:
    """The first side less the second, above chance where the sides differ in chance.

    Of tasks the primary metric counts; a side of several models has the mean of their scores on each item.
    """
    if row["second"] == "chance":
        return _against_chance(run, row)
    models = row["first"], row["second"]
    (one, of_one), (other, of_other) = (_side(run, row, name) for name in models)
    found = contrast((one, other), free=FREE[row["claim"]])
    found |= {"items_available": available(one, other), "compared": "score", "raw": found["difference_mean"]}
    if row["claim"] == THINKING:
        return {**found, "adjusted": adjusted_difference(run, row, models)}
    if found["p"] is None:
        return found
    one, other, _ = paired((one, other), FREE[row["claim"]])
    common = by_item(one).join(by_item(other).select("item", other="score"), on="item", maintain_order="left")
    items = common["item"].to_list()
    if any(item not in of_one or item not in of_other for item in items):
        return found
    chances = [of_one[item] for item in items], [of_other[item] for item in items]
    if max(abs(guessed - beside) for guessed, beside in zip(*chances, strict=True)) < 1e-12:
        return found
    return found | _above_difference(common, *chances)


def _side(run: Run, row: Shown, name: str) -> tuple[pl.DataFrame, dict[str, float]]:
    """Answers of a side of a claim, by what its name stands for, and chance of each item."""
    wanted: dict[str, Any] = {key: row[key] for key in ("dataset", "task", "presentation", "model") if row[key]}
    answers = run.answers
    if name in ("formula", "english"):
        wanted["presentation"] = name
    elif name in ("equivalence", "negation"):
        wanted["metric"] = name
    elif name.startswith(("dialogue models", "embedding models")):
        wanted |= {"kind": "chat" if name.startswith("dialogue") else "embedding", "presentation": row["presentation"]}
    else:
        wanted |= {"model" if row["task"] else "task": name, "presentation": row["presentation"]}
    answers = run.of(wanted, " ".join(wanted))
    wanted.setdefault("metric", PRIMARY[answers["task_kind"][0]])
    answers = answers.filter(metric=wanted["metric"])
    wanted |= {"task": answers["task"][0], "presentation": answers["presentation"][0]}
    return _mean(answers, name), run.chance(wanted)


def _mean(answers: pl.DataFrame, side: str) -> pl.DataFrame:
    """Answers of one model; of several, the mean of each item that all were asked, without a seed.

    What they were not all shown alike is nothing that another side was shown.
    """
    if answers["model"].n_unique() == 1:
        return answers
    of_all = answers.filter(pl.col("model").n_unique().over("item") == answers["model"].n_unique())
    of_item, mean, unread = pl.col("story", "available").first(), pl.col("score").mean(), pl.col("unread").sum()
    means = of_all.group_by("model", "item", maintain_order=True).agg(of_item, mean, unread)
    shown = of_all.group_by("item").agg(shared(answers, side))
    items = means.group_by("item", maintain_order=True).agg(of_item, mean, unread)
    return items.join(shown, on="item", maintain_order="left").with_columns(seed=NO_SEED)


def _above_difference(common: pl.DataFrame, first: list[float], second: list[float]) -> Cells:
    stories = common["story"].to_list()
    one, other = above(common["score"].to_list(), first, stories), above(common["other"].to_list(), second, stories)
    assert one is not None
    assert other is not None
    value, p = one.value - other.value, 1.0
    ends: tuple[float, ...] = ()
    if one.of_score.design is not None and other.of_score.design is not None:
        together = correlation(one.of_score, other.of_score)
        bounds = newcombe((one.value, one.bounds), (other.value, other.bounds), together)
        ends, p = bounds(TAIL), 1.0 if value == 0 else p_value(bounds)
    return {"compared": "above chance", **spread("difference", value, None, *ends), "p": p}


def _against_chance(run: Run, row: Shown) -> Cells:
    """A model against chance; presentations of verification are parts of one question."""
    kind = run.of(row, "dataset task")["task_kind"][0]
    names = "dataset task" if kind == "verification" else "dataset task presentation"
    answers = run.of(row, names, model=row["first"], metric=PRIMARY[kind])
    guessed = by_item(run.of(row, names, metric=PRIMARY[kind]).filter(kind="chance"))
    found = above_chance(by_item(answers), dict(guessed.select("item", "score").iter_rows()))
    assert found is not None
    left, p = 1 - found.chance, 1.0
    if found.of_score.design is not None and found.value != 0:
        p = p_value(found.bounds)
    ends = [None if end is None else end * left for end in found.ends]
    value = found.value * left
    return {**sample(answers), "compared": "score", "raw": value, **spread("difference", value, None, *ends), "p": p}
