"""``nlfol audit --problems --sheet`` and ``--ratings``: forms for people, and what they filled in."""

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa
from tests.unit.cli.rows import rows_of, run, usage_error

from nlfol.datasets.entries.problems import shipped_forms
from nlfol.diversification import Settings, diversify
from nlfol.problems.families import generate
from nlfol.statistics.agreement import agreement, cohen_kappa
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


def kappa_of(first: Sequence[int], second: Sequence[int], *, weighted: bool) -> float:
    """As another library has it."""
    table = np.zeros((5, 5))
    for one, other in zip(first, second, strict=True):
        table[one - 1, other - 1] += 1
    return float(cohens_kappa(table, wt="quadratic" if weighted else None, return_results=False))


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


def test_means_and_kappas_are_of_all_raters(pairs: Path) -> None:
    scales = {"one": (5, 4, 3, 5, 1), "two": (5, 4, 4, 5, 2), "three": (5, 5, 3, 4, 1)}
    # A spreadsheet elsewhere separates by semicolons.
    marks = {"one": ",", "two": ";", "three": "\t"}
    paths = [sheet(pairs, f"{name}.csv", all_of(*scale), delimiter=marks[name]) for name, scale in scales.items()]
    limit = csv.field_size_limit()
    row = audit(*(part for path in paths for part in ("--ratings", str(path))))
    assert csv.field_size_limit() == limit, "that of the whole process"
    assert [(each["rater"], each["rated"], each["unrated"]) for each in row["raters"]] == [
        (name, 20, 0) for name in scales
    ]
    assert row["faults"] == []
    assert row["answers"] is None
    ratings = [[scale[place % 5] for place in range(20)] for scale in scales.values()]
    found = row["ratings"]["clarity"]
    assert found["mean"] == pytest.approx(sum(map(sum, ratings)) / 60)
    assert found["low"] < found["mean"] < found["high"] <= 5
    together = [(ratings[0], ratings[1]), (ratings[0], ratings[2]), (ratings[1], ratings[2])]
    for name, weighted in (("kappa", False), ("weighted_kappa", True)):
        expected = sum(kappa_of(*each, weighted=weighted) for each in together) / 3
        assert row["ratings"]["rating"][name] == pytest.approx(expected)
        assert found[name] == pytest.approx(expected)
    assert found["pairs_of_raters"] == 3


def test_answers_in_both_wordings_are_counted_as_in_table_5_of_solt(pairs: Path) -> None:
    answers = [("A", "true"), ("true", "B"), ("C", "A"), ("False", "unknown"), ("a", "TRUE"), ("", "")]

    def fill(rows: list[dict[str, str]]) -> None:
        for row, (original, rewritten) in zip(rows, answers, strict=False):
            row |= {"answer_original": original, "answer_rewritten": rewritten}

    path = sheet(pairs, "ada.csv", fill)
    row = audit(str(pairs), "--ratings", str(path))
    assert row["raters"] == [{"rater": "ada", "rated": 0, "unrated": 20, "means": dict.fromkeys(CRITERIA)}]
    counts = {"both": 2, "original_only": 1, "rewritten_only": 1, "neither": 1}
    kappa = agreement([1, 1, 0, 0, 1], [1, 0, 1, 0, 1]).kappa
    assert row["answers"] == {"answers": 5, **counts, "kappa": kappa}
    assert row["ratings"]["clarity"]["mean"] is None
    (fault, *_) = audit("--ratings", str(path))["faults"]
    assert fault == {
        "file": str(path),
        "row": 2,
        "error": "there are answers; name the file of problems, so that they can be judged",
    }


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


def test_answers_of_two_sheets_are_compared_problem_by_problem(apart: list[Path], pairs: Path) -> None:
    fill(apart[0], "A", "B", "true", "A", "A", "C", "")
    fill(apart[1], "B", "A", "A", "perhaps", "C", "a", "A")
    row = audit(str(pairs), *(part for path in apart for part in ("--ratings", str(path))))
    assert row["answers"] is None
    assert row["raters"] == []
    found = row["apart"]
    counts = ("problems", "answers", "right", "unanswered")
    assert [found["original"][name] for name in counts] == [5, 5, 5, 1]
    assert [found["rewritten"][name] for name in counts] == [7, 7, 3, 0]
    assert found["rewritten"]["mean"] == pytest.approx(3 / 7)
    assert found["rewritten"]["low"] < 3 / 7 < found["rewritten"]["high"]
    # Problems 1, 2, 3, 5 and 6 of the sheets have both answers.
    assert (found["problems"], found["drop"]) == (5, pytest.approx(4 / 5))
    assert found["low"] < 4 / 5 < found["high"]
    (fault,) = row["faults"]
    assert (fault["file"], fault["row"]) == (str(apart[1]), 5)
    assert fault["error"] == "answer is 'perhaps'; give one of A, B, C, true, false, unknown, or leave it empty"


