"""Reading files that users write: bytes, YAML without duplicate keys, and pydantic's errors in one line."""

from __future__ import annotations

import errno
import json
import re
from collections.abc import Hashable, Iterable, Mapping
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

import yaml
from typing_extensions import override

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails


MOST_BYTES = 2**30
"""Size limit of a file that somebody gives."""
_MOST_MERGED = 1000
"""Keys of a YAML mapping that merges others (``<<``), which can double at each step."""
_DEEPEST = 100
"""Brackets within one another."""
_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
_TABLES = ("csv", "json", "jsonl", "parquet")
"""Formats of tables, which some take for readers."""
_FORMS = {
    **dict.fromkeys(("model", "dict", "model_attributes", "mapping"), "a mapping of keys to values"),
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "string": "text",
    **dict.fromkeys(("list", "tuple"), "a list"),
}
"""The value that a key needs, by pydantic's name of it."""
_SHOWN = 300
"""Characters of a value in a message."""


def read_bytes(path: Path) -> bytes:
    """Return the content of a file; raises ``OSError`` if too large, or for a pipe or a device, which has no end."""
    if not path.is_file() and not path.is_dir() and path.exists():
        raise OSError(errno.EINVAL, "a pipe or device, not a file", str(path))
    if path.is_file() and path.stat().st_size > MOST_BYTES:
        raise OSError(errno.EFBIG, f"larger than {MOST_BYTES:,} bytes", str(path))
    return path.read_bytes()


