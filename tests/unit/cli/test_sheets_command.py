"""``nlfol audit --problems --sheet``: forms for people."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.unit.cli.rows import rows_of, run, usage_error

from nlfol.datasets.entries.problems import shipped_forms
from nlfol.diversification import Settings, diversify
from nlfol.problems.families import generate
from nlfol.store import files
from nlfol.store.problem_schemas import PROBLEMS
from nlfol.tasks.item import shown
from nlfol.tasks.rating import CRITERIA

TRUTHS = ["A) True", "B) False", "C) Unknown"]


def problem(statement: str, answer: str = "A") -> dict[str, Any]:
    return {"statements": [statement], "question": "Is Bob sad?", "options": TRUTHS, "answer": answer}


PAIRS = [
    {"id": number, "original": problem(f"Bob is sad, {number}."), "rewritten": problem(f"“Bob”, grieves;\n{number}.")}
    for number in range(20)
]
Edit = Callable[[list[dict[str, str]]], None]


def audit(*options: str, lines: str = "") -> dict[str, Any]:
    (row,) = rows_of(run("audit", "--problems", *options, lines=lines))
    return row


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(json.dumps(pair) + "\n" for pair in PAIRS), encoding="utf-8")
    return path


def written(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def sheet(pairs: Path, name: str, edit: Edit, *, delimiter: str = ",", count: int = 20) -> Path:
    path = pairs.with_name(name)
    audit(str(pairs), "--sheet", str(path), "--count", str(count))
    rows = written(path)
    edit(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    return path


def all_of(*ratings: int) -> Edit:
    def fill(rows: list[dict[str, str]]) -> None:
        for place, row in enumerate(rows):
            row.update(dict.fromkeys(CRITERIA, str(ratings[place % len(ratings)])))

    return fill


def test_a_sheet_is_a_sample_by_seed_without_the_answers(pairs: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.csv" for name in ("few", "many", "other")]
    said = audit(str(pairs), "--sheet", str(files[0]), "--count", "5")
    assert said == {"sheet": str(files[0]), "problems": 5, "of": 20, "unusable_lines": []}
    audit(str(pairs), "--sheet", str(files[1]), "--count", "9")
    audit(str(pairs), "--sheet", str(files[2]), "--count", "9", "--seed", "1")
    few, many, other = map(written, files)
    assert many[:5] == few
    assert many != other
    assert list(few[0]) == ["id", "rater", "original", "rewritten", *CRITERIA, "answer_original", "answer_rewritten"]
    for row in few:
        assert row["original"] == f"1. Bob is sad, {row['id']}.\nQuestion: Is Bob sad?"
        assert row["rewritten"] == f"1. “Bob”, grieves;\n{row['id']}.\nQuestion: Is Bob sad?"
        assert not any(value for name, value in row.items() if name not in ("id", "original", "rewritten"))
    assert "may be filled in" in usage_error("audit", "--problems", str(pairs), "--sheet", str(files[0]))


@pytest.fixture
def apart(pairs: Path, tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "ann.csv", tmp_path / "bob.csv"]
    said = audit(str(pairs), "--sheet", str(paths[0]), "--sheet", str(paths[1]), "--count", "7")
    assert said == {"sheets": [str(path) for path in paths], "problems": 7, "of": 20, "unusable_lines": []}
    return paths


def test_two_sheets_have_each_problem_in_one_wording_each(apart: list[Path], pairs: Path) -> None:
    one, other = map(written, apart)
    assert list(one[0]) == ["id", "rater", "wording", "problem", "answer"]
    assert [row["id"] for row in one] == [row["id"] for row in other]
    assert [row["wording"] for row in one] == ["1", "2", "1", "2", "1", "2", "1"]
    assert [row["wording"] for row in other] == ["2", "1", "2", "1", "2", "1", "2"]
    for row in (*one, *other):
        begins = {"1": "1. Bob is sad", "2": "1. “Bob”, grieves"}[row["wording"]]
        assert row["problem"].startswith(begins)
        assert f"\n{row['id']}." in row["problem"] or f", {row['id']}." in row["problem"]
        assert (row["rater"], row["answer"]) == ("", "")
    third = ("--sheet", str(apart[0]), "--sheet", "b.csv", "--sheet", "c.csv")
    assert "3 sheets" in usage_error("audit", "--problems", str(pairs), *third)
    new = apart[0].with_name("new.csv")
    assert "may be filled in" in usage_error(
        "audit", "--problems", str(pairs), "--sheet", str(new), "--sheet", str(apart[0])
    )
    assert not new.exists()


def fill(path: Path, *answers: str) -> None:
    rows = written(path)
    for row, answer in zip(rows, answers, strict=True):
        row["answer"] = answer
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def test_lines_without_problems_are_reported(tmp_path: Path) -> None:
    assert "--sheet is for --problems" in usage_error("audit", "--sheet", str(tmp_path / "x.csv"))
    lines = json.dumps(PAIRS[0]) + "\nnonsense\n" + json.dumps(PAIRS[0]) + '\n{"id": 3}\n'
    said = audit("--sheet", str(tmp_path / "new.csv"), lines=lines)
    assert said["problems"] == 1
    assert [each["line"] for each in said["unusable_lines"]] == [2, 3, 4]


def test_problems_of_a_run_are_audited_and_rated_as_they_lie_there(tmp_path: Path) -> None:
    folder = tmp_path / "results/datasets"
    lexicon = shipped_forms()
    originals = generate("rules", seed=5, count=4, lexicon=lexicon)
    varied = [diversify(original, lexicon, Settings(), "run").problem for original in originals]
    about = {"rules": '{"reader": "family"}', "varied": '{"reader": "diversified", "of": "rules"}'}
    for name, problems in (("rules", originals), ("varied", varied)):
        (folder / name).mkdir(parents=True)
        rows = [each.to_row() for each in problems]
        files.write(folder / name / "problems.arrow", PROBLEMS, rows, {"dataset": name, "entry": about[name]})
    path = folder / "varied/problems.arrow"
    assert rows_of(run("audit", "--problems", str(path))) == [
        {"id": each.name, "findings": [], "error": None} for each in originals
    ]
    assert audit(str(path), "--sheet", str(tmp_path / "sheet.csv"))["problems"] == 4
    texts = {row["id"]: (row["original"], row["rewritten"]) for row in written(tmp_path / "sheet.csv")}
    assert texts == {one.name: (shown(one), shown(other)) for one, other in zip(originals, varied, strict=True)}
    plain = str(folder / "rules/problems.arrow")
    assert "no problems in other words" in usage_error("audit", "--problems", plain)


def test_the_page_says_how_two_raters_agree(pairs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = pairs.parent
    sheet(pairs, "ada.csv", all_of(5, 4, 3, 5, 1))
    sheet(pairs, "ben.csv", all_of(5, 4, 4, 5, 2))
    page = (Path(__file__).parents[3] / "docs/console.md").read_text(encoding="utf-8")
    (program,) = [part.partition("```")[0] for part in page.split("```python\n") if "cohen_kappa_score" in part]
    program = program.replace('"ada.csv"', f'"{folder}/ada.csv"').replace('"ben.csv"', f'"{folder}/ben.csv"')
    exec(program, {})
    means, kappa = capsys.readouterr().out.splitlines()
    assert means == "3.6 4.0"
    assert 0.8 < float(kappa) < 1
