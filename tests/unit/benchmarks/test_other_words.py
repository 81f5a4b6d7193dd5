"""A part of what ``benchmarks/other_words.py`` counts."""

import pytest
from benchmarks.other_words import Cosines, count, gold_of, lexicon
from tests.examples import ROOT

from nlfol_extras.ontologies.anchors import Nearness


def test_cosine_nearness_rejects_swapped_predicates_and_keeps_synonyms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    found = count(gold_of("config.yaml", "tarski")[::4], lexicon(), Nearness(Cosines(), 0.5, 0.05))
    right, exchanged = found["right", "other words"], found["wrong", "predicates"]
    assert right["with cosines"] >= 0.98 * right["answers"] > 40
    assert exchanged["by words"] == exchanged["answers"] > 20
    assert exchanged["with cosines"] < 0.7 * exchanged["answers"]
    assert found["wrong", "arguments"]["with cosines"] < found["wrong", "arguments"]["by words"]
