"""A part of what ``benchmarks/surface_cues.py`` counts."""

from pathlib import Path

import pytest
from benchmarks.surface_cues import ROOT, TASKS, alone, asked, by_reference, doubled, guessed, has_list
from tests.unit.benchmarks.folio_data import use_folio


@pytest.mark.parametrize("kind", TASKS)
@pytest.mark.parametrize("dataset", ["tarski", "folio"])
def test_list_layout_reveals_nothing_about_candidates(
    dataset: str, kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if dataset == "folio":
        use_folio(tmp_path, monkeypatch)
    monkeypatch.chdir(ROOT)
    task, items, setting = asked(dataset, kind, 60)
    chance = guessed(task, items, lambda _: 0.0)
    assert any(has_list(member.english) for item in items for member in item.members)
    for sign in (1, -1):
        assert guessed(task, items, lambda text, sign=sign: sign * has_list(text)) == pytest.approx(chance, abs=1e-12)  # type: ignore[misc]
    mixed = [len({has_list(member.english) for member in alone(item).members}) > 1 for item in items]
    assert any(mixed), "lists would give candidates away if each were rendered alone"
    assert all(0 <= score <= 1 for score in by_reference(task, items, setting, "english").values())
    if kind == "ranking":
        doubles, equivalents = doubled(items)
        assert doubles < 0.1 * equivalents


def test_drawn_forms_take_order_from_who_does_no_logic() -> None:
    scores = {}
    for forms in ("plain", "drawn"):
        task, items, setting = asked("tarski", "most_similar", 100, "fair", forms=forms)
        scores[forms] = by_reference(task, items, setting, "formula", "order")["accuracy"]
    assert len(items) == 100
    assert scores["plain"] > scores["drawn"] + 0.1 > 0.4
