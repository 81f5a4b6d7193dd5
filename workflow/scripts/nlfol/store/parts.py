"""Files that are made in parts, in parallel, and gathered: the same bytes from any number of parts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Self, TypeVar, overload

import pyarrow as pa

from nlfol.mappings import JsonDict
from nlfol.randomness import label_digest
from nlfol.store import files
from nlfol.store.origins import metadata_at
from nlfol.store.parameters import paths_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Part:
    """A block of consecutive rows, by its number, from 1, of so many; or the files of all parts, to be gathered."""

    number: int = 1
    of: int = 1
    made: Sequence[Path] = ()

    @classmethod
    def of_job(cls, job: Any) -> Self:
        """Return the part that a Snakemake job makes, by its wildcard ``scatteritem``; without one, the whole."""
        number, of = map(int, job.wildcards.get("scatteritem", "1-of-1").split("-of-"))
        return cls(number, of, tuple(paths_of(job.input.get("parts", ()))))

    def span(self, total: int) -> tuple[int, int]:
        """Return its first row and the one after its last, of so many: the sizes of parts differ by at most one."""
        return total * (self.number - 1) // self.of, total * self.number // self.of

    def rows(self, listed: Sequence[T]) -> Sequence[T]:
        """Return its rows: all parts together are all rows in their order."""
        return listed[slice(*self.span(len(listed)))]

    def has(self, name: str) -> bool:
        """Return whether it has what has this name, where parts go by names: which one has it depends on no other."""
        return self.of == 1 or int.from_bytes(label_digest(name, "part")[:8]) % self.of == self.number - 1

    @overload
    def gathered(self, schema: type[T], made_from: Mapping[str, str]) -> Iterator[T]: ...
    @overload
    def gathered(self, schema: pa.Schema, made_from: Mapping[str, str]) -> Iterator[JsonDict]: ...
    def gathered(self, schema: Any, made_from: Mapping[str, str]) -> Iterator[Any]:
        """Yield the rows of all parts in order; raises ``StoreError`` as ``rows_of_each``."""
        for rows in self.rows_of_each(schema, made_from):
            yield from rows

    def rows_of_each(self, schema: Any, made_from: Mapping[str, str]) -> Iterator[Iterator[Any]]:
        """Yield the rows of each part; raises ``StoreError`` if one is unreadable or made from other files."""
        for path in self.made:
            if not made_from.items() <= metadata_at(path).items():
                raise files.StoreError(
                    f"{path}: made from other files than those that are there; delete it and run again"
                )
            yield chain.from_iterable(files.chunks(path, schema))


WHOLE = Part()
