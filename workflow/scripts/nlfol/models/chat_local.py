"""A dialogue model that runs here, through transformers."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from nlfol.models import materialisation
from nlfol.models.generation import Generator, Prefix, Row
from nlfol.models.request import ChatError, ChatReply, ChatRequest, Outcome
from nlfol.models.specification import LocalChatSpecification
from nlfol.models.structured import Grammars

_OUTCOMES = {"stop": Outcome.ANSWERED, "length": Outcome.TRUNCATED}


class LocalChat:
    """A loaded model; an answer depends on its request and, by the rounding of batched arithmetic alone, on its batch.

    Args:
        specification: the model's entry.
        directory: where it was materialised.

    Raises:
        ChatError: if there is no such device, or if it is not a dialogue model.
        ModelSourceError: if the directory holds no materialised model.
    """

    def __init__(self, specification: LocalChatSpecification, directory: Path) -> None:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self.identity = materialisation.identity(specification, directory)
        self._specification = specification
        path = materialisation.weights(directory)
        cuda = specification.device == "cuda" or (specification.device == "auto" and torch.cuda.is_available())
        if cuda and not torch.cuda.is_available():
            raise ChatError(f"{self.identity}: device cuda is asked for and there is none; set device to auto or cpu")
        self._tokenizer: Any = AutoTokenizer.from_pretrained(path, local_files_only=True)
        if not self._tokenizer.chat_template:
            raise ChatError(f"{self.identity}: no chat template, so not a dialogue model; choose its instruct variant")
        model: Any = AutoModelForCausalLM.from_pretrained(
            path,
            dtype=specification.dtype,
            device_map="auto" if cuda else None,
            # Other formats are pickled: loading them runs what they say.
            use_safetensors=True,
            local_files_only=True,
        )
        model.eval()
        ends = _ends(model, self._tokenizer)
        if not ends:
            raise ChatError(f"{self.identity}: neither model nor tokenizer names a token that ends a turn")
        width = int(model.get_output_embeddings().weight.shape[0])
        grammars = Grammars(self._tokenizer, width, min(ends)) if specification.constrained else None
        self._generator = Generator(model, ends, grammars)
        self._grammars = grammars

    def answer(self, requests: Sequence[ChatRequest]) -> Iterator[ChatReply]:
        """Yield exactly one reply a request, each when its answer is complete.

        Raises:
            ChatError: if not even one request fits the device's memory, or if the chat template refuses a dialogue.
            ValueError: if an answer schema is not a neutral one.
        """
        rows: list[Row] = []
        room = self._specification.context
        for request in requests:
            prompt = self._prompt(request)
            if len(prompt) + request.max_tokens > room:
                yield ChatReply(
                    request.key,
                    Outcome.FAILED,
                    prompt_tokens=len(prompt),
                    error=f"a prompt of {len(prompt)} tokens and {request.max_tokens} for the answer exceed the"
                    f" context of {room}; shorten the prompt, or raise context if the model has more",
                )
            else:
                rows.append(Row(request, prompt))
        # Like lengths side by side waste least on padding, and the longest first show at once whether memory suffices;
        # the key makes the order, and with it every batch, the same in every run.
        rows.sort(key=lambda row: (-len(row.prompt), row.request.key))
        yield from self._answer(rows)

    def _answer(self, rows: list[Row]) -> Iterator[ChatReply]:
        import torch

        size = self._specification.batch_size
        prefix = self._prefix(rows)
        while rows:
            batch = rows[:size]
            try:
                yield from self._batch(batch, prefix)
            except torch.OutOfMemoryError as error:
                if size == 1:
                    raise ChatError(
                        f"{self.identity}: one prompt of {len(batch[0].prompt)} tokens exceeds the memory"
                    ) from error
                size = max(1, min(size, len(batch)) // 2)
            else:
                rows = rows[len(batch) :]
                continue
            rows = [row for row in rows if not row.finished]
            torch.cuda.empty_cache()

    def _prefix(self, rows: Sequence[Row]) -> Prefix:
        import torch

        try:
            return self._generator.prefix([row.prompt for row in rows])
        except torch.OutOfMemoryError:
            # Saving time is not worth the memory here; each batch then computes all of its prompts.
            return Prefix()

    def _batch(self, rows: Sequence[Row], prefix: Prefix) -> Iterator[ChatReply]:
        start = time.perf_counter()
        for row in self._generator.run(rows, prefix):
            yield ChatReply(
                row.request.key,
                _OUTCOMES[row.finished],
                text=self._text(row),
                finish_reason=row.finished,
                prompt_tokens=len(row.prompt),
                completion_tokens=len(row.written),
                seconds=time.perf_counter() - start,
            )

    def _prompt(self, request: ChatRequest) -> list[int]:
        from jinja2 import TemplateError

        options: Mapping[str, Any] = self._specification.template
        dialogue = [asdict(message) for message in request.messages]
        try:
            text = self._tokenizer.apply_chat_template(dialogue, tokenize=False, add_generation_prompt=True, **options)
        except TemplateError as error:
            raise ChatError(
                f"{self.identity}: the chat template refuses roles {[message.role for message in request.messages]} "
                f"({error}); write the prompt without them"
            ) from error
        # The template has written the special tokens already.
        tokens: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return tokens

    def _text(self, row: Row) -> str:
        if self._grammars is not None:
            return self._grammars.text(row.written)
        text: str = self._tokenizer.decode(row.written, skip_special_tokens=True)
        return text


def _ends(model: Any, tokenizer: Any) -> frozenset[int]:
    named = [tokenizer.eos_token_id]
    configured = getattr(model.generation_config, "eos_token_id", None)
    named += configured if isinstance(configured, list) else [configured]
    return frozenset(token for token in named if token is not None)
