"""Which rows each table has, by the files of a run, for ``recomputed_tables``. Nothing of nlfol is imported.

A function yields the values of a table's key, as its CSV file has them, in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations, product, zip_longest
from typing import Any

import polars as pl
from benchmarks.recomputed_run import COMPARED, PRIMARY, Run, Stage

Keys = Iterator[tuple[Any, ...]]
ROWS: dict[str, Callable[[Run], Keys]] = {}

QUESTION = ("dataset", "task", "metric", "presentation")
SERIES = (*QUESTION, "model")
CHOICES = ("most_similar", "ranking")
BESIDE = ("bleu", "le")
ITEMS, SCORES = "items/*/*.arrow", "scores/*/*/*.arrow"


def rows(*names: str) -> Callable[[Callable[[Run], Keys]], Callable[[Run], Keys]]:
    """Enter a function as that of some tables' rows."""

    def enter(found: Callable[[Run], Keys]) -> Callable[[Run], Keys]:
        ROWS.update(dict.fromkeys(names, found))
        return found

    return enter


def _primary() -> pl.Expr:
    """Whether an answer is scored by its task's first metric."""
    return pl.col("metric") == pl.col("task_kind").replace_strict(PRIMARY, default="", return_dtype=pl.String)


def _of_kind(run: Run, *kinds: str) -> pl.DataFrame:
    return run.answers.filter(pl.col("kind").is_in(kinds))


def _keys(frame: pl.DataFrame, *names: str) -> Keys:
    yield from frame.select(names).unique(maintain_order=True).iter_rows()


def _of(file: Stage, *names: str) -> tuple[str, ...]:
    return tuple(file.about[name] for name in names)


def _groups(frame: pl.DataFrame, *names: str) -> Iterator[tuple[tuple[Any, ...], pl.DataFrame]]:
    yield from frame.group_by(names, maintain_order=True)


def _own(answers: pl.DataFrame) -> pl.DataFrame:
    """Answers without the metrics that only stand beside equivalence, in a table of their own."""
    return answers.filter(~pl.col("metric").is_in(BESIDE))


@rows("scores")
def _scores(run: Run) -> Keys:
    empty = (_of(file, "dataset", "task", "model") for file in run.stages(SCORES) if file.rows.is_empty())
    return chain(_keys(run.answers, *SERIES), ((dataset, task, "", "", model) for dataset, task, model in empty))


@rows("above_chance")
def _above_chance(run: Run) -> Keys:
    """Series of all but chance, where a random answer is right now and then."""
    for question, answers in _groups(_own(run.answers), *QUESTION):
        guessed = answers.filter(kind="chance").group_by("item").agg(chance=pl.col("score").mean())
        for model, asked in _groups(answers.filter(pl.col("kind") != "chance"), "model"):
            chance = guessed.join(asked, on="item", how="semi")["chance"].to_list()
            if chance and 0 < sum(chance) / len(chance) < 1:
                yield *question, *model


@rows("logical_translation")
def _translations(run: Run) -> Keys:
    for file in run.stages(SCORES):
        if file.about["task_kind"] == "logical_translation" and file.about["kind"] in ("chat", "written", "chance"):
            yield _of(file, "dataset", "model", "task")


def _pairs(run: Run, names: tuple[str, ...]) -> Iterator[tuple[tuple[Any, ...], pl.DataFrame, pl.DataFrame]]:
    """Two models' answers to a question, where both were asked some item."""
    for question, answers in _groups(_own(_of_kind(run, *COMPARED)), *QUESTION, "kind"):
        for (first, one), (second, other) in combinations(
            ((key[0], part) for key, part in _groups(answers, "model")), 2
        ):
            if not one.join(other, on=list(names), how="semi").is_empty():
                yield (*question[:-1], first, second), one, other


@rows("differences")
def _differences(run: Run) -> Keys:
    return (key for key, *_ in _pairs(run, ("item",)))


@rows("agreement")
def _agreement(run: Run) -> Keys:
    return (key for key, *_ in _pairs(run, ("item", "seed")))


@rows("thinking")
def _thinking(run: Run) -> Keys:
    thinks = {
        _of(file, "dataset", "task", "model"): _of(file, "thinking", "apart_from_thinking")
        for file in run.stages("responses/*/*/*.arrow")
        if "apart_from_thinking" in file.about and "thinking" in file.about
    }
    for (dataset, task, metric, shown, *models), *_ in _pairs(run, ("item",)):
        first, second = (thinks.get((dataset, task, model), ("", "")) for model in models)
        if {first[0], second[0]} == {"yes", "no"} and first[1] == second[1]:
            yield dataset, task, metric, shown, *(models if first[0] == "yes" else models[::-1])


@rows("dialogue")
def _dialogue(run: Run) -> Keys:
    return _choices(run, "chat", "written", "reader")


@rows("embedding")
def _embedding(run: Run) -> Keys:
    return _choices(run, "embedding")


