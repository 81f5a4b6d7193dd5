"""Parts that figures share: panels by question, axes of shares, marks that open items."""

from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Any

import altair as alt

from nlfol.analyses.figure import Figure, Rows
from nlfol.tables.opening import address

# Distinguishable without colour vision (Okabe and Ito).
CATEGORIES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c564b", "#999999"]
WIDTH = 300
ROW = alt.Step(12, **{"for": "offset"})
SHAPES = ["circle", "square", "triangle-up", "diamond", "cross"]
POINT: dict[str, Any] = {"filled": True, "opacity": 1, "size": 60, "cursor": "pointer"}


def figure(
    rows: Rows, name: str, title: str, caption: str, chart: alt.TopLevelMixin, *, about: str = "experiment"
) -> Figure | None:
    """Return the figure; None without rows."""
    return Figure(name, title, caption, {**chart.to_dict(), "description": caption}, about) if rows else None


def first(groups: Iterable[Rows], most: int, what: str, file: str) -> tuple[list[Any], str]:
    """Return the first whole groups of rows that come to ``most`` at most, joined, and a remark if any is left out.

    So a page stays small whatever is compared.
    """
    every = list(groups)
    kept = sum(count <= most for count in accumulate(map(len, every)))
    said = f" The first {kept} of {len(every)} {what}; all are in {file}.arrow." if kept < len(every) else ""
    return [row for group in every[:kept] for row in group], said


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


def question(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that tell marks apart, within a panel and between panels."""
    return {"panel": panel_of(row), "shown": row["presentation"] or "no candidates"}


def panel_of(row: Mapping[str, Any]) -> str:
    """Return the title of a panel."""
    return f"{row['dataset']} · {row['task']}: {row['metric']}"


def opened(row: Mapping[str, Any], **more: str) -> str:
    """Return the address that a mark opens: its question and model, and what else is given."""
    names = ("dataset", "task", "model", "presentation", "metric")
    return address({name: row[name] for name in names} | more)


def models() -> alt.Y:
    """Return an axis with one row per model, in the order of the experiment."""
    return alt.Y("model:N", title=None, sort=None)


def by_model(rows: Rows) -> tuple[alt.Color, alt.Shape]:
    """Return colour and shape by model: shapes tell apart those that share a colour, of which there are eight."""
    names = list(dict.fromkeys(row["model"] for row in rows))
    colours = [CATEGORIES[place % len(CATEGORIES)] for place in range(len(names))]
    shapes = [SHAPES[place // len(CATEGORIES) % len(SHAPES)] for place in range(len(names))]
    title = alt.Legend(title=None, symbolLimit=0, symbolOpacity=1)
    return (
        alt.Color("model:N", scale=alt.Scale(domain=names, range=colours), legend=title),
        alt.Shape("model:N", scale=alt.Scale(domain=names, range=shapes), legend=title),
    )


def beside() -> alt.YOffset:
    """Presentations beside one another."""
    return alt.YOffset("shown:N", sort=None)


def shown_as() -> alt.Color:
    """Presentations by colour."""
    return alt.Color("shown:N", title="Shown as", sort=None)


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


def once(field: str, x: float, y: float, **mark: Any) -> alt.Chart:
    """Return a text, such as an axis's title, that all marks that were chosen say alike."""
    text = alt.Text(f"{field}:N", aggregate="min")
    written: alt.Chart = alt.Chart().mark_text(**mark).encode(x=alt.value(x), y=alt.value(y), text=text)
    return written


def lines(**channels: Any) -> alt.Chart:
    """Return lines with points to click on, one a model."""
    point = alt.OverlayMarkDef(filled=True, size=50, cursor="pointer")
    drawn: alt.Chart = chart().mark_line(point=point)
    return drawn.encode(color=alt.Color("model:N", title=None, sort=None), **channels)


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
