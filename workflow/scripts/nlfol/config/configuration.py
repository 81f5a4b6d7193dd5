"""config.yaml as pydantic models: validated whole before anything runs."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    NonNegativeInt,
    StringConstraints,
    ValidationError,
    model_validator,
)

from nlfol.datasets.entry import DatasetEntry
from nlfol.datasets.environment import from_environment
from nlfol.models.entries.budget import Budget
from nlfol.models.entries.capabilities import CapabilityError, CapabilityTable
from nlfol.models.entries.chat import ApiChatEntry, complete
from nlfol.models.entries.model import REACHING, ModelEntry
from nlfol.tasks.specification import AnyTaskEntry, with_kinds

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
"""Names of datasets, tasks and models become names of folders and files."""

Folder = Annotated[str, StringConstraints(pattern=r"^[^\s{}]+[^\s{}/]$|^[^\s{}/]$")]


class ConfigurationError(ValueError):
    """A configuration that cannot be run; its message has one line for each key at fault."""


class Configuration(BaseModel):
    """One experiment."""

    # A key pasted into the wrong field must not come back in an error.
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    seed: NonNegativeInt
    """Of all candidate sets, and of the order and choice of items."""
    results: Folder = "results"
    """Folder of everything that a run makes."""
    journal: Folder = "journal"
    """Folder of the answers of dialogue models: outside the results, so that nothing paid for is lost with them."""
    datasets: Annotated[dict[Name, DatasetEntry], Field(min_length=1), BeforeValidator(from_environment)]
    """A ``${VARIABLE}`` in an entry is one of the environment."""
    tasks: Annotated[dict[Name, AnyTaskEntry], Field(min_length=1), BeforeValidator(with_kinds)]
    """An entry's name may be that of its kind, which it then need not give; tables show entries in this order."""
    models: Annotated[dict[Name, ModelEntry], Field(min_length=1)]
    budget: Budget | None = None
    """What may be spent; it changes no answer."""

    @model_validator(mode="after")
    def _has_a_journal_a_job(self) -> Self:
        first: dict[str, tuple[str, str]] = {}
        for dataset, task in product(self.datasets, self.tasks):
            other = first.setdefault(f"{dataset}.{task}", (dataset, task))
            if other != (dataset, task):
                raise ValueError(
                    f"dataset {dataset} with task {task} would write the journal of dataset {other[0]} with task "
                    f"{other[1]}: rename one"
                )
        return self


def read_configuration(values: Mapping[str, Any]) -> Configuration:
    """Validate the configuration as Snakemake has read it.

    Raises:
        ConfigurationError: with one line for each key at fault: its place, what is wrong, and what is allowed.
    """
    try:
        return Configuration.model_validate(values)
    except ValidationError as error:
        problems = [
            f"  {_place(problem['loc']) or 'config'}: {problem['msg']}{_remedy(problem)}"
            for problem in error.errors(include_url=False, include_input=False)
        ]
        raise ConfigurationError("the configuration cannot be used:\n" + "\n".join(problems)) from None


def _place(location: tuple[int | str, ...]) -> str:
    """The key at fault; a task's kind is a value in its entry and no key on the way."""
    keys = location[:2] + location[3:] if location[:1] == ("tasks",) and location[-1] != "[key]" else location
    return ".".join(map(str, keys))


def settle_capabilities(configuration: Configuration, table: Path) -> Configuration:
    """The configuration with everything settled that the models behind interfaces accept.

    Args:
        configuration: as it was read.
        table: the table of capabilities.

    Raises:
        ConfigurationError: if the table cannot be read, or an entry asks of its model what it does not accept.
    """
    models: dict[str, ModelEntry] = {}
    problems = []
    try:
        capabilities = CapabilityTable(table)
    except CapabilityError as error:
        raise ConfigurationError(str(error)) from error
    for name, entry in configuration.models.items():
        try:
            models[name] = complete(entry, capabilities) if isinstance(entry, ApiChatEntry) else entry
        except CapabilityError as error:
            problems.append(f"  models.{name}: {error}")
    if problems:
        raise ConfigurationError("\n".join(["the configuration cannot be used:", *problems]))
    return configuration.model_copy(update={"models": models})


def _remedy(problem: Mapping[str, Any]) -> str:
    if problem["type"] == "extra_forbidden":
        return "; remove the key or correct its name"
    if problem["type"] == "union_tag_not_found":
        return f"; give the key {problem['ctx']['discriminator']}"
    return ""


def as_json(block: BaseModel, *, without: Collection[str] = ()) -> str:
    """A block for a rule's parameters: equal text for equal meaning, whatever the order of keys or form of numbers.

    Args:
        block: an entry of the configuration.
        without: keys on which nothing that the rule makes depends.
    """
    return json.dumps(block.model_dump(mode="json", exclude=set(without)), sort_keys=True, ensure_ascii=False)


def experiment_json(configuration: Configuration) -> str:
    """What an experiment asks of whom, as ``as_json``.

    Without where its files go, in how many parts they are made, how its models are reached, and what may be spent.
    """
    values = configuration.model_dump(mode="json", exclude={"results", "journal", "budget"})
    for dataset in values["datasets"].values():
        del dataset["shards"]
    for entry in values["models"].values():
        for key in REACHING & entry.keys():
            del entry[key]
    return json.dumps(values, sort_keys=True, ensure_ascii=False)
