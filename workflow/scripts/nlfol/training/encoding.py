"""Examples as tokens; the loss covers completions alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlfol.models.local.loading import prompt_tokens
from nlfol.models.request import Message
from nlfol.store import files
from nlfol.store.training_schemas import EXAMPLES

IGNORED = -100
"""The label of a token that is in no loss, as torch has it."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """The tokens of prompt and completion, with that which ends the turn, and the number of the prompt's."""

    tokens: tuple[int, ...]
    prompt: int


def read_dialogues(path: Path) -> list[tuple[Message, ...]]:
    """Return the usable dialogues of an EXAMPLES file, the completion last.

    Raises:
        StoreError: if it is missing or of another schema.
    """
    usable = (row["messages"] for row in files.rows(path, EXAMPLES) if row["status"] == "usable")
    return [tuple(Message(**message) for message in messages) for messages in usable]


def encode(
    dialogue: Sequence[Message], tokenizer: Any, variables: Mapping[str, Any], end: int, identity: str
) -> Encoded:
    """Return the tokens of a dialogue whose last turn is the completion, ``end`` behind it.

    ``variables`` are the chat template's; ``ChatError`` if it refuses the dialogue.
    """
    prompt = prompt_tokens(tokenizer, dialogue[:-1], variables, identity)
    completion = tokenizer(dialogue[-1].content, add_special_tokens=False)["input_ids"]
    return Encoded((*prompt, *completion, end), len(prompt))


def collate(examples: Sequence[Encoded], padding: int) -> dict[str, Any]:
    """Return a batch, padded on the right with a token.

    It has ``input_ids``, ``attention_mask`` and ``labels``, each of shape (examples, longest).
    """
    import torch

    longest = max(len(example.tokens) for example in examples)
    rows: dict[str, list[list[int]]] = {"input_ids": [], "attention_mask": [], "labels": []}
    for example in examples:
        pad = longest - len(example.tokens)
        rows["input_ids"].append([*example.tokens, *[padding] * pad])
        rows["attention_mask"].append([*[1] * len(example.tokens), *[0] * pad])
        rows["labels"].append([*[IGNORED] * example.prompt, *example.tokens[example.prompt :], *[IGNORED] * pad])
    return {name: torch.tensor(values) for name, values in rows.items()}
