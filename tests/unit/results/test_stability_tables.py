"""Tables of problems in other words, and published figures beside them, by hand."""

from typing import Any

import polars as pl
from tests.stored import frame, marks, records
from tests.unit.results.worked_out import published_beside

from nlfol.results.analyses.analysis import schema_of
from nlfol.results.analyses.drift import CAUSES, CAUSES_TABLE, DRIFT
from nlfol.results.analyses.stability import (
    STABILITY,
    STABILITY_TABLE,
    TYPES_TABLE,
    intensity_figure,
    stability_figure,
)
from nlfol.results.tables.table import Sample, Score
from nlfol_extras.analyses.transitions import TABLE as TRANSITIONS_TABLE
from nlfol_extras.analyses.transitions import TRANSITIONS, transitions_figure

ORIGINAL = {"reader": "proofwriter"}
WHOLE = {
    "original": "pw",
    "procedure": "audited",
    "intensity": 1.0,
    "types": [],
    "forms": None,
    "glossary": False,
    "decoys": 0,
}
JOB = {"task": "mine", "task_kind": "program", "protocol": None, "strategy": "direct", "model": "gpt-4", "kind": "chat"}


def drifted(dataset: str, **given: Any) -> dict[str, Any]:
    figures = {"right": 0.5, "right_low": 0.25, "right_high": 0.75, "dispersion": 0.125, "lines": 0.625}
    return {**ORIGINAL, **JOB, "dataset": dataset, "language": "formulas", **figures, **given}


def dropped(dataset: str, drop: float, **given: Any) -> dict[str, Any]:
    both = {"right_original": 0.75, "right": 0.75 - drop, "drop": drop, "adjusted": 0.04, "presentation": ""}
    return {**ORIGINAL, **WHOLE, **JOB, "dataset": dataset, **both, "items": 8, "available": 12, **given}


def test_stability_table_describes_wording_and_bolds_sure_drop() -> None:
    every = frame(
        STABILITY,
        dropped("pw_half", 0.25, intensity=0.5, forms=2, glossary=True, decoys=2),
        dropped("pw_voice", 0.5, types=["voice"], at_most=2, adjusted=None, presentation="english"),
    )
    first, second = records(STABILITY_TABLE.table(every))
    assert (first["intensity"], first["wording"], first["presentation"]) == (
        0.5,
        "2 forms a concept; glossary; decoys 2",
        None,
    )
    assert first["drop"] == Score(0.25, None, None, None, best=True)
    assert (second["wording"], second["drop"].best) == ("voice; at most 2", False)
    (alone,) = records(TYPES_TABLE.table(every))
    assert (alone["type"], alone["at_most"], alone["drop"].mean) == ("voice", 2, 0.5)


def test_causes_and_transitions_tables_have_expected_columns() -> None:
    counted = [
        {**JOB, "dataset": "pw", "cause": cause, "answers": n, "of": 5, "share": n / 5}
        for cause, n in (("right", 3), ("drift", 2))
    ]
    found = records(CAUSES_TABLE.table(frame(CAUSES, *counted)))
    assert [(row["cause"], row["answers"], row["of"], row["share"].mean) for row in found] == [
        ("right", 3, 5, 0.6),
        ("drift", 2, 5, 0.4),
    ]
    said = {f"{place}_{name}": f"{name} {place}" for place in ("first", "second") for name in ("dataset", "task")}
    said |= {"between": "tasks", "first_strategy": "direct", "second_strategy": "concept_table"}
    moved = [
        {**said, "model": "m", "kind": "chat", "before": "drift", "after": after, "change": change, "answers": n}
        for after, change, n in (("right", "fixed_by_consistency", 4), ("drift", "remaining_without_consistency", 1))
    ]
    same = {**said, "model": "m", "kind": "chat", "before": "right", "after": "right", "change": None, "answers": 5}
    (row,) = records(TRANSITIONS_TABLE.table(frame(TRANSITIONS, *moved, same)))
    assert (row["answers"], row["right"], row["fixed_by_consistency"], row["remaining_without_consistency"]) == (
        *(10, 5, 4, 1),
    )
    figure = transitions_figure(frame(TRANSITIONS, *moved, same))
    assert [(mark["panel"], mark["case"], mark["answers"]) for mark in marks(figure)] == [
        ("dataset second: task first → task second", "fixed by consistency", 4),
        ("dataset second: task first → task second", "remaining without consistency", 1),
    ]


