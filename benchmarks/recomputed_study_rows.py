"""Rows of the tables of programs, problems, round trips, ontologies and claims, for ``recomputed_tables``.

Nothing of nlfol is imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, combinations, product
from typing import Any

import polars as pl
from benchmarks.recomputed_rows import (
    CHOICES,
    QUESTION,
    SCORES,
    SERIES,
    Keys,
    groups,
    guesses,
    keys,
    of,
    of_kind,
    of_tasks,
    primary,
    rated,
    rows,
    thinking,
)
from benchmarks.recomputed_run import COMPARED, Run, Stage, guesser, is_whole, kind_of
from benchmarks.recomputed_studies import problems
from benchmarks.recomputed_verification import known_pairs

JOB = ("dataset", "task", "model")
PROGRAMS = "programs/*/*/*.arrow"
KINDS = {"question_answering": "question_answering", "program_answers": "program"}


@rows("drift", "consistency")
def _programs(run: Run) -> Keys:
    return (of(file, *JOB) for file in run.stages(PROGRAMS) if file.rows.height)


@rows("causes")
def _causes(run: Run) -> Keys:
    for file in run.stages(PROGRAMS):
        yield from ((*of(file, *JOB), cause.replace("_", " ")) for cause in file.rows["cause"].unique())


@rows("transitions")
def _transitions(run: Run) -> Keys:
    """Between two tasks, the first one first, and from problems to the same in other words."""
    found = {of(file, *JOB): file.rows.select("item", "seed") for file in run.stages(PROGRAMS)}
    order = list(dict.fromkeys(row["task"] for row in run.csv("scores")))
    of_tasks = (
        sorted(pair, key=lambda key: order.index(key[1]))
        for pair in combinations(found, 2)
        if pair[0][::2] == pair[1][::2]
    )
    of_words = (((_original(run, dataset), task, model), (dataset, task, model)) for dataset, task, model in found)
    for first, second in chain(of_tasks, of_words, _trained(run, found, order)):
        if first in found and _have_common(found[first], found[second], "item", "seed"):
            yield first[0], second[0], first[1], second[1], second[2], first[2] if first[2] != second[2] else ""


def _trained(run: Run, found: Iterable[tuple[str, ...]], order: list[str]) -> Keys:
    """From answers of a training's base to those with its adapter, on the same task and the base's first."""
    models = run.configuration.get("models", {})
    for dataset, task, model in found:
        name = ((models.get(model) or {}).get("adapter") or {}).get("trained")
        if name is None:
            continue
        source = models[model]["source"]
        untrained = (other for other, one in models.items() if one.get("source") == source and not one.get("adapter"))
        base = run.configuration["training"][name].get("base") or next(untrained)
        of_base = sorted((key[1] for key in found if (key[0], key[2]) == (dataset, base)), key=order.index)
        yield from (((dataset, one, base), (dataset, task, model)) for one in of_base if one in (task, of_base[0]))


def _original(run: Run, dataset: str) -> str:
    """The problems that a dataset has in other words; "" for any other dataset."""
    return str(run.configuration["datasets"][dataset].get("of") or "")


@rows("stability")
def _stability(run: Run) -> Keys:
    asked = dict.fromkeys(keys(run.answers.filter(pl.col("kind") != "chance", metric="right"), *JOB, "presentation"))
    for dataset, *others in asked:
        if (original := _original(run, dataset), *others) in asked:
            yield dataset, original, *others


def is_varied(run: Run, task: str) -> bool:
    """Return whether the examples of a task of programs say one concept in several ways."""
    entry = run.configuration["tasks"][task]
    by_strategy = entry.get("strategy") in ("tuned", "concept_table", "concept_table_stepwise")
    return by_strategy if entry.get("examples") is None else entry["examples"] == "varied"


@rows("strategies")
def _strategies(run: Run) -> Keys:
    """A dataset's tasks of programs but the first with that, and with those of its strategy with like examples."""
    said = {of(file, *JOB): file.about["strategy"] for file in run.stages(PROGRAMS)}
    for (dataset, model), answers in groups(run.answers.filter(task_kind="program"), "dataset", "model"):
        base, *tasks = answers["task"].unique(maintain_order=True)
        for task in tasks if (dataset, base, model) in said else ():
            strategy, first = said.get((dataset, task, model)), said[dataset, base, model]
            varied = [is_varied(run, each) for each in (task, base)]
            alike = [
                each
                for each in tasks
                if said.get((dataset, each, model)) == first != strategy and is_varied(run, each) == varied[0]
            ]
            others = alike if varied[0] != varied[1] else []
            for other in [base, *others] if strategy is not None else []:
                yield dataset, _original(run, dataset), model, task, strategy, other, first


