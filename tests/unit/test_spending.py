"""Models as the table of providers settles them: what they accept and cost, and budgets that cannot be held."""

from pathlib import Path
from typing import Any

import pytest

from nlfol.config import ConfigurationError, read_configuration
from nlfol.models.entries.interface import Interface
from nlfol.models.entries.prices import FREE, Price
from nlfol.models.providers.registry import ModelEntry, price_of
from nlfol.spending import settle_models

TABLE = Path(__file__).parents[2] / "resources/providers.yaml"
EMBEDDING = {"kind": "embedding", "backend": "openai", "model": "mine"}
EUROS = {"currency": "EUR", "prompt": 7, "completion": 8}


def configuration(**entries: Any) -> dict[str, Any]:
    chat = {"kind": "chat", "backend": "openai"}
    return {
        "seed": 1,
        "datasets": {"d": {"reader": "table", "path": "p", "ontology": "o"}},
        "tasks": {"logical_translation": {}},
        "models": {"m": {**chat, "model": "mine", **entries}, "chance": {"kind": "chance"}},
    }


def settled(**entries: Any) -> ModelEntry:
    return settle_models(read_configuration(configuration(**entries)), TABLE).models["m"]


def test_model_price_comes_from_table_or_entry() -> None:
    listed, stated = settled(model="gpt-4o-mini"), settled(model="gpt-4o-mini", price=EUROS)
    assert isinstance(listed, Interface)
    assert listed.price is not None
    assert listed.price.completion == 0.6
    assert price_of(stated) == Price(currency="EUR", prompt=7, completion=8)
    assert type(stated).model_validate_json(stated.model_dump_json()) == stated
    assert price_of(settled(model="gpt-4o-mini", base_url="http://localhost:8000/v1")) is None


def test_model_capabilities_faults_are_reported_together(tmp_path: Path) -> None:
    assert '"temperature":false' in settled(model="o3-mini").model_dump_json()
    wrong = {"kind": "chat", "backend": "openai", "model": "o3-mini", "sampling": {"temperature": 0}}
    several = read_configuration(configuration() | {"models": {"one": wrong, "two": wrong}})
    with pytest.raises(ConfigurationError) as caught:
        settle_models(several, TABLE)
    assert [line.partition(" is given")[0].strip() for line in str(caught.value).splitlines()[1:]] == [
        "models.one: sampling.temperature",
        "models.two: sampling.temperature",
    ]
    with pytest.raises(ConfigurationError, match=r"none\.yaml: cannot be read"):
        settle_models(several, tmp_path / "none.yaml")


def test_embedding_interface_model_has_price() -> None:
    assert price_of(settled(**EMBEDDING, price=EUROS)) == Price(currency="EUR", prompt=7, completion=8)
    assert price_of(settled(**EMBEDDING)) is None


def test_local_reference_is_free() -> None:
    chance = settle_models(read_configuration(configuration()), TABLE).models["chance"]
    assert price_of(chance) == FREE


@pytest.mark.parametrize(
    ("entries", "budget", "fault"),
    [
        ({}, {"total": 1}, "models.m: has no price, so that the budget cannot be held; state it: price:"),
        ({"price": {"currency": "EUR", "prompt": 1, "completion": 1}}, {"total": 1}, "in EUR and the budget is in USD"),
        (EMBEDDING, {"total": 1}, "models.m: has no price, so that the budget cannot be held"),
        ({}, {"models": {"n": 1}}, "budget.models.n: no such model behind an interface"),
        ({}, {"models": {"chance": 1}}, "budget.models.chance: no such model behind an interface"),
        ({}, {}, "budget: .*a budget has a total, or amounts for models"),
        ({}, {"total": 0}, "budget.total"),
    ],
)
def test_unenforceable_budget_is_rejected(entries: Any, budget: Any, fault: str) -> None:
    with pytest.raises(ConfigurationError, match=fault):
        settle_models(read_configuration({**configuration(**entries), "budget": budget}), TABLE)
