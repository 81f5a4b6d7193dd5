"""Models that the workflow serves itself, through Snakemake, with a scripted command in the place of vLLM, and vLLM."""

import json
import os
import signal
import socket
import time
from collections import Counter
from pathlib import Path
from threading import Thread
from typing import Any

import polars as pl
import pytest
from tests.unit.models import test_real_servers as real
from tests.unit.models.vllm_command import VERSION, Happened, install, runs
from tests.workflow.checkout import CHANCE, Checkout, configuration

from nlfol.store import files, schemas

TRANSLATED = "results/responses/mine/logical_translation/served.arrow"


def served(*arguments: str, start: int = 1800, **settings: Any) -> dict[str, Any]:
    serve = {"engine": "vllm", "source": {"path": "weights"}, "arguments": list(arguments), "start": start}
    entry = {"kind": "chat", "backend": "openai", "model": "Qwen/Qwen3-8B", "serve": serve}
    return {**entry, "limits": {"tokens": 100}, **settings}


def place_weights(checkout: Checkout) -> None:
    """Put weights where entries name them, as far as anything reads them before a server does."""
    checkout.write("weights/config.json", '{"max_position_embeddings": 8192}')


def experiment(**models: dict[str, Any]) -> dict[str, Any]:
    values = configuration(**models, chance=CHANCE)
    values["tasks"] = {
        "logical_translation": {},
        "most_similar": {"protocol": "audited", "perturbations": 2, "minimum": 2},
    }
    return values


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return install(tmp_path / "bin")


def is_gone(start: dict[str, Any]) -> bool:
    with socket.socket() as probe:
        return not runs(start["pid"]) and probe.connect_ex(("127.0.0.1", start["port"])) != 0


def test_jobs_share_model_server_until_done(checkout: Checkout, environment: dict[str, str]) -> None:
    embedding = {**served(), "kind": "embedding", "model": "Qwen/Qwen3-Embedding-8B"}
    del embedding["limits"]
    checkout.configure(experiment(served=served("--max-model-len=8192"), embedded=embedding))
    responses = [TRANSLATED, *(f"results/responses/mine/most_similar/{name}.arrow" for name in ("served", "embedded"))]
    targets = (*responses, "--resources", "gpu=2")

    place_weights(checkout)
    # One core, and three jobs that ask: each would need one of its own if it counted.
    checkout.run("estimate", cores=1, environment=environment)
    estimated = pl.read_csv(checkout.folder / "results/estimate.csv").to_dicts()
    assert [(row["model"], row["left"] > 0, row["cost_most"]) for row in estimated] == [("served", True, 0)] * 2
    assert not Happened(environment).starts

    run = checkout.run(*targets, cores=1, environment=environment)
    assert {rule: run.jobs[rule] for rule in ("serve_model", "ask_served", "ask_embedding_served")} == {
        "serve_model": 2,
        "ask_served": 2,
        "ask_embedding_served": 1,
    }
    first = Happened(environment)
    names = Counter(start["arguments"][2].partition("=")[2] for start in first.starts)
    assert names == {"Qwen/Qwen3-8B": 1, embedding["model"]: 1}
    assert all(map(is_gone, first.starts))
    assert not list(checkout.folder.glob("results/servers/*"))
    rows = files.rows(checkout.folder / TRANSLATED, schemas.RESPONSES)
    assert {(row["outcome"], row["cost"]) for row in rows} == {("answered", 0.0)}
    metadata = files.read(checkout.folder / TRANSLATED, schemas.RESPONSES).schema.metadata
    (engine,) = json.loads(metadata[b"engines"])
    assert engine == {"answers": len(rows), "engine": {"vllm": VERSION}}
    assert metadata[b"identity"].decode().startswith("vllm:path:weights;arguments=")
    assert "#sha256:" in metadata[b"identity"].decode()

    # How long it may take to start changes nothing; what it is started with changes what asks it.
    checkout.configure(experiment(served=served("--max-model-len=8192", start=60), embedded=embedding))
    dry = checkout.dry_run(*targets)
    assert dry.jobs == {}, dry.output
    checkout.configure(experiment(served=served("--max-model-len=4096"), embedded=embedding))
    assert checkout.dry_run(*targets).jobs == {"serve_model": 1, "ask_served": 2}
    checkout.configure(experiment(served=served("--max-model-len=8192"), embedded=embedding))
    # All answers are in the journal: no server is started to write them down again.
    made = checkout.bytes("results/responses/**/*.arrow")
    (checkout.folder / TRANSLATED).unlink()
    run = checkout.run(*targets, environment=environment)
    assert run.jobs["ask_served"] == 2
    assert checkout.bytes("results/responses/**/*.arrow") == made
    again = Happened(environment)
    assert (again.starts, again.asked) == (first.starts, first.asked)


