"""Commands that start servers, as far as their place and an adapter decide."""

import json
from pathlib import Path
from typing import Any

from nlfol.models.providers.openai import OpenaiChatEntry
from nlfol_extras.serving.engines import Place, command


def vllm(folder: Path, **place: Any) -> list[str]:
    (folder / "config.json").write_text('{"max_position_embeddings": 2048}')
    serve = {"engine": "vllm", "source": {"path": str(folder)}, "command": ["vllm"], "arguments": ["--seed=1"]}
    said = {"kind": "chat", "backend": "openai", "model": "mine", "serve": serve}
    return command(OpenaiChatEntry.model_validate(said), Place(folder, **place), "127.0.0.1", 8000)


def test_vllm_reads_prompts_whole_on_a_cpu_alone(tmp_path: Path) -> None:
    assert {"--no-enable-chunked-prefill", "--max-model-len=2048"} < set(vllm(tmp_path))
    on_gpus = vllm(tmp_path, gpus=2)
    assert "--tensor-parallel-size=2" in on_gpus
    assert not any(word.startswith(("--no-enable-chunked-prefill", "--gpu-memory")) for word in on_gpus)
    # What a user says comes later.
    assert on_gpus.index("--seed=1") > on_gpus.index("--tensor-parallel-size=2")


def test_vllm_has_an_adapter_as_the_model_that_is_asked(tmp_path: Path) -> None:
    adapter = tmp_path / "adapter"
    adapter.mkdir()
    (adapter / "adapter_config.json").write_text(json.dumps({"r": 20}))
    told = vllm(tmp_path, adapter=adapter)
    assert {"--served-model-name=mine.base", f"--lora-modules=mine={adapter}", "--max-lora-rank=32"} < set(told)
    assert "--served-model-name=mine" in vllm(tmp_path)
