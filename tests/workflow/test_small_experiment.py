"""A small experiment with every kind of job, run once; what holds of its results and of the runs after it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml
from tests.workflow.checkout import CHANCE, ROOT, SENTENCES, Checkout, configuration
from tests.workflow.tiny_model import ENTRY, save_tiny_model

from nlfol.store import files, schemas

TABLES = ["logical_translation", "dialogue", "embedding", "funnel", "refused", "refused_rows"]
RENDERED = {"render_table": len(TABLES), "results/tables": 1}
"""What follows whenever a score has changed."""

MINILM: dict[str, Any] = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["models"]["minilm"]

Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("weights") / "tiny"
    save_tiny_model(folder)
    return folder


@pytest.fixture(scope="module")
def experiment(tiny_model: Path) -> dict[str, Any]:
    return configuration(tiny={**ENTRY, "source": {"path": str(tiny_model)}}, minilm=MINILM, chance=CHANCE)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, experiment: dict[str, Any]) -> Checkout:
    """The experiment after its run; tests look at it and change copies only."""
    checkout = Checkout.make(tmp_path_factory.mktemp("small") / "checkout")
    checkout.configure(experiment)
    run = checkout.snakemake("results/tables", cores=2, environment={"PYTHONHASHSEED": "1"})
    assert run.status == 0, run.output
    return checkout


@pytest.fixture
def again(finished: Checkout, tmp_path: Path) -> Checkout:
    """A copy of the finished experiment, to be changed."""
    return finished.copy(tmp_path / "checkout")


@pytest.fixture
def changed(again: Checkout, experiment: dict[str, Any]) -> Callable[[Change], Checkout]:
    """The finished experiment under a changed configuration."""

    def change(edit: Change) -> Checkout:
        values = copy.deepcopy(experiment)
        edit(values)
        again.configure(values)
        return again

    return change


# The results


def test_every_table_is_written_in_every_form(finished: Checkout) -> None:
    wanted = {f"{table}.{suffix}" for table in TABLES for suffix in ("csv", "md", "tex")}
    written = {path.name: path for path in (finished.folder / "results/tables").iterdir() if path.suffix != ".arrow"}
    assert written.keys() == wanted
    for name in ("dialogue.csv", "dialogue.md", "dialogue.tex"):
        assert "tiny" in written[name].read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("pattern", "schema", "count"),
    [
        ("results/datasets/*/sentences.arrow", schemas.SENTENCES, 1),
        ("results/datasets/*/triples.arrow", schemas.TRIPLES, 1),
        ("results/candidates/*/*.arrow", schemas.CANDIDATES, 3),
        ("results/responses/*/*/*.arrow", schemas.RESPONSES, 8),
        ("results/scores/*/*/*.arrow", schemas.SCORES, 8),
        ("results/tables/cells.arrow", schemas.CELLS, 1),
        ("results/tables/refusals.arrow", schemas.REFUSALS, 1),
    ],
)
def test_every_stage_writes_files_of_its_declared_schema(
    finished: Checkout, pattern: str, schema: pa.Schema, count: int
) -> None:
    found = sorted(finished.folder.glob(pattern))
    assert len(found) == count
    for path in found:
        assert files.read(path, schema).num_rows > 0


def test_denominators_are_the_items_asked(finished: Checkout) -> None:
    """Eight sentences, one of them without candidate sets; the dialogue model is asked four items of each task."""
    (translated,) = (row for row in finished.table("logical_translation") if row["model"] == "tiny")
    assert (translated["items"], translated["items_available"], translated["seeds"]) == (4, 8, 2)
    asked = {
        (row["model"], row["presentation"]): (
            row["most_similar_items"],
            row["most_similar_items_available"],
            row["ranking_items"],
            row["ranking_items_available"],
        )
        for table in ("dialogue", "embedding")
        for row in finished.table(table)
    }
    assert asked == {
        (model, presentation): (items, 7, items, 7)
        for model, items in (("tiny", 4), ("minilm", 7), ("chance", 7))
        for presentation in ("formula", "english")
    }


def test_the_outcomes_of_a_cell_sum_to_its_answers(finished: Checkout) -> None:
    outcomes = ["answered", "unparsable", "truncated", "refused", "failed"]
    rows = files.rows(finished.folder / "results/tables/cells.arrow", schemas.CELLS)
    assert {row["kind"] for row in rows} == {"chat", "embedding", "chance"}
    for row in rows:
        assert sum(row[name] for name in outcomes) == row["items"] * row["seeds"]
    chosen = [row for row in rows if row["model"] == "tiny" and row["task"] != "logical_translation"]
    assert chosen
    assert all(row["answered"] == 4 * 2 for row in chosen), "a constrained answer of a choice can always be read"


def test_the_verdicts_and_lost_answers_of_a_translation_sum_to_its_answers(finished: Checkout) -> None:
    (row,) = (row for row in finished.table("logical_translation") if row["model"] == "tiny")
    verdicts = ["equivalent", "not_equivalent", "unknown", "invalid"]
    lost = ["unparsable", "truncated", "refused", "failed"]
    assert sum(row[name] for name in verdicts + lost) == 4 * 2


def test_chance_is_what_can_be_computed_by_hand(finished: Checkout) -> None:
    """Three candidates to choose from; five to rank, of which two belong at the top and two at the bottom."""
    (translated,) = (row for row in finished.table("logical_translation") if row["model"] == "chance")
    assert translated["equivalence_mean"] == 0
    rows = [row for row in finished.table("dialogue") if row["model"] == "chance"]
    assert [row["presentation"] for row in rows] == ["formula", "english"]
    for row in rows:
        assert row["most_similar_accuracy_mean"] == pytest.approx(1 / 3, abs=1e-15)
        # 10 pairs of five, and 3 pairs of the three that are left.
        assert row["ranking_equivalence_mean"] == pytest.approx(1 / 10, abs=1e-15)
        assert row["ranking_negation_mean"] == pytest.approx(1 / 10, abs=1e-15)
        assert row["ranking_both_mean"] == pytest.approx(1 / 30, abs=1e-15)


def test_a_sentence_without_candidates_is_in_the_table_of_refused_rows(finished: Checkout) -> None:
    refused = [(row["task"], row["item"], row["reason"]) for row in finished.table("refused_rows")]
    assert refused == [
        ("most_similar", "pets:3", "too_few_perturbations"),
        ("ranking", "pets:3", "too_few_perturbations"),
    ]


def test_the_report_holds_the_tables(again: Checkout) -> None:
    run = again.snakemake("--report", "report.html")
    assert run.status == 0, run.output
    assert "refused_rows.csv" in again.read("report.html")


# What runs again


def test_a_second_run_does_nothing(again: Checkout) -> None:
    before = again.bytes("results/**/*")
    run = again.snakemake("results/tables")
    assert run.status == 0
    assert "Nothing to be done" in run.output
    assert again.bytes("results/**/*") == before


def test_a_deleted_table_is_written_again_and_nothing_else(again: Checkout) -> None:
    (again.folder / "results/tables/dialogue.md").unlink()
    run = again.dry_run()
    assert run.jobs == {"render_table": 1, "results/tables": 1}
    assert run.messages == {"Writing table dialogue"}


def test_a_changed_prompt_asks_its_own_task_again(again: Checkout) -> None:
    prompt = "resources/prompts/ranking/user.jinja"
    again.write(prompt, again.read(prompt) + "Think twice.\n")
    run = again.dry_run()
    assert run.jobs == {"ask_chat": 1, "judge_answers": 1, "aggregate_scores": 1, **RENDERED}
    assert {"Asking tiny for ranking on mine", "Judging tiny in ranking on mine"} <= run.messages


def test_a_changed_seed_draws_all_candidates_again(changed: Callable[[Change], Checkout]) -> None:
    run = changed(lambda values: values.update(seed=8)).dry_run()
    assert run.jobs == {
        "build_candidates": 3,
        "ask_chat": 3,
        "ask_embedding": 2,
        "answer_by_chance": 3,
        "judge_answers": 8,
        "aggregate_scores": 1,
        "aggregate_refusals": 1,
        **RENDERED,
    }


def test_a_changed_model_is_asked_again_alone(changed: Callable[[Change], Checkout]) -> None:
    run = changed(lambda values: values["models"]["tiny"]["sampling"].update(temperature=0.7)).dry_run()
    assert run.jobs == {"ask_chat": 3, "judge_answers": 3, "aggregate_scores": 1, **RENDERED}
    judged = {message for message in run.messages if message.startswith("Judging")}
    assert judged == {f"Judging tiny in {task} on mine" for task in ("logical_translation", "most_similar", "ranking")}


def test_another_similarity_is_another_row_and_asks_no_model(changed: Callable[[Change], Checkout]) -> None:
    distance = {**MINILM, "similarity": "euclidean"}
    checkout = changed(lambda values: values["models"].update(distance=distance))
    before = sorted(checkout.folder.glob("journal/vectors/*/*/*.arrow"))
    assert before
    paths = [f"results/responses/mine/most_similar/{model}.arrow" for model in ("minilm", "distance")]
    run = checkout.snakemake(*paths)
    assert run.status == 0, run.output
    assert sorted(checkout.folder.glob("journal/vectors/*/*/*.arrow")) == before
    cosines, distances = (
        [row["similarities"] for row in files.rows(checkout.folder / path, schemas.RESPONSES)] for path in paths
    )
    # Of vectors of length one: the square of the distance is 2 - 2 cosine.
    for one, other in zip(cosines, distances, strict=True):
        assert [2 - 2 * cosine for cosine in one] == pytest.approx([far**2 for far in other], abs=1e-5)


def test_a_changed_number_of_candidates_concerns_its_own_task(changed: Callable[[Change], Checkout]) -> None:
    run = changed(lambda values: values["tasks"]["ranking"].update(perturbations=2)).dry_run()
    assert run.jobs == {
        "build_candidates": 1,
        "ask_chat": 1,
        "ask_embedding": 1,
        "answer_by_chance": 1,
        "judge_answers": 3,
        "aggregate_scores": 1,
        "aggregate_refusals": 1,
        **RENDERED,
    }
    assert not any("most_similar" in message for message in run.messages if not message.startswith("Summarising"))


def test_a_changed_sentence_changes_all_that_follows(again: Checkout) -> None:
    again.write("mine/sentences.csv", SENTENCES.replace("Every cat sleeps.", "All cats sleep."))
    run = again.dry_run()
    assert run.jobs == {
        "ingest_dataset": 1,
        "attach_ontology": 1,
        "build_candidates": 3,
        "ask_chat": 3,
        "ask_embedding": 2,
        "answer_by_chance": 3,
        "judge_answers": 8,
        "aggregate_scores": 1,
        "aggregate_refusals": 1,
        **RENDERED,
    }


def test_the_form_of_the_configuration_changes_nothing(changed: Callable[[Change], Checkout]) -> None:
    def rewrite(values: dict[str, Any]) -> None:
        values["models"]["tiny"]["sampling"].update(temperature=0, top_p=1)
        for block in (values["datasets"]["mine"], values["tasks"]["ranking"], values["models"]["tiny"], values):
            reversed_ = dict(reversed(block.items()))
            block.clear()
            block.update(reversed_)

    checkout = changed(rewrite)
    assert checkout.read("experiment.yaml").startswith("models:")
    assert checkout.dry_run().jobs == {}


def test_a_comment_in_the_configuration_changes_nothing(again: Checkout) -> None:
    again.write("experiment.yaml", f"# A comment.\n{again.read('experiment.yaml')}")
    assert again.dry_run().jobs == {}


@pytest.mark.parametrize(
    ("module", "jobs"),
    [
        ("tables/table.py", RENDERED),
        ("statistics/summary.py", {"aggregate_scores": 1, "aggregate_refusals": 1, **RENDERED}),
        ("tasks/most_similar.py", {"judge_answers": 8, "aggregate_scores": 1, **RENDERED}),
        (
            "models/generation.py",
            {"ask_chat": 3, "ask_embedding": 2, "judge_answers": 5, "aggregate_scores": 1, **RENDERED},
        ),
    ],
)
def test_changed_code_runs_the_stages_again_that_import_it(again: Checkout, module: str, jobs: dict[str, int]) -> None:
    path = f"workflow/scripts/nlfol/{module}"
    again.write(path, again.read(path) + "\nNEW = 1\n")
    assert again.dry_run().jobs == jobs


def test_a_comment_in_the_code_changes_nothing(again: Checkout) -> None:
    path = "workflow/scripts/nlfol/tables/table.py"
    again.write(path, f"# A comment.\n{again.read(path)}")
    assert again.dry_run().jobs == {}


def test_other_weights_at_the_same_path_are_another_model(checkout: Checkout) -> None:
    checkout.configure(configuration(tiny={**ENTRY, "source": {"path": "mine/weights"}}))
    checkout.write("mine/weights/model.safetensors", "some weights")
    assert checkout.snakemake("results/weights/tiny").status == 0
    checkout.write("mine/weights/model.safetensors", "other weights")
    assert checkout.dry_run("results/weights/tiny").jobs == {"materialise_model": 1}


# The journal

RESPONSES = "results/responses/mine/ranking/tiny.arrow"
JOURNAL = "journal/tiny/mine.ranking.jsonl"


@pytest.fixture
def without_weights(tiny_model: Path) -> Iterator[None]:
    """The model's weights lie elsewhere while a test runs, so that nobody can ask it anything."""
    elsewhere = tiny_model.rename(tiny_model.with_name("elsewhere"))
    yield
    elsewhere.rename(tiny_model)


