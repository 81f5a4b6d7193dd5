"""Aligned programs, and the wording of their datasets."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from nlfol.store import files
from nlfol.store.columns import field
from nlfol.store.problem_schemas import MEASURED, OF_TABLE, PROGRAMS

_READ = ("item", "story", "seed", "language", "right", "status", "reason", "cause", *MEASURED, *OF_TABLE)

WORDING = [
    field("reader", pa.string()),  # of the original's entry
    # The dataset in other words; this and all that follows is null for originals.
    field("original", pa.string(), null=True),
    field("procedure", pa.string(), null=True),  # audited, or paper: the protocol of the dataset's entry
    field("intensity", pa.float64(), null=True),
    field("types", pa.list_(pa.string()), null=True),  # empty for all
    field("at_most", pa.int64(), null=True),  # null: no bound, too
    field("glossary", pa.bool_(), null=True),
    field("decoys", pa.int64(), null=True),
]
"""Columns of a dataset's wording, see the entry of ``reader: diversified``."""

Entries = Mapping[str, Mapping[str, Any]]
"""Entries of datasets by name: their values in the configuration."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """Programs of one model in one task on one dataset: their file's metadata, and rows of PROGRAMS without texts."""

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
    """Return the columns ``WORDING`` of a dataset."""
    entry = entries[dataset]
    names = ("intensity", "types", "at_most", "glossary", "decoys")
    original = entry.get("of")
    if original is None:
        return {"reader": entry["reader"], **dict.fromkeys(("original", "procedure", *names))}
    about = {"reader": entries[original]["reader"], "original": original, "procedure": entry["protocol"]}
    return {**about, **{name: entry[name] for name in names}}
