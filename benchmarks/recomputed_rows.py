"""Which rows each table has, by the files of a run, for ``recomputed_tables``. Nothing of nlfol is imported.

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
    PERTURBED,
    PRIMARY,
    Run,
    Stage,
    are_enough,
    guesser,
    kind_of,
    paired,
)
from benchmarks.recomputed_verification import verified

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
    """Whether an answer is scored by its task's first metric."""
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


def guesses(answers: pl.DataFrame, asked: pl.DataFrame) -> list[float]:
    """Scores that the guesser of a model has on the items that this was asked."""
    guessed = guesser(answers, kind_of(asked)).group_by("item").agg(pl.col("score").mean())
    return guessed.join(asked, on="item", how="semi")["score"].to_list()


@rows("above_chance")
def _above_chance(run: Run) -> Keys:
    """Scores of all but guessers, where these are right now and then."""
    for question, answers in groups(run.answers, *QUESTION):
        for model, asked in groups(answers.filter(~pl.col("kind").is_in(GUESSERS)), "model"):
            chance = guesses(answers, asked)
            if chance and 0 < sum(chance) / len(chance) < 1:
                yield *question, *model


@rows("logical_translation")
def _translations(run: Run) -> Keys:
    for file in run.stages(SCORES):
        if file.about["task_kind"] == "logical_translation" and file.about["kind"] in (
            "chat",
            "written",
            "answers",
            "chance",
        ):
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


@rows("thinking")
def thinking(run: Run) -> Keys:
    """Pairs of entries of one model of which the first thinks, in what both were asked."""
    thinks = {
        of(file, "dataset", "task", "model"): of(file, "thinking", "apart_from_thinking")
        for file in run.stages("responses/*/*/*.arrow")
        if "apart_from_thinking" in file.about and "thinking" in file.about
    }
    for dataset, task, metric, shown, *models in _differences(run):
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
    """The first most similar and the first ranking task of a protocol share rows, then the second ones, and so on.

    A task without items has no presentation of its own and joins each of the model's.
    """
    shown = (*kinds, "surface", "medoid", "chance", *(() if kinds == ("embedding",) else ("reasoner",)))
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


@rows("repetitions")
def _repetitions(run: Run) -> Keys:
    return keys(rated(of_kind(run, "chat")), *SERIES)


@rows("variances")
def _variances(run: Run) -> Keys:
    for key, answers in groups(of_kind(run, "chat").filter(primary()), *SERIES):
        if answers["seed"].n_unique() > 1 and answers["item"].n_unique() > 1:
            yield key


@rows("positions")
def _positions(run: Run) -> Keys:
    shown = run.answers.filter(task_kind="most_similar", metric="accuracy").drop_nulls("position")
    for key, answers in groups(shown, "dataset", "task", "protocol", "model", "presentation"):
        yield *key, ""
        yield from ((*key, str(position)) for position in answers["position"].unique())


@rows("difficulty")
def _difficulty(run: Run) -> Keys:
    for question, answers in groups(of_kind(run, *COMPARED).filter(primary()), *QUESTION):
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


@rows("misranked")
def _misranked(run: Run) -> Keys:
    read = of_kind(run, *COMPARED).filter(task_kind="ranking", metric="both", outcome="answered")
    for key, answers in groups(read, "dataset", "task", "protocol", "model", "presentation"):
        items = run.stage("items", dict(zip(("dataset", "task"), key, strict=False)), "dataset", "task").rows
        asked = items.filter(pl.col("item").is_in(answers["item"].to_list()))
        roles = asked.select(pl.col("candidates").list.eval(pl.element().struct.field("role"))).explode("candidates")
        ends = ("gold", "equivalent", "negation", "negation_normal_form", "negation_equivalent")
        yield from ((*key, role) for role in ends if role in set(roles["candidates"]))


