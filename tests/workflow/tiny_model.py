"""A dialogue model of a few thousand random weights, made on the spot: what it says means nothing, in due form."""

from pathlib import Path
from typing import Any

from tests.unit.models.conftest import save_model

ENTRY: dict[str, Any] = {
    "kind": "chat",
    "backend": "transformers",
    "context": 8192,
    "dtype": "float32",
    "sampling": {"temperature": 0.0, "top_p": 1.0},
    "limits": {"tokens": 120},
    "seeds": [3, 12],
    "items": 4,
}
"""Its entry in a configuration, but for its source; within these limits every answer fits."""


def save_tiny_model(folder: Path) -> None:
    """Write the model, which reads prompts as long as tasks have them."""
    save_model("qwen3", folder, max_position_embeddings=8192)
