"""The figures of a report as Vega-Lite; each mark knows what it opens (see ``links``)."""

from collections.abc import Iterable, Mapping, Sequence

import altair as alt
import polars as pl

from nlfol.facts import FACTS, GUESSERS, VERDICTS, AnswerForm
from nlfol.mappings import AnyRow
from nlfol.report.answers import Place
from nlfol.results.analyses import charts, findings
from nlfol.results.analyses.charts import figure
from nlfol.results.analyses.figure import Figure, Rows
from nlfol.results.statistics.summary import COMPARED, OUTCOMES
from nlfol.results.tables.headlines import Question, standings

_SIGNIFICANT = "adjusted p < 0.05"

# Distinguishable without colour vision (Okabe and Ito), and on light and dark ground.
_COLOURS = {
    "right": "#009e73", "equivalent": "#009e73", "wrong": "#882255", "not equivalent": "#d55e00",
    "unknown": "#cc79a7", "invalid": "#e69f00", "unparsable": "#f0e442", "truncated": "#56b4e9", "empty": "#999999",
    "blank": "#bbbbbb", "refused": "#0072b2", "failed": "#8c564b", "internal_error": "#000000",
}  # fmt: skip


def figures(
    cells: pl.DataFrame,
    differences: pl.DataFrame,
    ranks: pl.DataFrame,
    *,
    board: int | None = None,
    costs: Mapping[Place, float],
    tokens: Mapping[Place, float],
    worded: Sequence[Figure] = (),
) -> list[Figure]:
    """Return the figures for which there is something to show.

    ``cells`` are rows of ``schemas.CELLS``, ``differences`` of ``comparisons.DIFFERENCES``, ``ranks`` of its ``RANKS``,
    ``board`` the models that it has places for;
    ``costs`` (0 is left out) and ``tokens`` are means of an answer. The figures of analyses (``worded``) come last.
    """
    asked = [row for row in cells.to_dicts() if row["items"] and FACTS[row["task_kind"]].rates(row["metric"])]
    tasks = dict.fromkeys(row["task"] for row in asked)
    questions = standings(asked, ranks.to_dicts(), board=board)
    models = cells.filter(pl.col("kind").is_in(COMPARED))["model"].unique(maintain_order=True).to_list()
    drawn = [
        *(_scores([row for row in asked if row["task"] == task], task, questions) for task in tasks),
        _differences(differences.to_dicts()),
        _outcomes(asked),
        _against(
            asked,
            costs,
            "cost",
            "Cost of an answer",
            "each model by what an answer cost on average, in the currency of its price",
        ),
        _against(
            asked,
            tokens,
            "tokens",
            "Tokens of a completion",
            "each dialogue model by the tokens that it wrote for an answer on average, thoughts included",
        ),
        *worded,
    ]
    return [charts.painted(figure, models) for figure in drawn if figure is not None]


def _scores(cells: Rows, task: str, questions: Sequence[Question]) -> Figure | None:
    kind = FACTS[cells[0]["task_kind"]]
    rows = [
        {
            **charts.question(row),
            "panel": f"{row['dataset']}: {row['metric']}",
            "model": row["model"],
            # Guessers are known exactly for the items: they have no interval.
            **{name: None if row["kind"] in GUESSERS else row[name] for name in ("low", "high")},
            "mean": row["mean"],
            "items": row["items"],
            "opens": charts.opened(row),
        }
        for row in cells
    ]
    base = charts.chart(height=alt.Step(12, **{"for": "offset"})).encode(
        y=charts.models(),
        yOffset=alt.YOffset("shown:N", sort=None),
        color=charts.of_model(legend=False),
        tooltip=charts.tips("model", "shown", "items"),
    )
    rule = base.mark_rule(strokeWidth=2).encode(x=charts.share("low", "Share of items"), x2="high:Q")
    point = base.mark_point(**charts.POINT).encode(
        x=charts.share("mean", "Share of items"), shape=charts.shown_as(rows)
    )
    return figure(
        rows,
        f"accuracy-{task}",
        findings.leader([question for question in questions if question.about["task"] == task], f"Scores in {task}"),
        "Mean score of each model with the interval at 95 % over stories; guessers have none.",
        charts.panels(rule + point, rows),
        about="candidates" if kind.has_candidates else kind.form,
    )


