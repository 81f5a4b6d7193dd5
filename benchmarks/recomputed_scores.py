"""Tables of scores and comparisons, computed again for ``recomputed_tables``. Nothing of nlfol is imported."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import polars as pl
from benchmarks.recomputed_run import (
    BESIDE,
    EXACT,
    GUESSERS,
    OF_A_MODEL,
    OUTCOMES,
    PRIMARY,
    Cells,
    Run,
    Shown,
    are_enough,
    available,
    by_item,
    chosen,
    contrast,
    estimated,
    is_whole,
    kind_of,
    mean_of,
    paired,
    sample,
    scored,
    seeds,
    spread,
    table,
    together,
)
from benchmarks.recomputed_statistics import (
    Above,
    above,
    agreement,
    positions_matter,
    variances,
)
from benchmarks.recomputed_verification import rates, renamed, verified

GAIN = "few_shot less zero_shot"
"""The presentation of differences between answers with examples and without."""

QUESTION = "dataset task metric presentation"


def _counts(answers: pl.DataFrame, column: str, cases: tuple[str, ...], prefix: str = "") -> Cells:
    """Count the answers of each case; guessers have none."""
    if kind_of(answers) in GUESSERS:
        return dict.fromkeys(f"{prefix}{case}" for case in cases)
    return {f"{prefix}{case}": (answers[column] == case).sum() for case in cases}


def _opened(answers: pl.DataFrame) -> int | None:
    """Count the answers that were read with a liberty of the envelope; guessers have none."""
    return None if kind_of(answers) in GUESSERS else int((answers["liberties"].list.len() > 0).sum())


@table("scores", f"{QUESTION} model")
def _scores(run: Run, row: Shown) -> Cells:
    if not row["metric"]:
        kind = run.stage("scores", row, "dataset", "task", "model").about["kind"]
        none = dict.fromkeys((*OUTCOMES, "opened", "seeds"), None if kind in GUESSERS else 0)
        return {"items": 0, **spread("score", None), **none}
    answers = run.of(row)
    counts = {**_counts(answers, "outcome", OUTCOMES), "opened": _opened(answers)}
    return {**sample(answers), "seeds": seeds(answers), **scored("score", answers), **counts}


@table("above_chance", f"{QUESTION} model")
def _above_chance(run: Run, row: Shown) -> Cells:
    answers = run.of(row)
    found = above_chance(by_item(answers), run.chance(row, kind_of(answers)))
    assert found is not None
    adjusted = spread("above", found.value, None, *(() if kind_of(answers) in EXACT else found.ends))
    return {**sample(answers), **scored("score", answers), "chance": found.chance, **adjusted}


def above_chance(items: pl.DataFrame, chance: dict[str, float]) -> Above | None:
    """Mean of items above chance."""
    guessed = [chance[item] for item in items["item"]]
    return above(items["score"].to_list(), guessed, items["story"].to_list())


@table("logical_translation", "dataset model task presentation")
def _logical_translation(run: Run, row: Shown) -> Cells:
    if (nothing := run.nothing_asked(row)) is not None:
        nothing |= {**spread("equivalence", None), **spread("on_boards", None)}
        return {**nothing, **dict.fromkeys((*OUTCOMES[1:], "opened"), 0)}
    judged = run.of(row, "dataset model task presentation")
    answers = chosen(judged, metric="equivalence")
    is_chance = kind_of(answers) == "chance"
    read = {"repaired": "repairs", "ambiguous": "ambiguities"}
    return {
        **sample(answers),
        "seeds": seeds(answers),
        **scored("equivalence", answers),
        **scored("on_boards", chosen(judged, metric="on_boards")),
        **_counts(answers, "verdict", ("equivalent", "not_equivalent", "unknown", "invalid")),
        **_counts(answers, "outcome", OUTCOMES[1:]),
        **{name: None if is_chance else (answers[of].list.len() > 0).sum() for name, of in read.items()},
        "opened": _opened(answers),
    }


CHOICES = {"most_similar": ("accuracy",), "ranking": ("both", "equivalence", "negation")}


@table("dialogue", "dataset protocol model presentation most_similar_task ranking_task")
def _choices(run: Run, row: Shown) -> Cells:
    cells: Cells = {}
    of_tasks = []
    for kind, metrics in CHOICES.items():
        if not row[f"{kind}_task"]:
            continue
        asked = {**row, "task": row[f"{kind}_task"]}
        if (nothing := run.nothing_asked(asked)) is not None:
            cells |= {f"{kind}_{name}": value for name, value in nothing.items()}
            cells |= dict.fromkeys((f"{kind}_{counted}" for counted in (*OUTCOMES[1:], "opened")), 0)
            continue
        answers = run.of(asked, "dataset task model presentation")
        of_tasks.append(None if kind_of(answers) in GUESSERS else str(seeds(answers)))
        cells |= {f"{kind}_{name}": value for name, value in sample(answers).items()}
        of_first = answers.filter(metric=metrics[0])
        cells |= {**_counts(of_first, "outcome", OUTCOMES[1:], f"{kind}_"), f"{kind}_opened": _opened(of_first)}
        for metric in metrics:
            of_metric = answers.filter(metric=metric)
            cells |= scored(f"{kind}_{metric}", of_metric)
            if kind_of(answers) == "embedding":
                cells[f"tied_{kind}_{metric}"] = of_metric["tied"].sum()
    told_apart = " / ".join(filter(None, of_tasks))
    return {**cells, "seeds": of_tasks[0] if len(set(of_tasks)) == 1 else told_apart}


_NOT_OF_VECTORS = "seeds most_similar_opened ranking_opened"
table("embedding", "dataset protocol model presentation most_similar_task ranking_task", without=_NOT_OF_VECTORS)(
    _choices
)


def _of_primary(run: Run, row: Shown) -> object:
    """The family of a comparison of models: those in a task's primary metric on a dataset, of whole questions."""
    kind = run.of(row, "dataset task")["task_kind"][0]
    is_primary = row["metric"] == PRIMARY[kind] and is_whole(kind, row["presentation"])
    return (row["dataset"], row["task"]) if is_primary else None