@pytest.mark.usefixtures("without_weights")
def test_lost_responses_come_back_from_the_journal_without_asking(again: Checkout) -> None:
    responses, journal = again.bytes(RESPONSES), again.bytes(JOURNAL)
    (again.folder / RESPONSES).unlink()
    # Without its journal the model has to be asked, which cannot be done: so what follows asks nothing.
    kept = (again.folder / JOURNAL).rename(again.folder / "kept.jsonl")
    run = again.snakemake(RESPONSES)
    assert run.status != 0
    assert len(run.errors) == 1
    assert "the weights that" in run.errors[0]
    assert "Traceback" not in run.output
    kept.replace(again.folder / JOURNAL)
    run = again.snakemake(RESPONSES)
    assert run.status == 0, run.output
    assert again.bytes(RESPONSES) == responses
    assert again.bytes(JOURNAL) == journal


def test_what_the_journal_lacks_is_asked_again_and_nothing_else(again: Checkout) -> None:
    lines = again.read(JOURNAL).splitlines(keepends=True)
    assert len(lines) == 4 * 2 * 2, "items, seeds and presentations"
    again.write(JOURNAL, "".join(lines[:10]) + lines[10][:50])
    (again.folder / RESPONSES).unlink()
    run = again.snakemake(RESPONSES)
    assert run.status == 0, run.output
    completed = again.read(JOURNAL).splitlines(keepends=True)
    assert completed[:10] == lines[:10]
    assert sorted(map(_key, completed)) == sorted(map(_key, lines))