@rows("types")
def _types(run: Run) -> Keys:
    return (key for key in _stability(run) if len(run.configuration["datasets"][key[0]].get("types") or ()) == 1)


@rows("counts")
def _counts(run: Run) -> Keys:
    """Measures of generated items, but for one that is 0 of all of a dataset."""
    beside = ("item", "story", "language", "edits", "detected", "undecided", "constant")
    for file in run.stages("datasets/*/measures.arrow"):
        if file.rows["category"].count():
            measures = (name for name in file.rows.columns if name not in beside)
            yield from ((file.about["dataset"], name) for name in measures if file.rows[name].fill_null(0).ne(0).any())


@rows("diversity")
def _diversity(run: Run) -> Keys:
    return ((file.about["dataset"], "here") for file in run.stages("datasets/*/triples.arrow"))


@rows("round_trip")
def _round_trip(run: Run) -> Keys:
    asked = run.answers.filter(task_kind="round_trip").select(
        *JOB, "presentation", pl.lit("here"), pl.col("round").cast(pl.String)
    )
    empty = (of(file, *JOB) for file in _of_task(run, "round_trip") if file.rows.is_empty())
    return chain(asked.unique().iter_rows(), ((*job, "", "here", "1") for job in empty))


def _of_task(run: Run, kind: str) -> Iterator[Stage]:
    return (file for file in run.stages(SCORES) if file.about["task_kind"] == kind)


@rows("few_shot")
def _few_shot(run: Run) -> Keys:
    for key, answers in groups(rated(of_kind(run, *COMPARED)), "dataset", "task", "metric", "model"):
        if {"few_shot", "zero_shot"} <= {*answers["presentation"]}:
            yield key


def _english(run: Run, task: str) -> Any:
    """Whose English a translation is of: of edited formulas, or of a model; None for the dataset's."""
    return run.configuration["tasks"][task].get("english")


@rows("crossed")
def _crossed(run: Run) -> Keys:
    for file in _of_task(run, "logical_translation"):
        taken = _english(run, file.about["task"])
        if isinstance(taken, dict) and not file.rows.is_empty():
            yield *of(file, "dataset", "task"), taken["of"], file.about["model"]


@rows("attribution")
def _attribution(run: Run) -> Keys:
    """Round trips of a dialogue model with its translations of certified English, shown alike, of common items."""
    asked = list(groups(of_kind(run, "chat"), "dataset", "model", "presentation", "task_kind", "task"))
    for ((*place, kind, trip), trips), ((*other, beside, task), translated) in product(asked, asked):
        is_pair = (place, kind, beside) == (other, "round_trip", "logical_translation")
        sizes = run.of_dataset(place[0], "measures")  # only generated formulas have certified English
        is_generated = "category" not in sizes.columns or sizes["category"].count()
        if is_pair and is_generated and _english(run, task) is None and _have_common(trips, translated, "item", "seed"):
            yield place[0], trip, task, *place[1:]


def _have_common(one: pl.DataFrame, other: pl.DataFrame, *names: str) -> bool:
    return not one.join(other, on=list(names), how="semi").is_empty()


@rows("verification")
def _verification(run: Run) -> Keys:
    return keys(run.answers.filter(task_kind="verification"), *JOB)


@rows("verification_strata")
def _verification_strata(run: Run) -> Keys:
    for key, answers in groups(run.answers.filter(task_kind="verification"), *JOB):
        pairs = known_pairs(run, dict(zip(JOB, key, strict=True)))
        asked = pairs.join(answers, on=["item", "presentation"], how="semi")
        for group in ("size", "law", "edit"):
            yield from ((*key, group, case) for case in asked[group].drop_nulls().unique())


