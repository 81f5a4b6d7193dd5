"""Strategies of writing programs: the score of each less that of the first, item by item (SoLT and MenTaL, table 3).

The first is that of programs in the same language. A strategy with other keys, such as more drafts, is another one.

Where a task has the first one's strategy with the examples that others have (``examples: varied``), these are compared
with it, too: what it does not give is owed to the instruction alone.

The gain of a dataset in other words less the gain on its original, item by item, says whether a strategy helps more
where words change.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import polars as pl

from nlfol.facts import RIGHT, AnswerForm
from nlfol.mappings import JsonDict
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.analyses.drift import COVERED
from nlfol.results.analyses.figure import Figure
from nlfol.results.statistics.aligned import Aligned, Entries, Wording, dispersions, wording
from nlfol.results.statistics.contrasts import adjust, cleanest, contrast, of_models
from nlfol.results.statistics.differences import difference_of_differences
from nlfol.results.statistics.pairing import COMPARISONS, Pairs, pairs
from nlfol.results.statistics.published_error import published_dataset, published_wording
from nlfol.results.statistics.published_ways import differences, left_out, ways
from nlfol.results.statistics.summary import Series
from nlfol.results.tables import columns
from nlfol.results.tables.opening import nothing
from nlfol.results.tables.table import Kind, Row, TableForm
from nlfol.store.columns import Ends, Interval, Pairing, TaskColumns, Tested, row_schema, with_ends


class _Strategy(TaskColumns, Wording):
    model: str
    kind: str
    strategy: str
    base_task: str
    base_strategy: str
    comparison: str  # what may differ, see statistics.pairing: strategies, instructions, example_words
    language: str | None  # of all programs; null if they are in several, or in none
    # adjusted over all rows of models whose arms do not differ in instructions and examples at once
    items: int
    available: int
    stories: int
    right_base: float | None
    right: float | None
    gain: float | None


class StrategyRow(_Strategy, Tested, Pairing):
    """One row a dataset, model and task of programs but the first of its language, whose strategy is the base.

    And one for each task with the examples of a later task of that strategy.
    """

    # pooled, over the items whose programs are both aligned
    dispersion_base: Interval
    dispersion: Interval
    aligned: int | None  # these items; null without a solver
    # The gain in other words less that on the original, by item, and how many items; null of originals.
    further: Interval
    further_items: int | None


STRATEGIES = row_schema("strategies", 2, StrategyRow)


def strategies(series: Iterable[Series], loaded: Iterable[Aligned], entries: Entries) -> list[StrategyRow]:
    """Return the rows of ``STRATEGIES``, in the order of the series."""
    programs = {(job.about["dataset"], job.about["task"], job.about["model"]): job for job in loaded}
    asked: dict[tuple[str, str], dict[str, Series]] = {}
    for one in series:
        if one.metric == RIGHT and one.source.asked.form is AnswerForm.PROGRAM:
            asked.setdefault((one.source.dataset, one.source.model), {})[one.source.task] = one
    made: dict[tuple[str, str, str, str], Pairs] = {}
    rows: list[StrategyRow] = []
    for (dataset, model), tasks in asked.items():
        written = {task: programs[dataset, task, model] for task in tasks if (dataset, task, model) in programs}
        if next(iter(tasks)) not in written:
            continue
        for task, base_task, comparison in _compared_by_language(written):
            before, after = written[base_task], written[task]
            paired_answers = pairs(tasks[task], tasks[base_task], COMPARISONS[comparison])
            made[dataset, model, task, base_task] = paired_answers
            gain = contrast(paired_answers, tasks[task].source.available)
            dispersion_base, dispersion, aligned = dispersions(before, after)
            row: StrategyRow = {
                **tasks[task].source.of_task,
                "model": model,
                "kind": tasks[task].source.kind,
                **wording(dataset, entries),
                "strategy": after.about["strategy"],
                "base_task": base_task,
                "base_strategy": before.about["strategy"],
                "comparison": comparison,
                "language": next(iter(after.languages)) if len(after.languages) == 1 else None,
                "right": gain.first,
                "right_base": gain.second,
                "gain": gain.difference,
                **gain.columns,
                "dispersion_base": dispersion_base,
                "dispersion": dispersion,
                "aligned": aligned,
                "further": None,
                "further_items": None,
            }
            rows.append(row)
    for row in rows:
        names = row["model"], row["task"], row["base_task"]
        further = _further(made.get((row["original"] or "", *names)), made[(row["dataset"], *names)])
        row["further"], row["further_items"] = further
    adjust(rows, counts=lambda row: of_models(row) and row["comparison"] != "strategies")
    return [with_ends(StrategyRow, row) for row in rows]


def _compared_by_language(tasks: Mapping[str, Aligned]) -> Iterator[tuple[str, str, str]]:
    by_language: dict[frozenset[str], dict[str, Aligned]] = {}
    for name, job in tasks.items():
        by_language.setdefault(job.languages, {})[name] = job
    return chain.from_iterable(map(_compared, by_language.values()))


def _compared(tasks: Mapping[str, Aligned]) -> Iterator[tuple[str, str, str]]:
    """Yield each task but the first with what it is compared with, and the comparison."""
    first, *others = tasks
    traits = {name: ((job.about["strategy"], job.plan), job.examples) for name, job in tasks.items()}
    strategy, words = traits[first]
    for task in others:
        own, shown = traits[task]
        if own == strategy:
            yield task, first, "example_words"
            continue
        yield task, first, "instructions" if shown == words else "strategies"
        if shown != words:
            yield from ((task, name, "instructions") for name in tasks if traits[name] == (strategy, shown))


def _further(original: Pairs | None, other: Pairs) -> tuple[Ends, int | None]:
    """Return how much greater the gain is in other words, over the items with pairs in both wordings."""
    if original is None or not (original.are_enough and other.are_enough):
        return Ends(), None
    both = other.items.join(original.items, on="item", suffix="_original", maintain_order="left")
    if both.is_empty():
        return Ends(), None
    gain, before = ((both[f"score{end}"].to_list(), both[f"score_second{end}"].to_list()) for end in ("", "_original"))
    further = difference_of_differences(gain, before, both["story"].to_list())
    return Ends(*further), both.height


def _beside(rows: pl.DataFrame, figures: pl.DataFrame, cells: pl.DataFrame, asked: pl.DataFrame) -> Iterator[Row]:
    """Yield the rows with the published gain of the same strategies, dataset, wording and model, and what differs."""
    accuracies = figures.filter(pl.col("metric") == "accuracy_percent").to_dicts()
    names = ("dataset", "task", "presentation", "model")
    known = {tuple(figure[name] for name in names): figure for figure in accuracies}
    asked_as = ways(asked, cells)
    for row in rows.to_dicts():
        name, shown, model = published_dataset(row), published_wording(row), row["model"]
        sides = {end: known.get((name, row[f"{end}strategy"], shown, model)) for end in ("", "base_")}
        theirs = [figure for figure in sides.values() if figure is not None]
        gain, differs = None, list[str]()
        if row["strategy"] != row["base_strategy"] and len(theirs) == len(sides):
            gain = (theirs[0]["mean"] - theirs[1]["mean"]) / 100
            of_tasks = [asked_as.get((row[f"{end}task"], model), {}) for end in sides]
            for figure, way in zip(theirs, of_tasks, strict=True):
                differs += differences(figure, [{**way, "protocol": row["procedure"]}])
        yield {**row, "published": None if differs else gain, "differs": list(dict.fromkeys(differs))}


def _without(shown: Iterable[Row], *_: object) -> Iterator[str]:
    yield from left_out(row["differs"] for row in shown)


TABLE = TableForm(
    "strategies",
    "Strategies of programs",
    "Share of right answers, and dispersion of symbols, with each strategy and with another one.",
    (
        *columns.texts("dataset", "original", "model", "task", "strategy"),
        columns.text("base_task", "Other task"),
        columns.text("base_strategy", "Other strategy"),
        columns.column("comparison", None, Kind.TEXT, lambda row: row["comparison"].replace("_", " ")),
        columns.sample(),
        columns.share("right_base", "Right, other"),
        columns.share("right", "Right"),
        *columns.contrast("gain", "Gain"),
        columns.share("published", "Published gain"),
        columns.interval("further", "Gain less that on the original"),
        columns.interval("dispersion_base", "Dispersion, other"),
        columns.interval("dispersion", "Dispersion"),
        columns.count("aligned", "Items, dispersion"),
        *columns.pairing("strategy", "other"),
    ),
    (
        "Gain: the strategy less the other one, item by item, with the interval at 95 % (clusters: stories).",
        "Other: the first task's in the same language, and its strategy's with the same examples, if there is one.",
        "Gain less that on the original: by item, of those with pairs in both wordings; interval by the same method.",
        columns.PAIRING,
        COMPARISONS["strategies"].note,
        COMPARISONS["instructions"].note,
        "Example words: one strategy, with other words in its examples.",
        columns.TEST,
        "Adjusted: by Holm over all models of this table; – strategies whose examples differ, too, are exploratory.",
        "Bold: adjusted p below 0.05.",
        "Published gain: of SoLT's table 3, the same strategies and model.",
        _without,
        f"Dispersion: as in the table of stability, of items with an aligned program of both; {COVERED}",
        columns.SAMPLE,
    ),
    ("strategies", "figures", "cells", "ways"),
    _beside,
    opens=nothing,
)


_SHOWN = {"instructions": ", same examples", "example_words": ", other examples"}


def strategies_figure(rows: pl.DataFrame) -> Figure | None:
    """Draw the gain of each strategy with its interval."""
    import altair as alt

    from nlfol.results.analyses.charts import POINT, chart, figure, models, of_model, panels, tips

    drawn: list[JsonDict] = [
        {
            "panel": f"{row['dataset']}: {row['strategy']} less {row['base_strategy']}"
            + _SHOWN.get(row["comparison"], ""),
            **{name: row[name] for name in ("model", "task", "low", "high", "items")},
            "mean": row["gain"],
        }
        for row in cleanest(rows.to_dicts())
        if row["gain"] is not None
    ]
    base = chart(height=alt.Step(18)).encode(y=models(), color=of_model(legend=False))
    layers: Any = alt.layer(
        base.mark_rule().encode(x=alt.X("low:Q", title="Gain in the share of right answers"), x2="high:Q"),
        base.mark_point(**POINT).encode(x="mean:Q", tooltip=tips("model", "task", "items", mean="gain")),
    )
    return figure(
        drawn,
        "strategies",
        "Gains of strategies",
        "Share of right answers with each strategy less that with another one, with its interval at 95 %.",
        panels(layers, drawn),
    )


ANALYSIS = Analysis(
    rows=(
        Rows(
            STRATEGIES,
            lambda given: strategies(given.series("problem_scores"), given.programs(), given.setting("wordings")),
        ),
    ),
    tables=(TABLE,),
    figures=((("strategies",), strategies_figure),),
)
