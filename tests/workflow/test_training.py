"""Training in a run of its own, and what changes of entries make again."""

import copy
from collections.abc import Callable
from typing import Any

from tests.workflow.checkout import CHANCE, Checkout
from tests.workflow.tiny_model import ENTRY, save_tiny_model

from nlfol.store import files
from nlfol.store.origins import origins, place_of
from nlfol.store.training_schemas import EXAMPLES, LOSSES

TINY = {**ENTRY, "source": {"path": "mine/tiny"}, "device": "cpu"}
CONFIGURATION: dict[str, Any] = {
    "seed": 7,
    "datasets": {
        "learnt": {"reader": "family", "family": "rules", "count": 6, "depth": [1, 2]},
        # Drawn alike: the first ones are the same.
        "exam": {"reader": "family", "family": "rules", "count": 2, "depth": [1, 2]},
    },
    "tasks": {
        "teaching": {"task": "program", "shots": 0, "datasets": ["learnt"], "models": ["reader"]},
        "program": {"shots": 0, "datasets": ["exam"]},
    },
    "training": {
        "gold": {"from": [{"dataset": "learnt", "task": "teaching", "models": ["reader"]}], "count": 2, "epochs": 1}
    },
    "models": {
        "tiny": TINY,
        "tuned": {**TINY, "adapter": {"trained": "gold"}},
        "reader": {"kind": "reader"},
        "chance": CHANCE,
    },
}
TARGETS = ("results/weights/tuned", "results/weights/tiny")


def test_adapter_is_trained_and_changed_entries_retrain_dependents(checkout: Checkout) -> None:
    save_tiny_model(checkout.folder / "mine/tiny")
    checkout.configure(CONFIGURATION)
    run = checkout.run(*TARGETS)
    trained = {"export_training": 1, "train_adapter": 1, "materialise_model": 2}
    assert {rule: run.jobs.get(rule) for rule in (*trained, "ask_chat")} == {**trained, "ask_chat": None}
    examples = checkout.folder / "results/training/gold/examples.arrow"
    found = files.rows(examples, EXAMPLES)
    leaks = [(row["item"], row["tested_dataset"], row["tested_item"]) for row in found if row["reason"] == "leak"]
    assert leaks == [("0", "exam", "0"), ("1", "exam", "1")]
    assert sum(row["status"] == "usable" for row in found) == 2
    about = files.metadata_of(files.read(checkout.folder / "results/training/gold/losses.arrow", LOSSES))
    assert origins(about) == {"examples/gold": files.digest(examples)}
    assert place_of("examples/gold", checkout.folder / "results") == examples
    assert about["adapter"] in checkout.read("results/weights/tuned/source.json")
    work = [path.name for path in (checkout.folder / "results/adapters").iterdir()]
    assert work == ["gold"]

    def planned(change: Callable[[dict[str, Any]], object], *targets: str) -> dict[str, int]:
        values = copy.deepcopy(CONFIGURATION)
        change(values)
        checkout.configure(values)
        done = checkout.run(*targets, "--dry-run")
        return done.jobs

    def asked_otherwise(values: dict[str, Any]) -> None:
        values["models"]["tiny"] |= {"batch_size": 4, "seeds": [5], "limits": {"tokens": 100}, "constrained": False}
        values["models"]["tuned"] |= {"items": 1, "sampling": {"temperature": 0.5}}
        values["training"]["gold"]["resources"] = {"runtime": 60}

    assert planned(asked_otherwise, *TARGETS) == {}
    everything = planned(asked_otherwise, "results/tables")
    assert everything["ask_chat"] == 2
    assert not {"export_training", "train_adapter", "materialise_model"} & everything.keys()

    again = {"train_adapter": 1, "materialise_model": 1}
    assert planned(lambda values: values["training"]["gold"].update(rank=4), *TARGETS) == again
    assert planned(lambda values: values["models"]["tiny"].update(thinking=None), *TARGETS) == again
    more = planned(lambda values: values["training"]["gold"].update(count=3), *TARGETS)
    assert more == {"export_training": 1, **again}
