"""Tables of round trips and problems, computed again for ``recomputed_tables``.

Nothing of nlfol is imported.
"""

from __future__ import annotations

import json
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
from benchmarks.recomputed_run import (
    OUTCOMES,
    PRIMARY,
    Cells,
    Run,
    Shown,
    by_item,
    chosen,
    contrast,
    estimated,
    kind_of,
    mean_of,
    sample,
    scored,
    seeds,
    spread,
    table,
)
from benchmarks.recomputed_statistics import (
    TAIL,
    Estimate,
    average,
    correlation,
    difference,
    newcombe,
    ratio,
)
from scipy.optimize import bisect

ENDS = ("completed", "not_equivalent", "unknown", "invalid", "unparsable", "copied")
SMALL = {
    "truth_operators_6": ("operators_published", 6),
    "truth_operators_30": ("operators_published", 30),
    "truth_depth_7": ("depth", 7),
}


@table("round_trip", "dataset task model presentation source round")
def _round_trip(run: Run, row: Shown) -> Cells:
    """Scores of a round; of the first one those of small generated items, too, and why chains ended."""
    if row["source"] == "published":
        return {}
    if (nothing := run.nothing_asked(row)) is not None:
        return nothing
    answers = run.of(row, "dataset task model presentation", round=int(row["round"]))
    end = "" if row["round"] == "1" else f"@{row['round']}"
    cells = {**sample(answers), "seeds": seeds(answers)}
    for metric in ("truth_uncopied", "truth", "compliance", "copied"):
        cells |= scored(metric, answers.filter(metric=metric + end))
    if end:
        return cells
    for metric in ("bleu", "chrf", "rouge_l", "meteor", "bertscore"):
        cells |= scored(metric, answers.filter(metric=metric))
    sizes = run.of_dataset(row["dataset"], "measures")
    is_generated = "category" in sizes.columns and sizes["category"].count()
    for name, (measure, most) in SMALL.items():
        small = sizes.filter(pl.col(measure) <= most)["item"].to_list() if is_generated else []
        cells |= scored(name, answers.filter(pl.col("item").is_in(small), metric="truth"))
    stops = Counter(answers.filter(metric="truth_uncopied")["stop"].drop_nulls())
    if stops:
        cells |= {f"stop_{stop}": stops[stop] for stop in ENDS}
        cells["stop_lost"] = sum(count for stop, count in stops.items() if stop not in ENDS)
    return cells


def _of_primary(run: Run, row: Shown) -> object:
    """The family of a comparison with examples: a task's primary metric on a dataset."""
    is_primary = row["metric"] == PRIMARY[run.of(row, "dataset task")["task_kind"][0]]
    return (row["dataset"], row["task"]) if is_primary else None


@table(
    "few_shot",
    "dataset task metric model",
    family=_of_primary,
    without="stories pairs unread_first unread_second",
)
def _few_shot(run: Run, row: Shown) -> Cells:
    names = "dataset task metric model"
    sides = (run.of(row, names, presentation=shown) for shown in ("few_shot", "zero_shot"))
    return contrast(sides, means=("score", "score_zero_shot"), free="examples shots")


@table("crossed", "dataset task informalizer formalizer")
def _crossed(run: Run, row: Shown) -> Cells:
    answers = run.of(row, "dataset task", model=row["formalizer"], metric="equivalence")
    for other in run.csv("crossed"):
        if other["dataset"] == row["dataset"]:
            beside = run.of(other, "dataset task", model=other["formalizer"], metric="equivalence")
            answers = answers.join(beside.select("item").unique(), on="item", how="semi")
    return {**sample(answers), "seeds": seeds(answers), **scored("score", answers)}