def _labels(run: Run, kind: str) -> Iterator[tuple[tuple[Any, ...], str, str]]:
    """The label of each option of each problem asked, by model, with its depth; “always X” is of all problems."""
    for (dataset, task), answers in groups(run.answers.filter(task_kind=kind, metric="right"), "dataset", "task"):
        known = problems(run, {"dataset": dataset, "task": task})
        for presentation, model, of_model, item in keys(answers, "presentation", "model", "kind", "item"):
            for label in known[item]["labels"] if of_model != "chance" else ():
                yield (dataset, task, presentation, model), known[item]["depth"], label
        for shown, problem in product(answers["presentation"].unique(), known.values()):
            for label in problem["labels"]:
                yield (dataset, task, shown, f"always {label}"), problem["depth"], label


@rows("question_answering")
def _question_answering(run: Run) -> Keys:
    return iter({(*key, label) for key, _, label in _labels(run, "question_answering")})


@rows("program_answers")
def _program_answers(run: Run) -> Keys:
    return iter({(*key, label) for key, _, label in _labels(run, "program")})


@rows("question_answering_depths")
def _question_answering_depths(run: Run) -> Keys:
    return iter({(*key, depth, label) for key, depth, label in _labels(run, "question_answering")})


@rows("depths")
def _depths(run: Run) -> Keys:
    asked = rated(run.answers).filter(pl.col("task_kind").is_in(("question_answering", "program")))
    for (dataset, task, *others), answers in groups(asked, *SERIES):
        known = problems(run, {"dataset": dataset, "task": task})
        yield from ((dataset, task, *others, depth) for depth in {known[item]["depth"] for item in answers["item"]})


@rows("solvers")
def _solvers(run: Run) -> Keys:
    return keys(run.answers.filter(task_kind="program"), *JOB)


@rows("ontologies")
def _ontologies(run: Run) -> Keys:
    """Of models that are compared, a row for each translation of the same items over the given ontology."""
    for (*job, kind), own in groups(run.answers.filter(task_kind="ontology_extraction"), *JOB, "kind"):
        dataset, task, model = job
        scope = run.configuration["tasks"][task]["scope"]
        given = run.answers.filter(dataset=dataset, model=model, task_kind="logical_translation", metric="equivalence")
        sizes = run.stage("items", {"dataset": dataset, "task": task}, "dataset", "task").rows.select(
            "item", size=pl.col("candidates").list.len()
        )
        found = []
        for (other,), answers in groups(given, "task") if kind in COMPARED else ():
            of_story = answers.group_by(item="story").agg(asked=pl.col("item").n_unique()).join(sizes, on="item")
            both = of_story.filter(pl.col("asked") == pl.col("size")) if scope == "story" else answers
            if _english(run, other) is None and _have_common(both, own, "item"):
                found.append(other)
        yield from ((dataset, task, scope, model, other) for other in found or [""])


