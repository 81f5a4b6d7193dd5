"""Records of the code's revision and of the machine."""

import importlib.metadata
import json
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from nlfol.provenance.environment import environment, revision

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def module(tmp_path: Path) -> Path:
    """A file of a repository with one commit."""
    path = tmp_path / "module.py"
    path.write_text("A = 1\n", encoding="utf-8")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "module.py")
    git(tmp_path, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "--message", "first")
    return path


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


@needs_git
def test_revision_reports_commit_and_tracked_changes(module: Path) -> None:
    commit = git(module.parent, "rev-parse", "HEAD")
    (module.parent / "notes.txt").write_text("untracked", encoding="utf-8")
    assert revision(module) == {"commit": commit, "dirty": False}
    module.write_text("A = 2\n", encoding="utf-8")
    assert revision(module) == {"commit": commit, "dirty": True}


@needs_git
def test_untracked_copy_in_other_repository_lacks_revision(module: Path) -> None:
    copied = module.parent / "vendored.py"
    copied.write_text("A = 1\n", encoding="utf-8")
    assert revision(copied) is None


def test_module_outside_repository_lacks_revision(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text("A = 1\n", encoding="utf-8")
    assert revision(tmp_path / "module.py") is None


def test_environment_lists_versions_and_hardware_without_names() -> None:
    found = environment()
    assert found["packages"]["z3-solver"] == importlib.metadata.version("z3-solver")
    assert found["hardware"]["cores"] >= 1
    assert found["hardware"]["memory"] > 0
    text = json.dumps(found)
    for private in (socket.gethostname(), str(Path.home()), str(Path(__file__).parents[3])):
        assert private not in text
