"""The report on released programs, on files of the same form with programs of our own."""

import json
from pathlib import Path

import pytest
from benchmarks.program_judges import by_clingo, by_search, counted_clauses
from benchmarks.programs import LANGUAGES, MODELS, main
from tests.unit.programs.examples import ALL, clauses, constraints

from nlfol.programs.clauses import read_clauses
from nlfol.programs.constraints import read_constraints

OPTIONS = {
    "clauses": ["A) True", "B) False"],
    "constraints": ["A) one", "B) two", "C) three"],
    "formulas": ["A) True", "B) False", "C) Uncertain"],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for dataset, language in LANGUAGES.items():
        for model in MODELS:
            texts = {f"{dataset}_1": ALL[language], f"{dataset}_2": "I cannot say."}
            if language == "clauses":
                texts[f"{dataset}_3"] = clauses("P(a, True)\nP(a, False)", query="P(a, True)")
            rows = [
                {"id": name, "options": OPTIONS[language], "answer": "B", "raw_logic_programs": [text]}
                for name, text in texts.items()
            ]
            (tmp_path / f"{dataset}_dev_{model}.json").write_text(json.dumps(rows), encoding="utf-8")
    return tmp_path


def test_programs_are_executed_confirmed_and_listed_where_they_differ(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("clingo")
    pytest.importorskip("cvc5")
    main(["--programs", str(folder), "--mutations", "30"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:6] for line in lines[1:9:2]] == [
        ["ProntoQA", "gpt-3.5-turbo", "3", "1", "1", "229"],
        ["ProofWriter", "gpt-3.5-turbo", "3", "1", "1", "267"],
        ["LogicalDeduction", "gpt-3.5-turbo", "2", "1", "1", "194"],
        ["FOLIO", "gpt-3.5-turbo", "2", "0", "0", "101"],
    ]
    assert "answered 1, contradictory 1, unparsable 1" in lines[1]
    assert lines[9] == "8 of 8 cells miss the expected figure by more than 2%"
    assert "2 asked, 0 contradicted" in lines[10]
    (contradictory, *_) = (line for line in lines if "ProntoQA_3" in line)
    assert "ProntoQA_3: None, counted A, labelled B; contradictory: line 7: both P(a, True)" in contradictory
    assert contradictory.endswith("; confirmed")
    assert "ProntoQA, gpt-3.5-turbo: 1 differ: 1 confirmed, 0 contradicted, 0 not executed" in lines
    assert any(line.startswith("30 mutated programs") for line in lines)


def test_a_missing_file_is_an_error_that_names_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--programs", str(tmp_path)])
    assert "ProntoQA_dev_gpt-3.5-turbo.json" in capsys.readouterr().err


def test_second_engines_find_what_is_known() -> None:
    pytest.importorskip("clingo")
    rules = "E($x, $y, True) && E($y, $z, True) >>> E($x, $z, True)\nE($x, $x, True) >>> E($x, $x, False)"
    for query, expected in (("E(a, c, True)", (True, False)), ("E(c, a, True)", (False, False))):
        assert by_clingo(read_clauses(clauses("E(a, b, True)\nE(b, c, True)", rules, query))) == expected
    assert by_clingo(read_clauses(clauses("E(a, a, True)", rules, "E(a, a, False)"))) == (True, True)
    text = constraints("x [IN] [1..4]\ny [IN] [2, 4]", "x > y", "A) x > 2\nB) x == 4\nC) y == 4")
    assert by_search(read_constraints(text)) == {"A": "all", "B": "some", "C": "none"}
    assert by_search(read_constraints(constraints("x [IN] [1]", "x > 1", "A) x == 1"))) == {}


@pytest.mark.parametrize(
    ("program", "letter"),
    [
        (clauses("P(a, True)", "P($x, True) >>> Q($x, False)"), "B"),
        (clauses("P(a, True)", "P($x, True) >>> Q($x, True)"), "A"),
        (clauses("P(a)", "P($x, True) >>> Q($x, True)"), "C"),
        (clauses("P(a, True)", "P(a, True) >>> Q($x, True)"), None),
        (clauses("Q(a, True)\nQ(a, False)"), "A"),
        (clauses("It is cold."), None),
        ("Facts:\nQ(a, True)\nQuery:\nQ(a, True)", None),
    ],
)
def test_the_earlier_count_has_its_conventions(program: str, letter: str | None) -> None:
    assert counted_clauses(program, has_unknown=True, open_ends=True) == letter
