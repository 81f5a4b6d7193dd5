import json
import re
from pathlib import Path

import pytest

from materialise_model import main
from nlfol.models.entries.chat import LocalChatEntry
from nlfol.models.local.materialisation import deciding_values, identity, weights


def test_json_path_entry_materialises_directory(tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    entry = {"kind": "chat", "backend": "transformers", "source": {"path": str(tmp_path / "weights")}}
    main(json.dumps(entry), tmp_path / "model")
    assert weights(tmp_path / "model") == tmp_path / "weights"
    name = identity(LocalChatEntry.model_validate(entry), tmp_path / "model")
    assert re.fullmatch(r"path:weights#sha256:[0-9a-f]{64};dtype=auto;constrained", name)


def test_materialise_rejects_chance_model(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="chance: there is nothing to materialise"):
        main('{"kind": "chance"}', tmp_path / "model")


def test_relative_model_path_survives_moved_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "first/weights").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "first")
    main(json.dumps({"kind": "chat", "backend": "transformers", "source": {"path": "weights"}}), Path("model"))
    (tmp_path / "first").rename(tmp_path / "second")
    monkeypatch.chdir(tmp_path / "second")
    assert weights(Path("model")).resolve() == tmp_path / "second/weights"


def test_deciding_values_form_minimal_valid_entry() -> None:
    source = {"path": "weights"}
    entry = {"kind": "chat", "backend": "transformers", "source": source, "context": 128, "limits": {"tokens": 64}}
    plain, other = (
        deciding_values(LocalChatEntry.model_validate({**entry, **more})) for more in ({}, {"items": 3, "seeds": [1]})
    )
    assert plain == other
    again = LocalChatEntry.model_validate(plain)
    assert (again.source.model_dump(), again.context) == (source, 128)
    assert deciding_values(LocalChatEntry.model_validate({**entry, "context": 256})) != plain
