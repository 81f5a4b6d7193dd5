"""What loading a dialogue model has in common for asking and for training it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from nlfol.models.request import ChatError, Message


def load_tokenizer(path: Path, identity: str) -> Any:
    """The tokenizer in a directory.

    Args:
        path: the directory.
        identity: the model's, for the error.

    Raises:
        ChatError: if it has no chat template.
    """
    from transformers import AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(path, local_files_only=True)
    if not tokenizer.chat_template:
        raise ChatError(f"{identity}: no chat template, so not a dialogue model; choose its instruct variant")
    return tokenizer


def load_model(path: Path, **options: Any) -> Any:
    """The model in a directory, with further options of ``from_pretrained``."""
    from transformers import AutoModelForCausalLM

    # Other formats are pickled: loading them runs what they say.
    return AutoModelForCausalLM.from_pretrained(path, use_safetensors=True, local_files_only=True, **options)


def prompt_tokens(
    tokenizer: Any, dialogue: Sequence[Message], variables: Mapping[str, Any], identity: str
) -> list[int]:
    """The tokens of a dialogue, up to where the model's turn begins.

    Args:
        tokenizer: the model's.
        dialogue: the turns.
        variables: of the chat template.
        identity: the model's, for the error.

    Raises:
        ChatError: if the chat template refuses the dialogue.
    """
    from jinja2 import TemplateError

    turns = [asdict(message) for message in dialogue]
    try:
        text = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True, **variables)
    except TemplateError as error:
        raise ChatError(
            f"{identity}: the chat template refuses roles {[message.role for message in dialogue]} "
            f"({error}); write the prompt without them"
        ) from error
    # The template has written the special tokens already.
    tokens: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    return tokens


def end_tokens(model: Any, tokenizer: Any, identity: str) -> frozenset[int]:
    """The tokens that end a turn.

    Raises:
        ChatError: if neither model nor tokenizer names one.
    """
    named = [tokenizer.eos_token_id]
    configured = getattr(model.generation_config, "eos_token_id", None)
    named += configured if isinstance(configured, list) else [configured]
    ends = frozenset(token for token in named if token is not None)
    if not ends:
        raise ChatError(
            f"{identity}: neither model nor tokenizer names a token that ends a turn; take a model that was "
            "tuned for dialogue, or name the token in its generation_config.json (eos_token_id)"
        )
    return ends
