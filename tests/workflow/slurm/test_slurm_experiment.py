"""The workflow on a real SLURM of this machine, through the profile that clusters use."""

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pytest
import yaml
from pytest_httpserver import HTTPServer
from tests.unit.models.vllm_command import Happened, install, runs
from tests.workflow.checkout import CHANCE, ROOT, Checkout, Run, configuration
from tests.workflow.running import REMOTE
from tests.workflow.slurm.cluster import Cluster, Job, obstacle, running
from tests.workflow.tiny_model import ENTRY, save_tiny_model
from werkzeug import Request, Response

from nlfol.store import files, schemas

MINILM: dict[str, Any] = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["models"]["minilm"]
PARTITIONS = "partitions: {cpu: {max_runtime: 1440}, gpu: {max_runtime: 1440, max_gpu: 2}}\n"
"""A site's partitions; the plugin chooses one by what a job needs."""
PATIENCE = 600
"""Seconds after which a test gives up on SLURM."""


def on_slurm(checkout: Checkout, *targets: str, environment: Mapping[str, str] = {}, forks: bool = True) -> Run:
    """Run Snakemake under the cluster's profile, only more impatient.

    Args:
        checkout: where it runs.
        targets: what it makes.
        environment: more of it.
        forks: whether SLURM's jobs have the interpreter of warm_jobs, which a kill of theirs does not reach. Without,
            each is submitted by itself: the number of an array's last job is that of the whole array.
    """
    more = {"NLFOL_TEST_KEY": "none", **({REMOTE: "1"} if forks else {}), **environment}
    checkout.write("partitions.yaml", PARTITIONS)
    return checkout.snakemake(
        *targets,
        "--workflow-profile=profiles/slurm",
        "--slurm-partition-config=partitions.yaml",
        "--slurm-init-seconds-before-status-checks=1",
        "--latency-wait=20",
        *([] if forks else ["--slurm-array-jobs=none"]),
        cores=16,
        environment=more,
        timeout=2 * PATIENCE,
    )


T = TypeVar("T")


def until(found: Callable[[], T | None], pause: float = 0.2) -> T:
    """Wait for something to be there, looking again after so many seconds."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if (value := found()) is not None:
            return value
        time.sleep(pause)
    raise TimeoutError(f"not there within {PATIENCE} seconds")


@dataclass
class Server:
    """Answers translations; of each model the first three at once, the others when it is released.

    Attributes:
        asked: how often each request came, by model and sentence.
        released: models that are answered in full.
    """

    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    released: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, request: Request) -> Response:
        body = json.loads(request.data)
        model, prompt = body["model"], body["messages"][-1]["content"]
        sentence = prompt.partition("Sentence: ")[2].partition("\n")[0]
        with self.lock:
            self.asked[model, sentence] += 1
            waits = len([name for name, _ in self.asked if name == model]) > 3
        if waits:
            self.released.wait(PATIENCE)
        content = json.dumps({"reasoning": "", "answer": "Sleeps(tom)"})
        completion = {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": model,
            "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
        }
        return Response(json.dumps(completion), content_type="application/json")


@dataclass(frozen=True)
class Interrupted:
    """An experiment with jobs that are killed in the middle of their answers.

    Attributes:
        checkout: where it runs.
        server: whom its models ask.
        run: what becomes of it.
        killed: the job of each model that was killed, and the model's journal then.
    """

    checkout: Checkout
    server: Server
    run: Future[Run]
    killed: Future[dict[str, tuple[Job, str]]]


KILLED = ("cancelled", "preempted", "overdue")


def journal(checkout: Checkout, model: str) -> str:
    path = checkout.folder / f"journal/{model}/mine.logical_translation.jsonl"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def job_of(cluster: Cluster, checkout: Checkout, model: str) -> Job | None:
    """The job that asks a model now: by the process that claimed its requests, as all jobs of an array look alike."""
    claims = checkout.folder / f"journal/{model}/.mine.logical_translation.jsonl.claims"
    with suppress(FileNotFoundError, ProcessLookupError):
        process = re.findall(r"process (\d+) on", claims.read_text())[0]
        number = re.findall(rb"\0SLURM_JOB_ID=(\d+)\0", Path(f"/proc/{process}/environ").read_bytes())[0].decode()
        return next(job for job in cluster.jobs() if job.number == number)
    return None


def kill_jobs(cluster: Cluster, checkout: Checkout, server: Server) -> dict[str, tuple[Job, str]]:
    """Kill each model's job after its third answer, or see SLURM do so; then have the server answer all."""
    killed = {}
    for model in KILLED:
        until(lambda model=model: len(journal(checkout, model).splitlines()) >= 3 or None)  # type: ignore[misc]
        killed[model] = (until(lambda model=model: job_of(cluster, checkout, model)), journal(checkout, model))  # type: ignore[misc]
        if model == "cancelled":
            cluster.cancel(killed[model][0].number)
        if model == "preempted":
            cluster.requeue(killed[model][0].number)
    for model in ("cancelled", "overdue"):
        first = killed[model][0].number

        def again(model: str = model, first: str = first) -> Job | None:
            job = job_of(cluster, checkout, model)
            return None if job is None or job.number == first else job

        # SLURM takes a minute, and each look is a process.
        until(again, pause=2)
    server.released.set()
    return killed


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three nodes, the last of which has two GPUs."""
    if reason := obstacle():
        pytest.skip(reason)
    with running(tmp_path_factory.mktemp("slurm") / "cluster", nodes=3) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory: pytest.TempPathFactory, cluster: Cluster) -> Iterator[Interrupted]:
    """It begins before the other tests and ends after them: SLURM takes more than a minute to find a job overdue."""
    checkout = Checkout.make(tmp_path_factory.mktemp("interrupted") / "checkout")
    server = Server()
    with HTTPServer(threaded=True) as http, ThreadPoolExecutor() as pool:
        http.expect_request("/v1/chat/completions").respond_with_handler(server)
        entry: dict[str, Any] = {
            "kind": "chat",
            "backend": "openai",
            "base_url": http.url_for("/v1"),
            "api_key_env": "NLFOL_TEST_KEY",
        }
        entry |= {"retries": 0, "concurrency": 1, "timeout": 2 * PATIENCE}
        models: dict[str, Any] = {name: {**entry, "model": name} for name in KILLED}
        models["overdue"]["resources"] = {"runtime": 1, "slurm_partition": "cpu"}
        profile = "profiles/slurm/config.yaml"
        checkout.write(profile, checkout.read(profile).replace("# slurm_partition: PARTITION", "slurm_partition: gpu"))
        values = configuration(**models)
        values["tasks"] = {"logical_translation": {}}
        checkout.configure(values)
        items = checkout.snakemake("results/items/mine/logical_translation.arrow")
        assert items.status == 0, items.output
        targets = [f"results/responses/mine/logical_translation/{name}.arrow" for name in KILLED]
        run = pool.submit(on_slurm, checkout, *targets, forks=False)
        try:
            yield Interrupted(checkout, server, run, pool.submit(kill_jobs, cluster, checkout, server))
        finally:
            server.released.set()


@pytest.fixture(scope="module")
def vllm(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment with a scripted command in the place of vLLM."""
    return install(tmp_path_factory.mktemp("bin"))


