"""Attribution of broken round trips to informalization or autoformalization.

A model that goes round trips on generated formulas and also formalizes the *certified* English of the same formulas is
asked about each item in both ways, with the same prompt (``prompt: formalization``). A broken chain is charged to
informalization where the model gave no English, or where it formalizes the certified English rightly: with right
English it would have come back. All others are charged to formalization.

∀uto∃∨∧L (section 3) bounds false positives, chains that come back after n rounds though the English was wrong, by::

    ((1 - p_I) (1 - p_A) p_H) ** n

with p_I and p_A the chances of a right informalization and formalization, and p_H that of getting back to the meaning
from wrong English by a wrong formalization. Here p_A is measured, on the certified English. p_I is bounded. A chain is
true only where its English is right, or by a false positive, which takes a wrong formalization; and where both halves
are right it is true. With q_I and q_A the chances of one item::

    truth <= E[q_I] + E[1 - q_A]              so    p_I >= truth - (1 - p_A)
    truth >= E[q_I q_A] >= p_I p_A            so    p_I <= truth / p_A

The first holds however the halves go together, the second where an item that is hard to put into English is no easier
to formalize than others, and where the English of the model is as hard to formalize as the certified one. Of chains
only those count as true that copied nothing (``truth_uncopied``).

A model that also formalizes the certified English of *edited* formulas shows p_H: of its wrong formalizations there,
the share that say the formula before the edit. With p_R the share of all that do::

    truth = p_I p_A + (1 - p_I) p_R           so    p_I = (truth - p_R) / (p_A - p_R)

if the halves fail independently, and wrong English is off by a single edit, the least that English can be. Large items
are hard for both halves, so p_I is estimated within the sizes of items, by the measure that generation was stratified
by, and averaged with the items of each size as weights: of at most five sizes, of about as many items, 20 or more; over
all at once where a task asked none of a size. What else makes items difficult lets the halves go together, too, and the
estimate is too high: no sample tells by how much.
Its interval is therefore that of the bounds, from the lower end of the least to the upper end of the greatest, which
holds p_I however difficult items are (``benchmarks/attribution.py``). The bound on false positives takes p_I at its
least; without edited formulas, p_H is taken as 1.

Under two seeds or more the answers themselves tell how far items vary and how far the halves go together, if both are
normal in logits: ``statistics.halves`` fits p_I by likelihood. Its interval is a quarter as wide, and holds as far as
that model does; the bounds hold without it.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypedDict, cast

import numpy as np
import numpy.typing as npt
import polars as pl

from nlfol.facts import COPIED, RETURNED, TRUTH_UNCOPIED, AnswerForm
from nlfol.results.analyses.analysis import Analysis, Rows
from nlfol.results.statistics.clusters import clustered_mean, ratio
from nlfol.results.statistics.differences import difference_of_means, quotient
from nlfol.results.statistics.halves import Halves, right_english
from nlfol.results.statistics.summary import Origin
from nlfol.results.tables import columns
from nlfol.results.tables.opening import nothing
from nlfol.results.tables.table import TableForm
from nlfol.store.columns import Ends, Interval, KnownInterval, row_schema, with_ends
from nlfol.store.schemas import CATEGORY


class _Named(TypedDict):
    # Entries of the round trip, and of the translation of the certified English.
    dataset: str
    task: str
    formalized: str
    model: str
    presentation: str


class _Figures(TypedDict):
    rounds: int
    items: int  # items asked in both
    stories: int
    seeds: int
    # Items × seeds; those not true after the first round, and of these those without an answer in English.
    chains: int
    broken: int
    no_english: int
    # broken chains by the half that they are charged to
    informalization: int
    formalization: int
    share: Interval  # of broken chains, the part charged to informalization
    # after the first round; of formalized certified English
    truth: KnownInterval
    p_a: KnownInterval
    edited: str | None  # the entry of the translation of edited formulas' certified English
    # null without such an entry
    p_h: Interval
    p_i: Interval
    # with the intervals of these bounds
    p_i_least: Interval
    p_i_most: Interval
    p_i_fitted: Interval  # by likelihood; null also under one seed, which tells no more than the bounds
    truth_last: float  # after the last round
    bound: float | None  # of false positives after the last round


class AttributionRow(_Named, _Figures):
    """One row a generated dataset, round trip, translation, model and presentation."""


ATTRIBUTIONS = row_schema("attributions", 3, AttributionRow)

Loaded = tuple[Origin, pl.DataFrame]

_LEAST_ITEMS, _MOST_SIZES = 20, 5
"""Items of a size, and sizes, within which p_I is estimated."""


def attributions(loaded: Iterable[Loaded], measures: Mapping[str, pl.DataFrame]) -> list[AttributionRow]:
    """Return the rows of ``ATTRIBUTIONS``, in the order of the round trips.

    Translations are by the prompt of round trips, with or without examples as these; of those of edited formulas the
    first counts.
    """
    sizes = {dataset: _sizes(frame) for dataset, frame in measures.items()}
    formalized: dict[tuple[Any, ...], list[Loaded]] = {}
    edited: dict[tuple[Any, ...], Loaded] = {}
    for source, presentation, scores in _presented(loaded, AnswerForm.FORMULA):
        key = source.dataset, source.model, presentation
        if RETURNED in scores["metric"]:
            edited.setdefault(key, (source, scores))
        else:
            formalized.setdefault(key, []).append((source, scores))
    rows: list[AttributionRow] = []
    for source, presentation, trips in _presented(loaded, AnswerForm.CHAIN):
        key = source.dataset, source.model, presentation
        for other, translations in formalized.get(key, []):
            right = translations.filter(pl.col("metric") == other.asked.metrics[0])
            row = _row(trips, right, edited.get(key), sizes[source.dataset])
            if row is not None:
                named: AttributionRow = {
                    "dataset": source.dataset,
                    "task": source.task,
                    "formalized": other.task,
                    "model": source.model,
                    "presentation": presentation,
                    **row,
                }
                rows.append(with_ends(AttributionRow, named))
    return rows


def _presented(loaded: Iterable[Loaded], form: AnswerForm) -> Iterator[tuple[Origin, Any, pl.DataFrame]]:
    """Yield the scores of dialogue models in tasks of a form, by presentation; "" is of a task's own prompt."""
    for source, scores in loaded:
        if source.asked.form is form and source.kind == "chat":
            for (presentation,), frame in scores.group_by("presentation", maintain_order=True):
                yield source, presentation, frame


