"""Files of figures for papers: one panel a file, as PDF and SVG; data as CSV."""

import json
import re
import textwrap
from collections.abc import Iterator
from copy import deepcopy
from math import ceil
from pathlib import Path

import polars as pl
import vl_convert as vlc

from nlfol.mappings import JsonDict, JsonObject
from nlfol.results.analyses.charts import INK, encodings
from nlfol.results.analyses.figure import Figure, Rows
from nlfol.results.tables.rendering import defused

WIDTH, HIGHEST = 240, 690
"""Points of a column of an article, and of the text on a page of A4."""

TEXT = 8
"""Points of all text."""

_LONG, _LABEL = 32, 24
"""Letters of a line of an axis's title, and of a row's label."""

_LINE = 9
"""Points of a line of a label."""

_LEAST = 36
"""Points of the narrowest plot."""

_CORRECTIONS = 3
"""Drawings, after the first, in which a width is put right: axes and titles change with it."""

_STYLE: JsonObject = {
    "background": "white",
    "font": "Helvetica, Arial, Liberation Sans, sans-serif",
    "axis": {"labelFontSize": TEXT, "titleFontSize": TEXT, "titleFontWeight": "normal", "gridColor": "#e5e5e5"},
    "title": {"fontSize": TEXT, "anchor": "start", "frame": "bounds", "offset": 6},
    "legend": {"orient": "bottom", "labelFontSize": TEXT, "titleFontSize": TEXT, "labelLimit": 0, "symbolSize": 30},
    "point": {"size": 25},
    "text": {"fontSize": TEXT},
    "bar": {"color": INK},
    "view": {"continuousHeight": 140, "discreteHeight": {"step": 16}},
}


def write_figure(figure: Figure, folder: Path, *, titled: bool = True) -> None:
    """Write ``NAME.csv`` and, for each panel and choice, ``NAME/PANEL.pdf`` and ``.svg``, on a page at most.

    A panel with more rows of marks than a page has room for goes on in further files. Without titles, captions say what
    panels show.
    """
    (folder / figure.name).mkdir(parents=True, exist_ok=True)
    rows = [{name: defused(value) for name, value in row.items() if name != "opens"} for row in figure.rows]
    pl.DataFrame(rows, infer_schema_length=None).write_csv(folder / f"{figure.name}.csv")
    named: set[str] = set()
    for title, panel in panels(figure.specification):
        if not titled:
            del panel["title"]
        for number, svg in enumerate(pages := _pages(panel), 1):
            words = [*re.findall(r"[\w.]+", title or figure.name), *([str(number)] if len(pages) > 1 else [])]
            name = "-".join(words)[:100]
            if name in named:
                name = f"{name}-{len(named) + 1}"
            named.add(name)
            path = folder / figure.name / f"{name}.svg"
            # A unit of an SVG is a pixel, but one of a PDF a point.
            in_points = re.sub(r'width="([0-9.]+)" height="([0-9.]+)"', r'width="\1pt" height="\2pt"', svg, count=1)
            path.write_text(in_points, encoding="utf-8", newline="\n")
            path.with_suffix(".pdf").write_bytes(vlc.svg_to_pdf(svg))


def panels(specification: JsonObject) -> Iterator[tuple[str, JsonDict]]:
    """Yield the title and specification of each panel of a figure, in which nothing is left to choose."""
    names = [param["name"] for param in specification.get("params", []) if "bind" in param]
    ((_, rows),) = specification["datasets"].items()
    of_panel: dict[str, Rows] = {}
    for row in rows:
        of_panel.setdefault(" · ".join(row[name] for name in (*names, "panel") if name in row), []).append(row)
    for title, shown in of_panel.items():
        panel = deepcopy(dict(specification.get("spec", specification)))
        kept = [step for step in panel.pop("transform", []) if not _chooses(step, names)]
        for name in ("datasets", "params", "description", "$schema", "config"):
            panel.pop(name, None)
        _leave_out_absent(panel, shown)
        _wrap_labels(panel, shown)
        for _, encoded in encodings(panel, "x", "y"):
            if len(encoded.get("title") or "") > _LONG:
                encoded["title"] = textwrap.wrap(encoded["title"], _LONG)
        yield title, panel | {"data": {"values": shown}, "transform": kept, "title": textwrap.wrap(title, 48)}


