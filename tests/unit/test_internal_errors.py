"""An error of this program in judging one answer costs that answer alone."""

import json
import logging
from pathlib import Path

import polars as pl
import pytest

import attach_ontology
import build_items
import ingest_dataset
import judge_answers
from nlfol.analyses.registry import TABLES
from nlfol.analyses.translations import TABLE
from nlfol.asking.asking import Asking, Offered
from nlfol.asking.responses import response_row, write_responses
from nlfol.logic.reading.tolerant.reading import read_tolerantly
from nlfol.statistics.summary import cells
from nlfol.store import files, schemas
from nlfol.store.logs import LOGGER
from nlfol.tasks import meanings
from nlfol.tasks.registry import build_task

TARSKI = Path(__file__).parents[2] / "resources/datasets/tarski"
TASK = json.dumps({"task": "logical_translation"})
POISON = "∀x (Poison(x))"


@pytest.fixture
def answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the items of tarski, and their gold formulas as the answers; reading the 84th fails."""
    entry = json.dumps(
        {"reader": "table", "path": str(TARSKI / "sentences.csv"), "ontology": str(TARSKI / "ontology.yaml")}
    )
    ingest_dataset.main(entry, "tarski", tmp_path / "sentences.arrow")
    attach_ontology.main(entry, tmp_path / "sentences.arrow", tmp_path / "triples.arrow")
    about = {"dataset": "tarski", "task": "logical_translation", "entry_json": TASK, "seed": 1}
    build_items.main(tmp_path / "triples.arrow", **about, output=tmp_path / "items.arrow")  # type: ignore[arg-type]
    offered = Offered.read(tmp_path / "items.arrow")
    answers = [item.formula for item in offered.items]
    answers[83] = POISON
    rows = [
        response_row(
            item, "", seed=3, answer=json.dumps({"reasoning": "", "answer": POISON if n == 83 else item.formula})
        )
        for n, item in enumerate(offered.items)
    ]
    asking = Asking(
        offered, "tarski", "logical_translation", build_task(TASK), "m", "{}", 1, tmp_path / "responses.arrow"
    )
    write_responses(asking, "chat", "m", rows)

    def failing(text: str, **options: object) -> object:
        if text == POISON:
            raise IndexError("a fault of the reader")
        return read_tolerantly(text, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(meanings, "read_tolerantly", failing)
    return tmp_path


def test_one_poisoned_answer_is_counted_and_the_others_are_judged(
    answered: Path, caplog: pytest.LogCaptureFixture
) -> None:
    LOGGER.propagate = True
    with caplog.at_level(logging.ERROR):
        judge_answers.main(answered / "items.arrow", answered / "responses.arrow", TASK, answered / "scores.arrow")
    (poisoned,) = (row for row in caplog.records if "internal error" in row.getMessage())
    assert "of model m, seed 3" in poisoned.getMessage()
    assert poisoned.exc_info is not None
    found = [row for row in files.rows(answered / "scores.arrow", schemas.SCORES) if row["outcome"] == "internal_error"]
    assert {(row["metric"], row["score"], row["detail"]) for row in found} == {
        (metric, 0.0, "IndexError: a fault of the reader") for metric in ("equivalence", "bleu", "le")
    }

    table = TABLE.table(pl.DataFrame(cells([answered / "scores.arrow"]), infer_schema_length=None))
    names = [column.name for column in table.columns]
    (row,) = (dict(zip(names, cells_, strict=True)) for cells_ in table.rows)
    asked = len(files.rows(answered / "items.arrow", schemas.ITEMS))
    assert (row["internal_error"], row["equivalent"]) == (1, asked - 1)
    assert table.name in TABLES
