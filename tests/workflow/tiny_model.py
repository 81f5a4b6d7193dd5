"""A dialogue model of a few thousand random weights, made on the spot: what it says means nothing, in due form."""

from pathlib import Path
from typing import Any

ENTRY: dict[str, Any] = {
    "kind": "chat",
    "backend": "transformers",
    "context": 8192,
    "dtype": "float32",
    "sampling": {"temperature": 0.0, "top_p": 1.0},
    "limits": {"tokens": 120},
    "seeds": [3, 12],
    "items": 4,
}
"""Its entry in a configuration, but for its source; within these limits every answer fits."""

_TEMPLATE = (
    "{% for message in messages %}<|start|>{{ message.role }}\n{{ message.content }}<|end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|start|>assistant\n{% endif %}"
)


def save_tiny_model(folder: Path) -> None:
    """Write the model, its tokenizer (a token a byte) and its chat template as ``from_pretrained`` reads them."""
    import torch
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    special = ["<|start|>", "<|end|>"]
    tokens = [*special, *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokenizer = Tokenizer(models.BPE(vocab={token: number for number, token in enumerate(tokens)}, merges=[]))
    tokenizer.add_special_tokens(special)
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|end|>", pad_token="<|end|>")
    fast.chat_template = _TEMPLATE
    fast.save_pretrained(folder)
    sizes: dict[str, Any] = {
        "vocab_size": len(fast),
        "hidden_size": 16,
        "intermediate_size": 32,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "head_dim": 8,
        "max_position_embeddings": 8192,
        "eos_token_id": fast.eos_token_id,
        "bos_token_id": None,
        "pad_token_id": fast.eos_token_id,
    }
    torch.manual_seed(0)
    transformers.Qwen3ForCausalLM(transformers.Qwen3Config(**sizes)).save_pretrained(folder)
