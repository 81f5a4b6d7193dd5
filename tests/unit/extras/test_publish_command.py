"""``nlfol publish``: a data set for the Hub, scores for models' repositories, and what may not be published."""

import json
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml
from huggingface_hub import DatasetCard, parse_eval_result_entries
from tests.examples import ROOT
from tests.stored import stored
from tests.workflow.checkout import ONTOLOGY, SENTENCES
from typer.testing import CliRunner, Result

import nlfol
from nlfol.cli.main import app
from nlfol.cli.scored import Wanted, score
from nlfol.harnesses.questions import questions
from nlfol.store import canonical, files, schemas
from nlfol_extras.hub.dataset import Part, Published, splits
from nlfol_extras.hub.scores import entries

PETS = {"pets": {"reader": "table", "path": "pets.csv", "ontology": "pets.yaml"}}
OWN = ("pets.csv", "--ontology", "pets.yaml", "--license", "CC-BY-4.0")
ANSWERS = {"pets:0": "∀x (Cat(x) → Sleeps(x))", "pets:1": "Sleeps(tom)", "pets:2": "Dog(tom) ∨ Cat(tom)"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a dataset of eight sentences."""
    (tmp_path / "pets.csv").write_text(SENTENCES, encoding="utf-8")
    (tmp_path / "pets.yaml").write_text(ONTOLOGY, encoding="utf-8")
    return tmp_path


def publish(folder: Path, *given: str, task: str = "logical_translation") -> Result:
    with chdir(folder):
        command = ["publish", *given, "--task", task, "--repository", "me/nlfol-pets"]
        return CliRunner().invoke(app, command, env={"COLUMNS": "2000"})


def run(folder: Path, kind: str = "chat", **changes: Any) -> Path:
    """Return the results of a run in which a model answers, wrongly but for three; ``changes`` are of its scores."""
    written = folder / "answers.jsonl"
    rows = questions("logical_translation", str(folder / "pets.csv"), ontology=folder / "pets.yaml").rows
    answers = ({"item": row["item"], "answer": ANSWERS.get(row["item"], "no formula")} for row in rows)
    written.write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    with chdir(folder):
        (made,) = score(Wanted(written, "pets", PETS, 0, "logical_translation")).made
    about = {"dataset": "pets", "task": "logical_translation", "task_kind": "logical_translation", "model": "toy"}
    scores = [{**row, **changes} if row["item"] == "pets:0" else row for row in made.scores]
    results = folder / "results"
    for path, schema, content in (
        ("items/pets/logical_translation", schemas.ITEMS, made.items),
        ("scores/pets/logical_translation/toy", schemas.SCORES, scores),
    ):
        (results / path).parent.mkdir(parents=True)
        files.write(results / f"{path}.arrow", schema, content, {**about, "kind": kind})
    write_manifest(results)
    return results


def write_manifest(results: Path) -> None:
    environment = {"written": "2026-11-30T01:02:03+00:00"}
    values = {"experiment": {}, "digest": canonical.sha256(canonical.canonical({})), "environment": environment}
    (results / "manifest.json").write_text(json.dumps(values), encoding="utf-8")


def test_published_items_load_and_are_judged_as_here(folder: Path) -> None:
    done = publish(folder, *OWN)
    assert done.exit_code == 0, done.output
    assert "hf upload me/nlfol-pets hub . --repo-type dataset" in done.output
    rows = pl.read_parquet(folder / "hub/data/logical_translation.parquet").to_dicts()
    asked = questions("logical_translation", str(folder / "pets.csv"), ontology=folder / "pets.yaml")
    assert [json.loads(row["row"]) for row in rows] == asked.rows
    assert {nlfol.score(json.loads(row["row"]), row["formula"]).scores["equivalence"] for row in rows} == {1}
    messages = nlfol.dialogue(asked.rows[0]).messages  # type: ignore[union-attr]
    assert [rows[0]["system"], rows[0]["user"]] == [message["content"] for message in messages]
    assert {row["version"] for row in rows} == {asked.version}


def test_published_card_and_benchmark_name_files_that_are_there(folder: Path) -> None:
    assert publish(folder, *OWN, task="most_similar").exit_code == 0
    card = DatasetCard.load(folder / "hub/README.md")
    told = card.data.to_dict()
    assert (told["license"], told["language"], told["size_categories"]) == ("cc-by-4.0", ["en"], ["n<1K"])
    assert told["task_categories"] == ["multiple-choice"]
    files_of = {each["config_name"]: each["data_files"] for each in told["configs"]}
    assert files_of.keys() == {"most_similar_formula", "most_similar_english"}
    for (split,) in files_of.values():
        assert split["split"] == "test"
        assert (folder / "hub" / split["path"]).is_file()
    benchmark = yaml.safe_load((folder / "hub/eval.yaml").read_text(encoding="utf-8"))
    assert {(task["id"], task["config"], task["split"]) for task in benchmark["tasks"]} == {
        (name, name, "test") for name in files_of
    }
    assert benchmark["evaluation_framework"] == "nlfol"
    assert "| pets.csv | CC-BY-4.0 |" in card.text
    assert str(folder) not in card.content


def test_card_of_published_data_links_files_and_cites_the_work(folder: Path) -> None:
    boards = splits("logical_translation", questions("logical_translation", str(folder / "pets.csv")))
    part = Part("Yale-LILY/FOLIO, train.jsonl", "CC-BY-SA-4.0", "https://a.b/train.jsonl")
    Published("me/x", "pets", "folio_questions", "CC-BY-SA-4.0", [part], boards).write(folder / "hub")
    text = (folder / "hub/README.md").read_text(encoding="utf-8")
    assert "| [Yale-LILY/FOLIO, train.jsonl](https://a.b/train.jsonl) | CC-BY-SA-4.0 |" in text
    assert "@article{folio_questions,\n  title = {FOLIO: Natural Language Reasoning with First-Order Logic}," in text
    assert (
        "author = {Han, Simeng and Schoelkopf, Hailey and Zhao, Yilun and Qi, Zhenting and Riddell, Martin and" in text
    )


def test_published_bytes_are_equal(folder: Path) -> None:
    for output in ("first", "second"):
        assert publish(folder, *OWN, "-o", output).exit_code == 0
    made = [
        {path.relative_to(folder / output): path.read_bytes() for path in (folder / output).rglob("*.*")}
        for output in ("first", "second")
    ]
    assert len(made[0]) == 3
    assert made[0] == made[1]
    assert "File exists" in publish(folder, *OWN, "-o", "first").output


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("folio",), "Relational_meaning_FOLIO.pkl; dslab-uniud/NL-FOL-LT"),
        (("folio", "--license", "CC-BY-SA-4.0"), "no licence is stated, so only its owners may publish it"),
        (("ar_lsat",), "data/AR-LSAT/dev.json: no licence is stated"),
        (OWN[:3], "pets.csv, pets.yaml: unknown licence; if you may publish it, name one: --license CC-BY-4.0"),
        (("tarski", "--license", "MIT"), "the data are under Apache-2.0; publish parts of one licence, without"),
        (("mixed", "--config", "mixed.yaml", "--license", "MIT"), "the data are under CC-BY-SA-4.0 and MIT"),
        ((*OWN, "--repository", "nlfol"), "--repository nlfol: give OWNER/NAME"),
        ((*OWN, "--task", "rankin"), "no task 'rankin' (did you mean ranking?)"),
    ],
)
def test_publish_refuses_data_without_one_licence(folder: Path, given: tuple[str, ...], told: str) -> None:
    mixed = {"datasets": {"mixed": {"reader": "folio", "ontology": "pets.yaml"}}}
    (folder / "mixed.yaml").write_text(yaml.safe_dump(mixed), encoding="utf-8")
    with chdir(folder):
        command = ["publish", "--task", "logical_translation", "--repository", "me/x", *given]
        done = CliRunner().invoke(app, command, env={"COLUMNS": "2000"})
    assert (done.exit_code, told in done.output) == (2, True), done.output
    assert not (folder / "hub").exists()


def test_scores_of_a_run_are_entries_of_the_hub(folder: Path) -> None:
    results, commit = run(folder), "0" * 40
    done = publish(folder, *OWN, "--results", str(results), "--revision", commit, "--source", "https://a.b/run")
    assert done.exit_code == 0, done.output
    path = folder / "hub/toy/.eval_results/nlfol-pets.yaml"
    (entry,) = parse_eval_result_entries(yaml.safe_load(path.read_text(encoding="utf-8")))
    assert (entry.dataset_id, entry.task_id, entry.value) == ("me/nlfol-pets", "logical_translation", 2 / 8)
    assert (entry.dataset_revision, entry.source_url) == (commit, "https://a.b/run")
    assert str(entry.date).startswith("2026-11-30T01:02:03")
    assert "equivalence, mean over 8 questions, seeds: 1; nlfol" in str(entry.notes)
    assert sorted(each.name for each in (folder / "hub").iterdir()) == ["toy"]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"outcome": "failed"}, "7 answers to 8 questions, seeds: 1; ask the rest first"),
        ({"seed": 1}, "8 answers to 8 questions, seeds: 2; ask the rest first"),
        ({"kind": "chance"}, "results: no scores of models in these tasks"),
    ],
)
def test_scores_that_are_not_of_all_items_are_left_out(folder: Path, changes: Mapping[str, Any], told: str) -> None:
    done = publish(folder, *OWN, "--results", str(run(folder, **changes)))
    assert (done.exit_code, told in done.output) == (1, True), done.output
    assert not (folder / "hub").exists()


def test_scores_on_other_items_are_left_out(folder: Path) -> None:
    results = run(folder)
    (folder / "pets.csv").write_text(SENTENCES.replace("∀x (Dog(x)", "∃x (Dog(x)"), encoding="utf-8")
    done = publish(folder, *OWN, "--results", str(results))
    assert (done.exit_code, "toy, logical_translation: asked about other items" in done.output) == (1, True)


def test_weakest_presentation_counts_where_all_are_one_question(tmp_path: Path) -> None:
    asked = questions("verification", "first_order", config=str(ROOT / "config.yaml"))
    boards = splits("verification", asked)
    assert [(board.name, board.rows) for board in boards] == [("verification", asked.rows)]
    about = {"dataset": "first_order", "task": "verification", "task_kind": "verification"}
    about |= {"model": "yes", "kind": "chat"}
    judged = {"metric": "right", "round": 1, "outcome": "answered"}
    scores = [
        {**row, **judged, "score": float(shown == "equivalent")} for row in asked.rows if (shown := row["presentation"])
    ]
    items = {row["item"]: {**row, "status": "usable"} for row in asked.rows}
    for path, schema, rows in (
        ("items/first_order/verification", schemas.ITEMS, items.values()),
        ("scores/first_order/verification/yes", schemas.SCORES, scores),
    ):
        (tmp_path / path).parent.mkdir(parents=True)
        kept = ({key: value for key, value in row.items() if key in schema.names} for row in rows)
        files.write(tmp_path / f"{path}.arrow", schema, [stored(schema, **row) for row in kept], about)
    write_manifest(tmp_path)
    published = Published("me/x", "first_order", "grammar", "Apache-2.0", [], boards)
    found, refused = entries(published, tmp_path, {}, {})
    assert ([entry["value"] for entry in found["yes"]], refused) == ([0.0], [])
