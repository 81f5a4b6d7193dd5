"""Agreement of a published figure with ours within the errors of both.

Ours has its interval. Of a published share of ``n`` items the interval is Wilson's, as if its items were independent
and asked once; of other figures the error is not known, and taken as none. The interval of the difference is
Newcombe's of independent shares ("Interval Estimation for the Difference Between Independent Proportions", 1998, method
10)::

    difference - sqrt((ours - its low)² + (their high - theirs)²)
    difference + sqrt((its high - ours)² + (theirs - their low)²)

and the two agree if this interval, widened by half a unit of the last digit printed, holds 0. An interval wider than
``WIDEST`` that holds 0 tells nothing. Both may be of the same items, whose difficulty then cancels, so a difference can
be real and still lie within this error.
"""

from decimal import Decimal
from math import sqrt
from statistics import NormalDist
from typing import Literal

from nlfol.facts import FACTS, FEW_SHOT, FORMALIZATION, OVERLAPS, RIGHT, ROUGE_L, AnswerForm
from nlfol.mappings import AnyRow
from nlfol.results.statistics.clusters import CONFIDENCE

_Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)

WIDEST = 0.1
"""Width of a difference's interval, as a share of the metric's range, up to which holding 0 is agreement."""

_RANGES = {"accuracy_percent": 100.0, "rating": 4.0}
"""Ranges of metrics that are no shares."""


DATASETS = {
    "folio_questions": "folio",
    "proverqa": "proverqa",
    "prontoqa": "prontoqa",
    "logical_deduction": "logical_deduction",
}
"""SoLT's names of datasets by reader."""

DATASETS_BY_LANGUAGE = {
    ("proofwriter", "formulas"): "proofwriter_prover",
    ("proofwriter", "clauses"): "proofwriter_rules",
}
"""One dataset, whose programs the paper executes by Prover9 and by PyKE."""

ORIGINAL, DIVERSIFIED = "original", "diversified"
"""SoLT's wordings of problems."""


def wilson(share: float, items: int) -> tuple[float, float]:
    """Return Wilson's interval of a share of independent items."""
    square = _Z**2 / items
    centre = (share + square / 2) / (1 + square)
    half = sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
    return centre - half, centre + half


def decimals(value: float) -> int:
    """Digits after the point that a figure needs: 2 for 0.25, 0 for 3."""
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return max(0, -int(exponent))


def agreement(
    ours: tuple[float, float, float], theirs: float, items: int | None, digits: int, metric: str = ""
) -> Literal["yes", "no", "cannot tell"]:
    """Return whether our figure, with the ends of its interval, and a published one differ within their errors.

    ``items`` is None where theirs is no share, or of an unknown number; ``digits`` are printed after the point.
    """
    mean, low, high = ours
    their_low, their_high = (theirs, theirs) if items is None else wilson(theirs, items)
    below = sqrt((mean - low) ** 2 + (their_high - theirs) ** 2)
    above = sqrt((high - mean) ** 2 + (theirs - their_low) ** 2)
    rounding = 0.5 * 10.0**-digits
    if mean - theirs - below > rounding or mean - theirs + above < -rounding:
        return "no"
    return "yes" if below + above <= WIDEST * _RANGES.get(metric, 1.0) else "cannot tell"


def published_quantity(kind: str, metric: str, presentation: str) -> tuple[str, str, str]:
    """Return the kind of task, metric and presentation of scores as ∀uto∃∨∧L has them.

    The English of a round trip is its informalization. Translation beside an example, which takes one of the
    prompts of round trips, is the paper's autoformalization, FOLIO(A); nl_fol_lt asks for another quantity.
    """
    form = FACTS[kind].form
    if form is AnswerForm.CHAIN and metric in OVERLAPS:
        return "informalization", "rouge" if metric == ROUGE_L else metric, ""
    if form is AnswerForm.FORMULA and presentation == FEW_SHOT:
        return FORMALIZATION, metric, ""
    return kind, "accuracy" if form is AnswerForm.LABEL and metric == RIGHT else metric, presentation


def published_name(reader: str) -> str:
    """Return SoLT's name of the problems that a reader reads."""
    return "folio" if reader == "folio_questions" else reader


def published_dataset(row: AnyRow) -> str | None:
    """Return SoLT's name of a dataset, by its reader and its programs' language; None if it has none."""
    return DATASETS.get(row["reader"]) or DATASETS_BY_LANGUAGE.get((row["reader"], row["language"]))


def published_wording(row: AnyRow) -> str | None:
    """Return the published wording of problems (original or diversified); None if the paper has no such wording."""
    if row["original"] is None:
        return ORIGINAL
    is_whole = row["intensity"] == 1 and not row["types"] and row["at_most"] is None
    return DIVERSIFIED if is_whole and not row["glossary"] and not row["decoys"] else None
