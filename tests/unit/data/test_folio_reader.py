import json
from pathlib import Path
from typing import Any

import pytest

from nlfol.data.entries.folio import FolioEntry
from nlfol.data.reason import Reason
from nlfol.data.sentences import Dataset
from nlfol.store.records import SourceError


def row(story: int, *pairs: tuple[str, str], **changes: Any) -> str:
    content = {"story_id": story, "premises": [p for p, _ in pairs], "premises-FOL": [f for _, f in pairs], **changes}
    return json.dumps(content, ensure_ascii=False)


def folio(tmp_path: Path, *rows: str, **options: Any) -> Dataset:
    path = tmp_path / "folio.jsonl"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return FolioEntry(reader="folio", path=str(path), **options).read()


def test_first_row_defines_story(tmp_path: Path) -> None:
    dataset = folio(tmp_path, row(2, ("A.", "P(a)")), row(1, ("B.", "P(b)")), row(2, ("A.", "P(a)"), label="True"))
    assert [(s.item, s.text, s.formula) for s in dataset.sentences] == [("2:0", "A.", "P(a)"), ("1:0", "B.", "P(b)")]


@pytest.mark.parametrize("other", [("C.", "P(a)"), ("A.", "P(c)")])
def test_conflicting_stories_with_same_number_are_refused(tmp_path: Path, other: tuple[str, str]) -> None:
    with pytest.raises(SourceError, match=r"line 3: story 2 differs from the one on line 1; number"):
        folio(tmp_path, row(2, ("A.", "P(a)")), row(1, ("B.", "P(b)")), row(2, other))


@pytest.mark.parametrize(
    ("premise", "formula", "reason"),
    [
        (" ", "", Reason.EMPTY_TEXT),
        ("A.", "", Reason.EMPTY_FORMULA),
        ("A.", "P(a) ⊕ Q(a", Reason.EXCLUSIVE_OR),
        ("A.", "P(a) Q(a)", Reason.SYNTAX),
        ("A.", "P(a) ^ Q(a)", Reason.SYNTAX),
        ("A.", "∀x P(x, y)", Reason.OPEN_FORMULA),
        ("A.", "¬P(a) ∧ Q(a))", Reason.UNBALANCED_PARENTHESES),
        ("A.", "P(a)))", Reason.UNBALANCED_PARENTHESES),
    ],
)
def test_faulty_premises_are_refused_with_reason(tmp_path: Path, premise: str, formula: str, reason: Reason) -> None:
    first, second = folio(tmp_path, row(1, (premise, formula), ("B.", "R(b)"))).sentences
    assert first.reason is reason
    assert first.detail
    assert first.source_formula == formula
    assert second.status == "usable"


def test_arity_conflict_refuses_whole_story_only(tmp_path: Path) -> None:
    rows = row(1, ("A.", "P(a)"), ("B.", "P(a, b)"), ("C.", "Q(c) ⊕ Q(a)")), row(2, ("A.", "P(a)"))
    dataset = folio(tmp_path, *rows)
    assert [s.reason for s in dataset.sentences] == [Reason.ARITY_CONFLICT] * 3 + [None]
    assert "'P'" in (dataset.sentences[0].detail or "")


def test_name_repair_collision_is_refused(tmp_path: Path) -> None:
    dataset = folio(tmp_path, row(1, ("A.", "P(a-b)"), ("B.", "P(a_b)")))
    assert [s.reason for s in dataset.sentences] == [Reason.NAME_COLLISION, None]


def test_include_option_keeps_exclusive_or(tmp_path: Path) -> None:
    (sentence,) = folio(tmp_path, row(1, ("A.", "P(a) ⊕ Q(a)")), exclusive_or="include").sentences
    assert sentence.formula == "P(a) ⊕ Q(a)"


def test_repairs_are_recorded_in_order(tmp_path: Path) -> None:
    (sentence,) = folio(tmp_path, row(1, ("A.", " ∀x (P-q(x) ⟷ R(x))) → S(x)."))).sentences
    kinds = ["full_stop", "connective_sign", "name", "parenthesis", "quantifier_scope"]
    assert [r.kind for r in sentence.repairs] == kinds
    assert sentence.formula == "∀x ((P_q(x) ↔ R(x)) → S(x))"
    (sentence,) = folio(tmp_path, row(1, ("A.", "∀x P-q(x) → S(x)"))).sentences
    assert [r.kind for r in sentence.repairs] == ["name", "quantifier_scope"]
    assert sentence.formula == "∀x (P_q(x) → S(x))"


def test_surplus_formulas_are_ignored_if_empty_and_refused_otherwise(tmp_path: Path) -> None:
    dataset = folio(tmp_path, row(1, ("A.", "P(a)"), **{"premises-FOL": ["P(a)", ""]}))
    assert len(dataset.sentences) == 1
    assert "story 1: ignored 1 empty formula" in dataset.notes[0]
    with pytest.raises(SourceError, match="story 1: formulas without a premise"):
        folio(tmp_path, row(1, ("A.", "P(a)"), **{"premises-FOL": ["P(a)", "P(b)"]}))
    lacking = folio(tmp_path, row(1, ("A.", "P(a)"), ("B.", "P(b)"), **{"premises-FOL": ["P(a)"]}))
    assert [s.reason for s in lacking.sentences] == [None, Reason.EMPTY_FORMULA]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"{}", "line 1: no 'story_id'"),
        (b'{"story_id": 1, "premises": "A"}', "line 1: 'premises' must be a list"),
        (b'{"story_id": 1, "premises": ["A"], "premises-FOL": [null]}', "line 1: 'premises-FOL' must be a list"),
        (b"", "no stories"),
    ],
)
def test_non_folio_files_raise_source_error(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(content)
    with pytest.raises(SourceError, match=problem) as caught:
        FolioEntry(reader="folio", path=str(path)).read()
    assert "other.jsonl" in str(caught.value)
