"""The report on FOLIO's problems, on problems of the same form that are written here."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from benchmarks.entailment import judge, problems, report

BIRDS = ["∀x (Bird(x) → Lays(x))", "Bird(tweety) ⊕ Bat(tweety)", "¬Bat(tweety)"]


def problem(label: str, conclusion: str, premises: list[str] = BIRDS, **others: Any) -> dict[str, Any]:
    return {
        "story_id": 7,
        "premises": ["One sentence a premise."] * len(premises),
        "premises-FOL": premises,
        "conclusion": "A sentence.",
        "conclusion-FOL": conclusion,
        "label": label,
    } | others


PROBLEMS = [
    problem("True", "Lays(tweety)"),
    problem("False", "¬∃x (Bird(x) ∧ Lays(x))"),
    problem("Uncertain", "Lays(bruce)"),
    problem("Unknown", "∀x Lays(x)"),
    problem("True", "Bird(bruce)"),
    problem("False", "Lays(tweety)"),
    problem("Uncertain", "¬Lays(tweety)"),
    problem("Uncertain", "Lays(tweety", story_id=8),
    problem("True", "Lays(tweety)", [*BIRDS, "Tweety is no bat."], story_id=9),
    problem("True", "Lays(tweety)", [*BIRDS, ""]),
    problem("True", "Lays(tweety, bruce)"),
    problem("False", "Lays(bruce)", [*BIRDS, "Bat(tweety)"], story_id=10),
    problem("True", "Lays(tweety)", premises=BIRDS) | {"premises": ["One sentence only."]},
    problem("Uncertain", "∀x ∀y ∀z m(m(x, y), z) = m(x, m(y, z)) ∧ Lays(tweety)", []),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "folio-validation.jsonl"
    path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in PROBLEMS), encoding="utf-8")
    return path


def test_each_cell_of_the_report_is_counted(path: Path) -> None:
    lines = report([judge(each) for each in problems(path)]).splitlines()
    assert lines[0] == "problems 14, readable 10, refused 4"
    assert lines[1] == "decided 10, inconsistent premises 1"
    assert lines[2] == "premises without a formula, or the other way round: 1"
    assert lines[3] == "verdict as labelled 6 of 10"
    assert [re.findall(r"\w+", line) for line in lines[4:8]] == [
        ["label", "true", "false", "uncertain", "unknown", "inconsistent"],
        ["true", "2", "0", "1", "0", "0"],
        ["false", "1", "1", "0", "0", "1"],
        ["uncertain", "0", "1", "3", "0", "0"],
    ]
    assert re.fullmatch(r"milliseconds .*: mean \d+\.\d, median \d+\.\d, most \d+\.\d", lines[8])
    refused = [line for line in lines if line.startswith("refused: ")]
    assert [line.split(":")[1].strip() for line in refused] == [
        "line 8, story 8",
        "line 9, story 9",
        "line 10, story 7",
        "line 11, story 7",
    ]
    assert "conclusion: " in refused[0]
    assert "premises[3]: " in refused[1]
    assert "there is no formula" in refused[2]
    assert "'Lays' is used with 1 and with 2 arguments" in refused[3]
    assert [line for line in lines if line.startswith("labelled ")] == [
        "labelled true, found uncertain: line 5, story 7",
        "labelled false, found true: line 6, story 7",
        "labelled uncertain, found false: line 7, story 7",
        "labelled false, found inconsistent: line 12, story 10",
    ]
