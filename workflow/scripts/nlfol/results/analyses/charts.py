"""Parts that figures share: panels by question, axes of shares, marks that open items."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, cycle
from typing import Any

import altair as alt

from nlfol.facts import GUESSERS
from nlfol.mappings import AnyRow, JsonDict
from nlfol.results.analyses.figure import Figure, Rows
from nlfol.results.tables.opening import address

# Of models, distinguishable without colour vision (Okabe and Ito, Tol); others are grey.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#332288"]
INK, GREY = "#444444", "#9a9a9a"
WIDTH = 300
SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"]
TICK = "M-1,-0.2H1V0.2H-1Z"
POINT: JsonDict = {"filled": True, "opacity": 1, "size": 60, "cursor": "pointer"}


def figure(
    rows: Rows, name: str, title: str, caption: str, chart: alt.TopLevelMixin, *, about: str = "experiment"
) -> Figure | None:
    """Return the figure; None without rows."""
    return Figure(name, title, caption, {**chart.to_dict(), "description": caption}, about) if rows else None


def first(groups: Iterable[Rows], most: int, noun: str, file: str) -> tuple[list[Any], str]:
    """Return the first whole groups of rows that come to ``most`` at most, joined, and a remark if any is left out.

    So a page stays small whatever is compared.
    """
    every = list(groups)
    kept = sum(count <= most for count in accumulate(map(len, every)))
    remark = f" The first {kept} of {len(every)} {noun}; all are in {file}.arrow." if kept < len(every) else ""
    return [row for group in every[:kept] for row in group], remark


def chart(**more: Any) -> alt.Chart:
    """Return a chart whose data its panels give."""
    return alt.Chart(width=WIDTH, **more)


def panels(chart: Any, rows: Rows, *, rank: bool = True) -> alt.FacetChart:
    """Return a panel per value of ``panel``, in the rows' order, with its own axis and, with ``rank``, its own rows."""
    order = list(dict.fromkeys(row["panel"] for row in rows))
    data: Any = {"values": rows}
    drawn: alt.FacetChart = chart.facet(alt.Facet("panel:N", title=None, sort=order), columns=2, data=data)
    # A shared axis stands below the last row alone, and where that is not full, below nothing.
    drawn = drawn.resolve_axis(x="independent", y="independent")
    return drawn.resolve_scale(y="independent") if rank else drawn


def question(row: AnyRow) -> JsonDict:
    """Return the fields that tell marks apart, within a panel and between panels."""
    return {"panel": panel_of(row), "shown": row["presentation"] or "no candidates"}


def panel_of(row: AnyRow) -> str:
    """Return the title of a panel."""
    return f"{row['dataset']} · {row['task']}: {row['metric']}"


def opened(row: AnyRow, **more: str) -> str:
    """Return the address that a mark opens: its question and model, and what else is given."""
    names = ("dataset", "task", "model", "presentation", "metric")
    return address({name: row[name] for name in names} | more)


def models() -> alt.Y:
    """Return an axis with one row per model, in the order of the experiment."""
    return alt.Y("model:N", title=None, sort=None)


def of_model(*, legend: bool = True) -> alt.Color:
    """Colours by model, which ``painted`` gives; no legend where the axis names models."""
    return alt.Color("model:N", title=None, sort=None) if legend else alt.Color("model:N", legend=None)


def painted(figure: Figure, models: Sequence[str]) -> Figure:
    """Return the figure in the run's colours: each of ``models`` has its own in all figures, all others are grey.

    These are in the caption, not in the legend. Of more models than colours each has a panel of its own, with a
    drop-down for what the panels were.
    """
    rows, many = figure.rows, len(models) > len(COLOURS)
    names = list(dict.fromkeys(row["model"] for row in rows if "model" in row))
    own = [name for name in names if name.partition(" · ")[0] in models]
    others = [name for name in names if name not in own]
    colour_of = dict(zip(models, [INK] * len(models) if many else COLOURS, strict=False))
    plain = (name for name in others if name not in GUESSERS)
    shape_of = dict.fromkeys(GUESSERS, TICK) | dict(zip(plain, cycle(SHAPES[1:]), strict=False))
    ranges = {
        "color": [colour_of.get(name.partition(" · ")[0], GREY) for name in names],
        "shape": [shape_of.get(name, SHAPES[0]) for name in names],
    }
    of_models = [pair for pair in encodings(figure.specification, "color", "shape") if pair[1].get("field") == "model"]
    with_legend = [encoded for _, encoded in of_models if encoded.get("legend", True) is not None]
    for channel, encoded in of_models:
        encoded["scale"] = {"domain": names, "range": ranges[channel]}
    for encoded in with_legend:
        encoded["legend"] = {"values": own, "symbolOpacity": 1} if own and not many else None
    if with_legend and many and "facet" in (specification := figure.specification):
        asked = list(dict.fromkeys((row["panel"], row["model"]) for row in rows))
        rows[:] = [
            {**row, "panel": name, "question": row["panel"]}
            for name in own
            for row in rows
            if row["model"] in (name, *others) and (row["panel"], name) in asked
        ]
        questions = list(dict.fromkeys(panel for panel, _ in asked))
        bound = {"input": "select", "options": questions, "name": "Question "}
        specification["facet"]["sort"] = own
        specification.setdefault("params", []).append({"name": "question", "value": questions[0], "bind": bound})
        specification["spec"].setdefault("transform", []).append({"filter": "(datum.question === question)"})
    remark = f" Grey: {', '.join(others)}." if with_legend and others else ""
    return replace(figure, caption=figure.caption + remark)


