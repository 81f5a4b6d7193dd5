"""How well models tell equivalent pairs from others, as a classification: yes is positive (∀uto∃∨∧L, figure 20).

Every item stands in two pairs, one of each class. An answer that cannot be read, or never came, counts as the wrong
one, so that no model gains by not answering. With ``TP``, ``FP``, ``TN``, ``FN`` summed over pairs, each averaged over
its seeds::

    precision = TP / (TP + FP)                recall = TP / (TP + FN)
    f1 = 2 TP / (2 TP + FP + FN)              balanced_accuracy = (TP + TN) / (TP + FP + TN + FN)
    mcc = (TP TN - FP FN) / sqrt((TP + FP) (TP + FN) (TN + FP) (TN + FN))

The classes being equal, the share of right answers is the balanced accuracy. Who always says yes has f1 = 2/3. Ratios
have the interval of ``clusters.ratio``; the one of ``mcc``, Matthews' correlation, is the jackknife's over stories,
with Student's quantile, and there is none where all stories are alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from nlfol.logic.decision.verdicts import Outcome
from nlfol.statistics.clusters import ROUNDING, clustered_mean, ratio, student_quantile
from nlfol.statistics.summary import Origin
from nlfol.tasks.verification import PARTNERS, RIGHT

ALL, LAW, EDIT = "all", "law", "edit"
"""The groups of pairs: all; those by the law that made an equivalent partner; those by the edit that made another."""

Changes = Mapping[tuple[str, str], str]
"""Of each item and presentation, what made the partner."""

RATES = ("precision", "recall", "f1", "balanced_accuracy")


def verifications(source: Origin, scores: pl.DataFrame, changes: Changes) -> Iterator[dict[str, Any]]:
    """The rows of ``round_trip_schemas.VERIFICATIONS`` of one model: all pairs, then by law and by edit, in this order.

    Args:
        source: dataset, task and model.
        scores: their rows of ``schemas.SCORES``.
        changes: what made the partners.
    """
    right = scores.filter(pl.col("metric") == RIGHT)
    if right.is_empty():
        return
    positive = [name for name, outcome in PARTNERS.items() if outcome is Outcome.EQUIVALENT]
    keys = right.select("item", "presentation").rows()
    pairs = right.with_columns(
        positive=pl.col("presentation").is_in(positive),
        change=pl.Series([changes[key] for key in keys], dtype=pl.String),
        unread=(pl.col("outcome") != "answered"),
    )
    said = {name: getattr(source, name) for name in ("dataset", "task", "task_kind", "protocol", "model", "kind")}
    yield {**said, "group": ALL, "case": None, **_counted(pairs), **_rates(pairs)}
    for group, is_positive in ((LAW, True), (EDIT, False)):
        of_class = pairs.filter(pl.col("positive") == is_positive)
        for (case,), of_case in of_class.sort("change", maintain_order=True).group_by("change", maintain_order=True):
            yield {**said, "group": group, "case": case, **_counted(of_case), **_rates(None)}


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
        "balanced_accuracy": (tp + tn, tp + fp + tn + fn),
    }
    for name, (parts, wholes) in sums.items():
        if wholes.sum():
            rate = ratio(parts.tolist(), wholes.tolist(), stories)
            found |= {name: rate.mean, f"{name}_low": rate.low, f"{name}_high": rate.high}
    return found | _mcc(np.stack([tp, fn, tn, fp], axis=1), stories)


def _mcc(counts: npt.NDArray[np.float64], stories: list[str]) -> dict[str, float | None]:
    """Matthews' correlation of items' counts, with its interval; null where all answers are alike."""
    _, place = np.unique(np.asarray(stories), return_inverse=True)
    by_story = np.zeros((place.max() + 1, counts.shape[1]))
    np.add.at(by_story, place, counts)
    found: dict[str, float | None] = dict.fromkeys(("mcc", "mcc_low", "mcc_high"))
    (found["mcc"],) = correlation = _correlation(by_story.sum(axis=0, keepdims=True))
    groups = len(by_story)
    without = _correlation(by_story.sum(axis=0) - by_story) if groups > 1 else [None]
    if correlation[0] is None or None in without:
        return found
    spread = np.asarray(without, dtype=np.float64)
    error = float(np.sqrt((groups - 1) / groups * np.square(spread - spread.mean()).sum()))
    if error < ROUNDING:
        return found
    half = student_quantile(groups) * error
    ends = max(-1.0, correlation[0] - half), min(1.0, correlation[0] + half)
    return found | {"mcc_low": ends[0], "mcc_high": ends[1]}


def _correlation(counts: npt.NDArray[np.float64]) -> list[float | None]:
    """Of each row of TP, FN, TN and FP; None where it is 0 / 0."""
    tp, fn, tn, fp = counts.T
    scale = np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    with np.errstate(invalid="ignore"):
        values = (tp * tn - fp * fn) / scale
    return [float(value) if below else None for value, below in zip(values, scale, strict=True)]


def changes_of(items: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], str]:
    """What made the partners of the rows of an ITEMS file: the laws, or the edit."""
    return {
        (row["item"], member["role"]): ", ".join(member["change"])
        for row in items
        for member in row["candidates"]
        if member["role"] in PARTNERS
    }
