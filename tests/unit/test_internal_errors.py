"""An error of this program in judging one answer costs that answer alone."""

import logging
from pathlib import Path

import polars as pl
import pytest
from tests.examples import said
from tests.unit.tasks.generated_set import judged, triples

from nlfol.analyses.registry import TABLES
from nlfol.analyses.translations import TABLE
from nlfol.logic.reading.tolerant.reading import read_tolerantly
from nlfol.statistics.summary import cells
from nlfol.store import files, schemas
from nlfol.store.logs import LOGGER
from nlfol.tasks import meanings

SENTENCES = [("s", f"Text {name}.", f"P({name})") for name in ("a", "b", "poison")]


def test_one_poisoned_answer_is_counted_and_the_others_are_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(text: str, **options: object) -> object:
        if text == "P(poison)":
            raise IndexError("a fault of the reader")
        return read_tolerantly(text, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(meanings, "read_tolerantly", failing)
    source = triples(tmp_path / "triples.arrow", SENTENCES)
    LOGGER.propagate = True
    with caplog.at_level(logging.ERROR):
        scores = judged(tmp_path, source, {"task": "logical_translation"}, lambda item: said(item.formula))
    (poisoned,) = (row for row in caplog.records if "internal error" in row.getMessage())
    assert "of model m, seed 1" in poisoned.getMessage()
    assert poisoned.exc_info is not None
    found = [row for row in files.rows(scores, schemas.SCORES) if row["outcome"] == "internal_error"]
    assert {(row["metric"], row["score"], row["detail"]) for row in found} == {
        (metric, 0.0, "IndexError: a fault of the reader") for metric in ("equivalence", "bleu", "le")
    }

    table = TABLE.table(pl.DataFrame(cells([scores]), infer_schema_length=None))
    names = [column.name for column in table.columns]
    (row,) = (dict(zip(names, cells_, strict=True)) for cells_ in table.rows)
    assert (row["internal_error"], row["equivalent"]) == (1, 2)
    assert table.name in TABLES
