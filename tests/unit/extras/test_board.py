"""``nlfol submit`` and ``nlfol board``: what is refused, what counts as wrong, and the page."""

import json
import shutil
from collections.abc import Mapping, Sequence
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.workflow.checkout import ONTOLOGY, SENTENCES
from typer.testing import CliRunner, Result

import nlfol
from nlfol.cli.main import app
from nlfol.harnesses.questions import questions

GOLD = {
    "pets:0": "∀x (Cat(x) → Sleeps(x))",
    "pets:1": "∀x (Dog(x) → ¬Sleeps(x))",
    "pets:2": "Cat(tom) ∨ Dog(tom)",
    "pets:3": "Sleeps(tom)",
    "chase:0": "∃x (Dog(x) ∧ Chases(x, tom))",
    "chase:1": "Dog(rex) ∧ ∀x (Cat(x) → Chases(rex, x))",
    "chase:2": "∀x ∀y (Cat(x) ∧ Dog(y) → ¬Chases(x, y))",
    "chase:3": "Sleeps(rex) → ¬∃x (Dog(x) ∧ Chases(x, tom))",
}
ROWS = [{"item": item, "answer": formula} for item, formula in GOLD.items()]
OF_PETS = ("--dataset", "pets.csv", "--ontology", "pets.yaml")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a dataset of eight sentences."""
    (tmp_path / "pets.csv").write_text(SENTENCES, encoding="utf-8")
    (tmp_path / "pets.yaml").write_text(ONTOLOGY, encoding="utf-8")
    return tmp_path


def about(folder: Path, task: str = "logical_translation", **changes: Any) -> dict[str, Any]:
    """Return a description as its author writes it."""
    items = questions(task, str(folder / "pets.csv"), ontology=folder / "pets.yaml").version
    return {
        "name": "toy",
        "model": "someone/toy-1b",
        "revision": "0123abc",
        "served_by": "vLLM 0.32",
        "licence": "CC-BY-4.0",
        "date": "2026-05-01",
        "sampling": {"temperature": 0, "seeds": [0]},
        "prompt": "nlfol",
        "items": items,
        **changes,
    }


def submit(
    folder: Path, rows: Sequence[Mapping[str, Any]] = ROWS, task: str = "logical_translation", **changes: Any
) -> Result:
    (folder / "answers.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    (folder / "about.yaml").write_text(yaml.safe_dump(about(folder, task, **changes)), encoding="utf-8")
    name = changes.get("name", "toy")
    options = ("--about", "about.yaml", "--task", task, "-o", f"submissions/{name}", *OF_PETS)
    with chdir(folder):
        return CliRunner().invoke(app, ["submit", "answers.jsonl", *options], env={"COLUMNS": "2000"})


def board(folder: Path, output: str = "site") -> Result:
    with chdir(folder):
        return CliRunner().invoke(app, ["board", "submissions", *OF_PETS, "-o", output], env={"COLUMNS": "2000"})


def page(folder: Path, output: str = "site") -> str:
    return (folder / output / "index.html").read_text(encoding="utf-8")


def test_submission_is_judged_again_and_ranked_on_page(folder: Path) -> None:
    assert submit(folder).exit_code == 0
    weak = [row | {"answer": "Sleeps(tom)"} for row in ROWS]
    assert submit(folder, weak, name="weak", dollars=0.25, prompt="<script>alert(1)</script>").exit_code == 0
    done = board(folder)
    assert done.exit_code == 0, done.stderr
    shown = page(folder)
    assert shown.index(">toy</th>") < shown.index(">weak</th>")
    assert "<strong>1.000</strong>" in shown
    assert "<strong>0.125</strong>" in shown
    assert "someone/toy-1b, 0123abc; vLLM 0.32; answered 2026-05-01" in shown
    assert "0.25 USD" in shown
    assert "<script>alert(1)" not in shown
    assert "&lt;script&gt;alert(1)" in shown
    assert board(folder, "again").exit_code == 0
    assert page(folder, "again") == shown


def test_seed_with_easy_items_alone_counts_as_wrong(folder: Path) -> None:
    rows: list[dict[str, Any]] = [*ROWS, *({**row, "seed": 1} for row in ROWS[:2])]
    done = submit(folder, rows, sampling={"temperature": 1, "seeds": [0, 1]})
    assert done.exit_code == 0, done.stderr
    assert "0.625" in done.stdout


def test_items_left_out_count_as_wrong(folder: Path) -> None:
    done = submit(folder, ROWS[2:4])
    assert done.exit_code == 0, done.stderr
    assert "0.250" in done.stdout
    assert "failed 6" in done.stdout
    board(folder)
    assert "<strong>0.250</strong>" in page(folder)


@pytest.mark.parametrize(
    ("rows", "changes", "reason"),
    [
        (ROWS, {"items": "0.1.0+0123456789ab"}, "answers to version 0.1.0+0123456789ab of the items, which are"),
        ([*ROWS, ROWS[0] | {"answer": "Cat(tom)"}], {}, "two answers to one question: line 1 and line 9"),
        ([*ROWS, ROWS[0] | {"seed": 1}], {}, "answers under the seeds [0, 1], but the description has [0]"),
        ([row | {"score": 1.0, "verdict": "equivalent"} for row in ROWS], {}, "nothing is taken from a submitter"),
        ([ROWS[0] | {"text": "Every dog sleeps."}, *ROWS[1:]], {}, "line 1: item 'pets:0' was shown with another text"),
        ([row | {"item": f"x{row['item']}"} for row in ROWS], {}, "line 1: no item 'xpets:0' (did you mean pets:0?)"),
        ([*ROWS, ROWS[0] | {"task": "ranking"}], {}, "1 rows answer nothing that is asked"),
        (ROWS, {"date": "2999-01-01"}, "2999-01-01 has not come"),
        (ROWS, {"licence": None}, "licence: must be text"),
        (ROWS, {"dollars": float("inf")}, "dollars: must be a finite number"),
    ],
)
def test_cheating_submission_is_refused_with_reason(
    folder: Path, rows: Sequence[Mapping[str, Any]], changes: Mapping[str, Any], reason: str
) -> None:
    done = submit(folder, rows, **changes)
    assert done.exit_code == 2
    assert reason in done.stderr
    assert not (folder / "submissions").exists()


def test_several_or_encoded_answers_in_one_are_wrong(folder: Path) -> None:
    both = '{"answer": "Sleeps(tom)"} {"answer": "¬Sleeps(tom)"}'
    encoded = "U2xlZXBzKHRvbSk="
    rows = [{"item": "pets:3", "answer": both}, {"item": "pets:2", "answer": encoded}]
    done = submit(folder, rows)
    assert done.exit_code == 0, done.stderr
    assert "unparsable 2" in done.stdout
    assert "0.000" in done.stdout


def test_gold_number_without_shown_order_is_refused(folder: Path) -> None:
    asked = questions("most_similar", str(folder / "pets.csv"), ontology=folder / "pets.yaml").rows
    first = [{"item": row["item"], "presentation": row["presentation"], "answer": 1} for row in asked]
    done = submit(folder, first, "most_similar")
    assert done.exit_code == 2
    assert "no order, but candidates of item" in done.stderr
    drawn = [question.order if (question := nlfol.dialogue(row)) else () for row in asked]
    as_drawn = [row | {"order": list(order)} for row, order in zip(first, drawn, strict=True)]
    assert submit(folder, as_drawn, "most_similar").exit_code == 0


def test_changed_submission_is_left_out_with_reason(folder: Path) -> None:
    for name in ("honest", "edited", "renamed"):
        assert submit(folder, name=name).exit_code == 0
    answers = folder / "submissions/edited/answers.jsonl"
    answers.write_text(answers.read_text(encoding="utf-8").replace("Cat", "Dog"), encoding="utf-8")
    shutil.copytree(folder / "submissions/honest", folder / "submissions/twice")
    described = folder / "submissions/renamed/submission.yaml"
    described.write_text(described.read_text(encoding="utf-8").replace("dataset: pets", "dataset: /etc/passwd"))
    (folder / "submissions/broken").mkdir()
    (folder / "submissions/broken/submission.yaml").write_text("name: [", encoding="utf-8")
    done = board(folder)
    assert done.exit_code == 1
    assert "left out: broken: submission.yaml: cannot be read as YAML" in done.stderr
    assert "left out: edited: answers.jsonl: not the file that was submitted, by its SHA-256" in done.stderr
    assert "left out: twice: honest has answers to logical_translation on pets already" in done.stderr
    assert "left out: renamed: no dataset /etc/passwd; name its file with --dataset" in done.stderr
    assert "not the file that was submitted" in page(folder)
    assert "1 models, 1 files" in done.stdout


def test_released_models_are_rows_of_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, sources = tmp_path / "kept", tmp_path / "sources"
    kept.mkdir()
    sources.mkdir()
    monkeypatch.setenv("NLFOL_DATA", str(kept))
    right, wrong = "Premises:\nCold(bob)\nConclusion:\nCold(bob)", "Premises:\nCold(bob)\nConclusion:\n¬Cold(bob)"
    problem = {"context": "Bob is cold.", "question": "Is it true, false, or uncertain? Bob is cold.", "answer": "A"}
    options = ["A) True", "B) False", "C) Uncertain"]
    for model, program in (("good", right), ("bad", wrong)):
        records = [{"id": "dev_0", **problem, "options": options, "raw_logic_programs": [program]}]
        (kept / f"{model}.json").write_text(json.dumps(records), encoding="utf-8")
    models = ("good", "bad", "absent")
    source = {
        "repository": "someone/programs",
        "commit": "0" * 40,
        "licence": None,
        "form": "logic_lm",
        "prompt": {"id": "logic_lm", "examples": 2},
        "decoding": "greedy",
        "models": {model: {"provider": "Somebody", "date": "2026-01"} for model in models},
        "files": [{"path": f"{model}.json", "dataset": "folio_dev", "model": model} for model in models],
    }
    (sources / "mine.yaml").write_text(yaml.safe_dump(source), encoding="utf-8")
    with chdir(tmp_path):
        done = CliRunner().invoke(app, ["board", "--released", "folio_dev", "--sources", "sources"])
    assert done.exit_code == 1
    assert "left out: absent on folio_dev: https://" in done.stderr
    shown = page(tmp_path)
    assert shown.index(">good</th>") < shown.index(">bad</th>")
    assert "Somebody, 2026-01; prompt: logic_lm, 2 examples; greedy; released by someone/programs 0000000" in shown
