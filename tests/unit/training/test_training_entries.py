"""Other entries that a training's entry names."""

import copy
from typing import Any

import pytest

from nlfol.config import Configuration, ConfigurationError, experiment_json, read_configuration

LOCAL: dict[str, Any] = {"kind": "chat", "backend": "transformers", "source": {"path": "mine/tiny"}}
VALUES: dict[str, Any] = {
    "seed": 7,
    "datasets": {
        "learnt": {"reader": "family", "family": "rules"},
        "learnt_varied": {"reader": "diversified", "of": "learnt"},
        "exam": {"reader": "family", "family": "taxonomy"},
        "other": {"reader": "family", "family": "proofs"},
    },
    "tasks": {
        "teaching": {"task": "program", "datasets": ["learnt", "learnt_varied"], "models": ["reader", "tiny"]},
        "program": {"datasets": ["exam"]},
        "question_answering": {"datasets": ["other"], "models": ["tiny"]},
    },
    "training": {"gold": {"from": [{"dataset": "learnt_varied", "task": "teaching", "models": ["reader"]}]}},
    "models": {
        "tiny": LOCAL,
        "tuned": {**LOCAL, "adapter": {"trained": "gold"}},
        "big": {**LOCAL, "source": {"path": "mine/big"}},
        "reader": {"kind": "reader"},
        "chance": {"kind": "chance"},
    },
}


def configured(**changes: Any) -> Configuration:
    """The configuration with changed values, by their place; None takes a key away."""
    values = copy.deepcopy(VALUES)
    for place, value in changes.items():
        *way, last = place.split("__")
        block = values
        for key in way:
            block = block[key]
        if value is None:
            del block[last]
        else:
            block[last] = value
    return read_configuration(values)


def refused(**changes: Any) -> str:
    with pytest.raises(ConfigurationError) as caught:
        configured(**changes)
    (line,) = str(caught.value).splitlines()[1:]
    return line.strip().removeprefix("config: ")


def test_training_infers_tested_datasets_from_adapter_models() -> None:
    training = configured().trainings["gold"]
    assert (training.base, training.tested) == ("tiny", ("exam",))
    assert configured(training__gold__tested=["other"]).trainings["gold"].tested == ("other",)
    assert configured(models__tuned=None, training__gold__base="big").trainings["gold"].tested == ()
    entry = training.entry
    assert (entry.count, entry.right, entry.batch, entry.learning_rate, entry.epochs) == (600, True, 1, 5e-5, 3)
    assert (entry.rank, entry.alpha) == (8, 16)


def test_training_refuses_tested_problems_before_asking() -> None:
    line = refused(tasks__teaching__models=["reader", "tiny", "tuned"])
    assert line.startswith("training.gold.from.0.dataset: learnt_varied is tested: models with the adapter are asked")
    assert line.endswith(
        "learn from another dataset, narrow the tasks of those models (datasets, models), or name what is tested"
    )
    line = refused(training__gold__tested=["learnt"])
    assert "from.0.dataset: learnt (whose problems learnt_varied has) is tested: the entry says" in line
    assert configured(tasks__teaching__models=["reader", "tiny", "tuned"], training__gold__tested=["exam"]).training


def test_training_refuses_tested_words_unless_allowed() -> None:
    exam = {"reader": "diversified", "of": "exam"}
    given = {"datasets__exam_varied": exam, "tasks__program__datasets": ["exam", "exam_varied"]}
    line = refused(**given)
    assert line == (
        "training.gold.from.0.dataset: learnt_varied has the other words of exam_varied, which is tested; add `words: "
        "shown` to datasets.learnt_varied, or `tested_words: true` to the training if it is meant to learn them"
    )
    learnt = {"reader": "diversified", "of": "learnt", "words": "shown"}
    for change in (
        {"datasets__learnt_varied": learnt},
        {"training__gold__tested_words": True},
        {"training__gold__tested": ["exam"]},
        {"datasets__exam_varied": {**exam, "words": "shown"}},
    ):
        assert configured(**given | change).training


