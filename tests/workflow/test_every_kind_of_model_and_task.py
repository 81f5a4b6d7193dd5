"""Every kind of model that runs offline, crossed with every kind of task, up to the report."""

import json
from typing import Any, get_args

from tests.workflow.checkout import CHANCE, MINILM, Checkout
from tests.workflow.tiny_model import ENTRY, save_tiny_model

from nlfol.models.entries import baselines
from nlfol.models.entries.base import Entry
from nlfol.tasks.registry import TASKS

TASKS_OF_ALL_KINDS: dict[str, dict[str, Any]] = {
    "logical_translation": {"limits": {"formula": 4}, "datasets": ["mine"]},
    "own_ontology": {"task": "ontology_extraction", "datasets": ["mine"]},
    "most_similar": {"protocol": "audited", "perturbations": 2, "minimum": 2, "datasets": ["mine"]},
    "ranking": {"protocol": "audited", "perturbations": 1, "minimum": 1, "datasets": ["mine"]},
    "round_trip": {
        "limits": {"english": 20, "formula": 4},
        "rounds": 2,
        "datasets": ["formulas", "expressions"],
    },
    "verification": {"datasets": ["formulas"]},
    "question_answering": {"datasets": ["rules"]},
    "program": {"shots": 0, "limits": {"line": 20}, "datasets": ["rules"]},
    "rating": {},
}
"""Each on datasets that it takes; no task names models, so each is asked of all that can do it."""

DATASETS: dict[str, dict[str, Any]] = {
    "mine": {"reader": "table", "path": "mine/sentences.csv", "ontology": "mine/ontology.yaml"},
    "formulas": {
        "reader": "grammar",
        "grammar": "first_order",
        "vocabulary": "english",
        "values": [2],
        "count": 4,
        "quantifiers": [1, 2],
    },
    "expressions": {"reader": "grammar", "grammar": "regular", "values": [3], "count": 2},
    "rules": {"reader": "family", "family": "rules", "count": 6, "depth": [1, 2]},
    "varied": {"reader": "diversified", "of": "rules"},
}
MODELS: dict[str, dict[str, Any]] = {
    "tiny": {**ENTRY, "source": {"path": "mine/tiny"}, "seeds": [3], "items": 1},
    "minilm": MINILM,
    "mine": {"kind": "answers", "path": "mine/answers.jsonl"},
    "written": {"kind": "answers", "path": "mine/answers.jsonl", "only_listed": True, "written": True},
    "reader": {"kind": "reader"},
    "surface": {"kind": "surface"},
    "medoid": {"kind": "medoid"},
    **{kind: {"kind": kind} for kind in ("words", "order", "learner")},
    "echo": {"kind": "echo"},
    "yes": {"kind": "constant", "answer": "yes"},
    "commonest": {"kind": "constant", "answer": "commonest"},
    "drifting": {"kind": "drifting", "probability": 0.3},
    "merging": {"kind": "merging"},
    "vacuous": {"kind": "vacuous"},
    "transliterate": {"kind": "transliterate"},
    "coder": {"kind": "coder", "coding": "story"},
    "chance": CHANCE,
    "reasoner": {"kind": "reasoner"},
}
ANSWERED = {"dataset": "mine", "task": "logical_translation", "item": "pets:0", "answer": "∀x (Cat(x) → Sleeps(x))"}


def test_model_kinds_cover_everything_offline() -> None:
    tasks = {entry.get("task", name) for name, entry in TASKS_OF_ALL_KINDS.items()}
    assert tasks == set(TASKS)
    entries = [kind for kind in vars(baselines).values() if isinstance(kind, type) and issubclass(kind, Entry)]
    offline = {
        kind for each in entries if "kind" in each.__annotations__ for kind in get_args(each.__annotations__["kind"])
    }
    assert {entry["kind"] for entry in MODELS.values()} == {*offline, "chat", "embedding"}


def test_report_is_built_for_every_model_and_task_kind(checkout: Checkout) -> None:
    save_tiny_model(checkout.folder / "mine/tiny")
    checkout.write("mine/answers.jsonl", f"{json.dumps(ANSWERED, ensure_ascii=False)}\n")
    checkout.configure({"seed": 7, "datasets": DATASETS, "tasks": TASKS_OF_ALL_KINDS, "models": MODELS})
    checkout.run("results/report")
    page = checkout.read("results/report/index.html")
    assert 'class="notice missing"' not in page
