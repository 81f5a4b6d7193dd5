"""``nlfol run`` and ``nlfol init``: on a pipe, on a terminal, and what they refuse."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from time import sleep
from typing import Any

import polars as pl
import pytest
import yaml
from tests.unit.models.chat_server import HELD, ChatServer, Scripted, completion, error
from tests.workflow.checkout import CHANCE, ONTOLOGY, ROOT, SENTENCES, configuration, interface
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


def _configured(folder: Path, url: str, **settings: Any) -> None:
    values = configuration(tiny=interface(url, retries=0, concurrency=2, **settings), chance=CHANCE)
    dataset = {"reader": "table", "path": "pets.csv", "ontology": "pets.yaml"}
    values |= {"datasets": {"pets": dataset}, "tasks": {"logical_translation": {}}}
    (folder / "mine.yaml").write_text(yaml.safe_dump(values), encoding="utf-8")


def run(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start the command for real, without a terminal."""
    command = [*COMMAND, "run", "mine.yaml", "--cores", "2", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, cwd=folder, env=environment(), stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True
    )


GOOD = Scripted(body=completion(json.dumps({"reasoning": "", "answer": "∀x (Cat(x) → Sleeps(x))"})))


def good(body: dict[str, Any]) -> Scripted:
    return HELD if body["messages"][-1]["content"] == QUESTION else GOOD


def kept(folder: Path) -> int:
    """The number of answers in the journal."""
    journal = folder / "journal/tiny/pets.logical_translation.jsonl"
    return journal.read_text(encoding="utf-8").count("\n") if journal.exists() else 0


def test_run_command_fails_clearly_resumes_and_writes_report(folder: Path) -> None:
    """Runs of one experiment, one after another: the last has only what the others left to do."""
    # Nobody's but the project's Snakefile is read.
    (folder / "Snakefile").write_text("open('foreign', 'w').close()\n", encoding="utf-8")
    with ChatServer() as server:
        _configured(folder, server.url)
        _fails(folder, server)
        _is_interrupted(folder, server)
        left = 8 - _is_killed(folder, server)
        server.every = good
        before = len(server.asked)
        finishing = run(folder, "--report")
        said, told = finishing.communicate()
    assert finishing.returncode == 0, told
    assert not (folder / "foreign").exists()
    assert f"Requests to send: {left}\n" in told
    assert "tiny on pets, logical_translation: 8 of 8 answers, 72 tokens so far" in told
    assert len([text for text in server.asked[before:] if text != QUESTION]) == left
    lines = said.splitlines()
    assert (lines[0], lines[-1]) == ("Tables: results/tables", "Report: results/report/index.html")
    assert "tiny 0.125 over 8 items" in said
    assert (folder / "results/report/index.html").is_file()
    row = read_results(folder / "results").filter(pl.col("model") == "tiny")
    found = row.row(by_predicate=pl.col("metric") == KINDS["logical_translation"].metrics[0], named=True)
    assert (found["items"], found["mean"]) == (8, 0.125)


def _fails(folder: Path, server: ChatServer) -> None:
    server.every = lambda _: Scripted(status=404, body=error("no model tiny"))
    failing = run(folder)
    said, told = failing.communicate()
    assert failing.returncode == 1
    assert "Requests to send: 8" in told
    (line,) = [line for line in told.splitlines() if line.startswith("error: ")]
    assert line.endswith("404: no such model or address; correct model or base_url")
    assert told.endswith("  log: results/logs/ask_api/pets/logical_translation/tiny.log\n")
    assert ("Error in rule" in told, "Traceback" in told, said) == (False, False, "")


def _is_interrupted(folder: Path, server: ChatServer) -> None:
    """Two requests are answered; the next two are under way when the run is interrupted."""
    answered: list[str] = []

    def two(body: dict[str, Any]) -> Scripted:
        if body["messages"][-1]["content"] == QUESTION:
            return HELD
        answered.append(body["messages"][-1]["content"])
        return GOOD if len(answered) <= 2 else Scripted(manner="hang")

    server.every = two
    stopped = run(folder)
    while len(answered) < 4:
        assert stopped.poll() is None
        sleep(0.1)
    stopped.send_signal(signal.SIGINT)
    said, told = stopped.communicate()
    assert (stopped.returncode, said) == (130, "")
    assert told.endswith("\n2 of 8 answers kept; run the same command to go on.\n")
    assert ("Error in rule" in told, "Traceback" in told) == (False, False)
    assert kept(folder) == 2


def _is_killed(folder: Path, server: ChatServer) -> int:
    """No request is sent any more, though some are left; return the number of answers kept."""
    server.every, server.seconds = good, 2.0
    before = len(server.asked)
    killed = run(folder)
    while kept(folder) < 3:
        assert killed.poll() is None
        sleep(0.05)
    killed.kill()
    killed.communicate()
    sleep(1)
    sent = server.asked[:]
    sleep(3)
    assert server.asked == sent
    server.seconds = 0.0
    answers = kept(folder)
    assert 3 <= answers <= 2 + len(set(sent[before:]) - {QUESTION}) <= answers + 2 < 8
    return answers


