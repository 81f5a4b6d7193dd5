"""Digests of the code behind a stage, for rules' parameters."""

from __future__ import annotations

import ast
import hashlib
import os
from collections.abc import Iterable, MutableMapping
from functools import cache
from pathlib import Path


def prefer_this_library(environment: MutableMapping[str, str]) -> None:
    """Have the processes that inherit an environment import this copy of the library and no other installed one."""
    own = str(Path(__file__).resolve().parents[2])
    others = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path not in ("", own)]
    environment["PYTHONPATH"] = os.pathsep.join([own, *others])


def code_digest(parts: Iterable[str]) -> str:
    """SHA-256 over the code of this library's parts, for a rule's parameters: Snakemake does not track imports.

    Comments, docstrings and layout do not count: they change no result.

    Args:
        parts: packages and modules, as paths relative to the library; after a ``!``, what does not count of a package.

    Raises:
        FileNotFoundError: if there is no such part.
    """
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    counted, left_out = [], set[Path]()
    for part in parts:
        if part.startswith("!"):
            left_out.update(_modules(root / part.removeprefix("!")))
        else:
            counted.append(_modules(root / part))
    for modules in counted:
        for module in modules:
            if module not in left_out:
                digest.update(f"{os.path.relpath(module, root)}\0{_module_digest(module)}".encode())
    return digest.hexdigest()


def _modules(path: Path) -> list[Path]:
    modules = [path] if path.is_file() else sorted(path.rglob("*.py"))
    if not modules:
        raise FileNotFoundError(f"{path} is and holds no module")
    return modules


@cache
def _module_digest(module: Path) -> str:
    return source_digest(module.read_text(encoding="utf-8"))


def source_digest(source: str) -> str:
    """SHA-256 of what a module does: of its syntax tree without docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            body[:] = [statement for statement in body if not _is_text(statement)]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()


def _is_text(statement: ast.AST) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )
