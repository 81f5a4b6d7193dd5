"""Transitions of answers from one task, wording or model to another."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tests.stored import frame, records
from tests.unit.results.drifting_programs import DATASETS, PROBLEMS, PROGRAM, with_drift
from tests.unit.tasks.problem_experiment import Experiment

from nlfol.results.analyses.strategies import strategies
from nlfol.results.statistics.aligned import AlignedColumns, load_programs
from nlfol.results.statistics.summary import load, series_of
from nlfol.store.schemas import COMPONENTS
from nlfol_extras.analyses.transitions import CHANGES, TRANSITIONS, change, transitions
from nlfol_extras.analyses.transitions import TABLE as TRANSITIONS_TABLE


@pytest.fixture
def asked(tmp_path: Path) -> Experiment:
    made = Experiment(tmp_path, PROBLEMS)
    made.add(PROGRAM, "m", with_drift)
    return made


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("right", "right", None),
        ("drift", "right", "fixed_by_consistency"),
        ("drift_and_collision", "right", "fixed_by_consistency"),
        ("logic", "right", "fixed_otherwise"),
        ("drift", "query", "remaining_otherwise"),
        ("lost", "failed", "remaining_otherwise"),
        ("right", "unparsable", "newly_introduced_otherwise"),
        ("logic", "drift", "remaining_without_consistency"),
        ("right", "drift", "newly_introduced_without_consistency"),
    ],
)
def test_answer_change_is_classified(before: str, after: str, expected: str | None) -> None:
    assert change(before, after) == expected
    assert expected is None or expected in CHANGES


def test_task_transitions_join_items_and_seeds(asked: Experiment) -> None:
    first = load_programs(asked.align(PROGRAM, "m"))
    about: AlignedColumns = {**first.about, "task": "table", "strategy": "concept_table"}
    rows = tuple({**row, "cause": "right"} for row in first.rows if row["item"] != "cut")
    plain = next(one for one in series_of(map(load, asked.scores)) if one.metric == "right")
    source = replace(plain.source, task="table")
    table = replace(plain, source=source, answers=plain.answers.filter(pl.col("item") != "cut"))
    found = transitions([plain, table], [first, replace(first, about=about, rows=rows)], DATASETS, {})
    assert {(row["between"], row["first_strategy"], row["second_strategy"]) for row in found} == {
        ("tasks", "direct", "concept_table")
    }
    assert {(row["before"], row["change"]): row["answers"] for row in found} == {
        ("right", None): 1,
        ("drift", "fixed_by_consistency"): 1,
        ("unparsable", "fixed_otherwise"): 1,
    }
    assert {(row["pairs"], row["refused"], row["refusal"]) for row in found} == {(3, 0, None)}


def test_transitions_of_a_dataset_without_answers_are_none(asked: Experiment) -> None:
    """Every problem of a dataset in other words can be refused."""
    first = load_programs(asked.align(PROGRAM, "m"))
    plain = next(one for one in series_of(map(load, asked.scores)) if one.metric == "right")
    empty = replace(first, about={**first.about, "dataset": "voice"}, rows=())
    entries = {first.about["dataset"]: {}, "voice": {"of": first.about["dataset"]}}
    assert transitions([plain], [first, empty], entries, {}) == []


def test_tuned_model_is_compared_with_base_on_both_tasks(
    asked: Experiment,
) -> None:
    first = load_programs(asked.align(PROGRAM, "m"))
    plain = next(one for one in series_of(map(load, asked.scores)) if one.metric == "right")
    series, loaded = [], []
    for model, task in (("m", "direct"), ("m", "table"), ("m-tuned", "table"), ("other", "table")):
        causes_of = {"right": "drift", "drift": "right"} if model == "m-tuned" else {}
        rows = tuple({**row, "cause": causes_of.get(row["cause"], row["cause"])} for row in first.rows)
        loaded.append(replace(first, about={**first.about, "task": task, "model": model}, rows=rows))
        series.append(replace(plain, source=replace(plain.source, task=task, model=model)))
    found = [row for row in transitions(series, loaded, DATASETS, {"m-tuned": ["sft", "m"]}) if row["base"]]
    assert {(row["between"], row["base"], row["model"]) for row in found} == {("models", "m", "m-tuned")}
    assert [(row["first_task"], row["second_task"], row["before"], row["change"]) for row in found] == [
        (task, "table", before, change)
        for task in ("direct", "table")
        for before, change in (
            ("right", "newly_introduced_without_consistency"),
            ("drift", "fixed_by_consistency"),
            ("unparsable", "remaining_otherwise"),
            ("lost", "remaining_otherwise"),
        )
    ]
    shown = records(TRANSITIONS_TABLE.table(frame(TRANSITIONS, *found)))
    assert [(row["first_task"], row["base"], row["newly_introduced_without_consistency"]) for row in shown] == [
        *(("direct", "m", 1), ("table", "m", 1))
    ]


def test_transitions_exclude_answers_to_different_problems(asked: Experiment) -> None:
    first = load_programs(asked.align(PROGRAM, "m"))
    second = replace(first, about={**first.about, "task": "table"})
    plain = next(one for one in series_of(map(load, asked.scores)) if one.metric == "right")
    for other, found in ((["torn"], 3), (["three", "four", "cut", "torn"], 0)):
        is_other = pl.col("item").is_in(other)
        parts = [pl.lit(None, pl.String).alias(name) for name in COMPONENTS if name != "text"]
        shown = pl.struct(*parts, pl.when(is_other).then(pl.lit("another")).alias("text"))
        table = replace(
            plain, source=replace(plain.source, task="table"), answers=plain.answers.with_columns(shown=shown)
        )
        answers = plain.answers.with_columns(shown=pl.struct(*parts, pl.lit(None, pl.String).alias("text")))
        rows = transitions([replace(plain, answers=answers), table], [first, second], DATASETS, {})
        assert sum(row["answers"] for row in rows) == found
        assert {(row["refused"], row["refusal"]) for row in rows} == {(len(other), "text")}
        (shown_row,) = records(TRANSITIONS_TABLE.table(frame(TRANSITIONS, *rows)))
        assert (shown_row["answers"], shown_row["refused"]) == (found, f"{len(other)} (text)")


def test_transitions_compare_tasks_within_language_by_strategy_keys(asked: Experiment) -> None:
    first = load_programs(asked.align(PROGRAM, "m"))
    plain = next(one for one in series_of(map(load, asked.scores)) if one.metric == "right")
    tasks = {
        "direct": {},
        "tuned_formulas": {"strategy": "tuned", "language": "formulas"},
        "more": {"plan": '{"drafts": 3}'},
        "table_formulas": {"strategy": "concept_table", "language": "formulas"},
    }
    series = [replace(plain, source=replace(plain.source, task=name)) for name in tasks]
    loaded = [
        replace(
            first,
            about={**first.about, "task": name, "strategy": about.get("strategy", "direct")},
            rows=tuple({**row, "language": about.get("language", "clauses")} for row in first.rows),
            plan=about.get("plan", "{}"),
        )
        for name, about in tasks.items()
    ]
    rows = strategies(series, loaded, DATASETS)
    assert [(row["task"], row["base_task"], row["comparison"], row["language"]) for row in rows] == [
        ("more", "direct", "instructions", "clauses"),
        ("table_formulas", "tuned_formulas", "instructions", "formulas"),
    ]
    between = {(row["first_task"], row["second_task"]) for row in transitions(series, loaded, DATASETS, {})}
    assert between == {("direct", "more"), ("tuned_formulas", "table_formulas")}
