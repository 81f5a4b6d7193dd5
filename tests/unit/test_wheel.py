"""The wheel, made from the source distribution, in environments that have its dependencies and nothing else.

With this Python all is run; with the others of ``PYTHONS`` that are found here, functions that need no package that is
compiled for one Python. Commands need pydantic: with ``NLFOL_WHEEL_INDEX=1`` (make test-wheel) it and the extras come
from pip's index, and every command is run bare and with extras.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml
from tests.examples import CUBES, ROOT, item
from typer.main import get_group

from nlfol.cli.main import app
from nlfol.data.entries.folio import FolioEntry


def _distributions(wanted: list[str]) -> set[str]:
    """Names of distributions and of all that they need, extras and other systems aside."""
    found: set[str] = set()
    while wanted:
        requirement = wanted.pop()
        name = re.split(r"[^\w.-]", requirement)[0]
        if name not in found and not re.search(r";.*(extra|platform|python_version <)", requirement):
            found.add(name)
            wanted += distribution(name).requires or []
    return found


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


PYTHONS = ("3.11", "3.12", "3.13")
THIS = f"{sys.version_info.major}.{sys.version_info.minor}"
PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
SDIST = "import sys; from setuptools.build_meta import build_sdist; print(build_sdist(sys.argv[1]))"


def _interpreter(version: str) -> str | None:
    """The path of a Python: of pyenv, or on the PATH, where pyenv's shims of versions that are not chosen fail."""
    of_pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob(f"versions/{version}.*/bin/python")
    for path in (*map(str, sorted(of_pyenv)), shutil.which(f"python{version}")):
        if path and subprocess.run([path, "-c", "import venv"], capture_output=True, check=False).returncode == 0:
            return path
    return None


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, made from the source distribution alone."""
    folder = tmp_path_factory.mktemp("built")
    source = folder / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "CITATION.cff", "config.yaml"):
        shutil.copy(ROOT / name, source)
    for name in (
        *("config", "resources/datasets", "resources/grammars", "resources/lexicon", "resources/prompts"),
        "workflow/scripts",
    ):
        shutil.copytree(ROOT / name, source / name)
    shutil.copy(ROOT / "resources/experiment.yaml", source / "resources")
    made = subprocess.run(
        [sys.executable, "-c", SDIST, str(folder)], cwd=source, capture_output=True, text=True, check=False
    )
    if made.returncode and "No module named" in made.stderr:
        pytest.skip(f"setuptools is not here: {made.stderr.strip().splitlines()[-1]}")
    assert made.returncode == 0, made.stderr
    (archive,) = folder.glob("nlfol-*.tar.gz")
    wheel = ["wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder), str(archive)]
    done = subprocess.run([*PIP, *wheel], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("nlfol-*.whl"))


def _install(wheel: Path, folder: Path, python: str) -> Path:
    """Install a wheel into a new environment with links to its dependencies; return the folder of its commands."""
    for command in (
        [python, "-m", "venv", "--without-pip", "--symlinks", folder],
        [*PIP, "--python", folder / "bin/python", "install", "--no-deps", "--no-index", wheel],
    ):
        done = _run(*command)
        assert done.returncode == 0, done.stderr
    _link(folder, PROJECT["dependencies"])
    assert not (_packages(folder) / "polars").exists()
    return folder / "bin"


@pytest.fixture(scope="module")
def environment(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of an environment of this Python."""
    return _install(built, tmp_path_factory.mktemp("installed") / "env", sys.executable)


def _packages(environment: Path) -> Path:
    return next((environment / "lib").glob("python*/site-packages"))


def _version(environment: Path) -> str:
    return _packages(environment).parent.name.removeprefix("python")


def _link(environment: Path, requirements: list[str]) -> None:
    """Give an environment what is installed here of some requirements."""
    packages = _packages(environment)
    for name in _distributions(list(requirements)):
        installed = distribution(name)
        tops = {file.parts[0] for file in installed.files or () if file.parts[0] not in ("..", "__pycache__")}
        of_one_python = any(".cpython-" in file.name and file.suffix == ".so" for file in installed.files or ())
        for top in () if of_one_python and _version(environment) != THIS else tops:
            if not (packages / top).exists():
                (packages / top).symlink_to(Path(str(installed.locate_file(top))))


