"""Paired contrasts of two series of scores, and the models that are significantly the best."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar, cast

import polars as pl

from nlfol.facts import FACTS
from nlfol.mappings import AnyRow
from nlfol.results.statistics.differences import detectable, difference, holm
from nlfol.results.statistics.pairing import COMPARISONS, Pairs, pairs
from nlfol.results.statistics.second_looks import LEVEL, NOTHING_PLANNED, Planned
from nlfol.results.statistics.summary import COMPARED, Series
from nlfol.store.columns import Pairing, Tested


class ContrastColumns(Tested, Pairing):
    """Columns of a contrast that is not adjusted."""

    items: int
    available: int
    stories: int


class Contrast(NamedTuple):
    """The means of two arms, their difference, and what it is known by; null where pairs are too few."""

    first: float | None
    second: float | None
    difference: float | None
    columns: ContrastColumns


def paired(first: Series, second: Series, comparison: str) -> Contrast:
    """Contrast two arms by the name of a comparison, see ``pairing.COMPARISONS``; the second is subtracted."""
    return contrast(pairs(first, second, COMPARISONS[comparison]), first.source.available)


def contrast(made: Pairs, available: int) -> Contrast:
    """Contrast the arms of pairs."""
    common = made.items
    stories = common["story"].to_list()
    about: ContrastColumns = {
        **made.counts,
        "items": common.height,
        "available": available,
        "stories": len(set(stories)),
        **_UNTESTED,
    }
    if not made.are_enough:
        return Contrast(None, None, None, about)
    result = difference(common["score"].to_list(), common["score_second"].to_list(), stories)
    first, second = (cast("float", common[name].mean()) for name in ("score", "score_second"))
    tested = {name: value for name, value in asdict(result).items() if name != "mean"}
    return Contrast(first, second, result.mean, {**about, **cast("Tested", {**tested, "adjusted": None})})


_UNTESTED = cast("Tested", dict.fromkeys(Tested.__annotations__))


def is_main(row: AnyRow) -> bool:
    """Return whether a row is of what its task asks: others say nearly the same again, or half of it.

    That is the first metric, and of a task whose presentations are parts of one question all of them together.
    """
    kind = FACTS[row["task_kind"]]
    return row["metric"] == kind.metrics[0] and not (kind.weakest_counts and row.get("presentation"))


def of_models(row: AnyRow) -> bool:
    """Return whether a row is of a model that is compared; references are marks."""
    return row["kind"] in COMPARED


def adjust(
    rows: Iterable[Any],
    *by: str,
    counts: Callable[[AnyRow], bool] = lambda _: True,
    planned: Planned = NOTHING_PLANNED,
    size: int | None = None,
) -> None:
    """Adjust the p-values of families of rows by Holm, and what each of their comparisons can detect.

    A family are the rows that are alike in the columns ``by``, and for which ``counts`` holds; others are in none, nor
    are rows without a p-value. Those of a board have ``size``, that of all its pairs by default.
    """
    of_board = planned.pairs if size is None else size
    families: dict[tuple[Any, ...], list[Any]] = {}
    for row in rows:
        row["adjusted"] = None
        if row["p"] is not None and counts(row):
            families.setdefault(tuple(row[name] for name in by), []).append(row)
    for family in families.values():
        values = [
            planned.adjusted(row["p"], row["items"], row["available"]) if planned.looks else row["p"] for row in family
        ]
        for row, adjusted in zip(family, holm(values, of_board), strict=True):
            row["adjusted"] = adjusted
            if row.get("detectable") is not None:
                alpha = LEVEL / max(len(family), of_board)
                level = planned.level(alpha, row["items"], row["available"]) if planned.looks else alpha
                row["detectable"] = detectable(row["low"], row["high"], row["freedom"], level)


StrategyT = TypeVar("StrategyT", bound=Mapping[str, object])


def cleanest(rows: Iterable[StrategyT]) -> list[StrategyT]:
    """Return rows of strategies without those that differ in examples, too, where another has the same examples."""
    listed = list(rows)
    job = itemgetter("dataset", "task", "model")
    clean = {job(row) for row in listed if row["comparison"] == "instructions"}
    return [row for row in listed if row["comparison"] != "strategies" or job(row) not in clean]


def significantly_best(differences: pl.DataFrame, level: float = 0.05) -> set[tuple[str, str, str, str, str]]:
    """Return the models that beat every other at a question: (dataset, task, metric, presentation, model).

    ``differences`` has rows of ``analyses.comparisons.DIFFERENCES``; ``level`` is of the adjusted p-values.
    """
    beaten: dict[tuple[str, str, str, str], dict[str, list[bool]]] = {}
    for row in differences.to_dicts():
        models = beaten.setdefault((row["dataset"], row["task"], row["metric"], row["presentation"]), {})
        significant = row["adjusted"] is not None and row["adjusted"] < level
        models.setdefault(row["first"], []).append(significant and row["difference"] > 0)
        models.setdefault(row["second"], []).append(significant and row["difference"] < 0)
    return {(*question, model) for question, models in beaten.items() for model, wins in models.items() if all(wins)}
