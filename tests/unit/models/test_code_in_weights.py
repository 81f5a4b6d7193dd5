"""Weights that come with code of their own: whatever loads them, it is not run, even if somebody answers "y"."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.late import needs

import nlfol
from nlfol.models.entries.chat import LocalChatEntry
from nlfol.models.entries.source import PathSource
from nlfol.models.local.materialisation import ModelSourceError, materialise

LOADERS = {
    "tokenizer": "from nlfol.models.local.loading import load_tokenizer; load_tokenizer(Path('weights'), 'mine')",
    "model": "from nlfol.models.local.loading import load_model; load_model(Path('weights'), 'auto', cuda=False)",
    "embedder": (
        "from nlfol.models.entries.embedding import EmbeddingEntry\n"
        "from nlfol.models.vectors.local import LocalEmbedder\n"
        "entry = {'kind': 'embedding', 'backend': 'sentence_transformers', 'source': {'path': 'weights'}}\n"
        "LocalEmbedder(EmbeddingEntry.model_validate(entry), Path('weights'))"
    ),
}
OWN = {"AutoConfig": "own.Config", "AutoModelForCausalLM": "own.Model", "AutoTokenizer": ["own.Tokenizer", None]}


@pytest.fixture
def weights(tmp_path: Path, tiny_model: Callable[[str], Path]) -> Path:
    """A model of an architecture that transformers does not know, with a module that writes a file when it is run."""
    folder = tmp_path / "weights"
    shutil.copytree(tiny_model("qwen3"), folder)
    for name, own in (("config.json", {"model_type": "own"}), ("tokenizer_config.json", {"tokenizer_class": "Own"})):
        said = json.loads((folder / name).read_bytes())
        (folder / name).write_text(json.dumps({**said, **own, "auto_map": OWN}), encoding="utf-8")
    (folder / "own.py").write_text("open('ran', 'w')\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "loader",
    [name if name != "embedder" else pytest.param(name, marks=needs("sentence_transformers")) for name in LOADERS],
)
def test_weights_code_stays_unexecuted_despite_consent(weights: Path, loader: str) -> None:
    program = f"from pathlib import Path\n{LOADERS[loader]}"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=weights.parent,
        env={**os.environ, "PYTHONPATH": str(Path(nlfol.__file__).parents[1])},
        input="y\n" * 9,
        text=True,
        capture_output=True,
        check=False,
    )
    assert not (weights.parent / "ran").exists()
    assert done.returncode != 0
    assert "Do you wish to run" not in done.stdout


def test_custom_code_error_names_file(weights: Path) -> None:
    with pytest.raises(
        ModelSourceError, match=r"weights/config.json: auto_map asks for code that comes with the weights"
    ):
        materialise(entry(weights), weights.parent / "made")
    assert not (weights.parent / "made").exists()


def test_auto_map_is_ignored_for_known_architectures(weights: Path, tiny_model: Callable[[str], Path]) -> None:
    for name in ("config.json", "tokenizer_config.json"):
        said = json.loads((tiny_model("qwen3") / name).read_bytes())
        (weights / name).write_text(json.dumps({**said, "auto_map": OWN}), encoding="utf-8")
    materialise(entry(weights), weights.parent / "made")
    assert not (weights.parent / "ran").exists()


def test_custom_embedder_module_is_refused(weights: Path) -> None:
    (weights / "modules.json").write_text('[{"idx": 0, "name": "0", "path": "", "type": "own.Module"}]')
    for name in ("config.json", "tokenizer_config.json"):
        (weights / name).unlink()
    with pytest.raises(ModelSourceError, match=r"weights/modules.json: own.Module is code that does not come with"):
        materialise(entry(weights), weights.parent / "made")


def entry(weights: Path) -> LocalChatEntry:
    return LocalChatEntry(kind="chat", backend="transformers", source=PathSource(path=str(weights)))
