"""Answers of the models that ``benchmarks/scripted_models.py`` scripts."""

import pytest
from benchmarks.scripted_models import answered
from tests.examples import CUBES, family, item
from tests.unit.tasks.problem_items import items, next_step

from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.tasks.item import Item
from nlfol.tasks.logical_translation import LogicalTranslation, LogicalTranslationEntry
from nlfol.tasks.plan import Reply
from nlfol.tasks.question_answering import QuestionAnswering, QuestionAnsweringEntry
from nlfol.tasks.reference import Asked
from nlfol.tasks.task import AnyTask, Judgement


def judged(task: AnyTask, about: Item, seed: int, *, is_first: bool) -> Judgement | None:
    """Return the judgement of what is said, or none of a refusal."""
    shown = task.entry.shown_as[0]
    step = next_step(task, about, presentation=shown)
    text = answered(task, [about], Asked(about, shown, step, ()), is_first=is_first, seed=seed)
    return None if text == "I cannot say." else task.judge(about, [Reply("", "answered", text, step.order)])


@pytest.mark.parametrize("reasoning", [20, 0])
@pytest.mark.parametrize("is_first", [True, False])
def test_scripted_translations_are_right_unless_model_merges(is_first: bool, reasoning: int) -> None:
    task = LogicalTranslation(LogicalTranslationEntry(reasoning=reasoning))
    about = item(CUBES, "Every cube is small.", ontology=derive([parse(CUBES)]))
    found = [judged(task, about, seed, is_first=is_first) for seed in range(40)]
    verdicts = {each.verdict for each in found if each is not None}
    assert verdicts == ({"equivalent", "not_equivalent"} if is_first else {"equivalent"})


@pytest.mark.parametrize("reasoning", [20, 0])
def test_scripted_answers_are_right_with_and_without_reasoning(reasoning: int) -> None:
    task = QuestionAnswering(QuestionAnsweringEntry(reasoning=reasoning))
    (about,) = items(family("rules", 1), task)
    found = [judged(task, about, seed, is_first=True) for seed in range(5)]
    assert {each.scores["right"] for each in found if each is not None} == {1}