def test_nobody_answers_both_wordings(apart: list[Path], pairs: Path) -> None:
    fill(apart[0], *"AAAAAAA")
    again = apart[0].with_name("again.csv")
    rows = [{**row, "rater": "ann", "wording": "3" if row["wording"] == "1" else "1"} for row in written(apart[1])]
    with again.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    faults = audit(str(pairs), "--ratings", str(apart[0]), "--ratings", str(again))["faults"]
    assert len(faults) == 7
    assert all("ann has rated" in fault["error"] for fault in faults)
    (first, *_) = audit(str(pairs), "--ratings", str(again))["faults"]
    assert first["error"] == "wording is '3'; copy 1 or 2 from the sheet as it was written"


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"clarity": "6"}, "clarity is '6'; give a whole number from 1 to 5"),
        ({"clarity": "", "answer_invariance": "4.5"}, "answer_invariance is '4.5', clarity is empty; give a whole"),
        ({"id": "99"}, "id '99' is of no problem in the file of problems"),
        ({"id": ""}, "id is empty; copy it from the sheet"),
        ({"answer_original": "maybe"}, "answer_original is 'maybe'; give one of A, B, C, true, false, unknown"),
        ({"answer_original": "A"}, "answer_rewritten is empty; give one of"),
    ],
)
def test_faults_name_the_file_the_row_and_the_remedy_and_leave_the_others(
    pairs: Path, cells: dict[str, str], message: str
) -> None:
    def fill(rows: list[dict[str, str]]) -> None:
        all_of(4)(rows)
        rows[1].update(cells)

    path = sheet(pairs, "ada.csv", fill, count=4)
    row = audit(str(pairs), "--ratings", str(path))
    (fault,) = row["faults"]
    assert (fault["file"], fault["row"]) == (str(path), 3)
    assert fault["error"].startswith(message)
    rated = 4 if "answer_original" in cells else 3
    assert (row["raters"][0]["rated"], row["ratings"]["rating"]["mean"]) == (rated, 4)


def test_a_rater_rates_a_problem_once(pairs: Path) -> None:
    def named(rows: list[dict[str, str]]) -> None:
        all_of(4)(rows)
        for row in rows:
            row["rater"] = "ada"

    paths = [sheet(pairs, name, named, count=2) for name in ("a.csv", "b.csv")]
    row = audit("--ratings", str(paths[0]), "--ratings", str(paths[1]))
    assert [fault["row"] for fault in row["faults"]] == [2, 3]
    assert "ada has rated" in row["faults"][0]["error"]
    assert "delete one, or fill in 'rater'" in row["faults"][0]["error"]


def test_what_is_no_sheet_and_options_that_do_not_go_together_are_errors(pairs: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("id,clarity\n1,2\n")
    (tmp_path / "odd.csv").write_bytes(b"id,\xff\n")
    for options, message in (
        (("--problems", "--ratings", str(other)), "no column semantic_equivalence, reasoning_preserved,"),
        (("--problems", "--ratings", str(tmp_path / "odd.csv")), "save it as CSV in UTF-8"),
        (("--problems", "--ratings", str(tmp_path / "none.csv")), "save it as CSV in UTF-8"),
        (("--ratings", str(other)), "are for --problems, one at a time"),
        (("--problems", str(pairs), "--ratings", str(other), "--sheet", "x"), "are for --problems, one at a time"),
    ):
        assert message in usage_error("audit", *options)
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


@pytest.mark.parametrize("weighted", [False, True])
def test_kappa_is_as_another_library_has_it(weighted: bool) -> None:
    for first, second in (([1, 2, 3, 5], [1, 2, 4, 4]), ([1, 1, 2], [2, 2, 1]), ([5, 4, 4, 4], [5, 5, 5, 5])):
        expected = kappa_of(first, second, weighted=weighted)
        assert cohen_kappa(first, second, weighted=weighted) == pytest.approx(expected)
    assert cohen_kappa([3, 3], [3, 3], weighted=weighted) is None
    right = [1, 0, 1, 1], [1, 1, 0, 1]
    assert cohen_kappa(*right, weighted=weighted) == pytest.approx(agreement(*right).kappa)
