"""Judgements of released programs and formulas, and their comparison, on files of the same form."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from benchmarks.released_programs import by_eye, compared, judged, main, readings
from benchmarks.written_programs import HIDDEN, SAME, counted, drawn

FORMULAS = "Premises:\n∀x (Cat(x) → Quiet(x))\nCat(tom)\nConclusion:\nQuiet(tom)"
CLAUSES = "Facts:\nCold(Bob, True)\nQuery:\nCold(Bob, False)"


def row(number: int, program: object) -> dict[str, Any]:
    options = ["A) True", "B) False"]
    return {"id": f"problem_{number}", "options": options, "answer": "A", "raw_logic_programs": program}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "released"
    (found / "a").mkdir(parents=True)
    rows = [row(1, CLAUSES), row(2, [FORMULAS]), row(3, ["Facts:\n"])]
    (found / "a/ProofWriter_dev_m.json").write_text(json.dumps(rows), encoding="utf-8")
    (found / "a/SNARK_dev_m.json").write_text(json.dumps(rows), encoding="utf-8")
    lines = [{"id": "1", "text": "P(a) & Q(b)"}, {"id": "2", "text": "All cats sleep."}]
    (found / "lines.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return found


def test_released_programs_and_formulas_are_judged(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = list(judged(folder))
    assert [(each["id"], each.get("language"), each["outcome"], each.get("answer")) for each in found] == [
        ("problem_1", "clauses", "answered", "B"),
        ("problem_2", "formulas", "answered", "A"),
        ("problem_3", "clauses", "unparsable", None),
        ("1", None, "read", None),
        ("2", None, "unparsable", None),
    ]
    assert found[3]["formula"] == "P(a) ∧ Q(b)"
    assert found[0]["file"] == "released/a/ProofWriter_dev_m.json"
    assert "released/a/SNARK_dev_m.json: no programs" in capsys.readouterr().err


def test_released_programs_of_checks_are_judged(tmp_path: Path) -> None:
    program = "# Declarations\nx = Function([int] -> [int])\n# Constraints\nx(1) == 2\n# Options\n"
    rows = [row(1, f"{program}is_valid(x(1) == 2) ::: (A)\nis_sat(x(1) == 3) ::: (B)")]
    (tmp_path / "AR-LSAT_dev_m.json").write_text(json.dumps(rows), encoding="utf-8")
    assert [(each["language"], each["answer"]) for each in judged(tmp_path)] == [("checks", "A")]


def test_changed_verdicts_are_counted_and_listed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "before.jsonl"
    monkeypatch.setattr(sys, "argv", ["released_programs.py", "judge", str(folder), str(out)])
    main()
    before = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert before == list(judged(folder))
    assert list(compared(before, before))[:3] == [
        "5 rows in both, 0 only before, 0 only after",
        "0 verdicts changed; 0 rows have other repairs",
        "right: 1 before, 1 after",
    ]
    after = [{**before[0], "answer": "A"}, *before[1:3], {**before[3], "formula": "P(a) ∨ Q(b)"}]
    lines = list(compared(before, after))
    assert lines[:3] == [
        "4 rows in both, 1 only before, 0 only after",
        "2 verdicts changed; 0 rows have other repairs",
        "right: 1 before, 2 after",
    ]
    assert lines[3].strip() == "1 answered B -> answered A"
    assert "released/a/ProofWriter_dev_m.json problem_1 (label A)" in "\n".join(lines)
    assert "after : read | P(a) ∨ Q(b)" in "\n".join(lines)
    capsys.readouterr()


def test_readings_count_what_is_right_and_each_liberty(folder: Path) -> None:
    rows = [*judged(folder)]
    rows[0] |= {"answer": "A", "repairs": ["gloss: line 1: a", "gloss: line 2: b"]}
    lines = [line.split("\t") for line in readings(rows)][1:]
    assert [(line[1:5], line[5].split(", ")[0]) for line in lines] == [
        (["clauses", "2", "0.000", "0.500"], "gloss 1"),
        (["formulas", "1", "1.000", "1.000"], "section 1"),
    ]


def test_hidden_conclusions_change_no_verdict(folder: Path) -> None:
    programs = drawn([folder], 10, 1)
    assert {(language, answer) for language, _, _, answer in programs} == {("formulas", "A"), ("clauses", "B")}
    found = counted(programs)
    assert all(found[name] == {"same": 2} for name in SAME)
    assert all(found[name] == {"none": 2} for name in HIDDEN if name != "another program")


def test_programs_to_read_by_eye_are_drawn_by_stratum() -> None:
    def judged_row(number: int, outcome: str, *repairs: str, language: str = "formulas") -> dict[str, Any]:
        found = {"language": language, "outcome": outcome, "failure": None, "repairs": repairs}
        return {"file": "f", "id": f"{number}", **found}

    rows = [
        *(judged_row(number, "answered", "separator: a rule", "section: s") for number in range(60)),
        *(judged_row(number, "failed", "separator: a rule", "markup: m") for number in range(100, 110)),
        *(judged_row(number, "unparsable") for number in range(200, 203)),
        judged_row(300, "answered", "section: s"),
        judged_row(301, "unparsable", language="checks"),
        {"file": "f", "id": "302", "outcome": "unparsable"},
    ]
    first, again, other = ([*by_eye(rows, seed)] for seed in (1, 1, 2))
    assert first == again != other
    strata = [line.split("\t")[0] for line in first]
    assert [strata.count(name) for name in ("separator", "repaired", "refused")] == [50, 10, 3]
