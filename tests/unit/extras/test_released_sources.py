"""``nlfol released``: sources, their pins, and the experiments that are made of them."""

import hashlib
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import chdir
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.examples import ROOT
from typer.testing import CliRunner, Result

from nlfol.asking.answer_files import read_answer_file
from nlfol.cli.main import app
from nlfol.config.reading import read_configuration
from nlfol.models.entries.baselines import AnswersEntry
from nlfol.store.records import SourceError
from nlfol_extras.released.experiment import DATASETS, Chosen, experiment, sources_folder
from nlfol_extras.released.sources import Source, read_sources

SHARED = ROOT.parent / "shared/data"
COMMIT = "0" * 40


def record(number: int, **changes: Any) -> dict[str, Any]:
    question = f"Is it true, false, or uncertain? Person{number} is kind."
    program = f"Premises:\nCold(p{number})\nConclusion:\nKind(p{number})"
    return {
        "id": f"FOLIO_dev_{number}",
        "context": f"Person{number} is cold. All cold people are kind.",
        "question": question,
        "options": ["A) True", "B) False", "C) Uncertain"],
        "answer": "A",
        "raw_logic_programs": [program],
        **changes,
    }


def verdict(number: int, answer: str, flag: str) -> dict[str, Any]:
    return {key: record(number)[key] for key in ("id", "context", "question", "answer")} | {
        "flag": flag,
        "predicted_answer": answer,
    }


FILES = {
    "programs/FOLIO_dev_m.json": [record(0), record(1)],
    "verdicts/FOLIO_dev_m.json": [verdict(0, "A", "success"), verdict(1, "B", "parsing error")],
}


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def host(tmp_path: Path) -> Iterator[str]:
    """A server of a repository's files at a commit."""
    for name, content in FILES.items():
        path = tmp_path / "served/me/mine" / COMMIT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(tmp_path / "served")))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Calls the command in an empty folder, with an empty cache and one source, ``mine``."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("NLFOL_DATA", str(tmp_path / "data"))
    (tmp_path / "sources").mkdir()

    def running(source: dict[str, Any], *options: str) -> Result:
        (tmp_path / "sources/mine.yaml").write_text(yaml.safe_dump(source), encoding="utf-8")
        with chdir(tmp_path):
            return CliRunner().invoke(app, ["released", *options, "--sources", "sources"], env={"COLUMNS": "400"})

    return running


def pinned(file: str, **more: Any) -> dict[str, Any]:
    content = json.dumps(FILES[file]).encode()
    return {"path": file, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest(), **more}


def source(host: str = "http://127.0.0.1:9", **changes: Any) -> dict[str, Any]:
    solver = pinned("verdicts/FOLIO_dev_m.json", name="prover9")
    return {
        "repository": "me/mine",
        "commit": COMMIT,
        "licence": "MIT",
        "form": "logic_lm",
        "host": host,
        "prompt": {"id": "logic_lm", "examples": 2},
        "decoding": "greedy",
        "models": {"m": {"provider": "P", "date": "2024"}},
        "files": [pinned("programs/FOLIO_dev_m.json", dataset="folio_dev", model="m", solver=solver)],
        **changes,
    }


def test_shipped_sources_are_valid_and_complete() -> None:
    sources = read_sources(sources_folder())
    assert {"logic_lm", "wernerolaf", "dl2", "nsombekke", "loglm", "theory_aware", "linc", "rnl"} == set(sources)
    files = [file for each in sources.values() for file in each.files]
    assert {file.dataset for file in files} <= set(DATASETS)
    assert all((file.sha256 is None) == (file.bytes is None) for file in files)
    assert {name for name, each in sources.items() if each.licence is None} == {"linc", "rnl"}


def test_released_lists_sources(run: Callable[..., Result]) -> None:
    done = run(source())
    assert done.exit_code == 0, done.output
    assert "me/mine 0000000" in done.stdout
    assert "folio_dev" in done.stdout


def test_released_prints_configuration_of_download(run: Callable[..., Result], host: str, tmp_path: Path) -> None:
    done = run(source(host), "mine", "--print", "--items", "5")
    assert done.exit_code == 0, done.output
    values = yaml.safe_load(done.stdout)
    read_configuration(values)
    assert values["datasets"]["folio_dev"]["sample"] == 5
    assert values["models"]["m.prover9"]["verdicts_of"] == "m"
    assert not (tmp_path / "runs").exists()
    # The cache serves it without the server.
    assert run(source(), "mine", "--print").exit_code == 0


def test_download_of_another_digest_is_refused(run: Callable[..., Result], host: str, tmp_path: Path) -> None:
    (tmp_path / f"served/me/mine/{COMMIT}/programs/FOLIO_dev_m.json").write_text("[]", encoding="utf-8")
    done = run(source(host), "mine", "--print")
    assert done.exit_code
    assert "not the pinned file" in " ".join(done.stderr.split())
    missing = run(source(host, commit="1" * 40), "mine", "--print")
    assert "cannot be downloaded" in missing.stderr


def test_unpinned_file_is_read_from_folder_alone(run: Callable[..., Result], host: str, tmp_path: Path) -> None:
    files = [{"path": "programs/FOLIO_dev_m.json", "dataset": "folio_dev", "model": "m"}]
    unpinned = source(host, licence=None, files=files)
    done = run(unpinned, "mine", "--print")
    assert "not downloaded, as it has no licence; put the file into a folder that NLFOL_DATA names" in done.stderr
    (tmp_path / "data").mkdir()
    shutil.copy(tmp_path / f"served/me/mine/{COMMIT}/programs/FOLIO_dev_m.json", tmp_path / "data")
    assert run(unpinned, "mine", "--print").exit_code == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"models": {"n": {"provider": "P", "date": "2024"}}}, "no model m"),
        ({"licence": None}, "files are pinned, but there is no licence"),
        ({"commit": "main"}, "commit"),
        (
            {"files": [{"path": "a", "dataset": "folio_dev", "model": "m", "published": {"accuracy": 0.5}}]},
            "figures were published nowhere; add publication",
        ),
        ({"extra": 1}, "extra"),
    ],
)
def test_faulty_source_is_refused(run: Callable[..., Result], changes: dict[str, Any], message: str) -> None:
    done = run(source(**changes), "mine", "--print")
    assert done.exit_code
    assert message in done.stderr


