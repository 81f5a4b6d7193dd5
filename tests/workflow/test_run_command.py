"""``nlfol run`` and ``nlfol init``: on a pipe, on a terminal, and what they refuse."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml
from tests.unit.models.chat_server import HELD, ChatServer, Scripted, completion
from tests.workflow.checkout import ONTOLOGY, ROOT, SENTENCES
from tests.workflow.running import run_warm
from typer.testing import CliRunner, Result

from nlfol import read_results
from nlfol.cli.main import app
from nlfol.config import read_configuration
from nlfol.models.api.probing import QUESTION
from nlfol.tasks.registry import KINDS

COMMAND = [sys.executable, "-m", "nlfol.cli.main"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of one's own, with a dataset and nothing of the project."""
    (tmp_path / "pets.csv").write_text(SENTENCES, encoding="utf-8")
    (tmp_path / "pets.yaml").write_text(ONTOLOGY, encoding="utf-8")
    return tmp_path


def typed(folder: Path, *arguments: str) -> Result:
    """Give the command arguments in this process: for what ends before Snakemake starts."""
    with chdir(folder):
        return CliRunner().invoke(app, arguments, env={"COLUMNS": "400"})


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "workflow/scripts"), "COLUMNS": "400"}


def printed(folder: Path, *arguments: str) -> dict[str, Any]:
    done = typed(folder, "run", "--print", *arguments)
    assert done.exit_code == 0, done.stderr
    values: dict[str, Any] = yaml.safe_load(done.stdout)
    return values


def _warm(_executable: str, command: Sequence[str]) -> None:
    """Run Snakemake in a warm process in place of this one."""
    status, output = run_warm(command[3:], Path.cwd(), environment(), None)
    print(output)
    raise SystemExit(status)


def test_a_server_is_asked_and_the_tables_are_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.execv", _warm)

    def every(body: dict[str, Any]) -> Scripted:
        if body["messages"][-1]["content"] == QUESTION:
            return HELD
        return Scripted(body=completion(json.dumps({"reasoning": "", "answer": "∀x (Cat(x) → Sleeps(x))"})))

    with ChatServer(every=every) as server:
        asked = ["--model", "openai/tiny", "--base-url", server.url, "--tasks", "logical_translation"]
        chosen = ["--dataset", "pets.csv", "--ontology", "pets.yaml", "--name", "first", "--cores", "2"]
        done = typed(folder, "run", *asked, *chosen)
    assert done.exit_code == 0, done.output
    cells = read_results(folder / "runs/first/results").filter(pl.col("model") == "tiny")
    row = cells.row(by_predicate=pl.col("metric") == KINDS["logical_translation"].metrics[0], named=True)
    assert (row["items"], row["mean"]) == (8, 0.125)
    assert {body["model"] for body in server.bodies} == {"tiny"}
    assert "tiny with 0.125" in done.output
    # What it wrote is all there is to it: Snakemake has nothing left to do with the file.
    target = "runs/first/results/tables"
    again = ["--snakefile", str(ROOT / "Snakefile"), "--dry-run", "--configfile", "runs/first/config.yaml"]
    _, output = run_warm([*again, "--cores", "1", "--", target], folder, environment(), None)
    assert "Nothing to be done" in output


def test_on_a_terminal_a_dry_run_of_a_file_shows_the_jobs(folder: Path) -> None:
    values = printed(folder, "--model", "reader", "--dataset", "pets.csv", "--ontology", "pets.yaml", "--items", "2")
    (folder / "mine.yaml").write_text(yaml.safe_dump(values | {"results": "results-mine"}), encoding="utf-8")
    ours, its = pty.openpty()
    command = [*COMMAND, "run", "mine.yaml", "--dry-run"]
    with subprocess.Popen(command, cwd=folder, env=environment(), stdin=its, stdout=its, stderr=its) as process:
        os.close(its)
        seen = b""
        while part := _read(ours):
            seen += part
    os.close(ours)
    assert process.returncode == 0, seen.decode()
    assert b"Running mine.yaml with Snakemake" in seen
    assert b"tables go to results-mine/tables" in seen
    assert b"answer_by_reference" in seen
    assert not (folder / "results-mine").exists()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # nobody writes to it any more
        return b""


def test_the_configuration_is_shown_and_nothing_is_written(folder: Path) -> None:
    before = set(folder.iterdir())
    revision = "a" * 40
    values = printed(folder, "--model", f"hf:Qwen/Qwen3-8B@{revision}", "--seeds", "3,12", "--temperature", "0.7")
    assert values["models"]["Qwen3-8B"] == {
        "kind": "chat",
        "backend": "transformers",
        "source": {"hub": "Qwen/Qwen3-8B", "revision": revision},
        "seeds": [3, 12],
        "sampling": {"temperature": 0.7},
    }
    assert list(values["tasks"]) == ["logical_translation", "most_similar", "ranking"]
    values = printed(
        folder, "--model", "openai/gpt-4o-mini", "--dataset", "folio", "--dataset", "rules", "--items", "5"
    )
    assert values["models"]["gpt-4o-mini"] == {"kind": "chat", "backend": "openai", "model": "gpt-4o-mini"}
    assert values["tasks"]["question_answering"] == {"items": 5}
    assert values["datasets"]["folio"] == {"reader": "folio", "ontology": "published", "gold": "accepted"}
    assert set(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model", "openai/x", "--dataset", "tarsky"], "no dataset tarsky (did you mean tarski?)"),
        (["--model", "miniml"], "no model miniml (did you mean minilm?)"),
        (["--model", "hf:Qwen/Qwen3-8B"], "give the full commit hash, as branches move: hf:Qwen/Qwen3-8B@COMMIT"),
        (["--model", "openai/x", "--dataset", "missing.csv"], "no file missing.csv"),
        (["--model", "openai/x", "--tasks", "rankin"], "(did you mean ranking?)"),
        (["--model", "openai/x", "--profile", "slrum"], "no profile slrum (did you mean slurm?)"),
        (["--model", "openai/x", "--seeds", "three"], "--seeds three: give whole numbers"),
        ([], "give a model with --model, or a file"),
        (["mine.yaml"], "no file mine.yaml; write one with nlfol init"),
    ],
)
def test_what_there_is_not_is_named_with_what_is_near(folder: Path, arguments: list[str], message: str) -> None:
    done = typed(folder, "run", *arguments)
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.replace("│", " ").split())


def test_a_configuration_to_start_from_is_valid_with_every_example_in_it(folder: Path) -> None:
    done = typed(folder, "init")
    assert done.exit_code == 0, done.stderr
    text = (folder / "experiment.yaml").read_text(encoding="utf-8")
    assert list(read_configuration(yaml.safe_load(text)).models) == ["chance", "reader"]
    whole = read_configuration(yaml.safe_load(text.replace("#-", "")))
    assert list(whole.models) == ["chance", "reader", "gpt-4o-mini", "my-server", "qwen3-8b"]
    assert Path(folder, whole.datasets["tarski"].source_files[0]).is_file()
    again = typed(folder, "init")
    assert (again.exit_code, "is there already" in again.stderr) == (2, True)
