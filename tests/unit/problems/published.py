"""Published problems, where they are at hand."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.examples import ROOT

from nlfol.data.entry import read_problems_entry
from nlfol.data.pin import data_folders
from nlfol.problems import Problem


def published(path: str) -> Path:
    """A file or folder of the data for development; the test is skipped without it."""
    for folder in (*data_folders(), ROOT.parent / "shared/data"):
        if (folder / path).exists():
            return folder / path
    pytest.skip(f"{path} is in no folder that NLFOL_DATA names, nor in ../shared/data")


def problems(reader: str, path: str, seed: int = 1, **keys: Any) -> Sequence[Problem]:
    """Read a published file as an entry of a configuration does."""
    entry = read_problems_entry(json.dumps({"reader": reader, "path": str(published(path)), **keys}))
    return entry.read(seed).problems
