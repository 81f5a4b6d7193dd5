"""Verification of equivalence as a classification: yes is positive (∀uto∃∨∧L, figure 20).

With certified pairs every item stands in two, one of each class; with those of a model's round trips in one, whatever
its class. An answer that cannot be read, or never came, counts as the wrong one, so that no model gains by not
answering. With ``TP``, ``FP``, ``TN``, ``FN`` summed over pairs and seeds::

    precision = TP / (TP + FP)                recall = TP / (TP + FN)
    f1 = 2 TP / (2 TP + FP + FN)              balanced_accuracy = (TP / (TP + FN) + TN / (TN + FP)) / 2
    mcc = (TP TN - FP FN) / sqrt((TP + FP) (TP + FN) (TN + FP) (TN + FN))

Where the classes are equal, balanced accuracy is the share of right answers, and who always says yes has f1 = 2/3.
Ratios have the interval of ``clusters.ratio``, the balanced accuracy of unequal classes that of ``share_of_sums``;
``mcc``, Matthews' correlation, has that of the jackknife over stories, and none where all stories are alike. Of
certified pairs there are also rows for those that one law, or one kind of edit, made; of generated items, for each
value of their measure.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypedDict, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from nlfol.facts import RIGHT, SAME_MEANING, VERDICTS, Role
from nlfol.results.analyses.analysis import Analysis, Given, Rows
from nlfol.results.analyses.figure import Figure
from nlfol.results.statistics.clusters import ClusteredMean, clustered_mean, jackknife, ratio, share_of_sums
from nlfol.results.statistics.summary import Origin
from nlfol.results.tables import columns
from nlfol.results.tables.opening import nothing
from nlfol.results.tables.table import Kind, TableForm
from nlfol.store import files
from nlfol.store.columns import Ends, Interval, KnownInterval, TaskColumns, row_schema, with_ends
from nlfol.store.origins import metadata_at
from nlfol.store.schemas import ItemRow

ALL, SIZE, LAW, EDIT = "all", "size", "law", "edit"
"""The groups of pairs: all; those of generated items by their category; those by the law that made an equivalent
partner; those by the edit that made another."""


_RIGHT, _WRONG, _POSITIVE = pl.col("score"), 1 - pl.col("score"), pl.col("positive")
_SUMS = {
    "true_positives": _RIGHT.filter(_POSITIVE).sum(),
    "false_positives": _WRONG.filter(~_POSITIVE).sum(),
    "true_negatives": _RIGHT.filter(~_POSITIVE).sum(),
    "false_negatives": _WRONG.filter(_POSITIVE).sum(),
}
_MATRIX = tuple(_SUMS)


class _Case(TaskColumns):
    model: str
    kind: str
    group: str  # what the pairs have in common, as above
    case: str | None  # the item's category, the law or the edit


class _Matrix(TypedDict):
    # positives are equivalent; expected ones for chance
    true_positives: float
    false_positives: float
    true_negatives: float
    false_negatives: float


class _Pairs(TypedDict):
    items: int
    stories: int
    pairs: int  # × seeds; unread ones count as wrong
    unread: int


class _Counted(_Pairs, _Matrix):
    right: KnownInterval  # share of the pairs


class _Rates(TypedDict):
    # of all pairs, and of those of one size; null for a group of one class
    precision: Interval
    recall: Interval
    f1: Interval
    balanced_accuracy: Interval
    mcc: Interval


class VerificationRow(_Case, _Counted, _Rates):
    """One row a dataset, verification task, model, and size, law or edit."""


VERIFICATIONS = row_schema("verifications", 1, VerificationRow)


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of an item; positive if equivalent, with the law or edit that made the second unless a model did."""

    positive: bool
    change: str | None
    category: int | None


Pairs = Mapping[tuple[str, str], Pair]
"""By item and presentation."""


def verifications(source: Origin, scores: pl.DataFrame, known: Pairs) -> Iterator[VerificationRow]:
    """Yield the rows of ``VERIFICATIONS`` of one model: all pairs, then by size, by law and by edit."""
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

    def row(group: str, case: str | None, of_case: pl.DataFrame, rates: _Rates) -> VerificationRow:
        made: VerificationRow = {
            **source.of_task,
            "model": source.model,
            "kind": source.kind,
            "group": group,
            "case": case,
            **_counted(of_case),
            **rates,
        }
        return with_ends(VerificationRow, made)

    yield row(ALL, None, pairs, _rates(pairs))
    for group, names, chosen in (
        (SIZE, "category", pl.lit(value=True)),
        (LAW, "change", pl.col("positive")),
        (EDIT, "change", ~pl.col("positive")),
    ):
        of_group = pairs.filter(chosen).drop_nulls(names).sort(names, maintain_order=True)
        for (case,), of_case in of_group.group_by(names, maintain_order=True):
            rates = _rates(of_case if group == SIZE else None)
            yield row(group, str(case), of_case, rates)


