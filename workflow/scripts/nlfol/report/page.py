"""One self-contained HTML file.

Its Content-Security-Policy lets run only the scripts that are in it, by their digests, and reach no host. What models
wrote is in it as compressed data alone and is shown as text.
"""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from nlfol.facts import GUESSERS
from nlfol.report.sheets import sheet
from nlfol.report.summary import STUDIES, Summary, opened
from nlfol.results.analyses.figure import Figure
from nlfol.results.analyses.registry import TABLES
from nlfol.results.tables.headlines import EXACT, asked_of, worded
from nlfol.results.tables.opening import Filter, Number, address
from nlfol.results.tables.table import Cell, Column, Kind, Sample, Score, Table, shown

ASSETS = Path(__file__).parent / "assets"
"""The page's template, styles and scripts, which are one scope; ``main.js``, the last of them, starts them."""


@dataclass(frozen=True, slots=True)
class Contents:
    """Contents of a report; tables without rows only say why. They and figures stand under their studies.

    ``items`` is what ``items.Collection.as_data`` gave, ``first_task`` what ``links`` needs. A page of items alone has
    no summary.
    """

    title: str
    tables: Sequence[Table]
    figures: Sequence[Figure]
    items: Mapping[str, object]
    first_task: Mapping[str, str]
    footer: str
    summary: Summary | None = None
    left_out: Sequence[str] = ()


def to_html(contents: Contents) -> str:
    """Return the page as HTML; equal contents give equal texts."""
    paths = sorted(ASSETS.glob("*.js"), key=lambda path: (path.stem == "main", path.name))
    own = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    drawing = [_unclosed(vega())] if contents.figures else []
    scripts = [*drawing, f'(() => {{\n"use strict";\n{own}\n}})();\n']
    environment = Environment(
        loader=FileSystemLoader(ASSETS), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    of_rows = {"opened": opened, "asked_of": asked_of, "worded": worded, "EXACT": EXACT, "GUESSERS": GUESSERS}
    environment.globals |= {"shown": shown, "Score": Score, "Sample": Sample, **of_rows}
    return environment.get_template("page.html").render(
        title=contents.title,
        policy=policy(scripts),
        style="".join((ASSETS / f"{name}.css").read_text(encoding="utf-8") for name in ("page", "item")),
        studies=STUDIES,
        figures=contents.figures,
        tables=[
            sheet(table, links(table, contents.first_task))
            | {"about": TABLES[table.name].about if table.name in TABLES else "experiment"}
            for table in contents.tables
            if table.rows
        ],
        summary=contents.summary,
        without_rows=[table for table in contents.tables if not table.rows],
        footer=contents.footer,
        left_out=contents.left_out,
        specifications=_in_script({figure.name: figure.specification for figure in contents.figures}),
        items=_compressed(contents.items),
        scripts=scripts,
    )


def policy(scripts: Sequence[str]) -> str:
    """Return a Content-Security-Policy that allows these inline scripts and no fetching."""
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def vega() -> str:
    """Return Vega, Vega-Lite (the version that Altair writes for) and Vega-Embed as one script."""
    import vl_convert

    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")


def _unclosed(script: str) -> str:
    """Return a script with ``</`` escaped, which would end its element early and occurs only in strings."""
    return re.sub(r"</(?=script)", r"<\\/", script, flags=re.IGNORECASE).replace("<!--", r"<\!--")


_compact = partial(json.dumps, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _in_script(data: Any) -> str:
    """Return JSON that can stand in a script element."""
    return _compact(data).replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _compressed(data: Any) -> str:
    return base64.b64encode(gzip.compress(_compact(data).encode("utf-8", "surrogatepass"), 6, mtime=0)).decode()


def links(table: Table, first_task: Mapping[str, str]) -> list[list[tuple[str | None, ...]]]:
    """Return the address, within the page, of the items behind each part of each cell; None for those without items.

    An address is ``#items?KEY=VALUE&...`` for the explorer, whose keys ``assets/filters.js`` lists, or ``#rows?...``
    for the rows of the table of refused sentences. A key given more than once allows any of its values.
    ``first_task`` is by dataset a task that has an entry for each of its usable sentences.
    """
    rows = (dict(zip((column.name for column in table.columns), cells, strict=True)) for cells in table.rows)
    return [[_of_cell(table, column, row, first_task) for column in table.columns] for row in rows]


def _of_cell(
    table: Table, column: Column, row: Mapping[str, Cell], first_task: Mapping[str, str]
) -> tuple[str | None, ...]:
    cell = row[column.name]
    parts = column.parts or ("",)
    if cell is None or column.kind in {Kind.TEXT, Kind.PROSE}:
        return (None,) * len(parts)
    if table.name in _REFUSALS:
        return (_refused(column, row, first_task),)
    targets = [table.opens(Number(row, column.name, part)) for part in parts]
    for chosen in targets:
        if chosen is not None and "dataset" in row and "task" not in chosen:
            chosen["task"] = first_task.get(str(row["dataset"]))
    counts = cell if isinstance(cell, tuple) else (cell,)
    return tuple(
        None if chosen is None or (count == 0 and isinstance(count, int)) else address(chosen)
        for chosen, count in zip(targets, counts, strict=True)
    )


_REFUSALS = ("funnel", "refused", "refused_rows")


def _refused(column: Column, row: Mapping[str, Cell], first_task: Mapping[str, str]) -> str | None:
    if column.name == "words":
        return None
    if column.name in ("corrected", "regained", "accepted"):
        table = "ceiling" if row["accepted"] else "corrections"
        return f"#table-{table}" if row[column.name] else None
    reason = row.get("reason", row.get("step"))
    if column.name == "refused" or "reason" in row:
        named = {name: row[name] for name in ("dataset", "stage", "task")}
        return address({**named, "reason": reason}, "rows")
    if reason not in ("usable", "candidate sets"):
        return None
    chosen: Filter = {"dataset": row["dataset"], "task": row["task"] or first_task.get(str(row["dataset"]))}
    return address(chosen | ({"status": "usable"} if reason == "candidate sets" else {}))
