"""Questions that inspect_ai and lm-eval ask, and answers from their logs; test_installed_harnesses.py runs them."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchmarks.harnesses import CHOICES, differing, record
from tests.examples import ROOT

import nlfol
from nlfol.asking.answer_files import read_answer_file
from nlfol.facts import FACTS, OPTIONED
from nlfol.harnesses import LM_EVAL
from nlfol.harnesses.lm_tasks import dataset, document
from nlfol.harnesses.questions import name_of, questions
from nlfol.models.request import ChatError
from nlfol.store.canonical import canonical
from nlfol.store.records import SourceError
from nlfol_extras.commands.imports import written


class Functions(yaml.SafeLoader):
    """Reads the tag of lm-eval as a text."""


Functions.add_constructor("!function", lambda _, node: node.value)


@pytest.mark.parametrize("kind", CHOICES)
def test_options_and_prompt_are_those_of_a_task_without_reasoning(kind: str, few: str) -> None:
    asked = questions(kind, None if kind == "question_answering" else few)
    for row in asked.rows[:4]:
        made = document(row, False, asked, likelihood=True)
        unreasoned = {**row, "task": {"task": kind, "reasoning": 0}}
        question = nlfol.dialogue(unreasoned)
        assert question is not None
        assert [made["system"], made["user"]] == [message["content"] for message in question.messages]
        answers = [json.loads(option) for option in made["options"]]
        assert answers == [{"answer": value} for value in question.schema["properties"]["answer"]["enum"]]
        scores = [nlfol.score(unreasoned, option).scores[FACTS[kind].shown_first] for option in made["options"]]
        assert scores == [float(place == made["right"]) for place in range(len(answers))]
        assert (made["version"], made["item"]) == (asked.version, row["item"])
        if kind == "most_similar":
            assert question.order[made["right"]] == 0


def test_likelihood_refuses_formulas_orders_and_plain_text(few: str) -> None:
    for kind in ("ranking", "logical_translation"):
        asked = questions(kind, few)
        with pytest.raises(ChatError, match="chooses among the values of one field"):
            document(asked.rows[0], False, asked, likelihood=True)
    with pytest.raises(
        ValueError, match="nlfol_verification_likelihood compares JSON objects and reads none; leave plain"
    ):
        dataset("verification", plain=True, likelihood=True)


def test_recorded_dialogues_have_right_and_wrong_answers(few: str) -> None:
    parts = [part for kind in ("round_trip", "logical_translation") for part in record(kind, 6, few)]
    assert {len(part.replies) for part in parts} == {1, 2}
    assert {1, 0} <= {next(iter(part.scores.values())) for part in parts}
    same = {f"{part.kind} {part.name}": dict(part.scores) for part in parts}
    assert differing(parts, same) == []
    changed = {name: {**scores, "equivalence": 0.5} for name, scores in same.items()}
    del changed[f"{parts[0].kind} {parts[0].name}"]
    assert len(differing(parts, changed)) == len(parts)


def test_questions_are_rows_with_a_version_of_their_own(few: str) -> None:
    asked = questions("logical_translation", few)
    assert (asked.dataset, asked.task, len(asked.rows)) == ("few", "logical_translation", 6)
    assert asked.version.startswith(f"{nlfol.__version__}+")
    assert questions("logical_translation", few).version == asked.version
    assert questions("logical_translation", few, seed=1).version != asked.version
    assert len({name_of(row) for row in asked.rows}) == 6
    assert nlfol.score(asked.rows[0], asked.rows[0]["formula"]).scores["equivalence"] == 1
    configured = questions("program", config=str(ROOT / "config.yaml"), entry="concept_table")
    assert (configured.dataset, configured.rows[0]["task"]["strategy"]) == ("rules", "concept_table")


@pytest.mark.parametrize(
    ("kind", "options", "told"),
    [
        ("rankin", {}, r"no task 'rankin' \(did you mean ranking\?\)"),
        ("round_trip", {"presentation": "english"}, "presentation: 'english'; use one of zero_shot"),
        ("ranking", {"config": str(ROOT / "config.yaml"), "entry": "program"}, "no task program of kind ranking"),
    ],
)
def test_questions_error_names_what_cannot_be_used(kind: str, options: dict[str, str], told: str, few: str) -> None:
    with pytest.raises(ValueError, match=told):
        questions(kind, None if options.get("config") else few, **options)  # type: ignore[arg-type]


def test_lm_eval_tasks_name_metrics_and_kinds_that_exist() -> None:
    tasks = {path.stem: yaml.load(path.read_text(encoding="utf-8"), Functions) for path in LM_EVAL.glob("*.yaml")}
    group, chosen = tasks.pop("_nlfol"), tasks.pop("_nlfol_likelihood")
    likely = {kind: tasks.pop(f"{kind}_likelihood") for kind, facts in FACTS.items() if facts.form in OPTIONED}
    assert {*chosen["task"]} == {task["task"] for task in likely.values()}
    assert tasks.pop("_likelihood")["custom_dataset"] == "tasks.dataset"
    for kind, task in likely.items():
        assert task["task"] == f"nlfol_{kind}_likelihood"
        assert {**task["metadata"], "version": 1} == {"version": 1, "kind": kind, "likelihood": True}
    common = tasks.pop("_common")
    assert {common["custom_dataset"], common["process_results"]} == {"tasks.dataset", "tasks.process_results"}
    assert tasks.keys() == FACTS.keys()
    assert {*group["task"]} <= {task["task"] for task in tasks.values()} - {"nlfol_round_trip"}
    for kind, task in tasks.items():
        metrics = {metric["metric"] for metric in task["metric_list"]} - {"read"}
        assert task["metadata"]["kind"] == kind
        assert metrics <= {*FACTS[kind].metrics, *FACTS[kind].other_metrics}


def test_lm_eval_tasks_without_nlfol_say_how_to_install_it() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", LM_EVAL / "tasks.py"], capture_output=True, text=True, check=False
    )
    assert "the tasks nlfol_* of lm-eval need the package nlfol: pip install 'nlfol[tools]'" in done.stderr


def test_imported_choice_is_the_first_of_the_likeliest(few: str, tmp_path: Path) -> None:
    asked = questions("most_similar", few)
    made = document(asked.rows[0], False, asked, likelihood=True)
    path = tmp_path / "samples_nlfol_most_similar_likelihood_1.jsonl"
    told = [[[str(score), "False"]] for score in (-3.5, -1.25, -1.25, *[-9.0] * (len(made["options"]) - 3))]
    path.write_text(json.dumps({"doc": made, "resps": told}) + "\n", encoding="utf-8")
    (tmp_path / "results_1.json").write_text('{"model_name": "m"}', encoding="utf-8")
    assert written([path], tmp_path / "answers.jsonl") == 1
    (line,) = map(json.loads, (tmp_path / "answers.jsonl").read_text(encoding="utf-8").splitlines())
    assert (line["answer"], line["model"]) == ('{"answer":2}', "m;answer=likelihood")
    path.write_text(json.dumps({"doc": made, "resps": told[:2]}) + "\n", encoding="utf-8")
    with pytest.raises(SourceError, match="line 1 is no whole sample"):
        written([path], tmp_path / "answers.jsonl")


def sample_of(row: dict[str, Any], reply: str) -> dict[str, Any]:
    """Return a sample as lm-eval writes it."""
    question = nlfol.dialogue(row)
    assert question is not None
    about = {"dataset": "few", "task": "most_similar", "order": json.dumps(question.order)}
    return {"doc": {"row": json.dumps(row), **about}, "resps": [[reply]]}


def test_imported_samples_are_answers_with_model_and_order(few: str, tmp_path: Path) -> None:
    rows = questions("most_similar", few).rows[:3]
    path = tmp_path / "samples_nlfol_most_similar_2026-11-29T10-00-00.jsonl"
    path.write_text("\n".join(json.dumps(sample_of(row, '{"answer": 1}')) for row in rows), encoding="utf-8")
    (tmp_path / "results_2026-11-29T10-00-00.json").write_text('{"model_name": "gpt-4o"}', encoding="utf-8")
    assert written([path], tmp_path / "answers.jsonl") == 3
    lines = [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {line["model"] for line in lines} == {"gpt-4o"}
    answers = read_answer_file(tmp_path / "answers.jsonl")
    assert [(answer.item, answer.presentation) for answer in answers.rows] == [
        (row["item"], row["presentation"]) for row in rows
    ]
    for row, line in zip(rows, lines, strict=True):
        assert nlfol.score(row, line).scores == nlfol.score(row, '{"answer": 1}').scores


def test_import_refuses_other_files(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    path.write_text('{"doc": {"question": "?"}, "resps": [["4"]]}\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"samples.jsonl: line 1 is no sample of a task nlfol_"):
        written([path], tmp_path / "answers.jsonl")


def test_import_names_line_of_broken_sample(tmp_path: Path) -> None:
    path = tmp_path / "samples_nlfol_ranking_1.jsonl"
    path.write_text(json.dumps({"doc": {"row": "{}"}}) + "\n", encoding="utf-8")
    with pytest.raises(SourceError, match="line 1 is no whole sample"):
        written([path], tmp_path / "answers.jsonl")
    assert not (tmp_path / "answers.jsonl").exists()


@pytest.mark.skipif(find_spec("inspect_ai") is not None, reason="inspect_ai is installed")
def test_import_without_inspect_says_how_to_install_it(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"needs the package inspect_ai: pip install '\.\[inspect\]'"):
        written([tmp_path / "log.eval"], tmp_path / "answers.jsonl")


def test_register_entry_names_a_task_that_is_there_and_its_samples() -> None:
    entry = yaml.safe_load((ROOT / "resources/register/eval.yaml").read_text(encoding="utf-8"))
    (task,) = entry["tasks"]
    module = ast.parse((ROOT / task["task_path"]).read_text(encoding="utf-8"))
    tasks = {
        node.name
        for node in module.body
        if isinstance(node, ast.FunctionDef) and "task" in map(ast.unparse, node.decorator_list)
    }
    assert tasks == FACTS.keys()
    assert task["name"] in tasks
    assert task["dataset_samples"] == len(questions(task["name"]).rows)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    declared = project["dependency-groups"][project["tool"]["uv"]["default-groups"][0]]
    assert project["project"]["optional-dependencies"]["inspect"] == declared
    assert any(name.startswith("inspect-ai>=") for name in declared)


def test_step_of_register_fills_in_owner_and_commit(tmp_path: Path) -> None:
    made = tmp_path / "nlfol_logical_translation/eval.yaml"
    made.parent.mkdir()
    (step,) = re.findall(r"^# +(grep .*)$", (ROOT / "resources/register/eval.yaml").read_text(encoding="utf-8"), re.M)
    told = {**os.environ, "OWNER": "someone", "REGISTER": str(tmp_path)}
    subprocess.run(["bash", "-c", step], cwd=ROOT, env=told, check=True)
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert yaml.safe_load(made.read_text(encoding="utf-8"))["source"] == {
        "repository_url": "https://github.com/someone/nlfol",
        "repository_commit": commit.strip(),
        "maintainers": ["someone"],
    }


def test_documents_of_many_rows_have_one_version(few: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, count = questions("logical_translation", few), 0

    def counted(rows: object) -> str:
        nonlocal count
        count += 1
        return canonical(rows)

    monkeypatch.setattr("nlfol.harnesses.questions.canonical", counted)
    assert {document(row, False, asked)["version"] for row in asked.rows} == {asked.version}
    assert count == 1