def encodings(part: Any, *channels: str) -> Iterator[tuple[str, JsonDict]]:
    """Yield the encodings of some channels in a specification, with their channel."""
    if isinstance(part, list):
        for value in part:
            yield from encodings(value, *channels)
    elif isinstance(part, dict):
        for name, value in part.items():
            if name == "encoding":
                yield from ((channel, value[channel]) for channel in channels if channel in value)
            elif name != "datasets":
                yield from encodings(value, *channels)


def shown_as(rows: Rows) -> alt.Shape:
    """Presentations by shape, with a legend if there are several."""
    several = len({row["shown"] for row in rows}) > 1
    scale = alt.Scale(range=SHAPES)
    return alt.Shape("shown:N", title="Shown as", sort=None, scale=scale, legend=alt.Legend() if several else None)


def varied(rows: Rows, field: str) -> Rows:
    """Return the rows of panels in which a field has several values: an axis with one point says nothing."""
    values: dict[str, set[Any]] = {}
    for row in rows:
        values.setdefault(row["panel"], set()).add(row[field])
    return [row for row in rows if len(values[row["panel"]]) > 1]


def share(field: str, title: str, channel: type[alt.X] | type[alt.Y] = alt.X) -> Any:
    """Return an axis from 0 to 1."""
    return channel(f"{field}:Q", title=title, scale=alt.Scale(domain=[0, 1]))


def tips(*names: str, **numbers: str) -> list[alt.Tooltip]:
    """Return a tooltip of names, and of numbers with their titles (default: mean and interval)."""
    numbers = numbers or {"mean": "mean", "low": "from", "high": "to"}
    return [alt.Tooltip(f"{name}:N") for name in names] + [
        alt.Tooltip(f"{name}:Q", title=title, format=".3~f") for name, title in numbers.items()
    ]


def choice(rows: Rows, field: str, title: str | None = None) -> alt.Parameter:
    """Return a drop-down for the values of a field, whose name it has, in their order; the first is preselected."""
    values = list(dict.fromkeys(row[field] for row in rows))
    bound = alt.binding_select(options=values, name=f"{title or field.capitalize()} ")
    return alt.param(name=field, value=next(iter(values), None), bind=bound)


def once(field: str, x: float, y: float | str, **mark: Any) -> alt.Chart:
    """Return a text, such as an axis's title, that all marks that were chosen say alike."""
    text = alt.Text(f"{field}:N", aggregate="min")
    written: alt.Chart = alt.Chart().mark_text(**mark).encode(x=alt.value(x), y=alt.value(y), text=text)
    return written


def lines(rows: Rows, name: str, title: str, caption: str, *, x: alt.X, y: str, **tooltip: Any) -> Figure | None:
    """Return lines of ``mean`` over ``x``, with points to click on, one a model; a panel needs two places of ``x``."""
    rows = varied(rows, x.shorthand.partition(":")[0])
    point = alt.OverlayMarkDef(filled=True, size=50, cursor="pointer")
    drawn = chart().mark_line(point=point).encode(x=x, y=share("mean", y, alt.Y), color=of_model(), **tooltip)
    return figure(rows, name, title, caption, panels(drawn, rows, rank=False))


def stacked(rows: Rows, colours: Mapping[str, str], title: str) -> alt.TopLevelMixin:
    """Return stacked bars of ``answers`` by ``case``, a bar a model, in the order of the colours."""
    colours = {case.replace("_", " "): colour for case, colour in colours.items()}
    present = [case for case in colours if any(row["case"] == case for row in rows)]
    scale = alt.Scale(domain=present, range=[colours[case] for case in present])
    bars = (
        chart()
        .mark_bar(cursor="pointer")
        .encode(
            x=alt.X("answers:Q", stack="normalize", title=title, axis=alt.Axis(format="%")),
            y=models(),
            order="order:O",
            color=alt.Color("case:N", title=None, scale=scale, legend=alt.Legend(labelLimit=300)),
            tooltip=tips("model", "case", answers="answers"),
        )
    )
    return panels(bars, rows)
