"""Mappings whose keys no type knows: each is named, and of each package there are only ever fewer.

The command ``python -m tests.unit.test_mappings`` prints the table of how many there are.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

SCRIPTS = Path(__file__).parents[2] / "workflow/scripts"

NAMES = ("AnyRow", "ByName", "JsonDict", "JsonObject")
"""Those of ``nlfol.mappings``."""

_MAPPINGS = ("dict", "defaultdict", "Mapping", "MutableMapping")

EDGES = {
    "nlfol/mappings.py": "names them",
    "nlfol/interning.py": "Python gives a metaclass the names of a class",
    "nlfol/validation.py": "redefines an attribute of PyYAML's",
    "nlfol_extras/released/experiment.py": "entries of a configuration, which its reader checks",
}
"""Modules that may spell such a mapping, and why."""

MOST = {
    "nlfol": 6,
    "nlfol/asking": 11,
    "nlfol/cli": 36,
    "nlfol/config": 5,
    "nlfol/data": 9,
    "nlfol/harnesses": 13,
    "nlfol/logic": 6,
    "nlfol/models": 14,
    "nlfol/problems": 22,
    "nlfol/provenance": 5,
    "nlfol/report": 15,
    "nlfol/results": 40,
    "nlfol/sets": 2,
    "nlfol/store": 16,
    "nlfol/tasks": 104,
    "nlfol/training": 5,
    "nlfol_extras": 2,
    "nlfol_extras/analyses": 10,
    "nlfol_extras/batches": 1,
    "nlfol_extras/board": 4,
    "nlfol_extras/commands": 11,
    "nlfol_extras/explaining": 13,
    "nlfol_extras/hub": 3,
    "nlfol_extras/lint": 3,
    "nlfol_extras/ontologies": 3,
    "nlfol_extras/proving": 1,
    "nlfol_extras/released": 1,
    "scripts": 4,
}
"""Uses of the names by package: lower a number that fell; a new row is a ``TypedDict`` or a dataclass."""


def spelt(tree: ast.AST) -> Iterator[ast.Subscript]:
    """Yield the mappings from strings to anything of a module."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Subscript)
            and isinstance(node.value, ast.Name)
            and node.value.id in _MAPPINGS
            and ast.unparse(node.slice) in ("str, Any", "(str, Any)")
        ):
            yield node


def trees(*names: str) -> Iterator[tuple[str, ast.Module]]:
    """Yield the modules in whose text one of some names occurs, by path."""
    for path in SCRIPTS.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if any(name in text for name in names):
            yield path.relative_to(SCRIPTS).as_posix(), ast.parse(text)


def used() -> Counter[str]:
    """Count uses of the names by package."""
    counts: Counter[str] = Counter()
    for path, tree in trees(*NAMES):
        package = "/".join(path.split("/")[:-1][:2]) or "scripts"
        counts[package] += sum(isinstance(node, ast.Name) and node.id in NAMES for node in ast.walk(tree))
    return +counts


def test_untyped_mappings_are_named() -> None:
    found = {path for path, tree in trees("Any]") if any(spelt(tree))}
    assert found == EDGES.keys(), "give rows a TypedDict; name JSON and rows of any schema as nlfol.mappings does"


def test_untyped_mappings_only_become_fewer() -> None:
    counts = used()
    more = {package: count for package, count in counts.items() if count > MOST.get(package, 0)}
    assert more == {}, "give rows a TypedDict or a dataclass, see nlfol.store.schemas"


def test_untyped_mappings_are_found_in_annotations() -> None:
    text = "x: dict[str, Any]\ndef f(x: list[Mapping[str, Any]], y: tuple[str, Any]) -> None: ..."
    assert [ast.unparse(node) for node in spelt(ast.parse(text))] == ["dict[str, Any]", "Mapping[str, Any]"]


if __name__ == "__main__":
    for name, number in sorted(used().items()):
        print(f'    "{name}": {number},')
