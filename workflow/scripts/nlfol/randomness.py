"""Random draws that depend on their labels alone.

A draw for one item is seeded with the SHA-256 of its labels, so it is the same whatever other items there are, in
whatever order and on however many cores they are worked on, and under any ``PYTHONHASHSEED``.
"""

import hashlib
import json
from collections.abc import Mapping
from random import Random
from typing import Any


def label_digest(*labels: str | int) -> bytes:
    """Return the SHA-256 of labels; position and type count."""
    return hashlib.sha256(json.dumps(labels, ensure_ascii=False).encode()).digest()


def content_labels(row: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the labels of an item in a draw: its content, not its number, which depends on other items."""
    return row["story"], row["text"], row["formula"]


def generator(*labels: str | int) -> Random:
    """Return a generator seeded by labels, usually (experiment seed, dataset, item, task)."""
    return Random(label_digest(*labels))  # noqa: S311 - sampling, not secrecy
