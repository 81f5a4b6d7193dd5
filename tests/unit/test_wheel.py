"""The wheel, installed into an environment that has its dependencies and nothing else."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from importlib.metadata import distribution
from pathlib import Path

import pytest
from tests.examples import ROOT


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


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the environment's commands."""
    folder = tmp_path_factory.mktemp("installed")
    source = folder / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "config.yaml"):
        shutil.copy(ROOT / name, source)
    for name in ("config", "resources/datasets/tarski", "resources/lexicon", "workflow/scripts"):
        shutil.copytree(ROOT / name, source / name)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    command = [
        *pip,
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "--wheel-dir",
        str(folder),
        str(source),
    ]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    if built.returncode and "No module named" in built.stderr:
        pytest.skip(f"pip cannot build here: {built.stderr.strip().splitlines()[-1]}")
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("nlfol-*.whl")
    venv.create(folder / "env", with_pip=False, symlinks=True)
    python = folder / "env/bin/python"
    subprocess.run(
        [*pip, "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)],
        check=True,
        capture_output=True,
    )
    _link(folder / "env", PROJECT["dependencies"])
    assert not (_packages(folder / "env") / "polars").exists()
    return folder / "env/bin"


def _packages(environment: Path) -> Path:
    return next((environment / "lib").glob("python*/site-packages"))


def _link(environment: Path, requirements: list[str]) -> None:
    """Give an environment what is installed here of some requirements."""
    packages = _packages(environment)
    for name in _distributions(list(requirements)):
        installed = distribution(name)
        tops = {file.parts[0] for file in installed.files or () if file.parts[0] not in ("..", "__pycache__")}
        for top in tops:
            if not (packages / top).exists():
                (packages / top).symlink_to(Path(str(installed.locate_file(top))))


def _run(*command: object) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run([*map(str, command)], env=environment, capture_output=True, text=True, check=False)


def test_the_command_compares_formulas(environment: Path) -> None:
    done = _run(environment / "nlfol", "compare", "∀x P(x)", "¬∃x ¬P(x)")
    assert (done.returncode, done.stdout) == (0, "equivalent (by normal form)\n"), done.stderr


def test_a_notebook_has_what_it_shows(environment: Path) -> None:
    code = (
        "import nlfol; found = nlfol.compare('∀x (Cube(x) → Small(x))', '∃x (Cube(x) ∧ Small(x))'); "
        "print(nlfol.__file__, found.relation, '<svg' in found._repr_html_())"
    )
    done = _run(environment / "python", "-c", code)
    assert done.stdout.startswith(str(environment.parent)), done.stderr
    assert done.stdout.endswith(" independent True\n")


def test_what_needs_more_says_what_to_install(environment: Path) -> None:
    done = _run(environment / "nlfol", "generate", "k_sat")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.search(r"nlfol generate needs the package \w+: pip install '\.\[tools\]' in a clone", done.stderr)


def test_answers_are_scored_with_the_extra_tools(environment: Path) -> None:
    """The last test here, as it installs more."""
    command = environment / "nlfol", "score", ROOT / "resources/answers/written.jsonl", "--task", "logical_translation"
    done = _run(*command)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.search(r"nlfol score needs the package \w+: pip install '\.\[tools\]' in a clone", done.stderr)
    _link(environment.parent, PROJECT["optional-dependencies"]["tools"])
    done = _run(*command, "--html", environment.parent / "page.html")
    assert done.returncode == 0, done.stderr
    assert "logical_translation: 24 answers, 18 wrong" in done.stdout
