import json
import os
from pathlib import Path

import pytest

from nlfol.models.entries.chat import LocalChatEntry
from nlfol.models.entries.embedding import EmbeddingEntry
from nlfol.models.entries.source import HubSource, PackageSource, PathSource
from nlfol.models.local.materialisation import ModelSourceError, identity, locate, materialise, weights
from nlfol.store.files import digest


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PackageSource:
    """An installed distribution whose module must never be imported."""
    site = tmp_path / "site"
    (site / "tiny_weights" / "model").mkdir(parents=True)
    (site / "tiny_weights" / "__init__.py").write_text("raise AssertionError('imported')")
    (site / "tiny_weights" / "model" / "model.safetensors").write_bytes(b"weights")
    (site / "tiny_weights" / "model" / "config.json").write_text("{}")
    information = site / "tiny_weights-1.2.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.2\n")
    names = ["__init__.py", "model/model.safetensors", "model/config.json"]
    (information / "RECORD").write_text("".join(f"tiny_weights/{name},,\n" for name in names))
    monkeypatch.syspath_prepend(str(site))
    return PackageSource(
        package="tiny-weights",
        version="1.2",
        file="model",
        sha256=digest(site / "tiny_weights" / "model" / "model.safetensors"),
    )


@pytest.mark.parametrize("file", ["model", "tiny_weights/model"])
def test_package_source_locates_directory(package: PackageSource, file: str) -> None:
    path = locate(package.model_copy(update={"file": file}))
    assert path.name == "model"
    assert (path / "config.json").is_file()


def test_package_source_locates_file(package: PackageSource) -> None:
    assert locate(package.model_copy(update={"file": "model.safetensors"})).read_bytes() == b"weights"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"package": "no-such-weights"},
            "no-such-weights is not installed; run: pip install --no-deps no-such-weights==1.2",
        ),
        ({"version": "1.3"}, "installed in version 1.2, not 1.3"),
        ({"file": "model.gguf"}, "'model.gguf' is to be found nowhere"),
        ({"file": "tiny_weights"}, "no file model.safetensors in 'tiny_weights'"),
        ({"sha256": "0" * 64}, "SHA-256 of model.safetensors is .*, not 0000"),
    ],
)
def test_package_source_errors_name_fault(package: PackageSource, change: dict[str, str], message: str) -> None:
    with pytest.raises(ModelSourceError, match=message):
        locate(package.model_copy(update=change))


def test_path_source_rejects_missing_path(tmp_path: Path) -> None:
    with pytest.raises(ModelSourceError, match="no such file or directory; correct"):
        locate(PathSource(path=str(tmp_path / "nowhere")))


def test_unreachable_hub_error_suggests_download_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    revision = "0123456789" * 4
    with pytest.raises(ModelSourceError) as caught:
        locate(HubSource(hub="Qwen/Qwen3-8B", revision=revision))
    message = str(caught.value)
    assert f"hf download Qwen/Qwen3-8B --revision {revision}" in message
    assert "\n" not in message


def embedding(source: PackageSource | PathSource) -> EmbeddingEntry:
    return EmbeddingEntry(kind="embedding", backend="sentence_transformers", source=source)


def test_materialise_points_at_directory_without_copying(package: PackageSource, tmp_path: Path) -> None:
    output = tmp_path / "out" / "model"
    materialise(embedding(package), output)
    assert [path.name for path in output.iterdir()] == ["source.json"]
    assert [path.name for path in output.parent.iterdir()] == ["model"]
    assert weights(output) == locate(package)
    assert identity(embedding(package), output) == embedding(package).identity
    assert output.stat().st_mode & 0o777 == 0o777 & ~_umask()
    materialise(embedding(package), output)
    other = embedding(package.model_copy(update={"sha256": "0" * 64}))
    with pytest.raises(
        ModelSourceError, match=r"holds package:tiny-weights.*, not package:tiny-weights.*; materialise"
    ):
        identity(other, output)


def test_package_identity_follows_chat_template(package: PackageSource, tmp_path: Path) -> None:
    entry = LocalChatEntry(kind="chat", backend="transformers", source=package)
    identities = []
    for template in ("first", "second"):
        (locate(package) / "chat_template.jinja").write_text(template)
        materialise(entry, tmp_path / "model")
        identities.append(identity(entry, tmp_path / "model"))
    assert identities[0] != identities[1]
    assert all(name.startswith(f"{entry.identity};files=sha256:") for name in identities)


def test_path_identity_follows_file_content(tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    identities = []
    for content in ("first", "second"):
        (tmp_path / "weights" / "model.safetensors").write_text(content)
        materialise(embedding(PathSource(path=str(tmp_path / "weights"))), tmp_path / "model")
        identities.append(identity(embedding(PathSource(path="weights")), tmp_path / "model"))
    assert identities[0] != identities[1]
    assert all(name.startswith("path:weights#sha256:") and name.endswith(";dtype=float32") for name in identities)


def test_damaged_materialised_directory_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ModelSourceError, match="materialise the model first"):
        weights(tmp_path)
    (tmp_path / "source.json").write_text("{")
    with pytest.raises(ModelSourceError, match="damaged"):
        weights(tmp_path)
    (tmp_path / "source.json").write_text(json.dumps({"source": "x", "path": "/no/such/place", "stamp": ""}))
    with pytest.raises(ModelSourceError, match="are gone; materialise it again"):
        weights(tmp_path)


def test_unknown_weights_format_leaves_output_empty(tmp_path: Path) -> None:
    (tmp_path / "weights.bin").write_bytes(b"")
    with pytest.raises(ModelSourceError, match="neither a GGUF or safetensors file nor a directory"):
        materialise(embedding(PathSource(path=str(tmp_path / "weights.bin"))), tmp_path / "model")
    assert [path.name for path in tmp_path.iterdir()] == ["weights.bin"]


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
