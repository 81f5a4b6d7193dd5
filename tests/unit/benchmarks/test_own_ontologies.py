"""A tenth of what ``benchmarks/own_ontologies.py`` counts."""

from pathlib import Path

import pytest
from benchmarks.own_ontologies import ROOT, count, count_anchored, folio, tarski
from tests.unit.benchmarks.folio_data import use_folio


def test_own_ontology_judge_accepts_disguised_gold_and_agrees_on_edits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_folio(tmp_path, monkeypatch)
    monkeypatch.chdir(ROOT)
    stories = folio()
    assert sum(map(len, stories.values())) > 1_500
    found = count(stories, 150)
    assert found.disguised == {"equivalent": 150}
    assert found.edited.total() == 150
    assert found.edited["unknown"] == found.edited["invalid"] == 0
    assert found.compared["contradicts"] == 0
    assert found.compared["agrees"] >= 145
    assert found.stories.keys() == {"equivalent"}
    assert found.seconds < 20


def test_anchoring_rejects_wrong_answers_and_accepts_renamed_right_ones() -> None:
    for (truth, kind), found in count_anchored(tarski()[::3]).items():
        assert found["answers"] > 20, kind
        if truth == "wrong":
            assert found["anchored"] <= 0.01 * found["answers"], kind
            assert found["any map"] > 0, kind
        else:
            assert found["anchored"] >= 0.98 * found["answers"], kind
