"""Tables and figures, drawn from files of rows."""

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from nlfol.results.analyses.analysis import Given, analysis_of
from nlfol.results.analyses.figure import Figure
from nlfol.results.analyses.registry import FILES, TABLES, TOPICS
from nlfol.results.tables.table import Table, TableError, TableForm, Written

SOURCES = (*FILES, "audits")
"""The names of files of rows that tables are drawn from."""


def form_of(table: str) -> TableForm:
    """Return the form of a table; raises ``TableError`` if there is none of that name."""
    if table not in TABLES:
        raise TableError(f"no table {table!r}; choose from {', '.join(TABLES)}")
    return next(form for form in analysis_of(TABLES[table].name).tables if form.name == table)


def drawn_from(table: str) -> tuple[str, ...]:
    """Return the names of the files of rows that a table is drawn from."""
    return tuple(name for name in form_of(table).of if name in SOURCES)


def build(table: str, given: Given) -> Table:
    """Draw a table, in which models that were not asked say so; one without rows says why. Raises as ``form_of``."""
    form = form_of(table)
    drawn = form.table(*(given.frame(name) for name in form.of))
    if not drawn.rows:
        # Its notes explain columns that readers do not see.
        return replace(drawn, notes=())
    written = set(given.frame("cells").filter(pl.col("kind") == "written")["model"])
    indices = [index for index, column in enumerate(drawn.columns) if column.name == "model"]
    if not written or not indices:
        return drawn
    (index,) = indices
    rows = (
        (*row[:index], Written(row[index]), *row[index + 1 :]) if row[index] in written else row for row in drawn.rows
    )
    return replace(drawn, rows=tuple(rows))


def figures(given: Given) -> Iterator[Figure]:
    """Draw the figures for which there is something to show, in the order of the tables."""
    for topic in TOPICS.values():
        for names, draw in analysis_of(topic.name).figures:
            drawn = draw(*(given.frame(name) for name in names))
            if drawn is not None:
                yield replace(drawn, about=topic.about)
