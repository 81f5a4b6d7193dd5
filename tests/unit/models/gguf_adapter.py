"""A LoRA adapter of peft as the GGUF file that llama.cpp takes, as its ``convert_lora_to_gguf.py`` writes it."""

import json
from pathlib import Path

import gguf
import numpy as np
from safetensors.numpy import load_file

PREFIX = "base_model.model."


def write_gguf_adapter(adapter: Path, base: Path, path: Path) -> None:
    """Write the adapter of a model of Llama's architecture; ``base`` is the model's GGUF file."""
    fields = gguf.GGUFReader(base).fields
    numbers = "attention.head_count", "attention.head_count_kv", "block_count"
    heads, shared, layers = (int(fields[f"llama.{name}"].contents()) for name in numbers)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, layers)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    alpha = json.loads((adapter / "adapter_config.json").read_text(encoding="utf-8"))["lora_alpha"]
    writer.add_float32("adapter.lora.alpha", alpha)
    for key, values in load_file(adapter / "adapter_model.safetensors").items():
        module, _, part = key.removeprefix(PREFIX).partition(".lora_")
        turned = {"q_proj": heads, "k_proj": shared}.get(module.rpartition(".")[2])
        matrix = values.astype(np.float32)
        if part.startswith("B") and turned is not None:
            # llama.cpp rotates neighbours, transformers halves.
            matrix = matrix.reshape(turned, 2, len(matrix) // turned // 2, -1).swapaxes(1, 2).reshape(matrix.shape)
        writer.add_tensor(f"{names.get_name(module)}.weight.lora_{part[0].lower()}", matrix)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
