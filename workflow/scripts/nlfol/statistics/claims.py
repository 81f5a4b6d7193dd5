"""Tests of what the paper claims, each a paired comparison on the same items.

A claim says which of two sides scores higher. Both sides are means over items; a side of several models has the mean of
their scores on each item. The difference, its interval and p-value are those of ``differences``, against chance, which
is known for each item, those of ``above_chance``. The p-values of one claim are one family and are adjusted together
(``differences.holm``), but those of thinking: these pairs stand among the differences between models, too, where they
are adjusted, so that a comparison has one adjusted p-value.

Of each task the first metric counts. A claim of which the experiment has one side alone makes no row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import reduce
from itertools import product
from typing import Any

import polars as pl

from nlfol.statistics.above_chance import above_chance
from nlfol.statistics.contrasts import adjust
from nlfol.statistics.differences import difference
from nlfol.statistics.series import Series
from nlfol.statistics.summary import COMPARED
from nlfol.tasks.ranking import EQUIVALENCE, NEGATION
from nlfol.tasks.task import AnswerForm

FORMULA, ENGLISH = "formula", "english"
AUDITED, PAPER = "audited", "paper"
LEVEL = 0.05

CLAIMS = (
    "formula_dialogue",
    "formula_embedding",
    "negation_dialogue",
    "negation_embedding",
    "most_similar",
    "dialogue",
    "protocol",
    "thinking",
    "chance",
)
"""In the order of the rows; ``tables.claims`` says each in words."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two sides of a claim.

    Attributes:
        claim: one of ``CLAIMS``.
        shared: what both sides have in common: task, metric, presentation, model.
        names: of the sides, by what they do not share.
        sides: of each, the series; the first is claimed to score higher.
    """

    claim: str
    shared: Mapping[str, str]
    names: tuple[str, str]
    sides: tuple[Sequence[Series], Sequence[Series]]


def claims(series: Iterable[Series], thinking: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows of ``claim_schemas.CLAIMS``, by claim and then in the order of the series.

    Args:
        series: the scores.
        thinking: the rows of ``thinking.thinking`` for them.
    """
    every = [one for one in series if not one.answers.is_empty()]
    main = [one for one in every if one.metric == one.source.asked.metrics[0]]
    found: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for pair in (
        *_presentations(main),
        *_ends(every),
        *_tasks(main),
        *_kinds(main),
        *_protocols(main),
    ):
        if (row := _compared(pair)) is not None:
            found[pair.claim].append(row)
    found["chance"] = list(_against_chance(main))
    for family in found.values():
        adjust(family)
    found["thinking"] = [_of_thinking(row) for row in thinking if _is_main(row, main)]
    rows = [row for claim in CLAIMS for row in found[claim]]
    for row in rows:
        row["data"] = verdict(row["difference"], row["adjusted"])
    return rows


def verdict(difference: float, adjusted: float) -> str:
    """What data say of a claim that a difference is above 0."""
    if adjusted >= LEVEL:
        return "open"
    return "holds" if difference > 0 else "contradicted"


def _presentations(series: Sequence[Series]) -> Iterator[_Pair]:
    """Dialogue models read formulas better in ranking (table 3), embedding models English in both tasks (table 4)."""
    for of_one in _grouped(series, lambda one: (one.source.name,)):
        source, shown = of_one[0].source, {one.presentation: one for one in of_one}
        if not source.asked.has_candidates() or not {FORMULA, ENGLISH} <= shown.keys():
            continue
        formula, english = [shown[FORMULA]], [shown[ENGLISH]]
        said = {"task": source.task, "metric": of_one[0].metric, "model": source.model}
        if source.kind == "chat" and source.asked.form is AnswerForm.ORDER:
            yield _Pair("formula_dialogue", said, (FORMULA, ENGLISH), (formula, english))
        if source.kind == "embedding":
            yield _Pair("formula_embedding", said, (ENGLISH, FORMULA), (english, formula))


def _ends(series: Sequence[Series]) -> Iterator[_Pair]:
    """Dialogue models tell equivalents better than negations (table 3), embedding models the other way (table 4)."""
    for of_one in _grouped(series, lambda one: (one.source.name, one.presentation)):
        source, ends = of_one[0].source, {one.metric: [one] for one in of_one}
        if source.asked.form is not AnswerForm.ORDER or not {EQUIVALENCE, NEGATION} <= ends.keys():
            continue
        said = {"task": source.task, "presentation": of_one[0].presentation, "model": source.model}
        higher, lower = (EQUIVALENCE, NEGATION) if source.kind == "chat" else (NEGATION, EQUIVALENCE)
        claim = "negation_dialogue" if source.kind == "chat" else "negation_embedding"
        yield _Pair(claim, said, (higher, lower), (ends[higher], ends[lower]))


def _tasks(series: Sequence[Series]) -> Iterator[_Pair]:
    """Most similar is solved more often than ranking (table 8)."""
    chosen = [one for one in series if one.source.asked.has_candidates()]
    for of_one in _grouped(
        chosen, lambda one: (one.source.dataset, one.source.protocol, one.source.model, one.presentation)
    ):
        forms = [
            [one for one in of_one if one.source.asked.form is form] for form in (AnswerForm.CHOICE, AnswerForm.ORDER)
        ]
        for first, second in product(*forms):
            said = {"presentation": first.presentation, "model": first.source.model}
            yield _Pair("most_similar", said, (first.source.task, second.source.task), ([first], [second]))


