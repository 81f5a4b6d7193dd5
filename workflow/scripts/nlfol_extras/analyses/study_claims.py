"""Claims of SoLT and ∀uto∃∨∧L, for the table of claims: other words, strategies, and the size of formulas.

Where words or strategies differ, rows are those of the tables of stability and strategies. How many more symbols a
concept has in other words is a mean over items, the difference of each program's dispersion, both of pairs that those
tables compare; it is tested by ``clusters.student_test``. Items of fewer and
of more operators are others, and so are their stories: items of one story have one tree. The interval of the difference
of their means is Newcombe's of independent ones (as in ``differences``, method 10), which lies in [-1, 1].
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from nlfol.facts import RIGHT, AnswerForm
from nlfol.mappings import AnyRow, JsonDict
from nlfol.results.statistics.aligned import Aligned, Entries, is_covered
from nlfol.results.statistics.clusters import CONFIDENCE, evidence, student_test
from nlfol.results.statistics.differences import Paired
from nlfol.results.statistics.pairing import COMPARISONS, pairs
from nlfol.results.statistics.summary import COMPARED, Series
from nlfol.store.columns import Pairing
from nlfol.store.schemas import CATEGORY

WORDING, DISPERSION, SIZE = "wording", "dispersion", "size"
HELPS = {"tuned": "tuned", "concept_table": "concept_table", "concept_table_stepwise": "concept_table"}
"""The claims of strategies."""

UNCOVERED = "mentions aligned"
"""The reason without a difference where too few mentions are aligned."""

SMALLER, LARGER = "smaller half", "larger half"
Row = JsonDict
"""Columns of a row of CLAIMS, of those that a claim knows."""


def in_other_words(stability: Iterable[AnyRow]) -> Iterator[Row]:
    """Yield the drops of models: problems are solved less often in other words (SoLT, table 3)."""
    for row in stability:
        if row["kind"] in COMPARED:
            about = {name: row[name] for name in ("task", "presentation", "model")}
            sides = {"dataset": row["original"], "first": row["original"], "second": row["dataset"]}
            yield _taken(row, "drop") | {**about, "claim": WORDING, "metric": RIGHT, **sides}


def by_strategy(strategies: Iterable[AnyRow]) -> Iterator[Row]:
    """Yield gains over plain instructions in other words: tuned instructions bring none, a table brings one (SoLT).

    Where a strategy is compared with plain instructions that show the same examples, that comparison counts alone.
    """
    asked = [
        row
        for row in strategies
        if row["strategy"] in HELPS and row["base_strategy"] == "direct" and row["original"] and row["kind"] in COMPARED
    ]
    clean = {_job(row) for row in asked if row["comparison"] == "instructions"}
    for row in asked:
        if row["comparison"] == "instructions" or _job(row) not in clean:
            claim = HELPS[row["strategy"]]
            about = {"claim": claim, "dataset": row["dataset"], "model": row["model"], "metric": RIGHT}
            yield _taken(row, "gain") | {**about, "first": row["task"], "second": row["base_task"]}


def _job(row: AnyRow) -> tuple[str, str, str]:
    return row["dataset"], row["task"], row["model"]


def dispersed(series: Iterable[Series], loaded: Iterable[Aligned], entries: Entries) -> Iterator[Row]:
    """Yield the dispersion of models' programs in other words less that of the originals (SoLT, table 3)."""
    asked = {(one.source.dataset, one.source.task, one.source.model): one for one in series if one.metric == RIGHT}
    programs = {tuple(one.about[name] for name in ("dataset", "task", "model")): one for one in loaded}
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
        means = [sum(each) / len(each) for each in of_item.values()]
        covered = is_covered(before.rows) and is_covered(other.rows)
        enough = covered and len(means) >= made.least and means
        found = _UNTESTED
        if enough:
            mean, low, high, p = student_test(means, [stories[item] for item in of_item])
            found = {"difference": mean, "raw": mean, "low": low, "high": high, "p": p}
        about = {"claim": DISPERSION, "dataset": original, "task": task, "model": model, "metric": DISPERSION}
        counted = {**made.counts, "items": len(means), "available": one.source.available}
        if not covered:
            counted["refusal"] = UNCOVERED
        if enough:
            counted["stories"] = len({stories[item] for item in of_item})
        yield {"stories": 0, **about, **counted, **found, "first": dataset, "second": original, "compared": DISPERSION}


def _dispersions(programs: Aligned) -> dict[tuple[str, Any], float]:
    """Return the dispersion of each aligned program with a concept that is mentioned twice."""
    return {
        (row["item"], row["seed"]): row["dispersion"]["sum"] / row["dispersion"]["of"]
        for row in programs.rows
        if row["status"] == "aligned" and row["dispersion"]["of"]
    }


def by_size(series: Iterable[Series], measures: Mapping[str, pl.DataFrame]) -> Iterator[Row]:
    """Yield round trips of smaller items less those of larger ones, by what generation was stratified by (figure 5)."""
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
        about: Row = {**one.about, "model": one.source.model, "available": one.source.available}
        del about["task_kind"], about["protocol"]
        counted: Row = {"items": items.height, "stories": items["story"].n_unique(), "pairs": 0, "refused": 0}
        lost = one.answers.join(items, on="item", how="semi")["unread"].sum()
        counted |= {"refusal": None, "unread": int(lost), "unread_second": 0}
        found = _apart(*halves)
        yield {"claim": SIZE, **about, **counted, **found, "first": SMALLER, "second": LARGER, "compared": "score"}


_UNTESTED: Row = dict.fromkeys(("difference", "raw", "low", "high", "p"))


def _apart(*halves: pl.DataFrame) -> Row:
    """Return the difference of the means of two sets of stories, with its interval and p."""
    one, other = (evidence(half["score"].to_numpy(), np.ones(half.height), half["story"].to_list()) for half in halves)
    row: Row = dict.fromkeys(("difference", "raw"), one.mean - other.mean)
    if not (one.has_interval and other.has_interval):
        return {**row, "low": None, "high": None, "p": 1.0}
    apart = Paired(one, other, 0.0)
    return {**row, **dict(zip(("low", "high"), apart.bounds((1 - CONFIDENCE) / 2), strict=True)), "p": apart.p()}


def _taken(row: AnyRow, difference: str) -> Row:
    """Return what a row of another table says of a difference."""
    names = ("items", "available", "stories", "low", "high", "p", *Pairing.__annotations__)
    values = {"difference": row[difference], "raw": row[difference], "compared": "score"}
    return {**{name: row[name] for name in names}, **values}
