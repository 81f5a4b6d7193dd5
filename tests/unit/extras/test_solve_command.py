import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.cli.rows import rows_of, run, run_on, usage_error
from tests.unit.problems.examples import ALL, CLAUSES, formulas


def solve(*records: object, options: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    return rows_of(run_on(records, "solve", *options))


def test_solve_keeps_input_order_for_any_job_count() -> None:
    records = [{"id": name, "language": name, "program": text} for name, text in ALL.items()]
    broken = {"id": 7, "language": "clauses", "program": "Facts:\nBob is cold.\nQuery:\nP(a, True)"}
    rows = solve(*records, "nonsense\n", broken)
    assert list(rows[0]) == ["id", "outcome", "answer", "trace", "repairs", "error"]
    assert [(row["id"], row["outcome"], row["answer"]) for row in rows] == [
        ("clauses", "answered", "B"),
        ("constraints", "answered", "B"),
        ("formulas", "answered", "A"),
        ("checks", "answered", "B"),
        (None, None, None),
        (7, "unparsable", None),
    ]
    assert rows[4]["error"]["kind"] == "unusable"
    assert (rows[5]["error"]["kind"], rows[5]["error"]["line"]) == ("unparsable", 2)
    assert solve(*records, "nonsense\n", broken, options=("--jobs", "2")) == rows


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"language": "prolog"}, "'language' is 'prolog'; it must be one of formulas, clauses, checks, constraints"),
        ({"program": 3}, "'program' must be a text"),
        ({"options": "A) True"}, "'options' must be a list of texts"),
        ({"options": ["True"]}, "option 'True' has no letter"),
        ({"examples": "Is Bob sad?"}, "'examples' must be a list of texts"),
    ],
)
def test_unusable_records_report_reason(changes: dict[str, Any], message: str) -> None:
    (row,) = solve({"id": 1, "language": "clauses", "program": CLAUSES} | changes)
    assert (row["outcome"], row["error"]["kind"]) == (None, "unusable")
    assert message in row["error"]["message"]


def test_solve_options_set_free_variable_policy_and_step_limit() -> None:
    record = {"id": 1, "language": "formulas", "program": formulas("P(x) → Q(x)\nP(a)", "Q(a)")}
    answers = [solve(record, options=("--free-variables", name))[0]["answer"] for name in ("invalid", "close", "name")]
    assert answers == [None, "A", "C"]
    (row,) = solve({"id": 1, "language": "clauses", "program": CLAUSES}, options=("--steps", "1"))
    assert (row["outcome"], row["error"]["kind"]) == ("failed", "budget")


def test_single_program_prints_trace(tmp_path: Path) -> None:
    path = tmp_path / "program.txt"
    path.write_text(CLAUSES.replace("Facts:", "**Facts:**"), encoding="utf-8")
    arguments = ["solve", str(path), "--language", "clauses", "--option", "A) True", "--option", "B) False"]
    result = run(*arguments)
    assert result.exit_code == 0
    assert json.loads(result.stdout)["answer"] == "B"
    assert result.stderr.splitlines()[:4] == [
        "answer B: answered",
        "repair: line 5: '**Facts:**' read as the heading 'facts'",
        "Smart(bob, True)  [line 9: Cold($x, True) && Quiet($x, False) >>> Smart($x, True)]",
        "  Cold(bob, True)  [fact, line 6]",
    ]


def test_program_options_require_language() -> None:
    assert "--option needs --language" in usage_error("solve", "--option", "A) True")


def test_strict_option_refuses_tolerated_notation() -> None:
    record = {"id": 1, "language": "clauses", "program": CLAUSES.replace("Cold(bob, True)", "not Cold(bob, False)")}
    (loose,), (strict,) = solve(record), solve(record, options=("--strict",))
    assert [each["kind"] for each in loose["repairs"]] == ["negation"]
    assert (loose["outcome"], strict["outcome"]) == ("answered", "unparsable")
    assert strict["error"]["message"].endswith("a negation read as the other truth value: not in strict reading")


def test_solve_drops_examples_of_the_prompt(tmp_path: Path) -> None:
    shown = formulas("P(a)", "P(a)")
    texts = (shown, f"{shown}\n{formulas('Q(b)', '¬Q(b)')}")
    records = [{"id": text, "language": "formulas", "program": text} for text in texts]
    path = tmp_path / "examples.txt"
    path.write_text("P(a)\nIs a p?\n", encoding="utf-8")
    assert [row["answer"] for row in solve(*records)] == ["A", None]
    assert [row["answer"] for row in solve(*records, options=("--examples", str(path)))] == [None, "B"]
    assert [row["answer"] for row in solve(*({**each, "examples": ["P(a)"]} for each in records))] == [None, "B"]
    assert "no-file" in usage_error("solve", "--examples", "no-file")
    path.write_bytes(b"P(a)\n\xff")
    assert "line 2: not UTF-8" in usage_error("solve", "--examples", str(path))
    path.write_bytes(b"\n")
    assert "no example" in usage_error("solve", "--examples", str(path))
