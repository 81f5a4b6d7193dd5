"""Readers of problems on files, ours and broken ones."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from nlfol.data.entries.problems import Problems
from nlfol.data.entry import read_problems_entry
from nlfol.problems import Evidence, Reason
from nlfol.store.records import SourceError

OPTIONS = ["A) True", "B) False", "C) Unknown"]
ASKED = "Is the following statement true, false, or unknown? "


def read(reader: str, path: Path, content: bytes | None = None, **keys: Any) -> Problems:
    if content is not None:
        path = path / "published"
        path.write_bytes(content)
    return read_problems_entry(json.dumps({"reader": reader, "path": str(path), **keys})).read(1)


def rows(*context_question_answer: tuple[str, str, str], options: list[str] | None = None) -> bytes:
    return json.dumps(
        [
            {
                "id": f"p{number}",
                "context": context,
                "question": question,
                "options": options or OPTIONS,
                "answer": answer,
            }
            for number, (context, question, answer) in enumerate(context_question_answer)
        ]
    ).encode()


def test_clause_problems_are_refused_with_reason(tmp_path: Path) -> None:
    file = rows(
        ("Bob is red. Red things are big.", f"{ASKED}Bob is big.", "A"),
        ("Bob is red. Red things are big.", f"{ASKED}Bob is big.", "B"),
        ("Bob is red. Red things are zany.", f"{ASKED}Bob is red.", "A"),
        ("Bob is red. Red things are big. Bob is not big.", f"{ASKED}Bob is red.", "A"),
        ("Bob is red.", f"{ASKED}All red things are big.", "C"),
        ("Bob is red.", f"{ASKED}Bob is big.", "C"),
    )
    problems = read("proofwriter", tmp_path, file).problems
    assert [problem.reason for problem in problems] == [
        None,
        Reason.LABEL_NOT_DERIVED,
        Reason.UNREAD,
        Reason.INCONSISTENT,
        Reason.UNREAD,
        None,
    ]
    assert (problems[0].evidence, problems[0].depth) == (Evidence.DERIVATION, 1)
    assert (problems[5].evidence, problems[5].depth) == (Evidence.NO_DERIVATION, 0)
    assert "column 16" in str(problems[2].detail)


def test_proofwriter_is_read_by_depth_and_keeps_refused(tmp_path: Path) -> None:
    file = rows(
        ("Bob is red. Red things are big.", f"{ASKED}Bob is red.", "A"),
        ("Bob is red. Red things are big.", f"{ASKED}Bob is big.", "A"),
        ("Bob is red. Red things are big. Big things are cold.", f"{ASKED}Bob is cold.", "A"),
        ("Bob is red. Red things are zany.", f"{ASKED}Bob is red.", "A"),
    )
    problems = read("proofwriter", tmp_path, file, depth=[1, 2]).problems
    assert [(problem.name, problem.depth) for problem in problems] == [("p1", 1), ("p2", 2), ("p3", None)]


def test_true_or_false_question_requires_derivation(tmp_path: Path) -> None:
    file = rows(("Max is a wumpus.", "Is the following statement true or false? Max is red.", "B"), options=OPTIONS[:2])
    (problem,) = read("prontoqa", tmp_path, file).problems
    assert problem.reason is Reason.LABEL_NOT_DERIVED


def test_constraint_problems_are_refused_with_reason(tmp_path: Path) -> None:
    intro = "On a shelf, there are three books: a red book, a blue book, and a gray book. "
    places = [
        f"{name}) The {color} book is the leftmost." for name, color in (("A", "red"), ("B", "blue"), ("C", "gray"))
    ]
    redundant = ["A) The red book is the leftmost.", "B) The red book is the third from the right."]
    first = "The red book is the leftmost."
    question = "Which of the following is true?"
    found = [
        read("logical_deduction", tmp_path, rows((intro + text, question, answer), options=options)).problems[0]
        for text, options, answer in (
            (first, places, "A"),
            (first, places, "B"),
            ("The red book is to the left of the blue book.", places, "A"),
            (f"{first} The red book is the rightmost.", places, "A"),
            (first, redundant, "A"),
            ("The red book is under the blue book.", places, "A"),
        )
    ]
    assert [problem.reason for problem in found] == [
        None,
        Reason.LABEL_NOT_DERIVED,
        Reason.LABEL_NOT_DERIVED,
        Reason.INCONSISTENT,
        Reason.SEVERAL_OPTIONS,
        Reason.UNREAD,
    ]
    assert found[0].depth == 1


def test_ar_lsat_reader_reads_five_options_without_program(tmp_path: Path) -> None:
    context = "Five lamps are lit one after another. The red lamp is lit before the blue one."
    options = ["A) The red lamp", "B) The blue lamp", "C) The green lamp", "D) The white lamp", "E) The gray lamp"]
    question = "Which lamp cannot be lit first?"
    (problem,) = read("ar_lsat", tmp_path, rows((context, question, "B"), options=options)).problems
    assert [statement.text for statement in problem.statements] == context.replace(". ", ".\n").split("\n")
    assert (problem.language, problem.evidence, problem.reason) == (None, Evidence.PUBLISHED, None)
    assert (problem.question.text, problem.answer_text) == (question, "The blue lamp")
    assert len(problem.options) == 5


def proverqa(**changed: Any) -> bytes:
    problem = {
        "id": 7,
        "context": "Keith hums. If Keith hums, then he smiles.",
        "question": f"{ASKED}Keith smiles.",
        "options": ["A) True", "B) False", "C) Uncertain"],
        "answer": "A",
        "nl2fol": {
            "If Keith hums, then he smiles.": "hums(Keith) → smiles(Keith)",
            "Keith hums.": "hums(Keith)",
            "Keith frowns.": "frowns(Keith)",
        },
        "conclusion_fol": "smiles(Keith)",
    }
    return json.dumps([problem | changed]).encode()


def test_proverqa_reader_attaches_formulas_to_sentences(tmp_path: Path) -> None:
    (problem,) = read("proverqa", tmp_path, proverqa()).problems
    assert [statement.line for statement in problem.statements] == ["hums(Keith)", "hums(Keith) → smiles(Keith)"]
    assert (problem.language, problem.evidence, problem.depth) == ("formulas", Evidence.PROOF, 2)


@pytest.mark.parametrize(
    ("changed", "reason", "detail"),
    [
        ({"context": "Keith hums. Keith dances."}, Reason.UNREAD, "no formula for 'Keith dances.'"),
        ({"answer": "C"}, Reason.LABEL_NOT_DERIVED, "the question is true; the label is C) Uncertain"),
        ({"conclusion_fol": "smiles(Keith"}, Reason.UNREAD, "the question"),
        ({"options": ["A) True", "B) Not at all"]}, Reason.UNREAD, "option B is 'Not at all'"),
        ({"conclusion_fol": "smiles(x)"}, Reason.OPEN_FORMULA, "no quantifier binds x"),
        ({"conclusion_fol": "smiles(Keith, Keith)"}, Reason.ARITY_CONFLICT, "smiles"),
        (
            {
                "context": "Keith hums. Keith hums not.",
                "nl2fol": {"Keith hums.": "hums(Keith)", "Keith hums not.": "¬hums(Keith)"},
            },
            Reason.INCONSISTENT,
            "no model",
        ),
    ],
)
def test_formula_problems_are_refused_with_reason(
    changed: dict[str, Any], reason: Reason, detail: str, tmp_path: Path
) -> None:
    (problem,) = read("proverqa", tmp_path, proverqa(**changed)).problems
    assert problem.reason is reason
    assert detail in str(problem.detail)


def test_folio_v2_reader_splits_formulas_by_line(tmp_path: Path) -> None:
    record = {
        "premises": "All men sing.\nBob is a man.",
        "premises-FOL": "∀x (Man(x) → Sing(x))\nMan(bob)",
        "conclusion": "Bob sings.",
        "conclusion-FOL": "Sing(bob)",
        "label": "True",
        "example_id": 1126,
    }
    (problem,) = read("folio_questions", tmp_path, json.dumps(record).encode()).problems
    assert (problem.name, problem.reason, problem.depth, problem.answer) == ("1126", None, 2, "A")


def test_folio_year_reads_as_constant(tmp_path: Path) -> None:
    record = {
        "premises": ["Ann was born in 1995."],
        "premises-FOL": ["BornIn(ann, y1995)"],
        "conclusion": "Someone was born in 1995.",
        "conclusion-FOL": "∃y1 BornIn(y1, y1995)",
        "label": "True",
    }
    (problem,) = read("folio_questions", tmp_path, json.dumps(record).encode()).problems
    assert (problem.reason, problem.question.line) == (None, "∃y1 BornIn(y1, y_1995)")


def test_folio_problem_with_unread_formulas_stays_answerable(tmp_path: Path) -> None:
    line = b'{"premises": ["All A are B."], "premises-FOL": ["x"], "conclusion": "C.", "label": "Unknown"}\n'
    (problem,) = read("folio_questions", tmp_path, line).problems
    assert (problem.language, problem.evidence, problem.answer_text) == (None, Evidence.PUBLISHED, "Uncertain")


TABLE = {
    "item": "one",
    "statements": ["All men sing.", "Bob is a man."],
    "question": "Bob sings.",
    "answer": "A",
    "formulas": ["∀x (Man(x) → Sing(x))", "Man(bob)", "Sing(bob)"],
}


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_problem_table_reads_from_jsonl_csv_and_parquet(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"problems.{ending}"
    lines = {key: "\n".join(value) if isinstance(value, list) else value for key, value in TABLE.items()}
    match ending:
        case "jsonl":
            path.write_text(json.dumps(TABLE | {"comment": "mine"}))
        case "csv":
            pl.DataFrame([lines | {"comment": "mine"}]).write_csv(path)
        case _:
            pl.DataFrame([TABLE | {"comment": "mine"}]).write_parquet(path)
    (problem,), notes = read("problems", path)
    assert (problem.name, problem.reason, problem.language, problem.depth) == ("one", None, "formulas", 2)
    assert notes == (f"{path}: the columns ['comment'] are not used",)


def test_year_in_table_formulas_reads_as_constant(tmp_path: Path) -> None:
    path = tmp_path / "problems.jsonl"
    formulas = ["∀x (Born(x, y1984) → Old(x))", "Born(ann, y1984)", "Old(ann)"]
    path.write_text(json.dumps(TABLE | {"formulas": formulas}))
    (problem,), _ = read("problems", path)
    assert [statement.line for statement in problem.statements] == [
        "∀x (Born(x, y_1984) → Old(x))",
        "Born(ann, y_1984)",
    ]


def test_problem_table_without_formulas_is_answerable(tmp_path: Path) -> None:
    path = tmp_path / "problems.jsonl"
    row = {"statements": "It rains.", "question": "Is it wet?", "options": ["A) Yes", "B) No"], "answer": "B"}
    path.write_text(json.dumps(row))
    (problem,), notes = read("problems", path)
    assert (problem.name, problem.language, problem.answer_text, notes) == ("1", None, "No", ())


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"answer": None}, "line 1: no 'answer'"),
        ({"answer": "D"}, "line 1: the answer 'D' is not one of A, B, C"),
        ({"options": ["A) Yes", "C) No"]}, "line 1: options A, C"),
        ({"statements": [1]}, "line 1: 'statements' is neither"),
        ({"question": 3.5}, "line 1: 'question' holds no text"),
    ],
)
def test_unusable_problem_table_raises_source_error(changed: dict[str, Any], message: str, tmp_path: Path) -> None:
    path = tmp_path / "problems.jsonl"
    path.write_text(json.dumps(TABLE | changed))
    with pytest.raises(SourceError, match=r"problems\.jsonl") as caught:
        read("problems", path)
    assert message in str(caught.value)


def test_unusable_problem_files_raise_source_error(tmp_path: Path) -> None:
    twice = tmp_path / "twice.jsonl"
    twice.write_text(f"{json.dumps(TABLE)}\n{json.dumps(TABLE)}\n")
    with pytest.raises(SourceError, match=r"twice\.jsonl: 2 rows have the item 'one'"):
        read("problems", twice)
    for file, message in (
        (b'[{"id": 1}]', "row 1: 'answer' holds no text"),
        (rows(("Bob is red.", "Bob is red.", "D")), "row 1: options A, B, C and answer 'D'"),
    ):
        with pytest.raises(SourceError) as caught:
            read("proofwriter", tmp_path, file)
        assert message in str(caught.value)
    with pytest.raises(SourceError, match="give the folder"):
        read("logieval", tmp_path, logic="pl")


def test_logieval_windows_1252_file_is_read_with_note(tmp_path: Path) -> None:
    folder = tmp_path / "d2_Data/pl"
    folder.mkdir(parents=True)
    sample = {"id": 3, "context": "It is 375°F. It is hot.", "question": "Is it hot?", "answer": "yes"}
    text = json.dumps({"samples": [sample]}, ensure_ascii=False)
    (folder / "MP.json").write_bytes(text.encode("cp1252"))
    (problem,), notes = read("logieval", tmp_path, logic="pl")
    assert (problem.name, problem.answer, problem.depth) == ("pl:d2:MP:3", "A", 2)
    assert [statement.text for statement in problem.statements] == ["It is 375°F.", "It is hot."]
    assert "read as Windows-1252" in notes[0]
    (folder / "MP.json").write_bytes(b"\x81")
    with pytest.raises(SourceError, match="neither UTF-8 nor Windows-1252"):
        read("logieval", tmp_path, logic="pl")
