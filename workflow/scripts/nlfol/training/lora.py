"""LoRA (Hu et al., arXiv 2106.09685) by peft, on transformers' Trainer.

All linear layers but the last get a pair of matrices; AdamW, without decay, with a learning rate that rises and falls
linearly; gradients are clipped at a norm of 1. On CUDA the weights are bfloat16 and the adapter float32, on the CPU all
float32, as bfloat16 is slower on most; the adapter is saved in float16. On one CPU core equal examples and settings
give an equal adapter, whether or not the job was killed in between; on CUDA as far as its kernels do.

The examples of a step stand behind one another in one sequence, behind the beginning that their prompts share; each
attends to that and to itself, at positions as if it stood alone. So what is shared is computed once, as with the 12 or
more sentences of one signature, nothing is padded, and only completions have logits.

A training that was killed goes on from its last whole checkpoint, in a folder of our own. The checkpoints of
transformers' Trainer hold the state of the optimizer and of random generators as pickles. They are read back
nevertheless, because nobody else can have written them: the folder is its owner's alone, made by the job itself and
deleted once the adapter is there; and Trainer reads them with ``weights_only``, which runs nothing.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlfol.mappings import JsonDict, JsonObject
from nlfol.models.entries.chat import LocalChatEntry
from nlfol.models.local import loading, materialisation
from nlfol.models.request import Message
from nlfol.store.canonical import canonical, sha256
from nlfol.store.disk import digest
from nlfol.store.logs import LOGGER, Progress
from nlfol.training.entry import Settings, TrainingError

if TYPE_CHECKING:
    from nlfol.store.training_schemas import LossRow

CONFIGURATION, WEIGHTS = materialisation.ADAPTER_FILES

SAVED_EVERY = 50
"""Steps between two checkpoints."""

_MARK = "complete.sha256"


class CheckpointError(RuntimeError):
    """A folder of checkpoints that somebody else could have written."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """The tokens of prompt and completion, with that which ends the turn, and the number of the prompt's."""

    tokens: tuple[int, ...]
    prompt: int


@dataclass(frozen=True, slots=True)
class Trained:
    """The outcome of a training; ``engine`` is the packages and the device that it was computed with.

    ``losses`` are rows of LOSSES; ``left_out`` the places of examples that are too long, with the number of their
    tokens; ``work`` the folder of checkpoints, to be deleted once all this is kept.
    """

    losses: list[LossRow]
    learnt: int
    left_out: list[tuple[int, int]]
    base: str
    engine: str
    work: Path


def train(
    settings: Settings,
    entry: LocalChatEntry,
    weights: Path,
    dialogues: Sequence[Sequence[Message]],
    output: Path,
    *,
    saved_every: int = SAVED_EVERY,
) -> Trained:
    """Train an adapter; a training that was killed goes on from its last checkpoint.

    The completion is last in each dialogue. The adapter's directory appears at once and whole; checkpoints, with
    ``saved_every`` steps between two, are beside it until then. Raises ``TrainingError`` if all examples are longer
    than the model's context, ``ChatError`` if the model is no dialogue model, ``ModelSourceError`` if the weights are
    gone, ``CheckpointError`` if others can write the folder of checkpoints.
    """
    import torch
    from transformers import set_seed

    base = materialisation.content(weights)
    cuda = loading.on_cuda(entry.device, base)
    path = materialisation.weights(weights)
    tokenizer = loading.load_tokenizer(path, base)
    model = loading.load_model(path, torch.bfloat16 if cuda else torch.float32, cuda=cuda)
    ends = loading.end_tokens(model, tokenizer, base)
    end = min(ends) if tokenizer.eos_token_id is None else int(tokenizer.eos_token_id)
    # What is learnt is an answer without a thought.
    variables = entry.without_thinking.variables if entry.thinking else entry.variables
    encoded = [encode(dialogue, tokenizer, variables, end, base) for dialogue in dialogues]
    left_out = [(n, len(example.tokens)) for n, example in enumerate(encoded) if len(example.tokens) > entry.context]
    kept = [example for example in encoded if len(example.tokens) <= entry.context]
    if not kept:
        raise TrainingError(
            f"{base}: all {len(encoded)} examples are longer than its context of {entry.context} tokens; raise context "
            "if the model has more, or learn from other answers"
        )
    set_seed(settings.seed)
    model = _with_adapter(model, settings)
    computed_by = loading.describe(model, ["transformers", "accelerate", "peft"])
    work = open_work(output.parent / f".{output.name}-{_digest(settings, base, variables, computed_by, kept)}")
    losses = _run(model, settings, kept, work, cuda=cuda, saved_every=saved_every)
    _save(model, output)
    return Trained(losses, len(kept), left_out, base, computed_by, work)


