"""Tables of scores and comparisons, computed again for ``recomputed_tables``. Nothing of nlfol is imported."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import polars as pl
from benchmarks.recomputed_run import (
    BESIDE,
    EXACT,
    GUESSERS,
    OF_A_MODEL,
    OUTCOMES,
    PRIMARY,
    Cells,
    NoSuchRowError,
    Run,
    Shown,
    are_enough,
    available,
    by_item,
    chosen,
    contrast,
    estimated,
    is_whole,
    kind_of,
    mean_of,
    paired,
    sample,
    scored,
    seeds,
    spread,
    table,
    together,
)
from benchmarks.recomputed_statistics import Above, above, agreement

QUESTION = "dataset task metric presentation"


def _counts(answers: pl.DataFrame, column: str, cases: tuple[str, ...], prefix: str = "") -> Cells:
    """Count the answers of each case; guessers have none."""
    if kind_of(answers) in GUESSERS:
        return dict.fromkeys(f"{prefix}{case}" for case in cases)
    return {f"{prefix}{case}": (answers[column] == case).sum() for case in cases}


def _opened(answers: pl.DataFrame) -> int | None:
    """Count the answers that were read with a liberty of the envelope; guessers have none."""
    return None if kind_of(answers) in GUESSERS else int((answers["liberties"].list.len() > 0).sum())


@table("scores", f"{QUESTION} model")
def _scores(run: Run, row: Shown) -> Cells:
    if not row["metric"]:
        kind = run.stage("scores", row, "dataset", "task", "model").about["kind"]
        none = dict.fromkeys((*OUTCOMES, "opened", "seeds"), None if kind in GUESSERS else 0)
        return {"items": 0, **spread("score", None), **none}
    answers = run.of(row)
    counts = {**_counts(answers, "outcome", OUTCOMES), "opened": _opened(answers)}
    return {**sample(answers), "seeds": seeds(answers), **scored("score", answers), **counts}


@table("above_chance", f"{QUESTION} model")
def _above_chance(run: Run, row: Shown) -> Cells:
    answers = run.of(row)
    found = above_chance(run, row, by_item(answers), kind_of(answers))
    if found is None:
        raise NoSuchRowError("there is no chance to exceed")
    adjusted = spread("above", found.value, None, *(() if kind_of(answers) in EXACT else found.ends))
    return {**sample(answers), **scored("score", answers), "chance": found.chance, **adjusted}


def above_chance(run: Run, row: Shown, items: pl.DataFrame, kind: str) -> Above | None:
    """The mean of items above chance; None where nothing is right by chance, or everything, or chance is not known."""
    chance = run.chance(row, kind)
    if not set(items["item"]) <= chance.keys():
        return None
    guessed = [chance[item] for item in items["item"]]
    return above(items["score"].to_list(), guessed, items["story"].to_list()) if any(guessed) else None


@table("logical_translation", "dataset model task presentation")
def _logical_translation(run: Run, row: Shown) -> Cells:
    if (nothing := run.nothing_asked(row)) is not None:
        nothing |= {**spread("equivalence", None), **spread("on_boards", None)}
        return {**nothing, **dict.fromkeys((*OUTCOMES[1:], "opened"), 0)}
    judged = run.of(row, "dataset model task presentation")
    answers = chosen(judged, metric="equivalence")
    is_chance = kind_of(answers) == "chance"
    # An answer that a convention decides is read; one whose readings differ in meaning is not.
    read = {"repaired": answers["repairs"].list.len() > 0, "ambiguous": answers["fault"] == "ambiguous"}
    return {
        **sample(answers),
        "seeds": seeds(answers),
        **scored("equivalence", answers),
        **scored("on_boards", chosen(judged, metric="on_boards")),
        **_counts(answers, "verdict", ("equivalent", "not_equivalent", "unknown", "invalid")),
        **_counts(answers, "outcome", OUTCOMES[1:]),
        **{name: None if is_chance else found.sum() for name, found in read.items()},
        "opened": _opened(answers),
    }


CHOICES = {"most_similar": ("accuracy",), "ranking": ("both", "equivalence", "negation")}


@table("dialogue", "dataset protocol model presentation most_similar_task ranking_task")
def _choices(run: Run, row: Shown) -> Cells:
    cells: Cells = {}
    of_tasks = []
    for kind, metrics in CHOICES.items():
        if not row[f"{kind}_task"]:
            continue
        asked = {**row, "task": row[f"{kind}_task"]}
        if (nothing := run.nothing_asked(asked)) is not None:
            cells |= {f"{kind}_{name}": value for name, value in nothing.items()}
            cells |= dict.fromkeys((f"{kind}_{counted}" for counted in (*OUTCOMES[1:], "opened")), 0)
            continue
        answers = run.of(asked, "dataset task model presentation")
        of_tasks.append(None if kind_of(answers) in GUESSERS else str(seeds(answers)))
        cells |= {f"{kind}_{name}": value for name, value in sample(answers).items()}
        of_first = answers.filter(metric=metrics[0])
        cells |= {**_counts(of_first, "outcome", OUTCOMES[1:], f"{kind}_"), f"{kind}_opened": _opened(of_first)}
        for metric in metrics:
            of_metric = answers.filter(metric=metric)
            cells |= scored(f"{kind}_{metric}", of_metric)
            if kind_of(answers) == "embedding":
                cells[f"tied_{kind}_{metric}"] = of_metric["tied"].sum()
    told_apart = " / ".join(filter(None, of_tasks))
    return {**cells, "seeds": of_tasks[0] if len(set(of_tasks)) == 1 else told_apart}


_NOT_OF_VECTORS = "seeds most_similar_opened ranking_opened"
table("embedding", "dataset protocol model presentation most_similar_task ranking_task", without=_NOT_OF_VECTORS)(
    _choices
)


def _of_primary(run: Run, row: Shown) -> object:
    """The family of a comparison of models: those in a task's primary metric on a dataset, of whole questions."""
    kind = run.of(row, "dataset task")["task_kind"][0]
    is_primary = row["metric"] == PRIMARY[kind] and is_whole(kind, row["presentation"])
    return (row["dataset"], row["task"]) if is_primary else None


