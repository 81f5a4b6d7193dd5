"""Names for mappings whose keys no type knows; all others are dataclasses or typed dictionaries."""

from collections.abc import Mapping
from typing import Any

JsonObject = Mapping[str, Any]
"""An object of JSON or YAML that is read: not validated yet, or a JSON schema."""

JsonDict = dict[str, Any]
"""A JSON object while it is made, to be written or sent."""

AnyRow = Mapping[str, Any]
"""A row of any schema, of functions that are told the names of columns."""

ByName = dict[str, Any]
"""Objects by name that are no columns: what an untyped library makes, or what packages register."""
