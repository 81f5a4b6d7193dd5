"""What all tests share: tests import one another's examples as ``tests.unit.logic.examples``."""

import errno
import fcntl
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))


@pytest.fixture
def lockless(monkeypatch: pytest.MonkeyPatch) -> None:
    """A double of flock on a file system that has none."""

    def missing(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", missing)
