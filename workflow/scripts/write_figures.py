"""Write the figures of the report as files for papers: SVG, PDF and PNG, one and two columns wide; data as CSV."""

import json
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import polars as pl
import vl_convert as vlc

from nlfol.analyses.charts import CATEGORIES
from nlfol.analyses.figure import Figure
from nlfol.store.checksums import write_checksums
from nlfol.store.jobs import run_job
from nlfol.store.logs import LOGGER

WIDTHS: Mapping[str, float] = {"one-column": 3.33, "two-columns": 6.9}
"""In inches, as the classes of most publishers have them."""

_PIXELS, _PNG = 96, 300
"""Pixels of an inch in SVG and PNG."""

_LEAST = 40
"""Pixels of the narrowest panel."""

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

    A figure with a drop-down is drawn for each of its values, the others as they are at first; the value ends the name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{name: value for name, value in row.items() if name != "opens"} for row in figure.rows]
    pl.DataFrame(rows, infer_schema_length=None).write_csv(folder / f"{figure.name}.csv")
    for value, specification in _chosen(figure.specification):
        for width, inches in WIDTHS.items():
            path = folder / "-".join(filter(None, (figure.name, value, width)))
            svg = _drawn(specification, inches * _PIXELS, panels=1 if width == "one-column" else 2)
            path.with_suffix(".svg").write_text(svg, encoding="utf-8", newline="\n")
            path.with_suffix(".pdf").write_bytes(vlc.svg_to_pdf(svg))
            path.with_suffix(".png").write_bytes(vlc.svg_to_png(svg, ppi=_PNG))


def _chosen(specification: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the specification for each value of its drop-down, with the value's name."""
    plain = deepcopy(dict(specification))
    offered = {each["name"]: each.pop("bind")["options"] for each in plain.get("params", []) if "bind" in each}
    yield "", plain
    for number, (name, options) in enumerate(offered.items()):
        for option in options[1:]:
            other = deepcopy(plain)
            other["params"][number]["value"] = option
            assert other["params"][number]["name"] == name
            yield _slug(option), other


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
        across = len({row["panel"] for row in rows})
        if "columns" in drawn:
            across = min(across, panels)
            drawn["columns"] = across
    svg = _svg(drawn)
    inner["width"] = max(_LEAST, inner["width"] + (width - _width(svg)) / across)
    return _svg(drawn)


def _svg(specification: dict[str, Any]) -> str:
    return str(vlc.vegalite_to_svg(specification, config=dict(_STYLE)))


def _width(svg: str) -> float:
    found = re.search(r'width="([0-9.]+)"', svg)
    assert found
    return float(found[1])


if __name__ == "__main__":
    run_job(main)
