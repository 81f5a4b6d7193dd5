"""A fresh checkout for a test to run Snakemake in."""

from pathlib import Path

import pytest
from tests.workflow.checkout import Checkout, configuration


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """A checkout in which nothing has run, configured for the small experiment with chance alone."""
    made = Checkout.make(tmp_path / "checkout")
    made.configure(configuration())
    return made
