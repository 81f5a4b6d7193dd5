"""One experiment and its report for all tests of reports."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.once import once
from tests.unit.report.browser import Reader
from tests.unit.report.experiment import Experiment, experiment


@pytest.fixture(scope="session")
def small_experiment(tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    def make(folder: Path) -> Experiment:
        made = experiment(folder)
        made.analysed()
        return made

    return once(tmp_path_factory, "small_experiment", make)


@pytest.fixture(scope="session")
def report(small_experiment: Experiment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return once(tmp_path_factory, "report", lambda folder: small_experiment.report(folder / "index.html"))


@pytest.fixture(scope="package")
def chromium() -> Iterator[Any]:
    """A headless Chromium of the system."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def reader(chromium: Any, report: Path) -> Iterator[Reader]:
    with Reader(chromium, report) as opened:
        yield opened