def _with_adapter(model: Any, settings: Settings) -> Any:
    from peft import LoraConfig, get_peft_model

    lora = LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha,
        lora_dropout=settings.dropout,
        target_modules="all-linear",
        task_type="CAUSAL_LM",
    )
    return get_peft_model(model, lora)


def _run(
    model: Any, settings: Settings, examples: Sequence[Encoded], work: Path, *, cuda: bool, saved_every: int
) -> list[LossRow]:
    """Train, and return the rows of LOSSES."""
    from transformers import PrinterCallback, Trainer, TrainerCallback, TrainingArguments

    progress = Progress("training", of="steps")

    class Marking(TrainerCallback):  # type: ignore[misc]
        def on_save(self, args: Any, state: Any, control: Any, **more: Any) -> None:
            mark(Path(args.output_dir, f"checkpoint-{state.global_step}"))

        def on_step_end(self, args: Any, state: Any, control: Any, **more: Any) -> None:
            progress(state.global_step, state.max_steps)

    arguments = TrainingArguments(
        output_dir=str(work),
        per_device_train_batch_size=1,
        learning_rate=settings.learning_rate,
        num_train_epochs=settings.epochs,
        optim="adamw_torch",
        lr_scheduler_type="linear",
        warmup_steps=settings.warmup,
        seed=settings.seed,
        data_seed=settings.seed,
        bf16=cuda,
        use_cpu=not cuda,
        logging_steps=1,
        save_strategy="steps",
        save_steps=saved_every,
        save_total_limit=2,
        remove_unused_columns=False,
        dataloader_pin_memory=cuda,
        disable_tqdm=True,
        report_to=[],
    )
    trainer = Trainer(
        model=model,
        args=arguments,
        train_dataset=together(examples, settings.batch),
        data_collator=lambda steps: collate(*steps),
        callbacks=[Marking()],
    )
    trainer.remove_callback(PrinterCallback)
    checkpoint = latest(work)
    if checkpoint is not None:
        LOGGER.info(f"going on from {checkpoint.name} of {work}")
    trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
    return [_row(entry) for entry in trainer.state.log_history if "loss" in entry]


def _row(entry: JsonObject) -> LossRow:
    return {
        "step": int(entry["step"]),
        "epoch": float(entry["epoch"]),
        "loss": float(entry["loss"]),
        "learning_rate": float(entry["learning_rate"]),
        "gradient_norm": float(entry["grad_norm"]),
    }


def _save(model: Any, output: Path) -> None:
    """Write the adapter's two files, the same bytes for the same adapter."""
    from safetensors.torch import load_file, save

    temporary = Path(tempfile.mkdtemp(dir=output.parent, prefix=f".{output.name}."))
    try:
        saved = temporary / "saved"
        # With embeddings it would look for the base on the hub.
        model.save_pretrained(saved, safe_serialization=True, save_embedding_layers=False)
        folder = temporary / "whole"
        folder.mkdir()
        halves = {name: weight.half() for name, weight in load_file(saved / WEIGHTS).items()}
        # Not by ``save_file``, whose files nobody else can read.
        (folder / WEIGHTS).write_bytes(save(halves, {"format": "pt"}))
        configuration = json.loads((saved / CONFIGURATION).read_text(encoding="utf-8"))
        # Where the base lay; and a set, whose order depends on PYTHONHASHSEED.
        configuration |= {"base_model_name_or_path": None, "target_modules": sorted(configuration["target_modules"])}
        text = json.dumps(configuration, indent=1, sort_keys=True)
        (folder / CONFIGURATION).write_text(f"{text}\n", encoding="utf-8", newline="\n")
        # The workflow may have made the empty directory beforehand.
        if output.is_dir():
            shutil.rmtree(output)
        folder.rename(output)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _digest(settings: Settings, base: str, variables: JsonObject, computed_by: str, examples: Sequence[Encoded]) -> str:
    """Return the digest of everything that a training depends on, so that no other one's checkpoint is resumed."""
    parts = [settings.model_dump(), base, dict(variables), computed_by]
    return sha256(canonical([*parts, [[list(example.tokens), example.prompt] for example in examples]]))[:16]