def _asked(run: Run, row: Shown, model: str) -> pl.DataFrame:
    """A model's answers to a question; of verification without a presentation both classes together."""
    if row["presentation"]:
        return run.of(row, QUESTION, model=model)
    return together(run.of(row, "dataset task metric", model=model))


@table("differences", f"{QUESTION} first second", family=_of_primary)
def _differences(run: Run, row: Shown) -> Cells:
    return contrast((_asked(run, row, row[name]) for name in ("first", "second")), free=OF_A_MODEL)


@table("thinking", f"{QUESTION} thinking plain", without="stories")
def _thinking(run: Run, row: Shown) -> Cells:
    """Adjusted and detectable as in the table of differences."""
    models = row["thinking"], row["plain"]
    sides = (_asked(run, row, model) for model in models)
    found = contrast(sides, means=("score", "score_plain"), free="thinking sampling limits")
    del found["freedom"]
    told = None if found["detectable"] is None else among_differences(run, row, models, "detectable")
    return {**found, "detectable": told, "adjusted": among_differences(run, row, models, "adjusted")}


def among_differences(run: Run, row: Shown, models: tuple[str, str], name: str) -> float | None:
    """Return the adjusted p of two models in the table of differences, or the detectable difference."""
    names = [name for name in QUESTION.split() if name in row]
    for other in run.csv("differences"):
        alike = all(other[name] == row[name] for name in names)
        if alike and {other["first"], other["second"]} == {*models} and other[name]:
            return float(other[name])
    return None


@table("agreement", f"{QUESTION} first second", without="pairs unread_first unread_second")
def _agreement(run: Run, row: Shown) -> Cells:
    sides = (run.of(row, QUESTION, model=row[name]) for name in ("first", "second"))
    return _agreed(sides, OF_A_MODEL)


def _agreed(sides: Iterable[pl.DataFrame], free: str) -> Cells:
    """Agreement on the answers of pairs."""
    first, second = sides
    one, other, counts = paired((first, second), free)
    common = one.join(other.select("item", "seed", other="score"), on=["item", "seed"])
    items = {"items": common["item"].n_unique(), "items_available": available(first, second)}
    if are_enough(common, first, second):
        counts |= agreement(common["score"].to_list(), common["other"].to_list())
    return {**counts, **items}


@table("task_agreement", "dataset protocol model presentation most_similar ranking")
def _task_agreement(run: Run, row: Shown) -> Cells:
    sides = (run.of(row, "dataset model presentation", task=row[kind], metric=BESIDE[kind]) for kind in CHOICES)
    return _agreed(sides, "prompt schema candidates order")


@table("repetitions", f"{QUESTION} model")
def _repetitions(run: Run, row: Shown) -> Cells:
    """Shares of items that are right under one seed, some of all seeds, all, or all or none."""
    answers = run.of(row)
    of_items = answers.group_by("item").agg(pl.col("score").round())["score"].to_list()
    return {
        **sample(answers),
        "seeds": seeds(answers),
        "pass_1": np.mean([np.mean(scores) for scores in of_items]),
        "pass_at_k": np.mean([max(scores) for scores in of_items]),
        "pass_hat_k": np.mean([min(scores) for scores in of_items]),
        "consistent": np.mean([max(scores) == min(scores) for scores in of_items]),
    }


