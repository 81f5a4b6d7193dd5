import json
from types import SimpleNamespace
from typing import Any, Literal

from pydantic import BaseModel

from nlfol.store.parameters import entry_of, entry_params


class Limits(BaseModel):
    tokens: int = 120
    share: float = 0.5


class One(BaseModel):
    kind: Literal["one"]
    limits: Limits = Limits()
    name: str | None = None


class Other(BaseModel):
    kind: Literal["other"]
    items: int = 1


JOB = SimpleNamespace(model="model")


def params(entry: BaseModel, *without: str, beside: BaseModel | None = None) -> dict[str, Any]:
    """A job's parameters as Snakemake evaluates them, where there may be another entry in the configuration."""
    entries = {"model": entry, "beside": beside or entry}
    values = {name: each.model_dump(mode="json", exclude=set(without)) for name, each in entries.items()}
    given = entry_params("model", values, lambda wildcards: wildcards.model)
    return {name: value(JOB) if callable(value) else value for name, value in given.items()}


def test_entry_params_name_every_key() -> None:
    one = One(kind="one", name="é=1")
    expected = {
        "model_": (),
        "model_kind": ('model.kind="one"',),
        "model_limits": ('model.limits={"share": 0.5, "tokens": 120}',),
        "model_name": ('model.name="é=1"',),
    }
    assert params(one) == expected
    assert params(one, beside=Other(kind="other")) == {**expected, "model_items": ()}


def test_entry_params_are_independent_from_other_entries() -> None:
    one = One(kind="one")
    alone, beside = (set(params(one, beside=other).values()) for other in (None, Other(kind="other")))
    assert alone == beside


def test_entry_params_shared_by_all_entries_are_constant() -> None:
    entries = {str(tokens): {"kind": "one", "limits": {"tokens": tokens}} for tokens in (1, 2)}
    given = entry_params("model", entries, lambda wildcards: wildcards.model)
    assert {name for name, value in given.items() if callable(value)} == {"model_limits"}


def test_entry_round_trips_through_params() -> None:
    entry = One(kind="one", limits=Limits(tokens=7), name="é=1")
    other = Other(kind="other", items=3)
    assert One.model_validate_json(entry_of({**params(entry, beside=other), "seed": 7}, "model")) == entry
    assert json.loads(entry_of(params(other, beside=entry), "model")) == {"kind": "other", "items": 3}


def test_irrelevant_keys_are_excluded_from_params() -> None:
    one, two = (params(One(kind="one", name=name), "name") for name in ("one", "two"))
    assert one == two
    assert One.model_validate_json(entry_of(one, "model")) == One(kind="one")


def test_entry_params_normalize_numbers_and_key_order() -> None:
    first = One.model_validate({"kind": "one", "limits": {"tokens": 1, "share": 0}})
    second = One.model_validate({"limits": {"share": 0.0, "tokens": 1}, "kind": "one"})
    assert params(first) == params(second)
