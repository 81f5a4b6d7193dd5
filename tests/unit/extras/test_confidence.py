"""Confidence against right answers, with models that know nothing, by which the measures must not be taken in."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest
from tests.stored import frame, marks, stored

from nlfol.results.analyses.drawing import form_of
from nlfol.results.statistics.clusters import student_test
from nlfol.results.statistics.summary import Origin, Series
from nlfol.store import files, schemas
from nlfol_extras.analyses.confidence import (
    CALIBRATION,
    CONFIDENCE,
    Floats,
    auc_parts,
    bins_of,
    calibration_error,
    calibration_figure,
    confidence_rows,
    told_by,
)

SOURCE = Origin("toy", "most_similar", "most_similar", None, "m", "chat", 4)


def drawn(seed: int, items: int = 400) -> tuple[Floats, Floats, npt.NDArray[np.str_]]:
    """Confidence, right answers drawn with it, and stories of ten answers that share half of their confidence."""
    random = np.random.default_rng(seed)
    confidence = (np.repeat(random.random(items // 10), 10) + random.random(items)) / 2
    right = (random.random(items) < confidence).astype(np.float64)
    return confidence, right, np.repeat(np.arange(items // 10), 10).astype(np.str_)


def auc(scores: Floats, right: Floats) -> float:
    parts = auc_parts(scores, right)
    assert parts is not None
    return float(parts.mean())


@pytest.mark.parametrize("levels", [3, 1000])
def test_auc_is_that_of_all_pairs(levels: int) -> None:
    confidence, right, _ = drawn(1, 60)
    scores = np.round(confidence * levels)
    pairs = np.sign(scores[right == 1][:, None] - scores[right == 0][None, :])
    assert auc(scores, right) == pytest.approx(float(((pairs + 1) / 2).mean()))
    assert auc(-scores, right) == pytest.approx(1 - auc(scores, right))
    assert auc_parts(scores, np.ones(60)) is None


def test_calibrated_model_has_the_error_of_its_floor_and_an_overconfident_one_more() -> None:
    ratios = []
    for seed in range(40):
        confidence, right, _ = drawn(seed)
        error, floor = calibration_error(confidence, right)
        ratios.append(error / floor)
        more, less = calibration_error(np.sqrt(confidence), right)
        assert more > 2 * less
    assert np.mean(ratios) == pytest.approx(1, abs=0.1)


def test_constant_confidence_tells_nothing_however_small_its_error() -> None:
    _, right, stories = drawn(2)
    constant = np.full(len(right), right.mean())
    assert len(bins_of(constant, right)) == 1
    assert calibration_error(constant, right)[0] == pytest.approx(0)
    assert auc(constant, right) == 0.5
    parts = auc_parts(constant, right)
    assert parts is not None
    assert student_test(parts, stories.tolist())[:3] == (0.5, None, None)


def test_interval_of_auc_holds_what_a_shuffled_model_tells() -> None:
    random, held = np.random.default_rng(0), 0
    for seed in range(200):
        confidence, right, stories = drawn(seed, 200)
        shuffled = auc_parts(random.permutation(confidence), right)
        assert shuffled is not None
        _, low, high, _ = student_test(shuffled, stories.tolist())
        assert low is not None
        assert high is not None
        held += low <= 0.5 <= high
    assert 180 <= held <= 198


def test_bins_are_of_equal_numbers_and_keep_ties_together() -> None:
    confidence = np.array([0.1] * 6 + [0.5, 0.6, 0.7, 0.8] + [0.9] * 10)
    bins = bins_of(confidence, np.zeros(20))
    assert [len(one.places) for one in bins] == [6, 2, 2, 10]
    assert [one.confidence for one in bins] == pytest.approx([0.1, 0.55, 0.75, 0.9])


def series(right: list[float], **source: Any) -> Series:
    rows = [{"item": f"{n % 6}:{n}", "story": str(n % 6), "seed": 0, "score": score} for n, score in enumerate(right)]
    return Series(replace(SOURCE, **source), "accuracy", "english", pl.DataFrame(rows))


def responses(folder: Path, logprobs: list[float | None], tokens: list[int]) -> Path:
    about = {"dataset": "toy", "task": "most_similar", "task_kind": "most_similar", "protocol": "", "model": "m"}
    rows = []
    for n, (logprob, count) in enumerate(zip(logprobs, tokens, strict=True)):
        asked = {"item": f"{n % 6}:{n}", "presentation": "english", "seed": 0}
        # An earlier step of a dialogue is not its answer.
        rows.append(stored(schemas.RESPONSES, **asked, step=1, logprob=-99.0, logprob_tokens=9))
        told = {"logprob": logprob, "logprob_tokens": None if logprob is None else count}
        rows.append(stored(schemas.RESPONSES, **asked, step=2, **told))
    files.write(folder / "r.arrow", schemas.RESPONSES, rows, about)
    return folder / "r.arrow"


def test_confidence_rows_join_last_responses_and_count_those_without(tmp_path: Path) -> None:
    right = [1.0, 0.0] * 18
    logprobs: list[float | None] = [-0.1 if score else -1.0 for score in right]
    logprobs[-2:] = [None, None]
    told = told_by([responses(tmp_path, logprobs, [2 if score else 4 for score in right])])
    made = list(confidence_rows([series(right), series(right, model="other")], told))
    by_answer, by_token = (row for row, _ in made)
    assert (by_answer["measure"], by_answer["answers"], by_answer["without"]) == ("answer", 34, 2)
    assert by_answer["confidence"] == pytest.approx((np.exp(-0.1) + np.exp(-1)) / 2)
    assert by_token["confidence"] == pytest.approx((np.exp(-0.05) + np.exp(-0.25)) / 2)
    # Length tells the same, so there is no gain.
    assert (by_answer["auc"], by_answer["auc_length"], by_answer["gain"]) == (1.0, 1.0, 0.0)
    bins = made[0][1]
    assert [(row["answers"], row["accuracy"]) for row in bins] == [(17, 0.0), (17, 1.0)]
    (line, _) = form_of("confidence").table(frame(CONFIDENCE, *(row for row, _ in made))).rows
    assert line[5:8] == ("answer", 34, 2)
    points = marks(calibration_figure(frame(CALIBRATION, *(row for _, bins in made for row in bins))))
    assert {(row["panel"], row["bin"]) for row in points} == {
        (f"toy · most_similar: accuracy · english · by {measure}", number)
        for measure in ("answer", "token")
        for number in (1, 2)
    }


def test_models_without_logprobs_have_no_rows(tmp_path: Path) -> None:
    told = told_by([responses(tmp_path, [None] * 4, [1] * 4)])
    assert list(confidence_rows([series([1.0, 0.0, 1.0, 0.0])], told)) == []
    assert told_by([]).is_empty()
