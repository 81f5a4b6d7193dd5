"""Reading config.yaml, and writing its blocks as texts for the parameters of rules."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from pydantic import BaseModel, ValidationError

from nlfol.config.configuration import Configuration
from nlfol.mappings import JsonObject
from nlfol.models.providers.registry import REACHING
from nlfol.tasks.registry import TASKS
from nlfol.validation import describe_fault, nearest, place_of, read_yaml, shortened, yaml_fault

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


_SHORT = 20
_NAMED = ("datasets", "tasks", "models", "training")
"""Blocks with an entry under each name."""
MOST_CHARACTERS = 100
"""Longest name: a file of the journal has two in its own, which may have 255 characters."""


class ConfigurationError(ValueError):
    """A configuration that cannot be run; its message has one line for each key at fault."""


def check_texts(paths: Iterable[Path | str]) -> None:
    """Check that existing files can be read and have no key twice; ``ConfigurationError`` names file, line and key."""
    for path in map(Path, paths):
        if not path.exists():
            continue  # Snakemake reports it
        try:
            read_yaml(path)
        except OSError as error:
            raise ConfigurationError(f"{path}: cannot be read ({error.strerror}); give a file") from error
        except UnicodeDecodeError as error:
            raise ConfigurationError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from error
        except yaml.constructor.ConstructorError as error:
            line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
            raise ConfigurationError(f"{path}: {line}{error.problem}") from error
        except yaml.YAMLError as error:
            raise ConfigurationError(f"{path}: {yaml_fault(error)}") from error


def read_configuration(values: JsonObject) -> Configuration:
    """Validate the configuration as Snakemake has read it; ``ConfigurationError`` has a line for each key at fault."""
    if misnamed := [problem for block in _NAMED for problem in _misnamed(block, values.get(block))]:
        raise ConfigurationError("the configuration cannot be used:\n" + "\n".join(misnamed))
    try:
        configuration = Configuration.model_validate(values)
    except ValidationError as error:
        problems = [_described(fault, values) for fault in error.errors(include_url=False)]
    else:
        problems = [
            f"  {location}: a number is needed, not {str(given).lower()}"
            for location, given in _taken_for_numbers(values, configuration.model_dump(by_alias=True))
        ]
        if not problems:
            return configuration
    raise ConfigurationError("the configuration cannot be used:\n" + "\n".join(problems))


def _misnamed(block: str, entries: Any) -> Iterator[str]:
    """Yield what is wrong with the names of a block's entries, which become names of files."""
    folded: dict[str, str] = {}
    for number, name in enumerate(entries if isinstance(entries, Mapping) else (), 1):
        if isinstance(name, bool):
            words = "yes, on or true" if name else "no, off or false"
            yield f"  {block}: entry {number} is called {words}, which YAML reads as a truth value; quote its name"
        elif not isinstance(name, str):
            yield f"  {block}: entry {number} is called {shortened(name)}, which YAML reads as no text; quote its name"
        elif len(name) > MOST_CHARACTERS:
            yield (
                f"  {block}: entry {number} has a name of {len(name)} characters, {name[:_SHORT]}…; "
                f"give it one of at most {MOST_CHARACTERS}"
            )
        elif (other := folded.setdefault(name.casefold(), name)) != name:
            yield (
                f"  {block}.{name}: {other} differs in case alone, and some file systems hold one file for both; "
                "rename one"
            )


def _described(fault: ErrorDetails, values: JsonObject) -> str:
    """Describe the fault at a key, in a line; of a task without a kind, the kind that its name may stand for."""
    location, description = fault["loc"], describe_fault(fault, Configuration)
    if location[:1] == ("tasks",) and location[-1] != "[key]":
        location = location[:2] + location[3:]  # the kind may be the entry's name
    key, given = place_of(location, values)
    if fault["type"] in ("tuple_type", "list_type"):
        # A long value may be a key for an interface.
        description = f"must be a list{f': [{given}]' if len(str(given)) <= _SHORT else ''}"
    if fault["type"] == "union_tag_not_found" and location[:1] == ("tasks",):
        description += f", or correct the name{nearest(str(location[1]), TASKS)}"
    return f"  {shortened(key) or 'config'}: {description}"


def _taken_for_numbers(given: Any, validated: Any, location: str = "") -> Iterator[tuple[str, bool]]:
    """Yield the keys of booleans that pydantic takes for numbers."""
    if isinstance(given, bool) and isinstance(validated, int | float) and not isinstance(validated, bool):
        yield location, given
    elif isinstance(given, Mapping) and isinstance(validated, Mapping):
        for key, value in given.items():
            yield from _taken_for_numbers(value, validated.get(key), f"{location}.{key}" if location else str(key))
    elif isinstance(given, list | tuple) and isinstance(validated, list | tuple):
        for number, pair in enumerate(zip(given, validated, strict=False)):
            yield from _taken_for_numbers(*pair, f"{location}.{number}")


def as_json(block: BaseModel, *, only: Collection[str] | None = None, without: Collection[str] = ()) -> str:
    """Return an entry's canonical JSON for a rule's parameters, of the keys ``only`` (None: all) less ``without``."""
    kept = block.model_dump(mode="json", include=None if only is None else set(only), exclude=set(without))
    return json.dumps(kept, sort_keys=True, ensure_ascii=False)


def experiment_json(configuration: Configuration) -> str:
    """Return what decides an experiment's answers, as ``as_json``; where and how things run is left out."""
    values = configuration.model_dump(mode="json", exclude={"results", "journal", "budget", "container"})
    for dataset in values["datasets"].values():
        del dataset["shards"]
    for entry in [*values["models"].values(), *values["training"].values()]:
        for key in REACHING & entry.keys():
            del entry[key]
    return json.dumps(values, sort_keys=True, ensure_ascii=False)
