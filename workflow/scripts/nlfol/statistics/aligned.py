"""Files of aligned programs with how their datasets are worded: what tables of stability are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlfol.store import files
from nlfol.store.problem_schemas import MEASURED, OF_TABLE, PROGRAMS

_READ = ("item", "story", "seed", "language", "right", "status", "reason", "cause", *MEASURED, *OF_TABLE)

Entries = Mapping[str, Mapping[str, Any]]
"""The entries of datasets by name: their values in the configuration."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """The programs of one model in one task on one dataset.

    Attributes:
        about: dataset, task, task_kind, protocol, strategy, model and kind.
        rows: of ``problem_schemas.PROGRAMS``, without what was written.
    """

    about: Mapping[str, Any]
    rows: tuple[Mapping[str, Any], ...]


def load_programs(paths: Iterable[Path]) -> list[Aligned]:
    """Read files of programs.

    Raises:
        StoreError: if a file is missing or of another schema.
    """
    found = []
    for path in paths:
        table = files.read(path, PROGRAMS)
        said = files.metadata_of(table)
        about = {name: said[name] for name in ("dataset", "task", "task_kind", "strategy", "model", "kind")}
        found.append(Aligned({**about, "protocol": said["protocol"] or None}, tuple(table.select(_READ).to_pylist())))
    return found


def wording(dataset: str, entries: Entries) -> dict[str, Any]:
    """The columns ``stability_schemas.WORDING`` of a dataset."""
    entry = entries[dataset]
    names = ("intensity", "types", "at_most", "glossary", "decoys")
    original = entry.get("of")
    if original is None:
        return {"reader": entry["reader"], **dict.fromkeys(("original", "procedure", *names))}
    about = {"reader": entries[original]["reader"], "original": original, "procedure": entry["protocol"]}
    return {**about, **{name: entry[name] for name in names}}