def open_work(folder: Path) -> Path:
    """Return a folder of checkpoints, made if it is missing; delete those of other trainings beside it.

    It is ``.NAME-DIGEST``, where the digest is of all that the training depends on. Raises ``CheckpointError`` if it is
    there and not its owner's alone.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    name = folder.name.rpartition("-")[0]
    for other in folder.parent.glob(f"{name}-*"):
        if other != folder and len(other.name) == len(folder.name):
            shutil.rmtree(other)
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if status.st_uid != os.getuid() or status.st_mode & 0o077 or folder.is_symlink():
        raise CheckpointError(f"{folder}: others can write this folder of checkpoints; delete it and run again")
    return folder


def mark(checkpoint: Path) -> None:
    """Mark a checkpoint as whole."""
    text = _checkpoint_digest(checkpoint)
    with (checkpoint / _MARK).open("w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def latest(folder: Path) -> Path | None:
    """Return the last whole checkpoint of a folder; delete those that a kill has cut short."""
    numbered = sorted(folder.glob("checkpoint-*"), key=lambda path: int(path.name.rpartition("-")[2]), reverse=True)
    for checkpoint in numbered:
        marked = checkpoint / _MARK
        if marked.is_file() and marked.read_text(encoding="ascii") == _checkpoint_digest(checkpoint):
            return checkpoint
        shutil.rmtree(checkpoint)
    return None


def _checkpoint_digest(checkpoint: Path) -> str:
    paths = sorted(path for path in checkpoint.rglob("*") if path.is_file() and path.name != _MARK)
    return sha256("\n".join(f"{digest(path)}  {path.relative_to(checkpoint)}" for path in paths))


def read_dialogues(path: Path) -> list[tuple[Message, ...]]:
    """Return an EXAMPLES file's usable dialogues, completion last; raises ``StoreError`` if it is unusable."""
    from nlfol.store import files  # training needs no PyArrow
    from nlfol.store.training_schemas import ExampleRow

    usable = (row["messages"] for row in files.rows(path, ExampleRow) if row["status"] == "usable")
    return [tuple(Message(**message) for message in messages) for messages in usable]


def encode(dialogue: Sequence[Message], tokenizer: Any, variables: JsonObject, end: int, identity: str) -> Encoded:
    """Return the tokens of a dialogue that ends with its completion and ``end``; raises as ``prompt_tokens``."""
    prompt = loading.prompt_tokens(tokenizer, dialogue[:-1], variables, identity)
    completion = tokenizer(dialogue[-1].content, add_special_tokens=False)["input_ids"]
    return Encoded((*prompt, *completion, end), len(prompt))


def together(examples: Sequence[Encoded], most: int) -> list[list[Encoded]]:
    """Return the examples of each step: up to ``most`` that share half of their prompt."""
    alike: list[list[int]] = []
    shared: tuple[int, ...] = ()
    for index in sorted(range(len(examples)), key=lambda index: examples[index].tokens):
        example = examples[index]
        prefix = _shared(shared, example.tokens[: example.prompt])
        if alike and 2 * len(prefix) >= example.prompt:
            alike[-1].append(index)
            shared = prefix
        else:
            alike.append([index])
            shared = example.tokens[: example.prompt]
    steps = ((sorted(group), -(-len(group) // most)) for group in alike)
    return [[examples[index] for index in group[part::parts]] for group, parts in steps for part in range(parts)]


def _shared(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    return tuple(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def collate(examples: Sequence[Encoded]) -> JsonDict:
    """Return the model's inputs for one step: one sequence, what may see what, and the tokens to be foretold."""
    import torch

    shared: tuple[int, ...] = examples[0].tokens[: examples[0].prompt]
    for example in examples:
        shared = _shared(shared, example.tokens[: example.prompt])
    tokens, positions, owners = list(shared), list(range(len(shared))), [0] * len(shared)
    foretelling: list[int] = []
    labels: list[int] = []
    for number, example in enumerate(examples, 1):
        # The place of each token within the sequence; the shared ones stand first.
        offset = len(tokens) - len(shared)
        foretelling += [
            index + (offset if index >= len(shared) else 0)
            for index in range(example.prompt - 1, len(example.tokens) - 1)
        ]
        labels += example.tokens[example.prompt :]
        tokens += example.tokens[len(shared) :]
        positions += range(len(shared), len(example.tokens))
        owners += [number] * (len(example.tokens) - len(shared))
    owner = torch.tensor(owners)
    seen = torch.ones(len(tokens), len(tokens), dtype=torch.bool).tril()
    seen &= (owner[None] == 0) | (owner[:, None] == owner[None])
    expected = torch.tensor([labels])
    return {
        "input_ids": torch.tensor([tokens]),
        "position_ids": torch.tensor([positions]),
        "attention_mask": seen[None, None],
        "logits_to_keep": torch.tensor(foretelling),
        "labels": expected,
        "shift_labels": expected,
    }
