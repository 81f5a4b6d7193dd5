"""Answers to problems, without a solver and of programs, as a classification and by depth.

Each label stands against all others. With ``p`` answers about problems whose label is right and ``n`` about others: TP
and FN are those of the ``p`` that say the label and another one, FP and TN likewise of the ``n``; IP and IN could not
be read, or are programs without an answer. They count as wrong: recall (TPR) is TP / p, TNR is TN / n, precision
TP / (TP + FP), and F1 = 2 TP / (2 TP + FP + FN + IP). Beside the models stand baselines that always give one label:
with uneven labels they are hard to beat.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict, cast

import polars as pl

from nlfol.facts import FACTS, RIGHT, AnswerForm, labels_of
from nlfol.results.analyses.analysis import Analysis, Given, Rows
from nlfol.results.statistics.clusters import ratio
from nlfol.results.statistics.summary import Origin, Series, mean_of
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number, nothing, plain
from nlfol.results.tables.table import Kind, Row, TableForm
from nlfol.store import files, schemas
from nlfol.store.columns import Ends, Int32, Interval, TaskColumns, row_schema, with_ends

_Counts = TypedDict("_Counts", {"tp": int, "fp": int, "tn": int, "fn": int, "ip": int, "in": int})
_COUNTS = tuple(_Counts.__annotations__)
_RATIOS = ("precision", "recall", "tnr", "f1")


class Answered(TypedDict):
    """An answer, null where it could not be read, with the number of such answers."""

    label: str | None
    count: int


class _Group(TaskColumns):
    presentation: str
    model: str
    kind: str
    group: str  # all, or depth (of problems of one depth)
    depth: Int32 | None  # of a group by depth; null if unknown


class _Class(_Group):
    label: str
    answers: int  # about problems whose right label it is
    answered: list[Answered]  # these, by their label: a row of the confusion matrix


class ClassificationRow(_Class, _Counts):
    """One row a dataset, task of answers or programs, presentation, model, group and label.

    The models "always X" are no models of the configuration.
    """

    precision: Interval
    recall: Interval
    tnr: Interval
    f1: Interval


CLASSIFICATION = row_schema("classification", 2, ClassificationRow)


class DepthRow(TaskColumns):
    """One row a dataset, task, metric, presentation, model and depth."""

    metric: str
    presentation: str
    model: str
    kind: str
    depth: Int32 | None  # null: unknown
    items: int
    seeds: int
    mean: float
    deviation: float | None
    low: float | None
    high: float | None


DEPTHS = row_schema("depths", 1, DepthRow)


@dataclass(frozen=True, slots=True)
class Asked:
    """A problem behind an item: its cluster, its right label, all labels, and its depth if known."""

    story: str
    right: str
    labels: tuple[str, ...]
    depth: int | None


Items = Mapping[tuple[str, str], Mapping[str, Asked]]
"""Problems by item, of each dataset and task."""


def items_of(paths: Iterable[Path]) -> Items:
    """Read the usable problems of ITEMS files; raises ``StoreError`` if a file or one of its problems is unreadable."""
    by_task: dict[tuple[str, str], Mapping[str, Asked]] = {}
    for path in paths:
        table = files.read(path, schemas.ITEMS)
        metadata = files.metadata_of(table)
        rows = [row for row in table.to_pylist() if row["status"] == "usable"]
        if any(row["problem"] is None for row in rows):
            raise files.StoreError(f"{path}: an item that is no problem; delete the file and run again")
        options = ([option["text"] for option in json.loads(row["problem"])["options"]] for row in rows)
        by_task[metadata["dataset"], metadata["task"]] = {
            row["item"]: Asked(row["story"], row["formula"], tuple(labels_of(texts).values()), row["category"])
            for row, texts in zip(rows, options, strict=True)
        }
    return by_task


@dataclass(frozen=True, slots=True)
class _Answer:
    asked: Asked
    item: str
    said: str | None


def classification(loaded: Iterable[tuple[Origin, pl.DataFrame]], items: Items) -> Iterator[ClassificationRow]:
    """Yield the rows of ``CLASSIFICATION``; after the models of a dataset and task the baselines, over all items."""
    seen: dict[tuple[str, str], tuple[Origin, Counter[str]]] = {}
    rows: dict[tuple[str, str], list[ClassificationRow]] = {}
    for source, scores in loaded:
        key = source.dataset, source.task
        asked = items.get(key)
        if asked is None or RIGHT not in source.asked.metrics:
            continue
        _, shown = seen.setdefault(key, (source, Counter()))
        of_place = rows.setdefault(key, [])
        of_labels = scores.filter(pl.col("metric") == RIGHT)
        for (presentation,), answers in of_labels.group_by("presentation", maintain_order=True):
            shown[str(presentation)] += 1
            if source.kind != "chance":
                read = answers.select("item", pl.when(pl.col("outcome") == "answered").then(pl.col("answer"))).rows()
                classified = [_Answer(asked[item], item, answer) for item, answer in read]
                of_place += _with_depths(source, str(presentation), source.model, source.kind, classified)
    for key, (source, shown) in seen.items():
        yield from rows[key]
        asked = items[key]
        for presentation in shown:
            for label in _labels(asked.values()):
                always = [_Answer(facts, item, label) for item, facts in asked.items() if label in facts.labels]
                named = _with_depths(source, presentation, f"always {label}", "constant", always)
                yield from (row for row in named if row["label"] == label)


def _labels(asked: Iterable[Asked]) -> list[str]:
    return list(dict.fromkeys(label for facts in asked for label in facts.labels))


def _with_depths(
    source: Origin, presentation: str, model: str, kind: str, answers: Sequence[_Answer]
) -> Iterator[ClassificationRow]:
    """Yield the rows of all answers, then by depth, the unknown one last."""
    by_depth: defaultdict[int | None, list[_Answer]] = defaultdict(list)
    for answer in answers:
        by_depth[answer.asked.depth].append(answer)
    known = sorted(depth for depth in by_depth if depth is not None)
    about: _Group = {
        **source.of_task,
        "presentation": presentation,
        "model": model,
        "kind": kind,
        "group": "all",
        "depth": None,
    }
    yield from _rows(about, answers)
    for depth in (*known, *([None] if None in by_depth else [])):
        yield from _rows({**about, "group": "depth", "depth": depth}, by_depth[depth])


def _rows(about: _Group, answers: Sequence[_Answer]) -> Iterator[ClassificationRow]:
    every = _labels(answer.asked for answer in answers)
    for label in every:
        cases = [(answer, _case(answer, label)) for answer in answers]
        counts = Counter(case for _, case in cases)
        confused = Counter(answer.said for answer in answers if answer.asked.right == label)
        row: ClassificationRow = {
            **about,
            "label": label,
            "answers": counts["tp"] + counts["fn"] + counts["ip"],
            "answered": [{"label": label, "count": confused[label]} for label in (*every, None) if confused[label]],
            **cast("_Counts", {name: counts[name] for name in _COUNTS}),
            "precision": _share(cases, {"tp": 1}, {"tp": 1, "fp": 1}),
            "recall": _share(cases, {"tp": 1}, {"tp": 1, "fn": 1, "ip": 1}),
            "tnr": _share(cases, {"tn": 1}, {"tn": 1, "fp": 1, "in": 1}),
            "f1": _share(cases, {"tp": 2}, {"tp": 2, "fp": 1, "fn": 1, "ip": 1}),
        }
        yield with_ends(ClassificationRow, row)


def _case(answer: _Answer, label: str) -> str:
    positive = answer.asked.right == label
    if answer.said is None:
        return "ip" if positive else "in"
    if answer.said == label:
        return "tp" if positive else "fp"
    return "fn" if positive else "tn"


def _share(cases: Sequence[tuple[_Answer, str]], part: Mapping[str, int], whole: Mapping[str, int]) -> Ends:
    """Return a ratio of counts with its interval over stories; null if it divides by zero."""
    parts: Counter[str] = Counter()
    wholes: Counter[str] = Counter()
    stories: dict[str, str] = {}
    for answer, case in cases:
        stories[answer.item] = answer.asked.story
        parts[answer.item] += part.get(case, 0)
        wholes[answer.item] += whole.get(case, 0)
    if not wholes.total():
        return Ends()
    return ratio([parts[item] for item in stories], [wholes[item] for item in stories], list(stories.values())).ends


def depths(series: Iterable[Series], items: Items) -> Iterator[DepthRow]:
    """Yield the rows of ``DEPTHS``: each model's scores over the problems of a depth."""
    for one in series:
        source = one.source
        asked = items.get((source.dataset, source.task))
        if asked is None or one.is_empty:
            continue
        by_depth = {item: facts.depth for item, facts in asked.items()}
        depth = pl.col("item").replace_strict(by_depth, return_dtype=pl.Int32)
        grouped = one.answers.with_columns(depth.alias("depth")).sort("depth", "item", maintain_order=True)
        for (value,), answers in grouped.group_by("depth", maintain_order=True):
            yield {
                **one.about,
                "model": source.model,
                "kind": source.kind,
                "depth": cast("int | None", value),
                "seeds": answers["seed"].n_unique(),
                **mean_of(answers),
            }