@table("variances", f"{QUESTION} model")
def _variances(run: Run, row: Shown) -> Cells:
    answers = run.of(row)
    by_seed = answers.group_by("item", maintain_order=True).agg("score", "position")
    found = variances([list(zip(scores, places, strict=True)) for _, scores, places in by_seed.iter_rows()])
    return {**sample(answers), "seeds": seeds(answers), **found}


@table("positions", "dataset task protocol model presentation position", family=lambda _, row: row["p"] != "")
def _positions(run: Run, row: Shown) -> Cells:
    items = run.stage("items", row, "dataset", "task")
    sizes = dict(items.rows.select("item", pl.col("candidates").list.len()).iter_rows())
    answers = run.of(row, "dataset task model presentation", metric="accuracy").drop_nulls("position")
    asked = [
        (item, sizes[item], place, score)
        for item, place, score in answers.select("item", "position", "score").iter_rows()
    ]
    expected, p = positions_matter(asked)
    places = [number for number, (_, _, place, _) in enumerate(asked) if row["position"] in ("", str(place))]
    return {
        "answers": len(places),
        "accuracy": math.fsum(asked[number][3] for number in places) / len(places),
        "expected": math.fsum(expected[number] for number in places) / len(places),
        "p": None if row["position"] else p,
    }


@table("difficulty", f"{QUESTION} model group case", named="names of items")
def _difficulty(run: Run, row: Shown) -> Cells:
    """Means over the items that some, all or none of the models solve, by others' mean score, or by size of formula."""
    every = run.of(row, QUESTION).filter(pl.col("kind").is_in(("chat", "embedding")))
    models = every["model"].unique(maintain_order=True).to_list()
    means = every.group_by("model", "item", maintain_order=True).agg(pl.col("story").first(), pl.col("score").mean())
    own = means.filter(model=row["model"]) if row["model"] else means.unique("item", maintain_order=True)
    if row["group"] in ("operators", "quantifiers"):
        most = {"operators": 5, "quantifiers": 3}[row["group"]]
        sizes = run.of_dataset(row["dataset"], "measures").select("item", size=row["group"])
        is_case = pl.col("size").clip(upper_bound=most) == float(row["case"].removesuffix("+"))
        items = own.join(sizes, on="item").filter(is_case)
    else:
        others = means.filter(pl.col("model") != row["model"])
        grouped = others.group_by("item").agg(whole=pl.col("score").mean(), least=pl.col("score").min(), of=pl.len())
        known = own.join(
            grouped.filter(pl.col("of") == len(models) - bool(row["model"])), on="item", maintain_order="left"
        )
        whole, every_one = pl.col("whole"), pl.col("least") == 1
        cases = {
            "none": whole == 0,
            "all": every_one,
            "some": (whole > 0) & ~every_one,
            "0": whole == 0,
            "to 0.5": whole.is_between(0, 0.5, closed="right"),
            "below 1": (whole > 0.5) & ~every_one,
            "1": every_one,
        }
        items = known.filter(cases[row["case"]])
        if not row["model"] and row["case"] != "some":
            return {"items": items.height, **estimated("score", None)}
        items = items if row["model"] else items.with_columns(score="whole")
    return {"items": items.height, **estimated("score", mean_of(items))}


@table("misranked", "dataset task protocol model presentation role")
def _misranked(run: Run, row: Shown) -> Cells:
    role = row["role"]
    of_set = pl.col("candidates").list.eval(pl.element().struct.field("role"))
    having = run.stage("items", row, "dataset", "task").rows.select("item", roles=of_set)
    read = run.of(row, "dataset task model presentation", metric="both").filter(outcome="answered")
    answers = read.join(having.filter(pl.col("roles").list.contains(role)), on="item", maintain_order="left")
    answers = answers.with_columns(out=pl.col("fault").fill_null("").str.split(" "))
    wrong = answers.filter(pl.col("out").list.contains(role))
    first, last = ["gold", "equivalent"], ["negation", "negation_normal_form", "negation_equivalent"]
    alone = wrong.filter(pl.col("out").list.set_intersection(first if role in first else last).list.len() == 1)
    score = answers.with_columns(score=pl.col("out").list.contains(role).cast(pl.Float64))
    return {
        "items": answers["item"].n_unique(),
        "stories": answers["story"].n_unique(),
        "answers": answers.height,
        "out": wrong.height,
        "alone": alone.height,
        **estimated("wrong", mean_of(by_item(score, "score"))),
    }