@table("attribution", "dataset task formalized model presentation")
def _attribution(run: Run, row: Shown) -> Cells:
    """Broken chains by the half that they are charged to, and bounds of p_I (``nlfol/analyses/attribution.py``)."""
    trips = run.of(row, "dataset task model presentation")
    translated = run.of(row, "dataset model presentation", task=row["formalized"], metric="equivalence")
    key, rounds = ["item", "seed"], max(trips["round"].to_list())
    last = "truth_uncopied" if rounds == 1 else f"truth_uncopied@{rounds}"
    chains = (
        trips.filter(metric="truth_uncopied")
        .select(*key, "story", truth="score")
        .join(trips.filter(metric="copied").select(*key, english="outcome"), on=key)
        .join(trips.filter(metric=last).select(*key, last="score"), on=key)
        .join(translated.select(*key, right="score"), on=key)
    )
    broken = chains["truth"] == 0
    silent = broken & (chains["english"] != "answered")
    charged = silent | (broken & (chains["right"] == 1))
    marked = chains.with_columns(broken=broken.cast(pl.Float64), charged=charged.cast(pl.Float64))
    items = by_item(marked, "truth", "last", "right", "broken", "charged")
    p_a = mean_of(items, "right")
    cells = {
        "items": items.height,
        "chains": chains.height,
        "broken": int(broken.sum()),
        "no_english": silent.sum(),
        "informalization": charged.sum(),
        "formalization": int(broken.sum()) - int(charged.sum()),
        "rounds": rounds,
        "truth_last": items["last"].mean(),
        **estimated("share", ratio(*_lists(items, "charged", "broken", "story"))),
        **estimated("truth", mean_of(items, "truth")),
        **estimated("p_a", p_a),
        **_bounds_of_p_i(items),
        **_cancelled(run, row, items),
    }
    if cells["p_i_mean"] is not None:
        cells |= {"p_i_low": cells["p_i_least_low"], "p_i_high": cells["p_i_most_high"]}
    least, p_h = cells["p_i_least_mean"], 1 if cells["p_h_mean"] is None else cells["p_h_mean"]
    cells["bound"] = None if least is None else ((1 - least) * (1 - p_a.value) * p_h) ** rounds
    return cells


def _lists(frame: pl.DataFrame, *names: str) -> Iterator[list[Any]]:
    return (frame[name].to_list() for name in names)


def _bounds_of_p_i(items: pl.DataFrame) -> Cells:
    """Truth - (1 - p_A) and truth / p_A, by Newcombe's method."""
    truth, right, stories = _lists(items, "truth", "right", "story")
    if not any(right):
        return {**spread("p_i_least", None), **spread("p_i_most", None)}
    found = difference(truth, [1 - each for each in right], stories)
    least = (_clipped(each) for each in (found["low"], found["high"]) if each is not None)
    one, other = mean_of(items, "truth"), mean_of(items, "right")
    most = () if one.design is None else (_quotient_at(one, other, end) for end in (0, 1))
    return {
        **spread("p_i_least", _clipped(found["value"] or 0.0), None, *least),
        **spread("p_i_most", _clipped(one.value / other.value), None, *most),
    }


def _quotient_at(one: Estimate, other: Estimate, end: int) -> float:
    """The multiple of the second mean, up to 1, from which the first one's difference has 0 as its lower or upper end.

    Found by bisection.
    """

    def left(times: float) -> float:
        def scaled(tail: float) -> tuple[float, float]:
            low, high = other.bounds(tail)
            return times * low, times * high

        apart = newcombe((one.value, one.bounds), (times * other.value, scaled), correlation(one, other))
        return apart(TAIL)[end]

    if left(1.0) >= 0:
        return 1.0
    return 0.0 if left(0.0) <= 0 else float(bisect(left, 0.0, 1.0, xtol=1e-13))


def _clipped(value: float) -> float:
    return min(1.0, max(0.0, value))


