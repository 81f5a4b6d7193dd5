"""Tables by readings of gold with their rows, computed again for ``recomputed_tables``, without nlfol."""

from __future__ import annotations

from itertools import combinations

import polars as pl
from benchmarks.recomputed_rows import SCORES, Keys, groups, of, rows
from benchmarks.recomputed_run import PUBLISHED, Cells, Run, Shown, estimated, mean_of, sample, scored, spread, table


@rows("ceiling")
def _rows_of_ceiling(run: Run) -> Keys:
    """Answers judged by readings, and what the models of papers reach on the same datasets."""
    judged = [of(file, "dataset", "model") for file in run.stages(SCORES) if "accepted" in file.rows["metric"]]
    yield from judged
    for file in sorted(PUBLISHED.glob("*.csv")):
        for figure in pl.read_csv(file, infer_schema=False).to_dicts():
            about = figure["dataset"], figure["task"], figure["metric"]
            if about in {(dataset, "logical_translation", "equivalence") for dataset, _ in judged}:
                yield figure["dataset"], f"{figure['model']} ({file.stem})"


@rows("both_wrong")
def _rows_of_both_wrong(run: Run) -> Keys:
    """Pairs of who was judged by readings, without copies, or the only one; below them the pairs of papers."""
    judged = run.answers.filter(pl.col("kind").is_in(("chat", "answers")), metric="accepted")
    about = "dataset", "task", "presentation"
    for asked, answers in groups(judged, *about):
        originals: dict[str, dict[str, list[str | None]]] = {}
        for (model,), of_model in groups(answers, "model"):
            said = dict(of_model.sort("item", "seed").group_by("item").agg("formula").iter_rows())
            if not any(_alike(said, other) for other in originals.values()):
                originals[model] = said
        pairs = list(combinations(originals, 2)) or [(model, "") for model in originals]
        yield from ((*asked, *pair) for pair in pairs)
    for file in sorted(PUBLISHED.glob("*.csv")):
        figures = pl.read_csv(file, infer_schema=False).filter(metric="neither", task="logical_translation")
        for figure in figures.filter(pl.col("dataset").is_in(judged["dataset"].to_list())).to_dicts():
            names = figure["dataset"], figure["task"]
            yield *names, "", f"{figure['model']} ({file.stem})", figure["second"]


def _alike(said: dict[str, list[str | None]], other: dict[str, list[str | None]]) -> bool:
    common = said.keys() & other.keys()
    return bool(common) and sum(said[item] == other[item] for item in common) >= 0.95 * len(common)


@table("ceiling", "dataset model")
def _ceiling(run: Run, row: Shown) -> Cells:
    model, _, paper = row["model"].rpartition(" (")
    if model:
        figures = pl.read_csv(PUBLISHED / f"{paper[:-1]}.csv", infer_schema=False)
        asked = {"dataset": row["dataset"], "model": model, "task": "logical_translation", "metric": "equivalence"}
        (figure,) = figures.filter(**asked).to_dicts()
        of_paper = {name: None if figure[name] is None else float(figure[name]) for name in ("mean", "deviation")}
        items = dict.fromkeys(("items", "items_available"), figure["items"] and int(figure["items"]))
        unjudged = {**spread("corrected", None), **spread("accepted", None)}
        return {**items, **spread("published", of_paper["mean"], of_paper["deviation"]), **unjudged}
    answers = {
        name: run.of(row, "dataset model", metric=metric, task_kind="logical_translation")
        for name, metric in (("published", "equivalence"), ("corrected", "corrected"), ("accepted", "accepted"))
    }
    found = sample(answers["published"])
    for name, of_metric in answers.items():
        found |= scored(name, of_metric)
    return found


def best_of(answers: pl.DataFrame) -> pl.DataFrame:
    """Items with the best score of any answer."""
    return answers.group_by("item", maintain_order=True).agg(pl.col("story").first(), pl.col("score").max())


@table("both_wrong", "dataset task presentation model second")
def _both_wrong(run: Run, row: Shown) -> Cells:
    model, _, paper = row["model"].rpartition(" (")
    if model:
        pair = {"dataset": row["dataset"], "task": row["task"], "model": model, "second": row["second"]}
        figures = pl.read_csv(PUBLISHED / f"{paper[:-1]}.csv", infer_schema=False)
        (figure,) = figures.filter(metric="neither", **pair).to_dicts()
        nothing = {**spread("corrected", None), **spread("accepted", None)}
        return {"items": int(figure["items"]), "wrong_items": None, **spread("wrong", float(figure["mean"])), **nothing}
    models = [name for name in (row["model"], row["second"]) if name]
    best = {}
    for metric in ("equivalence", "corrected", "accepted"):
        first, *others = (
            best_of(run.of(row, "dataset task presentation", model=name, metric=metric)) for name in models
        )
        for other in others:
            both = first.join(other.select("item", other="score"), on="item", maintain_order="left")
            first = both.select("item", "story", score=pl.max_horizontal("score", "other"))
        best[metric] = first
    wrong = best["equivalence"].filter(score=0)
    found: Cells = {"items": best["equivalence"].height, "wrong_items": wrong.height}
    found |= estimated("wrong", mean_of(best["equivalence"].with_columns(score=1 - pl.col("score"))))
    for metric in ("corrected", "accepted"):
        of_wrong = best[metric].join(wrong, on="item", how="semi", maintain_order="left")
        found |= estimated(metric, mean_of(of_wrong) if of_wrong.height else None)
    return found