def _run(*command: object, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [*map(str, command)], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_wheel_command_compares_formulas(environment: Path) -> None:
    done = _run(environment / "nlfol", "compare", "∀x P(x)", "¬∃x ¬P(x)")
    assert (done.returncode, done.stdout) == (0, "equivalent (by normal form)\n"), done.stderr


def test_wheel_supports_notebook_display(environment: Path) -> None:
    code = (
        "import nlfol; found = nlfol.compare('∀x (Cube(x) → Small(x))', '∃x (Cube(x) ∧ Small(x))'); "
        "print(nlfol.__file__, found.relation, '<svg' in found._repr_html_())"
    )
    done = _run(environment / "python", "-c", code)
    assert done.stdout.startswith(str(environment.parent)), done.stderr
    assert done.stdout.endswith(" independent True\n")


def test_wheel_ships_type_marker(environment: Path) -> None:
    assert (_packages(environment.parent) / "nlfol/py.typed").is_file()


COMMANDS = {
    "parse": ["∀x P(x)"],
    "compare": ["P(a)", "P(a)"],
    "entails": ["P(a)", "P(a)"],
    "lint": ["absent.jsonl"],
    "solve": ["rules.txt", "--language", "clauses"],
    "generate": ["k_sat", "--values", "3", "--count", "1"],
    "audit": ["absent.jsonl"],
    "sheets": ["table.csv", "table.csv", "--output", "sheets"],
    "check": ["absent.csv"],
    "diff": [".", "."],
    "export": [".", "--methods"],
    "import": ["answers.jsonl"],
    "plan": ["--difference", "0.5", "--seeds", "1"],
    "score": ["answers.jsonl", "--task", "logical_translation"],
    "submit": ["answers.jsonl", "--about", "table.csv", "--dataset", "tarski", "--task", "ranking"],
    "board": ["."],
    "publish": ["tarski", "--task", "logical_translation", "--repository", "me/nlfol-tarski"],
    "explain": ["table.csv", "--row", "1", "--column", "items"],
    "verify": ["."],
    "run": ["--model", "reader"],
    "released": ["absent"],
    "init": ["mine.yaml"],
}
"""Arguments of every command of the wheel."""


ALL = """
import contextlib, io, json, sys, traceback
from nlfol.cli.main import main

done = {}
for name, given in json.loads(sys.argv[1]).items():
    sys.argv = ["nlfol", name, *given]
    output, error = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    status = 0
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(error):
        try:
            main()
        except SystemExit as end:
            status = end.code or 0
        except BaseException:
            traceback.print_exc()
    done[name] = (status, *(stream.buffer.getvalue().decode() for stream in (output, error)))
print(json.dumps(done))
"""
"""Runs commands in one process, as most of the time of one is its start."""

Done = tuple[int, str, str]
"""Exit status, output and errors."""


def _run_all(environment: Path, folder: Path) -> dict[str, Done]:
    """Run every command in a folder with the files that they read."""
    shutil.copy(ROOT / "resources/answers/written.jsonl", folder / "answers.jsonl")
    (folder / "table.csv").write_text("items\n3\n", encoding="utf-8")
    (folder / "rules.txt").write_text("Facts:\nCold(bob, True)\nRules:\nQuery:\nCold(bob, True)\n", encoding="utf-8")
    done = _run(environment / "python", "-c", ALL, json.dumps(COMMANDS), folder=folder)
    assert done.returncode == 0, done.stderr
    found: dict[str, Done] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def bare(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Done]:
    """Every command without the packages of the extras."""
    return _run_all(environment, tmp_path_factory.mktemp("bare"))


def test_wheel_test_covers_every_command() -> None:
    commands = get_group(app)
    assert (
        set(commands.list_commands(commands.make_context("nlfol", ["--version"], resilient_parsing=True)))
        == COMMANDS.keys()
    )


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_missing_package_error_names_extra(bare: dict[str, Done], command: str) -> None:
    status, output, error = bare[command]
    assert "Traceback" not in error
    named = re.findall(r"needs the package (\w+): pip install '\.\[(\w+)\]' in a clone of the repository", error)
    if "needs the package" in error:
        ((module, extra),) = named
        assert (status, output) == (2, "")
        packages = {re.split(r"\W", each)[0].lower() for each in PROJECT["optional-dependencies"][extra]}
        assert {"yaml": "pyyaml"}.get(module, module) in packages
    else:
        assert command in ("parse", "compare", "entails", "lint", "solve", "audit", "run", "released"), error


def test_wheel_run_reports_missing_workflow(environment: Path, tmp_path: Path) -> None:
    done = _run(environment / "nlfol", "run", "--model", "reader", folder=tmp_path)
    assert done.returncode == 2
    assert "the workflow is not here: clone the repository" in " ".join(done.stderr.replace("│", " ").split())


def test_wheel_read_results_names_missing_package(environment: Path) -> None:
    done = _run(environment / "python", "-c", "import nlfol; nlfol.read_results()")
    last = done.stderr.splitlines()[-1]
    assert "ModuleNotFoundError: nlfol.read_results needs the package polars: pip install '.[tools]' in" in last


def test_wheel_ships_every_prompt(environment: Path) -> None:
    installed = environment.parent / "share/nlfol/resources/prompts"
    prompts = {path.relative_to(ROOT / "resources/prompts") for path in (ROOT / "resources/prompts").rglob("*.jinja")}
    assert {path.relative_to(installed) for path in installed.rglob("*.jinja")} == prompts


SCORED = (
    "import json, sys, nlfol; row = json.load(open(sys.argv[1])); "
    "print(nlfol.dialogue(row).messages[-1]['content'].splitlines()[-1], nlfol.score(row, sys.argv[2]).scores)"
)


def test_wheel_score_names_missing_package(environment: Path) -> None:
    done = _run(environment / "python", "-c", "import nlfol; nlfol.score({}, '')")
    assert re.search(r"nlfol.score needs the package \w+: pip install '.\[tools\]' in", done.stderr)


FAILING = {
    *("lint", "audit", "sheets", "check", "diff", "explain", "export", "import", "run", "released", "submit", "board"),
    "verify",
}
"""Commands that fail for their arguments."""


def _check_all(environment: Path, folder: Path) -> None:
    """Run every command where the extra ``tools`` is installed."""
    done = _run_all(environment, folder)
    for command, (_, _, error) in done.items():
        assert "Traceback" not in error, (command, error)
        assert "needs the package" not in error, command
    assert {command for command, (status, _, _) in done.items() if status} == FAILING
    assert done["init"][1].startswith("mine.yaml written.")
    assert "logical_translation: 24 answers, 18 wrong" in done["score"][1]
    assert (folder / "hub/README.md").is_file()


OTHERS = [version for version in PYTHONS if version != THIS]
FUNCTIONS = """
import compileall, nlfol, os, pathlib, sys

packages = pathlib.Path(nlfol.__file__).parents[1]
assert compileall.compile_dir(packages, quiet=1, rx=__import__("re").compile("site-packages/(?!nlfol)"))
print(nlfol.compare("∀x (Cube(x) → Small(x))", "∃x (Cube(x) ∧ Small(x))").relation, nlfol.distance("P(a)", "P(b)").name)
premises = [nlfol.parse("∀x (P(x) → Q(x))"), nlfol.parse("P(a)")]
print(nlfol.entails(premises, nlfol.parse("Q(a)")).label, nlfol.judge("∀x P(x)", "¬∃x ¬P(x)").is_right)
"""
"""Functions of formulas, which need Z3 and pyparsing alone."""


@pytest.fixture(params=OTHERS)
def other(built: Path, request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The folder of the commands of an environment of another Python."""
    python = _interpreter(request.param)
    if python is None:
        pytest.skip(f"Python {request.param} is not here")
    installed = _install(built, tmp_path / "env", python)
    assert _version(installed.parent) == request.param
    return installed


def test_wheel_judges_formulas_with_other_pythons(other: Path, environment: Path) -> None:
    done, expected = (_run(folder / "python", "-c", FUNCTIONS) for folder in (other, environment))
    assert expected.returncode == 0, expected.stderr
    assert (done.returncode, done.stdout, done.stderr) == (0, expected.stdout, "")


@pytest.mark.skipif(not os.environ.get("NLFOL_WHEEL_INDEX"), reason="NLFOL_WHEEL_INDEX=1 takes packages from an index")
def test_wheel_runs_every_command_with_other_pythons(
    built: Path, bare: dict[str, Done], other: Path, tmp_path: Path
) -> None:
    _unlink(other.parent)
    for wanted in (str(built), f"{built}[tools]"):
        done = _run(*PIP, "--python", other / "python", "install", wanted)
        assert done.returncode == 0, done.stderr
        folder = tmp_path / f"run{wanted.count('[')}"
        folder.mkdir()
        if wanted == str(built):
            assert _run_all(other, folder) == bare
        else:
            _check_all(other, folder)


def _unlink(environment: Path) -> None:
    """Take away what ``_link`` gave, so that pip installs it."""
    for path in _packages(environment).iterdir():
        if path.is_symlink():
            path.unlink()


def test_wheel_names_datasets_that_it_ships(environment: Path) -> None:
    shipped = environment.parent / "share/nlfol"
    named = yaml.safe_load((shipped / "config/folio.yaml").read_text(encoding="utf-8"))["datasets"]
    files = [path for entry in named.values() for path in FolioEntry.model_validate(entry).ontology_files]
    assert len(files) >= 2
    for path in ("resources/datasets/folio/pin.json", *files):
        assert (shipped / path).is_file(), path


def test_wheel_commands_run_with_tools_extra(environment: Path, tmp_path: Path) -> None:
    """The last test here, as it installs more."""
    _link(environment.parent, PROJECT["optional-dependencies"]["tools"])
    _check_all(environment, tmp_path)
    scored = _run(environment / "nlfol", "score", *COMMANDS["score"], "--html", "page.html", folder=tmp_path)
    assert scored.returncode == 0, scored.stderr
    assert (tmp_path / "page.html").exists()
    row = {**item(CUBES, "Every cube is small.").to_row(), "task": "logical_translation"}
    (tmp_path / "row.json").write_text(json.dumps(row), encoding="utf-8")
    judged = _run(environment / "python", "-c", SCORED, "row.json", CUBES, folder=tmp_path)
    assert "small." in judged.stdout, judged.stderr
    assert "'equivalence': 1.0" in judged.stdout
