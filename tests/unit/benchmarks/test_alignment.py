"""A tenth of what ``benchmarks/alignment.py`` counts."""

from pathlib import Path

import pytest
from benchmarks.alignment import MODELS, drift, merged, recover, released
from benchmarks.planted_causes import name_causes

DATA = Path(__file__).parents[3] / "../shared/data"


def test_alignment_recovers_planted_renamings() -> None:
    found = recover(200)
    assert found.total() == 200
    assert found["lost"] == found["lost with splits"] == 0
    assert found["identical"] + found["symmetric"] == 100
    assert found["identical with splits"] > 90


@pytest.mark.parametrize("probability", [0.0, 0.1, 0.3, 0.5])
def test_alignment_measures_drift_within_expectation(probability: float) -> None:
    found = drift(probability, 80)
    assert found.is_within
    assert found.measures.by_structure.value == 1
    assert found.measures.collision.value == 0


def test_merging_translator_collides_without_drifting() -> None:
    found = merged(80)
    assert found.dispersion.value == 0
    assert found.collision.value is not None
    assert found.collision.value > 1
    assert found.by_structure.value == 1


def test_alignment_names_planted_causes() -> None:
    found = name_causes(40)
    assert found.total() == 40
    assert all(planted is named for planted, named in found)


@pytest.mark.parametrize("model", MODELS)
def test_alignment_pairs_released_programs(model: str) -> None:
    if not DATA.exists():
        pytest.skip("Logic-LM's problems and programs are not at hand: ../shared/data")
    found, _, unread = released(DATA / "problems/logic_lm", DATA / "programs/logic_lm", model, 10)
    assert unread <= 1
    assert found.by_structure.value is not None
    assert found.by_name.value is not None
    assert found.by_structure.value + found.by_name.value > 0.9
    assert found.dispersion.value is not None
    assert found.dispersion.value < 0.03
