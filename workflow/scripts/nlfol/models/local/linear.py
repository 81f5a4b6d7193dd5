"""Linear layers of models on a CPU, computed by oneDNN from weights in its own layout.

PyTorch leaves the linear layers of a float32 model to Intel's MKL, whose code for other makers' processors is slow: on
an AMD Zen 5 core it reaches 97 GFLOP/s where oneDNN, which comes with PyTorch as well, reaches 230. oneDNN is at its
best where the weights lie in blocks ("prepacked": oneDNN Developer Guide, Memory Format Propagation); PyTorch's
compiler, Inductor, packs them in the same way. Results differ from the plain layer's by rounding.
"""

from __future__ import annotations

import platform
from typing import Any
from weakref import WeakKeyDictionary

import torch

ENGINE = "oneDNN, prepacked"
"""What computes the linear layers, in an engine's description."""


class PrepackedLinear(torch.nn.Module):  # type: ignore[misc]
    """Stands for a linear layer in inference.

    Args:
        layer: whose weights, in the memory of a CPU, are copied.
    """

    def __init__(self, layer: Any) -> None:
        super().__init__()
        self.in_features, self.out_features = layer.in_features, layer.out_features
        self._packed = torch.ops.mkldnn._reorder_linear_weight(layer.weight.detach().contiguous(), None)
        self.bias = layer.bias

    @property
    def weight(self) -> Any:
        """(out_features, in_features), unpacked at each call: for what looks at it and does not compute with it."""
        return self._packed.to_dense()

    def forward(self, given: Any) -> Any:
        """(..., in_features) to (..., out_features)."""
        return torch.ops.mkldnn._linear_pointwise(given, self._packed, self.bias, "none", [], "")


def prepack(model: Any) -> str | None:
    """Replace the linear layers of a loaded model that lie on the CPU.

    It takes no more memory than before, except for weights that something else computes with as well, such as a table
    of embeddings that is the output layer, too: those are held twice.

    Args:
        model: a torch module in evaluation mode, changed in place; never trained nor saved again.

    Returns:
        ``ENGINE``; None where nothing was replaced: on a GPU, on other processors than x86-64 with AVX2, and where the
        processor does not know the layers' dtype.
    """
    if platform.machine().lower() not in {"x86_64", "amd64"} or not torch.backends.mkldnn.is_available():
        return None
    # Without AVX2, oneDNN takes about twice as long as MKL.
    if torch.backends.cpu.get_cpu_capability() not in {"AVX2", "AVX512"}:
        return None
    return ENGINE if _replace(model, WeakKeyDictionary()) else None


def _replace(parent: Any, done: WeakKeyDictionary[Any, PrepackedLinear]) -> bool:
    """Replace one by one: no layer is held twice for longer than its own packing takes.

    Args:
        parent: whose layers, however deep, are replaced.
        done: what was replaced, where it stands elsewhere too.
    """
    replaced = False
    for name, child in list(parent.named_children()):
        if _replaceable(child):
            if child not in done:
                done[child] = PrepackedLinear(child)
            setattr(parent, name, done[child])
            replaced = True
        else:
            replaced |= _replace(child, done)
    return replaced


def _replaceable(module: Any) -> bool:
    # A subclass computes something else; accelerate's hook means that the weights are brought for each call.
    return (
        type(module) is torch.nn.Linear
        and module.weight.device.type == "cpu"
        and module.weight.dtype in _dtypes()
        and not hasattr(module, "_hf_hook")
    )


def _dtypes() -> set[Any]:
    """What oneDNN packs on this processor: bfloat16 needs AVX-512 or a successor of AVX2."""
    bfloat16 = torch.ops.mkldnn._is_mkldnn_bf16_supported()
    return {torch.float32, torch.bfloat16} if bfloat16 else {torch.float32}
