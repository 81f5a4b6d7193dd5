"""Partial reruns: after a change of a finished experiment, jobs that depend on it run again, and nothing else."""

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.workflow.checkout import (
    MINILM,
    OF_DIALOGUE,
    RENDERED,
    SENTENCES,
    SUMMARISED,
    Checkout,
    configuration,
)
from tests.workflow.tiny_model import ENTRY

from nlfol.store import files, schemas

OF_ALL_TASKS = {
    "build_items": 3,
    "audit_candidates": 2,
    "ask_chat": 3,
    "ask_embedding": 2,
    "answer_by_chance": 3,
    "judge_answers": 8,
    "explain_answers": 1,
    **dict.fromkeys(("analyse_members", "analyse_refusals", "analyse_costs"), 1),
    **OF_DIALOGUE,
}
"""The jobs that follow when all candidates are drawn again; three models are asked."""

OF_RANKING = {
    **dict.fromkeys(("build_items", "audit_candidates", "ask_chat", "ask_embedding", "answer_by_chance"), 1),
    "judge_answers": 3,
    **dict.fromkeys(("analyse_members", "analyse_refusals", "analyse_costs"), 1),
    **SUMMARISED,
}
"""The jobs that follow when the candidates of one task are drawn again, or its code has changed."""

Change = Callable[[dict[str, Any]], object]
Changed = Callable[[Change], Checkout]

OF_MEASURES = (
    *("analyse_formulas", "analyse_generated", "analyse_curves", "analyse_difficulty", "analyse_benchmarks"),
    "analyse_claims",
)
"""The analyses of what is measured of items."""


def test_second_run_has_nothing_to_do(again: Checkout) -> None:
    before = again.bytes("results/**/*")
    run = again.snakemake("results/tables")
    assert run.status == 0
    assert "Nothing to be done" in run.output
    assert again.bytes("results/**/*") == before


def test_deleted_table_rerenders_tables_only(again: Checkout) -> None:
    (again.folder / "results/tables/dialogue.md").unlink()
    run = again.dry_run()
    assert run.jobs == {"render_tables": 1, "results/tables": 1}
    assert run.messages == {"Writing the tables", "The tables are in results/tables"}


def test_changed_prompt_reruns_own_task_only(again: Checkout) -> None:
    prompt = "resources/prompts/ranking/user.jinja"
    again.write(prompt, again.read(prompt) + "Think twice.\n")
    run = again.dry_run()
    assert run.jobs == {"ask_chat": 1, "judge_answers": 1, "analyse_costs": 1, **SUMMARISED}
    assert {"Asking tiny for ranking on mine", "Judging tiny in ranking on mine"} <= run.messages


@pytest.mark.parametrize(
    ("change", "jobs"),
    [
        (lambda values: values.update(seed=8), OF_ALL_TASKS),
        (lambda values: values["tasks"]["ranking"].update(perturbations=2), OF_RANKING),
        (
            lambda values: values["models"].update(other={"kind": "chance", "items": 2}),
            {"answer_by_chance": 3, "judge_answers": 3, **SUMMARISED},
        ),
        (lambda values: values["models"].pop("minilm"), SUMMARISED),
    ],
    ids=["seed", "candidates", "new model", "removed model"],
)
def test_changed_key_reruns_dependent_jobs(changed: Changed, change: Change, jobs: dict[str, int]) -> None:
    assert changed(change).dry_run().jobs == jobs


def test_changed_model_is_asked_again_alone_with_reason(changed: Changed) -> None:
    checkout = changed(lambda values: values["models"]["tiny"]["limits"].update(tokens=199))
    run = checkout.snakemake("--dry-run", "--quiet", "host")
    assert run.jobs == {"ask_chat": 3, "judge_answers": 3, "explain_answers": 1, "analyse_costs": 1, **OF_DIALOGUE}
    tasks = ("logical_translation", "most_similar", "ranking")
    judged = {message for message in run.messages if message.startswith("Judging")}
    assert judged == {f"Judging tiny in {task} on mine" for task in tasks}
    reasons = re.findall(r"^Job \d+: (.*)\nReason: .*Params have changed since last execution: (.*)$", run.output, re.M)
    assert {message for message, _ in reasons} == {f"Asking tiny for {task} on mine" for task in tasks}
    for _, reason in reasons:
        assert re.findall(r"'([\w.]+)=", reason) == ["model.limits", "model.limits"]
        assert '"tokens": 199' in reason.partition("now:")[2]


