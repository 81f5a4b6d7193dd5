"""The table of claims, computed again for ``recomputed_tables``. Nothing of nlfol is imported."""

from __future__ import annotations

from typing import Any

import polars as pl
from benchmarks.recomputed_programs import is_covered
from benchmarks.recomputed_run import (
    BESIDE,
    NO_SEED,
    OF_A_MODEL,
    PRIMARY,
    Cells,
    Run,
    Shown,
    available,
    by_item,
    contrast,
    kind_of,
    mean_of,
    paired,
    sample,
    shared,
    spread,
    table,
    together,
)
from benchmarks.recomputed_scores import above_chance, among_differences
from benchmarks.recomputed_statistics import (
    TAIL,
    above,
    by_story,
    correlation,
    effective,
    jackknifed,
    newcombe,
    p_value,
)
from scipy.stats import t as student

MOST_SIMILAR = "A model solves most similar more often than ranking."
THINKING = "A model does better with thinking than without."
_SHOWN_TO_KINDS = "prompt examples shots glossary schema order seed reasoning replies"
FREE = {
    "Dialogue models rank formulas better than their English.": "candidates prompt glossary",
    "Embedding models do better with English than with formulas.": "candidates prompt glossary",
    "Dialogue models put equivalents first more often than negations last.": "",
    "Embedding models put negations last more often than equivalents first.": "",
    MOST_SIMILAR: "prompt schema candidates order",
    "Dialogue models do better than embedding models.": f"{OF_A_MODEL} {_SHOWN_TO_KINDS}",
    "Sets by the published procedure are easier than certified ones.": "candidates prompt schema order",
    THINKING: "thinking sampling limits",
}
"""The components that may differ between the sides of each claim."""


def _of_claim(_: Run, row: Shown) -> object:
    """The family of a claim; thinking is adjusted among the differences."""
    return None if row["claim"] == THINKING else row["claim"]


@table("claims", "dataset claim task presentation model first second", family=_of_claim, without="stories detectable")
def _claims(run: Run, row: Shown) -> Cells:
    """The first side less the second, above chance where the sides differ in chance.

    Of tasks the primary metric counts; a side of several models has the mean of their scores on each item.
    """
    if row["claim"] in OF_STUDIES:
        return OF_STUDIES[row["claim"]](run, row)
    if row["claim"] == "A model does better than chance.":
        return _against_chance(run, row)
    models = row["first"], row["second"]
    (one, of_one), (other, of_other) = (_side(run, row, name) for name in models)
    found = contrast((one, other), free=FREE[row["claim"]])
    found |= {"items_available": available(one, other), "compared": "score", "raw": found["difference_mean"]}
    if row["claim"] == THINKING:
        return {**found, "adjusted": among_differences(run, row, models, "adjusted")}
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


def _score(found: Cells) -> Cells:
    return {**found, "compared": "score", "raw": found["difference_mean"]}


def _in_other_words(run: Run, row: Shown) -> Cells:
    sides = [{**row, "dataset": row[name]} for name in ("first", "second")]
    of_sides = [run.of(side, "dataset task model presentation", metric="right") for side in sides]
    return _score(contrast(of_sides, free="text glossary schema"))


def _by_strategy(run: Run, row: Shown) -> Cells:
    of_sides = [
        run.of({**row, "task": row[name]}, "dataset task model", metric="right") for name in ("first", "second")
    ]
    return _score(contrast(of_sides, free="prompt schema examples"))


def _dispersed(run: Run, row: Shown) -> Cells:
    """Dispersion in other words less that of the original, by item, of pairs of which both programs are aligned."""
    sides = [{**row, "dataset": row[name]} for name in ("first", "second")]
    answers = [run.of(side, "dataset task model", metric="right") for side in sides]
    kept, _, counts = paired(answers, "text glossary schema")
    part, whole = (pl.col("dispersion").struct.field(name) for name in ("sum", "of"))
    programs = [run.stage("programs", side, "dataset", "task", "model").rows for side in sides]
    both = kept.select("item", "seed")
    for number, side in enumerate(programs):
        rows = side.filter(status="aligned").filter(whole > 0)
        value = rows.select("item", "seed", "story", (part / whole).alias(f"value_{number}"))
        both = both.join(value if number else value.drop("story"), on=["item", "seed"], maintain_order="left")
    items = by_item(both.with_columns(score=pl.col("value_0") - pl.col("value_1")))
    cells = {**counts, "items": items.height, "items_available": available(answers[0]), "compared": "dispersion"}
    least = min(side["item"].n_unique() for side in answers) / 2
    if not items.height or items.height < least or not all(map(is_covered, programs)):
        return {**cells, "raw": None, "p": None, **spread("difference", None)}
    return {**cells, **_tested(items["score"].to_list(), items["story"].to_list())}


