"""Entries of the configuration as parameters of a rule, one a key, so that Snakemake names the key that changed.

A parameter is the text ``block.key=value``, its value as JSON. Equal entries are equal texts, whatever the order of
their keys or the form of their numbers.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel


def entry_params(
    block: str, entry: Any, values: Callable[[Any], Mapping[str, Any]]
) -> dict[str, Callable[[Any], str | None]]:
    """Return a rule's parameters for an entry.

    Args:
        block: what the entry is of, in a word.
        entry: the class of the entries, or an annotated union of classes.
        values: of a job's wildcards: the entry's values as JSON has them. What is left out, no job depends on.

    Returns:
        Functions of a job's wildcards by the parameters' names; they give None for a key that is not among the values.
    """
    return {f"{block}_{key}": _parameter(block, key, values) for key in sorted(set(_keys(entry)))}


def entry_of(params: Any, block: str) -> str:
    """Return the entry in a job's parameters as JSON: the values that ``entry_params`` was given.

    Args:
        params: ``snakemake.params``.
        block: what the entry is of.
    """
    texts = [text for name, text in params.items() if name.startswith(f"{block}_") and text is not None]
    parts = (text.removeprefix(f"{block}.").partition("=") for text in texts)
    return f"{{{', '.join(f'{json.dumps(key)}: {value}' for key, _, value in parts)}}}"


def _parameter(block: str, key: str, values: Callable[[Any], Mapping[str, Any]]) -> Callable[[Any], str | None]:
    def parameter(wildcards: Any) -> str | None:
        given = values(wildcards)
        return f"{block}.{key}={json.dumps(given[key], sort_keys=True, ensure_ascii=False)}" if key in given else None

    # As snakemake.common.overwrite_function_params does, or Snakemake inspects the signature several times a job.
    parameter.__dict__["_overwrite_params"] = signature(parameter).parameters
    return parameter


def _keys(entry: Any) -> Iterator[str]:
    if isinstance(entry, type) and issubclass(entry, BaseModel):
        yield from entry.model_fields
    for part in get_args(entry):
        yield from _keys(part)


def paths_of(named: str | Sequence[str]) -> list[Path]:
    """Return the files of one of Snakemake's named inputs, which is a text where there is one."""
    return [Path(named)] if isinstance(named, str) else [Path(path) for path in named]
