"""Each stage names the code that decides what its files hold (``CODE`` in ``workflow/rules/common.smk``)."""

from __future__ import annotations

import ast
import re
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import grimp
import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "workflow" / "scripts"
RULES = ROOT / "workflow" / "rules"

ENTRIES = [
    "models/entries/batch.py",
    "models/entries/capabilities.py",
    "models/entries/chat.py",
    "models/entries/embedding.py",
    "models/entries/base.py",
    "models/entries/interface.py",
    "models/entries/prices.py",
    "models/entries/provider_table.py",
    "models/request.py",
    "models/entries/resources.py",
    "models/entries/serve.py",
    "models/entries/model.py",
]
"""An entry reaches a job validated, and whole in a parameter of its rule: its class decides nothing beside that."""

ITEMS = ["english/*", "logic/*"]
"""Items and tasks' entries name ontologies and styles; no formula is read and none rendered."""

UNDECIDING = {
    "weights": [*ENTRIES, "store/*"],
    "responses": [*ITEMS, "config.py", "datasets/*", "models/serving/*"],
    "estimates": [*ITEMS, "config.py", "datasets/*"],
    "reading": [*ENTRIES, "models/entries/source.py"],
    "chance": [*ITEMS, *ENTRIES, "store/canonical.py", "models/entries/source.py"],
    # Members of candidate sets are counted by columns; the rest is what sets are made by.
    "cells": [*ITEMS, "candidates/certificates.py", "ontology/*"],
    "gold_audit": ["datasets/errors.py", "datasets/reason.py", "statistics/clusters.py"],
    # What the manifest says of Z3 is also in what candidates are made by, and the manifest is an input.
    "tables": ["logic/*", "store/canonical.py", "provenance/environment.py"],
    "manifest": ["logic/*"],
    "report": ["store/canonical.py", "provenance/*"],
}
"""What scripts import and no file of the stage depends on."""


_NAMES = {"LOGIC", "CANDIDATES", "ASKING", "CODE"}


def _code() -> dict[str, list[str]]:
    """``CODE`` as the workflow has it, of which the rest needs Snakemake."""
    text = (RULES / "common.smk").read_text(encoding="utf-8").partition("\nwildcard_constraints:")[0]
    found: dict[str, Any] = {}
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) in _NAMES:
            exec(ast.unparse(statement), found)
    code: dict[str, list[str]] = found["CODE"]
    return code


CODE = _code()
STAGES = sorted(
    {
        pair
        for rules in RULES.glob("*.smk")
        for pair in re.findall(r'code\("(\w+)", "(\w+)"\)', rules.read_text(encoding="utf-8"))
    }
)


@pytest.fixture(scope="module")
def imports() -> grimp.ImportGraph:
    return grimp.build_graph("nlfol", exclude_type_checking_imports=True, cache_dir=None)


def _file(module: str) -> str:
    path = Path("/".join(module.split(".")[1:]) or ".")
    return f"{path}/__init__.py" if (SCRIPTS / "nlfol" / path).is_dir() else f"{path}.py"


def _imported_by(script: str, imports: grimp.ImportGraph) -> set[str]:
    """The library's modules that a script imports, itself or by others, wherever in their code."""
    direct = set()
    for node in ast.walk(ast.parse((SCRIPTS / f"{script}.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("nlfol"):
            direct.add(node.module)
    others = set().union(*(imports.find_upstream_modules(module) for module in direct))
    return {_file(module) for module in direct | others}


def _matches(file: str, parts: list[str]) -> bool:
    return any(file == part or file.startswith(f"{part}/") or fnmatch(file, part) for part in parts)


def test_every_stage_has_a_script() -> None:
    assert {stage for stage, _ in STAGES} == CODE.keys()
    assert UNDECIDING.keys() <= CODE.keys()


@pytest.mark.parametrize(("stage", "script"), STAGES)
def test_a_stage_names_all_that_its_script_imports_and_its_files_depend_on(
    stage: str, script: str, imports: grimp.ImportGraph
) -> None:
    named = [part for part in CODE[stage] if not part.startswith("!")]
    left_out = [part.removeprefix("!") for part in CODE[stage] if part.startswith("!")]
    known = [*UNDECIDING.get(stage, []), *left_out]
    missing = {
        file
        for file in _imported_by(script, imports)
        if not file.endswith("__init__.py") and not _matches(file, named) and not _matches(file, known)
    }
    assert not missing