def _answered(row: Row) -> str:
    return ", ".join(f"{answer['label'] or 'unread'} {answer['count']}" for answer in row["answered"])


def _in_form(rows: pl.DataFrame, form: AnswerForm, group: str) -> Sequence[Row]:
    """Return the rows of a group in the tasks whose answers have a form."""
    kinds = [kind for kind, task in FACTS.items() if task.form is form]
    return rows.filter(pl.col("group") == group, pl.col("task_kind").is_in(kinds)).to_dicts()


def _of_models(number: Number) -> Filter | None:
    """Choose the answers of a model; there are none of a baseline that always gives one label."""
    return None if str(number.row["model"]).startswith("always ") else plain(number)


_CLASSES = (
    columns.text("label"),
    columns.count("answers"),
    columns.column("answered", None, Kind.PROSE, _answered),
    *(columns.count(name, name.upper()) for name in _COUNTS),
    columns.interval("precision"),
    columns.interval("recall", "Recall (TPR)"),
    *(columns.interval(name, name.upper()) for name in ("tnr", "f1")),
)
_SAID = "Answers: to problems whose right label it is; Answered: what they say, a row of the confusion matrix."
_AGAINST = (
    "The label against all others: TP, FN and IP are these answers, with the label, another one, and unread; FP, TN "
    "and IN are those to other problems. An unread answer is wrong: it counts against recall, TNR and F1."
)
_ALWAYS = "“always X” is no model: it is what always answering X is worth, over all items."
_DEPTH = (
    "Depth: of a derivation by rules, its steps; of a proof, the premises it needs; of constraints, the statements "
    "that the answer follows from; without a gold program, as published. No depth: not known, as of what the "
    "statements do not decide."
)

