"""Tables of programs, own ontologies, costs and datasets, computed again for ``recomputed_tables``.

Nothing of nlfol is imported.
"""

from __future__ import annotations

import math

import polars as pl
from benchmarks.recomputed_run import COMPARED, Cells, Run, Shown, by_item, contrast, estimated, spread, table
from benchmarks.recomputed_statistics import Array, Estimate, average, of_sums, ratio

PLACE = ("dataset", "task", "model")


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


def _programs(run: Run, row: Shown) -> pl.DataFrame:
    return run.stage("programs", row, *PLACE).rows


RATES = ("dispersion", "dispersion_of_all", "collision")
SHARES = ("by_structure", "by_name", "table_precision", "table_recall")
REASONS = ("lost", "unparsable", "no_gold", "gold_unread", "internal_error")


@table("drift", "dataset task model")
def _drift(run: Run, row: Shown) -> Cells:
    programs = _programs(run, row)
    aligned = programs.filter(status="aligned")
    cells: Cells = {"answers": programs.height, "aligned": aligned.height}
    cells |= {reason: (programs["reason"] == reason).sum() for reason in REASONS}
    cells |= estimated("coverage", coverage(programs))
    for name in (*RATES, *SHARES):
        untold = design_untold(run, row["dataset"], name) if name in RATES else 2.0
        cells |= estimated(name, pooled(sums(aligned, name), is_rate=name in RATES, untold=untold))
    structure, named = sums(aligned, "by_structure"), sums(aligned, "by_name")
    cells |= estimated(
        "unaligned", pooled(structure.with_columns(part=pl.col("whole") - pl.col("part") - named["part"]))
    )
    least = sums(aligned, "least")
    cells["dispersion_least"] = quotient(least["part"], least["whole"])
    known = sums(aligned, "dispersion").filter(pl.col("whole") > 0)
    items = by_item(known.with_columns(score=pl.col("part") / pl.col("whole")))
    of_problem = items["score"].to_list(), [1.0] * items.height, items["story"].to_list()
    by_problem = ratio(*of_problem, is_rate=True, untold=1.0)
    return cells | estimated("dispersion_by_problem", by_problem) | _b_cubed(aligned)


def _b_cubed(aligned: pl.DataFrame) -> Cells:
    """The harmonic mean of B³'s pooled precision and recall."""
    both = sums(aligned, "precision").with_columns(recall=sums(aligned, "recall")["part"]).filter(pl.col("whole") > 0)
    grouped = both.group_by("item", maintain_order=True)
    items = grouped.agg(pl.col("story").first(), pl.col("part", "recall", "whole").sum())

    def harmonic(found: Array) -> float:
        precise, recalled, whole = found
        is_known = whole > 1e-9 and precise + recalled > 1e-9
        return float(2 * precise * recalled / (precise + recalled) / whole) if is_known else math.nan

    if items.is_empty():
        return spread("f", None)
    value, found = of_sums(items.select("part", "recall", "whole").to_numpy(), items["story"].to_list(), harmonic)
    if found is not None:
        return estimated("f", found)
    return spread("f", None if math.isnan(value) else value)


@table("consistency", "dataset task model")
def _consistency(run: Run, row: Shown) -> Cells:
    programs = _programs(run, row)
    aligned, one = programs.filter(status="aligned"), pl.lit(1.0)
    of_all = sums(programs.filter(pl.col("reason").fill_null("") != "no_gold"), "problems").with_columns(whole=one)
    right = programs.select("item", "story", part=pl.col("right").cast(pl.Float64), whole=one)
    return {
        "answers": programs.height,
        "aligned": aligned.height,
        **estimated("lines", pooled(sums(aligned, "lines"))),
        **estimated("one_map", pooled(sums(aligned, "one_map"))),
        "one_map_is_most": quotient(*sums(aligned, "one_map_is_most")["part", "whole"]),
        **estimated("problems", pooled(sums(aligned, "problems"))),
        **estimated("problems_of_answers", pooled(of_all)),
        **estimated("right", pooled(right)),
    }


def _of_models(run: Run, row: Shown) -> object:
    return run.of(row, "dataset task model")["kind"][0] in COMPARED


@table("stability", "dataset original task model presentation", family=_of_models, without="stories")
def _stability(run: Run, row: Shown) -> Cells:
    """Right answers, and symbols too many for a concept, on originals less those in other words, by item."""
    other = {**row, "dataset": row["original"]}
    sides = [run.of(side, "dataset task model presentation", metric="right") for side in (other, row)]
    cells = contrast(sides, "drop", ("right_original", "right"), "text glossary schema")
    cells["intensity"] = run.configuration["datasets"][row["dataset"]].get("intensity")
    if not row.get("dispersion_mean") and not row.get("dispersion_original_mean"):
        return cells
    files = [_programs(run, side) for side in (other, row)]
    return cells | _dispersions(files, ("dispersion_original", "dispersion"))


def _dispersions(files: list[pl.DataFrame], names: tuple[str, str]) -> Cells:
    """The dispersions of two sides, of answers aligned on both, where half of the mentions of both are."""
    if not all(map(is_covered, files)):
        return {**spread(names[0], None), **spread(names[1], None)}
    cells: Cells = {}
    for name, (own, beside) in zip(names, (files, files[::-1]), strict=True):
        cells |= estimated(name, pooled(sums(_both_aligned(own, beside), "dispersion"), is_rate=True))
    return cells


def _both_aligned(own: pl.DataFrame, beside: pl.DataFrame) -> pl.DataFrame:
    """Aligned programs for items and seeds of which the other side's are aligned, too."""
    key = beside.filter(status="aligned").select("item", "seed")
    return own.filter(status="aligned").join(key, on=["item", "seed"], how="semi", nulls_equal=True)


CONNECTIVES = ("negations", "conjunctions", "disjunctions", "exclusive_disjunctions", "implications", "equivalences")


@table("complexity", "dataset")
def _complexity(run: Run, row: Shown) -> Cells:
    """Means over usable sentences; kinds: distinct ones of a formula's operators and quantifiers."""
    rows = run.of_dataset(row["dataset"], "measures").to_dicts()
    operators = [each["operators"] for each in rows]
    quantified = [each for each in rows if each["quantifiers"] is not None]
    bound = [each["quantifiers"] for each in quantified]
    names = (*CONNECTIVES, "universal", "existential")
    kinds = [sum(bool(each[name]) for name in names) for each in rows if each["negations"] is not None]
    of_quantifiers = [bool(each["universal"]) + bool(each["existential"]) for each in quantified]
    return {
        "stories": len({each["story"] for each in rows}),
        "sentences": len(rows),
        "operators": average(operators),
        "quantifiers": average(bound),
        "atomic": average([not each["operators"] and not each["quantifiers"] for each in rows]),
        **{f"operators_{least}": average([count >= least for count in operators]) for least in (3, 4, 5)},
        **{f"quantifiers_{count}": average([min(each, 3) == count for each in bound]) for count in (0, 1, 2, 3)},
        "kinds": average(kinds),
        **{f"kinds_{least}": average([count >= least for count in kinds]) for least in (3, 4, 5)},
        **{f"quantifier_kinds_{count}": average([each == count for each in of_quantifiers]) for count in (1, 2)},
    }
