"""``nlfol export --figure``: a figure of a run without title, in words, models by score, written answers left out."""

import json
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from nlfol.report.printing import write_figure
from nlfol.results.analyses.charts import encodings
from nlfol.results.analyses.figure import Figure
from nlfol.results.statistics.summary import COMPARED
from nlfol.results.tables.headlines import worded
from nlfol.results.tables.table import TableError
from nlfol_extras.paper.tables import Run


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
    figure, shown, kinds = figures[name], run.chosen(models), run.kinds
    rows = [row for row in figure.rows if _models(row.get("model"), row.get("pair")) <= shown]
    if not rows:
        raise TableError(f"figure {name!r} shows nothing of {', '.join(models) or 'models that were asked'}")
    best: dict[tuple[str, str | None], tuple[bool, float]] = {}
    for row in rows:
        place, score = (row["panel"], row.get("model")), -(row.get("mean") or 0.0)
        is_reference = not {kinds[one] for one in _models(*place[1:], row.get("pair"))} <= {*COMPARED}
        best[place] = min(best.get(place, (is_reference, score)), (is_reference, score))
    rows.sort(key=lambda row: best[row["panel"], row.get("model")])
    words = {model: worded(model) for model, kind in kinds.items() if kind not in COMPARED}
    specification = json.loads(json.dumps(figure.specification))
    for _, encoded in encodings(specification, "color", "shape"):
        for part, key in ((encoded.get("scale"), "domain"), (encoded.get("legend"), "values")):
            if part and key in part:
                part[key] = [words.get(value, value) for value in part[key]]
    for row in rows:
        row.update({key: worded(row[key]) for key in ("shown", "case") if isinstance(row.get(key), str)})
        row.update({"model": words.get(row["model"], row["model"])} if "model" in row else {})
    specification["datasets"] = {"data": rows}
    write_figure(replace(figure, specification=specification), output, titled=False)
    return [output / f"{name}.csv", *sorted((output / name).iterdir())]


def _models(model: str | None, pair: str | None) -> set[str]:
    """Return the models of a mark, of a pair both."""
    named = (model or pair or "").partition(" · ")[0]
    return {*named.split(" − ")} if named else set()
