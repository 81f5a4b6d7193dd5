"""Entries of the configuration as parameters of a rule, one a key, so that Snakemake names the key that changed.

A parameter is a tuple of the text ``block.key=value``, its value as JSON; an empty one where a job's entry has no such
key. Equal entries are equal texts, whatever the order of their keys or the form of their numbers.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import Any

from nlfol.mappings import JsonObject

Parameter = tuple[str, ...]


def entry_params(
    block: str, entries: Mapping[str, JsonObject], name_of: Callable[[Any], str]
) -> dict[str, Parameter | Callable[[Any], Parameter]]:
    """Return a rule's parameters for the entry of a job.

    A key on which all entries agree is a constant: Snakemake calls a function several times a job. An empty parameter
    is always among them, so that a key which only a new entry has changes nothing for the others. ``block`` is the name
    of the entries' block in the singular; ``name_of`` returns the name of a job's entry, given its wildcards.
    """
    texts = {
        name: {
            key: (f"{block}.{key}={json.dumps(value, sort_keys=True, ensure_ascii=False)}",)
            for key, value in entry.items()
        }
        for name, entry in entries.items()
    }
    params: dict[str, Parameter | Callable[[Any], Parameter]] = {f"{block}_": ()}
    for key in sorted(set().union(*texts.values())):
        different = {text.get(key, ()) for text in texts.values()}
        params[f"{block}_{key}"] = different.pop() if len(different) == 1 else _parameter(texts, key, name_of)
    return params


def _parameter(
    texts: Mapping[str, Mapping[str, Parameter]], key: str, name_of: Callable[[Any], str]
) -> Callable[[Any], Parameter]:
    def parameter(wildcards: Any) -> Parameter:
        return texts[name_of(wildcards)].get(key, ())

    # As snakemake.common.overwrite_function_params does, or Snakemake inspects the signature several times a job.
    parameter.__dict__["_overwrite_params"] = signature(parameter).parameters
    return parameter


def entry_of(params: Any, block: str) -> str:
    """Return the entry in a job's parameters (``snakemake.params``) as JSON."""
    texts = [text for name, value in params.items() if name.startswith(f"{block}_") for text in value]
    parts = (text.removeprefix(f"{block}.").partition("=") for text in texts)
    return f"{{{', '.join(f'{json.dumps(key)}: {value}' for key, _, value in parts)}}}"


def paths_of(named: str | Sequence[str]) -> list[Path]:
    """Return the files of one of Snakemake's named inputs, which is a text where there is one."""
    return [Path(named)] if isinstance(named, str) else [Path(path) for path in named]
