"""The page itself: one file that asks nothing of any host.

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
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from nlfol.analyses.charts import Figure
from nlfol.report.links import links
from nlfol.report.sheets import sheet
from nlfol.report.summary import Summary
from nlfol.tables.table import Table

ASSETS = Path(__file__).parent / "assets"
"""The page's template, style and scripts."""

SCRIPTS = ("page", "store", "filters", "board", "item", "answers", "explorer", "figures", "main")
"""The page's own scripts, in their order; they are one scope."""


@dataclass(frozen=True, slots=True)
class Contents:
    """Contents of a report.

    Attributes:
        title: of the page.
        tables: in their order; those without rows are only named.
        figures: in their order; those that lead a study stand with the summary.
        items: what ``items.Collection.as_data`` gave.
        first_task: see ``links.links``.
        footer: what it was made from.
        summary: what the page begins with; None for a page of items alone.
    """

    title: str
    tables: Sequence[Table]
    figures: Sequence[Figure]
    items: Mapping[str, Any]
    first_task: Mapping[str, str]
    footer: str
    summary: Summary | None = None


def to_html(contents: Contents) -> str:
    """Return the page as HTML; equal contents give equal texts."""
    own = "\n".join((ASSETS / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)
    scripts = [_unclosed(vega()), f'(() => {{\n"use strict";\n{own}\n}})();\n']
    template = Environment(
        loader=FileSystemLoader(ASSETS), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    ).get_template("page.html")
    return template.render(
        title=contents.title,
        policy=policy(scripts),
        style=(ASSETS / "page.css").read_text(encoding="utf-8"),
        leading=[figure for figure in contents.figures if figure.leads],
        figures=[figure for figure in contents.figures if not figure.leads],
        summary=contents.summary,
        tables=[sheet(table, links(table, contents.first_task)) for table in contents.tables if table.rows],
        without_rows=[table.title for table in contents.tables if not table.rows],
        footer=contents.footer,
        specifications=_json({figure.name: figure.specification for figure in contents.figures}),
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
    """Vega, Vega-Lite and Vega-Embed as one script, whose latest Vega-Lite is the one that Altair writes for."""
    import vl_convert

    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")


def _unclosed(script: str) -> str:
    """Return a script with ``</`` escaped, which would end its element early and occurs only in strings."""
    return re.sub(r"</(?=script)", r"<\\/", script, flags=re.IGNORECASE).replace("<!--", r"<\!--")


def _json(data: Any) -> str:
    """Return JSON that can stand in a script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _compressed(data: Any) -> str:
    """Return compressed JSON in base 64."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode("utf-8", "surrogatepass"), 6, mtime=0)).decode()
