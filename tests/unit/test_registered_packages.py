"""Packages that register something: their places, commands, leaving one out for a run, the digest of all its files."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.examples import item, said
from typer.testing import CliRunner

from nlfol import plugins
from nlfol.cli.main import app
from nlfol.logic.decision import satisfiability
from nlfol.plugins import PluginError, code, in_order, names, placed, registered
from nlfol.tasks.judging import judgements
from nlfol.tasks.logical_translation import LogicalTranslation
from nlfol.tasks.plan import Reply
from nlfol.tasks.task import Task

COMMANDS = """
import typer
from nlfol.plugins import placed

@placed(after="parse")
def hello(name: str) -> None:
    \"\"\"Say hello.\"\"\"
    typer.echo(f"Hello {name}.")

more = typer.Typer()

@more.command()
def one() -> None:
    typer.echo("One.")

@more.command()
def two() -> None:
    typer.echo("Two.")
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the folder of a package that registers a task and cannot be imported."""
    folder, about = tmp_path / "broken_task", tmp_path / "broken_task-1.0.dist-info"
    for each in (folder, about):
        each.mkdir()
    (folder / "__init__.py").write_text("", encoding="utf-8")
    (folder / "back.py").write_text("raise RuntimeError('no such library')\n", encoding="utf-8")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: Broken.Task\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text("[nlfol.tasks]\nback = broken_task.back:Back\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    _forget()
    yield folder
    _forget()


def _forget() -> None:
    for name in ("broken_task", "broken_task.back", "broken_task.commands"):
        sys.modules.pop(name, None)
    plugins._points.cache_clear()
    plugins._installed.cache_clear()
    code.cache_clear()


def test_broken_package_error_names_exclusion_variable(package: Path) -> None:
    with pytest.raises(PluginError, match=r"package Broken.Task 1.0.*no such library.*NLFOL_WITHOUT=Broken.Task$"):
        registered("tasks", Task, ())


@pytest.mark.parametrize("named", ["Broken.Task", "other, broken-task", "broken_task"])
def test_package_is_excluded_by_environment_variable(
    package: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    assert "back" in names("tasks")
    _forget()
    monkeypatch.setenv("NLFOL_WITHOUT", named)
    assert "back" not in names("tasks")
    assert "back" not in registered("tasks", Task, ())
    assert "Broken.Task" not in code("tasks")


@pytest.mark.parametrize(("without", "is_there"), [("nlfol", True), ("nlfol-extras", False)])
def test_bundled_package_is_excluded_by_own_name(
    package: Path, monkeypatch: pytest.MonkeyPatch, without: str, is_there: bool
) -> None:
    _forget()
    monkeypatch.setenv("NLFOL_WITHOUT", without)
    assert ("lint" in names("commands")) is is_there
    assert (CliRunner().invoke(app, ["lint", "--help"]).exit_code == 0) is is_there
    assert "nlfol" not in code("commands")


def test_package_digest_covers_all_source_files(package: Path) -> None:
    found = set()
    for name in ("", "words.json", "prompts/back/user.jinja", "__pycache__/back.cpython-311.pyc"):
        path = package / name
        if name:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"{}")
        _forget()
        found.add(code("tasks"))
    assert len(found) == 3


@pytest.mark.parametrize(
    ("others", "order"),
    [
        ({"x": ""}, "a b c x"),
        ({"x": "a"}, "a x b c"),
        ({"x": "y", "y": "a"}, "a y x b c"),
        ({"x": "absent", "y": "x"}, "a b c x y"),
    ],
)
def test_plugin_order_respects_after_names(others: dict[str, str], order: str) -> None:
    def thing() -> None: ...

    placed_things = {name: placed(after=after)(lambda: None) for name, after in others.items()}
    assert list(in_order(dict.fromkeys("abc", thing), placed_things)) == order.split()


def test_package_commands_run_and_appear_in_help(package: Path) -> None:
    (package / "commands.py").write_text(COMMANDS, encoding="utf-8")
    points = "hello = broken_task.commands:hello\nmore = broken_task.commands:more\n"
    about = package.with_name("broken_task-1.0.dist-info")
    (about / "entry_points.txt").write_text(f"[nlfol.commands]\n{points}", encoding="utf-8")
    runner = CliRunner()
    assert runner.invoke(app, ["hello", "Ann"]).output == "Hello Ann.\n"
    assert runner.invoke(app, ["more", "two"]).output == "Two.\n"
    text = runner.invoke(app, ["--help"]).output
    assert (
        text.index(" parse ")
        < text.index(" hello ")
        < text.index(" compare ")
        < text.index(" init ")
        < text.index(" more ")
    )


def test_broken_command_leaves_other_commands_working(package: Path) -> None:
    about = package.with_name("broken_task-1.0.dist-info")
    (about / "entry_points.txt").write_text("[nlfol.commands]\nback = broken_task.back:back\n", encoding="utf-8")
    runner = CliRunner()
    assert runner.invoke(app, ["compare", "P(a)", "P(a)"]).exit_code == 0
    done = runner.invoke(app, ["back"])
    assert done.exit_code == 2
    assert "NLFOL_WITHOUT=Broken.Task" in done.output


def test_broken_proof_ends_judging_instead_of_counting_as_wrong(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    about = package.with_name("broken_task-1.0.dist-info")
    (about / "entry_points.txt").write_text("[nlfol.proofs]\nback = broken_task.back:back\n", encoding="utf-8")
    satisfiability.solving.cache_clear()
    hard = item("∀x R(x, f(x)) → ∀x ∃y R(x, y)")
    reply = Reply("", "answered", said("∀x R(x, f(x)) → ∀x R(x, f(x))"))
    with pytest.raises(PluginError, match=r"Broken.Task 1.0, nlfol.proofs.*NLFOL_WITHOUT=Broken.Task$"):
        judgements(LogicalTranslation(), hard, [reply])
    satisfiability.solving.cache_clear()