def _kinds(series: Sequence[Series]) -> Iterator[_Pair]:
    """Dialogue models score higher than embedding models (tables 3 and 4)."""
    for models in _grouped(series, lambda one: one.question):
        sides = tuple([one for one in models if one.source.kind == kind] for kind in ("chat", "embedding"))
        if all(sides):
            source = models[0].source
            said = {"task": source.task, "metric": models[0].metric, "presentation": models[0].presentation}
            names = f"dialogue models ({len(sides[0])})", f"embedding models ({len(sides[1])})"
            yield _Pair("dialogue", said, names, (sides[0], sides[1]))


def _protocols(series: Sequence[Series]) -> Iterator[_Pair]:
    """Sets by the published procedure are easier than certified ones."""
    chosen = [one for one in series if one.source.asked.has_candidates()]
    for of_one in _grouped(
        chosen, lambda one: (one.source.dataset, one.source.task_kind, one.source.model, one.presentation)
    ):
        protocols = [[one for one in of_one if one.source.protocol == protocol] for protocol in (PAPER, AUDITED)]
        for first, second in product(*protocols):
            said = {"metric": first.metric, "presentation": first.presentation, "model": first.source.model}
            yield _Pair("protocol", said, (first.source.task, second.source.task), ([first], [second]))


def _grouped(series: Sequence[Series], key: Any) -> list[list[Series]]:
    """The series of models that are compared, by a key, in the order of the first of each."""
    found: dict[tuple[Any, ...], list[Series]] = {}
    for one in series:
        if one.source.kind in COMPARED:
            found.setdefault(key(one), []).append(one)
    return list(found.values())


def _compared(pair: _Pair) -> dict[str, Any] | None:
    first, second = (_mean(side) for side in pair.sides)
    common = first.join(second, on="item", suffix="_second", maintain_order="left")
    if common.is_empty():
        return None
    columns = (common[name].to_list() for name in ("score", "score_second", "story"))
    found = asdict(difference(*columns))
    return _row(pair.claim, pair.sides[0][0].source.dataset, pair.shared, pair.names) | {
        "available": min(one.source.available for side in pair.sides for one in side),
        "difference": found["mean"],
        **{name: found[name] for name in ("items", "stories", "low", "high", "p")},
    }


def _mean(side: Sequence[Series]) -> pl.DataFrame:
    """``item``, ``story`` and the mean ``score`` of the models, over the items that all of them were asked."""
    whole = reduce(
        lambda one, other: (
            one.join(other.select("item", "score"), on="item", suffix="_other", maintain_order="left")
            .with_columns(pl.col("score") + pl.col("score_other"))
            .drop("score_other")
        ),
        (one.items.select("item", "story", "score") for one in side),
    )
    return whole.with_columns(pl.col("score") / len(side))


def _against_chance(series: Sequence[Series]) -> Iterator[dict[str, Any]]:
    """Each model where a random answer can be right."""
    whole = list(_whole(series))
    chance = {one.question: one.items for one in whole if one.source.kind == "chance"}
    for one in whole:
        guessed = chance.get(one.question)
        if guessed is None or one.source.kind not in COMPARED:
            continue
        common = one.items.join(guessed, on="item", suffix="_chance", maintain_order="left")
        columns = (common[name].to_list() for name in ("score", "score_chance", "story"))
        found = None if common.is_empty() else above_chance(*columns)
        if found is not None:
            source, left = one.source, 1 - found.chance
            shared = {"task": source.task, "metric": one.metric, "presentation": one.presentation}
            yield _row("chance", source.dataset, shared, (source.model, "chance")) | {
                "items": found.items,
                "available": source.available,
                "stories": found.stories,
                "difference": found.mean * left,
                "low": None if found.low is None else found.low * left,
                "high": None if found.high is None else found.high * left,
                "p": found.p,
            }


def _whole(series: Sequence[Series]) -> Iterator[Series]:
    """Presentations that are parts of one question as one: who always says yes is right about half of the pairs."""
    parts: dict[str, list[Series]] = {}
    for one in series:
        if one.source.asked.weakest_counts:
            parts.setdefault(one.source.name, []).append(one)
        else:
            yield one
    for of_one in parts.values():
        yield replace(of_one[0], presentation="", answers=pl.concat(one.answers for one in of_one))


def _is_main(row: Mapping[str, Any], series: Sequence[Series]) -> bool:
    question = tuple(row[name] for name in ("dataset", "task", "metric", "presentation"))
    return any(one.question == question for one in series)


def _of_thinking(row: Mapping[str, Any]) -> dict[str, Any]:
    names = ("items", "available", "stories", "difference", "low", "high", "p", "adjusted")
    shared = {name: row[name] for name in ("task", "metric", "presentation")}
    found = _row("thinking", row["dataset"], shared, (row["thinking"], row["plain"]))
    return found | {name: row[name] for name in names}


def _row(claim: str, dataset: str, shared: Mapping[str, str], names: tuple[str, str]) -> dict[str, Any]:
    said = {name: shared.get(name) for name in ("task", "metric", "presentation", "model")}
    return {"claim": claim, "dataset": dataset, **said, "first": names[0], "second": names[1]}
