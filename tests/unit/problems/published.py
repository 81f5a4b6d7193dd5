"""Published problems, where they are at hand."""

from pathlib import Path

import pytest

from nlfol.datasets.pin import data_folders

ROOT = Path(__file__).parents[3]


def published(path: str) -> Path:
    """A file or folder of the data for development; the test is skipped without it."""
    for folder in (*data_folders(), ROOT.parent / "shared/data"):
        if (folder / path).exists():
            return folder / path
    pytest.skip(f"{path} is in no folder that NLFOL_DATA names, nor in ../shared/data")


def content(path: str) -> bytes:
    return published(path).read_bytes()
