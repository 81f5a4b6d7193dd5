"""Tests of what the papers claim, each a paired comparison on the same items if not said otherwise.

A claim says which of two sides scores higher. Both sides are means over items; a side of several models has the mean of
their scores on each item. The difference, its interval and p-value are those of ``differences``; where the sides have
different chances, on any item, those of ``above_chance.above_difference``, as a guesser would score higher where
guessing is easier. Against chance itself they are those of ``above_chance``. Chance is that of each side's guesser
(``summary.guesser``). The p-values of one claim are one family and are adjusted together (``contrasts.adjust``), but
those of thinking: these pairs stand among the differences between models, too, where they are adjusted, so that a
comparison has one adjusted p-value.

Claims on other words, strategies and sizes are those of ``study_claims``. Of each task the leading metric counts. A
claim of which the experiment has one side alone makes no row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from typing import TYPE_CHECKING, cast

import polars as pl

from nlfol.facts import EQUIVALENCE, NEGATION, AnswerForm
from nlfol.results.analyses.analysis import Analysis, Given, Rows, grouped
from nlfol.results.analyses.task_agreement import choices_and_orders
from nlfol.results.statistics.above_chance import above_chance, above_difference
from nlfol.results.statistics.aligned import LEAST_COVERAGE
from nlfol.results.statistics.clusters import ROUNDING
from nlfol.results.statistics.contrasts import adjust, contrast, is_main
from nlfol.results.statistics.packed import Packed
from nlfol.results.statistics.pairing import COMPARISONS, pairs, shared
from nlfol.results.statistics.summary import COMPARED, Guessed, Series, guessed, guesser
from nlfol.results.tables import columns
from nlfol.results.tables.opening import Filter, Number
from nlfol.results.tables.table import Kind, TableForm
from nlfol_extras.analyses import study_claims
from nlfol_extras.analyses.claim_rows import CLAIMS, AboveChance, ClaimRow, NamedClaim, tested

if TYPE_CHECKING:
    from nlfol.results.analyses.comparisons import ThinkingRow

FORMULA, ENGLISH = "formula", "english"
AUDITED, PAPER = "audited", "paper"
SCORE, ABOVE_CHANCE = "score", "above_chance"
LEVEL = 0.05

WORDS = {
    "formula_dialogue": "Dialogue models rank formulas better than their English.",
    "formula_embedding": "Embedding models do better with English than with formulas.",
    "negation_dialogue": "Dialogue models put equivalents first more often than negations last.",
    "negation_embedding": "Embedding models put negations last more often than equivalents first.",
    "most_similar": "A model solves most similar more often than ranking.",
    "dialogue": "Dialogue models do better than embedding models.",
    "protocol": "Sets by the published procedure are easier than certified ones.",
    "thinking": "A model does better with thinking than without.",
    "chance": "A model does better than chance.",
    study_claims.WORDING: "A model solves problems more often than the same in other words.",
    study_claims.DISPERSION: "A model has more symbols for a concept in other words.",
    "tuned": "Instructions on names do better than none in other words.",
    "concept_table": "A table of concepts does better than none in other words.",
    study_claims.SIZE: "Smaller formulas keep their meaning more often in a round trip.",
}
"""Each claim in words: the first side scores higher; in the order of the rows."""

_COMPARISONS = {
    "formula_dialogue": "presentations",
    "formula_embedding": "presentations",
    "negation_dialogue": "metrics",
    "negation_embedding": "metrics",
    "most_similar": "tasks",
    "dialogue": "kinds",
    "protocol": "protocols",
}
"""Comparisons of the claims whose pairs are made here, see ``pairing.COMPARISONS``."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two sides of a claim, of which the first is claimed to score higher.

    ``shared`` are the columns that both have in common, of task, metric, presentation and model; ``names`` tell the
    sides apart.
    """

    claim: str
    shared: Sequence[str]
    names: tuple[str, str]
    sides: tuple[Sequence[Series], Sequence[Series]]


def claims(
    series: Iterable[Series], thinking: Iterable[ThinkingRow], of_studies: Iterable[ClaimRow] = ()
) -> list[ClaimRow]:
    """Return the rows of ``CLAIMS``, by claim and then in the order of the series.

    ``thinking`` are the rows of ``comparisons.THINKING`` for them, ``of_studies`` those of ``study_claims``.
    """
    every = [one for one in series if not one.is_empty]
    main = [one for one in every if one.metric == one.source.asked.metrics[0]]
    by_claim: defaultdict[str, list[ClaimRow]] = defaultdict(list)
    chances = guessed(every)
    # Most similar against ranking, which is solved less often (table 8).
    both = choices_and_orders(every)
    chosen_and_ranked = (_of_tasks("most_similar", ("presentation", "model"), *pair) for pair in both)
    for pair in (*_presentations(main), *_ends(every), *chosen_and_ranked, *_kinds(main), *_protocols(main)):
        by_claim[pair.claim].append(_compared(pair, chances))
    by_claim["chance"] = list(_against_chance(main))
    for study in of_studies:
        by_claim[study["claim"]].append(study)
    adjust(chain.from_iterable(by_claim.values()), "claim")
    by_claim["thinking"] = [_of_thinking(row) for row in thinking if is_main(row)]
    rows = [row for claim in WORDS for row in by_claim[claim]]
    for row in rows:
        row["data"] = row["data"] or verdict(row["difference"], row["adjusted"])
    return rows


def verdict(difference: float | None, adjusted: float | None) -> str:
    """Return what data say of a claim that a difference is above 0."""
    if difference is None:
        return "unpaired"
    if adjusted is None or adjusted >= LEVEL:
        return "open"
    return "holds" if difference > 0 else "contradicted"


def _presentations(series: Sequence[Series]) -> Iterator[_Pair]:
    """Yield formulas against English.

    Dialogue models read formulas better in ranking (table 3), embedding models English in both tasks (table 4).
    """
    for of_one in grouped(series, "dataset", "task", "model"):
        source, shown = of_one[0].source, {one.presentation: [one] for one in of_one}
        if source.asked.has_candidates and {FORMULA, ENGLISH} <= shown.keys():
            shared = ("task", "metric", "model")
            if source.kind == "chat" and source.asked.form is AnswerForm.ORDER:
                yield _Pair("formula_dialogue", shared, (FORMULA, ENGLISH), (shown[FORMULA], shown[ENGLISH]))
            if source.kind == "embedding":
                yield _Pair("formula_embedding", shared, (ENGLISH, FORMULA), (shown[ENGLISH], shown[FORMULA]))


def _ends(series: Sequence[Series]) -> Iterator[_Pair]:
    """Yield equivalents against negations.

    Dialogue models tell equivalents better (table 3), embedding models negations (table 4).
    """
    for of_one in grouped(series, "dataset", "task", "model", "presentation"):
        source, ends = of_one[0].source, {one.metric: [one] for one in of_one}
        if source.asked.form is AnswerForm.ORDER and {EQUIVALENCE, NEGATION} <= ends.keys():
            higher, lower = (EQUIVALENCE, NEGATION) if source.kind == "chat" else (NEGATION, EQUIVALENCE)
            claim = "negation_dialogue" if source.kind == "chat" else "negation_embedding"
            yield _Pair(claim, ("task", "presentation", "model"), (higher, lower), (ends[higher], ends[lower]))


def _kinds(series: Sequence[Series]) -> Iterator[_Pair]:
    """Yield dialogue models against embedding models, which score lower (tables 3 and 4)."""
    shared = ("task", "metric", "presentation")
    for models in grouped(series, "dataset", *shared):
        first, second = ([one for one in models if one.source.kind == kind] for kind in ("chat", "embedding"))
        if first and second:
            names = f"dialogue models ({len(first)})", f"embedding models ({len(second)})"
            yield _Pair("dialogue", shared, names, (first, second))


def _protocols(series: Sequence[Series]) -> Iterator[_Pair]:
    """Yield sets by the published procedure against certified ones, which are harder."""
    chosen = [one for one in series if one.source.asked.has_candidates]
    for of_one in grouped(chosen, "dataset", "task_kind", "model", "presentation"):
        protocols = ([one for one in of_one if one.source.protocol == protocol] for protocol in (PAPER, AUDITED))
        for first, second in product(*protocols):
            yield _of_tasks("protocol", ("metric", "presentation", "model"), first, second)


def _of_tasks(claim: str, shared: Sequence[str], first: Series, second: Series) -> _Pair:
    return _Pair(claim, shared, (first.source.task, second.source.task), ([first], [second]))


def _compared(pair: _Pair, chances: Guessed) -> ClaimRow:
    first, second = (_mean(side, name) for side, name in zip(pair.sides, pair.names, strict=True))
    made = pairs(first, second, COMPARISONS[_COMPARISONS[pair.claim]])
    available = min(one.source.available for side in pair.sides for one in side)
    figures = contrast(made, available)
    row: ClaimRow = {
        **_named(pair.claim, pair.sides[0][0], pair.shared, pair.names),
        **tested(figures.difference, figures.columns),
    }
    above = _above_chance(first, second, made.items, chances) if made.are_enough else None
    return row if above is None else {**row, **above}


def _above_chance(first: Series, second: Series, common: pl.DataFrame, chances: Guessed) -> AboveChance | None:
    """Return the columns of sides that differ in chance; None where they do not, or chance is not known."""
    for side, name in ((first, "chance"), (second, "chance_second")):
        expected = guesser(side, chances)
        if expected is None:
            return None
        scores = expected.items.select("item", pl.col("score").alias(name))
        common = common.join(scores, on="item", how="left", maintain_order="left")
    apart = (common["chance"] - common["chance_second"]).abs()
    if apart.null_count() or (apart < ROUNDING).all():
        return None
    one, other = ((common[f"score{end}"].to_list(), common[f"chance{end}"].to_list()) for end in ("", "_second"))
    above = above_difference(one, other, common["story"].to_list())
    if above is None:
        return None
    return {"compared": ABOVE_CHANCE, "difference": above.mean, "low": above.low, "high": above.high, "p": above.p}


def _mean(side: Sequence[Series], name: str) -> Series:
    """Return the mean score of the models, over the items that all of them were asked.

    What they were not all shown alike is named after the side, and so is nothing that the other side was shown.
    """
    if len(side) == 1:
        return side[0]
    parts = (part for one in side for part in one.packed.frames())
    shown = pl.concat(part.group_by("item").agg(pl.col("unread").sum(), shared(name)) for part in parts)
    shown = shown.group_by("item").agg(pl.col("unread").sum(), shared(name))
    listed = pl.concat(one.items.select("item", "story", "score") for one in side)
    averaged = listed.group_by("item", maintain_order=True).agg(
        pl.col("story").first(), pl.col("score").mean(), pl.len().alias("models")
    )
    averaged = averaged.filter(pl.col("models") == len(side)).join(shown, on="item", maintain_order="left")
    columns = "item", "story", pl.lit(None, pl.Int64).alias("seed"), "score", "unread", "shown"
    return replace(side[0], answers=averaged.select(columns))


def _against_chance(series: Sequence[Series]) -> Iterator[ClaimRow]:
    """Yield the rows of each model where its guesser can be right."""
    joined = list(_whole(series))
    chances = guessed(joined)
    for one in joined:
        expected = guesser(one, chances)
        if expected is None or one.source.kind not in COMPARED:
            continue
        common = one.items.join(expected.items, on="item", suffix="_chance", maintain_order="left")
        columns = (common[name].to_list() for name in ("score", "score_chance", "story"))
        above = None if common.is_empty() else above_chance(*columns)
        if above is not None:
            left = 1 - above.chance
            shared = ("task", "metric", "presentation")
            yield {
                **_named("chance", one, shared, (one.source.model, expected.source.model)),
                "items": above.items,
                "available": one.source.available,
                "stories": above.stories,
                "compared": SCORE,
                "pairs": one.packed.height,
                "refused": 0,
                "refusal": None,
                "unread": int(one.packed.frame("unread")["unread"].sum()),
                "unread_second": 0,
                "difference": above.mean * left,
                "raw": above.mean * left,
                "low": None if above.low is None else above.low * left,
                "high": None if above.high is None else above.high * left,
                "p": above.p,
                "adjusted": None,
                "data": "",
            }


def _whole(series: Sequence[Series]) -> Iterator[Series]:
    """Join presentations that are parts of one question: who always says yes is right about half of the pairs."""
    parts: dict[str, list[Series]] = {}
    for one in series:
        if one.source.asked.weakest_counts:
            parts.setdefault(one.source.name, []).append(one)
        else:
            yield one
    for of_one in parts.values():
        yield replace(of_one[0], presentation="", answers=Packed.joined(one.packed for one in of_one))


def _of_thinking(row: ThinkingRow) -> ClaimRow:
    return {
        "claim": "thinking",
        "dataset": row["dataset"],
        "task": row["task"],
        "metric": row["metric"],
        "presentation": row["presentation"],
        "model": None,
        "first": row["thinking"],
        "second": row["plain"],
        **tested(row["difference"], row),
        "adjusted": row["adjusted"],
        "data": "open" if _rests_on_unread(row) else "",
    }


def _rests_on_unread(row: ThinkingRow) -> bool:
    """Return whether a difference could be none if the answers of one side that are unread were right."""
    low, high = row["at_least_low"], row["at_most_high"]
    return row["difference"] is not None and (low is None or low <= 0) and (high is None or high >= 0)


def _named(claim: str, one: Series, shared: Sequence[str], names: tuple[str, str]) -> NamedClaim:
    return {
        "claim": claim,
        "dataset": one.source.dataset,
        "task": one.source.task if "task" in shared else None,
        "metric": one.metric if "metric" in shared else None,
        "presentation": one.presentation if "presentation" in shared else None,
        "model": one.source.model if "model" in shared else None,
        "first": names[0],
        "second": names[1],
    }


_SIDES = ("task", "presentation", "model")
_CLAIMS = {words: claim for claim, words in WORDS.items()}


def _opens(number: Number) -> Filter | None:
    """Choose both sides, by what they do not share: tasks, metrics, presentations, models, or kinds of models.

    The explorer compares no two datasets or sizes.
    """
    chosen = number.named("dataset", *_SIDES)
    sides = [number.row["first"], number.row["second"]]
    match _CLAIMS[str(number.row["claim"])]:
        case study_claims.WORDING | study_claims.DISPERSION | study_claims.SIZE:
            return None
        case "most_similar" | "protocol" | "tuned" | "concept_table":
            return chosen | {"task": sides, "common": "task"}
        case "thinking":
            return chosen | {"model": sides, "common": "model"}
        case "chance":
            return chosen | {"model": sides[0]}
        case _:
            return chosen


TABLE = TableForm(
    "claims",
    "Claims and what the data say",
    "Claims, each tested on the same items of both sides: mean of the first side less that of the second, with the "
    "interval at 95 % (clusters: stories).",
    (
        columns.text("dataset"),
        columns.column("claim", None, Kind.TEXT, lambda row: WORDS[row["claim"]]),
        *columns.texts(*_SIDES, "first", "second"),
        columns.sample(),
        columns.column("compared", None, Kind.TEXT, lambda row: row["compared"].replace("_", " ")),
        columns.difference(),
        columns.share("raw", "Of raw scores"),
        columns.p(),
        columns.p("adjusted", "Adjusted p"),
        columns.text("data", "The data say"),
        *columns.pairing(),
    ),
    (
        "Holds, contradicted: adjusted p below 0.05, and the first side is higher, or lower. Open: neither.",
        "Unpaired: no difference.",
        columns.PAIRING,
        *(COMPARISONS[name].note for name in ("presentations", "tasks", "kinds", "protocols")),
        "Of tasks the leading metric counts, if no other is named: accuracy of most similar, both ends of ranking.",
        "Most similar is tested against equivalence of ranking, as in the paper's table 8.",
        "Compared above chance, (score - chance) / (1 - chance), where the sides differ in chance: 0 for two guessers.",
        "Chance: a random answer; of dialogue models the reasoner, where the experiment has it.",
        "Several models: the mean of their scores on each item that all were asked.",
        f"{columns.TEST} Adjusted: by Holm over the rows of the claim.",
        "Other words, and strategies there: as in the tables of stability and strategies.",
        "A strategy is compared with plain instructions and the same examples, where a task has these.",
        "SoLT claims that instructions on names do no better than none.",
        "More symbols: dispersion of a program less that of the original's, on average over items.",
        f"“Mentions aligned”: less than {LEAST_COVERAGE:g} of them are in either wording, so nothing is compared.",
        "Smaller formulas: log-odds gained with half the size (of what stratifies generation); they make no pairs.",
        "Their raw scores: those of the smaller half of the items less those of the larger half.",
        "Thinking is open, too, if it could be no gain were the unread answers of one side right (at 95 %).",
        "Thinking is adjusted as in the table of differences, where these pairs stand, too.",
        "Claims with one side alone in the experiment make no row.",
        columns.SAMPLE,
    ),
    ("claims",),
    opens=_opens,
    nothing="No two sides of a claim were asked the same items.",
    paper=("claim", "task", "presentation", "model", "items", "difference", "adjusted", "data"),
)


def _claims(given: Given) -> list[ClaimRow]:
    series = given.series()
    main = [one for one in series if one.metric == one.source.asked.metrics[0] and not one.is_empty]
    of_studies = (
        *study_claims.in_other_words(given.frame("stability").to_dicts()),
        *study_claims.dispersed(main, given.programs(), given.setting("wordings")),
        *study_claims.by_strategy(given.frame("strategies").to_dicts()),
        *study_claims.by_size(main, given.measures()),
    )
    return claims(series, cast("list[ThinkingRow]", given.frame("thinking").to_dicts()), of_studies)


ANALYSIS = Analysis(rows=(Rows(CLAIMS, _claims),), tables=(TABLE,))