def _counted(pairs: pl.DataFrame) -> _Counted:
    by_pair = pairs.group_by("item", "presentation", maintain_order=True).agg(pl.col("story").first(), "score")
    shares = [sum(scores) / len(scores) for scores in by_pair["score"].to_list()]
    mean = clustered_mean(shares, by_pair["story"].to_list())
    return {
        "items": pairs["item"].n_unique(),
        "stories": mean.stories,
        "pairs": pairs.height,
        "unread": int(pairs["unread"].sum()),
        **cast("_Matrix", pairs.select(**_SUMS).to_dicts()[0]),
        "right": mean.ends,
    }


def _rates(pairs: pl.DataFrame | None) -> _Rates:
    """Return the rates of pairs of both classes; all null for those of one."""
    rates: _Rates = {"precision": None, "recall": None, "f1": None, "balanced_accuracy": None, "mcc": None}
    if pairs is None:
        return rates
    items = _matrices(pairs)
    stories = items["story"].to_list()
    tp, fp, tn, fn = (items[name].to_numpy() for name in _MATRIX)
    if (tp + fp).sum():
        rates["precision"] = ratio(tp.tolist(), (tp + fp).tolist(), stories).ends
    if (tp + fn).sum():
        rates["recall"] = ratio(tp.tolist(), (tp + fn).tolist(), stories).ends
    if (of_f1 := f1(pairs)) is not None:
        rates["f1"] = of_f1.ends
    counts = np.stack([tp, fn, tn, fp], axis=1)
    if (tp + fn).sum() == (tn + fp).sum():
        if (total := tp + fp + tn + fn).sum():
            rates["balanced_accuracy"] = ratio((tp + tn).tolist(), total.tolist(), stories).ends
    elif (balanced := share_of_sums(counts, stories, _balanced)) is not None:
        rates["balanced_accuracy"] = balanced.ends
    value, half = jackknife(counts, stories, _correlation)
    rates["mcc"] = Ends(value)
    if value is not None and half is not None:
        rates["mcc"] = Ends(value, max(-1.0, value - half), min(1.0, value + half))
    return rates


