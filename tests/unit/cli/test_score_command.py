"""``nlfol score``: what it writes for people and programs, the task that answers are taken for, and what it refuses."""

import csv
import json
from collections.abc import Mapping, Sequence
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from tests.examples import ROOT
from tests.workflow.checkout import ONTOLOGY, SENTENCES
from typer.testing import CliRunner, Result

from nlfol.asking.answer_files import AnswerRow
from nlfol.cli.main import app
from nlfol.cli.scored import form_of
from nlfol.logic import answers

RIGHT = {"item": "pets:0", "answer": "∀x (¬Sleeps(x) → ¬Cat(x))"}
WRONG = {"item": "pets:1", "answer": "∃x (Dog(x) ∧ ¬Sleeps(x))"}
UNREAD = {"item": "chase:0", "answer": "a dog chases"}
UNKNOWN = {"item": "pest:0", "answer": "Sleeps(tom)"}
PROGRAM = "Predicates:\nCold(x) ::: x is cold\nPremises:\nCold(bob)\nConclusion:\nCold(bob)"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of one's own, with a dataset and nothing of the project."""
    (tmp_path / "pets.csv").write_text(SENTENCES, encoding="utf-8")
    (tmp_path / "pets.yaml").write_text(ONTOLOGY, encoding="utf-8")
    return tmp_path


def score(folder: Path, rows: Sequence[Mapping[str, Any]], *options: str) -> Result:
    (folder / "mine.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    of_dataset = [] if "--dataset" in options else ["--dataset", "pets.csv", "--ontology", "pets.yaml"]
    with chdir(folder):
        return CliRunner().invoke(app, ["score", "mine.jsonl", *of_dataset, *options], env={"COLUMNS": "400"})


def said(folder: Path, rows: Sequence[Mapping[str, Any]], *options: str) -> dict[str, Any]:
    done = score(folder, rows, "--json", *options)
    assert done.exit_code == 0, done.stderr
    values: dict[str, Any] = json.loads(done.stdout)
    return values


def test_judge_failure_is_reported_as_internal_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(text: str, **options: object) -> object:
        raise IndexError("a fault of the reader")

    monkeypatch.setattr(answers, "read_decided", failing)
    done = score(folder, [WRONG])
    assert done.exit_code == 0, done.stderr
    assert "nlfol failed to judge 1 answer of mine (logical translation on pets): an error of nlfol" in done.stdout
    assert "Please report it with the traceback above" in done.stdout
    assert "Traceback (most recent call last)" in caplog.text


def test_score_prints_figures_faults_and_wrong_answers(folder: Path) -> None:
    done = score(folder, [RIGHT, WRONG, UNREAD, UNKNOWN])
    assert done.exit_code == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split() for line in lines[:1]] == [["Task", "Metric", "Score", "Items"]]
    assert ["logical_translation", "equivalence", "0.333"] in [line.split()[:3] for line in lines]
    assert "3 of 8" in done.stdout
    assert "logical_translation: 3 answers, 2 wrong" in lines
    assert "  outcome  answered 2, unparsable 1" in lines
    assert "  gold     ∀x (Dog(x) → ¬Sleeps(x))" in lines
    assert any(line.startswith("  because  a world of ") for line in lines)
    assert "not used: 1 (unknown item), the first: " in done.stdout
    assert "did you mean pets:0?" in done.stdout


def test_score_json_contains_answers_and_figures(folder: Path) -> None:
    found = said(folder, [RIGHT, WRONG, UNREAD, UNKNOWN])
    assert (found["dataset"], found["seed"]) == ("pets", 20260119)
    assert [row["mean"] for row in found["summary"] if row["metric"] == "equivalence"] == [1 / 3]
    right, wrong, unread = found["answers"]
    assert (right["scores"]["equivalence"], right["verdict"]) == (1, "equivalent")
    assert (wrong["relation"], wrong["gold"]) == ("independent", "∀x (Dog(x) → ¬Sleeps(x))")
    assert wrong["counter_model"]["size"] >= 1
    assert (unread["outcome"], unread["counter_model"]) == ("unparsable", None)
    assert [row["reason"] for row in found["refused"]] == ["unknown_item"]