def _asked(run: Run, row: Shown, model: str) -> pl.DataFrame:
    """A model's answers to a question; of verification without a presentation both classes together."""
    if row["presentation"]:
        return run.of(row, QUESTION, model=model)
    return together(run.of(row, "dataset task metric", model=model))


@table("differences", f"{QUESTION} first second", family=_of_primary)
def _differences(run: Run, row: Shown) -> Cells:
    return contrast((_asked(run, row, row[name]) for name in ("first", "second")), free=OF_A_MODEL)


@table("agreement", f"{QUESTION} first second", without="pairs unread_first unread_second")
def _agreement(run: Run, row: Shown) -> Cells:
    sides = (run.of(row, QUESTION, model=row[name]) for name in ("first", "second"))
    return _agreed(sides, OF_A_MODEL)


def _agreed(sides: Iterable[pl.DataFrame], free: str) -> Cells:
    """Agreement on the answers of pairs."""
    first, second = sides
    one, other, counts = paired((first, second), free)
    common = one.join(other.select("item", "seed", other="score"), on=["item", "seed"])
    items = {"items": common["item"].n_unique(), "items_available": available(first, second)}
    if are_enough(common, first, second):
        counts |= agreement(common["score"].to_list(), common["other"].to_list())
        alike = pl.col("score") * pl.col("other") + (1 - pl.col("score")) * (1 - pl.col("other"))
        counts |= estimated("agree", mean_of(by_item(common.with_columns(score=alike))))
    return {**counts, **items}


@table("task_agreement", "dataset protocol model presentation most_similar ranking")
def _task_agreement(run: Run, row: Shown) -> Cells:
    sides = (run.of(row, "dataset model presentation", task=row[kind], metric=BESIDE[kind]) for kind in CHOICES)
    return _agreed(sides, "prompt schema candidates order")


@table("other_metrics", "dataset task model")
def _other_metrics(run: Run, row: Shown) -> Cells:
    """Scores of other metrics and their correlation with being right, at each seed, over what could be read."""
    answers = run.of(row, "dataset task model")
    right = answers.filter(metric="equivalence").select("item", "seed", right="score")
    cells = sample(answers)
    for metric in ("bleu", "le"):
        of_metric = answers.filter(metric=metric)
        read = of_metric.drop_nulls("formula").join(right, on=["item", "seed"])
        found = [
            float(np.corrcoef(of_seed["right"], of_seed["score"])[0, 1])
            for _, of_seed in read.group_by("seed")
            if of_seed["right"].n_unique() > 1 and of_seed["score"].n_unique() > 1
        ]
        deviation = float(np.std(found, ddof=1)) if len(found) >= 3 and read["item"].n_unique() >= 5 else None
        cells |= {**scored(metric, of_metric), "read": read.height}
        cells |= spread(f"correlation_{metric}", float(np.mean(found)) if found else None, deviation)
    return cells
