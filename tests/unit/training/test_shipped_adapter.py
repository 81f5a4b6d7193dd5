"""The adapter that comes with the default experiment is what its card says."""

import csv
import json

import yaml
from tests.examples import ROOT

from nlfol.models.local.materialisation import ADAPTER_FILES
from nlfol.store.files import digest
from nlfol.training.entry import Settings

FOLDER = ROOT / "resources/adapters/everyday"


def test_adapter_card_matches_files_and_configuration() -> None:
    card = (FOLDER / "README.md").read_text(encoding="utf-8")
    for name in ADAPTER_FILES:
        assert f"`{name}` {digest(FOLDER / name)}" in card
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 5_000_000

    default, making = (yaml.safe_load((ROOT / name).read_text()) for name in ("config.yaml", "config/adapter.yaml"))
    tuned = default["models"]["smollm2-135m-everyday"]
    assert tuned == {**default["models"]["smollm2-135m"], "adapter": {"path": "resources/adapters/everyday"}}
    made = making["models"]["smollm2-135m-everyday"]
    assert {**tuned, "items": None, "adapter": None} == {**made, "items": None, "adapter": None}
    assert made["adapter"] == {"trained": "everyday"}

    learnt = making["training"]["everyday"]
    settings = Settings(**{key: value for key, value in learnt.items() if key in Settings.model_fields})
    saved = json.loads((FOLDER / "adapter_config.json").read_text())
    assert (saved["r"], saved["lora_alpha"], saved["lora_dropout"]) == (
        settings.rank,
        settings.alpha,
        settings.dropout,
    )
    assert f"learning rate {settings.learning_rate}" in card
    assert f"warm-up of {settings.warmup}" in card


def test_adapter_training_set_excludes_tested_sentences() -> None:
    def texts(name: str) -> set[str]:
        with (ROOT / "resources/datasets" / name).open(encoding="utf-8", newline="") as file:
            return {" ".join(row["text"].lower().split()) for row in csv.DictReader(file)}

    learnt = texts("everyday/sentences.csv")
    assert not learnt & texts("tarski/sentences.csv")
