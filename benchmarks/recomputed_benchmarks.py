"""The table of benchmarks, computed again for ``recomputed_tables``. Nothing of nlfol is imported."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
from benchmarks.recomputed_rows import Keys, groups, rated, rows
from benchmarks.recomputed_run import COMPARED, PRIMARY, Cells, Run, Shown, spread, table
from benchmarks.recomputed_studies import SMALL
from benchmarks.recomputed_verification import rates, verified
from scipy.stats import norm, t

PUBLISHED = Path(__file__).parents[1] / "resources/published"
OVERLAPS = ("bleu", "chrf", "rouge_l", "meteor", "bertscore")
OWN_SIZES = (
    *("by", "values", "letters", "clause", "levels", "branching"),
    *("predicates", "constants", "arities", "variables", "quantifiers"),
)
GENERATED = {
    **{(grammar, "names"): grammar for grammar in ("k_sat", "propositional", "regular")},
    ("first_order", "names"): "first_order_names",
    ("first_order", "english"): "first_order_english",
    ("first_order", "verbnet"): "first_order_english",
}
"""Published names of generated sets, by grammar and vocabulary, if none of ``OWN_SIZES`` is given."""
PARTS = ("dataset", "task", "metric", "presentation", "source")
KEY = (*PARTS, *(f"second_{part}" for part in PARTS), "over")


@dataclass(frozen=True)
class Column:
    """Scores by model; what it is called in papers: the dataset, and the kind of task, metric and presentation."""

    key: tuple[str, ...]
    scores: Mapping[str, float]
    paper: tuple[str, ...]
    leads: bool = True
    plain: str = ""

    @property
    def is_here(self) -> bool:
        """True if it was measured."""
        return self.key[4] == "here"

    @property
    def beside(self) -> tuple[str, ...]:
        """True if published tables set it beside round trips: any metric counts."""
        return self.paper[0], self.paper[1], self.paper[3]


def _published() -> list[Column]:
    found: dict[tuple[str, ...], dict[str, float]] = {}
    for path in (PUBLISHED / f"{name}.csv" for name in ("nl_fol_lt", "autoeval", "solt")):
        for row in csv.DictReader(path.open(encoding="utf-8", newline="")):
            is_score = row["task"] not in ("", "diversification") and row["metric"] != "dispersion"
            if (
                is_score
                and row["dataset"]
                and row["model"]
                and not (row["second"] or row["metric"].startswith("count_"))
            ):
                key = *(row[name] for name in PARTS[:4]), f"{path.stem} {row['table']}"
                found.setdefault(key, {})[row["model"]] = float(row["mean"])
    return [Column(key, scores, key[:4]) for key, scores in found.items()]


def _name(run: Run, dataset: str) -> str:
    entry = run.configuration["datasets"].get(dataset, {})
    reader = entry.get("reader")
    if reader == "logieval":
        return f"logieval_{entry['logic']}"
    if reader == "grammar":
        changed = any(entry.get(key) is not None for key in OWN_SIZES) or entry.get("protocol") != "paper"
        drawn = entry["grammar"], entry.get("vocabulary") or "names"
        return "" if changed else GENERATED.get(drawn, "")
    return "folio" if reader in ("folio", "folio_questions") else dataset


def _said(kind: str, metric: str, presentation: str) -> tuple[str, str, str]:
    if kind == "round_trip" and metric in OVERLAPS:
        return "informalization", "rouge" if metric == "rouge_l" else metric, ""
    if kind == "logical_translation" and presentation == "few_shot":
        return "formalization", metric, ""
    return kind, "accuracy" if (kind, metric) == ("question_answering", "right") else metric, presentation


@lru_cache(maxsize=1)
def _columns(run: Run) -> tuple[list[Column], list[Column]]:
    asked = run.answers.filter(pl.col("kind").is_in(COMPARED))
    overlaps = asked.filter(pl.col("task_kind") == "round_trip", pl.col("metric").is_in(OVERLAPS))
    ours = []
    plain = {(row["dataset"], row["task"]) for row in run.csv("scores") if row["presentation"] == "zero_shot"}
    for (dataset, task, kind, metric, shown), answers in groups(
        pl.concat([rated(asked), overlaps]), "dataset", "task", "task_kind", "metric", "presentation"
    ):
        first = metric == PRIMARY[kind] and kind != "verification"
        leads = first and (shown != "few_shot" or (dataset, task) not in plain)
        sizes = run.of_dataset(dataset, "measures")
        for name in (metric, *(each for each in SMALL if each.startswith(f"{metric}_"))):
            chosen = answers
            if name != metric:
                if "category" not in sizes.columns or not sizes["category"].count():
                    continue
                measure, most = SMALL[name]
                chosen = answers.filter(pl.col("item").is_in(sizes.filter(pl.col(measure) <= most)["item"].to_list()))
            means = dict(chosen.group_by("model", maintain_order=True).agg(pl.col("score").mean()).iter_rows())
            if means:
                paper = _name(run, dataset), *_said(kind, name, shown)
                ours.append(
                    Column((dataset, task, name, shown, "here"), means, paper, leads and name == metric, metric)
                )
    for (dataset, task), answers in groups(asked.filter(task_kind="verification"), "dataset", "task"):
        found = {
            model: rates(verified(run, {"dataset": dataset, "task": task, "model": model}))["f1_mean"]
            for model in dict.fromkeys(answers["model"])
        }
        means = {model: mean for model, mean in found.items() if mean is not None}
        paper = (_name(run, dataset), "verification", "f1", "")
        ours.append(Column((dataset, task, "f1", "", "here"), means, paper, True, "f1"))
    return ours, _published()


def _pairs(run: Run) -> Iterator[tuple[Column, Column]]:
    """Pairs that answer a question, whichever comes first."""
    ours, theirs = _columns(run)
    tables: dict[tuple[str, ...], dict[str, tuple[str, ...]]] = {}
    of_one = [
        pair
        for pair in combinations(theirs, 2)
        if pair[0].key[4] == pair[1].key[4] and pair[0].key[1] != pair[1].key[1]
    ]
    for one, other in (*of_one, *((b, a) for a, b in of_one)):
        if one.paper[1] == "round_trip":
            tables.setdefault(other.beside, {})[one.key[4]] = one.paper[2:]
    for one, other in combinations(ours, 2):
        trips = [each for each in (one, other) if each.paper[1] == "round_trip"]
        if one.paper[1] == other.paper[1]:
            continue
        named = tables.get((other if trips == [one] else one).beside, {}) if trips else {}
        if trips[0].paper[2:] in named.values() if named else one.leads and other.leads:
            yield one, other
    for one in ours:
        for other in theirs:
            here, there = tables.get(one.beside, {}), tables.get(other.beside, {})
            is_named = one.paper[1] == "round_trip" and there.get(other.key[4]) == one.paper[2:]
            is_trip = other.paper[1] == "round_trip" and other.key[4] in here
            if one.paper == other.paper or is_named or is_trip:
                yield one, other
    known = {each.paper[:2] for each in ours}
    yield from (pair for pair in of_one if known & {each.key[:2] for each in pair})
    papers = [one.key[4].split()[0] for one in theirs if one.paper[1] == "round_trip"]
    for other in theirs:
        if other.paper[1] != "round_trip" and other.key[4].split()[0] in papers and other.beside not in tables:
            yield from ((one, other) for one in ours if one.paper[1] == "round_trip" and one.leads)
            of_paper = [one for one in theirs if one.key[4].split()[0] == other.key[4].split()[0]]
            yield from ((one, other) for one in of_paper if one.paper[1] == "round_trip" and one.key[:2] in known)


def _by_size(run: Run, column: Column) -> pl.DataFrame:
    dataset, task, _, shown, _ = column.key
    sizes = run.of_dataset(dataset, "measures").select("item", size=pl.col("operators_published")).drop_nulls()
    answers = run.answers.filter(dataset=dataset, task=task, metric=column.plain, presentation=shown)
    means = answers.filter(pl.col("kind").is_in(COMPARED)).join(sizes, on="item").group_by("size", "model")
    return means.agg(pl.col("score").mean(), items=pl.col("item").n_unique()).filter(pl.col("items") >= 5)


@lru_cache(maxsize=1)
def _compared(run: Run) -> dict[tuple[str, ...], tuple[list[float], list[float]]]:
    found: dict[tuple[str, ...], tuple[list[float], list[float]]] = {}
    for one, other in _pairs(run):
        both = [model for model in one.scores if model in other.scores]
        if len(both) >= 3:
            scores = [each.scores[model] for model in both for each in (one, other)]
            found[*one.key, *other.key, "models"] = scores[::2], scores[1::2]
        has_sizes = all(each.is_here and "operators_published" in _sizes(run, each) for each in (one, other))
        if has_sizes and one.key[0] != other.key[0] and "f1" not in (one.plain, other.plain):
            sides = [_by_size(run, each) for each in (one, other)]
            common = set(sides[0]["model"]) & set(sides[1]["model"])
            means: list[dict[float, float]] = [
                {
                    size: float(np.mean([rows_of[model] for model in sorted(common)]))
                    for (size,), of_size in groups(side, "size")
                    if common <= (rows_of := dict(of_size.select("model", "score").iter_rows())).keys()
                }
                for side in sides
            ]
            points = sorted(means[0].keys() & means[1].keys())
            if common and len(points) >= 3:
                plain = ((*each.key[:2], each.plain, *each.key[3:]) for each in (one, other))
                x, y = ([each[point] for point in points] for each in means)
                found[*(part for key in plain for part in key), "operators"] = x, y
    # Which of two comes first is the table's to say.
    half = len(PARTS)
    shown = {tuple(row[name] for name in KEY) for row in run.csv("benchmarks")}
    ordered = {}
    for key, (x, y) in found.items():
        turned = *key[half : 2 * half], *key[:half], key[-1]
        ordered[turned if turned in shown else key] = (y, x) if turned in shown else (x, y)
    # Published scores stand beside those of the experiment, not alone.
    return ordered if any("here" in key for key in ordered) else {}


def _sizes(run: Run, column: Column) -> list[str]:
    return run.of_dataset(column.key[0], "measures").columns


def _power(x: list[float], y: list[float], without: int | None = None) -> float:
    """Share of ordered pairs of points that x orders as y does."""
    kept = [place for place in range(len(x)) if place != without]
    ordered = [(a, b) for a in kept for b in kept if a != b and y[a] >= y[b]]
    return sum(x[a] >= x[b] for a, b in ordered) / len(ordered)


@table("benchmarks", " ".join(KEY))
def _benchmarks(run: Run, row: Shown) -> Cells:
    x, y = _compared(run)[tuple(row[name] for name in KEY)]
    count = len(x)
    cells: Cells = {"points": count, "p": None, "tau": None, **spread("rho", None)}
    if len(set(x)) > 1 and len(set(y)) > 1:
        rho = min(1.0, max(-1.0, float(np.corrcoef(x, y)[0, 1])))
        half = norm.ppf(0.975) / math.sqrt(count - 3) if count > 3 else None
        exact = 1 - abs(rho) <= 1e-12
        ends: tuple[float | None, ...] = (None, None) if half is None else (rho, rho)
        if half is not None and not exact:
            ends = tuple(math.tanh(math.atanh(rho) + side * half) for side in (-1, 1))
        beyond = math.inf if exact else rho * math.sqrt((count - 2) / (1 - rho**2))
        signs = [(np.sign(x[a] - x[b]), np.sign(y[a] - y[b])) for a, b in combinations(range(count), 2)]
        apart = [sum(abs(pair[side]) for pair in signs) for side in (0, 1)]
        tau = sum(a * b for a, b in signs) / math.sqrt(apart[0] * apart[1])
        cells |= {**spread("rho", rho, None, *ends), "p": 2 * float(t.sf(abs(beyond), count - 2)), "tau": float(tau)}
    for name, one, other in (("power_first", x, y), ("power_second", y, x)):
        power = _power(one, other)
        cells |= spread(name, power)
        if count >= 8:
            without = np.array([_power(one, other, place) for place in range(count)])
            error = math.sqrt((count - 1) / count * float(np.square(without - without.mean()).sum()))
            wide = float(t.ppf(0.975, count - 1)) * error
            cells |= spread(name, power, None, max(0.0, power - wide), min(1.0, power + wide))
    return cells


@rows("benchmarks")
def _keys(run: Run) -> Keys:
    yield from _compared(run)
