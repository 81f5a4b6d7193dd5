"""Write the figures of the report as files for papers: SVG, PDF and PNG, one and two columns wide; data as CSV."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, TypeVar

import polars as pl
import vl_convert as vlc

from nlfol.analyses.charts import CATEGORIES
from nlfol.analyses.figure import Figure, Rows
from nlfol.store.checksums import write_checksums
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER

T = TypeVar("T")

WIDTHS: Mapping[str, float] = {"one-column": 3.33, "two-columns": 6.9}
"""In inches, as the classes of most publishers have them."""

_PIXELS, _PNG = 96, 300
"""Pixels of an inch in SVG and PNG."""

_LEAST = 40
"""Pixels of the narrowest panel."""

MOST_PANELS = 12
"""Panels of a file."""

_NARROW = 120
"""Pixels of a panel below which nothing stands beside it."""

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

    A figure with drop-downs is drawn as panels, one or more for each choice, in files of at most ``MOST_PANELS``: a
    file of one choice has its name, files of several have numbers.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{name: value for name, value in row.items() if name != "opens"} for row in figure.rows]
    pl.DataFrame(rows, infer_schema_length=None).write_csv(folder / f"{figure.name}.csv")
    for part, specification in figure_parts(figure.specification):
        for width, inches in WIDTHS.items():
            path = folder / "-".join(filter(None, (figure.name, part, width)))
            svg = _drawn(specification, inches * _PIXELS, panels=1 if width == "one-column" else 2)
            path.with_suffix(".svg").write_text(svg, encoding="utf-8", newline="\n")
            path.with_suffix(".pdf").write_bytes(vlc.svg_to_pdf(svg))
            path.with_suffix(".png").write_bytes(vlc.svg_to_png(svg, ppi=_PNG))


def figure_parts(specification: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name and specification of each file of a figure, in which nothing is left to choose."""
    plain = deepcopy(dict(specification))
    names = [each["name"] for each in plain.get("params", []) if each.pop("bind", None)]
    (rows,) = plain["datasets"].values()
    choices: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in rows:
        choices.setdefault(tuple(row[name] for name in names), []).append(row)
    for name, choice, shown in _files(choices) if names else [("", (), rows)]:
        part = deepcopy(plain)
        values = dict(zip(names, choice, strict=True))
        for parameter in part.get("params", []):
            parameter["value"] = values.get(parameter["name"], parameter.get("value"))
        yield name, _in_panels(part, shown, names) if names else part


def _files(choices: Mapping[tuple[str, ...], Rows]) -> Iterator[tuple[str, tuple[str, ...], Rows]]:
    """Yield name, choice and rows of each file.

    Choices without panels of their own are panels beside one another; panels of others are in files of their choice.
    """
    if not any("panel" in row for rows in choices.values() for row in rows):
        for number, together in enumerate(found := _batches(choices), 1):
            rows = [{**row, "panel": " · ".join(choice)} for choice in together for row in choices[choice]]
            yield f"{number:0{len(str(len(found)))}}" if len(found) > 1 else "", together[0], rows
        return
    for choice, rows in choices.items():
        for number, panels in enumerate(parts := _batches(dict.fromkeys(row["panel"] for row in rows)), 1):
            name = [*choice, *([str(number)] if len(parts) > 1 else [])]
            yield _slug(" ".join(name)), choice, [row for row in rows if row["panel"] in panels]


def _batches(panels: Iterable[T]) -> list[list[T]]:
    every = list(panels)
    return [every[start : start + MOST_PANELS] for start in range(0, len(every), MOST_PANELS)]


def _in_panels(part: dict[str, Any], rows: Rows, names: Sequence[str]) -> dict[str, Any]:
    """Return the specification of some rows, in which names choose no longer, as panels."""
    ((key, _),) = part["datasets"].items()
    of_all = {"$schema", "config", "data", "datasets", "description", "params", "resolve"}
    if "spec" not in part:
        inner = {name: part.pop(name) for name in part.keys() - of_all}
        facet = {
            "field": "panel",
            "type": "nominal",
            "title": None,
            "header": {"labelExpr": "split(datum.label, ' – ')"},
        }
        free = {"axis": {"x": "independent", "y": "independent"}, "scale": {"x": "independent", "y": "independent"}}
        part |= {"spec": inner, "facet": facet, "resolve": free}
    inner = part["spec"]
    chosen = tuple(f"=== {name})" for name in names)
    inner["transform"] = [each for each in inner["transform"] if not str(each.get("filter")).endswith(chosen)]
    if "field" in part["facet"]:
        part["facet"]["sort"] = list(dict.fromkeys(row["panel"] for row in rows))
    return part | {"datasets": {key: rows}}


def _slug(option: str) -> str:
    return "-".join("".join(letter if letter.isalnum() else " " for letter in option).split())


def _drawn(specification: Mapping[str, Any], width: float, *, panels: int) -> str:
    """Return the figure as SVG of a width in pixels.

    What stands beside panels is as wide as its words: the first drawing shows what is left for the panels.
    """
    drawn = deepcopy(dict(specification))
    inner = drawn.get("spec", drawn)
    across = 1
    if inner is not drawn:
        (rows,) = drawn["datasets"].values()
        across = min(len({row["panel"] for row in rows}), panels)
        drawn["columns"] = across
    before = inner["width"]
    for columns in range(_STYLE["legend"]["columns"], 0, -1):
        inner["width"] = before
        found = before + (width - _width(_svg(drawn, columns))) / across
        if found < _NARROW and across > 1:
            return _drawn(specification, width, panels=1)
        inner["width"] = max(_LEAST, found)
        svg = _svg(drawn, columns)
        # A legend may be wider than all panels together.
        if abs(_width(svg) - width) <= 1:
            break
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
