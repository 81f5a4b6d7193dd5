"""Answers of the models that ``benchmarks/scripted_models.py`` scripts."""

import copy
import json
from collections import Counter
from dataclasses import replace

import pytest
import yaml
from benchmarks.scripted_models import REFUSAL, answered, scripted
from tests.examples import CUBES, ROOT, family, item
from tests.unit.tasks.problem_items import items, next_step

from nlfol.config import read_configuration
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.models.entries.chat import LocalChatEntry
from nlfol.randomness import generator
from nlfol.sets.audited import Plan, most_similar_set, ranking_set
from nlfol.tasks.item import Item
from nlfol.tasks.logical_translation import LogicalTranslation, LogicalTranslationEntry
from nlfol.tasks.plan import Reply
from nlfol.tasks.question_answering import QuestionAnswering, QuestionAnsweringEntry
from nlfol.tasks.reference import Asked
from nlfol.tasks.registry import build_task
from nlfol.tasks.task import AnyTask, Judgement

CANDIDATES = {
    kind: item(CUBES, "", make(parse(CUBES), derive([parse(CUBES)]), Plan(3), generator(1)))
    for kind, make in (("most_similar", most_similar_set), ("ranking", ranking_set))
}


def judged(task: AnyTask, about: Item, seed: int, *, is_first: bool) -> Judgement | None:
    """Return the judgement of what is said, or none of a refusal."""
    shown = task.entry.shown_as[0]
    step = next_step(task, about, presentation=shown)
    text = answered(task, [about], Asked(about, shown, step, ()), model="one", is_first=is_first, seed=seed)
    return None if text == REFUSAL else task.judge(about, [Reply("", "answered", text, step.order)])


@pytest.mark.parametrize("reasoning", [20, 0])
@pytest.mark.parametrize("is_first", [True, False])
def test_scripted_translations_are_wrong_in_known_shares(is_first: bool, reasoning: int) -> None:
    task = LogicalTranslation(LogicalTranslationEntry(reasoning=reasoning))
    about = item(CUBES, "Every cube is small.", ontology=derive([parse(CUBES)]))
    found = [judged(task, about, seed, is_first=is_first) for seed in range(80)]
    verdicts = Counter(each.verdict for each in found if each is not None)
    wrong = verdicts["not_equivalent"] / verdicts.total()
    assert verdicts.keys() == {"equivalent", "not_equivalent"}
    assert wrong == pytest.approx(1 / 5 if is_first else 1 / 7, abs=0.1)


@pytest.mark.parametrize("reasoning", [20, 0])
def test_scripted_answers_are_right_with_and_without_reasoning(reasoning: int) -> None:
    task = QuestionAnswering(QuestionAnsweringEntry(reasoning=reasoning))
    (about,) = items(family("rules", 1), task)
    found = [judged(task, about, seed, is_first=True) for seed in range(5)]
    assert {each.scores["right"] for each in found if each is not None} == {1}


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("kind", ["ranking", "most_similar"])
def test_scripted_rankings_are_right_at_ends_in_known_shares(kind: str, is_first: bool) -> None:
    """The ends are recomputed here, from the answer and the roles."""
    task = build_task(json.dumps({"task": kind}))
    shares: Counter[tuple[bool, bool]] = Counter()
    faults: set[str | None] = set()
    for number in range(200):
        about = replace(CANDIDATES[kind], text=f"{number}: every cube is small.", source=str(number))
        step = next_step(task, about, presentation="formula")
        text = answered(task, [about], Asked(about, "formula", step, ()), model="one", is_first=is_first, seed=7)
        if text == REFUSAL:
            continue
        answer = json.loads(text)["answer"]
        roles = [about.members[step.order[number - 1]].role for number in (answer if kind == "ranking" else [answer])]
        first = set(roles[:2]) == {"gold", "equivalent"} if kind == "ranking" else roles == ["gold"]
        last = all(role.startswith("negation") for role in roles[-2:])
        shares[first, last] += 1
        judgement = task.judge(about, [Reply("", "answered", text, step.order)])
        right = {"equivalence": first, "negation": last, "both": first and last, "accuracy": first}
        assert judgement.scores == {name: float(right[name]) for name in judgement.scores}
        faults.add(judgement.fault)
    share = {ends: count / shares.total() for ends, count in shares.items()}
    if kind == "ranking":
        expected = {(True, True): 0.4, (True, False): 0.2, (False, True): 0.2, (False, False): 0.2}
        assert share == pytest.approx(expected, abs=0.1)
        assert {"gold", "equivalent", "negation", "negation_normal_form"} <= faults
    else:
        assert share == pytest.approx({(True, False): 0.6, (False, False): 0.4}, abs=0.1)


def test_scripted_training_is_of_tiny_models_on_served_answers() -> None:
    values = yaml.safe_load((ROOT / "config/fine_tuning.yaml").read_text(encoding="utf-8"))
    names = [name for name, entry in values["models"].items() if entry["kind"] == "chat"]
    served = scripted(copy.deepcopy(values), "http://localhost:1/v1", 2, names)
    untrained = {key: value for key, value in copy.deepcopy(values).items() if key != "training"}
    assert scripted(untrained, "http://localhost:1/v1", 2, names) == served
    trained = scripted(values, "http://localhost:1/v1", 2, names, trains=True)
    assert served["training"] == {}
    assert {served["models"][name]["backend"] for name in names} == {"openai"}
    read = read_configuration(trained)
    tuned = {name: entry.trained for name, entry in read.models.items() if isinstance(entry, LocalChatEntry)}
    assert tuned == {
        "llama-3-8b-instruct": None,
        "llama-3-8b-instruct-sft": "sft",
        "llama-3-8b-instruct-sft-table": "sft_table",
    }
    assert {training.base for training in read.trainings.values()} == {"llama-3-8b-instruct"}
    assert {trained["models"][name]["backend"] for name in ("gpt-4", "deepseek-v3")} == {"openai"}
