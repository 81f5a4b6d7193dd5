"""Files that are made in parts, in parallel, and gathered: the same bytes from any number of parts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa

from nlfol.store import files
from nlfol.store.origins import metadata_at

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Part:
    """A block of consecutive rows, by its number, from 1, of so many."""

    number: int = 1
    of: int = 1

    def span(self, total: int) -> tuple[int, int]:
        """Return its first row and the one after its last, of so many: the sizes of parts differ by at most one."""
        return total * (self.number - 1) // self.of, total * self.number // self.of

    def rows(self, listed: Sequence[T]) -> Sequence[T]:
        """Return its rows: all parts together are all rows in their order."""
        return listed[slice(*self.span(len(listed)))]


WHOLE = Part()


def part_of(wildcards: Any) -> Part:
    """Return the part that a job makes, by Snakemake's wildcard ``scatteritem``, or the whole."""
    return Part(*map(int, wildcards.get("scatteritem", "1-of-1").split("-of-")))


def gather(parts: Sequence[Path], schema: pa.Schema, made_from: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of all parts, in their order, read on demand.

    Args:
        parts: the parts' files, the first one first.
        schema: of each.
        made_from: what each must say that it was made from, as ``origins.made_from`` says it.

    Raises:
        StoreError: if a part cannot be read or was made from something else.
    """
    for part in parts:
        if not made_from.items() <= metadata_at(part).items():
            raise files.StoreError(f"{part}: made from other files than those that are there; delete it and run again")
        for chunk in files.chunks(part, schema):
            yield from chunk
