"""Pairs of entries in config/changed.yaml differ in the factor of their comparison alone, and so do their requests."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.examples import ROOT
from tests.unit.tasks.published_prompts import stand_in

from nlfol.asking.asking import Asking, Offered
from nlfol.asking.components import of_request
from nlfol.asking.questions import dialogues
from nlfol.config import read_configuration
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.store.schemas import COMPONENTS
from nlfol.tasks.registry import task_of
from nlfol_extras.analyses.named_comparisons import CONTRACTS

CONFIGURATION = read_configuration(yaml.safe_load((ROOT / "config/changed.yaml").read_text(encoding="utf-8")))

FACTORS: Mapping[str, tuple[str, set[str]]] = {
    # Stand-ins have the same candidates, in another order.
    "certified sets": ("protocol", {"order"}),
    "glosses": ("given", {"glossary"}),
    "instructions": ("prompt", {"prompt", "glossary", "schema"}),
    # Solved examples have the form of the answer.
    "reasoning": ("reasoning", {"reasoning", "schema", "prompt", "examples"}),
    "JSON": ("structured", {"model", "prompt", "examples"}),
    "temperature": ("sampling", {"sampling"}),
}
"""The key of each comparison, and the components of requests in which its arms may differ."""

TASKS = [(name, *pair) for name, pairs in CONFIGURATION.compared()["task"].items() for pair in pairs]
MODELS = [(name, *pair) for name, pairs in CONFIGURATION.compared()["model"].items() for pair in pairs]


def keys(first: Any, second: Any) -> set[str]:
    """Return the keys in which two entries differ, but for the models that are asked."""
    one, other = first.model_dump(), second.model_dump()
    return {key for key in one.keys() | other.keys() if one.get(key) != other.get(key)} - {"models"}


def components(dataset: str, task_name: str, model: str) -> list[Mapping[str, str | None]]:
    """Return the components of a job's first requests."""
    task, entry = task_of(CONFIGURATION.tasks[task_name]), CONFIGURATION.models[model]
    assert isinstance(entry, ApiChatEntry)
    offered = Offered((stand_in(CONFIGURATION, dataset, task),), {})
    asking = Asking(offered, dataset, task_name, task, model, entry.model_dump_json(), 7, Path("unused"))
    made = []
    for dialogue in dialogues(asking, entry, ROOT / "resources/prompts", entry.identity):
        dialogue.advance()
        made.append(of_request(*dialogue.pending, entry.identity))
    assert made
    return made


def differing(first: tuple[str, str, str], second: tuple[str, str, str]) -> set[str]:
    """Return the components in which the first requests of two jobs differ."""
    both = zip(components(*first), components(*second), strict=True)
    return {name for one, other in both for name in COMPONENTS if one[name] != other[name]}


def test_every_factor_has_pairs() -> None:
    assert {name for name, *_ in (*TASKS, *MODELS)} == FACTORS.keys()


@pytest.mark.parametrize(("name", "first", "second"), TASKS)
def test_compared_tasks_differ_in_their_factor_only(name: str, first: str, second: str) -> None:
    key, may_differ = FACTORS[name]
    assert keys(CONFIGURATION.tasks[first], CONFIGURATION.tasks[second]) == {key}
    asked = [dataset for dataset, task in CONFIGURATION.pairs() if task == first]
    assert asked == [dataset for dataset, task in CONFIGURATION.pairs() if task == second]
    for dataset in asked:
        found = differing((dataset, first, "gpt-4o"), (dataset, second, "gpt-4o"))
        assert found
        assert found <= may_differ
        assert found.isdisjoint(CONTRACTS["task"].equal)


@pytest.mark.parametrize(("name", "first", "second"), MODELS)
def test_compared_models_differ_in_their_factor_only(name: str, first: str, second: str) -> None:
    key, may_differ = FACTORS[name]
    assert keys(CONFIGURATION.models[first], CONFIGURATION.models[second]) == {key}
    for dataset, task in CONFIGURATION.pairs():
        if CONFIGURATION.tasks[task].models is None:
            found = differing((dataset, task, first), (dataset, task, second))
            assert found
            assert found <= may_differ
            assert found.isdisjoint(CONTRACTS["model"].equal)