def learning(**source: Any) -> dict[str, Any]:
    """The source of answers, changed."""
    return {"training__gold__from": [{"dataset": "learnt", "task": "teaching", "models": ["reader"]} | source]}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"models__tuned__adapter": {"trained": "glod"}},
            "models.tuned.adapter.trained: there is no training glod under training; correct the name (did you mean",
        ),
        (
            {"models__tuned__adapter": {"trained": "gold", "path": "x"}},
            "models.tuned.adapter: an adapter has exactly one of the keys 'path' and 'trained'",
        ),
        (
            learning(dataset="learned"),
            "training.gold.from.0.dataset: there is no learned; correct the name (did you mean learnt?)",
        ),
        (
            learning(models=["big"]),
            "training.gold.from.0.models: big is not asked teaching on learnt; name another, or",
        ),
        (
            learning(dataset="exam", task="program", models=["chance"]),
            "training.gold.from.0.models: chance writes no answers; name a dialogue model or reference",
        ),
        (
            {"training__gold__tested": ["exams"]},
            "training.gold.tested: there is no dataset exams; correct the name (did",
        ),
        (
            {"training__gold__base": "tuned"},
            "training.gold.base: tuned is no dialogue model that runs here without an adapter; name one",
        ),
        ({"training__gold__base": "big"}, "models.tuned.adapter.trained: gold trains big, which has another source"),
        (
            {"models__tiny": None, "tasks__question_answering": None, "tasks__teaching__models": ["reader"]},
            "training.gold: there is no model to train: no model without an adapter has the source of one with adapter",
        ),
        (
            {"training__gold__form": []},
            "training.gold.form: there is no such key; remove the key or correct its name (did you mean from",
        ),
        ({"training__gold__sources": []}, "training.gold.sources: there is no such key"),
        ({"training__gold__batch": 0}, "training.gold.batch: must be greater than 0"),
    ],
)
def test_training_entry_error_names_faulty_key(changes: dict[str, Any], message: str) -> None:
    assert refused(**changes).startswith(message)


def test_learner_uses_training_resources() -> None:
    base = {**LOCAL, "resources": {"mem_mb": 1, "threads": 2, "qos": "long"}}
    learner = configured(models__tiny=base, training__gold__resources={"threads": 4}).trainings["gold"].learner
    resources = learner.resources
    assert (resources.threads, resources.qos, resources.mem_mb) == (4, "long", None)


def test_cyclic_trainings_are_refused() -> None:
    itself = [{"dataset": "learnt", "task": "teaching", "models": ["tuned"]}]
    line = refused(training__gold__from=itself, tasks__teaching__models=["tuned"])
    assert line == (
        "training.gold: learns from answers of a model with the adapter gold, so none can be first; learn from other "
        "models"
    )

    second = {**LOCAL, "adapter": {"trained": "silver"}}
    by_second = [{"dataset": "learnt", "task": "teaching", "models": ["second"]}]
    line = refused(
        models__second=second,
        training__gold__from=by_second,
        training__silver={"from": itself},
        tasks__teaching__models=["tuned", "second"],
    )
    assert "training.gold: learns from answers of a model with the adapter silver, which learns from" in line
    # One after the other is no cycle: the second learns what the first says of other problems.
    chained = configured(
        models__second=second,
        training__silver={"from": itself},
        training__gold__tested=["exam"],
        tasks__teaching__models=["reader", "tuned"],
    )
    assert chained.trainings["silver"].base == "tiny"

    recorded = {"kind": "answers", "path": "results/responses/{dataset}/{task}/tuned.arrow"}
    line = refused(
        models__recorded=recorded,
        training__gold__from=[{"dataset": "learnt", "task": "teaching", "models": ["recorded"]}],
        tasks__teaching__models=["tuned", "recorded"],
    )
    assert "gold: learns from answers of a model with the adapter gold" in line


def test_experiment_json_excludes_training_resources() -> None:
    more = configured(training__gold__resources={"gpu": 1, "runtime": 60})
    assert experiment_json(configured()) == experiment_json(more)
    assert experiment_json(configured()) != experiment_json(configured(training__gold__rank=4))
