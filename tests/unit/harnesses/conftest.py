"""A small dataset for the tests of harnesses."""

import csv
from itertools import islice

import pytest
from tests.examples import ROOT


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A dataset of six sentences."""
    path = tmp_path_factory.mktemp("few") / "few.csv"
    with (ROOT / "resources/datasets/tarski/sentences.csv").open(encoding="utf-8", newline="") as file:
        rows = list(islice(csv.reader(file), 7))
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return str(path)