BY_LABEL = TableForm(
    "question_answering",
    "Answers without a solver",
    "What was answered to problems of each right label, and how well models tell the label from the others.",
    (*columns.texts("dataset", "task", "presentation", "model"), *_CLASSES),
    (_SAID, _AGAINST, _ALWAYS, columns.PROBLEMS_NOTE),
    ("classification",),
    lambda rows: _in_form(rows, AnswerForm.LABEL, "all"),
    opens=_of_models,
)

OF_PROGRAMS = TableForm(
    "program_answers",
    "Answers of programs",
    "What programs answered to problems of each right label, and how well they tell the label from the others.",
    (*columns.texts("dataset", "task", "presentation", "model"), *_CLASSES),
    (_SAID, _AGAINST, "A program without an answer is unread, too.", _ALWAYS, columns.PROBLEMS_NOTE),
    ("classification",),
    lambda rows: _in_form(rows, AnswerForm.PROGRAM, "all"),
    opens=nothing,
)

BY_LABEL_AND_DEPTH = TableForm(
    "question_answering_depths",
    "Answers without a solver, by depth of the problem",
    "What was answered to problems of each depth and right label, and how well models tell the label from others.",
    (*columns.texts("dataset", "task", "presentation", "model"), columns.count("depth"), *_CLASSES),
    (_SAID, _AGAINST, _DEPTH, _ALWAYS, columns.PROBLEMS_NOTE),
    ("classification",),
    lambda rows: _in_form(rows, AnswerForm.LABEL, "depth"),
    opens=nothing,
)

DEPTHS_TABLE = TableForm(
    "depths",
    "Scores by depth of the problem",
    "Mean score of each model over the problems of a depth, as far as depths are known.",
    (
        *columns.texts("dataset", "task", "metric", "presentation", "model"),
        *columns.counts("depth", "items"),
        columns.score(),
    ),
    (_DEPTH, f"Mean ± sample standard deviation over seeds. {columns.PROBLEMS_NOTE}"),
    ("depths",),
    opens=nothing,
)


def _items(given: Given) -> Items:
    return items_of(given.files["problem_items"])


_READ = "item presentation metric outcome answer"

ANALYSIS = Analysis(
    rows=(
        Rows(CLASSIFICATION, lambda given: classification(given.loaded(_READ, metrics=[RIGHT]), _items(given))),
        Rows(DEPTHS, lambda given: depths(given.series(), _items(given))),
    ),
    tables=(BY_LABEL, OF_PROGRAMS, BY_LABEL_AND_DEPTH, DEPTHS_TABLE),
)
