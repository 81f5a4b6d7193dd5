"""Which half broke a round trip: putting a formula into English, or putting the English into a formula.

A model that goes round trips on generated formulas and also formalizes the *certified* English of the same formulas is
asked about each item in both ways. A broken chain is charged to informalization where the model gave no English, or
where it formalizes the certified English rightly: with right English it would have come back. All others are charged to
formalization.

∀uto∃∨∧L (section 3) bounds false positives, chains that come back after n rounds though the English was wrong, by::

    ((1 - p_I) (1 - p_A) p_H) ** n

with p_I and p_A the chances of a right informalization and formalization, and p_H that of getting back to the meaning
from wrong English. Here p_A is measured, on the certified English. p_H is not: it is taken as 1. p_I is bounded. A
chain is true only where its English is right, or by a false positive; and where both halves are right it is true::

    truth <= p_I + (1 - p_I) (1 - p_A)        so    p_I >= (truth - (1 - p_A)) / p_A
    truth >= p_I p_A                          so    p_I <= truth / p_A

The second holds where the halves fail independently, or rather on the same items, and where the English of the model is
as hard to formalize as the certified one. The bound takes p_I at its least.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from nlfol.statistics.clusters import clustered_error, clustered_mean, ratio, student_quantile
from nlfol.statistics.summary import Origin
from nlfol.tasks.round_trip import COPIED, TRUTH, RoundTrip

Loaded = tuple[Origin, pl.DataFrame]


def attributions(loaded: Sequence[Loaded]) -> list[dict[str, Any]]:
    """The rows of ``round_trip_schemas.ATTRIBUTIONS``, in the order of the round trips.

    Args:
        loaded: scores of round trips and of translations of the same generated datasets' certified English.
    """
    formalized: dict[tuple[str, str], list[Loaded]] = {}
    for source, scores in loaded:
        if source.asked.form == "formula" and source.kind == "chat":
            formalized.setdefault((source.dataset, source.model), []).append((source, scores))
    rows = []
    for source, scores in loaded:
        if source.asked is not RoundTrip or source.kind != "chat":
            continue
        for other, translations in formalized.get((source.dataset, source.model), []):
            right = translations.filter(pl.col("metric") == other.asked.metrics[0])
            for (presentation,), trips in scores.group_by("presentation", maintain_order=True):
                row = _row(trips, right)
                if row is not None:
                    said = {"dataset": source.dataset, "task": source.task, "formalized": other.task}
                    rows.append({**said, "model": source.model, "presentation": presentation, **row})
    return rows


def _row(trips: pl.DataFrame, right: pl.DataFrame) -> dict[str, Any] | None:
    """What both say together of the items and seeds that they share; None where there are none."""
    last = trips.filter(pl.col("metric").str.split("@").list.first() == TRUTH)
    rounds = int(last["round"].max())  # type: ignore[arg-type]  # of integers, of which there are some
    key = ["item", "seed"]
    chains = (
        trips.filter(pl.col("metric") == TRUTH)
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
        pl.col("story").first(), pl.col("truth", "last", "right", "broken", "charged").mean()
    )
    stories = items["story"].to_list()
    truth, p_a = (clustered_mean(items[name].to_list(), stories) for name in ("truth", "right"))
    found: dict[str, Any] = {
        "rounds": rounds,
        "items": truth.items,
        "stories": truth.stories,
        "seeds": chains["seed"].n_unique(),
        "chains": chains.height,
        "broken": int(chains["broken"].sum()),
        "no_english": int(chains["silent"].sum()),
        "informalization": int(chains["charged"].sum()),
        "formalization": int(chains["broken"].sum()) - int(chains["charged"].sum()),
        **dict.fromkeys(("share", "share_low", "share_high")),
        **_with_interval("truth", truth),
        **_with_interval("p_a", p_a),
        "truth_last": items["last"].mean(),
    }
    if found["broken"]:
        found |= _with_interval("share", ratio(items["charged"].to_list(), items["broken"].to_list(), stories))
    return found | _bounds(items, p_a.mean, rounds)


def _with_interval(name: str, mean: Any) -> dict[str, float | None]:
    return {name: mean.mean, f"{name}_low": mean.low, f"{name}_high": mean.high}


def _bounds(items: pl.DataFrame, p_a: float, rounds: int) -> dict[str, float | None]:
    """Of p_I, and of false positives."""
    if not p_a:
        bounds = (f"{name}{end}" for name in ("p_i_least", "p_i_most") for end in ("", "_low", "_high"))
        return dict.fromkeys((*bounds, "bound"))
    true, right, stories = items["truth"].to_numpy(), items["right"].to_numpy(), items["story"].to_list()
    lost, lost_half = _ratio(1 - true, right, stories)
    kept, kept_half = _ratio(true, right, stories)
    least = _clipped("p_i_least", 1 - lost, lost_half)
    bound = false_positives(max(0.0, 1 - lost), p_a, rounds)
    return {**least, **_clipped("p_i_most", kept, kept_half), "bound": bound}


def _ratio(
    parts: npt.NDArray[np.float64], wholes: npt.NDArray[np.float64], stories: Sequence[str]
) -> tuple[float, float | None]:
    """The ratio of two means that may exceed 1, and half its interval; None for one story."""
    value = float(parts.sum() / wholes.sum())
    # To first order (the delta method), its error is that of the mean of these.
    _, error, groups = clustered_error((parts - value * wholes) / wholes.mean(), stories)
    return value, None if error is None else student_quantile(groups) * error


def _clipped(name: str, value: float, half: float | None) -> dict[str, float | None]:
    """A share with its interval, in [0, 1]."""
    ends = (None, None) if half is None else (value - half, value + half)
    clipped = [None if each is None else min(1.0, max(0.0, each)) for each in (value, *ends)]
    return dict(zip((name, f"{name}_low", f"{name}_high"), clipped, strict=True))


def false_positives(p_i: float, p_a: float, rounds: int, p_h: float = 1.0) -> float:
    """The bound of ∀uto∃∨∧L on the share of chains that come back after so many rounds from wrong English."""
    return float(((1 - p_i) * (1 - p_a) * p_h) ** rounds)
