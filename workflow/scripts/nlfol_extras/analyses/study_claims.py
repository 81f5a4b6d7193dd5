"""Claims of SoLT and ∀uto∃∨∧L, for the table of claims: other words, strategies, and the size of formulas.

Where words or strategies differ, rows are those of the tables of stability and strategies. How many more symbols a
concept has in other words is a mean over items, the difference of each program's dispersion, both of pairs that those
tables compare; it is tested by ``clusters.student_test``. Smaller items make no pairs with larger ones: tested is the
slope of the log-odds over the doublings of the size (``statistics.slopes``), so that the claim is about the model and
not about the sizes drawn.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

import polars as pl

from nlfol.facts import RIGHT, AnswerForm
from nlfol.mappings import AnyRow
from nlfol.results.statistics.aligned import Aligned, Entries, is_covered
from nlfol.results.statistics.clusters import student_test
from nlfol.results.statistics.contrasts import cleanest
from nlfol.results.statistics.pairing import COMPARISONS, pairs
from nlfol.results.statistics.slopes import logit_slope
from nlfol.results.statistics.summary import COMPARED, Series
from nlfol.store.schemas import CATEGORY
from nlfol_extras.analyses.claim_rows import ClaimRow, Difference, tested

WORDING, DISPERSION, SIZE = "wording", "dispersion", "size"
HELPS = {"tuned": "tuned", "concept_table": "concept_table", "concept_table_stepwise": "concept_table"}
"""The claims of strategies."""

UNCOVERED = "mentions aligned"
"""The reason without a difference where too few mentions are aligned."""

SMALLER, LARGER = "half the size", "the size"
LOG_ODDS = "log_odds"


def in_other_words(stability: Iterable[AnyRow]) -> Iterator[ClaimRow]:
    """Yield the drops of models: problems are solved less often in other words (SoLT, table 3)."""
    for row in stability:
        if row["kind"] in COMPARED:
            yield {
                "claim": WORDING,
                "dataset": row["original"],
                "task": row["task"],
                "metric": RIGHT,
                "presentation": row["presentation"],
                "model": row["model"],
                "first": row["original"],
                "second": row["dataset"],
                **tested(row["drop"], row),
            }


def by_strategy(strategies: Iterable[AnyRow]) -> Iterator[ClaimRow]:
    """Yield gains over plain instructions in other words: tuned instructions bring none, a table brings one (SoLT).

    Where a strategy is compared with plain instructions that show the same examples, that comparison counts alone.
    """
    for row in cleanest(strategies):
        if (
            row["strategy"] in HELPS
            and row["base_strategy"] == "direct"
            and row["original"]
            and row["kind"] in COMPARED
        ):
            yield {
                "claim": HELPS[row["strategy"]],
                "dataset": row["dataset"],
                "task": None,
                "metric": RIGHT,
                "presentation": None,
                "model": row["model"],
                "first": row["task"],
                "second": row["base_task"],
                **tested(row["gain"], row),
            }


def dispersed(series: Iterable[Series], loaded: Iterable[Aligned], entries: Entries) -> Iterator[ClaimRow]:
    """Yield the dispersion of models' programs in other words less that of the originals (SoLT, table 3)."""
    asked = {(one.source.dataset, one.source.task, one.source.model): one for one in series if one.metric == RIGHT}
    programs = {tuple(job.about[name] for name in ("dataset", "task", "model")): job for job in loaded}
    for (dataset, task, model), other in programs.items():
        original = entries[dataset].get("of", "")
        before, one = programs.get((original, task, model)), asked.get((dataset, task, model))
        first = asked.get((original, task, model))
        if before is None or one is None or first is None or one.source.kind not in COMPARED:
            continue
        made = pairs(one, first, COMPARISONS["wording"])
        keys = made.kept.select("item", "seed").iter_rows()
        measured, earlier = _dispersions(other), _dispersions(before)
        of_item: dict[str, list[float]] = {}
        for key in keys:
            if key in measured and key in earlier:
                of_item.setdefault(key[0], []).append(measured[key] - earlier[key])
        stories = {row["item"]: row["story"] for row in other.rows}
        means = [sum(scores) / len(scores) for scores in of_item.values()]
        covered = is_covered(before.rows) and is_covered(other.rows)
        enough = covered and len(means) >= made.least and means
        stats = _difference(DISPERSION)
        if enough:
            mean, *tests = student_test(means, [stories[item] for item in of_item])
            stats = _difference(DISPERSION, mean, *tests)
        row: ClaimRow = {
            "claim": DISPERSION,
            "dataset": original,
            "task": task,
            "metric": DISPERSION,
            "presentation": None,
            "model": model,
            "first": dataset,
            "second": original,
            "items": len(means),
            "available": one.source.available,
            "stories": len({stories[item] for item in of_item}) if enough else 0,
            **stats,
            "adjusted": None,
            "data": "",
            **made.counts,
        }
        if not covered:
            row["refusal"] = UNCOVERED
        yield row


def _dispersions(programs: Aligned) -> dict[tuple[str, Any], float]:
    """Return the dispersion of each aligned program with a concept that is mentioned twice."""
    return {
        (row["item"], row["seed"]): row["dispersion"]["sum"] / row["dispersion"]["of"]
        for row in programs.rows
        if row["status"] == "aligned" and row["dispersion"]["of"]
    }


def by_size(series: Iterable[Series], measures: Mapping[str, pl.DataFrame]) -> Iterator[ClaimRow]:
    """Yield what round trips gain by each halving of the size, by what generation was stratified by (figure 5).

    That is in log-odds; raw, the score of the smaller half of the items less that of the larger. A size that can be 0,
    such as the number of operators, counts one more.
    """
    for one in series:
        sizes = measures.get(one.source.dataset)
        if one.source.kind not in COMPARED or one.source.asked.form is not AnswerForm.CHAIN or sizes is None:
            continue
        items = one.items.join(sizes.select("item", CATEGORY), on="item", maintain_order="left").drop_nulls(CATEGORY)
        if items.is_empty():  # sentences are in no category
            continue
        is_small = pl.col(CATEGORY) <= items[CATEGORY].median()
        halves = items.filter(is_small), items.filter(~is_small)
        if any(half.is_empty() for half in halves):
            continue
        size = items[CATEGORY].to_numpy()
        slope = logit_slope(items["score"].to_numpy(), size + (size.min() < 1), items["story"].to_list())
        smaller, larger = (cast("float", half["score"].mean()) for half in halves)
        yield {
            "claim": SIZE,
            "dataset": one.source.dataset,
            "task": one.source.task,
            "metric": one.metric,
            "presentation": one.presentation,
            "model": one.source.model,
            "first": SMALLER,
            "second": LARGER,
            "items": items.height,
            "available": one.source.available,
            "stories": items["story"].n_unique(),
            "compared": LOG_ODDS,
            "difference": -slope.mean,
            "raw": smaller - larger,
            "low": None if slope.high is None else -slope.high,
            "high": None if slope.low is None else -slope.low,
            "p": slope.p,
            "adjusted": None,
            "data": "",
            "pairs": 0,
            "refused": 0,
            "refusal": None,
            "unread": int(one.answers.join(items, on="item", how="semi")["unread"].sum()),
            "unread_second": 0,
        }


def _difference(
    compared: str,
    mean: float | None = None,
    low: float | None = None,
    high: float | None = None,
    p: float | None = None,
) -> Difference:
    return {"compared": compared, "difference": mean, "raw": mean, "low": low, "high": high, "p": p}
