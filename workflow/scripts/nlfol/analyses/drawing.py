"""Tables and figures, drawn from files of rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from nlfol.analyses.analysis import analysis_of, schema_of
from nlfol.analyses.registry import FILES, TABLES, TOPICS
from nlfol.statistics.contrasts import significantly_best
from nlfol.store.files import read_figures, read_frames
from nlfol.store.schemas import AUDITS
from nlfol.tables.table import Table, TableError, TableForm, Written

if TYPE_CHECKING:
    from nlfol.analyses.charts import Figure

SOURCES = (*FILES, "audits")
"""The names of files of rows that tables are drawn from."""


class Frames:
    """Frames by name, each read when it is first asked for.

    Beside the files of ``SOURCES``, of which those that the experiment is not about are missing, there are ``figures``,
    the published ones, and ``best``, the scores that are significantly the best of their column.
    """

    def __init__(self, sources: Mapping[str, Sequence[Path]], figures: Sequence[Path]) -> None:
        self._sources = sources
        self._figures = figures
        self._read: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        """Return a frame; errors as of ``files.read``."""
        if name not in self._read:
            self._read[name] = self._frame(name)
        return self._read[name]

    def _frame(self, name: str) -> Any:
        if name == "figures":
            return pl.concat(map(read_figures, self._figures))
        if name == "best":
            return significantly_best(self["differences"])
        return read_frames(self._sources.get(name, ()), AUDITS if name == "audits" else schema_of(name))


def form_of(table: str) -> TableForm:
    """Return the form of a table; raises ``TableError`` if there is none of that name."""
    if table not in TABLES:
        raise TableError(f"no table {table!r}; choose from {', '.join(TABLES)}")
    return next(form for form in analysis_of(TABLES[table].name).tables if form.name == table)


def drawn_from(table: str) -> tuple[str, ...]:
    """Return the names of the files of rows that a table is drawn from."""
    return tuple(name for name in form_of(table).of if name in SOURCES)


def build(table: str, frames: Frames) -> Table:
    """Draw a table, in which the models that were not asked say so; raises as ``form_of``."""
    form = form_of(table)
    drawn = form.table(*(frames[name] for name in form.of))
    written = set(frames["cells"].filter(pl.col("kind") == "written")["model"])
    places = [place for place, column in enumerate(drawn.columns) if column.name == "model"]
    if not written or not places:
        return drawn
    (place,) = places
    rows = (
        (*row[:place], Written(row[place]), *row[place + 1 :]) if row[place] in written else row for row in drawn.rows
    )
    return replace(drawn, rows=tuple(rows))


def figures(frames: Frames) -> Iterator[Figure]:
    """Draw the figures for which there is something to show, in the order of the tables."""
    for topic in TOPICS:
        for names, draw in analysis_of(topic).figures:
            drawn = draw(*(frames[name] for name in names))
            if drawn is not None:
                yield drawn
