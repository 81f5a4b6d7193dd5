"""Verifiers as classifiers, by hand; who always says yes, or no, is in the tables of round trips."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import polars as pl
import pytest
from tests.stored import frame, records

from nlfol.results.analyses.verification import ANALYSIS, VERIFICATIONS, Pair
from nlfol.results.analyses.verification import pairs_of as pairs_of_rows
from nlfol.results.analyses.verification import verifications as verifications_rows
from nlfol.results.statistics.clusters import ratio, student_quantile
from nlfol.results.statistics.summary import Origin
from nlfol.results.tables.table import shown

pairs_of: Callable[..., Any] = pairs_of_rows

verifications: Callable[..., Any] = verifications_rows

PAIRS = {
    **{
        (item, "equivalent"): Pair(True, "de_morgan" if item == "a" else "commutativity", 1 if item in "ab" else 12)
        for item in "abcd"
    },
    **{(item, "perturbation"): Pair(False, "negation", 1 if item in "ab" else 12) for item in "abcd"},
}

Scores = Mapping[str, Sequence[float]]
"""Score of each item by presentation."""

YES: Scores = {"equivalent": [1, 1, 1, 1], "perturbation": [0, 0, 0, 0]}
MIXED: Scores = {"equivalent": [1, 1, 1, 0], "perturbation": [1, 1, 0, 0]}


def of_one_class_each(positive: str, right: str) -> Any:
    """The row of pairs of six items, each in one: those that are equivalent, and those judged rightly."""
    pairs = {(item, ""): Pair(item in positive, None, None) for item in "abcdef"}
    made = [
        {"item": item, "story": item, "presentation": "", "seed": 3, "metric": "right", "outcome": "answered"}
        | {"score": float(item in right)}
        for item in "abcdef"
    ]
    (whole,) = verifications(Origin("d", "v", "verification", None, "m", "chat", 6), pl.DataFrame(made), pairs)
    return whole


def rows(*by_seed: Scores, outcome: str = "answered") -> list[dict[str, Any]]:
    """Items a, b, c and d, each a story."""
    made = [
        {"item": item, "story": item, "presentation": shown, "seed": seed, "metric": "right", "score": float(score)}
        | {"outcome": "answered" if score else outcome}
        for seed, scores in enumerate(by_seed)
        for shown, scored in scores.items()
        for item, score in zip("abcd", scored, strict=True)
    ]
    return list(verifications(Origin("d", "v", "verification", None, "m", "chat", 4), pl.DataFrame(made), PAIRS))


def test_verification_rates_match_theory_for_coin_and_oracle() -> None:
    names = ("precision", "recall", "f1", "balanced_accuracy", "mcc")
    coin, whole = (rows(dict.fromkeys(("equivalent", "perturbation"), [right] * 4))[0] for right in (0.5, 1))
    assert [coin[name] for name in names] == [0.5] * 4 + [0]
    assert [whole[name] for name in names] == [1] * 5
    # Of four stories nothing tells how far they vary.
    assert [whole[f"{name}_low"] for name in names] == [None] * 5


def test_verification_rates_match_confusion_matrix() -> None:
    """TP 3, FN 1, TN 2, FP 2."""
    whole = rows(MIXED)[0]
    matrix = [whole[f"{truth}_{said}"] for truth in ("true", "false") for said in ("positives", "negatives")]
    assert matrix == [3, 2, 2, 1]
    assert (whole["precision"], whole["recall"], whole["f1"]) == (3 / 5, 3 / 4, 6 / 9)
    f1 = ratio([2, 2, 2, 0], [2, 2, 3, 2], list("abcd"))
    assert (whole["f1_low"], whole["f1_high"]) == (f1.low, f1.high)
    assert asdict(f1)["mean"] == whole["f1"]
    assert whole["mcc"] == pytest.approx((3 * 2 - 2 * 1) / (5 * 4 * 4 * 3) ** 0.5)
    assert (whole["mcc_low"], whole["mcc_high"]) == (None, None)


def test_matthews_correlation_has_jackknife_interval() -> None:
    """Six pairs, of which one of each class is wrong: (2 * 2 - 1) / 9."""
    whole = of_one_class_each("abc", right="abde")
    assert whole["mcc"] == pytest.approx(1 / 3)
    # Without a right one TP or TN is 1, without a wrong one FN or FP is 0.
    without = [(2 - 1) / (2 * 2 * 3 * 3) ** 0.5] * 4 + [4 / (3 * 2 * 3 * 2) ** 0.5] * 2
    mean = sum(without) / 6
    half = student_quantile(6) * (5 / 6 * sum((each - mean) ** 2 for each in without)) ** 0.5
    assert (whole["mcc_low"], whole["mcc_high"]) == pytest.approx((max(-1, 1 / 3 - half), min(1, 1 / 3 + half)))


def test_verification_rates_average_seeds() -> None:
    whole = rows(MIXED, YES)[0]
    assert (whole["pairs"], whole["true_positives"], whole["recall"]) == (16, 7, 7 / 8)


def test_unreadable_verification_counts_as_wrong() -> None:
    whole = rows(MIXED, outcome="unparsable")[0]
    assert (whole["unread"], whole["f1"]) == (3, 6 / 9)


def test_verification_rates_split_by_size_law_and_edit() -> None:
    found = {(row["group"], row["case"]): (row["pairs"], row["right"], row["f1"]) for row in rows(MIXED)[1:]}
    assert list(found.items()) == [
        (("size", "1"), (4, 1, 1)),
        (("size", "12"), (4, 0.25, 0.4)),
        (("law", "commutativity"), (3, 2 / 3, None)),
        (("law", "de_morgan"), (1, 1, None)),
        (("edit", "negation"), (4, 0.5, None)),
    ]


def test_verification_pairs_record_partner_origin() -> None:
    members = [
        {"role": role, "change": change} for role, change in (("gold", []), ("equivalent", ["de_morgan", "negation"]))
    ]
    members += [{"role": "perturbation", "change": ["de_morgan", "quantifier"]}]
    assert pairs_of([{"item": "a", "category": 3, "candidates": members}]) == {
        ("a", "equivalent"): Pair(True, "de_morgan, negation", 3),
        ("a", "perturbation"): Pair(False, "quantifier", 3),
    }
    taken = [{"role": "gold", "change": []}, {"role": "different", "change": []}]
    assert pairs_of([{"item": "a", "category": None, "candidates": taken}]) == {("a", ""): Pair(False, None, None)}


def test_verification_rates_handle_unbalanced_classes() -> None:
    """Four of six pairs are equivalent: always yes is right about them alone."""
    whole = of_one_class_each("abcd", right="abcd")
    assert (whole["pairs"], whole["precision"], whole["recall"], whole["f1"]) == (6, 4 / 6, 1, 0.8)
    assert (whole["balanced_accuracy"], whole["right"], whole["mcc"]) == (0.5, 4 / 6, None)


def test_verification_without_answers_yields_empty_table() -> None:
    nothing = pl.DataFrame(schema={"metric": pl.String})
    assert list(verifications(Origin("d", "v", "verification", None, "m", "chat", 4), nothing, {})) == []


def test_constant_verifier_has_exact_scores_and_integer_counts() -> None:
    """On pairs balanced by design precision is 1/2, whichever they are."""
    row = {"group": "all", "pairs": 8, "precision": 0.5, "precision_low": 0.3, "precision_high": 0.7}
    rows = [row | {"kind": kind, "true_positives": 4.0} for kind in ("chat", "constant")]
    asked, always = records(ANALYSIS.tables[0].table(frame(VERIFICATIONS, *rows)))
    assert (asked["precision"].low, always["precision"].low) == (0.3, None)
    assert shown(asked["true_positives"]) == "4"
