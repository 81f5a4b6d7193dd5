"""Tasks, tables, readers, models, commands and rules of other packages, which name them as entry points.

CONTRIBUTING.md has the groups. The packages beside this one, such as ``nlfol_extras``, register what they have in the
same way; in a checkout its ``pyproject.toml`` names it, so that nothing depends on when or where nlfol was installed.
"""

import hashlib
import os
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from nlfol.mappings import ByName

T = TypeVar("T")

WITHOUT = "NLFOL_WITHOUT"
"""The environment variable that names packages to leave out, with commas between them."""

_CHECKOUT = Path(__file__).resolve().parents[3] / "pyproject.toml"


class PluginError(ValueError):
    """Something of another package that cannot be registered."""


def registered(group: str, of: Any, ours: Collection[str], *, elsewhere_only: bool = False) -> ByName:
    """Return what other packages register in a group, by name: classes below ``of``, or objects of it.

    With ``elsewhere_only`` without those ``beside`` this one. Raises ``PluginError`` if a name is taken, or a thing
    cannot be loaded or is something else.
    """
    things: ByName = {}
    for point in _points(group):
        if elsewhere_only and _is_here(point):
            continue
        if point.name in ours or point.name in things:
            raise _fault(point, "the name is taken; rename it")
        things[point.name] = loaded(point, of)
    return things


def loaded(point: EntryPoint, of: Any) -> Any:
    """Return what an entry point names, as ``registered``."""
    try:
        thing = point.load()
    except Exception as error:
        raise _fault(point, f"{type(error).__name__}: {error}; mend the package") from error
    if not (isinstance(thing, of) or (isinstance(thing, type) and issubclass(thing, of))):
        raise _fault(point, f"{point.value} is no {of.__name__}; name one")
    return thing


def _fault(point: EntryPoint, what: str) -> PluginError:
    remedy = f"uninstall the package, or leave it out: {WITHOUT}={_owner(point)}"
    return PluginError(f"package {_package(point)}, {point.group}, {point.name}: {what}, {remedy}")


def in_order(ours: Mapping[str, T], others: Mapping[str, T]) -> dict[str, T]:
    """Return our things and those of other packages: each behind the one that its ``after`` names, else at the end."""
    names, left = list(ours), dict(others)
    while left:
        name = next((name for name, thing in left.items() if getattr(thing, "after", "") in names), next(iter(left)))
        after = getattr(left.pop(name), "after", "")
        names.insert(names.index(after) + 1 if after in names else len(names), name)
    return {name: ours[name] if name in ours else others[name] for name in names}


def placed(*, after: str) -> Callable[[T], T]:
    """Return a decorator that says behind which of our things something stands."""

    def place(thing: T) -> T:
        setattr(thing, "after", after)  # noqa: B010 - no type has it
        return thing

    return place


def names(group: str) -> list[str]:
    """Return the names that other packages register in a group."""
    return [point.name for point in _points(group)]


def elsewhere(group: str) -> list[str]:
    """Return those that packages register which do not lie beside this one."""
    return [point.name for point in _points(group) if not _is_here(point)]


def beside(group: str) -> dict[str, EntryPoint]:
    """Return what the packages beside this one register in a group, by name."""
    return {point.name: point for point in _points(group) if _is_here(point)}


@cache
def code(group: str) -> str:
    """Return the packages from elsewhere that register something in a group, with version and SHA-256 of all files."""
    lines = []
    for point in _points(group):
        if _is_here(point):
            continue
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
    folders = dict.fromkeys(_folder(point) / "prompts" for point in _points("tasks"))
    return [folder for folder in folders if folder.is_dir()]


@cache
def _points(group: str) -> list[EntryPoint]:
    without = {_normal(name) for name in os.environ.get(WITHOUT, "").split(",")}
    points: Iterable[EntryPoint] = _installed().select(group=f"nlfol.{group}")
    if _CHECKOUT.is_file():
        own = _own().get(f"nlfol.{group}", {})
        points = [
            *(EntryPoint(name, value, f"nlfol.{group}") for name, value in own.items()),
            *(point for point in points if not _is_here(point)),
        ]
    kept = (point for point in points if _normal(_owner(point)) not in without)
    return sorted(kept, key=lambda point: (point.name, point.value))


# Each search for what is installed takes a hundredth of a second.
_installed = cache(entry_points)


@cache
def _own() -> dict[str, dict[str, str]]:
    groups: dict[str, dict[str, str]] = tomllib.loads(_CHECKOUT.read_text(encoding="utf-8"))["project"]["entry-points"]
    return groups


def _is_here(point: EntryPoint) -> bool:
    """Return whether a package lies beside this one, as a part of the same project."""
    return point.dist is None or point.dist.name == "nlfol"


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def _folder(point: EntryPoint) -> Path:
    """Return the folder of a package, from what was imported of it."""
    spec = find_spec(point.module.partition(".")[0])
    if spec is None or not spec.submodule_search_locations:
        raise PluginError(f"package {_package(point)}, {point.group}, {point.name}: put {point.module} into a folder")
    return Path(next(iter(spec.submodule_search_locations)))


def _owner(point: EntryPoint) -> str:
    """Return the name by which a package is left out: that of its distribution, or its own if it lies here."""
    return point.module.partition(".")[0] if _is_here(point) or not point.dist else point.dist.name


def _package(point: EntryPoint) -> str:
    return _owner(point) if _is_here(point) or not point.dist else f"{point.dist.name} {point.dist.version}"