def _choices(run: Run, *kinds: str) -> Keys:
    """The first most similar and the first ranking task of a protocol share rows, then the second ones, and so on."""
    asked = _of_kind(run, *kinds, "surface", "chance").filter(pl.col("task_kind").is_in(CHOICES))
    for (dataset, protocol), answers in _groups(asked, "dataset", "protocol"):
        if not {*asked.filter(dataset=dataset)["kind"]} & {*kinds}:
            continue
        both = (answers.filter(task_kind=kind)["task"].unique(maintain_order=True) for kind in CHOICES)
        for tasks in zip_longest(*both):
            of_tasks = answers.filter(pl.col("task").is_in([task for task in tasks if task]))
            for (model, shown), of_model in _groups(of_tasks, "model", "presentation"):
                found = {*of_model["task"]}
                yield dataset, protocol, model, shown, *(task if task in found else "" for task in tasks)


@rows("task_agreement")
def _task_agreement(run: Run) -> Keys:
    for (*place, model, shown), one, other in _of_tasks(run, "item", "seed"):
        yield *place, model, shown, one["task"][0], other["task"][0]


def _of_tasks(run: Run, *common: str) -> Iterator[tuple[tuple[Any, ...], pl.DataFrame, pl.DataFrame]]:
    """A model's answers to a most similar and a ranking task of one protocol, where they have something in common."""
    asked = _of_kind(run, *COMPARED).filter(_primary(), pl.col("task_kind").is_in(CHOICES))
    for key, answers in _groups(asked, "dataset", "protocol", "model", "presentation"):
        of_kinds = ([part for _, part in _groups(answers.filter(task_kind=kind), "task")] for kind in CHOICES)
        for one, other in product(*of_kinds):
            if not one.join(other, on=list(common), how="semi").is_empty():
                yield key, one, other


@rows("repetitions")
def _repetitions(run: Run) -> Keys:
    return _keys(_own(_of_kind(run, "chat")), *SERIES)


@rows("variances")
def _variances(run: Run) -> Keys:
    for key, answers in _groups(_of_kind(run, "chat").filter(_primary()), *SERIES):
        if answers["seed"].n_unique() > 1:
            yield key


@rows("positions")
def _positions(run: Run) -> Keys:
    shown = run.answers.filter(task_kind="most_similar", metric="accuracy").drop_nulls("position")
    for key, answers in _groups(shown, "dataset", "task", "protocol", "model", "presentation"):
        yield *key, ""
        yield from ((*key, str(position)) for position in answers["position"].unique())


@rows("difficulty")
def _difficulty(run: Run) -> Keys:
    for question, answers in _groups(_of_kind(run, *COMPARED).filter(_primary()), *QUESTION):
        means = answers.group_by("item", maintain_order=True).agg(
            pl.struct("model", "score").alias("of"), count=pl.col("model").n_unique()
        )
        models = answers["model"].unique(maintain_order=True).to_list()
        every = [of for of, count in means.select("of", "count").iter_rows() if count == len(models)]
        by_item = [{name: _mean_of(of, name) for name in models} for of in every]
        if len(models) > 1:
            cases = {_solved(list(scores.values())) for scores in by_item}
            yield from ((*question, "", "models that solve it", case) for case in cases)
        for model in models:
            own = set(answers.filter(model=model)["item"])
            others = [name for name in models if name != model]
            if others:
                known = ([score for name, score in scores.items() if name != model] for scores in by_item)
                yield from (
                    (*question, model, "score of the other models", case)
                    for case in {_score_of(scores) for scores in known}
                )
            measures = run.of_dataset(question[0], "measures").filter(pl.col("item").is_in(list(own)))
            for name, most in (("operators", 5), ("quantifiers", 3)):
                sizes = {*measures[name].drop_nulls().clip(upper_bound=most)} if name in measures.columns else ()
                yield from ((*question, model, name, f"{int(size)}{'+' * (size == most)}") for size in sizes)


def _mean_of(answers: list[dict[str, Any]], model: str) -> float:
    scores: list[float] = [answer["score"] for answer in answers if answer["model"] == model]
    return sum(scores) / len(scores)


def _solved(scores: list[float]) -> str:
    return "all" if min(scores) == 1 else "some" if any(scores) else "none"


def _score_of(scores: list[float]) -> str:
    if min(scores) == 1:
        return "1"
    mean = sum(scores) / len(scores)
    return "below 1" if mean > 0.5 else "to 0.5" if mean else "0"


@rows("faults")
def _faults(run: Run) -> Keys:
    different = "formulas not equivalent to the gold one: "
    asked = _of_kind(run, "chat", "written").filter(task_kind="logical_translation", metric="equivalence")
    for key, answers in _groups(asked, "dataset", "task", "model"):
        wrong = answers.filter(verdict="not_equivalent")
        for group, cases in (
            ("all answers", answers.select(pl.coalesce("verdict", "outcome")).to_series()),
            ("invalid formulas", answers.filter(verdict="invalid")["means"]),
            (f"{different}how they stand to it", wrong["relation"].fill_null("unknown")),
            (f"{different}the one change that would mend them", wrong["fault"].fill_null("no_single_change")),
        ):
            yield from ((*key, group, case.replace("_", " ")) for case in cases.unique())