def _differences(rows: Rows) -> Figure | None:
    shown = [
        {
            **charts.question(row),
            "pair": " · ".join(filter(None, (f"{row['first']} − {row['second']}", row["presentation"]))),
            "significant": _SIGNIFICANT
            if row["adjusted"] is not None and row["adjusted"] < 0.05
            else "not significant",
            **{name: row[name] for name in ("difference", "low", "high", "adjusted", "items")},
            "opens": charts.opened({**row, "model": [row["first"], row["second"]]}, common="model"),
        }
        for row in rows
    ]
    base = charts.chart(height=alt.Step(16)).encode(
        y=alt.Y("pair:N", title=None, sort=None),
        color=alt.value(charts.INK),
        tooltip=charts.tips("pair", "items", difference="difference", adjusted="adjusted p"),
    )
    title = "Difference of means"
    zero = charts.chart().mark_rule(strokeDash=[4, 3]).encode(x=alt.datum(0))
    # A panel in which no difference has an interval has an axis all the same.
    shown_end = "isValid(datum.{0}) ? datum.{0} : datum.difference"
    rule = (
        base.transform_calculate(start=shown_end.format("low"), end=shown_end.format("high"))
        .mark_rule(strokeWidth=2)
        .encode(x=alt.X("start:Q", title=title), x2="end:Q")
    )
    marks = alt.Scale(domain=["not significant", _SIGNIFICANT], range=["circle", "diamond"])
    point = base.mark_point(**charts.POINT).encode(
        x=alt.X("difference:Q", title=title), shape=alt.Shape("significant:N", title=None, scale=marks)
    )
    return figure(
        shown,
        "forest",
        findings.difference(rows, "Differences between models"),
        "Mean of the first model less that of the second on common items, with the interval at 95 %; a diamond where "
        "the p adjusted by Holm is below 0.05.",
        charts.panels(zero + rule + point, shown),
    )


def _outcomes(cells: Rows) -> Figure | None:
    rows = []
    for row in cells:
        if row["kind"] in GUESSERS or row["metric"] != FACTS[row["task_kind"]].metrics[0]:
            continue
        for case, count, chosen in _cases(row):
            who = " · ".join(filter(None, (row["model"], row["presentation"])))
            about = {"panel": f"{row['dataset']} · {row['task']}", "model": who, "opens": charts.opened(row, **chosen)}
            rows.append({**about, "case": case, "answers": count, "order": list(_COLOURS).index(case)})
    return figure(
        rows,
        "outcomes",
        "What became of the answers",
        "Share of answers (items × seeds) by outcome; answered translations by verdict, other answers by right and "
        "wrong in the first metric, where ties count as expected.",
        charts.stacked(rows, _COLOURS, "Share of answers"),
    )


def _cases(row: AnyRow) -> Iterable[tuple[str, float, dict[str, str]]]:
    if FACTS[row["task_kind"]].form is AnswerForm.FORMULA:
        cases = [(name.replace("_", " "), row[name], {"verdict": name}) for name in VERDICTS]
    else:
        # A mean is rounded: what is left of nothing must be nothing.
        right = round(row["mean"] * row["items"] * row["seeds"], 9)
        wrong = round(row["answered"] - right, 9)
        cases = [("right", right, {"right": "right"}), ("wrong", wrong, {"outcome": "answered", "right": "wrong"})]
    cases += [(name, row[name], {"outcome": name}) for name in OUTCOMES[1:]]
    return [case for case in cases if case[1]]


def _against(cells: Rows, took: Mapping[Place, float], name: str, title: str, subject: str) -> Figure | None:
    rows = [
        {
            **charts.question(row),
            **{name: row[name] for name in ("model", "mean", "items")},
            name: spent,
            "opens": charts.opened(row),
        }
        for row in cells
        if row["metric"] == FACTS[row["task_kind"]].metrics[0]
        and (spent := took.get((row["dataset"], row["task"], row["model"], row["presentation"])))
    ]
    rows = charts.varied(rows, "model")
    base = charts.chart().encode(
        x=alt.X(f"{name}:Q", title=f"{title} (logarithmic)", scale=alt.Scale(type="log")),
        y=charts.share("mean", "Mean score", alt.Y),
        color=charts.of_model(),
        tooltip=charts.tips("model", "shown", **{"mean": "mean", name: f"{name} of an answer"}),
    )
    points = base.mark_point(**charts.POINT).encode(shape=charts.shown_as(rows))
    caption = f"Mean score of {subject}."
    return figure(rows, name, f"{name.capitalize()} against score", caption, charts.panels(points, rows, rank=False))