def _key(line: str) -> str:
    key: str = json.loads(line)["key"]
    return key


# Determinism


def test_results_depend_on_neither_cores_nor_hash_seed_nor_other_models(
    finished: Checkout, experiment: dict[str, Any], tmp_path: Path
) -> None:
    """The fixture ran on two cores with another hash seed, and with a dialogue model beside these two."""
    other = Checkout.make(tmp_path / "checkout")
    other.configure({**experiment, "models": {"chance": CHANCE, "minilm": MINILM}})
    run = other.snakemake("results/tables", cores=1, environment={"PYTHONHASHSEED": "2"})
    assert run.status == 0, run.output
    for pattern, count in {
        "results/datasets/*/*.arrow": 2,
        "results/candidates/*/*.arrow": 3,
        "results/scores/*/*/chance.arrow": 3,
        "results/scores/*/*/minilm.arrow": 2,
        "results/tables/refusals.arrow": 1,
        "results/tables/embedding.*": 3,
        "results/tables/funnel.*": 3,
        "results/tables/refused*.*": 6,
    }.items():
        found = other.bytes(pattern)
        assert len(found) == count
        assert found == finished.bytes(pattern), pattern


def test_stories_added_removed_and_moved_leave_the_candidates_of_others_as_they_are(
    finished: Checkout, again: Checkout
) -> None:
    header, *rows = SENTENCES.splitlines(keepends=True)
    pets, chase = rows[:4], rows[4:]
    added = 'farm,No dog chases Rex.,"¬∃x (Dog(x) ∧ Chases(x, rex))"\n'
    again.write("mine/sentences.csv", "".join([header, *chase[:3], added, *pets]))
    found, before = _candidates_by_sentence(again), _stored_candidates(finished)
    assert len(before) == 8 + 7 + 7
    kept = {key: members for key, members in before.items() if "If Rex sleeps" not in key[1]}
    assert len(kept) == len(before) - 3
    assert {key: found[key] for key in kept} == kept
    assert {text for _, text in found.keys() - kept.keys()} == {"No dog chases Rex."}


def test_sentences_added_within_a_story_leave_the_candidates_of_others_as_they_are(
    finished: Checkout, again: Checkout
) -> None:
    header, *rows = SENTENCES.splitlines(keepends=True)
    added = "pets,Rex sleeps.,Sleeps(rex)\n"
    again.write("mine/sentences.csv", "".join([header, added, *rows]))
    found, before = _candidates_by_sentence(again), _stored_candidates(finished)
    assert {key: found[key] for key in before} == before


def _candidates_by_sentence(checkout: Checkout) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """The candidate sets made anew, by task and sentence."""
    tasks = ("logical_translation", "most_similar", "ranking")
    run = checkout.snakemake(*(f"results/candidates/mine/{task}.arrow" for task in tasks))
    assert run.status == 0, run.output
    assert run.jobs["build_candidates"] == 3
    return _stored_candidates(checkout)


def _stored_candidates(checkout: Checkout) -> dict[tuple[str, str], list[dict[str, Any]]]:
    return {
        (path.stem, row["text"]): row["candidates"]
        for path in sorted(checkout.folder.glob("results/candidates/mine/*.arrow"))
        for row in files.rows(path, schemas.CANDIDATES)
        if row["status"] == "usable"
    }