@rows("other_metrics")
def _other_metrics(run: Run) -> Keys:
    return _keys(_of_kind(run, "chat").filter(task_kind="logical_translation"), "dataset", "task", "model")


@rows("curves")
def _curves(run: Run) -> Keys:
    for (dataset,), answers in _groups(_own(run.answers), "dataset"):
        measures = run.of_dataset(dataset, "measures")
        if "category" in measures.columns and measures["category"].drop_nulls().n_unique() > 1:
            of_item = measures.drop_nulls("category").select("item", pl.col("category").cast(pl.Int64).cast(pl.String))
            yield from _keys(answers.join(of_item, on="item"), *SERIES, "category")


@rows("costs")
def _costs(run: Run) -> Keys:
    return (
        _of(file, "model", "dataset", "task") for file in run.stages("responses/*/*/*.arrow") if "price" in file.about
    )


@rows("audit")
def _audit(run: Run) -> Keys:
    for file in run.stages("audits/*/*.arrow"):
        yield from ((*_of(file, "dataset", "task"), check) for check in file.rows["check"])


@rows("edit_mix")
def _edit_mix(run: Run) -> Keys:
    for file, members in _sets(run):
        for role, change, edits in _keys(members, "role", "change", "edits"):
            yield *_of(file, "dataset", "task", "protocol"), role, ", ".join(change), str(edits)


@rows("set_sizes")
def _set_sizes(run: Run) -> Keys:
    for file, members in _sets(run):
        sizes = members.group_by("item").agg(count=(pl.col("role") == "perturbation").sum())
        yield from ((*_of(file, "dataset", "task", "protocol"), str(size)) for size in sizes["count"].unique())


def _sets(run: Run) -> Iterator[tuple[Stage, pl.DataFrame]]:
    for file in run.stages(ITEMS):
        if file.about["task_kind"] in CHOICES:
            usable = file.rows.filter(pl.col("candidates").list.len() > 0, status="usable")
            yield file, usable.select("item", "candidates").explode("candidates").unnest("candidates")


@rows("complexity")
def _complexity(run: Run) -> Keys:
    return ((file.about["dataset"],) for file in run.stages("datasets/*/measures.arrow"))


@rows("funnel")
def _funnel(run: Run) -> Keys:
    for key, reasons, is_last in _stages(run):
        first = {"ingestion": ("as read",), "ontology": (), "candidates": ()}[key[1]]
        last = (("candidate sets" if key[1] == "candidates" else "usable"),) if is_last else ()
        yield from ((*key, step) for step in (*first, *reasons["reason"].unique(), *last))


@rows("refused")
def _refused(run: Run) -> Keys:
    for key, refused, _ in _stages(run):
        yield from ((*key, reason) for reason in refused["reason"].unique())


@rows("refused_rows")
def _refused_rows(run: Run) -> Keys:
    for key, refused, _ in _stages(run):
        yield from ((*key, *each) for each in refused.select("item", "reason").iter_rows())


def _stages(run: Run) -> Iterator[tuple[tuple[str, str, str], pl.DataFrame, bool]]:
    """Stages of the funnel with the rows that each refuses, and whether what is left is a row of its own."""
    for file in run.stages("datasets/*/sentences.arrow"):
        dataset = file.about["dataset"]
        yield (dataset, "ingestion", ""), file.rows.drop_nulls("reason"), False
        passed = file.rows.filter(status="usable")["item"].to_list()
        attached = run.of_dataset(dataset, "triples").filter(pl.col("item").is_in(passed))
        yield (dataset, "ontology", ""), attached.drop_nulls("reason"), True
    for file in run.stages("datasets/*/problems.arrow"):
        yield (file.about["dataset"], "ingestion", ""), file.rows.drop_nulls("reason"), True
    for file in run.stages(ITEMS):
        if file.about.get("items") != "stories":
            dataset, task = _of(file, "dataset", "task")
            yield (dataset, "candidates", task), file.rows.drop_nulls("reason"), True


@rows("drift", "consistency")
def _programs(run: Run) -> Keys:
    return (_of(file, "dataset", "task", "model") for file in run.stages("programs/*/*/*.arrow") if file.rows.height)


@rows("round_trip")
def _round_trip(run: Run) -> Keys:
    asked = run.answers.filter(task_kind="round_trip").with_columns(
        pl.col("round").cast(pl.String), source=pl.lit("here")
    )
    return _keys(asked, "dataset", "task", "model", "presentation", "source", "round")


@rows("verification")
def _verification(run: Run) -> Keys:
    return _keys(run.answers.filter(task_kind="verification"), "dataset", "task", "model")


@rows("solvers")
def _solvers(run: Run) -> Keys:
    return _keys(run.answers.filter(task_kind="program"), "dataset", "task", "model")
