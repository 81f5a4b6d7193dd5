"""Gold formulas that all dialogue models contradict while they agree, from answers written out by hand."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.stored import EXPLAINED, frame

import ingest_dataset
from nlfol.data.entries.table import TableEntry
from nlfol.results.statistics.summary import Origin
from nlfol.store import files
from nlfol_extras.analyses.gold_audit import GOLD_AUDIT, gold_audit, proposals

WRONG = "∃x (Cat(x) → Sleeps(x))"
MEANT = "∃x (Cat(x) ∧ Sleeps(x))"
SAME = "¬∀y (Cat(y) → ¬Sleeps(y))"
OTHER = "∀x (Cat(x) → Sleeps(x))"
Answer = tuple[str, str | None, str | None]
Loaded = tuple[Origin, pl.DataFrame]

RIGHT: Answer = ("answered", "equivalent", WRONG)
SILENT: Answer = ("unparsable", None, None)
INVALID: Answer = ("answered", "invalid", "∃x Dog(x)")
UNDECIDED: Answer = ("answered", "unknown", MEANT)


def says(formula: str) -> Answer:
    return "answered", "not_equivalent", formula


def model(name: str, *answers: Answer, kind: str = "chat", task: str = "logical_translation") -> Loaded:
    """A model's answers to item "1:0" under the seeds 0, 1, ..."""
    doubt = {"relation": "stronger", "detail": "There is a dog"}
    rows = [
        {"item": "1:0", "seed": seed, "metric": metric, "outcome": outcome, "verdict": verdict, "formula": formula}
        | (doubt if verdict == "not_equivalent" else {})
        for seed, (outcome, verdict, formula) in enumerate(answers)
        for metric in ("equivalence", "bleu")
    ]
    return Origin("toy", task, "logical_translation", None, name, kind, 1), frame(EXPLAINED, *rows)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "toy.csv"
    path.write_text(f"story,text,formula\n1,Some cats sleep.,{WRONG}\n", encoding="utf-8")
    return path


@pytest.fixture
def sentences(tmp_path: Path, table: Path) -> dict[str, Path]:
    entry = TableEntry(reader="table", path=str(table))
    ingest_dataset.main(entry.model_dump_json(), "toy", tmp_path / "sentences.arrow")
    return {"toy": tmp_path / "sentences.arrow"}


def test_agreement_on_other_meaning_puts_gold_in_doubt(sentences: dict[str, Path], tmp_path: Path) -> None:
    """In whatever words: the shortest of the equivalent formulas is shown."""
    loaded = [model("m", says(SAME), says(MEANT)), model("n", says(SAME), SILENT)]
    (row,) = gold_audit(loaded, sentences)
    assert (row["item"], row["text"], row["gold"], row["formula"]) == ("1:0", "Some cats sleep.", WRONG, MEANT)
    assert (row["models"], row["answers"], row["unread"]) == (["m", "n"], 3, 1)
    assert (row["relation"], row["detail"]) == ("stronger", "There is a dog")
    files.write(tmp_path / "g.arrow", GOLD_AUDIT, [row], {})


@pytest.mark.parametrize(
    "loaded",
    [
        pytest.param([model("m", says(MEANT)), model("n", says(OTHER))], id="they disagree"),
        pytest.param([model("m", says(MEANT)), model("n", RIGHT)], id="one is right"),
        pytest.param([model("m", says(MEANT), RIGHT), model("n", says(MEANT))], id="one is right under a seed"),
        pytest.param([model("m", says(MEANT)), model("n", INVALID)], id="one is invalid"),
        pytest.param([model("m", says(MEANT)), model("n", UNDECIDED)], id="one is undecided"),
        pytest.param([model("m", says(MEANT), says(MEANT)), model("n", SILENT)], id="one model alone was read"),
        pytest.param([model("m", SILENT), model("n", SILENT)], id="none was read"),
        pytest.param([model("m", says(MEANT))], id="the only model has one seed"),
        pytest.param([model("m", says(MEANT), says(MEANT), SILENT)], id="the only model fails to answer once"),
        pytest.param([model("m", says(MEANT)), model("n", says(MEANT), task="strict")], id="other tasks are apart"),
        pytest.param([model("m", says(MEANT)), model("n", says(MEANT), kind="reader")], id="the reader has no vote"),
    ],
)
def test_gold_audit_reports_nothing_without_agreement(loaded: list[Loaded], sentences: dict[str, Path]) -> None:
    assert gold_audit(loaded, sentences) == []


def test_single_model_must_agree_across_all_seeds(sentences: dict[str, Path]) -> None:
    (row,) = gold_audit([model("m", says(MEANT), says(SAME))], sentences)
    assert (row["models"], row["answers"], row["unread"]) == (["m"], 2, 0)


def test_gold_audit_proposal_requires_review_before_correction(
    sentences: dict[str, Path], table: Path, tmp_path: Path
) -> None:
    loaded = [model("m", says(MEANT)), model("n", says(SAME))]
    loaded += [model("m", says(MEANT), task="strict"), model("n", says(MEANT), task="strict")]
    rows = gold_audit(loaded, sentences)
    assert [row["task"] for row in rows] == ["logical_translation", "strict"]
    patches = tmp_path / "gold_audit.jsonl"
    patches.write_text(proposals(rows), encoding="utf-8")
    entry = TableEntry(reader="table", path=str(table), gold="corrected", patches=str(patches))
    with pytest.raises(ValueError, match="entry 1:0: not reviewed"):
        entry.read()
    (line,) = patches.read_text(encoding="utf-8").splitlines()
    patch: dict[str, Any] = json.loads(line)
    assert "2 answers of 2 models (m, n) to task logical_translation of dataset toy" in patch["evidence"]
    patches.write_text(json.dumps(patch | {"kinds": ["connective"], "reviewed": True}), encoding="utf-8")
    (sentence,) = entry.read().sentences
    assert sentence.formula == MEANT
