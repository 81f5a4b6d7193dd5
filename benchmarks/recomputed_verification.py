"""Tables of verification, computed again for ``recomputed_tables``. Nothing of nlfol is imported."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
from benchmarks.recomputed_run import EXACT, Cells, Run, Shown, estimated, kind_of, spread, table
from benchmarks.recomputed_statistics import Array, jackknife, of_sums, ratio


@table("verification", "dataset task model")
def _verification(run: Run, row: Shown) -> Cells:
    answers = verified(run, row)
    names = ("true_positives", "false_negatives", "true_negatives", "false_positives")
    summed = dict(zip(names, _matrix(answers).sum(axis=0), strict=True))
    return {**_pairs(answers), **rates(answers), **summed}


def verified(run: Run, row: Shown) -> pl.DataFrame:
    """The answers of a verifier, each with what is true of its pair."""
    known = known_pairs(run, row)
    return run.of(row, "dataset task model", metric="right").join(
        known, on=["item", "presentation"], maintain_order="left"
    )


def known_pairs(run: Run, row: Shown) -> pl.DataFrame:
    """The pairs of a task: whether they are equivalent, their size, and the law or edit that made the second."""
    pairs = []
    file = run.stage("items", row, "dataset", "task")
    for item, size, members in file.rows.select("item", "category", "candidates").iter_rows():
        for member in members[1:]:
            is_law = member["role"] == "equivalent"
            # A model writes formulas without a law or an edit.
            made = ", ".join(member["change"] if is_law else member["change"][-1:]).replace("_", " ") or None
            presentation = member["role"] if len(members) > 2 else ""
            pairs.append((item, presentation, is_law, str(size), made if is_law else None, None if is_law else made))
    names = ("item", "presentation", "positive", "size", "law", "edit")
    return pl.DataFrame(pairs, {name: pl.Boolean if name == "positive" else pl.String for name in names}, orient="row")


def _pairs(answers: pl.DataFrame) -> Cells:
    unread = (answers["outcome"] != "answered").sum()
    return {"items": answers["item"].n_unique(), "pairs": answers.height, "unread": unread}


def _matrix(answers: pl.DataFrame) -> Array:
    """TP, FN, TN and FP of each answer: positive are pairs that are equivalent."""
    positive, score = answers["positive"].to_numpy(), answers["score"].to_numpy()
    return np.stack([positive * score, positive * (1 - score), ~positive * score, ~positive * (1 - score)], axis=1)


def rates(answers: pl.DataFrame) -> Cells:
    """The rates of a verifier, with their intervals."""
    kind, names = kind_of(answers), ["tp", "fn", "tn", "fp"]
    cases = pl.DataFrame(_matrix(answers) / answers["seed"].n_unique(), names)
    items = answers.select("item", "story").hstack(cases).group_by("item", maintain_order=True)
    summed = items.agg(pl.col("story").first(), pl.col(names).sum())
    stories, matrix = summed["story"].to_list(), summed.select(names).to_numpy()
    tp, fn, tn, fp = matrix.T
    cells: Cells = {}
    for name, part, whole in (("precision", tp, tp + fp), ("recall", tp, tp + fn), ("f1", 2 * tp, 2 * tp + fp + fn)):
        cells |= estimated(name, ratio(part.tolist(), whole.tolist(), stories), kind)
    if math.isclose((tp + fn).sum(), (tn + fp).sum()):
        cells |= estimated("balanced_accuracy", ratio((tp + tn).tolist(), matrix.sum(axis=1).tolist(), stories), kind)
    else:
        cells |= _of_sums("balanced_accuracy", matrix, stories, _balanced, kind)
    value, half = jackknife(matrix, stories, _matthews)
    if value is None or half is None or kind in EXACT:
        return cells | spread("mcc", value)
    return cells | spread("mcc", value, None, max(-1.0, value - half), min(1.0, value + half))


def _of_sums(name: str, sums: Array, stories: Sequence[str], statistic: Callable[[Array], float], kind: str) -> Cells:
    value, found = of_sums(sums, stories, statistic)
    if math.isnan(value):
        return spread(name, None)
    return spread(name, value) if found is None else estimated(name, found, kind)


def _balanced(sums: Array) -> float:
    tp, fn, tn, fp = sums
    return float(tp / (tp + fn) + tn / (tn + fp)) / 2 if min(tp + fn, tn + fp) > 1e-9 else math.nan


def _matthews(sums: Array) -> float:
    tp, fn, tn, fp = sums
    square = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return float((tp * tn - fp * fn) / math.sqrt(square)) if square > 1e-9 else math.nan
