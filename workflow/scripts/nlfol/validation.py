"""What pydantic finds wrong, in one line; files that people write: no pipes, and YAML in which no key stands twice."""

from __future__ import annotations

import errno
import re
from collections.abc import Hashable, Iterable
from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

import yaml

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails


def read_bytes(path: Path) -> bytes:
    """The content of a file that somebody names.

    Raises:
        OSError: if it cannot be read, or is no file with an end, but a pipe or a device.
    """
    if not path.is_file() and not path.is_dir() and path.exists():
        raise OSError(errno.EINVAL, "a pipe or device, not a file", str(path))
    return path.read_bytes()


def nearest(name: str, known: Iterable[str]) -> str:
    """`` (did you mean NAME?)`` where a name is near that one, else nothing."""
    found = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f" (did you mean {found[0]}?)" if found else ""


def describe_faults(error: ValidationError, whole: str) -> str:
    """Each key at fault with what is wrong there.

    Args:
        error: what pydantic raised.
        whole: what a fault of no key is said of: ``file``, ``line``.
    """
    return "; ".join(
        f"{'.'.join(map(str, fault['loc'])) or whole}: {describe_fault(fault)}"
        for fault in error.errors(include_url=False, include_input=False)
    )


def describe_fault(fault: ErrorDetails, of: object = None) -> str:
    """What is wrong at one key and, where pydantic does not say it, the remedy.

    Args:
        fault: as pydantic has it.
        of: the type that was validated, to name the key that was meant.
    """
    if fault["type"] in ("model_type", "dict_type", "model_attributes_type"):
        return "must be a mapping of keys to values"
    # Pydantic puts a prefix before what a check of ours says.
    message = fault["msg"].removeprefix("Value error, ")
    if fault["type"] == "extra_forbidden":
        *place, key = fault["loc"]
        return f"{message}; remove the key or correct its name{nearest(str(key), _keys(of, place))}"
    if fault["type"] == "union_tag_invalid":
        expected = re.findall(r"'([^']*)'", fault["ctx"]["expected_tags"])
        tag, key = fault["ctx"]["tag"], fault["ctx"]["discriminator"].strip("'")
        return f"no {key} is called {tag!r}{nearest(tag, expected)}; there are {', '.join(expected)}"
    if fault["type"] == "union_tag_not_found":
        return f"{message}; give the key {fault['ctx']['discriminator']}"
    return message


def _keys(of: object, place: Iterable[int | str]) -> set[str]:
    """The keys that there are at a place in a type: of a union those of each member that its tags leave."""
    found = _members(of)
    for step in place:
        found = [member for one in found for inner in _inside(one, step) for member in _members(inner)]
    return {field.alias or name for one in found for name, field in getattr(one, "model_fields", {}).items()}


def _inside(of: Any, step: int | str) -> list[object]:
    """What a key, an index or a tag leads to."""
    if (fields := getattr(of, "model_fields", None)) is None:
        return list(get_args(of)[-1:]) if isinstance(step, int) or get_origin(of) is not tuple else []
    named = {field.alias or name: field.annotation for name, field in fields.items()}
    tags = {
        value for annotation in named.values() if get_origin(annotation) is Literal for value in get_args(annotation)
    }
    return [named[str(step)]] if step in named else [of] if step in tags else []


def _members(of: object) -> list[object]:
    """A type without what is said about it, or of a union each member."""
    if get_origin(of) is Annotated:
        return _members(get_args(of)[0])
    if get_origin(of) in (Union, UnionType):
        return [member for each in get_args(of) for member in _members(each)]
    return [of]


class DistinctLoader(yaml.SafeLoader):
    """Loads one document in which no key stands twice: of two values for one, YAML's other loaders take the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """The mapping, if its keys are distinct."""
        check_distinct(node)
        return super().construct_mapping(node, deep)


def check_distinct(node: yaml.MappingNode) -> None:
    """See that no key of a mapping stands twice.

    Raises:
        ConstructorError: if one does, with its place.
    """
    seen: dict[tuple[str, str], int] = {}
    for key, _ in node.value:
        if isinstance(key, yaml.ScalarNode):
            name = key.tag, key.value
            if name in seen:
                problem = f"the key {key.value!r} occurs twice, first on line {seen[name]}; keep one"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen[name] = key.start_mark.line + 1


def read_yaml(path: Path) -> Any:
    """What a YAML file holds.

    Raises:
        OSError: if it cannot be read.
        UnicodeDecodeError: if it is not UTF-8.
        YAMLError: if it is no YAML, or a key stands twice.
    """
    return DistinctLoader(read_bytes(path).decode("utf-8")).get_single_data()
