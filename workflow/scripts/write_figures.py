"""Write the figures of the report as files for papers: SVG, PDF and PNG, one and two columns wide; data as CSV."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import polars as pl
import vl_convert as vlc

from nlfol.analyses.charts import CATEGORIES
from nlfol.analyses.figure import Figure, Rows
from nlfol.store.checksums import write_checksums
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER

WIDTHS: Mapping[str, float] = {"one-column": 3.33, "two-columns": 6.9}
"""In inches, as the classes of most publishers have them."""

_PIXELS, _PNG = 96, 300
"""Pixels of an inch in SVG and PNG."""

_LEAST = 40
"""Pixels of the narrowest panel."""

MOST_PANELS = 24
"""Panels of a file."""

_NARROW = 120
"""Pixels of a panel below which nothing stands beside it."""

_FEW = 8
"""Panels up to which there are two columns of them."""

_CORRECTIONS = 2
"""Drawings, after the first, in which a width is put right: axes and titles change with it."""

_STYLE: Mapping[str, Any] = {
    "background": "white",
    "font": "Helvetica, Arial, Liberation Sans, sans-serif",
    "axis": {"labelFontSize": 8, "titleFontSize": 9, "titleFontWeight": "normal", "gridColor": "#e5e5e5"},
    "header": {"labelFontSize": 9, "labelFontWeight": "bold", "labelLimit": 0},
    "legend": {"orient": "bottom", "labelFontSize": 8, "titleFontSize": 9, "columns": 3, "labelLimit": 0},
    "point": {"size": 25},
    "text": {"fontSize": 8},
    "range": {"category": CATEGORIES},
}


def main(figures: Path, output: Path) -> None:
    """Write SVG, PDF, PNG and CSV of each figure of the JSON file of ``write_report``, and checksums of all."""
    for number, figure in enumerate(listed := json.loads(figures.read_text(encoding="utf-8")), 1):
        LOGGER.info(f"{figure['name']}, {number} of {len(listed)}")
        write_figure(Figure(**figure), output)
    output.mkdir(parents=True, exist_ok=True)
    write_checksums(output, (path for path in output.rglob("*") if path.is_file() and path.suffix))


def write_figure(figure: Figure, folder: Path) -> None:
    """Write ``NAME.csv``, and ``NAME-WIDTH.{svg,pdf,png}`` for each of ``WIDTHS``.

    A figure with drop-downs is drawn as panels, one or more for each choice, in numbered files of at most
    ``MOST_PANELS``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{name: value for name, value in row.items() if name != "opens"} for row in figure.rows]
    pl.DataFrame(rows, infer_schema_length=None).write_csv(folder / f"{figure.name}.csv")
    for part, specification in figure_parts(figure.specification):
        for width, inches in WIDTHS.items():
            path = folder / "-".join(filter(None, (figure.name, part, width)))
            svg = _drawn(specification, inches * _PIXELS, most=1 if width == "one-column" else 3)
            path.with_suffix(".svg").write_text(svg, encoding="utf-8", newline="\n")
            path.with_suffix(".pdf").write_bytes(vlc.svg_to_pdf(svg))
            path.with_suffix(".png").write_bytes(vlc.svg_to_png(svg, ppi=_PNG))


def figure_parts(specification: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name and specification of each file of a figure, in which nothing is left to choose."""
    plain = deepcopy({name: value for name, value in specification.items() if name != "datasets"})
    names = [each["name"] for each in plain.get("params", []) if each.pop("bind", None)]
    ((key, rows),) = specification["datasets"].items()
    if not names:
        yield "", plain | {"datasets": {key: rows}}
        return
    files = _files(rows, names)
    for number, shown in enumerate(files, 1):
        name = f"{number:0{len(str(len(files)))}}" if len(files) > 1 else ""
        order = list(dict.fromkeys(row["panel"] for row in shown))
        yield name, _in_panels(deepcopy(plain), names, order) | {"datasets": {key: shown}}


def _files(rows: Rows, names: Sequence[str]) -> list[Rows]:
    """Return the rows of each file, by panels with the choice in their titles.

    Choices share a file as long as there is room; one with too many panels goes on in the next.
    """
    choices: dict[str, dict[str, Rows]] = {}
    for row in rows:
        said = " · ".join(row[name] for name in names)
        title = f"{said} – {row['panel']}" if "panel" in row else said
        choices.setdefault(said, {}).setdefault(title, []).append({**row, "panel": title})
    found: list[Rows] = []
    room = 0
    for panels in choices.values():
        titles = list(panels)
        for start in range(0, len(titles), MOST_PANELS):
            together = titles[start : start + MOST_PANELS]
            if len(together) > room:
                found.append([])
                room = MOST_PANELS
            found[-1] += [row for title in together for row in panels[title]]
            room -= len(together)
    return found


def _in_panels(part: dict[str, Any], names: Sequence[str], order: Sequence[str]) -> dict[str, Any]:
    """Return a specification without data, in which names choose no longer, as panels."""
    of_all = {"$schema", "config", "data", "description", "params", "resolve"}
    if "spec" not in part:
        free = {"axis": {"x": "independent", "y": "independent"}, "scale": {"x": "independent", "y": "independent"}}
        part = {"resolve": free, "spec": {name: part.pop(name) for name in part.keys() - of_all}, **part}
    lines = {"labelExpr": "split(datum.label, ' – ')"}
    chosen = tuple(f"=== {name})" for name in names)
    transforms = part["spec"]["transform"]
    part["spec"]["transform"] = [each for each in transforms if not str(each.get("filter")).endswith(chosen)]
    return part | {"facet": {"field": "panel", "type": "nominal", "title": None, "sort": order, "header": lines}}


def _drawn(specification: Mapping[str, Any], width: float, *, most: int) -> str:
    """Return the figure as SVG of a width in pixels.

    What stands beside panels is as wide as its words: the first drawing shows what is left for the panels.
    """
    drawn = deepcopy(dict(specification))
    inner = drawn.get("spec", drawn)
    across = 1
    if inner is not drawn:
        (rows,) = drawn["datasets"].values()
        panels = len({row["panel"] for row in rows})
        # Few panels are easier to read in two columns.
        across = min(panels, most, 2 if panels <= _FEW else most)
        drawn["columns"] = across
    before = inner["width"]
    # A legend may be wider than all panels together.
    for columns in range(_STYLE["legend"]["columns"], 0, -1):
        inner["width"] = before
        svg = _svg(drawn, columns)
        for _ in range(_CORRECTIONS):
            found = inner["width"] + (width - _width(svg)) / across
            if found < _NARROW and across > 1:
                return _drawn(specification, width, most=across - 1)
            inner["width"] = max(_LEAST, found)
            svg = _svg(drawn, columns)
            if abs(_width(svg) - width) <= 1:
                return svg
    return svg


def _svg(specification: dict[str, Any], columns: int) -> str:
    style = {**_STYLE, "legend": {**_STYLE["legend"], "columns": columns}}
    return str(vlc.vegalite_to_svg(specification, config=style))


def _width(svg: str) -> float:
    found = re.search(r'width="([0-9.]+)"', svg)
    assert found
    return float(found[1])


if __name__ == "__main__":
    run_job(main)
