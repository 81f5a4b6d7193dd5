"""Every table by name: to add one, write its function and name it here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import polars as pl

from nlfol.tables import audits, candidates, refusals, scores
from nlfol.tables.table import Table, TableError


@dataclass(frozen=True, slots=True)
class Sources:
    """What tables are drawn from.

    Attributes:
        cells: rows of ``schemas.CELLS``.
        refusals: rows of ``schemas.REFUSALS``.
        audits: rows of ``schemas.AUDITS``.
        positions: rows of ``schemas.POSITIONS``.
        edit_mix: rows of ``schemas.EDIT_MIX``.
    """

    cells: pl.DataFrame
    refusals: pl.DataFrame
    audits: pl.DataFrame
    positions: pl.DataFrame
    edit_mix: pl.DataFrame


TABLES: Mapping[str, Callable[[Sources], Table]] = {
    "logical_translation": lambda sources: scores.logical_translation(sources.cells),
    "dialogue": lambda sources: scores.dialogue(sources.cells),
    "embedding": lambda sources: scores.embedding(sources.cells),
    "positions": lambda sources: candidates.positions(sources.positions),
    "edit_mix": lambda sources: candidates.edit_mix(sources.edit_mix),
    "set_sizes": lambda sources: candidates.set_sizes(sources.edit_mix),
    "funnel": lambda sources: refusals.funnel(sources.refusals),
    "refused": lambda sources: refusals.refused(sources.refusals),
    "refused_rows": lambda sources: refusals.refused_rows(sources.refusals),
    "audit": lambda sources: audits.audit(sources.audits),
}


def build(name: str, sources: Sources) -> Table:
    """Draw a table.

    Raises:
        TableError: if there is no table of that name.
    """
    if name not in TABLES:
        raise TableError(f"no table is called {name!r}; there are {', '.join(TABLES)}")
    return TABLES[name](sources)
