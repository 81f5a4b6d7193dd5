"""``nlfol diff``: what changed between two runs."""

import base64
import gzip
import json
import re
from pathlib import Path

import pytest
import typer
from tests.examples import ROOT
from tests.once import once
from tests.unit.cli.rows import process
from tests.unit.extras.finished_runs import finished, judged

from nlfol.results.tables.table import Score
from nlfol.store import files, schemas
from nlfol.store.files import StoreError
from nlfol.store.origins import metadata_at
from nlfol_extras.commands.command import diff as command
from nlfol_extras.commands.diff import diff, lines
from nlfol_extras.commands.runs import compared, named, set_ups

RIGHT = {"w01:0": "∀x (Cube(x) → ¬Larger(x, b))", "w01:1": "¬Cube(b) ∧ ¬Cube(c)"}
WRONG = {"w01:0": "∀x (Cube(x) ∧ ¬Larger(x, b))", "w01:1": "no formula at all"}


def test_diff_tells_changed_items_with_their_boards(tmp_path: Path) -> None:
    before, after = judged(tmp_path / "before", WRONG), judged(tmp_path / "after", RIGHT)
    found = diff(before, after)
    (question,) = found.questions
    assert (question["before"], question["after"], question["better"], question["worse"]) == (0.0, 1.0, 2, 0)
    first, second = question["changes"]
    assert (first["answer_before"], first["answer_after"]) == (WRONG["w01:0"], RIGHT["w01:0"])
    assert first["wrong"] == "stronger, conjunction under forall"
    assert "in row" in str(first["board"])
    assert (second["wrong"], second["board"]) == ("unparsable", None)
    assert "unchanged: 0 of 1 questions" in list(lines(found, 1))


def test_diff_of_a_run_and_itself_is_empty(tmp_path: Path) -> None:
    run = judged(tmp_path / "run", WRONG)
    (question,) = diff(run, run).questions
    assert (question["items"], question["changes"], question["difference"]) == (2, [], 0.0)
    done = process("diff", str(run), str(run))
    assert (done.returncode, done.stdout) == (0, "unchanged: 1 of 1 questions\n"), done.stderr


def test_diff_compares_no_items_whose_content_changed(tmp_path: Path) -> None:
    before, after = judged(tmp_path / "before", RIGHT), judged(tmp_path / "after", RIGHT)
    path = after / "items/tarski/logical_translation.arrow"
    rows = files.rows(path, schemas.ItemRow)
    rows[0]["formula"] = "∀x Cube(x)"
    files.write(path, schemas.ITEMS, rows, {"dataset": "tarski", "task": "logical_translation"})
    (question,) = diff(before, after).questions
    assert (question["items"], question["other_content"]) == (1, 1)


def test_diff_pairs_models_by_name_or_as_told(tmp_path: Path) -> None:
    before, after = judged(tmp_path / "before", WRONG, "old"), judged(tmp_path / "after", RIGHT, "new")
    with pytest.raises(StoreError, match="no question in common; name models that are one as OLD=NEW"):
        diff(before, after)
    (question,) = diff(before, after, {"old": "new"}).questions
    assert (question["model"], question["better"]) == ("old", 2)


def test_diff_leaves_references_out(tmp_path: Path) -> None:
    run = judged(tmp_path / "run", RIGHT, "chance", kind="chance")
    with pytest.raises(StoreError, match="no scores of models"):
        diff(run, run)


GOLD = {
    row["item"]: row["answer"]
    for row in map(json.loads, (ROOT / "resources/answers/second_reading/tarski.jsonl").open(encoding="utf-8"))
}
FORTY = list(GOLD.items())[:40]


def translated(wrong: int) -> dict[str, str]:
    """Answers to 40 sentences, of which the first of each story are wrong until there are so many."""
    missed = sorted(range(40), key=lambda place: (place % 8, place))[:wrong]
    return {item: "∀x Cube(x)" if place in missed else answer for place, (item, answer) in enumerate(FORTY)}


@pytest.fixture(scope="session")
def three_runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Runs of one model that gets better, of which the last has another text for a sentence and a second model."""

    def make(folder: Path) -> dict[str, Path]:
        runs: dict[str, Path] = {}
        for name, wrong in (("first", 25), ("second", 12), ("third", 10)):
            others = {"late": ("chat", translated(0))} if name == "third" else {}
            (folder / name).mkdir()
            runs[name] = finished(folder / name / "results", {"m": ("chat", translated(wrong)), **others})
        items = runs["third"] / "items/tarski/logical_translation.arrow"
        rows = files.rows(items, schemas.ItemRow)
        rows[0]["text"] = "No cube is as large as b."
        files.write(items, schemas.ITEMS, rows, metadata_at(items))
        return runs

    return once(tmp_path_factory, "three_runs", make)


def test_runs_stand_beside_one_another_with_differences_of_equal_items(three_runs: dict[str, Path]) -> None:
    table = compared(three_runs)
    names = [column.name for column in table.columns]
    late, m = sorted([dict(zip(names, row, strict=True)) for row in table.rows], key=lambda row: str(row["model"]))
    scores = [cell.mean for name in three_runs if isinstance(cell := m[f"score: {name}"], Score)]
    assert scores == pytest.approx([15 / 40, 28 / 40, 30 / 40])
    assert (m["items: second"], m["items: third"]) == (40, 39)
    changed = m["difference: second"], m["difference: third"]
    assert [cell.best for cell in changed if isinstance(cell, Score)] == [True, False]
    assert (late["score: first"], late["difference: third"]) == (None, None)


def test_p_of_all_runs_are_adjusted_together(three_runs: dict[str, Path]) -> None:
    table = compared(three_runs)
    place = [column.name for column in table.columns].index("adjusted: second")
    (alone,) = diff(three_runs["first"], three_runs["second"]).questions
    assert table.rows[0][place] == pytest.approx(2 * alone["p"])


def test_set_ups_tell_what_differs_and_nothing_else(three_runs: dict[str, Path]) -> None:
    rows = {row[0]: row[1:] for row in set_ups(three_runs).rows}
    assert set(rows) == {"configuration · models · late", "models · late"}
    assert rows["models · late"] == (None, None, f"model late@{'cd' * 32}")


def test_page_of_runs_has_every_answer_and_changed_items_apart(three_runs: dict[str, Path], tmp_path: Path) -> None:
    done = process("diff", *map(str, three_runs.values()), "-o", str(tmp_path))
    assert (done.returncode, done.stdout) == (0, f"{tmp_path}/report/index.html written\n"), done.stderr
    page = (tmp_path / "report/index.html").read_text(encoding="utf-8")
    data = re.search(r'id="data-items">([^<]+)<', page)
    assert data is not None
    items = json.loads(gzip.decompress(base64.b64decode(data[1])))
    assert len(items["answers"]["entry"]) == 160
    assert {"m (first)", "m (second)", "m (third)", "late (third)", "tarski (third)"} <= set(items["texts"])
    assert "model=m+%28first%29&amp;model=m+%28second%29&amp;common=model" in page
    assert (tmp_path / "tables/set_up.csv").read_text(encoding="utf-8").startswith("key,run: first,")


def test_runs_have_names_that_differ(three_runs: dict[str, Path], tmp_path: Path) -> None:
    assert list(named([*three_runs.values()])) == ["first", "second", "third"]
    assert list(named([tmp_path / "a/run/results", tmp_path / "b/run/results"])) == ["run 1", "run 2"]


def test_diff_of_one_run_is_refused(three_runs: dict[str, Path]) -> None:
    with pytest.raises(typer.BadParameter, match="name two runs or more"):
        command([three_runs["first"]])