@rows("claims")
def _claims(run: Run) -> Keys:
    """Claims both sides of which are in the experiment."""
    every, first = of_kind(run, *COMPARED), of_kind(run, *COMPARED).filter(primary())
    for (dataset, task, task_kind, model, kind), answers in groups(
        first.filter(pl.col("task_kind").is_in(CHOICES)), *JOB[:2], "task_kind", "model", "kind"
    ):
        if {"formula", "english"} <= {*answers["presentation"]}:
            if kind == "chat" and task_kind == "ranking":
                claim = "Dialogue models rank formulas better than their English."
                yield dataset, claim, task, "", model, "formula", "english"
            if kind == "embedding":
                claim = "Embedding models do better with English than with formulas."
                yield dataset, claim, task, "", model, "english", "formula"
    ranked = every.filter(task_kind="ranking")
    for (dataset, task, model, shown, kind), answers in groups(ranked, *JOB, "presentation", "kind"):
        if {"equivalence", "negation"} <= {*answers["metric"]}:
            ends, claim = (
                ("equivalence", "negation"),
                "Dialogue models put equivalents first more often than negations last.",
            )
            if kind == "embedding":
                ends, claim = ends[::-1], "Embedding models put negations last more often than equivalents first."
            yield dataset, claim, task, shown, model, *ends
    for (dataset, _, model, shown), *two in of_tasks(run):
        yield dataset, "A model solves most similar more often than ranking.", "", shown, model, *two
    for (dataset, task, _, shown), answers in groups(first, *QUESTION):
        sides = (answers.filter(kind=kind)["model"].n_unique() for kind in ("chat", "embedding"))
        names = [
            f"{said} models ({count})" for said, count in zip(("dialogue", "embedding"), sides, strict=True) if count
        ]
        if len(names) == 2:
            yield dataset, "Dialogue models do better than embedding models.", task, shown, "", *names
    choices = first.filter(pl.col("task_kind").is_in(CHOICES))
    for (dataset, _, model, shown), answers in groups(choices, "dataset", "task_kind", "model", "presentation"):
        both = (answers.filter(protocol=name)["task"].unique(maintain_order=True) for name in ("paper", "audited"))
        for tasks in product(*both):
            yield dataset, "Sets by the published procedure are easier than certified ones.", "", shown, model, *tasks
    questions = {key[:3]: key[3] for key in keys(first, *QUESTION[:3], "task_kind")}
    for dataset, task, metric, shown, *models in thinking(run):
        kind = questions.get((dataset, task, metric))
        if kind is not None and is_whole(kind, shown):
            yield dataset, "A model does better with thinking than without.", task, shown, "", *models
    yield from _against_chance(run)
    yield from _of_studies(run)


def _of_studies(run: Run) -> Keys:
    """Claims on other words, on strategies there, and on the size of formulas."""
    compared = {tuple(key) for key in keys(of_kind(run, *COMPARED), *JOB)}
    programs = {of(file, *JOB) for file in run.stages(PROGRAMS)}
    for dataset, original, task, model, shown in _stability(run):
        if (dataset, task, model) in compared:
            claim = "A model solves problems more often than the same in other words."
            yield original, claim, task, shown, model, original, dataset
            if {(original, task, model), (dataset, task, model)} <= programs:
                claim = "A model has more symbols for a concept in other words."
                yield original, claim, task, "", model, dataset, original
    strategies = list(_strategies(run))
    # A comparison with plain instructions and the same examples counts alone.
    alike = {
        (key[0], key[2], key[3])
        for key in strategies
        if key[6] == "direct" != key[4] and is_varied(run, key[3]) == is_varied(run, key[5])
    }
    for dataset, original, model, task, strategy, first, base in strategies:
        is_told = (dataset, model, task) not in alike or is_varied(run, task) == is_varied(run, first)
        if original and base == "direct" and (dataset, task, model) in compared and is_told:
            if strategy == "tuned":
                yield dataset, "Instructions on names do better than none in other words.", "", "", model, task, first
            if strategy.startswith("concept_table"):
                yield dataset, "A table of concepts does better than none in other words.", "", "", model, task, first
    trips = of_kind(run, *COMPARED).filter(task_kind="round_trip")
    for (dataset, task, model, shown), answers in groups(trips, *JOB, "presentation"):
        sizes = run.of_dataset(dataset, "measures")
        if "category" in sizes.columns:
            found = answers.join(sizes.select("item", "category").drop_nulls(), on="item").unique("item")["category"]
            if len(found) and (found > found.median()).any():
                claim = "Smaller formulas keep their meaning more often in a round trip."
                yield dataset, claim, task, shown, model, "smaller half", "larger half"


def _against_chance(run: Run) -> Keys:
    """Presentations of verification are parts of one question."""
    whole = pl.when(task_kind="verification").then(pl.lit("")).otherwise("presentation").alias("presentation")
    for (dataset, task, shown), answers in groups(
        run.answers.filter(primary()).with_columns(whole), "dataset", "task", "presentation"
    ):
        for (model,), asked in groups(answers.filter(pl.col("kind").is_in(COMPARED)), "model"):
            guessed = guesses(answers, asked)
            if guessed and 0 < sum(guessed) / len(guessed) < 1:
                second = guesser(answers, kind_of(asked))["model"][0]
                yield dataset, "A model does better than chance.", task, shown, "", model, second