def _matrices(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return story and the sums of ``_MATRIX`` of each item, averaged over seeds."""
    means = {name: summed / pairs["seed"].n_unique() for name, summed in _SUMS.items()}
    return pairs.group_by("item", maintain_order=True).agg(pl.col("story").first(), **means)


def f1(pairs: pl.DataFrame) -> ClusteredMean | None:
    """Return F1 of pairs (item, story, seed, score, positive); None where nothing is positive, nor said to be."""
    items = _matrices(pairs)
    tp, wrong = 2 * items["true_positives"], items["false_positives"] + items["false_negatives"]
    if not (tp + wrong).sum():
        return None
    return ratio(tp.to_list(), (tp + wrong).to_list(), items["story"].to_list())


def labelled(scores: pl.DataFrame) -> pl.DataFrame:
    """Return the answers of a verification with ``positive``: by verdict, or by the certified pair where it has none.

    Those by chance about a model's pairs have neither, and are left out.
    """
    certified = pl.when(pl.col("presentation") != "").then(pl.col("presentation") == Role.EQUIVALENT)
    positive = pl.coalesce(pl.col("verdict") == VERDICTS[0], certified)
    return scores.filter(pl.col("metric") == RIGHT).with_columns(positive=positive).drop_nulls("positive")


def _balanced(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the balanced accuracy of each row of TP, FN, TN and FP; NaN where a class is empty."""
    tp, fn, tn, fp = counts.T
    with np.errstate(invalid="ignore"):
        balanced: npt.NDArray[np.float64] = (tp / (tp + fn) + tn / (tn + fp)) / 2
    return balanced


def _correlation(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return Matthews' correlation of each row; NaN where it is 0 / 0."""
    tp, fn, tn, fp = counts.T
    with np.errstate(invalid="ignore"):
        mcc: npt.NDArray[np.float64] = (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return mcc


def pairs_of(items: Iterable[ItemRow]) -> dict[tuple[str, str], Pair]:
    """Return the pairs of the rows of an ITEMS file."""
    pairs = {}
    for row in items:
        partners = [member for member in row["candidates"] if member["role"] in SAME_MEANING]
        for member in partners:
            positive = SAME_MEANING[member["role"]]
            # A law made both partners of a certified pair: an edit tells the other one from it.
            change = ", ".join(member["change"] if positive else member["change"][-1:])
            presentation = member["role"] if len(partners) > 1 else ""
            pairs[row["item"], presentation] = Pair(positive, change or None, row["category"])
    return pairs


ASKED = "item story presentation seed metric score outcome verdict"
"""Columns of scores that are counted."""


def _verifications(given: Given) -> Iterator[VerificationRow]:
    pairs = {}
    for path in given.files["verification_items"]:
        about = metadata_at(path)
        pairs[about["dataset"], about["task"]] = pairs_of(files.rows(path, ItemRow))
    for source, answers in given.loaded(ASKED, "verification_scores"):
        yield from verifications(source, answers, pairs[source.dataset, source.task])


_COLOURS = dict(zip(_MATRIX, ("#009e73", "#d55e00", "#56b4e9", "#882255"), strict=True))


def confusions(rows: pl.DataFrame) -> Figure | None:
    """Draw the answers of each verifier by what they are and what is true (∀uto∃∨∧L, figure 20)."""
    from nlfol.results.analyses.charts import figure, stacked

    drawn = [
        {
            "panel": f"{row['dataset']} · {row['task']}",
            "model": row["model"],
            "opens": None,
            "case": name.replace("_", " "),
            "answers": row[name],
            "order": order,
        }
        for row in rows.filter(pl.col("group") == ALL).to_dicts()
        for order, name in enumerate(_MATRIX)
        if row[name]
    ]
    return figure(
        drawn,
        "confusions",
        "Answers of verifiers",
        "Share of answers (pairs × seeds). Positive: the two mean the same. Unread answers count as the wrong one.",
        stacked(drawn, _COLOURS, "Share of answers"),
    )


_UNREAD = "Unread: answers that never came or could not be read; they count as the wrong answer."

ANALYSIS = Analysis(
    rows=(Rows(VERIFICATIONS, _verifications),),
    figures=((("verifications",), confusions),),
    tables=(
        TableForm(
            "verification",
            "Verification",
            "Whether two formulas, or expressions, mean the same; positive is “yes”.",
            (
                *columns.texts("dataset", "task", "model"),
                *columns.counts("items", "pairs", "unread"),
                columns.interval("balanced_accuracy"),
                columns.interval("f1", "F1"),
                columns.interval("precision"),
                columns.interval("recall"),
                columns.interval("mcc", "MCC"),
                *map(columns.quantity, _MATRIX),
            ),
            (
                "Pairs, and the counts from “true positives” on: pairs × seeds, summed.",
                f"Intervals at 95 %: {columns.MADE}; that of MCC: jackknife over stories. “Always yes” is exact.",
                f"{_UNREAD} So the counts add up to the pairs.",
                "Of certified pairs as many are equivalent as not: always “yes” has an F1 of 2/3, chance one of 1/2.",
                "Pairs of a model's round trips come as they are. Of chance the expected counts are shown.",
                "MCC: Matthews' correlation; – where all answers are alike.",
            ),
            ("verifications",),
            lambda rows: rows.filter(pl.col("group") == ALL).to_dicts(),
        ),
        TableForm(
            "verification_strata",
            "Verification by size, law and edit",
            "Share of right answers about pairs of one size, and by what made the second of the first: a law, which "
            "keeps the meaning, or a law and a single edit, which changes it.",
            (
                *columns.texts("dataset", "task", "model"),
                columns.text("group", "By"),
                columns.column("case", "Which", Kind.TEXT, lambda row: row["case"].replace("_", " ")),
                *columns.counts("items", "pairs", "unread"),
                columns.interval("right"),
                columns.interval("f1", "F1"),
            ),
            (
                "Size: the value of the measure that generated items are drawn by. F1: where there are both classes.",
                f"Intervals at 95 %: {columns.MADE}.",
                _UNREAD,
            ),
            ("verifications",),
            lambda rows: rows.filter(pl.col("group") != ALL).to_dicts(),
            nothing,
        ),
    ),
)
