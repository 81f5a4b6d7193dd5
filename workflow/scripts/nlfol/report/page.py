"""The page itself: one file that asks nothing of any host.

Its Content-Security-Policy lets run only the scripts that are in it, by their digests, and reach no host. What models
wrote is in it as compressed data alone and is shown as text.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from nlfol.report.charts import Figure
from nlfol.report.links import links
from nlfol.tables.table import Cell, Column, Score, Table, shown

ASSETS = Path(__file__).parent / "assets"
"""The page's template, style and scripts."""

SCRIPTS = ("page", "store", "filters", "board", "item", "explorer", "figures", "main")
"""The page's own scripts, in their order; they are one scope."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a report shows.

    Attributes:
        title: of the page.
        tables: in their order.
        figures: in their order.
        items: what ``items.Collection.as_data`` gave.
        first_task: see ``links.links``.
        footer: what it was made from.
    """

    title: str
    tables: Sequence[Table]
    figures: Sequence[Figure]
    items: Mapping[str, Any]
    first_task: Mapping[str, str]
    footer: str


def to_html(contents: Contents) -> str:
    """The page as HTML: equal contents make equal texts."""
    own = "\n".join((ASSETS / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)
    scripts = [_unclosed(vega()), f'(() => {{\n"use strict";\n{own}\n}})();\n']
    template = Environment(
        loader=FileSystemLoader(ASSETS), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    ).get_template("page.html")
    return template.render(
        title=contents.title,
        policy=policy(scripts),
        style=(ASSETS / "page.css").read_text(encoding="utf-8"),
        figures=contents.figures,
        tables=[_drawn(table, contents.first_task) for table in contents.tables],
        footer=contents.footer,
        specifications=_json({figure.name: figure.specification for figure in contents.figures}),
        items=_compressed(contents.items),
        scripts=scripts,
    )


def policy(scripts: Sequence[str]) -> str:
    """A Content-Security-Policy under which these inline scripts run and nothing is fetched."""
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def vega() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, whose latest Vega-Lite is the one that Altair writes for."""
    import vl_convert

    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")


def _drawn(table: Table, first_task: Mapping[str, str]) -> dict[str, Any]:
    opened = links(table, first_task)
    return {
        **{name: getattr(table, name) for name in ("name", "title", "caption", "columns", "notes")},
        "long": table.long or len(table.rows) > 40,
        "rows": [
            [_cell(*parts) for parts in zip(table.columns, row, opens, strict=True)]
            for row, opens in zip(table.rows, opened, strict=True)
        ],
    }


def _cell(column: Column, cell: Cell, opens: Sequence[str | None]) -> dict[str, Any]:
    texts = [shown(part) for part in cell] if isinstance(cell, tuple) else [shown(cell)]
    best = isinstance(cell, Score) and cell.best
    return {
        "style": f"{column.alignment} best" if best else str(column.alignment),
        "parts": [{"text": text, "opens": where} for text, where in zip(texts, opens, strict=False)],
    }


def _unclosed(script: str) -> str:
    """A script without what would end its element early; in a string, where alone it occurs, it means the same."""
    return re.sub(r"</(?=script)", r"<\\/", script, flags=re.IGNORECASE).replace("<!--", r"<\!--")


def _json(data: Any) -> str:
    """JSON that can stand in a script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _compressed(data: Any) -> str:
    """JSON, compressed, in base 64."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode("utf-8", "surrogatepass"), 6, mtime=0)).decode()
