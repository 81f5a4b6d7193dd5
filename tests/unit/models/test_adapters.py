import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.late import Late, needs

from nlfol.models.entries.chat import LocalChatEntry
from nlfol.models.local.chat import LocalChat
from nlfol.models.local.materialisation import ModelSourceError, bare_twin, identity, latest_stamp, materialise, weights

from .conftest import request, texts

pytestmark = needs("torch")
torch = Late("torch")


def entry(model: Path, adapter: Path | None = None) -> LocalChatEntry:
    values: dict[str, Any] = {
        "kind": "chat",
        "backend": "transformers",
        "source": {"path": str(model)},
        "context": 1024,
        "limits": {"tokens": 300},
        "dtype": "float32",
        "device": "cpu",
        "adapter": adapter and {"path": str(adapter)},
    }
    return LocalChatEntry.model_validate(values)


def save_adapter(model: Path, folder: Path, seed: int) -> None:
    """A LoRA adapter with random weights, which change what the model says."""
    peft = pytest.importorskip("peft")
    from transformers import AutoModelForCausalLM

    torch.manual_seed(seed)
    base = AutoModelForCausalLM.from_pretrained(model)
    settings = peft.LoraConfig(r=2, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
    peft.get_peft_model(base, settings).save_pretrained(folder)


def test_adapter_changes_answers_and_identity(tiny_model: Callable[[str], Path], tmp_path: Path) -> None:
    base = tiny_model("qwen3")
    said, named = [], []
    for seed in (None, 1, 2):
        adapter = None if seed is None else tmp_path / "adapter"
        if adapter is not None and seed is not None:
            save_adapter(base, adapter, seed)
        made = tmp_path / f"model-{seed}"
        materialise(entry(base, adapter), made)
        chat = LocalChat(entry(base, adapter), made)
        said.append(texts(chat, [request(chat.identity, temperature=0)])[0])
        named.append(chat.identity)
    assert len(set(said)) == 3
    assert len(set(named)) == 3
    assert ";adapter=path:adapter#sha256:" in named[1]


def test_adapted_model_shares_base_weights(tiny_model: Callable[[str], Path], tmp_path: Path) -> None:
    base, adapter = tiny_model("qwen3"), tmp_path / "adapter"
    save_adapter(base, adapter, 1)
    tuned = entry(base, adapter)
    materialise(entry(base), tmp_path / "base")
    materialise(tuned, tmp_path / "apart")
    # Weights that were converted lie in the directory itself.
    converted = tmp_path / "base/source.json"
    shutil.copytree(weights(tmp_path / "base"), tmp_path / "base", dirs_exist_ok=True)
    converted.write_text(json.dumps({**json.loads((tmp_path / "apart/source.json").read_text()), "path": "."}))
    materialise(tuned, tmp_path / "shared", base=tmp_path / "base")
    assert weights(tmp_path / "shared") == tmp_path / "base"
    assert identity(tuned, tmp_path / "shared") == identity(tuned, tmp_path / "apart")
    asked = request(identity(tuned, tmp_path / "apart"), temperature=0)
    assert texts(LocalChat(tuned, tmp_path / "shared"), [asked]) == texts(LocalChat(tuned, tmp_path / "apart"), [asked])


def test_bare_twin_differs_only_in_adapter() -> None:
    here, there = Path("here"), Path("there")
    models = {
        "tuned": entry(here, there),
        "other": entry(there),
        "half": entry(here).model_copy(update={"dtype": "float16"}),
        "colder": entry(here).model_copy(update={"seeds": (1, 2)}),
        "base": entry(here),
    }
    assert bare_twin("tuned", models) == "colder"
    assert bare_twin("base", models) is None
    assert bare_twin("tuned", {"tuned": models["tuned"], "half": models["half"]}) is None


def an_unread_adapter(folder: Path) -> Path:
    folder.mkdir()
    for name in ("adapter_config.json", "adapter_model.safetensors"):
        (folder / name).write_text("{}")
    return folder


def test_adapter_pickle_is_refused(tiny_model: Callable[[str], Path], tmp_path: Path) -> None:
    adapter = an_unread_adapter(tmp_path / "adapter")
    (adapter / "adapter_model.safetensors").rename(adapter / "adapter_model.bin")
    with pytest.raises(ModelSourceError, match=r"no file adapter_model.safetensors, so no LoRA adapter"):
        materialise(entry(tiny_model("qwen3"), adapter), tmp_path / "model")


def test_missing_adapter_error_names_its_key(tiny_model: Callable[[str], Path], tmp_path: Path) -> None:
    with pytest.raises(ModelSourceError, match=r"absent: no file adapter_config\.json, .*; correct adapter\.path"):
        materialise(entry(tiny_model("qwen3"), tmp_path / "absent"), tmp_path / "model")


def test_adapter_change_updates_stamp_and_identity(tiny_model: Callable[[str], Path], tmp_path: Path) -> None:
    adapted = entry(tiny_model("qwen3"), an_unread_adapter(tmp_path / "adapter"))
    materialise(adapted, tmp_path / "model")
    stamp, named = latest_stamp(adapted, tmp_path / "model"), identity(adapted, tmp_path / "model")
    (tmp_path / "adapter" / "adapter_config.json").write_text(json.dumps({"r": 2}))
    assert latest_stamp(adapted, tmp_path / "model") != stamp
    materialise(adapted, tmp_path / "model")
    changed = identity(adapted, tmp_path / "model")
    assert changed != named
    (tmp_path / "adapter" / "README.md").write_text("What it was trained on.")
    materialise(adapted, tmp_path / "model")
    assert identity(adapted, tmp_path / "model") == changed
    stamp = latest_stamp(adapted, tmp_path / "model")
    shutil.rmtree(tmp_path / "adapter")
    assert latest_stamp(adapted, tmp_path / "model") == stamp