def test_added_similarity_reuses_vectors(changed: Changed) -> None:
    distance = {**MINILM, "similarity": "euclidean"}
    checkout = changed(lambda values: values["models"].update(distance=distance))
    before = sorted(checkout.folder.glob("journal/vectors/*/*/*.arrow"))
    assert before
    paths = [f"results/responses/mine/most_similar/{model}.arrow" for model in ("minilm", "distance")]
    checkout.run(*paths)
    assert sorted(checkout.folder.glob("journal/vectors/*/*/*.arrow")) == before
    cosines, distances = (
        [row["similarities"] for row in files.rows(checkout.folder / path, schemas.RESPONSES)] for path in paths
    )
    # Of vectors of length one: the square of the distance is 2 - 2 cosine.
    for one, other in zip(cosines, distances, strict=True):
        assert [2 - 2 * cosine for cosine in one] == pytest.approx([far**2 for far in other], abs=1e-5)


def test_changed_sentence_reruns_all_downstream_jobs(again: Checkout) -> None:
    again.write("mine/sentences.csv", SENTENCES.replace("Every cat sleeps.", "All cats sleep."))
    before = ("ingest_dataset", "attach_ontology", "measure_items", "analyse_formulas", "analyse_generated")
    assert again.dry_run().jobs == {**dict.fromkeys(before, 1), **OF_ALL_TASKS}


def test_configuration_layout_and_resources_leave_results_current(changed: Changed) -> None:
    def rewrite(values: dict[str, Any]) -> None:
        values["models"]["tiny"]["sampling"].update(temperature=0, top_p=1)
        for model in values["models"].values():
            model["resources"] = {"gpu": 2, "gpu_model": "h200", "mem_mb": 64_000, "runtime": 90, "threads": 2}
        for block in (values["datasets"]["mine"], values["tasks"]["ranking"], values["models"]["tiny"], values):
            reversed_ = dict(reversed(block.items()))
            block.clear()
            block.update(reversed_)

    checkout = changed(rewrite)
    text = checkout.read("experiment.yaml")
    assert text.startswith("models:")
    checkout.write("experiment.yaml", f"# A comment.\n{text}")
    assert checkout.dry_run().jobs == {}


def test_comments_and_file_times_leave_results_current(again: Checkout) -> None:
    for module, text in (("results/tables/table.py", "# A comment.\n"), ("store/locks.py", "NEW = 1\n")):
        path = f"workflow/scripts/nlfol/{module}"
        again.write(path, again.read(path) + text)
    decade = 10 * 365 * 86_400
    for name, moved in (("mine/sentences.csv", -decade), ("mine/ontology.yaml", decade)):
        path_of_input = again.folder / name
        time = path_of_input.stat().st_mtime + moved
        os.utime(path_of_input, (time, time))
    assert again.dry_run().jobs == {}


@pytest.mark.parametrize(
    ("module", "jobs"),
    [
        ("results/tables/table.py", RENDERED),
        ("results/analyses/faults.py", {"analyse_faults": 1, **RENDERED}),
        (
            "sets/sensitivity.py",
            {"measure_items": 1, **dict.fromkeys(OF_MEASURES, 1), **RENDERED},
        ),
        ("tasks/ranking.py", OF_RANKING),
    ],
)
def test_changed_code_reruns_importing_stages(again: Checkout, module: str, jobs: dict[str, int]) -> None:
    """``tests/unit/test_code_digests.py`` shows which scripts import a module."""
    path = f"workflow/scripts/nlfol/{module}"
    again.write(path, again.read(path) + "\nNEW = 1\n")
    assert again.dry_run().jobs == jobs


def test_fresh_checkout_with_kept_results_is_up_to_date(again: Checkout, tmp_path: Path) -> None:
    """Git gives every file it writes the time of the checkout."""
    fresh = Checkout.make(tmp_path / "fresh")
    for kept in ("mine", "results", "journal", ".snakemake"):
        shutil.copytree(again.folder / kept, fresh.folder / kept, dirs_exist_ok=True)
    for pattern in ("workflow/**/*", "resources/**/*", "mine/tiny/*", "*.*"):
        for path in fresh.folder.glob(pattern):
            os.utime(path)
    fresh.write("experiment.yaml", again.read("experiment.yaml"))
    assert fresh.dry_run().jobs == {}


def test_changed_weights_rematerialize_model(checkout: Checkout) -> None:
    checkout.configure(configuration(tiny={**ENTRY, "source": {"path": "mine/weights"}}))
    checkout.write("mine/weights/model.safetensors", "some weights")
    checkout.run("results/weights/tiny")
    checkout.write("mine/weights/model.safetensors", "other weights")
    assert checkout.dry_run("results/weights/tiny").jobs == {"materialise_model": 1}
