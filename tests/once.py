"""Making what takes seconds once for all processes of a test session."""

import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from filelock import FileLock

T = TypeVar("T")


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], T]) -> T:
    """Return what the first process that asks makes in a folder of that name; tests do not change it."""
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, kept = shared / name, shared / f"{name}.pickle"
    with FileLock(shared / f"{name}.lock"):
        if not kept.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            kept.write_bytes(pickle.dumps(make(folder)))
    made: T = pickle.loads(kept.read_bytes())
    return made
