"""Environment of a run: software, hardware and revision of the code, but no names of hosts, users or folders."""

import importlib.metadata
import os
import platform
import shutil
import subprocess
from pathlib import Path

from nlfol.mappings import JsonDict

PACKAGES = (
    *("accelerate", "gguf", "jinja2", "llguidance", "nlfol", "numpy", "openai", "polars"),
    *("pyarrow", "pydantic", "pyparsing", "rapidfuzz", "sacrebleu", "scipy", "sentence-transformers", "snakemake"),
    *("tokenizers", "torch", "transformers", "z3-solver"),
)
"""The distributions whose version can matter to a result."""

_WAIT = 30.0


def environment() -> JsonDict:
    """Revision, versions and hardware, as JSON values; what cannot be found out is null or left out."""
    return {
        "git": revision(Path(__file__)),
        "python": platform.python_version(),
        "packages": versions(),
        "hardware": hardware(),
    }


def versions() -> dict[str, str]:
    """Return the versions of the installed ``PACKAGES`` without importing them."""
    installed = {}
    for name in PACKAGES:
        try:
            installed[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return installed


def revision(file: Path) -> dict[str, object] | None:
    """Return the commit of a file's repository, and whether tracked files differ from it.

    None where there is no repository, where it does not track the file (a copy that lies in somebody else's), and where
    git is not installed.
    """
    if _git(file.parent, "ls-files", "--error-unmatch", "--", file.name) is None:
        return None
    commit = _git(file.parent, "rev-parse", "HEAD")
    changes = _git(file.parent, "status", "--porcelain", "--untracked-files=no")
    if commit is None or changes is None:
        return None
    return {"commit": commit.strip(), "dirty": bool(changes.strip())}


def hardware() -> JsonDict:
    """Processor, cores, memory in bytes, and the names of the GPUs."""
    has_pages = {"SC_PAGE_SIZE", "SC_PHYS_PAGES"} <= os.sysconf_names.keys()
    listed = _output("nvidia-smi", "--query-gpu=name", "--format=csv,noheader")
    return {
        "system": platform.system(),
        "machine": platform.machine(),
        "cpu": _processor(Path("/proc/cpuinfo")) or platform.processor() or None,
        "cores": os.cpu_count(),
        "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if has_pages else None,
        "gpus": [line.strip() for line in (listed or "").splitlines() if line.strip()],
    }


def _processor(listing: Path) -> str | None:
    if not listing.is_file():
        return None
    lines = (line.partition(":") for line in listing.read_text(encoding="utf-8", errors="replace").splitlines())
    return next((value.strip() for key, _, value in lines if key.strip() == "model name"), None)


def _git(folder: Path, *arguments: str) -> str | None:
    return _output("git", "-C", str(folder), *arguments)


def _output(program: str, *arguments: str) -> str | None:
    """Return a program's output; None if it is not installed, fails or does not answer."""
    path = shutil.which(program)
    if path is None:
        return None
    try:
        done = subprocess.run([path, *arguments], capture_output=True, text=True, check=False, timeout=_WAIT)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
