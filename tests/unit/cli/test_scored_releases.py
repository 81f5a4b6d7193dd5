"""``nlfol score`` of files as others release them: their forms, and the items that their rows are about."""

import json
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from tests.examples import ROOT
from typer.testing import CliRunner, Result

from nlfol.asking.answer_files import AnswerFileError, read_answer_file
from nlfol.cli.main import app
from nlfol.store.records import SourceError

NAMES = ("Ann", "Bob", "Cyd", "Dan")
SHARED = ROOT.parent / "shared/data"


def problem(number: int, **changes: Any) -> dict[str, Any]:
    name = NAMES[number]
    context = f"{name} is cold. All cold people are kind."
    return {
        "item": str(number),
        "context": context,
        "question": f"Is it true? {name} is kind.",
        "answer": "A",
        **changes,
    }


def program(number: int, *, right: bool = True) -> str:
    said = NAMES[number].lower()
    return f"Premises:\nCold({said})\n∀x (Cold(x) → Kind(x))\nConclusion:\n{'Kind' if right else 'Cold'}({said})"


def record(number: int, name: str | None = None, **changes: Any) -> dict[str, Any]:
    same = {key: value for key, value in problem(number).items() if key in ("context", "question", "answer")}
    return {"id": name or f"Toy_dev_{number}", **same, "raw_logic_programs": [program(number)], **changes}


