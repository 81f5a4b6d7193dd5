"""Tables of programs, own ontologies, costs and datasets, computed again for ``recomputed_tables``.

Nothing of nlfol is imported.
"""

from __future__ import annotations

import json
import math
from collections import Counter

import polars as pl
from benchmarks.recomputed_programs import coverage, design_untold, is_covered, pooled, quotient, sums
from benchmarks.recomputed_run import (
    COMPARED,
    PERTURBED,
    Cells,
    NoSuchRowError,
    Run,
    Shown,
    Stage,
    are_enough,
    by_item,
    contrast,
    estimated,
    kind_of,
    mean_of,
    paired,
    sample,
    shared,
    spread,
    table,
)
from benchmarks.recomputed_statistics import Array, average, further, of_sums, ratio

PLACE = ("dataset", "task", "model")
PLACES = " ".join(PLACE)


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


@table("causes", "dataset task model cause")
def _causes(run: Run, row: Shown) -> Cells:
    programs = _programs(run, row)
    is_cause = programs["cause"] == row["cause"].replace(" ", "_")
    shares = programs.select("item", "story", part=is_cause.cast(pl.Float64), whole=pl.lit(1.0))
    return {"answers": is_cause.sum(), "of": programs.height, **estimated("share", pooled(shares))}


@table("transitions", "first_dataset second_dataset first_task second_task model base")
def _transitions(run: Run, row: Shown) -> Cells:
    """Outcomes of answers to the same items under the same seeds."""
    models = {"first": row["base"] or row["model"], "second": row["model"]}
    sides = [{name: row.get(f"{side}_{name}", models[side]) for name in PLACE} for side in models]
    before, after = (_programs(run, side).select("item", "seed", "cause") for side in sides)
    free = "prompt schema examples" if row["first_dataset"] == row["second_dataset"] else "text glossary schema"
    if row["base"]:
        same = row["first_task"] == row["second_task"]
        free = f"model thinking sampling limits{'' if same else ' prompt schema examples'}"
    kept, _, pairs = paired((run.of(side, "dataset task model", metric="right") for side in sides), free)
    both = (
        kept.select("item", "seed").join(after, on=["item", "seed"]).join(before, on=["item", "seed"], suffix="_before")
    )
    counts = Counter(map(_change, both["cause_before"], both["cause"])) | Counter(pairs)
    named = {column: counts[column] for column in row if not column.startswith(("first", "second", "refused"))}
    return {**named, "answers": both.height}


def _change(before: str, after: str) -> str:
    drifted = ("drift", "drift_and_collision")
    if after == "right":
        return "right" if before == "right" else f"fixed_{'by_consistency' if before in drifted else 'otherwise'}"
    new = "newly_introduced" if before == "right" else "remaining"
    return f"{new}_{'without_consistency' if after in drifted else 'otherwise'}"


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


@table(
    "strategies", "dataset original model task strategy base_task base_strategy", family=_of_models, without="stories"
)
def _strategies(run: Run, row: Shown) -> Cells:
    """Right answers, and dispersion, of a strategy less those of another task of programs on the dataset."""
    base = {**row, "task": row["base_task"]}
    sides = [run.of(side, "dataset task model", metric="right") for side in (row, base)]
    may_differ = "examples" if row["strategy"] == row["base_strategy"] else "prompt schema examples"
    cells = contrast(sides, "gain", ("right", "right_base"), may_differ) | _further(run, row, sides, may_differ)
    files = [_programs(run, side) for side in (base, row)]
    return cells | _dispersions(files, ("dispersion_base", "dispersion"))


def _further(run: Run, row: Shown, sides: list[pl.DataFrame], may_differ: str) -> Cells:
    """The gain less that on the original, of items with pairs in both wordings."""
    if not row["original"]:
        return spread("further", None)
    of_original = {**row, "dataset": row["original"]}
    try:
        before = [run.of({**of_original, "task": row[name]}, PLACES, metric="right") for name in ("task", "base_task")]
    except NoSuchRowError:
        return spread("further", None)
    kept = [paired(each, may_differ)[:2] for each in (sides, before)]
    if not all(are_enough(one, *each) for (one, _), each in zip(kept, (sides, before), strict=True)):
        return spread("further", None)
    frames = [by_item(side) for both in kept for side in both]
    common = frames[0]
    for number, frame in enumerate(frames[1:]):
        common = common.join(frame.select("item", pl.col("score").alias(f"other_{number}")), on="item", how="inner")
    if common.is_empty():
        return spread("further", None)
    sides_of_both = [common[name].to_list() for name in ("score", "other_0", "other_1", "other_2")]
    value, low, high = further(sides_of_both, common["story"].to_list())
    return spread("further", value, None, low, high)


@table("types", "dataset original task model presentation")
def _types(run: Run, row: Shown) -> Cells:
    cells = _stability(run, row)
    return {name: cells[name] for name in ("items", "items_available", *spread("drop", None))}


TOKENS = ("prompt_tokens", "cached_tokens", "completion_tokens", "reasoning_tokens")


