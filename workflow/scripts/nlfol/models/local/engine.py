"""What local models compute with and on; recorded beside their answers, no part of what is asked."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nlfol.store.canonical import canonical


def describe(model: Any, packages: Sequence[str], **settings: object) -> str:
    """The engine in canonical JSON.

    Args:
        model: a loaded torch module.
        packages: whose versions count, torch apart.
        settings: whatever else shapes rounding or speed.
    """
    versions = {name: importlib.metadata.version(name) for name in ("torch", *packages)}
    devices = sorted({str(parameter.device) for parameter in model.parameters()})
    dtypes = sorted({str(parameter.dtype).removeprefix("torch.") for parameter in model.parameters()})
    return canonical(
        {
            "versions": versions,
            "devices": {device: _device_name(device) for device in devices},
            "dtype": "+".join(dtypes),
            **settings,
        }
    )


def tokens_at_once(device: str) -> int:
    """How many tokens, padding included, a model had best read at once on a device, ``cpu`` or another.

    On a CPU the activations of more leave its caches: MiniLM encodes 441 texts a CPU second in batches of 2,048 tokens
    and 356 in batches of 16,384. A GPU wants many.
    """
    return 2_048 if device == "cpu" else 65_536


def _device_name(device: str) -> str:
    import torch

    if device.startswith("cuda"):
        return str(torch.cuda.get_device_name(device))
    if device == "meta":
        return "offloaded"
    information = Path("/proc/cpuinfo")
    lines = information.read_text(encoding="utf-8").splitlines() if information.is_file() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()
