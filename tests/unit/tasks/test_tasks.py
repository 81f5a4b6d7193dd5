"""Common to all tasks: metrics, samples of items, and forms of answers."""

from dataclasses import replace

import pytest
from tests import examples
from tests.examples import CUBES as GOLD
from tests.examples import said

from nlfol.asking.asking import sample
from nlfol.candidates.audited import Plan, ranking_set
from nlfol.logic.reading import parse
from nlfol.ontology.derivation import derive
from nlfol.randomness import generator
from nlfol.tasks.answers import (
    MAX_ANSWER,
    AnswerError,
    index_schema,
    order_schema,
    read_index,
    read_order,
    read_text,
    text_schema,
)
from nlfol.tasks.registry import METRICS, TASKS

SENTENCE = examples.item(
    GOLD, "Every cube is small.", ranking_set(parse(GOLD), derive([parse(GOLD)]), Plan(3), generator(1))
)
PROBLEM = replace(SENTENCE, problem=examples.CATS)


def test_every_task_declares_its_metrics() -> None:
    for kind, task in TASKS.items():
        assert task.kind == kind
        built = task(task.entry_type(task=kind))
        declared = {*task.metrics, *task.other_metrics}
        about = PROBLEM if task.takes == {"problems"} else SENTENCE
        assert {metric for lost in built.lost(about, "failed", None, None) for metric in lost.scores} == declared
        assert set(task.metrics) <= built.chance(about).scores.keys() <= declared
        assert all(map(task.rates, task.metrics))
        assert not any(map(task.rates, task.other_metrics))
        assert METRICS[kind] == task.metrics
    assert {kind for kind, task in TASKS.items() if task.has_candidates()} == {"most_similar", "ranking"}


def test_a_larger_sample_keeps_a_smaller_one() -> None:
    items = [replace(SENTENCE, text=f"Cube {number} is small.", item=f"w1:{number}") for number in range(40)]
    few, more = sample(items, 5, 1, "tarski"), sample(items, 10, 1, "tarski")
    assert len(few) == 5
    assert [each for each in more if each in few] == few
    assert sample(items[::-1], 5, 1, "tarski") == few[::-1]
    assert sample(items, None, 1, "tarski") == sample(items, 99, 1, "tarski") == items
    assert few not in (sample(items, 5, 2, "tarski"), sample(items, 5, 1, "folio"))


def test_reasoning_comes_before_the_said() -> None:
    for schema in (text_schema(40, 50), index_schema(3, 50), order_schema(3, 50)):
        assert list(schema["properties"]) == schema["required"] == ["reasoning", "answer"]
        assert schema["additionalProperties"] is False
        assert schema["properties"]["reasoning"]["maxLength"] == 50
    assert text_schema(40, 50)["properties"]["answer"] == {"type": "string", "maxLength": 40}


def test_answers_are_read_from_0() -> None:
    assert read_text(said("Cube(a)")) == "Cube(a)"
    assert read_index(said(2), 3) == 1
    assert read_order(said([3, 1, 2]), 3) == [2, 0, 1]


@pytest.mark.parametrize(
    "text",
    ["", "1", "[]", "{}", "Cube(a)", '{"answer": 1}', said(1)[:-1], said(1) + " x", said(1)[:-1] + ', "extra": 2}'],
)
def test_what_is_no_answer_object_is_refused(text: str) -> None:
    with pytest.raises(AnswerError):
        read_index(text, 3)


@pytest.mark.parametrize("value", [0, 4, -1, "1", 1.0, True, None, [1]])
def test_an_index_is_one_of_the_numbers_shown(value: object) -> None:
    with pytest.raises(AnswerError):
        read_index(said(value), 3)


@pytest.mark.parametrize("value", [[], [1, 2], [1, 2, 2], [0, 1, 2], [1, 2, 3, 4], ["1", 2, 3], 123])
def test_an_order_holds_every_number_once(value: object) -> None:
    with pytest.raises(AnswerError):
        read_order(said(value), 3)


def test_size_and_depth_are_bounded() -> None:
    with pytest.raises(AnswerError, match="characters"):
        read_text(said("x" * MAX_ANSWER))
    for text in ("[" * 100_000, said(1)[:-1] + "0" * 5_000 + "}"):
        with pytest.raises(AnswerError):
            read_index(text, 3)