def _by_size(run: Run, row: Shown) -> Cells:
    """The smaller half of the items less the larger one."""
    answers = run.of(row, "dataset task model presentation", metric=PRIMARY["round_trip"])
    sizes = run.of_dataset(row["dataset"], "measures").select("item", "category")
    items = by_item(answers).join(sizes, on="item", maintain_order="left").drop_nulls("category")
    middle = items["category"].median()
    halves = {True: items.filter(pl.col("category") <= middle), False: items.filter(pl.col("category") > middle)}
    unread = answers.filter(pl.col("item").is_in(items["item"].to_list()))["unread"].sum()
    counts = {"pairs": 0, "unread_first": unread, "unread_second": 0, "items": items.height, "compared": "score"}
    one, other = (mean_of(halves[half]) for half in (True, False))
    value, p = one.value - other.value, 1.0
    ends: tuple[float, ...] = ()
    if one.design is not None and other.design is not None:
        bounds = newcombe((one.value, one.bounds), (other.value, other.bounds), 0.0)
        ends, p = bounds(TAIL), 1.0 if value == 0 else p_value(bounds)
    found = {"raw": value, **spread("difference", value, None, *ends), "p": p}
    return {**counts, "items_available": available(answers), **found}


def _tested(values: list[float], stories: list[str]) -> Cells:
    """Student's t of a mean of values, with the clustered error of its stories."""
    mean = sum(values) / len(values)
    deviations, sizes = [value - mean for value in values], by_story([1.0] * len(values), stories)
    none = {"raw": mean, **spread("difference", mean), "p": 1.0}
    if len(sizes) < 5 or effective(sizes.values()) < 2:
        return none
    residuals, _, degrees = jackknifed(deviations, by_story(deviations, stories), sizes)
    error = sum(each**2 for each in residuals.values()) ** 0.5 / len(values)
    if error < 1e-12:
        return none
    half = float(student.ppf(0.975, degrees)) * error
    p = float(2 * student.sf(abs(mean / error), degrees))
    return {"raw": mean, **spread("difference", mean, None, mean - half, mean + half), "p": p}


OF_STUDIES = {
    "A model solves problems more often than the same in other words.": _in_other_words,
    "A model has more symbols for a concept in other words.": _dispersed,
    "Instructions on names do better than none in other words.": _by_strategy,
    "A table of concepts does better than none in other words.": _by_strategy,
    "Smaller formulas keep their meaning more often in a round trip.": _by_size,
}


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
        wanted["model" if row["task"] else "task"] = name
    answers = run.of(wanted, " ".join(wanted))
    by = BESIDE if row["claim"] == MOST_SIMILAR else PRIMARY
    wanted.setdefault("metric", by[answers["task_kind"][0]])
    answers = answers.filter(metric=wanted["metric"])
    wanted |= {"task": answers["task"][0], "presentation": answers["presentation"][0]}
    return _mean(together(answers), name), run.chance(wanted, kind_of(answers))


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
    """A model against its guesser; presentations of verification are parts of one question."""
    kind = run.of(row, "dataset task")["task_kind"][0]
    names = "dataset task" if kind == "verification" else "dataset task presentation"
    answers = run.of(row, names, model=row["first"], metric=PRIMARY[kind])
    guessed = by_item(run.of(row, names, metric=PRIMARY[kind], model=row["second"]))
    found = above_chance(by_item(answers), dict(guessed.select("item", "score").iter_rows()))
    assert found is not None
    left, p = 1 - found.chance, 1.0
    if found.of_score.design is not None and found.value != 0:
        p = p_value(found.bounds)
    ends = [None if end is None else end * left for end in found.ends]
    value = found.value * left
    return {**sample(answers), "compared": "score", "raw": value, **spread("difference", value, None, *ends), "p": p}