@table("unsolved", f"{QUESTION} item")
def _unsolved(run: Run, row: Shown) -> Cells:
    every = run.of(row, QUESTION).filter(pl.col("kind").is_in(("chat", "embedding")))
    by_item = every.group_by("item").agg(pl.col("model").n_unique(), pl.col("score").max())
    asked = by_item.filter(model=every["model"].n_unique())
    return {"asked": asked.height, "unsolved": asked.filter(score=0).height}


@table("faults", "dataset task model group case")
def _faults(run: Run, row: Shown) -> Cells:
    answers = run.of(row, "dataset task model", metric="equivalence")
    wrong = answers.filter(verdict="not_equivalent")
    cases = {
        "all answers": answers.select(pl.coalesce("verdict", "outcome")).to_series(),
        "invalid formulas": answers.filter(verdict="invalid")["means"],
        "formulas not equivalent to the gold one: how they stand to it": wrong["relation"].fill_null("unknown"),
        "formulas not equivalent to the gold one: the one change that would mend them": wrong["fault"].fill_null(
            "no_single_change"
        ),
    }[row["group"]]
    number = (cases.str.replace_all("_", " ") == row["case"]).sum()
    return {"count": number, "share": number / len(cases)}


@table("other_metrics", "dataset task model")
def _other_metrics(run: Run, row: Shown) -> Cells:
    """Scores of other metrics and their correlation with being right, at each seed, over what could be read."""
    answers = run.of(row, "dataset task model")
    right = answers.filter(metric="equivalence").select("item", "seed", right="score")
    cells = sample(answers)
    for metric in ("bleu", "le"):
        of_metric = answers.filter(metric=metric)
        read = of_metric.drop_nulls("formula").join(right, on=["item", "seed"])
        found = [
            float(np.corrcoef(of_seed["right"], of_seed["score"])[0, 1])
            for _, of_seed in read.group_by("seed")
            if of_seed["right"].n_unique() > 1 and of_seed["score"].n_unique() > 1
        ]
        deviation = float(np.std(found, ddof=1)) if len(found) >= 3 and read["item"].n_unique() >= 5 else None
        cells |= {**scored(metric, of_metric), "read": read.height}
        cells |= spread(f"correlation_{metric}", float(np.mean(found)) if found else None, deviation)
    return cells


@table("curves", f"{QUESTION} model category")
def _curves(run: Run, row: Shown) -> Cells:
    """Scores over generated items of a category, and over those of which every edit tried changes the meaning."""
    measures = run.of_dataset(row["dataset"], "measures").filter(category=float(row["category"]))
    detected = measures.filter((pl.col("edits") > 0) & (pl.col("edits") == pl.col("detected")))
    count, cells = _on_curve(run, row, measures["item"].to_list(), "score")
    sensitive, more = _on_curve(run, row, detected["item"].to_list(), "sensitive")
    return {"items": count, **cells, "sensitive_items": sensitive or None, **more}


def _on_curve(run: Run, row: Shown, items: list[str], name: str) -> tuple[int, Cells]:
    """Items and mean of some answers; the gain by examples, paired; or F1 of pairs, where anything counts for it."""
    chosen = pl.col("item").is_in(items)
    if row["metric"] == "f1":
        answers = verified(run, row).filter(chosen)
        if not (answers["positive"] | (answers["score"] < 1)).any():
            return 0, spread(name, None)
        cells = renamed(rates(answers), "f1", name)
        by_seed = [rates(each)["f1_mean"] for _, each in answers.group_by("seed")]
        return answers["item"].n_unique(), _deviating(
            cells, name, answers, [each for each in by_seed if each is not None]
        )
    if row["presentation"] != GAIN:
        answers = run.of(row).filter(chosen)
        return answers["item"].n_unique(), scored(name, answers)
    sides = (run.of(row, "dataset task metric model", presentation=shown) for shown in ("few_shot", "zero_shot"))
    first, second = (each.filter(chosen) for each in paired(sides, "examples shots")[:2])
    if first.is_empty():
        return 0, spread(name, None)
    both = first.join(second, on=["item", "seed"], suffix="_second", nulls_equal=True)
    by_seed = (
        both.group_by("seed").agg((pl.col("score") - pl.col("score_second")).mean().alias("gain"))["gain"].to_list()
    )
    cells = {end: value for end, value in contrast((first, second), name).items() if end.startswith(f"{name}_")}
    return first["item"].n_unique(), _deviating(cells, name, first, by_seed)


def _deviating(cells: Cells, name: str, answers: pl.DataFrame, means: list[float]) -> Cells:
    enough = len(means) >= 3 and answers["item"].n_unique() >= 5 and kind_of(answers) != "chance"
    return {**cells, f"{name}_deviation": float(np.std(means, ddof=1)) if enough else None}
