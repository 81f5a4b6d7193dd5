"""config.yaml as pydantic models: validated whole before anything runs."""

from __future__ import annotations

import ast
import hashlib
import json
import os
from collections.abc import Iterable, Mapping, MutableMapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, StringConstraints, ValidationError

from nlfol.datasets.specification import Specification as DatasetSpecification
from nlfol.models.capabilities import CapabilityError, CapabilityTable, complete
from nlfol.models.specification import ApiChatSpecification, ModelSpecification
from nlfol.tasks.specification import TaskSpecifications

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
"""Names of datasets and models become names of folders and files."""

Folder = Annotated[str, StringConstraints(pattern=r"^[^\s{}]+[^\s{}/]$|^[^\s{}/]$")]


class ConfigurationError(ValueError):
    """A configuration that cannot be run; its message has one line for each key at fault."""


class Configuration(BaseModel):
    """One experiment."""

    # A key pasted into the wrong field must not come back in an error.
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    seed: NonNegativeInt
    """Of all candidate sets, and of the order and choice of items."""
    results: Folder = "results"
    """Folder of everything that a run makes."""
    journal: Folder = "journal"
    """Folder of the answers of dialogue models: outside the results, so that nothing paid for is lost with them."""
    datasets: Annotated[dict[Name, DatasetSpecification], Field(min_length=1)]
    tasks: TaskSpecifications
    models: Annotated[dict[Name, ModelSpecification], Field(min_length=1)]


def read_configuration(values: Mapping[str, Any]) -> Configuration:
    """Validate the configuration as Snakemake has read it.

    Raises:
        ConfigurationError: with one line for each key at fault: its place, what is wrong, and what is allowed.
    """
    try:
        return Configuration.model_validate(values)
    except ValidationError as error:
        problems = [
            f"  {'.'.join(map(str, problem['loc'])) or 'config'}: {problem['msg']}{_remedy(problem)}"
            for problem in error.errors(include_url=False, include_input=False)
        ]
        raise ConfigurationError("the configuration cannot be used:\n" + "\n".join(problems)) from None


def settle_capabilities(configuration: Configuration, table: Path) -> Configuration:
    """The configuration with everything settled that the models behind interfaces accept.

    Args:
        configuration: as it was read.
        table: the table of capabilities.

    Raises:
        ConfigurationError: if the table cannot be read, or an entry asks of its model what it does not accept.
    """
    models: dict[str, ModelSpecification] = {}
    problems = []
    try:
        capabilities = CapabilityTable(table)
    except CapabilityError as error:
        raise ConfigurationError(str(error)) from error
    for name, entry in configuration.models.items():
        try:
            models[name] = complete(entry, capabilities) if isinstance(entry, ApiChatSpecification) else entry
        except CapabilityError as error:
            problems.append(f"  models.{name}: {error}")
    if problems:
        raise ConfigurationError("\n".join(["the configuration cannot be used:", *problems]))
    return configuration.model_copy(update={"models": models})


def _remedy(problem: Mapping[str, Any]) -> str:
    if problem["type"] == "extra_forbidden":
        return "; remove the key or correct its name"
    return ""


def as_json(block: BaseModel) -> str:
    """A block for a rule's parameters: equal text for equal meaning, whatever the order of keys or form of numbers."""
    return json.dumps(block.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)


def prefer_this_library(environment: MutableMapping[str, str]) -> None:
    """Have the processes that inherit an environment import this copy of the library and no other installed one."""
    own = str(Path(__file__).resolve().parents[1])
    others = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path not in ("", own)]
    environment["PYTHONPATH"] = os.pathsep.join([own, *others])


def code_digest(parts: Iterable[str]) -> str:
    """SHA-256 over the code of this library's parts, for a rule's parameters: Snakemake does not track imports.

    Comments, docstrings and layout do not count: they change no result.

    Args:
        parts: packages and modules, as paths relative to the library.

    Raises:
        FileNotFoundError: if there is no such part.
    """
    root = Path(__file__).parent
    digest = hashlib.sha256()
    for part in parts:
        path = root / part
        modules = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        if not modules:
            raise FileNotFoundError(f"{path} holds no module")
        for module in modules:
            digest.update(f"{module.relative_to(root).as_posix()}\0".encode())
            digest.update(source_digest(module.read_text(encoding="utf-8")).encode())
    return digest.hexdigest()


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
