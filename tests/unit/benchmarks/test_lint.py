"""Measurements of ``benchmarks/lint.py``, with a tenth of its planted faults and certified English."""

import csv
from pathlib import Path

import pytest
from benchmarks.lint import (
    PAGE,
    by_level,
    certified,
    chosen_apart,
    examples,
    folio,
    found,
    rule_rows,
    table,
)
from benchmarks.planted_faults import FAULTS, planted
from tests.unit.benchmarks.folio_data import DATA

from nlfol_extras.lint import Level, lint
from nlfol_extras.lint.rules import MEASURED


def data() -> Path:
    if not (DATA / "folio").exists():
        pytest.skip("FOLIO is not here: ../shared/data")
    return DATA


def shares(named: set[str], wrong: set[str], faithful: set[str]) -> tuple[float, float]:
    return len(named & wrong) / len(named & (wrong | faithful)), len(named & wrong) / len(wrong)


def test_lint_rules_reach_precision_and_recall_on_training_premises() -> None:
    judged = folio(data(), "train")
    findings = found(judged.stories.values())
    wrong, faithful = judged.of("wrong"), judged.of("faithful")
    assert (len(wrong), len(faithful), len(judged.verdicts)) == (
        129,
        1421,
        1668,
    )  # story 153 has more sentences than formulas
    precision, recall = shares(by_level(findings)[Level.PRECISE], wrong, faithful)
    assert precision >= 0.8
    assert recall >= 0.5
    precision, recall = shares(chosen_apart(findings, judged, 0), wrong, faithful)
    assert precision >= 0.8
    assert recall >= 0.5
    rows = rule_rows(findings, judged)
    with MEASURED.open(encoding="utf-8", newline="") as file:
        measured = {row["rule"]: tuple(map(int, list(row.values())[1:])) for row in csv.DictReader(file)}
    assert measured == {name: tuple(counts) for name, *counts in rows}
    page = PAGE.read_text(encoding="utf-8")
    assert table(findings, judged, examples(page)) in page


def test_lint_rules_reach_half_precision_and_recall_on_validation() -> None:
    judged = folio(data(), "validation")
    wrong, faithful = judged.of("wrong"), judged.of("faithful")
    assert len(wrong) == 17
    precision, recall = shares(by_level(found(judged.stories.values()))[Level.PRECISE], wrong, faithful)
    assert precision >= 0.5
    assert recall >= 0.5


def test_lint_passes_certified_english_and_finds_planted_faults() -> None:
    stories = certified(200)
    assert len(stories) == 200
    assert sum(bool(list(lint(story))) for story in stories) <= 2
    for kind, count in (("connective", 20), ("negation", 20), ("direction", 18), ("guard dropped", 8)):
        assert planted(stories, 20, FAULTS[kind], 1) == (count, count)