def figures_of(*wanted: tuple[str, str, str, str]) -> pl.DataFrame:
    said = {"paper": "solt", "table": "3", "model": "gpt-4", "mean": 0.25}
    said |= dict.fromkeys(("second", "deviation", "items"))
    names = ("dataset", "task", "metric", "presentation")
    return pl.DataFrame([said | dict(zip(names, each, strict=True)) for each in wanted], infer_schema_length=None)


def test_published_comparison_skips_low_coverage_dispersion() -> None:
    figures = figures_of(("proofwriter_prover", "direct", "dispersion", "original"))
    for coverage, rows in ((0.5, 1), (0.4, 0)):
        drift = frame(DRIFT, drifted("pw", coverage=coverage))
        assert len(published_beside(figures, drift=drift)) == rows


def test_published_drift_matches_by_reader_strategy_and_wording() -> None:
    """Whatever datasets and tasks are called here; other wordings than the paper's are beside no figure."""
    drift = frame(
        DRIFT,
        drifted("pw"),
        drifted("said", **WHOLE, right=0.25, lines=1, one_map=0.375, language="clauses"),
        drifted("half", **{**WHOLE, "intensity": 0.5}),
        drifted("glossed", **{**WHOLE, "glossary": True}),
        drifted("folio", reader="family"),
    )
    two = {"types": ["reference"], "at_most": 2}
    drops = frame(
        STABILITY,
        *(dropped(name, drop, **two) for name, drop in (("one", 0.25), ("other", 0.5))),
        dropped("more", 1.0, types=["reference"]),
        dropped("own", 1.0, **two, reader="family"),
    )
    wanted = [
        *(("proofwriter_prover", "direct", metric, "original") for metric in ("accuracy_percent", "dispersion")),
        *(("proofwriter_rules", "direct", metric, "diversified") for metric in ("accuracy_percent", "consistency")),
        ("", "direct", "accuracy_drop_third_person", "diversified"),
        ("folio", "direct", "accuracy_percent", "original"),
        ("proofwriter_prover", "concept_table", "accuracy_percent", "original"),
    ]
    wanted.append(("proofwriter", "", "count_problems", "original"))
    figures = figures_of(*wanted).with_columns(
        pl.when(pl.col("metric") == "count_problems").then(None).otherwise(pl.col("model")).alias("model")
    )
    asked_of = {key: value for key, value in JOB.items() if key != "strategy"}
    counts = {"pw": {"items": 8, "available": 500}, "said": {"items": 4, "available": 300}}
    asked = frame(schema_of("cells"), *({**asked_of, "dataset": name, **count} for name, count in counts.items()))
    found = published_beside(figures, drift=drift, stability=drops, cells=asked)
    assert [(row["metric"], row["entry"], row["ours"].mean) for row in found] == [
        ("accuracy_percent", "mine", 50),
        ("dispersion", "mine", 0.125),
        ("accuracy_percent", "mine", 25),
        ("consistency", "mine", 0.375),
        ("accuracy_drop_third_person", "mine", 0.375),
        ("count_problems", None, 500),
    ]
    samples = [Sample(8, 500), Sample(8, 500), Sample(4, 300), Sample(4, 300), None, None]
    assert [row["items"] for row in found] == samples
    assert (found[0]["ours"].low, found[0]["ours"].high) == (25, 75)


def test_intensity_figure_needs_two_intensities_beside_original() -> None:
    half, whole = (dropped(name, drop, intensity=at) for name, drop, at in (("h", 0.25, 0.5), ("w", 0.5, 1.0)))
    glossed = dropped("g", 0.75, glossary=True)
    assert intensity_figure(frame(STABILITY, whole, glossed)) is None
    figure = intensity_figure(frame(STABILITY, whole, half, glossed))
    assert [(mark["intensity"], mark["mean"]) for mark in marks(figure)] == [(0, 0.75), (0.5, 0.5), (1, 0.25)]
    opens = "#items?dataset={}&task=mine&model=gpt-4&metric=right"
    assert [mark["opens"] for mark in marks(figure)] == [opens.format(name) for name in ("pw", "h", "w")]


def test_stability_figure_draws_available_wordings_per_measure() -> None:
    figure = stability_figure(frame(STABILITY, dropped("w", 0.5, dispersion=0.25)))
    assert [(mark["measure"], mark["wording"], mark["value"]) for mark in marks(figure)] == [
        ("right answers", "original", 0.75),
        ("right answers", "other words", 0.25),
        ("dispersion", "other words", 0.25),
    ]
