"""Unit tests that Snakemake generates from a finished experiment (docs/architecture.md)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.unit.models.chat_server import ChatServer
from tests.workflow.checkout import Checkout, configuration
from tests.workflow.test_money import TRANSLATED, experiment

UNREPEATABLE = {"materialise_model", "write_manifest"}
"""The first reads weights at a relative path, the second writes the time."""


def test_generated_tests_pass_and_ask_no_model_again(again: Checkout) -> None:
    targets = ("results/tables", "results/report")
    for arguments in ((), ("--generate-unit-tests",)):
        run = again.snakemake(*targets, *arguments)
        assert run.status == 0, run.output
    generated = {path.stem.removeprefix("test_") for path in (again.folder / ".tests/unit").glob("test_*.py")}
    assert {"ingest_dataset", "ask_chat", "ask_embedding", "render_tables", "write_report"} <= generated
    answers = again.bytes("journal/**/*")
    for rule in UNREPEATABLE:
        (again.folder / f".tests/unit/test_{rule}.py").unlink()
    done = _pytest(again)
    assert done.returncode == 0, done.stdout
    assert f"{len(generated - UNREPEATABLE)} passed" in done.stdout
    assert again.bytes("journal/**/*") == answers


def test_a_generated_test_takes_paid_answers_from_the_journal_and_needs_no_key(checkout: Checkout) -> None:
    with ChatServer() as server:
        checkout.configure(experiment(server.url, {"total": 1000}, api_key_env="NLFOL_TEST_KEY"))
        run = checkout.snakemake(TRANSLATED, environment={"NLFOL_TEST_KEY": "none"})
        assert run.status == 0, run.output
        run = checkout.snakemake(TRANSLATED, "--generate-unit-tests")
        assert run.status == 0, run.output
        done = _pytest(checkout, "-k", "ask_api")
        assert done.returncode == 0, done.stdout
        assert "1 passed" in done.stdout
        assert len(server.asked) == 8


def test_a_generated_test_never_writes_over_results_at_an_absolute_path(checkout: Checkout, tmp_path: Path) -> None:
    checkout.configure({**configuration(), "results": str(tmp_path / "results")})
    (tmp_path / "work").mkdir()
    run = checkout.snakemake("--allowed-rules", "ingest_dataset", "--directory", str(tmp_path / "work"))
    assert run.status != 0
    assert f"results: a generated unit test would write over {tmp_path / 'results'};" in run.output


def _pytest(checkout: Checkout, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the generated tests as a user does: from the checkout, with the environment's `python` on the path."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(
        [sys.executable, "-m", "pytest", ".tests/unit", *arguments],
        cwd=checkout.folder,
        env=checkout.environment({"PATH": path}),
        capture_output=True,
        text=True,
        check=False,
    )