def _sizes(measures: pl.DataFrame) -> pl.DataFrame:
    """Return the size of each item: of few sizes, with about as many items each."""
    count = max(1, min(_MOST_SIZES, measures.height // _LEAST_ITEMS))
    return measures.select("item", size=(pl.col(CATEGORY).rank("min") - 1) * count // measures.height)


def _row(trips: pl.DataFrame, right: pl.DataFrame, edited: Loaded | None, sizes: pl.DataFrame) -> _Figures | None:
    """Return what both say together of the items and seeds that they share; None where there are none."""
    last = trips.filter(pl.col("metric").str.split("@").list.first() == TRUTH_UNCOPIED)
    rounds = int(last["round"].max())  # type: ignore[arg-type]  # of integers, of which there are some
    key = ["item", "seed"]
    chains = (
        trips.filter(pl.col("metric") == TRUTH_UNCOPIED)
        .select(*key, "story", truth="score")
        .join(trips.filter(pl.col("metric") == COPIED).select(*key, english="outcome"), on=key, nulls_equal=True)
        .join(last.filter(pl.col("round") == rounds).select(*key, last="score"), on=key, nulls_equal=True)
        .join(right.select(*key, right="score"), on=key, nulls_equal=True, maintain_order="left")
    )
    if chains.is_empty():
        return None
    broken = pl.col("truth") == 0
    silent = broken & (pl.col("english") != "answered")
    chains = chains.with_columns(
        broken=broken.cast(pl.Float64),
        silent=silent.cast(pl.Float64),
        charged=(silent | (broken & (pl.col("right") == 1))).cast(pl.Float64),
    )
    items = chains.group_by("item", maintain_order=True).agg(
        pl.col("story").first(), pl.col("truth", "last", "right", "broken", "charged").mean(), answers=pl.len()
    )
    stories = items["story"].to_list()
    truth, p_a = (clustered_mean(items[name].to_list(), stories) for name in ("truth", "right"))
    broken_chains = int(chains["broken"].sum())
    least, most = _bounds(items, p_a.mean)
    name, p_h, p_i, fitted = _cancelling(items, edited, sizes)
    kept = 1.0 if p_h.mean is None else p_h.mean
    bound = None if least.mean is None else false_positives(least.mean, p_a.mean, rounds, kept)
    charged, all_broken = items["charged"].to_list(), items["broken"].to_list()
    return {
        "rounds": rounds,
        "items": truth.items,
        "stories": truth.stories,
        "seeds": chains["seed"].n_unique(),
        "chains": chains.height,
        "broken": broken_chains,
        "no_english": int(chains["silent"].sum()),
        "informalization": int(chains["charged"].sum()),
        "formalization": broken_chains - int(chains["charged"].sum()),
        "share": ratio(charged, all_broken, stories).ends if broken_chains else None,
        "truth": truth.ends,
        "p_a": p_a.ends,
        "edited": name,
        "p_h": p_h,
        "p_i": None if p_i is None else Ends(p_i, least.low, most.high),
        "p_i_least": least,
        "p_i_most": most,
        "p_i_fitted": fitted,
        "truth_last": cast("float", items["last"].mean()),
        "bound": bound,
    }


def _cancelling(
    items: pl.DataFrame, edited: Loaded | None, sizes: pl.DataFrame
) -> tuple[str | None, Ends, float | None, Ends]:
    """Return the entry of the translation of edited formulas, p_H, and p_I by it, from means and by likelihood."""
    if edited is None:
        return None, Ends(), None, Ends()
    p_h, p_i = Ends(), None
    source, scores = edited
    right, returned = (
        scores.filter(pl.col("metric") == metric).select("item", "story", "seed", score=pl.col("score"))
        for metric in (source.asked.metrics[0], RETURNED)
    )
    by_item = (
        right.join(returned.select("item", "seed", returned="score"), on=["item", "seed"], nulls_equal=True)
        .group_by("item", maintain_order=True)
        .agg(
            pl.col("story").first(),
            wrong=1 - pl.col("score").mean(),
            returned=pl.col("returned").mean(),
            answers=pl.len(),
        )
    )
    if by_item["wrong"].sum():
        stories = by_item["story"].to_list()
        p_h = ratio(by_item["returned"].to_list(), by_item["wrong"].to_list(), stories).ends
    asked = items.select("item", "truth", "right", items=pl.lit(1.0), returned=pl.lit(0.0), edited=pl.lit(0.0))
    of_edited = by_item.select(
        "item", truth=pl.lit(0.0), right=pl.lit(0.0), items=pl.lit(0.0), returned="returned", edited=pl.lit(1.0)
    )
    both = pl.concat([asked, of_edited]).join(sizes, on="item").drop("item")
    by_size = both.group_by("size", maintain_order=True).sum()
    if not by_size.select(pl.all_horizontal(pl.col("items", "edited") > 0).all()).item():
        by_size = both.sum()
    values = _right_english(by_size.drop("size").to_numpy())
    if not np.isnan(values).any():
        p_i = float(np.average(values.clip(0, 1), weights=by_size["items"]))
    seeds = items["answers"].to_numpy().astype(np.float64)
    true, right_ones = (np.rint(items[name].to_numpy() * seeds) for name in ("truth", "right"))
    wrong, back = by_item.select(pl.col("wrong", "returned").dot("answers")).row(0)
    return source.task, p_h, p_i, right_english(Halves(seeds, true, right_ones, wrong, back))


def _right_english(sums: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return p_I of each row of sums: truth, right formalizations and items; those that returned, and edited items."""
    truth, right, items, returned, edited = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        back = returned / edited
        above = right / items - back
        estimate: npt.NDArray[np.float64] = np.where(above > 0, (truth / items - back) / above, np.nan)
    return estimate


def _bounds(items: pl.DataFrame, p_a: float) -> tuple[Ends, Ends]:
    """Return the bounds of p_I."""
    if not p_a:
        return Ends(), Ends()
    true, right, stories = (items[name].to_list() for name in ("truth", "right", "story"))
    least = difference_of_means(true, [1 - value for value in right], stories)
    most = quotient(true, right, stories)
    return _clipped(*least), _clipped(*most)


def _clipped(*values: float | None) -> Ends:
    """Return a share with the ends of its interval, in [0, 1]."""
    return Ends(*(None if value is None else min(1.0, max(0.0, value)) for value in values))


def false_positives(p_i: float, p_a: float, rounds: int, p_h: float = 1.0) -> float:
    """Return the bound of ∀uto∃∨∧L on the share of chains that come back after so many rounds from wrong English."""
    return float(((1 - p_i) * (1 - p_a) * p_h) ** rounds)


_P_H = "p_H: of wrong formalizations of the English of edited formulas, the share that say the formula before."

_READ = "item story presentation seed metric round score outcome"

ANALYSIS = Analysis(
    rows=(Rows(ATTRIBUTIONS, lambda given: attributions(given.loaded(_READ, "round_trip_scores"), given.measures())),),
    tables=(
        TableForm(
            "attribution",
            "Which half breaks round trips",
            "Broken chains by the half that they are charged to: informalization where the model formalizes the "
            "certified English of the same item rightly, or gave no English; else formalization.",
            (
                *columns.texts("dataset", "task"),
                columns.text("formalized", "Formalized as"),
                *columns.texts("model", "presentation"),
                *columns.counts("items", "chains", "broken", "no_english", "informalization", "formalization"),
                columns.interval("share", "Share of informalization"),
                columns.interval("truth"),
                columns.interval("p_a", "p_A"),
                columns.interval("p_h", "p_H"),
                columns.interval("p_i_least", "p_I at least"),
                columns.interval("p_i_most", "p_I at most"),
                columns.interval("p_i", "p_I if the halves fail independently within a size"),
                columns.interval("p_i_fitted", "p_I by likelihood"),
                columns.count("rounds"),
                columns.share("truth_last", "Truth after all rounds"),
                columns.share("bound", "False positives at most"),
            ),
            (
                "Chains: items × seeds that both tasks asked. All but the last two columns are of the first round.",
                f"Intervals at 95 %: {columns.MADE}. Those of the bounds of p_I: Newcombe's, of truth and p_A.",
                "That of p_I reaches over both bounds.",
                "Truth: of chains that copied nothing. p_A: share of the certified English that is formalized rightly.",
                "p_I, the share of formulas put into English rightly, is bounded: at least truth - (1 - p_A),",
                "and at most truth / p_A where the halves fail independently or on the same items.",
                _P_H,
                "p_I by it: if wrong English is off by one edit and the halves fail independently within a size of",
                "items; else it is less. It is the mean of the sizes' estimates, by their items.",
                "p_I by likelihood: logits of both halves bivariate normal over items, which count as independent.",
                "It takes two seeds; one tells no more than the bounds, which hold without this model.",
                "False positives at most: (1 - p_I)(1 - p_A) p_H to the power of the rounds (∀uto∃∨∧L, section 3).",
                "p_I is at its least there, and p_H 1 where it is not measured.",
            ),
            ("attributions",),
            opens=nothing,
            nothing="No model both goes round trips and formalizes the certified English of the same formulas.",
        ),
    ),
)
