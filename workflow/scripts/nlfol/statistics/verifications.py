"""How well models tell equivalent pairs from others, as a classification: yes is positive (∀uto∃∨∧L, figure 20).

With certified pairs every item stands in two, one of each class; with those of a model's round trips in one, whatever
its class. An answer that cannot be read, or never came, counts as the wrong one, so that no model gains by not
answering. With ``TP``, ``FP``, ``TN``, ``FN`` summed over pairs, each averaged over its seeds::

    precision = TP / (TP + FP)                recall = TP / (TP + FN)
    f1 = 2 TP / (2 TP + FP + FN)              balanced_accuracy = (TP / (TP + FN) + TN / (TN + FP)) / 2
    mcc = (TP TN - FP FN) / sqrt((TP + FP) (TP + FN) (TN + FP) (TN + FN))

Where the classes are equal, balanced accuracy is the share of right answers, and who always says yes has f1 = 2/3.
Ratios have the interval of ``clusters.ratio``; ``mcc``, Matthews' correlation, and the balanced accuracy of unequal
classes have that of the jackknife over stories, and none where all stories are alike. Of certified pairs there are
also rows for those that one law, or one kind of edit, made; of generated items, for each value of their measure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from nlfol.logic.decision.verdicts import Outcome
from nlfol.statistics.clusters import clustered_mean, jackknife, ratio
from nlfol.statistics.summary import Origin
from nlfol.tasks.verification import PARTNERS, RIGHT

ALL, SIZE, LAW, EDIT = "all", "size", "law", "edit"
"""The groups of pairs: all; those of generated items by their category; those by the law that made an equivalent
partner; those by the edit that made another."""


@dataclass(frozen=True, slots=True)
class Pair:
    """What is known of a pair.

    Attributes:
        positive: whether the two are equivalent.
        change: the law or edit that made the second; None where a model did.
        category: of the item; None where it has none.
    """

    positive: bool
    change: str | None
    category: int | None


Pairs = Mapping[tuple[str, str], Pair]
"""By item and presentation."""

RATES = ("precision", "recall", "f1", "balanced_accuracy")


def verifications(source: Origin, scores: pl.DataFrame, known: Pairs) -> Iterator[dict[str, Any]]:
    """The rows of ``round_trip_schemas.VERIFICATIONS`` of one model: all pairs, then by size, by law and by edit.

    Args:
        source: dataset, task and model.
        scores: their rows of ``schemas.SCORES``.
        known: the pairs.
    """
    right = scores.filter(pl.col("metric") == RIGHT)
    if right.is_empty():
        return
    of_rows = [known[key] for key in right.select("item", "presentation").rows()]
    pairs = right.with_columns(
        positive=pl.Series([pair.positive for pair in of_rows], dtype=pl.Boolean),
        change=pl.Series([pair.change for pair in of_rows], dtype=pl.String),
        category=pl.Series([pair.category for pair in of_rows], dtype=pl.Int64),
        unread=(pl.col("outcome") != "answered"),
    )
    said = {name: getattr(source, name) for name in ("dataset", "task", "task_kind", "protocol", "model", "kind")}
    yield {**said, "group": ALL, "case": None, **_counted(pairs), **_rates(pairs)}
    for group, column, chosen in (
        (SIZE, "category", pl.lit(value=True)),
        (LAW, "change", pl.col("positive")),
        (EDIT, "change", ~pl.col("positive")),
    ):
        of_group = pairs.filter(chosen).drop_nulls(column).sort(column, maintain_order=True)
        for (case,), of_case in of_group.group_by(column, maintain_order=True):
            rates = _rates(of_case if group == SIZE else None)
            yield {**said, "group": group, "case": str(case), **_counted(of_case), **rates}


def _counted(pairs: pl.DataFrame) -> dict[str, Any]:
    by_pair = pairs.group_by("item", "presentation", maintain_order=True).agg(pl.col("story").first(), "score")
    shares = [sum(scores) / len(scores) for scores in by_pair["score"].to_list()]
    found = clustered_mean(shares, by_pair["story"].to_list())
    positive, score = pl.col("positive"), pl.col("score")
    sums = pairs.select(
        true_positives=score.filter(positive).sum(),
        false_negatives=(1 - score).filter(positive).sum(),
        true_negatives=score.filter(~positive).sum(),
        false_positives=(1 - score).filter(~positive).sum(),
    ).to_dicts()[0]
    return {
        "items": pairs["item"].n_unique(),
        "stories": found.stories,
        "pairs": pairs.height,
        "unread": int(pairs["unread"].sum()),
        **sums,
        "right": found.mean,
        "right_low": found.low,
        "right_high": found.high,
    }


def _rates(pairs: pl.DataFrame | None) -> dict[str, float | None]:
    """The rates of pairs of both classes; all null for those of one."""
    found: dict[str, float | None] = dict.fromkeys(
        f"{name}{end}" for name in (*RATES, "mcc") for end in ("", "_low", "_high")
    )
    if pairs is None:
        return found
    positive, score = pl.col("positive"), pl.col("score")
    seeds = pairs["seed"].n_unique()
    items = pairs.group_by("item", maintain_order=True).agg(
        pl.col("story").first(),
        tp=score.filter(positive).sum() / seeds,
        fn=(1 - score).filter(positive).sum() / seeds,
        tn=score.filter(~positive).sum() / seeds,
        fp=(1 - score).filter(~positive).sum() / seeds,
    )
    stories = items["story"].to_list()
    tp, fn, tn, fp = (items[name].to_numpy() for name in ("tp", "fn", "tn", "fp"))
    sums = {
        "precision": (tp, tp + fp),
        "recall": (tp, tp + fn),
        "f1": (2 * tp, 2 * tp + fp + fn),
    }
    jackknifed = {"mcc": _correlation}
    if (tp + fn).sum() == (tn + fp).sum():
        sums["balanced_accuracy"] = (tp + tn, tp + fp + tn + fn)
    else:
        jackknifed["balanced_accuracy"] = _balanced
    for name, (parts, wholes) in sums.items():
        if wholes.sum():
            rate = ratio(parts.tolist(), wholes.tolist(), stories)
            found |= {name: rate.mean, f"{name}_low": rate.low, f"{name}_high": rate.high}
    counts = np.stack([tp, fn, tn, fp], axis=1)
    for name, statistic in jackknifed.items():
        value, half = jackknife(counts, stories, statistic)
        found[name] = value
        if value is not None and half is not None:
            least = -1.0 if name == "mcc" else 0.0
            found |= {f"{name}_low": max(least, value - half), f"{name}_high": min(1.0, value + half)}
    return found


def _balanced(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Of each row of TP, FN, TN and FP; NaN where a class is empty."""
    tp, fn, tn, fp = counts.T
    with np.errstate(invalid="ignore"):
        found: npt.NDArray[np.float64] = (tp / (tp + fn) + tn / (tn + fp)) / 2
    return found


def _correlation(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Likewise; NaN where it is 0 / 0."""
    tp, fn, tn, fp = counts.T
    with np.errstate(invalid="ignore"):
        found: npt.NDArray[np.float64] = (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return found


def pairs_of(items: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], Pair]:
    """The pairs of the rows of an ITEMS file."""
    found = {}
    for row in items:
        partners = [member for member in row["candidates"] if member["role"] in PARTNERS]
        for member in partners:
            positive = PARTNERS[member["role"]] is Outcome.EQUIVALENT
            # A law made both partners of a certified pair: an edit tells the other one from it.
            change = ", ".join(member["change"] if positive else member["change"][-1:])
            presentation = member["role"] if len(partners) > 1 else ""
            found[row["item"], presentation] = Pair(positive, change or None, row["category"])
    return found
