"""Canonical JSON: one text for one value, so that its SHA-256 identifies it."""

import hashlib
import json
from collections.abc import Mapping

_EXACT = 2**53


def canonical(value: object) -> str:
    """Return the canonical JSON of a value: sorted keys, no spaces, UTF-8 text, whole floats written as integers.

    Raises ``TypeError`` if a part has no JSON form, ``ValueError`` if a number is not finite.
    """
    return json.dumps(_normal(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def sha256(text: str) -> str:
    """Return the SHA-256 of a text's UTF-8 bytes, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def _normal(value: object) -> object:
    # A configuration may say 0 or 0.0 for one temperature; below 2**53 every whole float is exactly one integer.
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"canonical JSON: key {key!r} is no string; JSON objects have string keys only")
        return {key: _normal(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_normal(part) for part in value]
    return value
