"""The published figures beside those of an experiment."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from nlfol.analyses.analysis import Analysis
from nlfol.analyses.formulas import of_complexity
from nlfol.analyses.generated import COUNTED
from nlfol.analyses.published_wordings import worded
from nlfol.statistics.binning import bounded_name
from nlfol.statistics.published_error import agrees, decimals, published_name
from nlfol.tables.forms import DrawnForm
from nlfol.tables.opening import Filter, Number
from nlfol.tables.table import Cell, Column, Kind, Sample, Score, Table
from nlfol.tasks.question_answering import RIGHT
from nlfol.tasks.registry import METRICS, TASKS
from nlfol.tasks.task import AnswerForm

_KEY = ("dataset", "task", "metric", "presentation", "model", "second")


@dataclass(frozen=True, slots=True)
class Measured:
    """Rows of an experiment that stand beside published figures."""

    cells: pl.DataFrame
    bounded: pl.DataFrame
    differences: pl.DataFrame
    task_agreements: pl.DataFrame
    correlations: pl.DataFrame
    complexity: pl.DataFrame
    diversity: pl.DataFrame
    classification: pl.DataFrame
    drift: pl.DataFrame
    stability: pl.DataFrame
    ratings: pl.DataFrame


def published(figures: pl.DataFrame, measured: Measured) -> Table:
    """Draw each published figure whose dataset and model the experiment has, with ours and the difference.

    Args:
        figures: the columns of the files in ``resources/published``.
        measured: what the experiment measured.
    """
    ours: dict[tuple[str, ...], list[_Ours]] = {}
    for key, one in _measured(measured):
        ours.setdefault(key, []).append(one)
    rows: list[tuple[Cell, ...]] = []
    without = 0
    digits = _digits(figures)
    for figure in figures.to_dicts():
        key = tuple(figure[name] or "" for name in _KEY)
        found = ours.get(key, [])
        without += not found
        theirs = Score(figure["mean"], figure["deviation"])
        rows += [
            (
                figure["paper"],
                figure["table"],
                *(part or None for part in key),
                one.entry,
                one.protocol,
                one.sample,
                theirs,
                one.score,
                one.score.mean - theirs.mean,
                _agreement(one.score, figure, digits[_printed(figure)]),
            )
            for one in found
        ]
    return Table(
        "published",
        "Published figures and ours",
        "Figures of the papers that resources/published/README.md names, and ours of the same name.",
        (
            Column("paper", "Paper", Kind.TEXT),
            Column("table", "Table", Kind.TEXT),
            *(Column(name, "Shown as" if name == "presentation" else name.capitalize(), Kind.TEXT) for name in _KEY),
            Column("entry", "Entry", Kind.TEXT),
            Column("protocol", "Protocol", Kind.TEXT),
            Column("items", "Items", Kind.SAMPLE),
            Column("published", "Published", Kind.SCORE),
            Column("ours", "Ours", Kind.SCORE),
            Column("difference", "Ours less published", Kind.SHARE),
            Column("agrees", "Agree within error", Kind.TEXT),
        ),
        tuple(rows),
        (
            "Paper: file in resources/published; Table: in it. Entry: of the tasks here.",
            "Items “k of n”: only k of the n that the dataset offers were asked; the papers asked all.",
            "Agree within error: by our interval and, where the paper says of how many items, that of its figure.",
            "Agree –: ours has no interval. Both may be of the same items, so that the error is less.",
            "Only the protocol “paper” follows the procedure of nl_fol_lt.",
            "The code of nl_fol_lt leaves unreadable answers to ranking out of the denominator; here they are wrong.",
            "Its deviations of BLEU in table 5 are taken from the mean of LE, and are none.",
            "autoeval: tables 8 and 9 print the same scores under two captions, and 9 and 12 others for one quantity.",
            "solt: datasets by reader and language, tasks by strategy; drops are means over datasets.",
            "solt: table 12 has more programs right by meaning than table 3 by answer, and table 5 does not add up.",
            "solt: ratings are of texts rewritten by models; those of certified problems are of other texts.",
            "Sets of the protocol “audited” are harder and fairer: a difference there says nothing of the model.",
            f"{without:,} of {len(figures):,} published figures have no counterpart of their dataset and model here.",
        ),
    )


def _printed(figure: dict[str, Any]) -> tuple[str, ...]:
    """Return the digits to which figures are printed."""
    return figure["paper"], figure["table"], figure["metric"]


def _digits(figures: pl.DataFrame) -> dict[tuple[str, ...], int]:
    found: dict[tuple[str, ...], int] = {}
    for figure in figures.to_dicts():
        found[_printed(figure)] = max(found.get(_printed(figure), 0), decimals(figure["mean"]))
    return found


def _agreement(ours: Score, figure: dict[str, Any], digits: int) -> str | None:
    if ours.low is None or ours.high is None:
        return None
    return "yes" if agrees((ours.mean, ours.low, ours.high), figure["mean"], figure["items"], digits) else "no"


@dataclass(frozen=True, slots=True)
class _Ours:
    entry: str | None
    protocol: str | None
    score: Score
    sample: Sample | None = None


def _measured(measured: Measured) -> Iterator[tuple[tuple[str, ...], _Ours]]:
    asked = measured.cells.filter(pl.col("mean").is_not_null())
    for row in [*asked.to_dicts(), *measured.bounded.to_dicts()]:
        key = _key(row, row["task_kind"], bounded_name(row), row["model"])
        score = Score(row["mean"], row["deviation"], row["low"], row["high"])
        ours = _Ours(row["task"], row["protocol"], score, _sample(row))
        yield key, ours
        if TASKS[row["task_kind"]].form is AnswerForm.LABEL and row["metric"] == RIGHT:
            yield _key(row, row["task_kind"], "accuracy", row["model"]), ours
    yield from _classified(measured.classification)
    for named, entry, protocol, score in worded(measured.drift, measured.stability):
        yield named, _Ours(entry, protocol, score)
    for row in measured.ratings.filter(pl.col("reader").is_not_null(), pl.col("rating").is_not_null()).to_dicts():
        key = published_name(row["reader"]), "diversification", "rating", "diversified", row["model"], ""
        score = Score(row["rating"], None, row["rating_low"], row["rating_high"])
        yield key, _Ours(row["task"], row["protocol"], score)
    for row in measured.correlations.filter(pl.col("correlation").is_not_null()).to_dicts():
        key = _key(row, "logical_translation", f"correlation_{row['metric']}", row["model"])
        yield key, _Ours(row["task"], None, Score(row["correlation"], row["deviation"]))
    for row in measured.task_agreements.to_dicts():
        entries = f"{row['most_similar']} / {row['ranking']}"
        for name in _SHARES:
            key = _key(row, "most_similar_and_ranking", name, row["model"])
            yield key, _Ours(entries, row["protocol"], Score(row[name]), _sample(row))
    for row in measured.differences.filter(pl.col("both").is_not_null()).to_dicts():
        for name, swapped in _SHARES.items():
            share = _Ours(row["task"], row["protocol"], Score(row[name]), _sample(row))
            yield _key(row, row["task_kind"], name, row["first"], row["second"]), share
            yield _key(row, row["task_kind"], swapped, row["second"], row["first"]), share
    for row in measured.complexity.to_dicts():
        for name, value in row.items():
            if isinstance(value, float):
                yield _key(row, "", name, ""), _Ours(None, None, Score(value))
    for row in measured.diversity.to_dicts():
        for name in COUNTED:
            if row[name] is not None:
                yield _key(row, "", name, ""), _Ours(None, None, Score(float(row[name])))


def _sample(row: dict[str, Any]) -> Sample | None:
    """Null where rows are of some sizes of items, which no dataset offers as such."""
    return Sample(row["items"], row["available"]) if "available" in row else None


def _classified(rows: pl.DataFrame) -> Iterator[tuple[tuple[str, ...], _Ours]]:
    """Answers, precision, recall label by label (∀uto∃∨∧L, tables 15 to 18); of yes and no, those of yes (19, 20)."""
    for row in rows.filter(pl.col("group") == "all", pl.col("kind") == "chat").to_dicts():
        label = row["label"]
        for name, count in _counts(row):
            yield _key(row, row["task_kind"], name, row["model"]), _Ours(row["task"], row["protocol"], Score(count))
        of_label = {"precision": f"precision_{label}", "recall": f"recall_{label}"}
        for name, metric in (_OF_YES if label == "yes" else of_label).items():
            if row[name] is not None:
                score = Score(row[name], None, row[f"{name}_low"], row[f"{name}_high"])
                yield _key(row, row["task_kind"], metric, row["model"]), _Ours(row["task"], row["protocol"], score)


def _counts(row: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """Answers by what they say, read ones alone; of yes and no, all six counts of yes."""
    if row["label"] == "yes":
        yield from ((f"count_{name.upper()}", float(row[name])) for name in ("tp", "fp", "tn", "fn", "ip", "in"))
    elif row["label"] != "no":
        for said in row["answered"]:
            if said["label"] is not None:
                yield f"count_{row['label'][0].upper()}{said['label'][0].upper()}", float(said["count"])


_OF_YES = {"precision": "precision", "recall": "true_positive_rate", "tnr": "true_negative_rate", "f1": "f1"}
_SHARES = {"both": "both", "first_only": "second_only", "second_only": "first_only", "neither": "neither"}
"""Of two series of answers, and what each is called when the second series comes first."""


def _key(row: dict[str, Any], task: str, metric: str, model: str, second: str = "") -> tuple[str, ...]:
    return row["dataset"], task, metric, row.get("presentation", ""), model, second


_MEASURED = (
    *("cells", "bounded", "differences", "task_agreements", "correlations", "complexity", "diversity"),
    *("classification", "drift", "stability", "ratings"),
)


def _published(*frames: pl.DataFrame) -> Table:
    *measured, figures = frames
    return published(figures, Measured(*measured))


def _answers(number: Number) -> Filter | None:
    if number.column == "published":
        return None
    kind, metric = number.row["task"], str(number.row["metric"])
    if kind is None:
        return of_complexity(Number(number.row, metric, ""))
    chosen = number.named("dataset", "presentation") | {
        "task": str(number.row["entry"]).split(" / "),
        "model": list(number.named("model", "second").values()),
    }
    if number.row["second"] is not None:
        return {**chosen, "metric": METRICS[str(kind)][0], "pair": metric}
    if kind not in METRICS:
        # Answers to two tasks; what is published of problems in other words is under no name of the explorer.
        return {**chosen, "common": "task"} if len(chosen["task"]) > 1 else None
    compared = metric.removeprefix("correlation_")
    return {**chosen, "metric": compared, **({"read": "read"} if compared != metric else {})}


ANALYSIS = Analysis(tables=(DrawnForm("published", (*_MEASURED, "figures"), _published, _answers),))
