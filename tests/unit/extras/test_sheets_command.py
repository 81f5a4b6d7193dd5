"""``nlfol sheets``, as a user runs it."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.examples import family
from tests.unit.cli.rows import run
from tests.unit.tasks.problem_items import rows

from nlfol.problems import Problem
from nlfol.store import files, schemas
from nlfol.tasks.question_answering import QuestionAnswering, QuestionAnsweringEntry

TASK = "question_answering"
PROBLEMS = family("rules", 6)
RENAMED = tuple(replace(each, name=f"x{each.name}") for each in PROBLEMS)
OTHERS = tuple(replace(each, answer="AB"[each.answer == "A"]) for each in PROBLEMS)
RIGHT = {problem.name: problem.answer for problem in PROBLEMS}


def stored(
    folder: Path, dataset: str, problems: tuple[Problem, ...] = PROBLEMS, kind: str = "question_answering"
) -> str:
    path = folder / f"{dataset}.arrow"
    items = rows(problems, QuestionAnswering(QuestionAnsweringEntry()))
    files.write(path, schemas.ITEMS, items, {"dataset": dataset, "task": "qa", "task_kind": kind})
    return str(path)


def given_out(folder: Path) -> tuple[str, str, list[Path]]:
    first, second = stored(folder, "rules"), stored(folder, "varied")
    assert run("sheets", first, second, "--output", str(folder), "--seed", "3").exit_code == 0
    return first, second, [folder / "group_1.csv", folder / "group_2.csv"]


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def fill(path: Path, answers: dict[tuple[str, str], str]) -> None:
    given = [row | {"answer": answers.get((row["dataset"], row["item"]), "")} for row in read(path)]
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.DictWriter(file, given[0].keys())
        lines.writeheader()
        lines.writerows(given)


def test_each_group_reads_every_problem_in_one_wording(tmp_path: Path) -> None:
    *_, paths = given_out(tmp_path)
    sheets = [read(path) for path in paths]
    assert [sorted(row["item"] for row in sheet) for sheet in sheets] == [sorted(RIGHT)] * 2
    wordings = [{row["item"]: row["dataset"] for row in sheet} for sheet in sheets]
    assert all(wordings[0][item] != wordings[1][item] for item in RIGHT)
    assert sorted(wordings[0].values()) == ["rules"] * 3 + ["varied"] * 3
    assert not any(row["answer"] or not row["text"] or "A) " not in row["options"] for row in sheets[0])


def test_filled_sheets_are_counted_by_wording(tmp_path: Path) -> None:
    first, second, paths = given_out(tmp_path)
    one, two, three, four, five, _ = RIGHT
    wrong = {item: next(letter for letter in "ABC" if letter != answer) for item, answer in RIGHT.items()}
    original = {one: RIGHT[one].lower(), two: f"{RIGHT[two]}) True", three: wrong[three], four: wrong[four], five: "?"}
    varied = {one: RIGHT[one], two: wrong[two], three: RIGHT[three], four: wrong[four], five: RIGHT[five]}
    answers = {("rules", item): answer for item, answer in original.items()}
    answers |= {("varied", item): answer for item, answer in varied.items()}
    for path in paths:
        fill(path, answers)
    counted = run("sheets", first, second, *(part for path in paths for part in ("--filled", str(path))))
    names = ("both_right", "original_only", "diversified_only", "neither", "unread", "unanswered")
    assert json.loads(counted.stdout) == dict.fromkeys(names, 1)
    doubled = run("sheets", first, second, "--filled", str(paths[0]), "--filled", str(paths[0]))
    assert doubled.exit_code == 2
    assert "a second answer" in doubled.output


@pytest.mark.parametrize(
    ("second", "arguments", "message"),
    [
        ({}, (), "--output"),
        ({"problems": ()}, ("--output", "sheets"), "no problems"),
        ({"kind": "ranking"}, ("--output", "sheets"), "no problems"),
        (
            {"problems": RENAMED},
            ("--output", "sheets"),
            "common",
        ),
        (
            {"problems": OTHERS},
            ("--output", "sheets"),
            "not the same problem",
        ),
    ],
)
def test_sheets_of_unusable_items_are_refused(
    tmp_path: Path, second: dict[str, object], arguments: tuple[str, ...], message: str
) -> None:
    paths = stored(tmp_path, "rules"), stored(tmp_path, "other", **second)  # type: ignore[arg-type]
    refused = run("sheets", *paths, *(str(tmp_path / part) if part == "sheets" else part for part in arguments))
    assert refused.exit_code == 2
    assert message in " ".join(refused.output.replace("│", "").split())
