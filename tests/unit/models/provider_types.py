"""Published types of requests and replies, as JSON schemas: values that they allow, names that they do not know.

OpenAI's specification is of August 2026 (``../shared/data/specs``); the SDKs' types are those pinned.
"""

import gzip
import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from pydantic import TypeAdapter

SPECIFICATION = Path(__file__).parents[4] / "shared/data/specs/openai.json.gz"

Schema = Mapping[str, Any]

TEXTS = ("", " ", "P(a)", '{"reasoning":"","answer":"P(a)"}', "{", "∀x \ud83d", "\x00", "null", "stop", "x" * 700)
NUMBERS = (0, 1, -1, 7, 2**31, 2**63, 10**25, 10**400)


@cache
def specification() -> Schema:
    """Return OpenAI's specification; skips the test where it is not at hand."""
    if not SPECIFICATION.exists():
        pytest.skip("OpenAI's specification is not here: ../shared/data/specs")
    with gzip.open(SPECIFICATION) as file:
        read: Schema = json.load(file)
    return read


def specified(name: str) -> Schema:
    """Return the schema of one of the specification's objects."""
    return {"$ref": f"#/components/schemas/{name}", "components": specification()["components"]}


@cache
def typed(kind: Any) -> Schema:
    """Return the schema of an SDK's type."""
    return TypeAdapter(kind).json_schema()


def plain(schema: Schema, root: Schema) -> Schema:
    """Return a schema whose reference is followed, and whose parts (``allOf``) are put together."""
    while "$ref" in schema:
        found: Any = root
        for name in schema["$ref"].removeprefix("#/").split("/"):
            found = found[name]
        schema = {**found, **{key: value for key, value in schema.items() if key not in ("$ref", "components")}}
    for part in schema.get("allOf", ()):
        one = plain(part, root)
        properties = {**one.get("properties", {}), **schema.get("properties", {})}
        required = [*one.get("required", ()), *schema.get("required", ())]
        schema = {**one, **schema, "properties": properties, "required": required}
    return {key: value for key, value in schema.items() if key != "allOf"}


def faults(value: object, root: Schema) -> list[str]:
    """Return what is wrong with a value by its schema, names that the schema does not know included."""
    wrong = [f"{error.json_path}: {error.message}" for error in Draft202012Validator(root).iter_errors(value)]
    return wrong or list(_unknown(value, root, root, "$"))


def _unknown(value: object, schema: Schema, root: Schema, path: str) -> Iterator[str]:
    schema = plain(schema, root)
    if branches := [*schema.get("anyOf", ()), *schema.get("oneOf", ())]:
        fitting = [part for part in branches if not faults_of_form(value, part, root)]
        left = [list(_unknown(value, part, root, path)) for part in fitting]
        yield from min(left, key=len)
    elif isinstance(value, list):
        for number, member in enumerate(value):
            yield from _unknown(member, schema.get("items", {}), root, f"{path}[{number}]")
    elif isinstance(value, dict) and schema.get("properties"):
        for name, member in value.items():
            if name in schema["properties"]:
                yield from _unknown(member, schema["properties"][name], root, f"{path}.{name}")
            elif "additionalProperties" not in schema:
                yield f"{path}.{name} is unknown"


def faults_of_form(value: object, part: Schema, root: Schema) -> bool:
    """Return whether a value does not fit a part of a schema."""
    definitions = {name: root[name] for name in ("components", "$defs") if name in root}
    return not Draft202012Validator({**part, **definitions}).is_valid(value)


def values(root: Schema) -> st.SearchStrategy[Any]:
    """Return all that a schema allows, in small: the parts that code may trip over are drawn more often."""
    made: dict[str, st.SearchStrategy[Any]] = {}

    def of(schema: Schema) -> st.SearchStrategy[Any]:
        if (name := schema.get("$ref")) is not None:
            if name not in made:
                made[name] = st.deferred(lambda: built(plain(schema, root)))
            return made[name]
        return built(plain(schema, root))

    def built(schema: Schema) -> st.SearchStrategy[Any]:
        drawn = _drawn(schema)
        return drawn | st.none() if schema.get("nullable") else drawn

    def _drawn(schema: Schema) -> st.SearchStrategy[Any]:
        if "const" in schema:
            return st.just(schema["const"])
        if "enum" in schema:
            return st.sampled_from(schema["enum"])
        if branches := [*schema.get("anyOf", ()), *schema.get("oneOf", ())]:
            return st.one_of([of(branch) for branch in branches])
        match schema.get("type", "object"):
            case "object" if "properties" in schema:
                parts = {name: of(part) for name, part in schema["properties"].items()}
                needed = set(schema.get("required", ()))
                return st.fixed_dictionaries(
                    {name: part for name, part in parts.items() if name in needed},
                    optional={name: part for name, part in parts.items() if name not in needed},
                )
            case "object":
                return st.dictionaries(st.sampled_from(TEXTS), st.sampled_from(TEXTS), max_size=2)
            case "array":
                least = schema.get("minItems", 0)
                return st.lists(of(schema.get("items", {})), min_size=least, max_size=max(2, least))
            case "string":
                return st.sampled_from(TEXTS)
            case "integer":
                return st.sampled_from(NUMBERS)
            case "number":
                return st.sampled_from(NUMBERS) | st.floats(allow_nan=False, allow_infinity=False)
            case "boolean":
                return st.booleans()
            case "null":
                return st.none()
            case other:
                raise AssertionError(f"a type that is not known here: {other}")

    return of(root)