@table("costs", "model dataset task")
def _costs(run: Run, row: Shown) -> Cells:
    """Tokens and cost of requests, each counted once; relative to the first task of the kind over common requests."""
    file = run.stage("responses", row, *PLACE)
    named = file.rows.drop_nulls("request").unique("request", keep="last")
    requests = pl.concat([named, file.rows.filter(pl.col("request").is_null())])
    counted = requests.drop_nulls(["prompt_tokens", "completion_tokens"])
    price = json.loads(file.about["price"])
    cells: Cells = {
        "requests": requests.height,
        "uncounted": requests.height - counted.height,
        **{name: counted[name].sum() for name in TOKENS},
        "cost": None if price is None else counted["cost"].sum(),
    }
    if not row["against"]:
        return cells
    first = run.stage("responses", {**row, "task": row["against"]}, *PLACE)
    both = _spent(file).join(_spent(first), on=["item", "presentation", "seed"], suffix="_first")
    cells["common"] = both.height
    for name, column in (("prompt", "prompt_tokens"), ("completion", "completion_tokens"), ("cost", "cost")):
        ours, theirs = both[column], both[f"{column}_first"]
        is_known = not ours.null_count() and not theirs.null_count()
        cells[f"{name}_ratio"] = quotient(ours, theirs) if is_known else None
    return cells


def _spent(file: Stage) -> pl.DataFrame:
    """Tokens of all requests about an item, where those of each are known."""
    columns = ("prompt_tokens", "completion_tokens", "cost")
    spent = (pl.when(pl.col(name).null_count() == 0).then(pl.col(name).sum()).alias(name) for name in columns)
    return file.rows.group_by("item", "presentation", "seed").agg(*spent).drop_nulls(columns[:2])


@table("audit", "dataset task check")
def _audit(run: Run, row: Shown) -> Cells:
    """Faults counted again by the members that the audit names; what was not decided is not named."""
    items, audit = run.stage("items", row, "dataset", "task"), run.stage("audits", row, "dataset", "task")
    usable = items.rows.filter(status="usable").height
    (faults,) = audit.rows.filter(check=row["check"])["faults"].to_list()
    return {"sets": usable, "items": len({fault["item"] for fault in faults}), "pairs": len(faults)}


@table("edit_mix", "dataset task protocol role change edits")
def _edit_mix(run: Run, row: Shown) -> Cells:
    members = _members(run, row).filter(role=row["role"])
    number = members.filter(change=row["change"], edits=int(row["edits"])).height
    return {"members": number, "share": number / members.height}


@table("set_sizes", "dataset task protocol perturbations")
def _set_sizes(run: Run, row: Shown) -> Cells:
    sizes = _members(run, row).group_by("item").agg(count=pl.col("role").is_in(PERTURBED).sum())["count"]
    number = (sizes == int(row["perturbations"])).sum()
    return {"items": number, "share": number / len(sizes)}


def _members(run: Run, row: Shown) -> pl.DataFrame:
    items = run.stage("items", row, "dataset", "task")
    usable = items.rows.filter(status="usable").select("item", "candidates").explode("candidates")
    return usable.unnest("candidates").with_columns(pl.col("change").list.join(", "))


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


@table("diversity", "dataset source")
def _diversity(run: Run, row: Shown) -> Cells:
    """Repetitions of formulas and derivation trees, and the single edits that change the meaning."""
    if row["source"] == "published":
        return {}
    triples, measures = (run.of_dataset(row["dataset"], name) for name in ("triples", "measures"))
    usable = triples.filter(status="usable")
    trees = usable.drop_nulls("tree")
    shared = trees.filter(pl.col("formula").n_unique().over("tree") > 1).height
    of_trees = {"trees": trees["tree"].n_unique(), "trees_share": trees["tree"].n_unique() / max(1, usable.height)}
    detected, edits = (measures[name].cast(pl.Float64).to_list() for name in ("detected", "edits"))
    return {
        "items": usable.height,
        "refused": triples.height - usable.height,
        "formulas": usable["formula"].n_unique(),
        **(of_trees | {"sharing": shared} if trees.height else dict.fromkeys((*of_trees, "sharing"))),
        "constant": measures["constant"].sum(),
        "constant_unknown": measures["constant"].null_count(),
        "edits": measures["edits"].sum(),
        "undecided": measures["undecided"].sum(),
        **estimated("sensitivity", ratio(detected, edits, measures["story"].to_list())),
        "operators": average(measures["operators"].to_list()),
    }


OWN = ("equivalence", "sentences", "sentences_alone", "recall", "precision", "refined", "merged", "by_name")


def _of_pairs(_: Run, row: Shown) -> object:
    return row["p"] != ""


@table("ontologies", "dataset task scope model given", family=_of_pairs, without="stories")
def _ontologies(run: Run, row: Shown) -> Cells:
    """Own ontologies; the translations over the given one less these, by item or by whole story."""
    answers = run.of(row, "dataset task model")
    cells = {
        **sample(answers),
        **estimated("right", mean_of(by_item(answers.filter(metric="anchored"))), kind_of(answers)),
    }
    cells |= {metric: by_item(answers.filter(metric=metric))["score"].mean() for metric in OWN}
    if not row["given"]:
        return cells
    own, free = answers.filter(metric="sentences"), "prompt schema glossary examples"
    given = run.of(row, "dataset model", task=row["given"], metric="equivalence")
    if row["scope"] == "story":
        sizes = run.stage("items", row, "dataset", "task").rows
        whole = sizes.select(story="item", size=pl.col("candidates").list.len())
        means = pl.col("score").mean(), pl.col("unread").max(), shared(given, "several"), pl.len().alias("asked")
        of_story = given.group_by("story", "seed", maintain_order=True).agg(means)
        given = of_story.with_columns(item="story", available=pl.lit(0)).join(whole, on="story")
        given, free = given.filter(pl.col("asked") == pl.col("size")), f"{free} text candidates"
    found = contrast((given, own), means=("score_given", "score_own"), free=free)
    return {**found, **cells, "common": found["items"]}
