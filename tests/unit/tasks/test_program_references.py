"""Who knows the gold program: the reader, and translators with known faults."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.examples import family
from tests.unit.tasks.problem_items import items, rows
from tests.unit.tasks.talks import SETTING, task

import answer_by_reference
import judge_answers
from nlfol.asking.asking import Asking, Offered
from nlfol.problems.families import FAMILIES
from nlfol.store import files, schemas
from nlfol.tasks.reference import Manner, dialogue
from nlfol.tasks.registry import TASKS
from nlfol.tasks.strategies import STRATEGIES


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_reader_is_right_by_every_strategy_and_drifting_and_merging_lose(name: str, strategy: str) -> None:
    asked = task(strategy, shots=1, reasoning=True)
    about = items(family(name), asked)
    plan = asked.plan(SETTING)

    def right(kind: str, manner: Manner) -> float:
        reference = asked.reference(kind, about, manner)
        scores = []
        for each in about:
            talked = dialogue(plan, reference, each, "", 0)
            for step, reply in talked:
                asked.check(each, step.part, reply.text or "")
            judged = asked.judge(each, [reply for _, reply in talked])
            scores.append(judged.scores["right"])
            if kind == "reader":
                assert (judged.scores["executable"], judged.repairs) == (1, ())
                least = plan.most_steps(each) if strategy in ("divide", "concept_table_stepwise") else 1
                assert len(talked) == least <= plan.most_steps(each)
        return sum(scores) / len(scores)

    assert right("reader", Manner()) == 1
    assert right("drifting", Manner(probability=0.0, labels=(7, "toy"))) == 1
    assert right("drifting", Manner(probability=1.0, labels=(7, "toy"))) < 0.5
    assert right("merging", Manner()) < 0.5


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_drifting_draws_by_seed_and_problem(strategy: str) -> None:
    asked = task(strategy)
    about = items(family("rules"), asked)

    def said(*labels: str | int) -> list[str | None]:
        reference = asked.reference("drifting", about, Manner(probability=0.5, labels=labels))
        plan = asked.plan(SETTING)
        return [reply.text for each in about for _, reply in dialogue(plan, reference, each, "", 0)]

    assert said(7, "toy") == said(7, "toy") != said(8, "toy")


@pytest.mark.parametrize(
    ("model", "right"),
    [
        ({"kind": "reader"}, 1),
        ({"kind": "drifting", "probability": 0}, 1),
        ({"kind": "drifting", "probability": 1}, 0),
        ({"kind": "merging"}, 0),
    ],
)
def test_references_go_through_the_files_of_every_stage(tmp_path: Path, model: dict[str, Any], right: float) -> None:
    asked = task("refine", rounds=1)
    items_file, output, scores = (tmp_path / f"{name}.arrow" for name in ("items", "responses", "scores"))
    about = {"dataset": "toy", "task": "program", "task_kind": "program", "protocol": "", "style": ""}
    files.write(items_file, schemas.ITEMS, rows(family("taxonomy"), asked), about)
    answer_by_reference.main(
        Asking(Offered.read(items_file), "toy", "program", asked, "m", json.dumps(model), 7, output)
    )
    assert files.metadata_of(files.read(output, schemas.RESPONSES))["kind"] == model["kind"]
    judge_answers.main(items_file, output, asked.entry.model_dump_json(), scores)
    found = [row["score"] for row in files.rows(scores, schemas.SCORES) if row["metric"] == "right"]
    assert found == [right] * 6


def test_drifting_and_merging_do_the_tasks_whose_symbols_are_chosen() -> None:
    done = {
        model: {kind for kind, each in TASKS.items() if each(each.entry_type(task=kind)).is_done_by(model)}
        for model in ("drifting", "merging")
    }
    assert done == {"drifting": {"program"}, "merging": {"program", "ontology_extraction"}}
