"""Confidence of dialogue models in their answers, by log-probability, against whether the answers are right.

Confidence is exp(logprob), the probability of the answer as it was written, or exp(logprob / tokens), its geometric
mean by token, which does not fall with length. Two questions are asked of it:

- **Is it calibrated?** Answers are put into bins of equal numbers by confidence, equal ones together. The expected
  calibration error is Σ n/N |right - confidence| over bins (Naeini et al., "Obtaining Well Calibrated Probabilities
  Using Bayesian Binning", 2015; bins of equal numbers: Nixon et al., "Measuring Calibration in Deep Learning", 2019).
  Beside it stands what a perfectly calibrated model is expected to have in these bins, were its answers independent:
  Σ n/N √(2/π · Σ p(1 - p)) / n. A model that is equally confident of everything can be calibrated, too.
- **Does it tell right from wrong answers?** AUC is the probability that a right answer has more confidence than a wrong
  one, ties by half. Its error is that of its structural components, summed by story (DeLong et al., "Comparing the
  Areas under Two or More Correlated ROC Curves", 1988; clusters: Obuchowski, "Nonparametric Analysis of Clustered ROC
  Curve Data", 1997), with Student's quantile. The floor is the AUC of length alone: shorter answers are easier.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import pi, sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from nlfol.facts import AnswerForm
from nlfol.results.analyses.analysis import Analysis, Given, Rows
from nlfol.results.analyses.figure import Figure
from nlfol.results.statistics.clusters import clustered_mean, student_test
from nlfol.results.statistics.summary import QuestionColumns, Series
from nlfol.results.tables import columns
from nlfol.results.tables.opening import nothing
from nlfol.results.tables.table import TableForm
from nlfol.store import files, schemas
from nlfol.store.columns import Ends, Int32, Interval, row_schema, with_ends
from nlfol.store.origins import metadata_at

Floats = npt.NDArray[np.float64]

MEASURES = ("answer", "token")
"""Confidence in the whole answer, and its mean by token."""

BINS = 10
_ASKED = ("item", "presentation", "seed")


class _OfModel(QuestionColumns):  # of the task's first metric
    model: str
    measure: str  # answer, token


class ConfidenceRow(_OfModel):
    """One row a dialogue model, task, presentation and measure of confidence; chains have none."""

    answers: int  # with a log-probability
    without: int  # answers without one, which are in no other figure
    accuracy: float  # share of right answers
    confidence: float  # mean
    error: float  # expected calibration error
    error_floor: float  # what perfect calibration is expected to have
    auc: Interval  # null where all answers are right, or all wrong
    auc_length: float | None  # of length alone
    gain: Interval  # of confidence over length


class CalibrationRow(_OfModel):
    """One row a bin of answers."""

    bin: Int32  # from 1, the least confident first
    answers: int
    confidence: float  # mean
    accuracy: Interval


CONFIDENCE = row_schema("confidence", 1, ConfidenceRow)
CALIBRATION = row_schema("calibration", 1, CalibrationRow)


_Rows = tuple[ConfidenceRow, list[CalibrationRow]]


class Bin(NamedTuple):
    """Answers of like confidence: their places, int64 (answers,)."""

    places: npt.NDArray[np.int64]
    confidence: float
    accuracy: float


def bins_of(confidence: Floats, right: Floats) -> list[Bin]:
    """Return at most ``BINS`` bins of nearly equal numbers of answers, equal confidence in one bin."""
    _, group, counts = np.unique(confidence, return_inverse=True, return_counts=True)
    middle = (np.cumsum(counts) - counts / 2) / len(confidence)
    numbers = np.minimum((BINS * middle).astype(np.int64), BINS - 1)[group]
    listed = (np.flatnonzero(numbers == number) for number in np.unique(numbers))
    return [Bin(places, float(confidence[places].mean()), float(right[places].mean())) for places in listed]


def calibration_error(confidence: Floats, right: Floats) -> tuple[float, float]:
    """Return the expected calibration error, and that to expect of perfect calibration; answers are at least one."""
    bins = bins_of(confidence, right)
    error = sum(len(one.places) * abs(one.accuracy - one.confidence) for one in bins)
    spread = sum(sqrt(float((confidence[one.places] * (1 - confidence[one.places])).sum())) for one in bins)
    return error / len(right), sqrt(2 / pi) * spread / len(right)


def auc_parts(scores: Floats, right: Floats) -> Floats | None:
    """Return what each answer adds to the AUC, float64 (answers,), whose mean it is; None without both kinds."""
    is_right = right == 1
    above, below = np.sort(scores[is_right]), np.sort(scores[~is_right])
    if not len(above) or not len(below):
        return None

    def share_below(values: Floats, others: Floats) -> Floats:
        sides = (np.searchsorted(others, values, side) for side in ("left", "right"))
        share: Floats = sum(sides, np.zeros(len(values))) / (2 * len(others))
        return share

    placed = np.where(is_right, share_below(scores, below), 1 - share_below(scores, above))
    auc = float(placed[is_right].mean())
    weights = np.where(is_right, len(right) / len(above), len(right) / len(below))
    parts: Floats = auc + (placed - auc) * weights
    return parts


def confidence_rows(series: Iterable[Series], told: pl.DataFrame) -> Iterator[_Rows]:
    """Yield the rows of each dialogue model's answers; ``told`` has the last response of each dialogue."""
    for one in series:
        if one.metric != one.source.asked.metrics[0] or one.source.asked.form is AnswerForm.CHAIN:
            continue
        named = {"dataset": one.source.dataset, "task": one.source.task, "model": one.source.model}
        own = told.filter(**named, presentation=one.presentation)
        joined = one.answers.join(own, on=("item", "seed"), how="left", nulls_equal=True, maintain_order="left")
        known = joined.drop_nulls(("logprob", "score"))
        if known.is_empty():
            continue
        for measure in MEASURES:
            yield _of_model(one, measure, known, joined.height - known.height)


