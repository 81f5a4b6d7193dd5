"""Rows of each table, by the files of a run, for ``recomputed_tables``. Nothing of nlfol is imported.

A function yields the values of a table's key, as its CSV file has them, in any order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, combinations, product
from typing import Any

import polars as pl
from benchmarks.recomputed_run import (
    BLIND,
    COMPARED,
    GUESSERS,
    OF_A_MODEL,
    PRIMARY,
    UNREASONED,
    Run,
    Stage,
    are_enough,
    by_item,
    kind_of,
    paired,
)
from benchmarks.recomputed_scores import above_chance
from benchmarks.recomputed_studies import problems

Keys = Iterator[tuple[Any, ...]]
ROWS: dict[str, Callable[[Run], Keys]] = {}

QUESTION = ("dataset", "task", "metric", "presentation")
SERIES = (*QUESTION, "model")
CHOICES = ("most_similar", "ranking")
RIGHT = {
    **{kind: (metric,) for kind, metric in PRIMARY.items()},
    "ranking": ("equivalence", "negation", "both"),
    "round_trip": ("truth_uncopied", "truth", "compliance"),
    "program": ("right", "executable"),
    "rating": (),
}
"""The metrics that say whether an answer is right (as for `PRIMARY`): models are compared by these alone."""

ITEMS, SCORES = "items/*/*.arrow", "scores/*/*/*.arrow"


def rows(*names: str) -> Callable[[Callable[[Run], Keys]], Callable[[Run], Keys]]:
    """Enter a function as that of some tables' rows."""

    def enter(found: Callable[[Run], Keys]) -> Callable[[Run], Keys]:
        ROWS.update(dict.fromkeys(names, found))
        return found

    return enter


def primary() -> pl.Expr:
    """Tell if an answer is scored by its task's first metric."""
    return pl.col("metric") == pl.col("task_kind").replace_strict(PRIMARY, default="", return_dtype=pl.String)


def of_kind(run: Run, *kinds: str) -> pl.DataFrame:
    """Answers of models of some kinds."""
    return run.answers.filter(pl.col("kind").is_in(kinds))


def keys(frame: pl.DataFrame, *names: str) -> Keys:
    """Each combination of values of some columns."""
    yield from frame.select(names).unique(maintain_order=True).iter_rows()


def of(file: Stage, *names: str) -> tuple[str, ...]:
    """Values of a file's metadata."""
    return tuple(file.about[name] for name in names)


def groups(frame: pl.DataFrame, *names: str) -> Iterator[tuple[tuple[Any, ...], pl.DataFrame]]:
    """Rows by the values of some columns."""
    yield from frame.group_by(names, maintain_order=True)


def rated(answers: pl.DataFrame) -> pl.DataFrame:
    """Answers by metrics that say whether they are right; all of a kind of task that is not known here."""
    metric = pl.col("metric").str.split("@").list.first()
    known = [(pl.col("task_kind") == kind) & metric.is_in(metrics) for kind, metrics in RIGHT.items()]
    return answers.filter(~pl.col("task_kind").is_in([*RIGHT]) | pl.any_horizontal(known))


@rows("scores")
def _scores(run: Run) -> Keys:
    empty = (of(file, "dataset", "task", "model") for file in run.stages(SCORES) if file.rows.is_empty())
    return chain(keys(run.answers, *SERIES), ((dataset, task, "", "", model) for dataset, task, model in empty))


@rows("above_chance")
def _above_chance(run: Run) -> Keys:
    """Series of models that have a chance to exceed; guessers are that chance."""
    for series, answers in groups(run.answers.filter(~pl.col("kind").is_in(GUESSERS)), *SERIES):
        named = dict(zip(SERIES, series, strict=True))
        if above_chance(run, named, by_item(answers), kind_of(answers)) is not None:
            yield series


@rows("logical_translation")
def _translations(run: Run) -> Keys:
    kinds = ("chat", "written", "answers")
    files = [file for file in run.stages(SCORES) if file.about["task_kind"] == "logical_translation"]
    asked = {file.about["dataset"] for file in files if file.about["kind"] in kinds}
    for file in files:
        if file.about["dataset"] in asked and file.about["kind"] in (*kinds, "chance"):
            for shown in dict.fromkeys(file.rows["presentation"]) or ("",):
                yield *of(file, "dataset", "model", "task"), shown


def _pairs(run: Run) -> Iterator[tuple[tuple[Any, ...], pl.DataFrame, pl.DataFrame]]:
    """Two models' answers to a question."""
    for question, answers in groups(rated(of_kind(run, *COMPARED)), *QUESTION, "kind"):
        models = ((key[0], part) for key, part in groups(answers, "model"))
        yield from (
            ((*question[:-1], first, second), one, other) for (first, one), (second, other) in combinations(models, 2)
        )


def _whole(run: Run) -> Keys:
    """Two models asked about both classes of certified pairs, which are no presentations of one another."""
    classes = rated(of_kind(run, *COMPARED)).filter(pl.col("presentation") != "", task_kind="verification")
    for (dataset, task, metric, _), answers in groups(classes, "dataset", "task", "metric", "kind"):
        for pair in combinations(answers["model"].unique(maintain_order=True), 2):
            yield dataset, task, metric, "", *pair


@rows("differences")
def _differences(run: Run) -> Keys:
    return chain((key for key, *_ in _pairs(run)), _whole(run))


@rows("agreement")
def _agreement(run: Run) -> Keys:
    """Pairs of models of which there are differences, too."""
    for key, *sides in _pairs(run):
        kept, *_ = paired(sides, OF_A_MODEL)
        if are_enough(kept, *sides):
            yield key


