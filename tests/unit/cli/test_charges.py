"""Costs that ``nlfol run`` names before it asks."""

from pathlib import Path

import polars as pl
from tests.workflow.checkout import configuration, interface

from nlfol.cli.run import charges
from nlfol.config import read_configuration


def test_charges_report_bound_for_lost_attempts(tmp_path: Path) -> None:
    price = {"prompt": 1, "completion": 1}
    told = read_configuration(configuration(m=interface("https://example.org/v1", price=price)))
    row = {"model": "m", "left": 2, "following": 0, "cost": 0.25, "cost_most": 0.5, "currency": "USD"}
    done = row | {"left": 0, "cost": 0.0, "cost_most": 0.0, "perhaps": 0.75}
    pl.DataFrame([row | {"perhaps": 0.125}, done]).write_csv(tmp_path / "estimate.csv")
    lines, may_be_dear = charges(tmp_path / "estimate.csv", told)
    assert lines == [
        "Requests to send: 2",
        "Cost: 0.250 USD expected, 0.500 USD at most",
        "Attempts without a reply may be charged, too (so far 0.875 USD at most); a budget limits them",
    ]
    assert not may_be_dear
