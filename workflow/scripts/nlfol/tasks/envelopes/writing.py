"""Writing an answer in plain text, as examples show it: the inverse of ``plain``."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from nlfol.mappings import JsonObject


def in_plain_text(answer: str) -> str:
    """Return a JSON answer in plain text: a value behind the name of its field, the rows of a list below it."""
    return "\n".join(_lines(json.loads(answer)))


def _lines(fields: JsonObject) -> Iterator[str]:
    for name, value in fields.items():
        title = f"{name.replace('_', ' ').capitalize()}:"
        if isinstance(value, list) and all(isinstance(item, int) for item in value) and value:
            yield f"{title} {', '.join(map(str, value))}"
        elif isinstance(value, list):
            yield title
            yield from map(_row, value or ["none"])
        else:
            yield f"{title} {value}"


def _row(row: Any) -> str:
    if not isinstance(row, Mapping):
        return str(row)
    first, *rest = map(_cell, row.values())
    if len(rest) == 1:
        is_name = len(first) > 1 and not first.isdecimal()
        return f"{first}{':' if is_name else '.'} {rest[0]}"
    return " | ".join([first, *rest])


def _cell(part: Any) -> str:
    return "; ".join(part) if isinstance(part, list) else str(part)
