"""Measure the items of a dataset: the size of each, and how many single edits of it change its meaning."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import cast

from nlfol.logic.judging import forget
from nlfol.sets.sensitivity import measures_row
from nlfol.store import files, schemas
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER
from nlfol.store.origins import made_from
from nlfol.store.parts import WHOLE, Part
from nlfol.store.row_parts import UsableTriple
from nlfol.store.schemas import MeasureRow, TripleRow

CHUNK = 1_000
"""Items that are in memory at once."""


def main(triples: Path, *, dataset: str, sensitivity: int, seed: int, output: Path, part: Part = WHOLE) -> None:
    """Write the MEASURES file of a dataset's triples; the edits depend on the seed and the item's content alone."""
    origin = made_from(triples)
    sums = Counter[str]()
    rows: Iterable[MeasureRow]
    if part.made:
        rows = part.gathered(MeasureRow, origin)
    else:
        start, stop = part.span(sum(1 for _ in _usable(triples)))
        names = schemas.MEASURE_NAMES
        usable = islice(_usable(triples), start, stop)
        rows = _summed((measures_row(cast("UsableTriple", row), names, sensitivity, seed) for row in usable), sums)
    about = {"dataset": dataset, "seed": str(seed), "sensitivity": str(sensitivity), **origin}
    files.write(output, schemas.MEASURES, rows, about, chunk=CHUNK)
    if not part.made:
        tried = f"of {sums['edits']} edits {sums['detected']} detected, {sums['undecided']} undecided"
        LOGGER.info(f"{dataset}: {sums['items']} items; {tried}")


def _usable(triples: Path) -> Iterator[TripleRow]:
    for chunk in files.chunks(triples, TripleRow):
        forget()
        yield from (row for row in chunk if row["status"] == "usable")


def _summed(rows: Iterable[MeasureRow], sums: Counter[str]) -> Iterator[MeasureRow]:
    for row in rows:
        sums.update(items=1, edits=row["edits"], detected=row["detected"], undecided=row["undecided"])
        yield row


if __name__ == "__main__":
    run_job(main)