def _of_model(one: Series, measure: str, known: pl.DataFrame, without: int) -> _Rows:
    tokens = known["logprob_tokens"].to_numpy().astype(np.float64)
    logprob = known["logprob"].to_numpy() / (tokens if measure == "token" else 1)
    confidence = np.exp(logprob)
    right = (known["score"] == 1).cast(pl.Float64).to_numpy()
    stories = known["story"].to_list()
    error, floor = calibration_error(confidence, right)
    # By the logarithm, whose order small numbers do not lose.
    parts, by_length = (auc_parts(scores, right) for scores in (logprob, -tokens))
    about: _OfModel = {**one.about, "model": one.source.model, "measure": measure}
    row: ConfidenceRow = {
        **about,
        "answers": known.height,
        "without": without,
        "accuracy": float(right.mean()),
        "confidence": float(confidence.mean()),
        "error": error,
        "error_floor": floor,
        "auc": _bounded(parts, stories),
        "auc_length": None if by_length is None else float(by_length.mean()),
        "gain": Ends() if parts is None or by_length is None else Ends(*student_test(parts - by_length, stories)[:3]),
    }
    bins: list[CalibrationRow] = [
        {
            **about,
            "bin": number,
            "answers": len(each.places),
            "confidence": each.confidence,
            "accuracy": clustered_mean(right[each.places].tolist(), [stories[at] for at in each.places]).ends,
        }
        for number, each in enumerate(bins_of(confidence, right), start=1)
    ]
    return with_ends(ConfidenceRow, row), [with_ends(CalibrationRow, each) for each in bins]


def _bounded(parts: Floats | None, stories: Sequence[str]) -> Ends:
    if parts is None:
        return Ends()
    mean, low, high, _ = student_test(parts, stories)
    return Ends(mean, low if low is None else max(0.0, low), high if high is None else min(1.0, high))


