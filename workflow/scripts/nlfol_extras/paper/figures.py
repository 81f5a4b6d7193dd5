"""``nlfol export --figure``: a figure of a run without title, in words, models by score, written answers left out."""

import json
import re
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from nlfol.mappings import JsonDict
from nlfol.report.printing import write_figure
from nlfol.results.analyses.charts import encodings
from nlfol.results.analyses.figure import Figure
from nlfol.results.statistics.summary import COMPARED
from nlfol.results.tables.headlines import worded
from nlfol.results.tables.table import TableError
from nlfol_extras.paper.tables import Run

_ARMS = re.compile(" − ")


def export_figure(run: Run, name: str, models: Collection[str], output: Path) -> list[Path]:
    """Write the panels of a figure as PDF and SVG, and its data; return the files.

    Raises ``TableError`` if the run has no such figure or model, and if nothing is left to show.
    """
    path = run.folder / "report/figures.json"
    if not path.is_file():
        raise TableError(f"no {path}; make the report of the run")
    figures = {figure["name"]: Figure(**figure) for figure in json.loads(path.read_text(encoding="utf-8"))}
    if name not in figures:
        raise TableError(f"no figure {name!r} in {run.folder}; there are {', '.join(figures)}")
    figure, shown = figures[name], run.chosen(models)
    rows = [row for row in figure.rows if _models(row) <= shown]
    if not rows:
        raise TableError(f"figure {name!r} shows nothing of {', '.join(models) or 'models that were asked'}")
    kinds, best = run.kinds, dict[tuple[str, str | None], float]()
    for row in rows:
        place = row["panel"], row.get("model")
        best[place] = max(best.get(place, 0.0), row.get("mean") or 0.0)
    rows.sort(
        key=lambda row: (not {kinds[one] for one in _models(row)} <= {*COMPARED}, -best[row["panel"], row.get("model")])
    )
    specification = json.loads(json.dumps(figure.specification))
    ours = {model: worded(model) for model, kind in kinds.items() if kind not in COMPARED}
    for _, encoded in encodings(specification, "color", "shape"):
        for part, key in ((encoded.get("scale"), "domain"), (encoded.get("legend"), "values")):
            if part and key in part:
                part[key] = [ours.get(value, value) for value in part[key]]
    specification["datasets"] = {"data": [_worded(row, ours) for row in rows]}
    write_figure(replace(figure, specification=specification), output, titled=False)
    return [output / f"{name}.csv", *sorted((output / name).iterdir())]


def _models(row: JsonDict) -> set[str]:
    """Return the models of a mark, of a pair of them both."""
    named = str(row.get("model") or row.get("pair") or "").partition(" · ")[0]
    return {*_ARMS.split(named)} if named else set()


def _worded(row: JsonDict, ours: dict[str, str]) -> JsonDict:
    words = {key: worded(value) for key in ("shown", "case") if isinstance(value := row.get(key), str)}
    return {**row, **words, **({"model": ours.get(row["model"], row["model"])} if "model" in row else {})}
