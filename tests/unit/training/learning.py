"""Twenty things to learn by heart, a model that can, and the files of its training."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.stored import stored

import train_adapter
from nlfol.models.request import ChatRequest, Message
from nlfol.store import files
from nlfol.store.training_schemas import EXAMPLES
from nlfol.training.entry import Settings

ANIMALS = [
    "ant", "ape", "bat", "bee", "cat", "cow", "dog", "eel", "elk", "emu",
    "ewe", "fox", "gnu", "hen", "kid", "owl", "pig", "ram", "rat", "yak",
]  # fmt: skip
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"reasoning": {"type": "string", "maxLength": 4}, "answer": {"type": "string", "maxLength": 40}},
    "required": ["reasoning", "answer"],
    "additionalProperties": False,
}
HARD: dict[str, Any] = {"seed": 1, "rank": 32, "alpha": 64.0, "dropout": 0.0, "learning_rate": 5e-3, "batch": 10}
"""Settings that learn fast by heart; no model would be trained so."""


def question(animal: str) -> tuple[Message, ...]:
    return Message("system", "Translate."), Message("user", f"All {animal}s are mammals.")


def answer(animal: str) -> str:
    return json.dumps(
        {"reasoning": "", "answer": f"∀x ({animal.title()}(x) → Mammal(x))"}, separators=(",", ":"), ensure_ascii=False
    )


def request(model: str, animal: str) -> ChatRequest:
    return ChatRequest(model, question(animal), SCHEMA, 0.0, 1.0, 64, 0)


def entry(model: Path, **more: Any) -> dict[str, Any]:
    """Return the model's entry in a configuration; paths are absolute."""
    source = {"path": str(model)}
    return {"kind": "chat", "backend": "transformers", "source": source, "context": 512, "device": "cpu"} | {
        "limits": {"tokens": 64},
        **more,
    }


def write_examples(path: Path, *longer: Message) -> None:
    """The EXAMPLES file of all animals, and of one more dialogue where there is one."""
    dialogues = [[*question(animal), Message("assistant", answer(animal))] for animal in ANIMALS]
    dialogues += [list(longer)] if longer else []
    about = {"dataset": "zoo", "task": "t", "model": "m"}
    rows = [
        stored(EXAMPLES, item=str(number), messages=[asdict(turn) for turn in dialogue], **about)
        for number, dialogue in enumerate(dialogues)
    ]
    files.write(path, EXAMPLES, rows, {"training": "zoo"})


def train(folder: Path, model: Path, epochs: int, saved_every: int = 50, **more: Any) -> Path:
    """Train on the examples in a folder; its adapter, beside which ``losses.arrow`` lies."""
    folder.mkdir(exist_ok=True)
    if not (folder / "examples.arrow").exists():
        write_examples(folder / "examples.arrow")
    settings = Settings(**{**HARD, "epochs": epochs, **more})
    train_adapter.main(
        settings.model_dump_json(),
        json.dumps(entry(model)),
        folder / "examples.arrow",
        model,
        training="zoo",
        adapter=folder / "adapters" / "zoo",
        losses=folder / "losses.arrow",
        saved_every=saved_every,
    )
    return folder / "adapters" / "zoo"
