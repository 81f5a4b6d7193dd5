"""Published counts, precision and recall of answers to problems, beside ours of the same name."""

from typing import Any

import polars as pl
from tests.examples import ROOT
from tests.stored import frame, stored
from tests.unit.results.worked_out import published_beside

from nlfol.results.analyses.answers import CLASSIFICATION
from nlfol.results.analyses.task_agreement import TASK_AGREEMENTS
from nlfol.results.tables.table import Sample, Score
from nlfol.store.files import ASKED, read_figures
from nlfol.store.schemas import CELLS


def asked(dataset: str, **more: Any) -> dict[str, Any]:
    row = {"dataset": dataset, "task": "answers", "task_kind": "question_answering", "presentation": "english"}
    return row | {"model": "gpt-4o", "kind": "chat", "group": "all"} | more


def figure(dataset: str, metric: str, mean: float) -> dict[str, Any]:
    row = {"paper": "autoeval", "table": "16", "dataset": dataset, "task": "question_answering", "metric": metric}
    said = {"presentation": "english", "model": "gpt-4o", "mean": mean}
    return row | said | dict.fromkeys(("second", "deviation", "items"))


def test_published_classification_pairs_labels_and_accuracy() -> None:
    ratios = {
        f"{name}{end}": value
        for name, value in (("precision", 0.5), ("recall", 0.75), ("tnr", 0.25), ("f1", 0.6))
        for end in ("", "_low", "_high")
    }
    said = [{"label": label, "count": count} for label, count in (("true", 3), ("uncertain", 8), (None, 2))]
    six = {"tp": 5, "fp": 1, "tn": 4, "fn": 2, "ip": 1, "in": 0}
    classes = [
        asked("questions", label="uncertain", answered=said, **ratios),
        asked("logic", label="yes", answered=[], **six, **ratios),
    ]
    classes += [row | {"group": "depth"} for row in classes]
    cell = asked("questions", metric="right", protocol=None, mean=0.875, deviation=None, low=0.8, high=0.9)
    cell |= {"items": 60, "available": 168}
    cells = pl.concat([frame(CELLS), pl.DataFrame([cell])], how="diagonal_relaxed")
    classification = pl.concat([frame(CLASSIFICATION), pl.DataFrame(classes)], how="diagonal_relaxed")
    theirs = [
        ("folio", "precision_uncertain"),
        ("folio", "recall_uncertain"),
        ("folio", "accuracy"),
        ("folio", "count_UT"),
        ("folio", "count_UU"),
        ("logieval_pl", "count_IP"),
        ("logieval_pl", "count_TP"),
        *(("logieval_pl", name) for name in ("precision", "true_positive_rate", "true_negative_rate", "f1")),
    ]
    figures = pl.DataFrame(
        [figure(*each, 1500 if "count" in each[1] else 0.5) for each in theirs], infer_schema_length=None
    )
    # Readers tell which datasets these are, whatever their entries are called.
    names = pl.DataFrame({"dataset": ["questions", "logic"], "published": ["folio", "logieval_pl"]})
    rows = published_beside(figures, cells=cells, classification=classification, names=names)
    assert [row["dataset"] for row in rows] == ["questions"] * 5 + ["logic"] * 6
    assert [row["metric"] for row in rows] == [metric.replace("count", "share") for _, metric in theirs]
    assert [row["items"] for row in rows] == [None, None, Sample(60, 168), *[None] * 8]
    means = [row["ours"].mean for row in rows if isinstance(row["ours"], Score)]
    # Papers print sums over five runs, so of counts the shares of read answers are compared; of yes and no, of all.
    assert means == [0.5, 0.75, 0.875, 3 / 11, 8 / 11, 1 / 13, 5 / 13, 0.5, 0.75, 0.25, 0.6]
    assert [row["published"].mean for row in rows if row["metric"].startswith("share")] == [0.5] * 4


def test_tasks_without_common_answers_have_no_figure() -> None:
    """Such as a task with reasoning and one without."""
    row = {"dataset": "folio", "model": "gpt-4o-mini", "presentation": "formula", "refused": 2, "refusal": "reasoning"}
    agreed = stored(TASK_AGREEMENTS, most_similar="choice", ranking="ranking", **row)
    figures = read_figures(ROOT / "resources/published/nl_fol_lt.csv").drop(ASKED)
    assert published_beside(figures, task_agreements=frame(TASK_AGREEMENTS, agreed)) == []
    whole = {**agreed, "both": 0.5, "first_only": 0.25, "second_only": 0.25, "neither": 0.0}
    assert len(published_beside(figures, task_agreements=frame(TASK_AGREEMENTS, whole))) == 4