@rows("dialogue")
def _dialogue(run: Run) -> Keys:
    return _choices(run, "chat", "written", "reader")


@rows("embedding")
def _embedding(run: Run) -> Keys:
    return _choices(run, "embedding")


def _choices(run: Run, *kinds: str) -> Keys:
    """The first most similar and the first ranking task of a protocol share rows, then the second ones, and so on.

    A task without items has no presentation of its own and joins each of the model's.
    """
    shown = (*kinds, *UNREASONED, "chance", *(() if kinds == ("embedding",) else ("reasoner",)))
    found = {
        of(file, "dataset", "task", "model"): file
        for file in run.stages(SCORES)
        if file.about["task_kind"] in CHOICES and file.about["kind"] in shown
    }
    order = dict.fromkeys((row["dataset"], row["task"], row["model"]) for row in run.csv("scores"))
    files = [found[key] for key in order if key in found]
    seen: Counter[tuple[str, ...]] = Counter()
    variants: dict[str, int] = {}
    for file in files:
        if file.about["task"] not in variants:
            variants[file.about["task"]] = seen[of(file, "task_kind", "protocol")]
            seen[of(file, "task_kind", "protocol")] += 1
    blocks: dict[tuple[Any, ...], list[Stage]] = {}
    for file in files:
        key = (*of(file, "dataset", "protocol", "model"), variants[file.about["task"]])
        blocks.setdefault(key, []).append(file)
    asked = {file.about["dataset"] for file in files if file.about["kind"] in kinds}
    for (dataset, protocol, model, _), block in blocks.items():
        every = dict.fromkeys(chain.from_iterable(file.rows["presentation"] for file in block))
        presentations = [shown for shown in every if not shown.startswith(BLIND)] or [""]
        for shown in presentations if dataset in asked else ():
            of_shown = (file for file in block if file.rows.is_empty() or shown in file.rows["presentation"])
            tasks = {file.about["task_kind"]: file.about["task"] for file in of_shown}
            yield dataset, protocol, model, shown, *(tasks.get(kind) for kind in CHOICES)


@rows("task_agreement")
def _task_agreement(run: Run) -> Keys:
    for (*place, model, shown), one, other in of_tasks(run):
        yield *place, model, shown, one, other


def of_tasks(run: Run) -> Iterator[tuple[tuple[Any, ...], str, str]]:
    """A model's most similar and ranking tasks of one protocol."""
    asked = of_kind(run, *COMPARED).filter(pl.col("task_kind").is_in(CHOICES))
    for key, answers in groups(asked, "dataset", "protocol", "model", "presentation"):
        both = (answers.filter(task_kind=kind)["task"].unique(maintain_order=True) for kind in CHOICES)
        yield from ((key, one, other) for one, other in product(*both))


@rows("other_metrics")
def _other_metrics(run: Run) -> Keys:
    return keys(of_kind(run, "chat").filter(task_kind="logical_translation"), "dataset", "task", "model")


@rows("complexity")
def _complexity(run: Run) -> Keys:
    return ((file.about["dataset"],) for file in run.stages("datasets/*/measures.arrow"))


JOB = ("dataset", "task", "model")
PROGRAMS = "programs/*/*/*.arrow"


@rows("drift", "consistency")
def _programs(run: Run) -> Keys:
    return (of(file, *JOB) for file in run.stages(PROGRAMS) if file.rows.height)


def _original(run: Run, dataset: str) -> str:
    """The problems that a dataset has in other words; "" for any other dataset."""
    return str(run.configuration["datasets"][dataset].get("of") or "")


@rows("stability")
def _stability(run: Run) -> Keys:
    asked = dict.fromkeys(keys(run.answers.filter(pl.col("kind") != "chance", metric="right"), *JOB, "presentation"))
    for dataset, *others in asked:
        if (original := _original(run, dataset), *others) in asked:
            yield dataset, original, *others


@rows("round_trip")
def _round_trip(run: Run) -> Keys:
    asked = run.answers.filter(task_kind="round_trip").select(
        *JOB, "presentation", pl.lit("here"), pl.col("round").cast(pl.String)
    )
    empty = (of(file, *JOB) for file in _of_task(run, "round_trip") if file.rows.is_empty())
    return chain(asked.unique().iter_rows(), ((*job, "", "here", "1") for job in empty))


def _of_task(run: Run, kind: str) -> Iterator[Stage]:
    return (file for file in run.stages(SCORES) if file.about["task_kind"] == kind)


@rows("verification")
def _verification(run: Run) -> Keys:
    return keys(run.answers.filter(task_kind="verification"), *JOB)


def _labels(run: Run, kind: str) -> Keys:
    """The label of each option of each problem asked, by model; “always X” is of all problems."""
    for (dataset, task), answers in groups(run.answers.filter(task_kind=kind, metric="right"), "dataset", "task"):
        known = problems(run, {"dataset": dataset, "task": task})
        for presentation, model, of_model, item in keys(answers, "presentation", "model", "kind", "item"):
            for label in known[item]["labels"] if of_model != "chance" else ():
                yield dataset, task, presentation, model, label
        for shown, problem in product(answers["presentation"].unique(), known.values()):
            for label in problem["labels"]:
                yield dataset, task, shown, f"always {label}", label


@rows("question_answering")
def _question_answering(run: Run) -> Keys:
    return iter({*_labels(run, "question_answering")})


@rows("program_answers")
def _program_answers(run: Run) -> Keys:
    return iter({*_labels(run, "program")})
