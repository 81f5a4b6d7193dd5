"""Bars of ``benchmarks/witnesses.py``: on shipped sentences, and on a tenth of FOLIO, skipped where it is absent."""

from collections import Counter

import pytest
from benchmarks import witnesses
from tests.unit.benchmarks.folio_data import DATA

TRAINING, UNSEEN = DATA / "folio/folio-train.jsonl", DATA / "folio/folio-validation-half.jsonl"
SHAPES = {
    *("quantifier", "determiner", "converse", "connective", "negation", "moved_negation", "arguments", "scope"),
    *("predicates", "names", "added", "added, said", "dropped", "guard", "xor", "iff"),
}
KINDS = 14
"""Kinds of gaming answers."""


def test_labels_forgive_few_errors_in_shipped_sentences() -> None:
    shapes, games = witnesses.labelled(witnesses.tarski()[::3])
    assert shapes.keys() == SHAPES
    assert witnesses.missed(shapes) == []
    assert witnesses.missed(games) == []


@pytest.mark.skipif(not TRAINING.exists(), reason="FOLIO v0.0 is not at hand: ../shared/data/folio")
def test_labels_forgive_few_errors_in_tenth_of_folio() -> None:
    shapes, games = witnesses.labelled(witnesses.folio(TRAINING, "corrected")[::10])
    assert shapes.keys() == SHAPES
    assert witnesses.missed(shapes) == []
    assert len(games) == KINDS
    assert witnesses.missed(games) == []
    assert witnesses.forgiven(shapes["xor"]) > 0.3  # so the rule is at work


@pytest.mark.skipif(not UNSEEN.exists(), reason="FOLIO v0.0 is not at hand: ../shared/data/folio")
def test_labels_forgive_few_errors_in_stories_not_used_for_choosing() -> None:
    shapes, games = witnesses.labelled(witnesses.unseen(UNSEEN)[::2])
    assert witnesses.missed(shapes) == []
    assert witnesses.missed(games) == []


@pytest.mark.skipif(not TRAINING.exists(), reason="FOLIO v0.0 is not at hand: ../shared/data/folio")
def test_labels_forgive_no_published_error_and_keep_readings_of_second_reader() -> None:
    groups = witnesses.translated(TRAINING)
    assert len(groups["natural"]) > 120
    assert witnesses.forgiven(groups["natural"]) == 0
    kept = Counter(one.label.rule.value for one in groups["second reading, corrected"] if one.label)
    assert kept == {"either": 52, "under_a_sort": 6, "in_context": 5, "definition": 2}