def test_expensive_run_requires_confirmation_before_requests(folder: Path) -> None:
    with ChatServer(every=lambda _: GOOD) as server:
        _configured(folder, server.url, price={"prompt": 1000, "completion": 1000})
        refused = run(folder)
        _, told = refused.communicate()
        assert refused.returncode == 2
        assert re.search(r"Cost: [0-9.]+ USD expected, [0-9.]+ USD at most\n", told)
        assert "this may cost more than 1, and nobody can be asked here; give --yes" in told
        ours, its = pty.openpty()
        command = [*COMMAND, "run", "mine.yaml"]
        with subprocess.Popen(command, cwd=folder, env=environment(), stdin=its, stdout=its, stderr=its) as process:
            os.close(its)
            os.write(ours, b"n\n")
            seen = b""
            while part := _read(ours):
                seen += part
        os.close(ours)
        assert (process.returncode, server.asked) == (1, [])
    assert b"Go on? [y/N]" in seen
    assert b"Aborted" in seen


def test_terminal_dry_run_shows_jobs(folder: Path) -> None:
    values = printed(folder, "--model", "reader", "--dataset", "pets.csv", "--ontology", "pets.yaml", "--items", "2")
    (folder / "mine.yaml").write_text(yaml.safe_dump(values | {"results": "results-mine"}), encoding="utf-8")
    (folder / "pets.csv").write_text(f"{SENTENCES}pets,Tom purrs.,Purrs(tom)\n", encoding="utf-8")
    (folder / "Snakefile").write_text("open('foreign', 'w').close()\n", encoding="utf-8")
    ours, its = pty.openpty()
    command = [*COMMAND, "run", "mine.yaml", "-n"]
    with subprocess.Popen(command, cwd=folder, env=environment(), stdin=its, stdout=its, stderr=its) as process:
        os.close(its)
        seen = b""
        while part := _read(ours):
            seen += part
    os.close(ours)
    assert process.returncode == 0, seen.decode()
    before, _, jobs = seen.partition(b"answer_by_reference")
    assert b"pets: 1 of 9 gold rows refused" in before
    assert b"pets:4: unknown_symbol: predicate 'Purrs' is not in the signature" in before
    assert jobs
    assert not (folder / "results-mine").exists()
    assert not (folder / "foreign").exists()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # nobody writes to it any more
        return b""


def test_print_configuration_leaves_folder_unchanged(folder: Path) -> None:
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
    url = "http://localhost:8000/v1"
    values = printed(folder, "--model", "openai/mine", "--base-url", url, "--structured", "none")
    reached = {"base_url": url, "api_key_env": None, "structured": "none"}
    assert values["models"]["mine"] == {"kind": "chat", "backend": "openai", "model": "mine", **reached}
    assert set(folder.iterdir()) == before


def test_problem_table_gets_default_problem_tasks(folder: Path) -> None:
    (folder / "problems.jsonl").write_text('{"statements": ["Tom sleeps."], "question": "Does he?", "answer": "A"}')
    values = printed(folder, "--model", "minilm", "--dataset", "problems.jsonl")
    assert values["datasets"] == {"problems": {"reader": "problems", "path": "problems.jsonl"}}
    assert list(values["tasks"]) == ["question_answering", "program"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model", "openai/x", "--dataset", "tarsky"], "no dataset tarsky (did you mean tarski?)"),
        (["--model", "miniml"], "no model miniml (did you mean minilm?)"),
        (["--model", "hf:Qwen/Qwen3-8B"], "give the full commit hash, as branches move: hf:Qwen/Qwen3-8B@COMMIT"),
        (["--model", "openai/x", "--dataset", "missing.csv"], "no file missing.csv"),
        (["--model", "openai/x", "--dataset", "pets.yaml"], "pets.yaml"),
        (["--model", "openai/x", "--tasks", "rankin"], "(did you mean ranking?)"),
        (["--model", "openai/x", "--profile", "slrum"], "no profile slrum (did you mean slurm?)"),
        (
            ["--model", "openai/x", "--structured", "some"],
            "not one of json_schema, json_object, json_object_schema, none",
        ),
        (["--model", "reader", "--structured", "none"], "--structured is for models openai/NAME"),
        (["--model", "openai/x", "--seeds", "three"], "--seeds three: give whole numbers"),
        ([], "give a model with --model, or a file"),
        (["mine.yaml"], "no file mine.yaml; write one with nlfol init"),
    ],
)
def test_run_command_suggests_nearest_name(folder: Path, arguments: list[str], message: str) -> None:
    done = typed(folder, "run", *arguments)
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.replace("│", " ").split())


def test_init_writes_valid_configuration_including_examples(folder: Path) -> None:
    done = typed(folder, "init")
    assert done.exit_code == 0, done.stderr
    text = (folder / "experiment.yaml").read_text(encoding="utf-8")
    assert list(read_configuration(yaml.safe_load(text)).models) == ["chance", "reasoner", "reader"]
    whole = read_configuration(yaml.safe_load(text.replace("#-", "")))
    assert list(whole.models) == ["chance", "reasoner", "reader", "gpt-4o-mini", "my-server", "qwen3-8b"]
    assert Path(folder, whole.datasets["tarski"].source_files[0]).is_file()
    again = typed(folder, "init")
    assert (again.exit_code, "is there already" in again.stderr) == (2, True)
