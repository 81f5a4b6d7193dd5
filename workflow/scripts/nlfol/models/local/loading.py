"""Loading models: tokenizers, weights and their placement on devices, and what a loaded model computes with and on."""

import importlib.metadata
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, Literal

from nlfol.models.request import ChatError, Message
from nlfol.store.canonical import canonical

Device = Literal["auto", "cpu", "cuda"]
"""``auto`` is CUDA, and the CPU of a machine without."""

FROM_HERE: Final[Mapping[str, bool]] = {"local_files_only": True, "trust_remote_code": False}
"""Arguments of all that transformers loads: nothing from the hub, and no code of the model's own.

By default it asks on the terminal whether to run such code.
"""


def on_cuda(device: Device, identity: str) -> bool:
    """Return whether a model is to run on CUDA devices; raises ``ChatError`` if it must, and there are none."""
    import torch

    if device == "cuda" and not torch.cuda.is_available():
        raise ChatError(f"{identity}: device cuda is asked for and there is none; set device to auto or cpu")
    return device != "cpu" and torch.cuda.is_available()


def load_tokenizer(path: Path, identity: str) -> Any:
    """Load the tokenizer in a directory; ``ChatError``, with the identity, if it has no chat template."""
    from transformers import AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(path, **FROM_HERE)
    if not tokenizer.chat_template:
        raise ChatError(f"{identity}: no chat template, so not a dialogue model; choose its instruct variant")
    return tokenizer


def load_model(
    path: Path,
    dtype: Any,
    *,
    cuda: bool,
    max_memory: Mapping[int | str, str] | None = None,
    offload_folder: str | None = None,
) -> Any:
    """Load a directory's model, its layers on all CUDA devices or on the CPU.

    What exceeds a device's ``max_memory`` goes to the next, the CPU, and then the disk (``offload_folder``).
    """
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(
        path,
        # Other formats are pickled: loading them runs what they say.
        use_safetensors=True,
        **FROM_HERE,
        dtype=dtype,
        device_map="auto" if cuda or max_memory else "cpu",
        max_memory=max_memory,
        offload_folder=offload_folder,
    )


def prompt_tokens(
    tokenizer: Any, dialogue: Sequence[Message], variables: Mapping[str, object], identity: str
) -> list[int]:
    """Return a dialogue's tokens up to where the model's turn begins; ``ChatError`` if the template refuses it."""
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
    """Return the tokens that end a turn; raises ``ChatError`` if neither model nor tokenizer names one."""
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


def describe(model: Any, packages: Sequence[str], **settings: object) -> str:
    """Return what a model computes with and on, as canonical JSON: versions of ``packages``, and ``settings``."""
    versions = {name: importlib.metadata.version(name) for name in ("torch", *packages)}
    devices = sorted({str(parameter.device) for parameter in model.parameters()})
    dtypes = sorted({str(parameter.dtype).removeprefix("torch.") for parameter in model.parameters()})
    return canonical(
        {
            "versions": versions,
            "devices": {device: _device_name(device) for device in devices},
            "dtype": "+".join(dtypes),
            **settings,
        }
    )


def tokens_at_once(device: str) -> int:
    """Return how many tokens, padding included, a model had best read at once on a device, ``cpu`` or another.

    On a CPU the activations of more leave its caches: MiniLM encodes 441 texts a CPU second in batches of 2,048 tokens
    and 356 in batches of 16,384. A GPU wants many.
    """
    return 2_048 if device == "cpu" else 65_536


def _device_name(device: str) -> str:
    import torch

    if device.startswith("cuda"):
        return str(torch.cuda.get_device_name(device))
    if device == "meta":
        return "offloaded"
    information = Path("/proc/cpuinfo")
    lines = information.read_text(encoding="utf-8").splitlines() if information.is_file() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()
