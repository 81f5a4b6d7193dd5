"""Digests of the code behind a stage, for rules' parameters: Snakemake does not track what a script imports.

What a script runs is its import closure: every module beside the scripts that it imports, itself or by others, wherever
in their code: of this package, and of others that lie here and are registered as those from elsewhere are. Of the kinds
of task, and of the topics of analyses, a job has its own alone, so that a changed one reruns its jobs. What only
decides how a result comes about, and not what it is, does not count (``OPERATIONAL``).
"""

import ast
import hashlib
import importlib.util
import json
import os
import sys
from collections.abc import MutableMapping
from dataclasses import asdict, dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from nlfol import plugins
from nlfol.data.entry import ENTRIES
from nlfol.mappings import JsonDict
from nlfol.results.analyses.registry import TOPICS
from nlfol.tasks.registry import KINDS

OPERATIONAL = frozenset(
    {
        "nlfol.results.analyses.registry",  # which analyses there are; a rule's inputs and outputs say what one has
        "nlfol.config",  # hands a job what is validated before it starts, in its parameters
        "nlfol.models.api.probing",  # whether an interface can be reached at all; what it says is kept nowhere
        "nlfol.models.api.rate_limit",  # when a request may be sent
        "nlfol.models.budget",  # whether a request may be paid for; one that may not ends the job
        "nlfol.models.local.devices",  # which of the GPUs of one machine a job has
        "nlfol.plugins",  # what other packages register: their code counts
        "nlfol.models.serving",  # where a server is, and when it ends
        "nlfol.store.cores",  # where work is done; the results and their order are the same
        "nlfol.store.locks",  # which job writes a file first
        "nlfol.store.logs",  # what a job says
        "nlfol.store.presence",  # which other jobs ask the same interface
    }
)
"""Modules and packages of which no result depends on what they do; nothing is reached through them."""

_REGISTRIES = {
    "tasks": "tasks/registry.py",
    "tables": "results/analyses/analysis.py",
    "readers": "data/entry.py",
    "models": "models/providers/registry.py",
    "batches": "asking/chat.py",
    "proofs": "logic/decision/satisfiability.py",
}
"""The module that reads each group of entry points."""

_LIBRARY = Path(__file__).parents[1]

_FORM = 1
"""Grows when ``_parse`` reads modules otherwise."""


def prepare_jobs(environment: MutableMapping[str, str]) -> None:
    """Have jobs import this copy of the library, without pydantic's search for plugins: a tenth of a second each."""
    environment.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    own = str(Path(__file__).resolve().parents[2])
    others = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path not in ("", own)]
    environment["PYTHONPATH"] = os.pathsep.join([own, *others])


@cache
def code_digest(script: str, *, library: Path = _LIBRARY, **job: str) -> str:
    """SHA-256 of the code that decides what a script writes for a job, as ``code_behind``.

    A script is named by its path from the folder of scripts, without suffix. Comments, docstrings and layout do not
    count: they change no result. Raises ``FileNotFoundError`` if there is no such script.
    """
    behind = _behind(script, library=library, **job)
    lines = sorted(_line(path, library) for path in behind)
    # Of packages from elsewhere all files count.
    lines += [plugins.code(group) for group, registry in _REGISTRIES.items() if f"{library}/{registry}" in behind]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


@cache
def _line(path: str, library: Path) -> str:
    return f"{os.path.relpath(path, library)}\0{_read(path).digest}"


def code_behind(script: str, *, library: Path = _LIBRARY, **job: str) -> frozenset[Path]:
    """Return the files that ``code_digest`` covers: the script, and the scripts and modules that it imports.

    Of a job, ``kind`` is that of its task, ``topic`` that of its analysis, ``entry`` the module in ``data.entries``
    of its dataset; none is given for none or all, and what a package from elsewhere registers has all.
    """
    return frozenset(map(Path, _behind(script, library=library, **job)))


# Files are texts here: sets of thousands of paths, which hash more slowly, took a tenth of every start of Snakemake.
def _behind(
    script: str, *, library: Path, kind: str | None = None, topic: str | None = None, entry: str | None = None
) -> frozenset[str]:
    start = f"{library.parent / script}.py"
    reached = _reached(start, library)
    if kind is not None and kind not in plugins.elsewhere("tasks"):
        own, knowing = _of_task(kind, library)
    elif topic is not None and topic not in plugins.elsewhere("tables"):
        own, knowing = _of_topic(topic, library)
    elif entry is not None and entry not in plugins.elsewhere("readers"):
        own, knowing = _of_entry(entry, library)
    else:
        return reached
    if reached.isdisjoint(knowing):
        return reached
    return own | _reached(start, library, without=knowing)


