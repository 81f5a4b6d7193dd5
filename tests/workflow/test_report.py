"""The report of a small experiment, made by Snakemake."""

import pytest
from tests.workflow.checkout import Checkout

SCRIPT = "workflow/scripts/nlfol/report/assets/board.js"


@pytest.fixture(scope="module")
def reported(finished: Checkout, tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    checkout = finished.copy(tmp_path_factory.mktemp("reported") / "checkout")
    run = checkout.run("results/report")
    assert run.jobs == {"write_report": 1, "results/report": 1}
    return checkout


def test_report_is_single_file_with_every_item(reported: Checkout) -> None:
    files = [f"results/report/{name}" for name in ("checksums", "figures.json", "index.html")]
    assert list(reported.bytes("results/report/*")) == files
    page = reported.read("results/report/index.html")
    assert "8 items, 104 answers." in page
    assert "104 answers to 8 items." in page
    assert "8 items, 104 answers." in reported.read("results/logs/write_report.log")


def test_report_is_rewritten_after_page_change_only(reported: Checkout) -> None:
    assert reported.dry_run("results/report").jobs == {}
    reported.write(SCRIPT, reported.read(SCRIPT) + "\n")
    assert reported.dry_run("results/report").jobs.keys() == {"write_report", "results/report"}
    assert reported.dry_run("results/tables").jobs == {}
