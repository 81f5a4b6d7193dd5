"""An error of this program in judging one answer costs that answer alone."""

import json
import logging
from pathlib import Path

import polars as pl
import pytest
from tests.stored import records
from tests.unit.tables import recorded

import judge_answers
from nlfol.analyses.registry import TABLES
from nlfol.analyses.translations import TABLE
from nlfol.logic.reading.tolerant.reading import read_tolerantly
from nlfol.statistics.summary import cells
from nlfol.store import files, schemas
from nlfol.store.logs import LOGGER
from nlfol.tasks import meanings

POISON = "∃x (Cat(x) → Sleeps(x))"
"""One of alpha's recorded answers, which cannot be read here."""


def test_one_poisoned_answer_is_counted_and_the_others_are_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(text: str, **options: object) -> object:
        if text == POISON:
            raise IndexError("a fault of the reader")
        return read_tolerantly(text, **options)  # type: ignore[arg-type]

    recorded.write(tmp_path)
    monkeypatch.setattr(meanings, "read_tolerantly", failing)
    LOGGER.propagate = True
    responses, scores = tmp_path / "logical_translation.alpha.arrow", tmp_path / "scores.arrow"
    with caplog.at_level(logging.ERROR):
        judge_answers.main(
            tmp_path / "logical_translation.arrow", responses, json.dumps({"task": "logical_translation"}), scores
        )
    (poisoned,) = (row for row in caplog.records if "internal error" in row.getMessage())
    assert "of model alpha, seed 12" in poisoned.getMessage()
    assert poisoned.exc_info is not None
    found = [row for row in files.rows(scores, schemas.SCORES) if row["outcome"] == "internal_error"]
    assert {(row["metric"], row["score"], row["detail"]) for row in found} == {
        (metric, 0.0, "IndexError: a fault of the reader") for metric in ("equivalence", "bleu", "le")
    }

    (row,) = records(TABLE.table(pl.DataFrame(cells([scores]), infer_schema_length=None)))
    assert (row["internal_error"], row["equivalent"], row["not_equivalent"]) == (1, 2, 3)
    assert TABLE.name in TABLES
