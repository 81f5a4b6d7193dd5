"""Curves of faults found over what is read, and what people's corrections change."""

import json
from pathlib import Path

import pytest
from benchmarks.verified_gold import Entry, change, curve, doubted, entries_of, put_together, read_until, report, surely
from tests.unit.data.test_verified_reader import CONCLUSION, CORRECTED, PUBLISHED, STORY, entry, folder

from nlfol.data.annotations import Annotation, Block
from nlfol.data.sentences import Sentence
from nlfol.logic import parse

GUIDED = [Entry("1", True, 0.9), Entry("2", True, 0.9), Entry("3", False, 0.5), *[Entry("4", False, 0.0)] * 7]


def sentence(formula: str) -> Sentence:
    return Sentence.of("7", 0, "text", formula, parse(formula))


def test_curve_rises_with_findings_and_is_straight_without() -> None:
    assert curve(GUIDED, [0.1, 0.2, 1]) == {0.1: 0.5, 0.2: 1, 1: 1}
    alike = [each._replace(confidence=0.4) for each in GUIDED]
    assert curve(alike, [0.1, 0.5, 1]) == {0.1: 0.1, 0.5: 0.5, 1: 1}


def test_long_entries_are_no_bargain_by_sentences() -> None:
    # Findings on all that is long: the first tenth of the entries are half of the sentences.
    entries = [Entry("1", True, 0.9, 9), *[Entry("2", place < 2, 0.0) for place in range(9)]]
    assert curve(entries, [0.1])[0.1] == pytest.approx(1 / 3, abs=1e-4)
    assert curve(entries, [0.5], by_sentences=True)[0.5] == pytest.approx(1 / 3, abs=1e-4)


def test_share_read_until_goal_lies_between_best_order_and_none() -> None:
    assert read_until(GUIDED) == pytest.approx((0.1, 0.5, 0.1))
    assert read_until([Entry("1", False, 0.0)]) == (0, 0, 0)


def test_certainty_grows_with_each_finding() -> None:
    assert surely([]) == 0
    assert surely([0.5, 0.5]) == 0.75


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("Sing(ann)", "Sing(ann)", "equal"),
        ("Sing(ann) ∧ Loud(ann)", "Loud(ann) ∧ Sing(ann)", "equivalent"),
        ("∀x (Singer(x) → Loud(x))", "∀x (Sing(x) → Loud(x))", "names"),
        ("Love(ann, ben)", "Love(ben, ann)", "meaning"),
        ("Old(ann)", "Sing(ann)", "meaning"),
        ("∀x (Sing(x) → Sing(x))", "∀x (Sing(x) → Loud(x))", "meaning"),
        ("Sing(ann)", "¬Sing(ann)", "meaning"),
    ],
)
def test_correction_is_named_by_what_it_changes(before: str, after: str, kind: str) -> None:
    assert change(sentence(before), sentence(after), {"Sing", "Loud", "Old"}) == kind


def test_entries_are_blocks_and_conclusions_with_their_findings() -> None:
    stray = {"FOL_sentence_old": "\n".join([PUBLISHED[0], "∃x (Singer(x) → Loud(x))", PUBLISHED[2]])}
    block = Block("7", Annotation.model_validate(STORY | stray), [Annotation.model_validate(CONCLUSION)])
    premises, conclusion = entries_of(block)
    assert (premises.is_wrong, premises.sentences, conclusion.is_wrong, conclusion.sentences) == (True, 3, False, 1)
    assert premises.confidence > 0.9 > conclusion.confidence
    uneven = Block("7", Annotation.model_validate(STORY | {"FOL_sentence_old": "Sing(ann)"}))
    assert [each.confidence for each in entries_of(uneven)] == [0.5]


def test_doubted_are_sentences_whose_answers_mean_something_else() -> None:
    lines = [{"item": "7:0", "answer": "¬Sing(ann)"}, {"item": "7:1", "answer": "Sing("}, {"item": "8:0", "answer": ""}]
    assert doubted({"7:0": sentence("Sing(ann)"), "7:1": sentence("Sing(ann)")}, lines) == {"7:0"}


def test_report_counts_entries_sentences_and_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "answers.jsonl").write_text('{"item": "7:1", "answer": "∀x (Sing(x) → Loud(x))"}\n', encoding="utf-8")
    report(entry(folder(tmp_path, STORY, CONCLUSION)), tmp_path / "answers.jsonl")
    printed = capsys.readouterr().out
    assert CORRECTED in STORY["FOL_sentence"]
    for line in (
        *("wrong entries: 1 of 2", "stories with one: 1 of 1", "corrected: {'equal': 2, 'names': 1}"),
        *("left as they were: {'equal': 1}", "labels changed: 1 of 1", "doubts, right: 0 of 1"),
    ):
        assert line in printed


def test_stories_put_together_are_split_as_they_were(tmp_path: Path) -> None:
    row = {"premises": ["Ann sings and dances.", "Ben is loud.", "Eve is old"], "premises-FOL": PUBLISHED}
    other = {"premises": ["Ann sings and dances.", "Ben is loud.", "Eve is old."], "premises-FOL": PUBLISHED}
    run_on = {"premises": ["Ann sings", "Ben is loud."], "premises-FOL": PUBLISHED[:2]}
    file = tmp_path / "stories.jsonl"
    file.write_text("\n".join(map(json.dumps, (row, row, other, run_on))), encoding="utf-8")
    assert list(put_together(file)) == [
        *("formulas at their sentences: 2", "matched: 2", "not as many: 1", "planted: 4", "planted, matched: 0"),
        "split as it was: 2",
    ]