def test_failed_server_start_is_explained_once(checkout: Checkout, environment: dict[str, str]) -> None:
    checkout.configure(experiment(served=served("--broken")))
    place_weights(checkout)
    run = checkout.snakemake(TRANSLATED, environment=environment)
    assert run.status != 0
    own = "correct serve.arguments"
    (explained,) = (error for error in run.errors if own in error and "server is gone" not in error)
    assert "vllm ended with status 3" in explained
    assert "ValueError: the model is broken, as it was told to be" in run.output
    assert all("its server is gone" in error for error in run.errors if error != explained)
    assert "ValueError" in checkout.read("results/logs/serve_model/served.server.log")


def test_killed_served_run_resumes_with_server_on_other_port(checkout: Checkout, environment: dict[str, str]) -> None:
    # Every answer takes a while, so that the run is killed between two.
    checkout.configure(experiment(served=served("--slow", concurrency=1)))
    place_weights(checkout)
    killed = checkout.snakemake(
        TRANSLATED, environment=environment, killed=lambda: len(Happened(environment).asked) >= 3
    )
    assert killed.status == -signal.SIGKILL
    before = Happened(environment)
    while not is_gone(before.starts[0]):
        time.sleep(0.05)

    checkout.run(TRANSLATED, "--nolock", environment=environment)
    after = Happened(environment)
    assert len(after.starts) == 2
    # Whatever was answered is asked once; the one that was under way may be asked twice.
    repeated = [text for text, times in Counter(after.asked).items() if times > 1]
    assert repeated in ([], before.asked[-1:])
    assert len(set(after.asked)) == len(files.rows(checkout.folder / TRANSLATED, schemas.RESPONSES))


def test_killed_vllm_loses_no_answer_and_is_asked_for_the_others(checkout: Checkout, tmp_path: Path) -> None:
    said = real.entry("vllm")
    real.place(said, tmp_path)  # skips where the weights are not there
    assert said.serve is not None
    serve = {**said.serve.model_dump(mode="json"), "command": real.vllm_command(), "arguments": ["--enforce-eager"]}
    asked: dict[str, Any] = {"limits": {"tokens": 40}, "seeds": [3, 12], "concurrency": 2, "resources": {"threads": 1}}
    checkout.configure(experiment(served=served(**asked, model="smollm2") | {"serve": {**serve, "context": 4096}}))
    journal = checkout.folder / "journal/served/mine.logical_translation.jsonl"

    def kill() -> None:
        while not journal.exists() or journal.read_bytes().count(b"\n") < 4:
            time.sleep(0.05)
        job = json.loads(checkout.read("results/servers/served.json"))["pid"]
        os.kill(real.engine_of(job), signal.SIGKILL)

    killer = Thread(target=kill, daemon=True)
    killer.start()
    run = checkout.snakemake(TRANSLATED)
    assert run.status != 0
    assert any("its server is gone" in error for error in run.errors), run.output
    kept = answers(journal)
    checkout.run(TRANSLATED)
    rows = files.rows(checkout.folder / TRANSLATED, schemas.RESPONSES)
    assert len(rows) == 16
    assert {row["outcome"] for row in rows} <= {"answered", "truncated"}
    whole = answers(journal)
    assert 4 <= len(kept) < len(whole) == len({key for key, _ in whole}) == 16
    assert whole[: len(kept)] == kept
    # Those that were not kept, and whether answers are held to a structure.
    sent = checkout.read("results/logs/serve_model/served.server.log").count('"POST /v1/chat/completions HTTP/1.1" 200')
    assert sent == 16 - len(kept) + 1


def answers(journal: Path) -> list[tuple[str, str | None]]:
    """Keys and texts of a journal's answers; requests that failed are there, too."""
    lines = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    return [(line["key"], line["reply"]["text"]) for line in lines if line["reply"]["outcome"] != "failed"]
