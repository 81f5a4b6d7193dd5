"""Subjects of an experiment, which decide the tables it has."""

from typing import Any

import pytest
from tests.examples import default

from nlfol.config import read_configuration, subjects
from nlfol.results.analyses.registry import TOPICS, Subject
from nlfol.tasks.registry import TASKS

DEFAULT = default()
SMALL: dict[str, Any] = {
    "seed": 7,
    "datasets": {name: DEFAULT["datasets"][name] for name in ("tarski", "rules", "rules_varied")},
    "tasks": {"logical_translation": {}, "ranking": {}, "question_answering": {}},
    "models": {name: DEFAULT["models"][name] for name in ("reader", "chance", "by_hand", "smollm2-135m")},
}


def about(datasets: tuple[str, ...], tasks: tuple[str, ...], models: tuple[str, ...]) -> frozenset[str]:
    named = {"datasets": datasets, "tasks": tasks, "models": models}
    chosen = {block: {name: SMALL[block][name] for name in names} for block, names in named.items()}
    return subjects(read_configuration({"seed": 7, **chosen}))


def test_default_experiment_covers_all_but_listed_subjects() -> None:
    found = subjects(read_configuration(DEFAULT))
    missing = {*(topic.about for topic in TOPICS.values()), *Subject} - found
    assert missing == {
        "choices",
        "comparisons",
        "golds",
        "logprobs",
        "rating",
        "readings",
        "released",
        "trained",
        "verdicts_of",
    }


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ((("tarski",), ("logical_translation",), ("chance", "by_hand")), {"sentences"}),
        (
            (("tarski",), ("logical_translation", "ranking"), ("smollm2-135m",)),
            {"sentences", "dialogues", "translations", "candidates"},
        ),
        ((("rules",), ("question_answering",), ("reader",)), {"problems"}),
        ((("rules", "rules_varied"), ("question_answering",), ("chance",)), {"problems", "wordings"}),
    ],
)
def test_experiment_subjects_follow_entries(asked: tuple[tuple[str, ...], ...], expected: set[str]) -> None:
    """Answers that were written as examples come from no dialogue."""
    datasets, tasks, models = asked
    forms = {TASKS[task].form for task in tasks}
    assert about(datasets, tasks, models) == {*expected, *forms, "experiment"}