def score(folder: Path, answers: Any, problems: Any = None, *options: str) -> Result:
    given = [problem(number) for number in range(4)] if problems is None else problems
    (folder / "toy.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in given), encoding="utf-8")
    (folder / "mine.json").write_text(json.dumps(answers), encoding="utf-8")
    with chdir(folder):
        return CliRunner().invoke(app, ["score", "mine.json", "--dataset", "toy.jsonl", *options])


def scored(folder: Path, answers: Any, problems: Any = None) -> dict[str, Any]:
    done = score(folder, answers, problems, "--json", "--allow-refused")
    assert done.exit_code == 0, done.output
    values: dict[str, Any] = json.loads(done.stdout)
    return values


def placed(values: Mapping[str, Any]) -> dict[str, bool]:
    return {answer["item"]: answer["scores"]["right"] == 1 for answer in values["answers"]}


ALL = dict.fromkeys("0123", True)


def test_logic_lm_records_are_found_by_their_texts(tmp_path: Path) -> None:
    values = scored(tmp_path, [record(number) for number in range(4)])
    assert placed(values) == ALL
    assert values["located"] == "items were found by their texts; their numbers are those of the rows"


def test_records_of_another_numbering_are_never_misaligned(tmp_path: Path) -> None:
    """Every program is right for one problem alone; each number but the last is that of another problem."""
    rows = [record(number, str(number + 1)) for number in range(4)]
    assert placed(scored(tmp_path, rows)) == ALL
    other = [record(number, str(number + 1), context="Eve is old.") for number in range(4)]
    values = scored(tmp_path, [*rows[:2], other[2]])
    assert placed(values) == {"0": True, "1": True}
    assert [row["detail"] for row in values["refused"]] == [
        "mine.json, row 3: no usable item of the dataset has its text"
    ]


def test_rows_of_another_edition_are_counted(tmp_path: Path) -> None:
    long = " It is a long winter in a large town by the sea, and few of its people go out after dark in these months."
    given = [problem(number, context=problem(number)["context"] + long) for number in range(4)]
    rows = [record(number, context=given[number]["context"]) for number in range(4)]
    rows[2]["context"] = rows[2]["context"].replace("sea", "see")
    values = scored(tmp_path, rows, given)
    assert placed(values) == ALL
    assert "1 of 4 rows differ from their items' texts in a few letters: Toy_dev_2" in values["located"]


def test_text_of_two_items_is_decided_by_name_or_refused(tmp_path: Path) -> None:
    twins = [problem(0), problem(1), problem(0, item="2")]
    named = [record(1), record(0, "2")]
    assert placed(scored(tmp_path, named, twins)) == {"1": True, "2": True}
    values = scored(tmp_path, [record(1), record(0)], twins)
    assert placed(values) == {"1": True}
    assert "its text fits the items 0, 2; name one of them" in values["refused"][0]["detail"]


def test_options_tell_problems_of_one_text_apart(tmp_path: Path) -> None:
    options = [["A) True", "B) False"], ["A) True", "B) False", "C) Unknown"]]
    twins = [problem(0, options=options[0]), problem(0, item="1", options=options[1])]
    assert placed(scored(tmp_path, [record(0, "x", options=options[1])], twins)) == {"1": True}


def test_row_of_twin_outside_sample_is_refused(tmp_path: Path) -> None:
    """Problems of one text have other options; where one alone was sampled, the other's rows are not its."""
    sampled = [problem(0, options=["A) True", "B) False"]), problem(1)]
    twin = {"options": ["A) Warm", "B) Cool"]}
    for rows in (
        [record(0, "0"), record(1, "1"), record(0, "2")],
        [record(0, "2", **twin), record(1, "1")],
        [record(0, "2", **twin), record(0, "0", options=["A) True", "B) False"]), record(1, "1")],
    ):
        values = scored(tmp_path, rows, sampled)
        assert [row["item"] for row in values["refused"]] == ["2"]
        assert placed(values) == {row["id"]: True for row in rows if row["id"] != "2"}


def test_answer_to_problem_refused_by_reading_says_why(tmp_path: Path) -> None:
    formulas = ["Cold(ann)", "∀x (Cold(x) → Kind(x))", "¬Kind(ann)"]
    given = [problem(0, statements=["Ann is cold.", "All cold people are kind."], formulas=formulas)]
    given += [problem(number, statements=problem(number)["context"].split(". ")) for number in (1, 2)]
    values = scored(tmp_path, [record(number) for number in range(3)], given)
    assert values["refused"][0]["reason"] == "refused_item"
    assert "the dataset refuses its gold row: label_not_derived" in values["refused"][0]["detail"]
    assert "2 of 3" in score(tmp_path, [record(1), record(2)], given, "--allow-refused").stdout


def test_names_are_found_by_number_or_by_shift_of_all(tmp_path: Path) -> None:
    def rows(*names: str) -> list[dict[str, Any]]:
        return [{"item": name, "answer": program(number)} for number, name in enumerate(names)]

    values = scored(tmp_path, rows("toy_0", "toy_1"))
    assert (placed(values), values["located"]) == (
        {"0": True, "1": True},
        "items were found by the number in their names",
    )
    values = scored(tmp_path, rows("1", "2", "3", "4"))
    assert placed(values) == ALL
    assert values["located"].startswith("items were found: subtract 1 from the numbers of all 4 rows")
    # One wrong name of three is no shift.
    values = scored(tmp_path, [{"item": name, "answer": program(int(name) - 1)} for name in ("2", "3", "4")])
    assert [row["item"] for row in values["refused"]] == ["4"]


def test_linc_draws_are_seeds_found_by_repeated_text(tmp_path: Path) -> None:
    def draw(number: int, name: str) -> str:
        lines = (f"{name} is cold.", f"Cold({name})"), ("All cold people are kind.", "all x. (Cold(x) -> Kind(x))")
        pairs = (*lines, (f"{name} is kind.", f"Kind({name})"))
        return "".join(f"TEXT:\t{sentence}\nFOL:\t{formula}\n" for sentence, formula in pairs)

    # The second problem is not in the file, so places do not name items; a draw misspells its text.
    file = [[draw(0, "Ann"), draw(0, "Ann"), draw(0, "An")], [draw(2, "Cyd"), "TEXT:\tCyd", draw(2, "Cyd")]]
    file.append([draw(0, "Eve")] * 3)
    values = scored(tmp_path, file)
    assert sorted((row["item"], row["seed"], row["scores"]["right"]) for row in values["answers"]) == [
        *(("0", seed, 1.0) for seed in range(3)),
        *(("2", 0, 1.0), ("2", 1, 0.0), ("2", 2, 1.0)),
    ]
    assert len(values["refused"]) == 3


def test_table_of_premises_and_conclusion_is_program(tmp_path: Path) -> None:
    gold = {"premises-FOL": "Old(x)", "conclusion-FOL": "Old(x)"}
    told = {"premises": "Ann is cold.\nAll cold people are kind.", "conclusion": "Ann is kind."}
    own = {"llm_premises-FOL": "Cold(ann)\nall x (Cold(x) -> Kind(x))", "llm_conclusion-FOL": "Kind(ann)"}
    assert placed(scored(tmp_path, [{"story_id": 3, **gold, **told, **own}])) == {"0": True}
    bare = {"id": "1", "premises": ["Cold(bob)", "all x (Cold(x) -> Kind(x))"], "conclusion": "Kind(bob)"}
    assert placed(scored(tmp_path, [bare])) == {"1": True}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", r"mine\.json: not JSON"),
        ('{"model": "m"}', r"mine\.json: not a JSON array"),
        ("[[1]]", r"mine\.json: a list of lists that do not hold texts"),
        ('[{"id": "a", "raw_logic_programs": [1]}]', r"row 1: 'raw_logic_programs' is no text and no list of texts"),
    ],
)
def test_damaged_release_names_its_place(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "mine.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SourceError, match=message):
        read_answer_file(path)


def test_record_twice_is_error(tmp_path: Path) -> None:
    done = score(tmp_path, [record(0), record(1), record(0)])
    assert done.exit_code
    assert "two answers to one question: row 1 and row 3" in done.stderr
    assert issubclass(AnswerFileError, SourceError)


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs released programs")
@pytest.mark.parametrize(
    ("dataset", "file", "right"),
    [("logical_deduction", "LogicalDeduction", 0.657), ("prontoqa", "ProntoQA", 0.568)],
)
def test_published_accuracy_is_reproduced(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, dataset: str, file: str, right: float
) -> None:
    monkeypatch.setenv("NLFOL_DATA", str(SHARED))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    answers = SHARED / f"programs/logic_lm/{file}_dev_gpt-3.5-turbo.json"
    done = CliRunner().invoke(app, ["score", str(answers), "--dataset", dataset, "--json"])
    cells = json.loads(done.stdout)["summary"]
    assert {cell["metric"]: round(cell["mean"], 3) for cell in cells}["right"] == right
