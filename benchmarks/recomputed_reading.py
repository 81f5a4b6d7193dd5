"""Tables of what reading adds and of errors by kind of edit, computed again for ``recomputed_tables``.

Nothing of nlfol is imported.
"""

from __future__ import annotations

import polars as pl
from benchmarks.recomputed_rows import ITEMS, Keys, groups, of_kind, primary, rows
from benchmarks.recomputed_run import (
    BLIND,
    COMPARED,
    GUESSERS,
    PRIMARY,
    Cells,
    NoSuchRowError,
    Run,
    Shown,
    by_item,
    chosen,
    contrast,
    estimated,
    guesser,
    kind_of,
    mean_of,
    shared,
    table,
)

ASKED = ("dataset", "task", "protocol", "metric", "presentation", "model")


def _both(run: Run) -> pl.DataFrame:
    """Answers of compared models with controls and without; both classes of verification are one question.

    Without the sentence, an unread answer has the score of the model's guesser.
    """
    shown, of_verification = pl.col("presentation"), pl.col("task_kind") == "verification"
    whole = pl.when(shown.str.starts_with(BLIND)).then(pl.lit(BLIND)).otherwise(pl.lit(""))
    every = run.with_controls.filter(pl.col("kind").is_in((*COMPARED, *GUESSERS)))
    question = ["dataset", "task", "metric", "presentation"]
    of_guesser = every.filter(pl.col("kind").is_in(GUESSERS), ~shown.str.starts_with(BLIND))
    guesses = of_guesser.with_columns(presentation=BLIND + shown).pivot(
        "kind", index=[*question, "item"], values="score"
    )
    if kinds := [kind for kind in GUESSERS if kind in guesses.columns]:
        means = guesses.group_by(question).agg(pl.col(kinds).mean().name.suffix("_mean"))
        every = every.join(guesses, on=[*question, "item"], how="left", maintain_order="left")
        every = every.join(means, on=question, how="left", maintain_order="left")
        chance, *reasoner = (pl.coalesce(kind, f"{kind}_mean") for kind in kinds)
        guess = pl.when(pl.col("kind") == "embedding").then(chance).otherwise(pl.coalesce(*reasoner, chance))
        is_guess = shown.str.starts_with(BLIND) & (pl.col("unread") > 0)
        every = every.with_columns(score=pl.when(is_guess).then(pl.coalesce(guess, "score")).otherwise("score"))
    return every.with_columns(pl.when(of_verification).then(whole).otherwise(shown).alias("presentation"))


def _of(both: pl.DataFrame, row: Shown, presentation: str) -> pl.DataFrame:
    wanted = {**{name: row[name] for name in ASKED if name != "protocol"}, "presentation": presentation}
    found = both.filter(*(pl.col(name) == value for name, value in wanted.items()))
    if found.is_empty():
        raise NoSuchRowError(f"there are no answers with {wanted}")
    parts = pl.col("story", "available", "kind").first(), pl.col("score").mean(), pl.col("unread").max()
    return found.group_by("item", "seed", maintain_order=True).agg(*parts, shared(found, "several"))


def _family(run: Run, row: Shown) -> object:
    first = PRIMARY[run.of(row, "dataset task")["task_kind"][0]]
    return (row["dataset"], row["task"]) if row["metric"] == first else None


@table("reading", " ".join(ASKED), without="stories", family=_family)
def _reading(run: Run, row: Shown) -> Cells:
    both = _both(run)
    sides = [_of(both, row, prefix + row["presentation"]) for prefix in ("", BLIND)]
    cells = contrast(sides, means=("score", "score_blind"), free="text prompt")
    question = ("dataset", "task", "metric", "presentation")
    guessed = guesser(chosen(both, **{name: row[name] for name in question}), kind_of(sides[0]))
    chance = _of(both, {**row, "model": guessed["model"][0]}, row["presentation"])
    return {**cells, "chance": by_item(chance).join(sides[0], on="item", how="semi")["score"].mean()}


@rows("reading")
def _read_and_blind(run: Run) -> Keys:
    both = _both(run).filter(pl.col("kind").is_in(COMPARED))
    asked = {*both.select(ASKED).unique().iter_rows()}
    for *question, presentation, model in asked:
        if (*question, f"{BLIND}{presentation}", model) in asked:
            yield *question, presentation, model


@table("dimensions", "dataset task protocol model presentation dimension")
def _dimensions(run: Run, row: Shown) -> Cells:
    """Share of answers that chose a candidate changed so, beside the share of candidates that are."""
    sizes = _changed(run, row["dataset"], row["task"], row["dimension"])
    answers = run.of(row, "dataset task model presentation", metric="accuracy").filter(outcome="answered")
    chosen = pl.col("fault").fill_null("").str.split(" ").list.contains(row["dimension"]).cast(pl.Float64)
    read = answers.join(sizes, on="item", maintain_order="left").with_columns(wrong=chosen)
    items = by_item(read, "wrong", "chance")
    return {
        "items": items.height,
        "stories": items["story"].n_unique(),
        "answers": read.height,
        **estimated("wrong", mean_of(items, "wrong")),
        "chance": items["chance"].mean(),
    }


def _changed(run: Run, dataset: str, task: str, dimension: str) -> pl.DataFrame:
    """Items with a candidate that is changed so, and the share of their candidates that are."""
    items = run.stage("items", {"dataset": dataset, "task": task}, "dataset", "task").rows
    is_changed = pl.element().struct.field("change").list.contains(dimension)
    share = pl.col("candidates").list.eval(is_changed).list.mean()
    return items.select("item", chance=share).filter(pl.col("chance") > 0)


@rows("dimensions")
def _by_dimension(run: Run) -> Keys:
    answers = of_kind(run, "chat").filter(primary(), task_kind="most_similar", outcome="answered")
    kinds = {
        (file.about["dataset"], file.about["task"]): {
            (item, change)
            for item, members in file.rows.select("item", "candidates").iter_rows()
            for member in members or ()
            for change in member["change"]
        }
        for file in run.stages(ITEMS)
    }
    for key, found in groups(answers, "dataset", "task", "protocol", "model", "presentation"):
        asked = {*found["item"]}
        dimensions = {change for item, change in kinds[key[0], key[1]] if item in asked}
        yield from ((*key, dimension) for dimension in dimensions)
