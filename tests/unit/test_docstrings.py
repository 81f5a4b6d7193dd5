"""Examples in docstrings run; schemas and constants that documentation in the code names by their module exist."""

import ast
import doctest
import re
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import pytest
from tests.examples import ROOT

SCRIPTS = ROOT / "workflow/scripts"
NAMED = re.compile(r"``(?:\w+\.)*(\w+)\.([A-Z][A-Z_0-9]+)``")


EXAMPLES = [
    ".".join(path.relative_to(SCRIPTS).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(SCRIPTS.rglob("*.py"))
    if "    >>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("module", EXAMPLES)
def test_docstring_examples_pass_doctest(module: str) -> None:
    found = doctest.testmod(import_module(module))
    assert found.attempted > 0
    assert found.failed == 0


SPOKEN = re.compile(r"(?:What|Whether|How|Of|Who|Whom|Whose|As|That|Which|Where|When)\b.*")
"""First lines of docstrings that begin with neither a verb nor a noun."""


def spoken(tree: ast.Module) -> list[str]:
    """Return the first lines of documentation, also below assignments, that match ``SPOKEN``."""
    texts = [
        node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]
    return [text.splitlines()[0] for text in texts if SPOKEN.match(text)]


@pytest.mark.parametrize("folder", ["workflow/scripts", "tests", "benchmarks"])
def test_docstrings_begin_with_verb_or_noun(folder: str) -> None:
    for path in (ROOT / folder).rglob("*.py"):
        assert spoken(ast.parse(path.read_text(encoding="utf-8"))) == [], path


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('"""What it is."""\nSIZE = 1\n"""Of a file."""', ["What it is.", "Of a file."]),
        ('def size() -> int:\n    """Whether it fits.\n\n    More.\n    """', ["Whether it fits."]),
        ('"""The size."""\nSIZE = 1\n"""Size of a file."""', []),
    ],
)
def test_docstring_beginnings_are_recognised(text: str, lines: list[str]) -> None:
    assert spoken(ast.parse(text)) == lines


def defined(tree: ast.Module) -> set[str]:
    """Return the names that a module assigns."""
    targets = [
        target
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


def missing(folder: Path) -> list[str]:
    texts = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.py")}
    names: defaultdict[str, set[str]] = defaultdict(set)
    for path, text in texts.items():
        names[path.parent.name if path.stem == "__init__" else path.stem] |= defined(ast.parse(text))
    return [
        f"{path.name}: {found[0]}"
        for path, text in texts.items()
        for found in NAMED.finditer(text)
        if found[2] not in names[found[1]]
    ]


def test_docstring_references_exist() -> None:
    assert missing(SCRIPTS) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('SCORES = 1\n"""Not ``schemas.SCORE``."""', ["schemas.py: ``schemas.SCORE``"]),
        ('A, SCORES = 1, 2\n"""As ``store.schemas.SCORES``."""', []),
    ],
)
def test_missing_docstring_reference_is_reported(tmp_path: Path, text: str, found: list[str]) -> None:
    (tmp_path / "schemas.py").write_text(text, encoding="utf-8")
    assert missing(tmp_path) == found
