"""Random draws that depend on their labels alone.

A draw for one item is seeded with the SHA-256 of its labels, so it is the same whatever other items there are, in
whatever order and on however many cores they are worked on, and under any ``PYTHONHASHSEED``.
"""

import hashlib
import json
from random import Random

SEED = 20260119
"""Seed of every experiment that is not given another."""


def label_digest(*labels: str | int) -> bytes:
    """Return the SHA-256 of labels; position and type count."""
    return hashlib.sha256(json.dumps(labels, ensure_ascii=False).encode()).digest()


def source_label(name: str, text: str) -> str:
    """Return what an item is of, as 16 hexadecimal digits: a problem's name, or a sentence's story, and its text.

    Problems in other words have that of the original. The dataset's name, a sentence's number and its gold formula
    change nothing.
    """
    return label_digest(name, text, "source").hex()[:16]


def generator(*labels: str | int) -> Random:
    """Return a generator seeded by labels, usually (experiment seed, source of the item, task)."""
    return Random(label_digest(*labels))  # noqa: S311 - sampling, not secrecy
