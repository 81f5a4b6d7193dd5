"""``nlfol diff``: what changed between two runs."""

import json
from pathlib import Path

import pytest
from tests.unit.cli.rows import process

from nlfol.cli.scored import Wanted, score
from nlfol.store import files, schemas
from nlfol.store.files import StoreError
from nlfol_extras.commands.diff import diff, lines

RIGHT = {"w01:0": "∀x (Cube(x) → ¬Larger(x, b))", "w01:1": "¬Cube(b) ∧ ¬Cube(c)"}
WRONG = {"w01:0": "∀x (Cube(x) ∧ ¬Larger(x, b))", "w01:1": "no formula at all"}
DATASETS = {
    "tarski": {
        "reader": "table",
        "path": "resources/datasets/tarski/sentences.csv",
        "ontology": "resources/datasets/tarski/ontology.yaml",
    }
}


def results(folder: Path, answers: dict[str, str], model: str = "m", kind: str = "chat") -> Path:
    """Return a folder of results with the judged answers of a model."""
    folder.mkdir()
    written = folder / f"{model}.jsonl"
    rows = (json.dumps({"item": item, "answer": answer}) for item, answer in answers.items())
    written.write_text("\n".join(rows), encoding="utf-8")
    (made,) = score(Wanted(written, "tarski", DATASETS, 0, "logical_translation")).made
    task = {"dataset": "tarski", "task": "logical_translation"}
    about = {**task, "task_kind": "logical_translation", "protocol": "", "available": "208", "model": model}
    for path, schema, content in (
        ("items/tarski/logical_translation", schemas.ITEMS, made.items),
        (f"scores/tarski/logical_translation/{model}", schemas.SCORES, made.scores),
        ("evidence/tarski/logical_translation", schemas.EVIDENCE, made.evidence),
    ):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        files.write(folder / f"{path}.arrow", schema, content, {**about, "kind": kind})
    return folder


def test_diff_tells_changed_items_with_their_boards(tmp_path: Path) -> None:
    before, after = results(tmp_path / "before", WRONG), results(tmp_path / "after", RIGHT)
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
    run = results(tmp_path / "run", WRONG)
    (question,) = diff(run, run).questions
    assert (question["items"], question["changes"], question["difference"]) == (2, [], 0.0)
    done = process("diff", str(run), str(run))
    assert (done.returncode, done.stdout) == (0, "unchanged: 1 of 1 questions\n"), done.stderr


def test_diff_compares_no_items_whose_content_changed(tmp_path: Path) -> None:
    before, after = results(tmp_path / "before", RIGHT), results(tmp_path / "after", RIGHT)
    path = after / "items/tarski/logical_translation.arrow"
    rows = files.rows(path, schemas.ItemRow)
    rows[0]["formula"] = "∀x Cube(x)"
    files.write(path, schemas.ITEMS, rows, {"dataset": "tarski", "task": "logical_translation"})
    (question,) = diff(before, after).questions
    assert (question["items"], question["other_content"]) == (1, 1)


def test_diff_pairs_models_by_name_or_as_told(tmp_path: Path) -> None:
    before, after = results(tmp_path / "before", WRONG, "old"), results(tmp_path / "after", RIGHT, "new")
    with pytest.raises(StoreError, match="no question in common; name models that are one as OLD=NEW"):
        diff(before, after)
    (question,) = diff(before, after, {"old": "new"}).questions
    assert (question["model"], question["better"]) == ("old", 2)


def test_diff_leaves_references_out(tmp_path: Path) -> None:
    run = results(tmp_path / "run", RIGHT, "chance", kind="chance")
    with pytest.raises(StoreError, match="no scores of models"):
        diff(run, run)