def told_by(paths: Iterable[Path]) -> pl.DataFrame:
    """Return the last response of each dialogue of RESPONSES files, with dataset, task and model."""
    listed = []
    for path in paths:
        about = metadata_at(path)
        names = {name: pl.lit(about[name]) for name in ("dataset", "task", "model")}
        table = files.read(path, schemas.RESPONSES, (*_ASKED, "step", "logprob", "logprob_tokens"))
        rows = pl.DataFrame(table.replace_schema_metadata()).sort("step", maintain_order=True)
        listed.append(rows.group_by(_ASKED, maintain_order=True).last().with_columns(**names))
    return pl.concat(listed) if listed else pl.DataFrame()


def _rows(given: Given) -> list[_Rows]:
    told = told_by(given.files["responses"])
    return [] if told.is_empty() else list(confidence_rows(given.series(), told))


def calibration_figure(rows: pl.DataFrame) -> Figure | None:
    """Draw the share of right answers over confidence, by bins."""
    import altair as alt

    from nlfol.results.analyses.charts import GREY, POINT, chart, figure, of_model, panel_of, panels, share, tips

    drawn = [
        {
            "panel": " · ".join(filter(None, (panel_of(row), row["presentation"], f"by {row['measure']}"))),
            **{name: row[name] for name in ("model", "bin", "answers", "confidence")},
            **{name: row[f"accuracy{end}"] for name, end in (("mean", ""), ("low", "_low"), ("high", "_high"))},
        }
        for row in rows.to_dicts()
    ]
    base = chart().encode(
        x=share("confidence", "Confidence"), color=of_model(), tooltip=tips("model", "bin", "answers")
    )
    rule = base.mark_rule(strokeWidth=2, opacity=0.6).encode(
        y=share("low", "Share of right answers", alt.Y), y2="high:Q"
    )
    line = chart().mark_line(color=GREY, strokeDash=[4, 4], strokeWidth=1)
    diagonal = line.encode(x=share("confidence", "Confidence"), y=share("confidence", "Share of right answers", alt.Y))
    points = base.mark_point(**POINT).encode(y=share("mean", "Share of right answers", alt.Y))
    return figure(
        drawn,
        "calibration",
        "Calibration",
        "Share of right answers over the confidence in them, in bins of equal numbers of answers, with the interval at "
        "95 % over stories. On the dashed line both are equal.",
        panels(diagonal + rule + points, drawn, rank=False),
        about="logprobs",
    )


TABLE = TableForm(
    "confidence",
    "Confidence in answers",
    "What the log-probability of an answer tells of whether it is right: calibration, and AUC beside that of length.",
    (
        *columns.texts("dataset", "task", "metric", "presentation", "model"),
        columns.text("measure", "By"),
        *columns.counts("answers", "without"),
        *map(columns.share, ("accuracy", "confidence")),
        columns.share("error", "Calibration error"),
        columns.share("error_floor", "Floor of error"),
        columns.interval("auc", "AUC"),
        columns.share("auc_length", "AUC of length"),
        columns.interval("gain", "Gain over length"),
    ),
    (
        "By answer: the probability of all its tokens; by token: their geometric mean.",
        "Right: a score of 1, by the task's first metric. Without: answers of which no log-probability is known.",
        "Calibration error: mean distance of confidence and right answers over ten bins of equal numbers.",
        "Floor of error: what a calibrated model would be expected to have, were its answers independent.",
        "A model that is equally confident of all answers may have no calibration error; its AUC is 0.5.",
        "AUC: the probability that a right answer has more confidence than a wrong one; of length: that it is shorter.",
        "Intervals at 95 % over stories; a gain whose interval holds 0 is no more than the length of answers tells.",
    ),
    ("confidence",),
    opens=nothing,
    nothing="No answer came with a log-probability: write logprobs: true in a model's entry.",
)

ANALYSIS = Analysis(
    rows=(
        Rows(CONFIDENCE, lambda given: [row for row, _ in _rows(given)]),
        Rows(CALIBRATION, lambda given: [row for _, bins in _rows(given) for row in bins]),
    ),
    tables=(TABLE,),
    figures=((("calibration",), calibration_figure),),
)
