"""Packages that register something: leaving one out for a run, and the digest of all its files."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nlfol import plugins
from nlfol.plugins import PluginError, code, names, registered
from nlfol.tasks.task import Task


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
    for name in ("broken_task", "broken_task.back"):
        sys.modules.pop(name, None)
    plugins._points.cache_clear()
    code.cache_clear()


def test_a_broken_package_is_named_with_what_leaves_it_out(package: Path) -> None:
    with pytest.raises(PluginError, match=r"package Broken.Task 1.0.*no such library.*NLFOL_WITHOUT=Broken.Task$"):
        registered("tasks", Task, ())


@pytest.mark.parametrize("named", ["Broken.Task", "other, broken-task", "broken_task"])
def test_a_package_can_be_left_out(package: Path, monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    assert "back" in names("tasks")
    _forget()
    monkeypatch.setenv("NLFOL_WITHOUT", named)
    assert "back" not in names("tasks")
    assert "back" not in registered("tasks", Task, ())
    assert "Broken.Task" not in code("tasks")


def test_a_digest_is_of_all_files_of_a_package(package: Path) -> None:
    found = set()
    for name in ("", "words.json", "prompts/back/user.jinja", "__pycache__/back.cpython-311.pyc"):
        path = package / name
        if name:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"{}")
        _forget()
        found.add(code("tasks"))
    assert len(found) == 3