@cache
def _of_task(kind: str, library: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Return the modules that a kind of task reaches, and those of ``tasks`` that belong to other kinds."""
    files = {name: _file(module, library) for name, module in KINDS.modules.items()}
    own = _reached(files[kind], library)
    others = {*files.values()} - own
    # The registry too, and whatever else knows all tasks: a new one changes nothing for those there are.
    tasks = map(str, (library / "tasks").glob("*.py"))
    knowing = {path for path in tasks if others & _reached(path, library)}
    return own, frozenset(knowing | others) - own


def _of_topic(topic: str, library: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Return the modules that a topic reaches, and those of other topics or for drawing only."""
    analyses = f"{library}/results/analyses"
    drawing = {*map(str, (library / "results" / "tables").glob("*.py")), f"{analyses}/charts.py"}
    start = _file(TOPICS[topic].module, library)
    imported = _reached(start, library, without=frozenset({f"{analyses}/analysis.py", *drawing}))
    others = frozenset({_file(other.module, library) for other in TOPICS.values()} - imported | drawing)
    return _reached(start, library, without=others), others


@cache
def _of_entry(entry: str, library: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Return the modules that the entry of a dataset reaches, and those of ``data`` that reach other entries."""
    modules = {_file(entry_type.__module__, library) for entry_type in ENTRIES}
    own = _reached(next(path for path in modules if path.endswith(f"/{entry}.py")), library)
    others = modules - own
    datasets = map(str, (library / "data").rglob("*.py"))
    knowing = {path for path in datasets if others & _reached(path, library)}
    return own, frozenset(knowing | others) - own


def _file(module: str, library: Path) -> str:
    return f"{library.parent}/{module.replace('.', '/')}.py"


def source_digest(source: str) -> str:
    """SHA-256 of what a module does: of its syntax tree without docstrings."""
    return _parse(source).digest


@dataclass(frozen=True, slots=True)
class _Module:
    digest: str
    imports: tuple[tuple[str, str], ...]
    """Dotted name of a module, and a name taken from it, which may be a module too; relative ones begin with dots."""
    siblings: tuple[str, ...]
    """Texts that may name a module beside it, which is run as a program."""


@cache
def _reached(start: str, library: Path, *, without: frozenset[str] = frozenset()) -> frozenset[str]:
    reached: set[str] = set()
    left = {start} - without
    while left:
        reached |= left
        left = {*chain.from_iterable(_imported(path, library) for path in left)} - reached - without
    return frozenset(reached)


@cache
def _imported(path: str, library: Path) -> frozenset[str]:
    module = _read(path)
    names = (_resolved(path, library, *imported) for imported in module.imports)
    files = _files(library)
    imported = (files[name] for name in names if name in files and not _is_operational(name))
    beside = [str(Path(path).with_name(name)) for name in module.siblings]
    # What packages beside this one register is imported by name, as are the modules of topics and of tasks.
    for group, registry in _REGISTRIES.items():
        if path == f"{library}/{registry}":
            beside += [_file(module, library) for module in _named(group)]
    return frozenset((*imported, *filter(os.path.isfile, beside)))


def _named(group: str) -> list[str]:
    if group == "tables":
        return [topic.module for topic in TOPICS.values()]
    return list(KINDS.modules.values()) if group == "tasks" else [at.module for at in plugins.beside(group).values()]


def _resolved(path: str, library: Path, module: str, name: str) -> str:
    """Return the dotted name of the module that an import statement names."""
    if module.startswith("."):
        module = importlib.util.resolve_name(module, ".".join(Path(path).parent.relative_to(library.parent).parts))
    return f"{module}.{name}" if name and f"{module}.{name}" in _files(library) else module


@cache
def _is_operational(name: str) -> bool:
    return any(name == prefix or name.startswith(f"{prefix}.") for prefix in OPERATIONAL)


@cache
def _files(library: Path) -> dict[str, str]:
    """Return the file of each module of the library and of each script, by its dotted name."""
    paths: dict[str, str] = {}
    # Deepest first, so that of a module and a package of one name the module counts.
    for folder, _, names in os.walk(library.parent, topdown=False):
        parts = Path(folder).relative_to(library.parent).parts
        for name in names:
            if name.endswith(".py"):
                own = () if name == "__init__.py" else (name.removesuffix(".py"),)
                paths[".".join((*parts, *own))] = f"{folder}/{name}"
    return paths


def remember_modules(path: Path) -> None:
    """Keep what is read of each module in a file, if its folder is there: reading all takes seconds at every start."""
    known = _known(path)
    fresh = {key: asdict(module) for key, module in _MODULES.items() if key not in known}
    if fresh and path.parent.is_dir():
        own = path.with_name(f"{path.name}.{os.getpid()}")
        own.write_text(json.dumps(known | fresh), encoding="utf-8")
        os.replace(own, path)


def recall_modules(path: Path) -> None:
    """Take from a file what ``remember_modules`` kept there."""
    for key, module in _known(path).items():
        imports = tuple((name, taken) for name, taken in module["imports"])
        _MODULES[key] = _Module(module["digest"], imports, tuple(module["siblings"]))


def _known(path: Path) -> JsonDict:
    try:
        known: JsonDict = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return {}
    return known


_MODULES: dict[str, _Module] = {}
"""By the SHA-256 of Python's version, of this module's form of digests, and of the text."""


@cache
def _read(path: str) -> _Module:
    source = Path(path).read_text(encoding="utf-8")
    key = hashlib.sha256(f"{sys.version_info[:2]} {_FORM}\n{source}".encode()).hexdigest()
    if key not in _MODULES:
        _MODULES[key] = _parse(source)
    return _MODULES[key]


def _parse(source: str) -> _Module:
    imports: list[tuple[str, str]] = []
    siblings: list[str] = []
    parts: list[str] = []
    left: list[Any] = [ast.parse(source)]
    # Not `ast.dump` and `ast.walk`, which take three times as long, at every start of Snakemake.
    while left:
        node = left.pop()
        if isinstance(node, list):
            # Less docstrings.
            kept = [part for part in node if not (isinstance(part, ast.Expr) and _is_text(part.value))]
            parts.append(str(len(kept)))
            left += reversed(kept)
            continue
        if not isinstance(node, ast.AST):
            parts.append(repr(node))
            continue
        if isinstance(node, ast.ImportFrom):
            imports += [("." * node.level + (node.module or ""), alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            imports += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.endswith(".py"):
            siblings.append(node.value)
        parts.append(type(node).__name__)
        is_typing = isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        fields = ("orelse",) if is_typing else node._fields
        left += [getattr(node, field, None) for field in fields]
    return _Module(hashlib.sha256("\0".join(parts).encode()).hexdigest(), tuple(imports), tuple(siblings))


def _is_text(node: object) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