def _cancelled(run: Run, row: Shown, items: pl.DataFrame) -> Cells:
    """p_H by the first translation of edited formulas, and p_I within sizes of items."""
    cells = {**spread("p_h", None), **spread("p_i", None)}
    found = run.of(row, "dataset model presentation", task_kind="logical_translation", kind="chat")
    returned = found.filter(metric="returned")
    if returned.is_empty():
        return cells
    returned = returned.filter(task=returned["task"][0])
    right = found.filter(metric="equivalence", task=returned["task"][0]).select("item", "story", "seed", right="score")
    edited = by_item(right.join(returned.select("item", "seed", back="score"), on=["item", "seed"]), "right", "back")
    edited = edited.with_columns(wrong=1 - pl.col("right"))
    cells |= estimated("p_h", ratio(*_lists(edited, "back", "wrong", "story")))
    measures = run.of_dataset(row["dataset"], "measures")
    count = max(1, min(5, measures.height // 20))
    smaller = [sum(other < size for other in measures["category"]) for size in measures["category"]]
    sizes = measures.select("item", size=pl.Series(smaller, dtype=pl.Int64) * count // measures.height)
    pairs = []
    for size in range(count):
        names = sizes.filter(size=size)["item"].to_list()
        asked, changed = (frame.filter(pl.col("item").is_in(names)) for frame in (items, edited))
        if not (asked.is_empty() and changed.is_empty()):
            pairs.append((asked, changed))
    if any(asked.is_empty() or changed.is_empty() for asked, changed in pairs):
        pairs = [(items, edited)]
    parts, weights = [], []
    for asked, changed in pairs:
        p_r, p_a, truth = (statistics.fmean(values) for values in (changed["back"], asked["right"], asked["truth"]))
        if p_a <= p_r:
            return cells
        parts.append(_clipped((truth - p_r) / (p_a - p_r)))
        weights.append(asked.height)
    return cells | spread("p_i", float(np.average(parts, weights=weights)))


@table("counts", "dataset measure")
def _counts(run: Run, row: Shown) -> Cells:
    values = run.of_dataset(row["dataset"], "measures")[row["measure"]].drop_nulls().to_list()
    spread = {
        "least": min(values),
        "median": statistics.median(values),
        "mean": average(values),
        "greatest": max(values),
    }
    return {"items": len(values), **spread}


WORDS = {"true", "false", "unknown", "uncertain", "yes", "no"}


def problems(run: Run, row: Shown) -> dict[str, Cells]:
    """The problems that a task asks about: story, right label, labels and depth, "" if it is not known."""
    file = run.stage("items", row, "dataset", "task")
    usable = file.rows.filter(status="usable").select("item", "story", "formula", "category", "problem")
    found = {}
    for item, story, right, depth, problem in usable.iter_rows():
        words = [option["text"].lower() for option in json.loads(problem)["options"]]
        plain = len(set(words)) == len(words) and set(words) <= WORDS
        labels = words if plain else [chr(ord("A") + place) for place in range(len(words))]
        found[item] = {"story": story, "right": right, "labels": labels, "depth": "" if depth is None else str(depth)}
    return found


@table("question_answering", "dataset task presentation model label")
def _question_answering(run: Run, row: Shown) -> Cells:
    """A label against all others; “always X” gives one label to each item that has it."""
    asked, label, kind = problems(run, row), row["label"], "constant"
    if row["model"].startswith("always "):
        said: list[tuple[str, str | None]] = [
            (item, label) for item, problem in asked.items() if label in problem["labels"]
        ]
    else:
        answers = run.of(row, "dataset task presentation model", metric="right")
        rows, kind = answers.select("item", "outcome", "answer").iter_rows(), kind_of(answers)
        said = [(item, answer if outcome == "answered" else None) for item, outcome, answer in rows]
    if "depth" in row:
        said = [(item, answer) for item, answer in said if asked[item]["depth"] == row["depth"]]
    cases: dict[str, Counter[str]] = defaultdict(Counter)
    for item, answer in said:
        case = ("ip", "in") if answer is None else ("tp", "fp") if answer == label else ("fn", "tn")
        cases[case[asked[item]["right"] != label]][item] += 1
    items = list(dict.fromkeys(item for item, _ in said))

    def share(name: str, part: str, whole: str) -> Cells:
        parts, wholes = (
            [sum(cases[case][item] for case in names.split()) for item in items] for names in (part, whole)
        )
        return estimated(name, ratio(parts, wholes, [asked[item]["story"] for item in items]), kind)

    counts = {case: cases[case].total() for case in ("tp", "fp", "tn", "fn", "ip", "in")}
    confused = Counter(answer for item, answer in said if asked[item]["right"] == label)
    every = dict.fromkeys(label for item, _ in said for label in asked[item]["labels"])
    answered = ", ".join(f"{each or 'unread'} {confused[each]}" for each in (*every, None) if confused[each])
    return {
        "answers": counts["tp"] + counts["fn"] + counts["ip"],
        "answered": answered,
        **counts,
        **share("precision", "tp", "tp fp"),
        **share("recall", "tp", "tp fn ip"),
        **share("tnr", "tn", "tn fp in"),
        **share("f1", "tp tp", "tp tp fp fn ip"),
    }


table("program_answers", "dataset task presentation model label")(_question_answering)
table("question_answering_depths", "dataset task presentation model depth label")(_question_answering)


@table("depths", "dataset task metric presentation model depth")
def _depths(run: Run, row: Shown) -> Cells:
    of_depth = [item for item, problem in problems(run, row).items() if problem["depth"] == row["depth"]]
    answers = run.of(row).filter(pl.col("item").is_in(of_depth))
    return {"items": answers["item"].n_unique(), **scored("score", answers)}


FAULTS = ("undefined_symbol", "arity", "open", "contradictory", "budget", "no_answer")


@table("solvers", "dataset task model")
def _solvers(run: Run, row: Shown) -> Cells:
    executed = run.of(row, "dataset task model", metric="executable")
    right = run.of(row, "dataset task model", metric="right").select("item", "seed", right="score")
    options = {item: float(len(problem["labels"])) for item, problem in problems(run, row).items()}
    missed = 1 - pl.col("score")
    both = executed.join(right, on=["item", "seed"], maintain_order="left").with_columns(
        executable="score", guessed=pl.col("right") + missed / pl.col("item").replace_strict(options)
    )
    counts = {
        "executed": (executed["score"] == 1).sum(),
        "unparsable": (executed["outcome"] == "unparsable").sum(),
        **{fault: (executed["fault"] == fault).sum() for fault in FAULTS},
        "lost": executed["outcome"].is_in(OUTCOMES[2:]).sum(),
    }
    cells = dict.fromkeys(counts) if kind_of(executed) == "chance" else counts
    for name in ("right", "executable", "guessed"):
        cells |= scored(name, both, name)
    fallback = {**spread("fallback", None), "answering": None}
    answers = chosen(run.answers, dataset=row["dataset"], model=row["model"], task_kind="question_answering")
    if not answers.is_empty():
        first = chosen(answers, task=answers["task"][0], presentation=answers["presentation"][0])
        filled = both.join(first.select("item", "seed", other="score"), on=["item", "seed"])
        if filled.height == both.height:
            filled = filled.with_columns(fallback=pl.col("right") + missed * pl.col("other"))
            fallback = {**scored("fallback", filled, "fallback"), "answering": first["task"][0]}
    return {"items": both["item"].n_unique(), "seeds": seeds(both), **cells, **_of_executable(both), **fallback}


def _of_executable(both: pl.DataFrame) -> Cells:
    """The share right of executable programs: its mean over seeds, with the interval over all seeds."""
    sums = both.group_by("seed").agg(pl.col("right", "executable").sum()).filter(pl.col("executable") > 0)
    items = by_item(both, "right", "executable")
    found = ratio(*_lists(items, "right", "executable", "story"))
    cells = estimated("right_executed", found, kind_of(both))
    if found is not None:
        shares = (sums["right"] / sums["executable"]).to_list()
        cells["right_executed_mean"] = statistics.fmean(shares)
        if len(shares) >= 3 and (items["executable"] > 0).sum() >= 5 and kind_of(both) != "chance":
            cells["right_executed_deviation"] = statistics.stdev(shares)
    return cells
