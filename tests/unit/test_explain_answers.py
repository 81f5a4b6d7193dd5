"""Evidence on answers: which are explained, what is kept, and what joins the scores."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.examples import said
from tests.unit.tasks.generated_set import judged, triples

import explain_answers
from nlfol.results.statistics.summary import load
from nlfol.store import files, schemas
from nlfol.store.evidence import files_of_evidence
from nlfol.tasks import explaining

GOLD = ["∀x (P(x) → Q(x))", "∃x (P(x) ∧ Q(x))", "P(a)", "Q(a)"]
ANSWERS = {GOLD[0]: GOLD[0], GOLD[1]: "∀x (P(x) ∧ Q(x))", GOLD[2]: "¬P(a)", GOLD[3]: "P(a) ∧"}
"""One right, two wrong, and one that cannot be read."""


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    source = triples(tmp_path / "triples.arrow", [("s", f"Text {number}.", text) for number, text in enumerate(GOLD)])
    return judged(tmp_path, source, {"task": "logical_translation"}, lambda item: said(ANSWERS[item.formula]))


def explain(scores: Path, code: str = "", cores: int = 1, **entry: Any) -> Path:
    output = scores.with_name("evidence.arrow")
    task = json.dumps({"task": "logical_translation", **entry})
    items = scores.with_name("t.items.arrow")
    explain_answers.main(items, [scores], task, output, dataset="toy", task="t", code=code, cores=cores)
    return output


@pytest.mark.parametrize(
    ("wanted", "explained", "metrics", "faults"),
    [
        ("all", 3, {"equivalence", "bleu", "le"}, [None, "quantifier", "negation", None]),
        ("wrong", 2, {"equivalence"}, [None, "quantifier", "negation", None]),
        (1, 1, {"equivalence"}, [None, "quantifier", "not_explained", None]),
    ],
)
def test_explain_key_selects_explained_answers(
    scores: Path, wanted: str | int, explained: int, metrics: set[str], faults: list[str | None]
) -> None:
    evidence = explain(scores, explain=wanted)
    assert files.read(evidence, schemas.EVIDENCE).num_rows == explained
    _, rows = load(scores, files_of_evidence([evidence]))
    assert {*rows["metric"]} == metrics
    assert rows.filter(metric="equivalence")["fault"].to_list() == faults


def test_explained_pairs_are_recomputed_only_for_other_code(scores: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counted(*pair: Any, **options: Any) -> Any:
        asked.append(pair)
        return explaining.evidence_row(*pair, **options)

    monkeypatch.setattr(explain_answers, "evidence_row", counted)
    made = explain(scores, code="one").read_bytes()
    assert len(asked) == 3
    assert explain(scores, code="one").read_bytes() == made
    assert len(asked) == 3
    explain(scores, code="other")
    assert len(asked) == 6


@pytest.mark.parametrize("wanted", ["all", "wrong", 1])
def test_answers_are_explained_on_any_number_of_cores_alike(
    scores: Path, monkeypatch: pytest.MonkeyPatch, wanted: str | int
) -> None:
    monkeypatch.setattr(explain_answers, "_PIECE", 1)
    whole = explain(scores, explain=wanted).read_bytes()
    scores.with_name("evidence.arrow").unlink()
    assert explain(scores, cores=3, explain=wanted).read_bytes() == whole


def test_kept_evidence_is_found_in_any_chunk_and_order(scores: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explain_answers, "_CHUNK", 2)
    monkeypatch.setattr(explain_answers, "_KEPT", 1)
    rows = files.rows(explain(scores), schemas.EVIDENCE)
    output, about = scores.with_name("evidence.arrow"), {"code": "", "scored": "yes"}
    files.write(output, schemas.EVIDENCE, [{**row, "detail": "kept"} for row in rows[::-1]], about, chunk=1)
    assert files.rows(explain(scores), schemas.EVIDENCE) == [{**row, "detail": "kept"} for row in rows]


def test_scores_without_evidence_lack_evidence_metrics(scores: Path) -> None:
    _, rows = load(scores)
    assert {*rows["metric"]} == {"equivalence"}
    assert rows["score"].null_count() == 0
