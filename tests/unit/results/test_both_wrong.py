"""Items that two models both get wrong, and the share with wrong gold, from scores written out by hand."""

from typing import Any

import polars as pl
import pytest
from tests.stored import frame, records
from tests.unit.results.worked_out import beside_figures

from nlfol.results.analyses.ceiling import BOTH_WRONG, BOTH_WRONG_TABLE, both_wrong
from nlfol.results.statistics.summary import Origin
from nlfol.store.schemas import CELLS, SCORES

# By published, corrected and accepted gold.
RIGHT, WRONG, MENDED, READ = (1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 1.0, 1.0), (0.0, 0.0, 1.0)
NAMES = ("equivalence", "corrected", "accepted")


def model(name: str, *answers: tuple[float, ...], said: str = "", kind: str = "chat", seed: int = 0) -> Any:
    """A model's answers to one item of each of several stories."""
    rows = [
        {"item": f"{story}:0", "seed": seed, "metric": metric, "score": score, "formula": f"P({said or name}_{story})"}
        for story, scores in enumerate(answers)
        for metric, score in zip(NAMES, scores, strict=True)
    ]
    about = ("folio", "logical_translation", "logical_translation", None, name, kind, len(answers))
    return Origin(*about), frame(SCORES, *rows)


ONE = model("one", RIGHT, WRONG, WRONG, WRONG, MENDED, WRONG)
OTHER = model("other", RIGHT, RIGHT, MENDED, READ, WRONG, WRONG)


def test_shared_failures_count_gold_corrections() -> None:
    row: Any
    (row,) = both_wrong([ONE, OTHER])
    assert (row["model"], row["second"], row["items"], row["wrong_items"]) == ("one", "other", 6, 4)
    assert (row["wrong"], row["corrected"], row["accepted"]) == pytest.approx((4 / 6, 2 / 4, 3 / 4))
    assert row["wrong_low"] < row["wrong"] < row["wrong_high"]


def test_shared_failure_requires_failure_under_all_seeds() -> None:
    source, first = ONE
    _, again = model("one", WRONG, RIGHT, WRONG, WRONG, WRONG, WRONG, seed=1)
    (row,) = both_wrong([(source, pl.concat([first, again])), OTHER])
    assert row["wrong_items"] == 4
    (alone,) = both_wrong([(source, pl.concat([first, again]))])
    assert (alone["second"], alone["wrong_items"], alone["corrected"]) == (None, 4, 1 / 4)


def test_copied_model_is_excluded_from_pairs() -> None:
    copy = model("copy", *[RIGHT, WRONG, WRONG, WRONG, MENDED, WRONG], said="one")
    alone, with_copy = list(both_wrong([ONE])), list(both_wrong([ONE, copy]))
    assert alone == with_copy
    assert len(list(both_wrong([ONE, copy, OTHER, OTHER]))) == 1


def test_shared_failures_include_answering_references_only() -> None:
    reference = model("second_reading", *[RIGHT] * 6, kind="answers")
    (row,) = both_wrong([ONE, reference, model("chance", *[WRONG] * 6, kind="chance")])
    assert (row["second"], row["wrong_items"], row["wrong"], row["accepted"]) == ("second_reading", 0, 0, None)


def test_published_pairs_follow_own_pairs() -> None:
    figure = {"dataset": "folio", "task": "logical_translation", "metric": "neither", "model": "a", "second": "b"}
    figures = pl.DataFrame([figure | {"mean": 0.19, "items": 1565, "paper": "theirs"}])
    asked = frame(CELLS, {"dataset": "folio", "task_kind": "logical_translation", "metric": "accepted"})
    rows = frame(BOTH_WRONG, *both_wrong([ONE, OTHER]))
    ours, theirs = records(beside_figures(BOTH_WRONG_TABLE, figures, both_wrong=rows, cells=asked))
    assert (ours["wrong_items"], theirs["wrong_items"]) == (4, None)
    assert (theirs["model"], theirs["second"], theirs["items"], theirs["wrong"].mean) == ("a (theirs)", "b", 1565, 0.19)
