"""Random draws that depend on what they are for and on nothing else.

A draw for one item is seeded with the SHA-256 of its labels, so it is the same whatever other items there are, in
whatever order and on however many cores they are worked on, and under any ``PYTHONHASHSEED``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from random import Random
from typing import Any


def label_digest(*labels: str | int) -> bytes:
    """SHA-256 of the labels, told apart by position and type."""
    return hashlib.sha256(json.dumps(labels, ensure_ascii=False).encode()).digest()


def content_labels(row: Mapping[str, Any]) -> tuple[str, str, str]:
    """The labels of an item in a draw: what it says and not its number, which changes when another is put before it."""
    return row["story"], row["text"], row["formula"]


def generator(*labels: str | int) -> Random:
    """A generator of its own for the labels, usually (experiment seed, dataset, item, task)."""
    return Random(label_digest(*labels))  # noqa: S311 - sampling, not secrecy
