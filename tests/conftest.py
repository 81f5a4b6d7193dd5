"""Shared by all tests, which import one another's examples as ``tests.unit.logic.examples``."""

import errno
import fcntl
import gc
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples at every run, however slow or busy the machine; others with ``pytest --hypothesis-profile=search``.
settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("nlfol", settings.get_profile("search"), derandomize=True)
settings.load_profile("nlfol")

# As in a job: looking at all that the tests import, again and again, takes a sixth of the time.
gc.set_threshold(100_000, 20, 100)
# Several workers share the cores: threads that wait for one another would burn them.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Neither jobs of workflows nor the next test run must compile everything again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
sys.path.insert(0, str(Path(__file__).parents[1]))


@pytest.fixture
def lockless(monkeypatch: pytest.MonkeyPatch) -> None:
    """A double of flock on a file system that has none."""

    def missing(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", missing)
