import json
from types import SimpleNamespace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

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


Entry = Annotated[One | Other, Field(discriminator="kind")]


def params(entry: BaseModel, *without: str) -> dict[str, str | None]:
    """A job's parameters as Snakemake evaluates them."""
    given = {"model": entry}

    def values(wildcards: Any) -> dict[str, Any]:
        return given[wildcards.model].model_dump(mode="json", exclude=set(without))

    job = SimpleNamespace(model="model")
    return {name: value(job) for name, value in entry_params("model", Entry, values).items()}


def test_every_key_of_an_entry_is_a_parameter_that_names_it() -> None:
    assert params(One(kind="one", name="é=1")) == {
        "model_items": None,
        "model_kind": 'model.kind="one"',
        "model_limits": 'model.limits={"share": 0.5, "tokens": 120}',
        "model_name": 'model.name="é=1"',
    }


def test_a_script_has_the_entry_as_it_was_given() -> None:
    entry = One(kind="one", limits=Limits(tokens=7), name="é=1")
    assert One.model_validate_json(entry_of({**params(entry), "seed": 7}, "model")) == entry
    other = Other(kind="other", items=3)
    assert json.loads(entry_of(params(other), "model")) == {"kind": "other", "items": 3}


def test_what_nothing_depends_on_is_in_no_parameter() -> None:
    one, two = (params(One(kind="one", name=name), "name") for name in ("one", "two"))
    assert one == two
    assert One.model_validate_json(entry_of(one, "model")) == One(kind="one")


def test_equal_numbers_and_any_order_of_keys_are_equal_parameters() -> None:
    first = One.model_validate({"kind": "one", "limits": {"tokens": 1, "share": 0}})
    second = One.model_validate({"limits": {"share": 0.0, "tokens": 1}, "kind": "one"})
    assert params(first) == params(second)
