"""Tasks, tables, readers and models of other packages, which name them as entry points (CONTRIBUTING.md)."""

import hashlib
import os
import re
from collections.abc import Collection
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

WITHOUT = "NLFOL_WITHOUT"
"""The environment variable that names packages to leave out, with commas between them."""


class PluginError(ValueError):
    """Something of another package that cannot be registered."""


def registered(group: str, of: type, ours: Collection[str]) -> dict[str, Any]:
    """Return what other packages register in a group, by name: classes below ``of``, or objects of it.

    Raises ``PluginError`` if a name is taken, or a thing cannot be loaded or is something else.
    """
    found: dict[str, Any] = {}
    for point in _points(group):
        place = f"package {_package(point)}, {point.group}, {point.name}"
        remedy = f"uninstall the package, or leave it out: {WITHOUT}={_distribution(point)}"
        if point.name in ours or point.name in found:
            raise PluginError(f"{place}: the name is taken; rename it, {remedy}")
        try:
            thing = point.load()
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
            raise PluginError(f"{place}: {said}; mend the package, {remedy}") from error
        if not (isinstance(thing, of) or (isinstance(thing, type) and issubclass(thing, of))):
            raise PluginError(f"{place}: {point.value} is no {of.__name__}; name one, {remedy}")
        found[point.name] = thing
    return found


def names(group: str) -> list[str]:
    """Return the names that other packages register in a group."""
    return [point.name for point in _points(group)]


@cache
def code(group: str) -> str:
    """Return the packages that register something in a group, with the version and the SHA-256 of the files of each."""
    lines = []
    for point in _points(group):
        folder, digest = _folder(point), hashlib.sha256()
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.parent.name != "__pycache__":
                with path.open("rb") as file:
                    own = hashlib.file_digest(file, "sha256").hexdigest()
                digest.update(f"{path.relative_to(folder)}\0{own}\n".encode())
        lines.append(f"{group} {point.name}: {_package(point)} {digest.hexdigest()}\n")
    return "".join(lines)


def prompts() -> list[Path]:
    """Return the folders ``prompts`` of packages that register tasks."""
    return [folder for point in _points("tasks") if (folder := _folder(point) / "prompts").is_dir()]


@cache
def _points(group: str) -> list[EntryPoint]:
    without = {_normal(name) for name in os.environ.get(WITHOUT, "").split(",")}
    points = (point for point in entry_points(group=f"nlfol.{group}") if _normal(_distribution(point)) not in without)
    return sorted(points, key=lambda point: (point.name, point.value))


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def _folder(point: EntryPoint) -> Path:
    """Return the folder of a package, from what was imported of it."""
    spec = find_spec(point.module.partition(".")[0])
    if spec is None or not spec.submodule_search_locations:
        raise PluginError(f"package {_package(point)}, {point.group}, {point.name}: put {point.module} into a folder")
    return Path(next(iter(spec.submodule_search_locations)))


def _distribution(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.module.partition(".")[0]


def _package(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.module
