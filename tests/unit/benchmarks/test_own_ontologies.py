"""A tenth of what ``benchmarks/own_ontologies.py`` counts."""

from pathlib import Path

import pytest
from benchmarks.own_ontologies import ROOT, count, folio
from tests.unit.benchmarks.folio_data import use_folio


def test_disguised_gold_formulas_are_right_and_edits_as_all_maps_say(
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
