"""Places of the project's files, and how to install a missing package, from nlfol's metadata."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[3]
PROJECT = _CHECKOUT if (_CHECKOUT / "config.yaml").is_file() else Path(sys.prefix, "share/nlfol")
"""The checkout that this library lies in, or what a wheel has of it."""

_CALLED = {"sklearn": "scikit-learn", "vl_convert": "vl-convert-python", "yaml": "pyyaml", "z3": "z3-solver"}
"""Packages that are imported by another name than they are installed by."""

_CLONE = "in a clone of the repository"


def workflow_is_here() -> bool:
    """Return True if there is the workflow, which a wheel lacks."""
    return (PROJECT / "Snakefile").is_file()


def remedy(module: str) -> str:
    """Return how to install the package of a module: with the extra that has it, or with all that a run needs."""
    from importlib.metadata import PackageNotFoundError, requires  # start-up time

    package = _normal(_CALLED.get(module, module))
    try:
        needed = requires("nlfol") or []
    except PackageNotFoundError:
        needed = []
    for requirement in needed:
        if _normal(re.split(r"[^\w.-]", requirement)[0]) == package:
            version, _, marker = requirement.partition(";")
            extra = re.search(r"extra == ['\"]([\w-]+)['\"]", marker)
            if extra is None:
                return f"pip install '{version.strip()}'"
            return f"pip install '.[{extra[1]}]' {_CLONE}, or the wheel with [{extra[1]}]"
    return f"pip install -r requirements.txt {_CLONE}"


@contextmanager
def needed_by(name: str) -> Iterator[None]:
    """Have a ``ModuleNotFoundError`` of an import say what needs the package, and how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        how = remedy(str(error.name))
        raise ModuleNotFoundError(f"{name} needs the package {error.name}: {how}", name=error.name) from None


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
