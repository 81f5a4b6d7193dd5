"""Measurements of ``benchmarks/gold_formulas.py``, skipped without FOLIO."""

from pathlib import Path

import pytest
from benchmarks.gold_formulas import PATCHES, SECOND_READING, folio, measured, suspects, verdicts_of
from tests.unit.benchmarks.folio_data import DATA, use_folio

from nlfol.data.patches import read_patches


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_folio(tmp_path, monkeypatch)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.usefixtures("data")
def test_suspect_translator_reaches_documented_precision_and_recall(tmp_path: Path) -> None:
    usable, doubted = suspects(folio(), [SECOND_READING])
    assert (len(usable), len(doubted)) == (1560, 260)
    found = measured(usable, doubted, dict.fromkeys(read_patches(PATCHES).by_item, "wrong"))
    assert found["precision"] == "112 of 260, 0.431 (0.360 to 0.504)"
    assert found["recall"] == "112 of 113, 0.991 (0.941 to 0.999)"
    readings = DATA / "folio_readings"
    if readings.exists():
        judged = measured(usable, doubted, verdicts_of(readings / "reading_a.jsonl"))
        assert judged["recall"].startswith("121 of 144")
        assert judged["precision, clear"].startswith("121 of 210")
    assert suspects(folio(), [SECOND_READING] * 2) == (usable, [])  # one model, once, is not two