def test_configuration_has_model_and_published_figures(run: Callable[..., Result], host: str) -> None:
    published = source(host, publication={"where": "table 2", "fallback": "random option"})
    published["files"][0]["published"] = {"accuracy": 0.5}
    done = run(published, "mine", "--print")
    configuration = read_configuration(yaml.safe_load(done.stdout))
    figure = {"accuracy": 0.5, "executable": None, "where": "table 2", "fallback": "random option"}
    assert configuration.of_answers("released") == {
        "m": {
            "provider": "P",
            "date": "2024",
            "prompt": "logic_lm",
            "examples": 2,
            "decoding": "greedy",
            "published": {"folio_dev": figure},
        }
    }


def test_unknown_names_are_refused(run: Callable[..., Result]) -> None:
    assert "no source mime (did you mean mine?)" in run(source(), "mime").stderr
    assert "no dataset folio (did you mean" in run(source(), "mine", "--dataset", "folio").stderr


def made(tmp_path: Path, content: dict[str, Any], form: str, **changes: Any) -> Any:
    """Write files as your own download, and return the experiment about them."""
    for name, value in content.items():
        (tmp_path / name).write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    file = {"path": next(iter(content)), "dataset": "folio_dev", "model": "m", **changes}
    return experiment({"mine": Source(**source(licence=None, form=form, files=[file]))}, Chosen(["mine"]), Path("run"))


def test_experiment_has_problems_and_verdicts_of_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLFOL_DATA", str(tmp_path))
    content = {"a.json": FILES["programs/FOLIO_dev_m.json"], "b.json": FILES["verdicts/FOLIO_dev_m.json"]}
    found = made(tmp_path, content, "logic_lm", solver={"path": "b.json", "name": "prover9"})
    assert sorted(map(str, found.files)) == [
        "run/answers/m.prover9/verdicts.folio_dev.json",
        "run/answers/m/program_formulas.folio_dev.json",
        "run/problems/folio_dev.jsonl",
    ]
    (tmp_path / "verdicts.json").write_bytes(found.files[Path("run/answers/m.prover9/verdicts.folio_dev.json")])
    rows = read_answer_file(tmp_path / "verdicts.json").rows
    assert [(row.answer, row.outcome) for row in rows] == [("A", None), (None, "failed")]
    assert found.warnings == []
    long = "It is a long winter in a large town by the sea, and few of its people go out after dark in these months."
    editions = [record(0, context=long), record(0, context=long.replace("sea", "see")), record(1)]
    assert made(tmp_path, {"a.json": editions}, "logic_lm").warnings == [
        "folio_dev: 1 of 2 problems have other words in some files, and are judged by the first: FOLIO_dev_0"
    ]
    other = [record(0), record(1, answer="B"), record(1, answer="A")]
    with pytest.raises(SourceError, match="row 3: another problem 'FOLIO_dev_1' than in other files"):
        made(tmp_path, {"a.json": other}, "logic_lm")


def test_verdicts_on_linc_draws_have_the_text_of_their_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLFOL_DATA", str(tmp_path))
    draw = "TEXT:\tAnn is cold.\nFOL:\tCold(Ann)\nTEXT:\tAnn is kind.\nFOL:\tKind(Ann)\n"
    content = {"raw.json": [[draw, draw]], "prc.json": [["True", "Error"]], "FOLIO.json": "[]"}
    (tmp_path / "folio.jsonl").write_text("", encoding="utf-8")
    for name, value in content.items():
        (tmp_path / name).write_text(json.dumps(value), encoding="utf-8")
    file = {"path": "raw.json", "dataset": "folio_dev", "model": "m", "solver": {"path": "prc.json", "name": "prover9"}}
    sources = {"mine": Source(**source(licence=None, form="linc", files=[file]))}
    with pytest.raises(SourceError, match="none of these sources holds its problems; name FOLIO's split with --folio"):
        experiment(sources, Chosen(["mine"]), Path("run"))
    found = experiment(sources, Chosen(["mine"], folio=tmp_path / "folio.jsonl"), Path("run"))
    said = json.loads(found.files[Path("run/answers/m.prover9/verdicts.folio_dev.json")])
    assert said[0]["context"] == "Ann is cold. Ann is kind."
    assert (said[0]["predicted_answer"], said[0]["flag"]) == (["True", "Error"], ["success", "error"])


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs released programs")
def test_experiment_of_shipped_source_is_valid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLFOL_DATA", str(SHARED))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    names = ["logic_lm", "dl2", "nsombekke", "loglm", "wernerolaf"]
    found = experiment(read_sources(sources_folder()), Chosen(names), Path("run"))
    configuration = read_configuration(found.values)
    answers = {name: entry for name, entry in configuration.models.items() if isinstance(entry, AnswersEntry)}
    paths = {answers[model].file(dataset, task) for dataset, task, model in configuration.jobs()}
    assert {Path(path) for path in paths} == {path for path in found.files if "answers" in path.parts}
    assert len({job[2] for job in configuration.jobs() if job[1].startswith("program")}) == 24
    assert found.files[Path("run/problems/folio_dev.jsonl")].count(b"\n") == 204