TARGETS = [
    "results/datasets/mine/measures.arrow",
    "results/audits/mine/most_similar.arrow",
    "results/tables/costs.arrow",
    *(f"results/scores/mine/most_similar/{model}.arrow" for model in ("tiny", "chance")),
    *(f"results/responses/mine/most_similar/{model}.arrow" for model in ("served", "minilm")),
]
"""A file of each stage; of the tables, which are made where Snakemake runs, a few."""


@pytest.fixture(scope="module")
def finished(
    tmp_path_factory: pytest.TempPathFactory, cluster: Cluster, interrupted: Interrupted, vllm: dict[str, str]
) -> tuple[Checkout, Run]:
    """An experiment with a job of every kind, after its run on the cluster."""
    folder = tmp_path_factory.mktemp("slurm-experiment")
    save_tiny_model(folder / "tiny")
    checkout = Checkout.make(folder / "checkout")
    tiny = {**ENTRY, "source": {"path": str(folder / "tiny")}, "resources": {"gpu": 2}}
    served = {"kind": "chat", "backend": "openai", "model": "some/model", "limits": {"tokens": 100}}
    served |= {"serve": {"engine": "vllm", "source": tiny["source"]}, "resources": {"gpu": 1, "mem_mb": 2000}}
    values = configuration(tiny=tiny, served=served, minilm={**MINILM, "device": "cpu"}, chance=CHANCE)
    values["tasks"] = {"most_similar": values["tasks"]["most_similar"]}
    checkout.configure(values)
    profile = "profiles/slurm/config.yaml"
    checkout.write(profile, checkout.read(profile).replace("  mem_mb: 4000", "  tasks: 1\n  mem_mb: 4000"))
    return checkout, on_slurm(checkout, *TARGETS, environment=vllm)


def jobs_of(cluster: Cluster, checkout: Checkout) -> list[Job]:
    """The jobs of an experiment."""
    return [job for job in cluster.jobs() if job.folder == checkout.folder]