def test_score_writes_csv_and_html(folder: Path) -> None:
    assert score(folder, [RIGHT, WRONG], "--csv", "out", "--html", "page.html").exit_code == 0
    with (folder / "out/answers.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["score:equivalence"] for row in rows] == ["1.0", "0.0"]
    assert json.loads(rows[1]["counter_model"])["size"] >= 1
    tables = {"answers.csv", "refused.csv", "refused_gold.csv", "summary.csv"}
    assert {path.name for path in (folder / "out").iterdir()} == tables
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert "mine.jsonl on pets" in page
    assert "vegaEmbed = " not in page  # where nothing is drawn


def test_csv_escapes_spreadsheet_formulas(folder: Path) -> None:
    executed = "=cmd|' /C calc'!A0"
    assert score(folder, [RIGHT, {**WRONG, "answer": executed}], "--csv", "out").exit_code == 0
    with (folder / "out/answers.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[1]["answer"] == f"'{executed}"


def test_score_adds_boards_for_blocks_worlds(folder: Path) -> None:
    written = (ROOT / "resources/answers/written.jsonl").read_text(encoding="utf-8").splitlines()
    found = said(folder, [json.loads(line) for line in written[:24]], "--dataset", "tarski")
    (mean,) = (row["mean"] for row in found["summary"] if row["metric"] == "equivalence")
    assert mean == 6 / 24
    wrong = [answer for answer in found["answers"] if answer["counter_model"] is not None]
    assert [answer["item"] for answer in wrong if not answer["board"]] == ["w16:4"]
    assert [answer["item"] for answer in wrong if answer["on_boards"] == "equivalent"] == ["w16:4"]


def test_score_infers_task_from_answer_form(folder: Path) -> None:
    choices = [{"item": f"chase:{number}", "answer": 1} for number in range(3)]
    found = said(folder, choices)
    assert {(row["task"], row["presentation"], row["mean"]) for row in found["summary"]} == {
        ("most_similar", "formula", 1)
    }
    assert 0 < found["summary"][0]["chance"] < 1
    members = [len(answer["candidates"]) for answer in found["answers"]]
    orders = [{"item": choices[0]["item"], "presentation": "english", "answer": " ".join(map(str, range(1, 9)))}]
    assert min(members) > 1
    assert {row["task"] for row in said(folder, orders)["summary"]} == {"ranking"}


def test_score_accepts_logic_lm_programs(folder: Path) -> None:
    problems = {"statements": ["Bob is cold."], "question": "Is Bob cold?", "answer": "A"}
    (folder / "problems.jsonl").write_text(f"{json.dumps(problems)}\n", encoding="utf-8")
    found = said(folder, [{"item": "1", "answer": PROGRAM}], "--dataset", "problems.jsonl")
    assert {row["metric"]: row["mean"] for row in found["summary"]} == {"right": 1, "executable": 1}
    assert found["answers"][0]["formula"] == PROGRAM


def test_all_option_counts_missing_items_as_failed(folder: Path) -> None:
    found = said(folder, [RIGHT], "--all")
    assert {(row["items"], row["failed"]) for row in found["summary"]} == {(8, 7)}


BAD_GOLD = "chase,Tom purrs.,Purrs(tom)\nchase,Rex chases.,Chases(rex)\nchase,Rex runs.,∀x (Cat(x) ∧\n"


@pytest.fixture
def faulty(folder: Path) -> Path:
    """The folder, with three gold formulas that the dataset refuses."""
    (folder / "pets.csv").write_text(SENTENCES + BAD_GOLD, encoding="utf-8")
    return folder


def test_score_lists_refused_gold_first_with_reasons(faulty: Path) -> None:
    done = score(faulty, [RIGHT, {"item": "chase:4", "answer": "Sleeps(tom)"}])
    assert done.exit_code == 1
    first, purrs, chases, runs, *_ = done.stdout.splitlines()
    assert first == "pets: 3 of 11 gold rows refused; no model is asked about them"
    assert purrs.startswith("  chase:4: unknown_symbol: predicate 'Purrs' is not in the signature")
    assert "; correct the formula, or the ontology" in purrs
    assert chases.startswith("  chase:5: wrong_arity: ")
    assert runs.startswith("  chase:6: ")
    assert "not used: 1 (refused item), the first: " in done.stdout
    assert "the dataset refuses its gold row: unknown_symbol: predicate 'Purrs'" in done.stdout
    assert "did you mean" not in done.stdout
    assert "1 of 11" in done.stdout
    assert score(faulty, [RIGHT], "--allow-refused").exit_code == 0


def test_score_json_contains_refused_gold(faulty: Path) -> None:
    done = score(faulty, [RIGHT], "--json")
    assert done.exit_code == 1
    found = json.loads(done.stdout)
    assert [(row["item"], row["story"], row["reason"]) for row in found["refused_gold"]][:2] == [
        ("chase:4", "chase", "unknown_symbol"),
        ("chase:5", "chase", "wrong_arity"),
    ]
    assert {row["available"] for row in found["summary"]} == {11}


def test_score_reports_problem_label_contradicting_formulas(folder: Path) -> None:
    right = {"statements": ["Bob is cold."], "question": "Bob is cold.", "answer": "A"}
    rows = [right | {"formulas": ["Cold(bob)", query]} for query in ("Cold(bob)", "¬Cold(bob)")]
    (folder / "problems.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    answers = [{"item": "1", "answer": "A"}, {"item": "2", "answer": "A"}]
    done = score(folder, answers, "--dataset", "problems.jsonl", "--task", "question_answering")
    assert done.exit_code == 1, done.stderr
    assert done.stdout.startswith("problems: 1 of 2 gold rows refused; no model is asked about them\n  2: label_not_")
    assert "the dataset refuses its gold row: label_not_derived" in done.stdout


@pytest.mark.parametrize(
    ("answer", "form"),
    [
        ("Cube(b)", "formula"),
        ("∀x (Cube(x) → Small(x))", "formula"),
        (3, "choice"),
        (" 3 ", "choice"),
        ([2, 1], "order"),
        ("2, 1, 3", "order"),
        ("[2 1 3]", "order"),
        ("Yes", "verdict"),
        ("unknown", "label"),
        ({"reasoning": "", "answer": [1, 2]}, "order"),
        ('{"answer": 2}', "choice"),
        ('{"lines": [], "query": ""}', "program"),
        ("{", "other"),
        (PROGRAM, "program"),
        (None, "label"),
    ],
)
def test_answer_form_is_recognized(answer: Any, form: str) -> None:
    assert form_of(AnswerRow(place="line 1", item="1", answer=answer)) == form


@pytest.mark.parametrize(
    ("rows", "options", "named"),
    [
        ([UNKNOWN], (), "mine.jsonl: no row for logical_translation on pets can be used: item 'pest:0'"),
        ([RIGHT, RIGHT], (), "two answers to one question: line 1 and line 2"),
        ([RIGHT], ("--task", "rankin"), "pets has no task rankin (did you mean ranking?)"),
        ([RIGHT], ("--task", "program"), "pets has no task program"),
        ([RIGHT], ("--language", "clauses"), "logical_translation has none"),
        ([RIGHT], ("--dataset", "tarsky"), "no dataset tarsky (did you mean tarski?)"),
        ([RIGHT | {"dataset": "other"}], (), "no answer is about logical_translation on pets"),
        ([{"id": "pets:0"}], (), "no column 'item'"),
    ],
)
def test_score_refuses_unusable_rows_and_options(
    folder: Path, rows: list[dict[str, Any]], options: tuple[str, ...], named: str
) -> None:
    done = score(folder, rows, *options)
    assert done.exit_code == 2
    assert named in " ".join(done.stderr.replace("│", " ").split())


def test_missing_answer_file_is_named(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["score", str(tmp_path / "absent.jsonl")], env={"COLUMNS": "500"})
    assert done.exit_code == 2
    assert "absent.jsonl' does not exist" in done.stderr