def _leave_out_absent(panel: JsonDict, shown: Rows) -> None:
    """Leave out of legends what is not in the panel."""
    for _, encoded in encodings(panel, "color", "shape"):
        present = {row.get(encoded.get("field", "")) for row in shown}
        scale, legend = encoded.get("scale") or {}, encoded.get("legend") or {}
        if "domain" in scale:
            kept = [pair for pair in zip(scale["domain"], scale["range"], strict=True) if pair[0] in present]
            scale["domain"], scale["range"] = ([pair[side] for pair in kept] for side in (0, 1))
        if "values" in legend:
            legend["values"] = [value for value in legend["values"] if value in present]
            encoded["legend"] = legend if legend["values"] else None


def _wrap_labels(panel: JsonDict, shown: Rows) -> None:
    """Write long labels of rows of marks in several lines, and make all rows as high as the most of these."""
    views = [view["encoding"] for view in panel.get("layer", [panel]) if "y" in view.get("encoding", {})]
    for view in views:
        if view["y"].get("type") != "nominal":
            continue
        labels = {row[view["y"]["field"]] for row in shown}
        lines = {label: textwrap.wrap(label, _LABEL) for label in sorted(labels) if len(label) > _LABEL}
        if not lines:
            continue
        most = max(map(len, lines.values()))
        beside = len({row[view["yOffset"]["field"]] for row in shown}) if "yOffset" in view else 1
        height = panel.get("height") or _STYLE["view"]["discreteHeight"]
        panel["height"] = {**height, "step": max(height["step"], (most + 0.5) * _LINE / beside)}
        split_label = f"({json.dumps(lines)}[datum.label] || [datum.label])"
        # The first line stands at the row, but the middle one shall.
        higher = [{"test": f"length({split_label}) === {n}", "value": (1 - n) * _LINE / 2} for n in range(2, most + 1)]
        offset = {"condition": higher, "value": 0}
        view["y"]["axis"] = {**(view["y"].get("axis") or {}), "labelExpr": split_label, "labelOffset": offset}


def _chooses(transform: JsonObject, names: list[str]) -> bool:
    return str(transform.get("filter")).endswith(tuple(f"=== {name})" for name in names))


def _pages(panel: JsonDict) -> list[str]:
    """Return a panel as SVG: parts of its rows of marks, where not all have room on a page."""
    svg = _drawn(panel)
    parts = ceil(_size(svg)[1] / HIGHEST)
    views = panel.get("layer", [panel])
    field = next((view["encoding"]["y"].get("field") for view in views if "y" in view.get("encoding", {})), None)
    if parts == 1 or field is None:
        return [svg]
    rows = panel["data"]["values"]
    values = list(dict.fromkeys(row[field] for row in rows))
    size = ceil(len(values) / parts)
    chunks = [values[start : start + size] for start in range(0, len(values), size)]
    return [_drawn(panel | {"data": {"values": [row for row in rows if row[field] in chunk]}}) for chunk in chunks]


def _drawn(panel: JsonObject) -> str:
    """Return a panel as SVG, as wide as a column, in points.

    What stands beside a plot is as wide as its words: the first drawing shows what is left for the plot.
    """
    drawn = dict(panel)
    for columns in (4, 3, 2, 1):
        # A legend may be wider than the plot.
        style = {**_STYLE, "legend": {**_STYLE["legend"], "columns": columns}}
        drawn["width"] = WIDTH / 2
        for _ in range(1 + _CORRECTIONS):
            svg = str(vlc.vegalite_to_svg(drawn, config=style))
            if abs(WIDTH - _size(svg)[0]) <= 1:
                break
            drawn["width"] = max(_LEAST, drawn["width"] + WIDTH - _size(svg)[0])
        if _size(svg)[0] <= WIDTH + 1:
            break
    return svg


def _size(svg: str) -> tuple[float, float]:
    match = re.search(r'width="([0-9.]+)" height="([0-9.]+)', svg)
    assert match
    return float(match[1]), float(match[2])
