"""An error of this program in judging one answer costs that answer alone."""

import logging
from math import isnan
from pathlib import Path

import polars as pl
import pytest
from tests import examples
from tests.examples import said
from tests.unit.tasks.generated_set import judged, triples

import explain_answers
from nlfol.logic import answers
from nlfol.logic.reading.tolerant.reading import read_tolerantly
from nlfol.report.answers import read_answers
from nlfol.results.analyses.registry import TABLES
from nlfol.results.analyses.translations import TABLE
from nlfol.results.statistics.cells import cells
from nlfol.store import files, schemas
from nlfol.store.evidence import files_of_evidence
from nlfol.store.logs import LOGGER
from nlfol.tasks import explaining
from nlfol.tasks.explaining import with_evidence
from nlfol.tasks.logical_translation import LogicalTranslation
from nlfol.tasks.plan import Reply

SENTENCES = [("s", f"Text {name}.", f"P({name})") for name in ("a", "b", "poison")]


def test_internal_error_affects_single_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(text: str, **options: object) -> object:
        if text == "P(poison)":
            raise IndexError("a fault of the reader")
        return read_tolerantly(text, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(answers, "read_decided", failing)
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


def failing(*_: object, **__: object) -> object:
    raise ArithmeticError("a fault of a measure")


@pytest.mark.parametrize("metric", ["bleu", "le"])
def test_side_metric_error_leaves_null_and_keeps_verdict(
    metric: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    real = getattr(explaining, {"le": "malls_le"}.get(metric, metric))

    def scored(gold: object, answer: object) -> float:
        if str(gold) == "P(poison)":
            raise ArithmeticError("a fault of a measure")
        return float(real(gold, answer))

    monkeypatch.setattr(explaining, {"le": "malls_le"}.get(metric, metric), scored)
    source = triples(tmp_path / "triples.arrow", SENTENCES)
    LOGGER.propagate = True
    with caplog.at_level(logging.WARNING):
        scores = judged(tmp_path, source, {"task": "logical_translation"}, lambda item: said(item.formula))
        evidence = scores.with_name("evidence.arrow")
        items = scores.with_name("t.items.arrow")
        task = '{"task": "logical_translation"}'
        explain_answers.main(items, [scores], task, evidence, dataset="toy", task="t")
    assert f"error in {metric} of an answer: left out, and its verdict stands" in caplog.text
    assert "a fault of a measure" in caplog.text
    rows = files.rows(scores, schemas.SCORES)
    assert {row["outcome"] for row in rows} == {"answered"}
    assert {row["metric"] for row in rows if row["score"] is None} == {"bleu", "le"}
    cells_ = cells([scores], [evidence])
    of_metric = {cell["metric"]: (cell["items"], cell["mean"], cell["equivalent"]) for cell in cells_}
    assert of_metric == {name: (2 if name == metric else 3, 1, 3) for name in ("equivalence", "bleu", "le")}
    responses = scores.with_name(scores.name.replace("scores", "responses"))
    shown = read_answers(responses, scores, evidence=files_of_evidence([evidence]))
    assert sorted(shown.rows[f"score:{metric}"].to_list(), key=str) == [1, 1, None]


def test_evidence_error_keeps_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("on_boards", "tell_apart", "diagnose", "distance", "relation", "describe_world", "witness"):
        monkeypatch.setattr(explaining, name, failing)
    item = examples.item(examples.CUBES, "Every cube is small.")
    task = LogicalTranslation()
    wrong = task.judge(item, [Reply("", "answered", said("∃x (Cube(x) ∧ Small(x))"))])
    (found,) = with_evidence(task, item, [wrong])
    assert (found.outcome, found.verdict, found.scores["equivalence"]) == ("answered", "not_equivalent", 0)
    assert {found.on_boards, found.relation, found.fault, found.distance, found.rule, found.detail} == {None}
    assert isnan(found.scores["on_boards"])
    right = task.judge(item, [Reply("", "answered", said("¬∃x (Cube(x) ∧ ¬Small(x))"))])
    assert (right.verdict, right.scores["on_boards"]) == ("equivalent", 1)
