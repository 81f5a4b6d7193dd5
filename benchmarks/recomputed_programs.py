"""Sums of aligned programs, for ``recomputed_files`` and ``recomputed_claims``. Nothing of nlfol is imported."""

from __future__ import annotations

import math

import polars as pl
from benchmarks.recomputed_run import COMPARED, Run
from benchmarks.recomputed_statistics import Estimate, ratio


def sums(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    """The two sums of a measure of each program: a quotient's parts, so that quotients can be pooled."""
    parts = pl.col(name).struct
    part, whole = parts.field("sum").fill_null(0.0), parts.field("of").fill_null(0).cast(pl.Float64)
    return rows.select("item", "story", part=part, whole=whole)


def quotient(part: pl.Series, whole: pl.Series) -> float | None:
    """Return a sum over another; None where that is 0."""
    below = math.fsum(whole)
    return math.fsum(part) / below if below else None


def pooled(parts: pl.DataFrame, *, is_rate: bool = False, untold: float = 2.0) -> Estimate | None:
    """Sums over sums, those of an item's seeds together."""
    items = parts.group_by("item", maintain_order=True).agg(pl.col("story").first(), pl.col("part", "whole").sum())
    return ratio(*(items[name].to_list() for name in ("part", "whole", "story")), is_rate=is_rate, untold=untold)


def design_untold(run: Run, dataset: str, name: str) -> float:
    """The mean design effect, of 1 at least, of models with events on a dataset; 2 without such."""
    found = []
    for file in run.stages(f"programs/{dataset}/*/*.arrow"):
        if file.about["kind"] in COMPARED:
            events = pooled(sums(file.rows.filter(status="aligned"), name), is_rate=True)
            if events is not None and events.value and events.design is not None:
                found.append(events.design)
    return max(1.0, math.fsum(found) / len(found)) if found else 2.0


def coverage(programs: pl.DataFrame) -> Estimate | None:
    """Share of the mentions that are aligned, of answers that can be held to a gold program; 0 where none is."""
    held = programs.filter(~pl.col("reason").fill_null("").is_in(("no_gold", "gold_unread", "internal_error")))
    structure, named = sums(held, "by_structure"), sums(held, "by_name")
    aligned = pl.when(pl.col("whole") > 0).then((pl.col("part") + named["part"]) / pl.col("whole")).otherwise(1.0)
    is_aligned = held["status"] == "aligned"
    return pooled(structure.with_columns(part=pl.when(is_aligned).then(aligned).otherwise(0.0), whole=pl.lit(1.0)))


def is_covered(programs: pl.DataFrame) -> bool:
    """Return True if half of the mentions are aligned, so that dispersions are compared."""
    found = coverage(programs)
    return found is not None and found.value >= 0.5