@rows("unsolved")
def _unsolved(run: Run) -> Keys:
    for question, answers in groups(of_kind(run, *COMPARED).filter(primary()), *QUESTION):
        models = answers["model"].n_unique()
        by_item = answers.group_by("item").agg(pl.col("model").n_unique(), pl.col("score").max())
        if models > 1:
            yield from ((*question, item) for item in by_item.filter(model=models, score=0)["item"])


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
    asked = of_kind(run, "chat", "written").filter(task_kind="logical_translation", metric="equivalence")
    for key, answers in groups(asked, "dataset", "task", "model"):
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
    return keys(of_kind(run, "chat").filter(task_kind="logical_translation"), "dataset", "task", "model")


@rows("curves")
def _curves(run: Run) -> Keys:
    for (dataset,), answers in groups(rated(run.answers), "dataset"):
        measures = run.of_dataset(dataset, "measures")
        if "category" in measures.columns and measures["category"].drop_nulls().n_unique() > 1:
            of_item = measures.drop_nulls("category").select("item", pl.col("category").cast(pl.Int64).cast(pl.String))
            yield from keys(answers.join(of_item, on="item"), *SERIES, "category")
            yield from _gains(answers.filter(pl.col("kind").is_in(COMPARED)), of_item)
            yield from _f1(run, answers.filter(task_kind="verification"), of_item)


def _gains(answers: pl.DataFrame, of_item: pl.DataFrame) -> Keys:
    """Categories of items that were asked alike with examples and without, if at least half of them make pairs."""
    for (dataset, task, metric, model), both in groups(answers, "dataset", "task", "metric", "model"):
        sides = [both.filter(presentation=shown) for shown in ("few_shot", "zero_shot")]
        if all(not side.is_empty() for side in sides):
            kept = paired(sides, "examples shots")[0]
            if are_enough(kept, *sides):
                for (category,) in kept.join(of_item, on="item").select("category").unique().iter_rows():
                    yield dataset, task, metric, "few_shot less zero_shot", model, category


def _f1(run: Run, answers: pl.DataFrame, of_item: pl.DataFrame) -> Keys:
    """Categories with a pair that is equivalent, or said to be; of a model's pairs chance knows nothing."""
    for (dataset, task, model, kind), asked in groups(answers, "dataset", "task", "model", "kind"):
        if kind != "chance" or (asked["presentation"] != "").any():
            of_pairs = verified(run, {"dataset": dataset, "task": task, "model": model}).join(of_item, on="item")
            counted = of_pairs.filter(pl.col("positive") | (pl.col("score") < 1))
            for (category,) in counted.select("category").unique().iter_rows():
                yield dataset, task, "f1", "", model, category


@rows("costs")
def _costs(run: Run) -> Keys:
    return (
        of(file, "model", "dataset", "task")
        for file in run.stages("responses/*/*/*.arrow")
        if file.about["kind"] == "chat"
    )


@rows("audit")
def _audit(run: Run) -> Keys:
    for file in run.stages("audits/*/*.arrow"):
        if "task" not in file.about:  # of rewritten problems
            continue
        yield from ((*of(file, "dataset", "task"), check) for check in file.rows["check"])


@rows("edit_mix")
def _edit_mix(run: Run) -> Keys:
    for file, members in _sets(run):
        for role, change, edits in keys(members, "role", "change", "edits"):
            yield *of(file, "dataset", "task", "protocol"), role, ", ".join(change), str(edits)


@rows("set_sizes")
def _set_sizes(run: Run) -> Keys:
    for file, members in _sets(run):
        sizes = members.group_by("item").agg(count=pl.col("role").is_in(PERTURBED).sum())
        yield from ((*of(file, "dataset", "task", "protocol"), str(size)) for size in sizes["count"].unique())


def _sets(run: Run) -> Iterator[tuple[Stage, pl.DataFrame]]:
    for file in run.stages(ITEMS):
        if file.about["task_kind"] in CHOICES:
            usable = file.rows.filter(pl.col("candidates").list.len() > 0, status="usable")
            yield file, usable.select("item", "candidates").explode("candidates").unnest("candidates")


@rows("complexity")
def _complexity(run: Run) -> Keys:
    return ((file.about["dataset"],) for file in run.stages("datasets/*/measures.arrow"))