def test_slurm_jobs_run_on_expected_partition(cluster: Cluster, finished: tuple[Checkout, Run]) -> None:
    checkout, run = finished
    assert run.status == 0, run.output
    jobs = jobs_of(cluster, checkout)
    assert {job.state for job in jobs} == {"COMPLETED"}
    # What runs in one job has a name drawn by Snakemake before its rules'.
    names = [re.sub(r"^rule_([0-9a-f-]{36}_)?|_wildcards_.*", "", job.comment).strip() for job in jobs]
    assert Counter(names) == {
        "ingest_dataset": 1,
        "attach_ontology": 1,
        "measure_items": 1,
        "build_items": 1,
        "audit_candidates": 1,
        "materialise_model": 3,
        "ask_chat": 1,
        "ask_embedding": 1,
        "ask_served_serve_model": 1,
        "answer_by_chance": 1,
        "judge_answers": 2,
    }
    (chat,) = (job for job in jobs if "ask_chat" in job.comment)
    assert (chat.partition, chat.node, chat.gpus) == ("gpu", cluster.nodes[-1], 2)
    (served,) = (job for job in jobs if "serve_model" in job.comment)
    assert (served.partition, served.node, served.gpus) == ("gpu", cluster.nodes[-1], 1)
    others = [job for job in jobs if job not in (chat, served)]
    assert {(job.partition, job.gpus) for job in others} == {("cpu", 0)}
    assert len({job.node for job in jobs}) > 1
    # What asks for the same, and is ready at the same time, is one array.
    assert {job.array for job in jobs if "materialise_model" in job.comment} != {None}


def test_served_model_shares_slurm_job_with_clients(finished: tuple[Checkout, Run], vllm: dict[str, str]) -> None:
    _, run = finished
    assert run.status == 0, run.output
    happened = Happened(vllm)
    (start,) = happened.starts
    assert not runs(start["pid"])
    assert len(happened.asked) == len(set(happened.asked)) == 7 * 2


def test_two_gpu_job_asks_every_question_once(finished: tuple[Checkout, Run]) -> None:
    """Though the profile asks for one task, of which SLURM would start one for each GPU."""
    checkout, run = finished
    assert run.status == 0, run.output
    lines = checkout.read("journal/tiny/mine.most_similar.jsonl").splitlines()
    assert len(lines) == len({json.loads(line)["key"] for line in lines}) == 4 * 2 * 2


def test_slurm_scores_equal_local_scores(finished: tuple[Checkout, Run]) -> None:
    checkout, run = finished
    assert run.status == 0, run.output
    before = {name: rows for name, rows in scores_of(checkout).items() if "tiny" in name or "chance" in name}
    assert len(before) == 2
    for name in (*checkout.bytes("results/**/*.arrow"), *checkout.bytes("journal/**/*")):
        (checkout.folder / name).unlink()
    here = checkout.snakemake(*before)
    assert here.status == 0, here.output
    assert scores_of(checkout) == before


def scores_of(checkout: Checkout) -> dict[str, list[dict[str, Any]]]:
    """The rows of all files of scores."""
    names = checkout.bytes("results/scores/*/*/*.arrow")
    return {name: files.rows(checkout.folder / name, schemas.SCORES) for name in names}


def test_killed_slurm_jobs_resume_from_journal(cluster: Cluster, interrupted: Interrupted) -> None:
    """One is cancelled, one preempted (queued again by SLURM itself), and one runs into its time limit."""
    killed = interrupted.killed.result()
    run = interrupted.run.result()
    assert run.status == 0, run.output
    ended = {job.number: job for job in cluster.jobs()}
    assert ended[killed["cancelled"][0].number].state == "CANCELLED"
    assert ended[killed["overdue"][0].number].state == "TIMEOUT"
    assert ended[killed["preempted"][0].number].state == "COMPLETED", run.output
    assert ended[killed["preempted"][0].number].restarts == 1
    for model, (_, before) in killed.items():
        after = journal(interrupted.checkout, model)
        assert len(before.splitlines()) == 3
        assert after.startswith(before)
        keys = [json.loads(line)["key"] for line in after.splitlines()]
        assert len(keys) == len(set(keys)) == 8
        asked = [count for (asker, _), count in interrupted.server.asked.items() if asker == model]
        # Asked again is only the one whose answer had not come when the job was killed.
        assert sorted(asked)[:-1] == [1] * 7


def test_slurm_partition_follows_entry_then_profile(interrupted: Interrupted) -> None:
    partitions = {model: job.partition for model, (job, _) in interrupted.killed.result().items()}
    assert partitions == {"cancelled": "gpu", "preempted": "gpu", "overdue": "cpu"}


def test_slurm_run_completes_on_single_node_and_in_two_places(tmp_path: Path, cluster: Cluster) -> None:
    """All jobs of a run on one node, which SLURM fills one job after another, and at most two of them at once."""
    checkout = Checkout.make(tmp_path / "checkout")
    tasks = {f"items_{number}": {"task": "logical_translation", "items": number} for number in range(1, 6)}
    checkout.configure({**configuration(), "tasks": tasks})
    for node in cluster.nodes[1:]:
        cluster.scontrol("update", f"NodeName={node}", "State=DRAIN", "Reason=test")
    # The plugin alone would wait for the three that are ready and have no place.
    run = on_slurm(checkout, *(f"results/items/mine/{task}.arrow" for task in tasks), "--jobs=2")
    assert run.status == 0, run.output
    jobs = jobs_of(cluster, checkout)
    assert {job.node for job in jobs} == {cluster.nodes[0]}
    built = [job for job in jobs if "build_items" in job.comment]
    assert len(built) == 5
    # The first two share an array.
    assert Counter(job.array for job in built if job.array).most_common(1)[0][1] == 2
