"""The ceiling, the measure of copies, and certified pairs over sets of every language, a few items each."""

from pathlib import Path

import pytest
import yaml
from benchmarks.round_trip_references import ROOT, Stages, measured
from benchmarks.verification_cues import told

from nlfol.config import read_configuration


@pytest.mark.parametrize("dataset", ["k_sat", "first_order_english", "regular"])
def test_round_trip_references_score_as_expected_and_pass_audit(dataset: str, tmp_path: Path) -> None:
    values = yaml.safe_load((ROOT / "config/round_trip.yaml").read_text(encoding="utf-8"))
    values["datasets"][dataset]["count"] = 2
    found = dict(measured(Stages(read_configuration(values), dataset, tmp_path), tmp_path, 3))
    assert found["items"] == 10
    assert found["pairs"] >= 14
    assert [found[name] for name in ("reader", "echo", "echo_uncopied", "faults", "undecided")] == [1, 1, 0, 0, 0]
    assert found["always_yes"] == pytest.approx(2 / 3, abs=1e-12)
    assert 0 < found["can_be_copied"] <= 10


def test_surface_cues_detect_edits_but_hardly_certified_pairs() -> None:
    for name, cues in told(3).items():
        assert max(cues["certified"].values()) < 0.6, name
        assert cues["law or edit"]["length"] > 0.7, name
        assert max(cues["learners"].values()) < 0.8, name