def shortened(value: object) -> str:
    """Return a value as text for a message, whose middle is left out where it is long."""
    text = str(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN // 2]} … {text[-_SHOWN // 2 :]}"


def printable(text: str) -> str:
    """Return untrusted text with its control characters escaped."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def nearest(name: str, known: Iterable[str]) -> str:
    """Return `` (did you mean NAME?)`` with the known name that is most like this one, or nothing."""
    matches = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f" (did you mean {matches[0]}?)" if matches else ""


def describe_faults(error: ValidationError, whole: str) -> str:
    """Return each invalid key with its error, in one line; ``whole`` stands for the key where the whole is invalid."""
    return "; ".join(
        f"{shortened('.'.join(map(str, fault['loc']))) or whole}: {shortened(describe_fault(fault))}"
        for fault in error.errors(include_url=False)
    )


def describe_fault(fault: ErrorDetails, of: object = None) -> str:
    """Return the error of one key of a type, with a remedy where pydantic gives none."""
    kind = fault["type"].removesuffix("_type").removesuffix("_parsing").removesuffix("_from_float")
    if kind in _FORMS and kind != fault["type"]:
        return f"must be {_FORMS[kind]}"
    # Pydantic puts a prefix before the message of a validator of ours.
    message = fault["msg"].removeprefix("Value error, ").replace("Input should ", "must ")
    if fault["type"] == "missing":
        return "is missing; add it"
    if fault["type"] == "extra_forbidden":
        *path, key = fault["loc"]
        known = _keys(of, path)
        inside = [name for name in sorted(known) if key in _keys(of, [*path, name])]
        inside.sort(key=lambda name: not _takes(_types(of, [*path, name]), str(key), fault["input"]))
        meant = f" (did you mean {inside[0]}.{key}?)" if inside else nearest(str(key), known)
        return f"there is no such key; remove the key or correct its name{meant}"
    if fault["type"] == "union_tag_invalid":
        expected = re.findall(r"'([^']*)'", fault["ctx"]["expected_tags"])
        tag, key = fault["ctx"]["tag"], fault["ctx"]["discriminator"].strip("'")
        meant = nearest("table" if tag in _TABLES else tag, expected)
        return f"no {key} is called {tag!r}{meant}; there are {', '.join(expected)}"
    if fault["type"] == "union_tag_not_found":
        key = fault["ctx"]["discriminator"].strip("'")
        fields = [model.model_fields[key] for model in _types(of, fault["loc"]) if model is not None]
        tags = dict.fromkeys(value for field in fields for value in get_args(field.annotation))
        return f"the key {key} is missing" + (f"; give one of {', '.join(tags)}" if tags else "")
    return message


def place_of(location: Iterable[int | str], given: Any) -> tuple[str, Any]:
    """Return the key at fault as it stands in what was given, without the tags of pydantic's unions, and its value."""
    keys, steps = list[str](), list(location)
    for number, step in enumerate(steps):
        held: Mapping[Any, Any] = dict(enumerate(given)) if isinstance(given, list) else {}
        held = given if isinstance(given, Mapping) else held
        if step in held or (number == len(steps) - 1 and step not in held.values()):
            given = held.get(step)
            keys.append(str(step))
    return ".".join(keys), given


def _keys(of: object, path: Iterable[int | str]) -> set[str]:
    """Return the keys at a place in a type."""
    types = _types(of, path)
    return {field.alias or name for model in types for name, field in getattr(model, "model_fields", {}).items()}


def _takes(types: Iterable[Any], key: str, given: object) -> bool:
    """Return True if one of some types has a key of the type of a value: 0.7 is a number, and no boolean."""
    from pydantic import TypeAdapter, ValidationError

    fields = [field for model in types for name, field in getattr(model, "model_fields", {}).items() if name == key]
    for field in fields:
        # As JSON, in which a list may be a tuple, and no number is a boolean.
        with suppress(TypeError, ValueError, ValidationError):
            TypeAdapter(field.annotation).validate_json(json.dumps(given), strict=True)
            return True
    return False


def _types(of: object, path: Iterable[int | str]) -> list[Any]:
    """Return the types at a place in a type; in a union each member that its tags leave."""
    types = _members(of)
    for step in path:
        types = [member for outer in types for inner in _inside(outer, step) for member in _members(inner)]
    return types


def _inside(of: Any, step: int | str) -> list[object]:
    """Return the types that a key, an index or a tag leads to."""
    if (fields := getattr(of, "model_fields", None)) is None:
        return list(get_args(of)[-1:]) if isinstance(step, int) or get_origin(of) is not tuple else []
    named = {field.alias or name: field.annotation for name, field in fields.items()}
    tags = {
        value for annotation in named.values() if get_origin(annotation) is Literal for value in get_args(annotation)
    }
    return [named[str(step)]] if step in named else [of] if step in tags else []


def _members(of: object) -> list[object]:
    """Return a type without its annotations, or the members of a union."""
    if get_origin(of) is Annotated:
        return _members(get_args(of)[0])
    if get_origin(of) in (Union, UnionType):
        return [member for argument in get_args(of) for member in _members(argument)]
    return [of]


class DistinctLoader(yaml.SafeLoader):
    """Loads one document in which no key stands twice: of two values for one, YAML's other loaders take the last."""

    @override
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        lines: dict[tuple[str, str], int] = {}
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                name = key.tag, key.value
                if name in lines:
                    problem = (
                        f"the key {shortened(repr(key.value))} occurs twice, first on line {lines[name]}; keep one"
                    )
                    raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
                lines[name] = key.start_mark.line + 1
        return super().construct_mapping(node, deep)

    @override
    def get_single_data(self) -> Any:
        try:
            return super().get_single_data()
        except RecursionError as error:
            raise yaml.YAMLError(f"nested too deep: {error}") from error

    @override
    def fetch_flow_collection_start(self, TokenClass: type[yaml.Token]) -> None:
        if self.flow_level >= _DEEPEST:  # the time of PyYAML grows with the square of the depth
            raise RecursionError(f"more than {_DEEPEST} brackets within one another")
        super().fetch_flow_collection_start(TokenClass)

    @override
    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        if isinstance(node, yaml.ScalarNode) and node.tag in _NUMBERS and ":" in node.value:
            # Base 60: 1:30 is 90.
            problem = f"{shortened(node.value)} is a number to base 60 in YAML; write it without colons, or quote it"
            raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark)
        try:
            return super().construct_object(node, deep)
        except ValueError as error:
            # Such as a date in month 99, or an integer of thousands of digits.
            raise yaml.constructor.ConstructorError(None, None, shortened(error), node.start_mark) from error

    @override
    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        given = len(node.value)
        super().flatten_mapping(node)
        if len(node.value) > max(given, _MOST_MERGED):
            problem = f"more than {_MOST_MERGED:,} keys merged into one mapping; write them out"
            raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark)


class TextLoader(DistinctLoader):
    """Loads one document of texts as they are, such as ``on``, ``no`` or ``1984``; an omitted value is null."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  (redefines an attribute of PyYAML's)

    @override
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(None, None, "a key must be a name", key.start_mark)
        return super().construct_mapping(node, deep)

    @override
    def construct_scalar(self, node: yaml.ScalarNode | yaml.MappingNode) -> str:
        text = str(super().construct_scalar(node))
        try:
            # JSON escapes a character beyond the first 65,536 as two halves, and JSON is YAML.
            return text.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError as error:
            problem = f"half a character in {text!r}; write the whole"
            raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark) from error


TextLoader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"~|"), ["~", ""])


def yaml_fault(error: yaml.YAMLError, hint: str = "") -> str:
    """Return what makes a text no YAML: a tab with its line and remedy, or else PyYAML's words after a hint."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark and "'\\t'" in str(error.problem):
        return f"line {error.problem_mark.line + 1}: a tab where YAML allows none; use spaces instead"
    return f"not valid YAML{hint}: {error}"


def read_yaml(path: Path) -> Any:
    """Read YAML; ``OSError``, ``UnicodeDecodeError``, or ``YAMLError``, also if too deep, or with a key twice."""
    return DistinctLoader(read_bytes(path).decode("utf-8")).get_single_data()
