"""Round trips: scores by round, why chains end, and the effect of solved examples."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from nlfol.facts import (
    COMPLETED,
    COMPLIANCE,
    COPIED,
    ENCODED,
    EQUIVALENCE,
    FACTS,
    FEW_SHOT,
    OVERLAPS,
    ROUND_TRIP,
    TRUTH,
    TRUTH_UNCOPIED,
    ZERO_SHOT,
    AnswerForm,
)
from nlfol.results.analyses.analysis import Analysis, Rows, grouped
from nlfol.results.statistics.binning import LIMITS, bounded_name
from nlfol.results.statistics.contrasts import adjust, is_main, paired
from nlfol.results.statistics.published_error import WIDEST, published_quantity
from nlfol.results.statistics.published_ways import Nearest, left_out, nearest, ways
from nlfol.results.statistics.summary import COMPARED, FIRST, KINDS, OUTCOMES, Origin, Series
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number, opens
from nlfol.results.tables.table import Kind, Row, Score, TableForm
from nlfol.store.columns import Pairing, TaskColumns, Tested, row_schema


class StopRow(TaskColumns):
    """One row a dataset, task of several rounds, presentation, model and reason why dialogues (items × seeds) ended."""

    presentation: str
    model: str
    kind: str
    stop: str
    count: int


STOPS = row_schema("stops", 1, StopRow)


class _FewShot(TaskColumns):
    metric: str
    model: str
    items: int
    available: int
    stories: int
    score: float | None
    score_zero_shot: float | None
    difference: float | None


class FewShotRow(_FewShot, Tested, Pairing):
    """One row a dataset, task, metric and model that was asked with solved examples and without."""


FEW_SHOT_GAINS = row_schema("few_shot", 4, FewShotRow)

CALIBRATED, CALIBRATION = "k_sat", 0.95
"""The published set on which the best model is to reach this truth, or prompts are in doubt (∀uto∃∨∧L, figure 7)."""

ENDS = (COMPLETED, "not_equivalent", "unknown", "invalid", "unparsable", COPIED)
"""Why chains end; the other reasons are outcomes of requests that gave no answer."""

_LOST = tuple(outcome for outcome in OUTCOMES if outcome not in ENDS)


def _is_chain() -> pl.Expr:
    return pl.col("task_kind").is_in([kind for kind, facts in FACTS.items() if facts.form is AnswerForm.CHAIN])


_SCORES = (TRUTH_UNCOPIED, TRUTH, COMPLIANCE, COPIED)
_SMALL = {
    bounded_name({"metric": TRUTH, "measure": measure, "most": most}): title
    for (measure, most), title in zip(
        LIMITS, ("Truth, at most 6 operators", "Truth, at most 30 operators", "Truth, depth at most 7"), strict=True
    )
}
_OVERLAPS = ("BLEU", "chrF", "ROUGE-L", "METEOR", "BERTScore")
_PLACE = ("dataset", "task", "presentation")
_Judged = tuple[tuple[str, str, str], str, Nearest[Row]]
"""A place in the table, a metric, and what is published of it."""


def stops(loaded: Iterable[tuple[Origin, pl.DataFrame]]) -> Iterator[StopRow]:
    """Yield the rows of ``STOPS``, in the order of the files; reasons that occur alone.

    First English that is encoded has a row beside them.
    """
    for source, scores in loaded:
        # Each metric of a dialogue says the same.
        ended = scores.filter(pl.col("stop").is_not_null(), pl.col("metric").is_in(source.asked.metrics[:1]))
        encoded = scores.filter(metric=COPIED, fault=ENCODED).with_columns(stop=pl.lit(ENCODED))
        ended = pl.concat([ended, encoded])
        counted = ended.group_by("presentation", "stop", maintain_order=True).agg(pl.len().alias("count"))
        for presentation, stop, count in counted.iter_rows():
            yield {
                **source.of_task,
                "model": source.model,
                "kind": source.kind,
                "presentation": presentation,
                "stop": stop,
                "count": count,
            }


def few_shot(series: Iterable[Series]) -> list[FewShotRow]:
    """Return the rows of ``FEW_SHOT``, in the order of the series (figure 16).

    The p-values of all models in a task's first metric on a dataset are one family; other metrics are exploratory.
    """
    rows = []
    for of_model in grouped(series, "dataset", "task", "metric", "model"):
        shown = {one.presentation: one for one in of_model}
        if {FEW_SHOT, ZERO_SHOT} <= shown.keys():
            figures = paired(shown[FEW_SHOT], shown[ZERO_SHOT], "few_shot")
            row: FewShotRow = {
                **shown[FEW_SHOT].source.of_task,
                "model": shown[FEW_SHOT].source.model,
                "metric": shown[FEW_SHOT].metric,
                "score": figures.first,
                "score_zero_shot": figures.second,
                "difference": figures.difference,
                **figures.columns,
            }
            rows.append(row)
    adjust(rows, "dataset", "task", counts=is_main)
    return rows


def rounds(*frames: Any) -> Iterator[Row]:
    """Yield a row a model and round, the best model first; published scores of what was asked alike below."""
    cells, bounded, stopped, names, figures, asked, *best = frames
    groups: dict[tuple[str, ...], dict[str, dict[str, Row]]] = {}
    for cell in columns.marked(cells.filter(_is_chain()), *best):
        key = tuple(cell[name] for name in _PLACE)
        groups.setdefault(key, {}).setdefault(cell["model"], {})[cell["metric"]] = cell
    for row in bounded.filter(_is_chain(), pl.col("metric") == TRUTH).to_dicts():
        groups[tuple(row[name] for name in _PLACE)][row["model"]][bounded_name(row)] = row
    ended: dict[tuple[str, ...], dict[str, int]] = {}
    for row in stopped.to_dicts():
        ended.setdefault(tuple(row[name] for name in (*_PLACE, "model")), {})[row["stop"]] = row["count"]
    calibrated = _calibrated(groups, dict(names.rows()))
    crosses = _crosses(cells, asked)
    theirs: dict[tuple[str, ...], dict[str, dict[str, Score]]] = {}
    for place, metric, one in _judged(cells, names, figures, asked):
        if not one.differs:
            of_model = theirs.setdefault(place, {}).setdefault(one.figure["model"], {})
            of_model.setdefault(metric, Score(one.figure["mean"]))
    for (dataset, task, presentation), models in groups.items():
        crossed = {model: crosses.get((dataset, task, presentation, model)) for model in models}
        for model, metrics in sorted(models.items(), key=lambda named: _rank(named[1], crossed[named[0]])):
            job = (dataset, task, presentation, model)
            of_first = {**_counts(ended.get(job, {})), "calibration": calibrated.get(job), "cross": crossed[model]}
            for number in sorted({ROUND_TRIP.round_of(metric) for metric in metrics}):
                yield {
                    **_NOTHING,
                    **dict(zip((*_PLACE, "model"), job, strict=True)),
                    "source": "here",
                    **_scores(metrics, number),
                    **(of_first if number == 1 else {}),
                }
        about = {"dataset": dataset, "task": task, "presentation": presentation, "source": "published", "round": 1}
        for model, scores in theirs.get((dataset, task, presentation), {}).items():
            yield {**_NOTHING, **about, "model": model, **scores}


def _rank(metrics: Mapping[str, Row], cross: float | None) -> tuple[int, float]:
    """Return a key by which models come before references, the best first, by the lower of own reading and cross."""
    cell = next(iter(metrics.values()))
    kind, first = KINDS.index(cell["kind"]), metrics.get(TRUTH_UNCOPIED)
    if first is None or first["mean"] is None or cell["kind"] not in COMPARED:
        return kind, 0.0
    return kind, -min(first["mean"], first["mean"] if cross is None else cross)


def _crosses(cells: pl.DataFrame, asked: pl.DataFrame) -> dict[tuple[str, ...], float]:
    """Return the truth that the best other model preserves when it reads a model's English, by place and model.

    Of all items of the round trip: those without English that could be read are lost.
    """
    found: dict[tuple[str, ...], float] = {}
    own = cells.filter(_is_chain(), metric=TRUTH)
    for taken in asked.filter(pl.col("taken_of").is_not_null()).to_dicts():
        model, task = taken["taken_of"], taken["taken_in"]
        others = cells.filter(pl.col("model") != model, pl.col("kind").is_in(COMPARED), task=taken["task"])
        for other in others.filter(metric=EQUIVALENCE).to_dicts():
            # The English is that of the first presentation.
            of_trip = own.filter(dataset=other["dataset"], task=task, model=model).head(1).to_dicts()
            if of_trip and other["mean"] is not None:
                place = (other["dataset"], task, of_trip[0]["presentation"], model)
                mean = other["mean"] * min(1.0, other["items"] / of_trip[0]["items"])
                found[place] = max(found.get(place, 0.0), mean)
    return found


def _scores(metrics: Mapping[str, Row], number: int) -> Row:
    """Return the columns of a round; of later rounds there are no scores up to a size."""
    cell = next(iter(metrics.values()))
    scored = {name: metrics.get(name if number == 1 else f"{name}@{number}") for name in (*_SCORES, *OVERLAPS, *_SMALL)}
    return {
        "round": number,
        "items": columns.sample_of(cell),
        "seeds": None if cell["kind"] == "chance" else cell["seeds"],
        **{name: columns.score_of(row) for name, row in scored.items() if row is not None},
    }


def _counts(counted: Mapping[str, int]) -> Row:
    if not counted:
        return {}
    lost = sum(counted.get(outcome, 0) for outcome in _LOST)
    ends = {f"stop_{end}": counted.get(end, 0) for end in ENDS}
    return {**ends, "stop_lost": lost, ENCODED: counted.get(ENCODED, 0)}


def _calibrated(
    groups: Mapping[tuple[str, ...], Mapping[str, Mapping[str, Row]]], published: Mapping[str, str]
) -> dict[tuple[str, ...], str]:
    """Return where the best model on the dataset of calibration stands, and what to say there."""
    cells = {
        (*key, model): metrics[TRUTH]
        for key, models in groups.items()
        if published.get(key[0]) == CALIBRATED
        for model, metrics in models.items()
        if TRUTH in metrics and metrics[TRUTH]["kind"] in COMPARED and metrics[TRUTH]["mean"] is not None
    }
    if not cells:
        return {}
    column = max(cells, key=lambda column: cells[column]["mean"])
    best = cells[column]
    is_wide = best["low"] is None or best["high"] - best["low"] > WIDEST
    verdict = "cannot tell of" if is_wide else "reaches" if best["mean"] >= CALIBRATION else "below"
    return {column: f"best: {verdict} {CALIBRATION}"}


def _judged(cells: pl.DataFrame, names: pl.DataFrame, figures: pl.DataFrame, asked: pl.DataFrame) -> Iterator[_Judged]:
    """Yield what is published of the datasets and presentations here, each with its metric and where it may stand."""
    published = dict(names.rows())
    chains = cells.filter(_is_chain())
    for (dataset, presentation), block in chains.group_by("dataset", "presentation", maintain_order=True):
        wanted = {
            published_quantity(ROUND_TRIP.kind, metric, str(presentation)): metric for metric in (*_SMALL, *OVERLAPS)
        }
        of_dataset = figures.filter(dataset=published.get(str(dataset), dataset)).to_dicts()
        known = [figure for figure in of_dataset if _quantity(figure) in wanted]
        for one in nearest(known, ways(asked, block)):
            yield (str(dataset), one.task, str(presentation)), wanted[_quantity(one.figure)], one


def _quantity(figure: Row) -> tuple[str, str, str]:
    return figure["task"], figure["metric"], figure["presentation"] or ""


def _without(_: object, *frames: Any) -> Iterator[str]:
    cells, _, _, *published = frames
    yield from left_out(one.differs for _, _, one in _judged(cells, *published[:3]))


def _of_encoded(shown: Iterable[Row], *_: object) -> Iterator[str]:
    if any(row[ENCODED] for row in shown):
        yield "Encoded: chains whose first English is none but a code of the formula; it counts as copied."


def _of_cross(shown: Iterable[Row], *_: object) -> Iterator[str]:
    ranked = [row for row in shown if row["source"] == "here" and row["round"] == 1]
    if any(row["cross"] is not None for row in ranked):
        yield "Cross: truth if the best other model formalizes the English; the lower of both orders the rows."
    elif ranked:
        yield "No other model reads the English (english: {of, in}): only copied and encoded tell a private code."


def _opens(number: Number) -> Filter | None:
    """Choose the scores over all items, and the chains that ended so; the explorer cannot choose items by size."""
    stop = number.column.removeprefix("stop_")
    if stop != number.column:
        return opens(number, stop=_LOST if stop == "lost" else stop)
    of_metric = (*ROUND_TRIP.metrics, *ROUND_TRIP.other_metrics)
    if number.row["source"] != "here" or number.column not in of_metric:
        return None
    return opens(number, metric=number.column + ("" if number.row["round"] == 1 else f"@{number.row['round']}"))


ROUNDS = TableForm(
    "round_trip",
    "Round trips",
    "Share of formulas that keep their meaning when a model puts them into English and, in a fresh context, its "
    "English back into a formula; by round.",
    (
        *columns.texts("dataset", "task", "model", "presentation", "source"),
        columns.count("round"),
        columns.column("items", None, Kind.SAMPLE),
        columns.count("seeds"),
        columns.column(TRUTH_UNCOPIED, "Truth, uncopied", Kind.SCORE),
        replace(columns.share("cross"), rare=True),
        *(columns.column(name, None, Kind.SCORE) for name in (TRUTH, COMPLIANCE, COPIED)),
        *(columns.column(name, title, Kind.SCORE) for name, title in _SMALL.items()),
        *(columns.column(name, title, Kind.SCORE) for name, title in zip(OVERLAPS, _OVERLAPS, strict=True)),
        *(columns.count(f"stop_{name}", name.replace("_", " ").capitalize()) for name in ENDS),
        columns.count("stop_lost", "No answer"),
        replace(columns.count(ENCODED), rare=True),
        columns.text("calibration"),
    ),
    (
        "Truth: the formula after the round is proven equivalent to the first; a round not reached counts as lost.",
        "Compliance: it could be read, is closed and within the vocabulary.",
        "Copied: the English holds a piece of the notation. “Truth, uncopied” counts it as lost and ranks models.",
        _of_encoded,
        _of_cross,
        "Scores: mean ± sample standard deviation over seeds, interval at 95 % over stories; chance has none.",
        "At most 6 or 30 operators: ¬ directly before an atom does not count, as published.",
        "BLEU to BERTScore: of sentences, the English of the first round against the sentence.",
        "From “completed” on: why the chains (items × seeds) ended, in the row of the first round.",
        f"Calibration: whether the best on published {CALIBRATED} has a truth of {CALIBRATION} (∀uto∃∨∧L, figure 7).",
        f"Cannot tell of {CALIBRATION}: the interval of the best is wider than {WIDEST}, or it has none.",
        "Published: ∀uto∃∨∧L, whose tables 8 and 9 print the same scores under two captions.",
        "Its tables 9 and 12 print others for one quantity: the first is shown.",
        _without,
    ),
    ("cells", "bounded", "stops", "names", "figures", "ways", "best"),
    rounds,
    _opens,
)
_NOTHING = dict.fromkeys(column.name for column in ROUNDS.columns)

FEW_SHOT_TABLE = TableForm(
    "few_shot",
    "With and without solved examples",
    "Mean scores on common items with solved examples in the prompt (few shot) and without (zero shot), and their "
    "difference with the interval at 95 % (clusters: stories).",
    (
        *columns.texts("dataset", "task", "metric", "model"),
        columns.sample(),
        columns.share("score", "Few shot"),
        columns.share("score_zero_shot", "Zero shot"),
        *columns.contrast(header="Few less zero shot"),
    ),
    (
        f"{columns.TEST} Adjusted: by Holm over the models, in a task's first metric on a dataset; others are not.",
        columns.DETECTABLE,
    ),
    ("few_shot",),
    nothing="No model answered a task both with solved examples and without.",
)

ANALYSIS = Analysis(
    rows=(
        Rows(STOPS, lambda given: stops(given.loaded("presentation metric fault stop", metrics=(FIRST, COPIED)))),
        Rows(FEW_SHOT_GAINS, lambda given: few_shot(given.series())),
    ),
    tables=(ROUNDS, FEW_SHOT_TABLE),
)
