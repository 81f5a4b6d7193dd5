"""Datasets whose place an environment variable names, and what takes their place where it is not set."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

_VARIABLE = re.compile(r"\$\{([A-Z_][A-Z0-9_]*)\}")


def from_environment(entries: Any) -> Any:
    """The ``datasets`` block with every ``${VARIABLE}`` in its texts replaced by the variable's value.

    An entry with a key ``instead`` names another entry: where all its variables are set it takes the other's place, and
    otherwise the other takes its own. So the results never bear the name of a dataset that was not there. With one that
    is left out go those that are made of it (``of``).

    Raises:
        ValueError: if a variable of an entry without ``instead`` is not set, or ``instead`` names no other entry.
    """
    if not isinstance(entries, Mapping):
        return entries
    settled, left_out = dict[Any, Any](), set[Any]()
    for name, entry in entries.items():
        if not isinstance(entry, Mapping):
            settled[name] = entry
            continue
        values = dict(entry)
        instead = values.pop("instead", None)
        texts = [value for value in values.values() if isinstance(value, str)]
        missing = sorted({one for text in texts for one in _VARIABLE.findall(text) if not os.environ.get(one)})
        if instead is not None and (instead == name or instead not in entries):
            raise ValueError(f"{name}.instead names {instead!r}; name another entry of datasets")
        if missing and instead is None:
            raise ValueError(f"{name}: environment variable {missing[0]} is not set; set it to the path")
        if instead is not None:
            left_out.add(name if missing else instead)
        settled[name] = {key: _replaced(value) for key, value in values.items()}
    return {
        name: entry
        for name, entry in settled.items()
        if name not in left_out and not (isinstance(entry, Mapping) and str(entry.get("of")) in left_out)
    }


def _replaced(value: Any) -> Any:
    return _VARIABLE.sub(lambda found: os.environ.get(found[1], ""), value) if isinstance(value, str) else value
