"""The reference that goes by the look of candidates: it learns from other stories, and from nothing but looks."""

import json

import pytest

from nlfol.ontology.ontology import Ontology
from nlfol.tasks.item import Item, Member
from nlfol.tasks.plan import NoPrompts, Setting
from nlfol.tasks.reference import Shown, dialogue, expected_grades, features
from nlfol.tasks.registry import build_task

TEXTS = ["of some length", "longer by a word or two", "by far the longest of all these texts"]


def item(number: int, gold: int, story: str = "") -> Item:
    """Three candidates, the gold formula being the one with that length."""
    english = [TEXTS[gold], *(text for place, text in enumerate(TEXTS) if place != gold)]
    roles = ["gold", "perturbation", "perturbation"]
    members = [Member("P(a)", text, role) for text, role in zip(english, roles, strict=True)]
    return Item(f"s{number}:0", story or f"s{number}", f"sentence {number}", "P(a)", Ontology(), tuple(members))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a is a cube.", [12, 4, 0, 0, 0]),
        ("∀x (Cube(x) → (Small(x) ∨ Large(x)))", [36, 6, 5, 3, 0]),
        ("If (1), then (2):\n  (1) a;\n  (2) b.", [35, 8, 0, 1, 1]),
        ("Both (1) and (2):\n  (1) if (1.1), then (1.2):\n    (1.1) a;\n    (1.2) b;\n  (2) c.", [80, 15, 0, 2, 2]),
    ],
)
def test_features(text: str, expected: list[int]) -> None:
    assert features(text) == expected


@pytest.mark.parametrize("gold", [0, 1, 2])
def test_a_place_that_the_gold_formula_always_has_is_found(gold: int) -> None:
    items = [item(number, gold) for number in range(30)]
    task = build_task(json.dumps({"task": "most_similar"}))
    plan, reference = task.plan(Setting("toy", 1, (0,), NoPrompts())), task.reference("surface", items)
    for each in items:
        replies = [reply for _, reply in dialogue(plan, reference, each, "english", 0)]
        assert task.judge(each, replies).scores == {"accuracy": 1}


def test_the_story_that_is_asked_about_is_not_learnt_from() -> None:
    def shown(story: str, best: int) -> Shown:
        return Shown(story, TEXTS, [int(place == best) for place in range(3)])

    items = [shown("first", 0)] * 40 + [shown("second", 2)] * 40
    grades = expected_grades(items)
    assert {tuple(found) for found in grades[:40]} == {(0, 0, 1)}
    assert {tuple(found) for found in grades[40:]} == {(1, 0, 0)}
    assert expected_grades(items) == grades


def test_a_ranking_puts_those_that_look_alike_in_the_order_shown() -> None:
    task = build_task(json.dumps({"task": "ranking"}))
    assert json.loads(task.answer_of_grades([0.5, -1.0, 1.0, 0.5]))["answer"] == [3, 1, 4, 2]  # type: ignore[attr-defined]


def test_one_story_alone_teaches_nothing() -> None:
    items = [item(number, 0, "only") for number in range(3)]
    task = build_task(json.dumps({"task": "most_similar"}))
    plan, reference = task.plan(Setting("toy", 1, (0,), NoPrompts())), task.reference("surface", items)
    ((_, reply),) = dialogue(plan, reference, items[0], "english", 0)
    assert reply.outcome == "failed"
    assert "one story" in str(reply.error)
