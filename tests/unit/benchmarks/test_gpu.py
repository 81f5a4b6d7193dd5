"""The parts of ``make gpu``, which end in figures however they go; on a CPU, as there may be no GPU here."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks import gpu, gpu_parts
from benchmarks.gpu_job import Figure, Job, LackingError, dialogue_model
from tests.examples import ROOT

Measured = Callable[[str], dict[str, Any]]


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return Job("cpu", tiny=True, model="", requests=2, vllm="", work=tmp_path)


@pytest.fixture
def measured(job: Job) -> Measured:
    """Measures a part."""

    def measure(name: str) -> dict[str, Any]:
        gpu_parts.measure(name, job, job.work / "part.json")
        part = json.loads((job.work / "part.json").read_text())
        return {**part, "figures": dict(part["figures"])}

    return measure


@pytest.mark.parametrize(
    ("error", "status", "reason"),
    [
        (LackingError("no engine"), "not run", "no engine"),
        (ValueError(f"{ROOT}/config.yaml: no\nsecond line"), "failed", "ValueError: config.yaml: no"),
        (MemoryError("too much"), "out of memory", "MemoryError: too much"),
    ],
)
def test_part_that_fails_keeps_its_figures_and_its_error(
    measured: Measured, monkeypatch: pytest.MonkeyPatch, error: Exception, status: str, reason: str
) -> None:
    def part(_: Job) -> Iterator[Figure]:
        yield Figure("first", 1)
        raise error

    monkeypatch.setitem(gpu_parts.PARTS, "engines", part)
    found = measured("engines")
    assert (found["status"], found["reason"], found["figures"]["first"]) == (status, reason, 1)
    assert found["figures"]["peak (MB)"] > 10


def test_out_of_memory_is_told_where_the_library_says_it_in_its_own_words(
    measured: Measured, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch = pytest.importorskip("torch")

    def part(_: Job) -> Iterator[Figure]:
        try:
            raise torch.OutOfMemoryError("CUDA out of memory")
        except torch.OutOfMemoryError as error:
            raise RuntimeError("one prompt exceeds the memory") from error
        yield

    monkeypatch.setitem(gpu_parts.PARTS, "precision", part)
    assert measured("precision")["status"] == "out of memory"


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("kill -9 $$", "killed by signal 9; perhaps out of memory"),
        ("sleep 60", "over its limit of 0 s"),
        ("echo first; echo last >&2; exit 3", "ended with status 3: last"),
    ],
)
def test_part_that_is_killed_hangs_or_ends_is_told_so(tmp_path: Path, program: str, reason: str) -> None:
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{program}\n")
    python.chmod(0o700)
    part = gpu.run("engines", str(python), [], tmp_path, 0.4 if "sleep" in program else 20)
    assert (part["status"], part["reason"], part["figures"]) == ("failed", reason, [])


def test_killed_part_keeps_what_it_had_told(tmp_path: Path) -> None:
    python = tmp_path / "python"
    told = json.dumps({"status": "begun", "reason": "", "figures": [["first", 1]]})
    python.write_text(f"#!/bin/sh\necho '{told}' > \"$3\"\nkill -9 $$\n")
    python.chmod(0o700)
    part = gpu.run("engines", str(python), [], tmp_path, 20)
    assert (part["status"], part["figures"]) == ("failed", [["first", 1]])


def test_only_packages_that_a_machine_lacks_are_installed() -> None:
    pinned = dict(line.partition(" ")[0].strip().split("==") for line in _pins())
    assert {spec.partition("==")[0] for spec in gpu.missing({})} == {*gpu.NEEDED} - {*gpu.HEAVY}
    there = {**pinned, "scikit-learn": "1.0", "scipy": "1.0", "transformers": "5.0.1", "pydantic": "1.10"}
    assert gpu.missing(there) == [f"pydantic=={pinned['pydantic']}"]
    del there["sentence-transformers"], there["scipy"]
    assert gpu.missing(there) == [f"pydantic=={pinned['pydantic']}"]


def _pins() -> list[str]:
    return [line for line in (ROOT / "requirements.txt").read_text().splitlines() if "==" in line]


def test_placement_foresees_what_is_allocated(measured: Measured) -> None:
    pytest.importorskip("accelerate")
    found = measured("placement of 8B")
    assert (found["status"], found["reason"]) == ("ran", "")
    figures = found["figures"]
    # Embedding, output and two layers of 128-wide heads, 32 of queries and 8 of keys and values, in two bytes each.
    attention, feed_forward = 64 * 128 * (32 + 8 + 8 + 32), 3 * 64 * 128
    parameters = 2 * 512 * 64 + 2 * (attention + feed_forward + 2 * 64) + 64
    # The frequencies of positions come on top.
    assert figures["weights (GiB)"] * gpu_parts.GIB == pytest.approx(2 * parameters, rel=1e-3)
    assert figures["allocated to foreseen on cpu"] == pytest.approx(1, rel=1e-3)
    assert figures["reads 8 tokens"] == "yes"


@pytest.mark.parametrize(("shape", "parameters"), [("8B", 8.03), ("32B", 32.76), ("70B", 70.55)])
def test_shapes_have_published_numbers_of_parameters(shape: str, parameters: float) -> None:
    sizes = {"num_attention_heads": 32, **gpu_parts.SHAPES[shape]}
    hidden, heads = sizes["hidden_size"], sizes["num_attention_heads"]
    layer = hidden * 128 * (2 * heads + 16) + 3 * hidden * sizes["intermediate_size"]
    assert (2 * sizes["vocab_size"] * hidden + sizes["num_hidden_layers"] * layer) / 1e9 == pytest.approx(
        parameters, abs=0.01
    )


def test_repository_needs_its_commit_and_a_folder_is_a_path(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    monkeypatch.setattr("nlfol.models.local.materialisation.materialise", lambda entry, _: made.append(entry.source))
    for model in ("Qwen/Qwen3-8B@" + "0" * 40, "models/mine"):
        dialogue_model(Job("cpu", tiny=False, model=model, requests=0, vllm="", work=job.work))
    assert [source.identity for source in made] == [f"hub:Qwen/Qwen3-8B@{'0' * 40}", "path:mine"]
    with pytest.raises(ValueError, match="revision"):
        dialogue_model(Job("cpu", tiny=False, model="Qwen/Qwen3-8B@main", requests=0, vllm="", work=job.work))


def test_page_says_whether_cuda_has_run() -> None:
    part = {"status": "ran", "reason": "", "seconds": 2.0, "figures": [["asked (MB)", 16_000], ["peak (MB)", 900]]}
    results = {"parts": {"environment": {**part, "figures": []}, "precision": part}}
    assert "**CUDA has not run.**" in gpu.page(results)
    assert "| precision | 16,000 | 900 |  |" in gpu.page(results)
    results["parts"]["environment"]["figures"] = [["CUDA device", "NVIDIA H200"]]
    results["parts"]["precision"] = {**part, "status": "failed", "reason": "killed"}
    assert "**CUDA has not run.**" not in gpu.page(results)
    assert "### Precision\n\nfailed: killed (2 s)." in gpu.page(results)


def test_document_is_what_the_command_writes() -> None:
    written = (ROOT / "docs/gpu.md").read_text(encoding="utf-8")
    has_run = "**CUDA has not run.**" not in written
    about = [["CUDA device", "any"]] if has_run else []
    parts = {"environment": {"status": "ran", "reason": "", "seconds": 1.0, "figures": about}}
    expected = gpu.page({"parts": parts})
    assert written.partition("## Last run")[0] == expected.partition("## Last run")[0]
    assert os.fspath(ROOT) not in written
