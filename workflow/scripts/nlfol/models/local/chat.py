"""A dialogue model that runs here, through transformers."""

import tempfile
import time
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from nlfol.models.entries.chat import LocalChatEntry
from nlfol.models.likelihood import Likelihood, likelihood, visible
from nlfol.models.local import loading, materialisation
from nlfol.models.local.generation import TokenGenerator
from nlfol.models.local.row import Row, Thinking
from nlfol.models.request import ChatError, ChatReply, ChatRequest, Ending, Feed, JobFiles
from nlfol.models.schema import Grammars
from nlfol.store.canonical import sha256

_GAP = "\n\n"


class LocalChat:
    """A loaded model; an answer depends on its request and, by the rounding of batched arithmetic alone, on its batch.

    Raises ``ChatError`` without such a device or a dialogue model, ``ModelSourceError`` without a materialised model.
    """

    def __init__(self, entry: LocalChatEntry, directory: Path) -> None:
        self.identity = materialisation.identity(entry, directory)
        self._entry = entry
        path = materialisation.weights(directory)
        cuda = loading.on_cuda(entry.device, self.identity)
        self.tokenizer = loading.load_tokenizer(path, self.identity)
        self._offloaded = tempfile.TemporaryDirectory(prefix="nlfol-offload-")
        model = loading.load_model(
            path, entry.dtype, cuda=cuda, max_memory=entry.max_memory, offload_folder=self._offloaded.name
        )
        adapter = materialisation.adapter(directory)
        if adapter is not None:
            model = _adapted(model, adapter)
        model.eval()
        ends = loading.end_tokens(model, self.tokenizer, self.identity)
        width = int(model.get_output_embeddings().weight.shape[0])
        self.model = model
        self.grammars = Grammars(self.tokenizer, width, min(ends)) if entry.constrained else None
        self._generator = TokenGenerator(model, ends, self.grammars)
        self._thinking = self._read_thinking()
        self.engine = loading.describe(
            model,
            ["transformers", "accelerate", "llguidance"],
            attention=model.config._attn_implementation,
            batch_size=entry.batch_size,
            chat_template=sha256(str(self.tokenizer.chat_template)),
        )

    @classmethod
    def open(cls, entry: LocalChatEntry, files: JobFiles) -> Self:
        """Load the model for a job; raises as the constructor."""
        assert files.weights is not None
        return cls(entry, files.weights)

    def answer_feed(self, feed: Feed[ChatRequest]) -> Generator[Sequence[ChatReply], None, None]:
        """Yield the replies to all that wait now, each when its answer is complete; raises as ``answer``."""
        for reply in self.answer(feed.drain()):
            yield (reply,)

    def answer(self, requests: Sequence[ChatRequest]) -> Iterator[ChatReply]:
        """Yield exactly one reply a request, each when its answer is complete.

        Raises ``ChatError`` if not even one request fits the device's memory, or if the chat template refuses a
        dialogue, ``ValueError`` if an answer schema is not a neutral one.
        """
        rows = [self.row(request) for request in requests]
        context = self._entry.context
        for row in rows:
            if len(row.prompt) + row.room > context:
                yield ChatReply(
                    row.request.key,
                    Ending.FAILED,
                    prompt_tokens=len(row.prompt),
                    error=f"a prompt of {len(row.prompt)} tokens and {row.room} for the answer exceed the"
                    f" context of {context}; shorten the prompt, or raise context if the model has more",
                )
        for row in self.write([row for row in rows if len(row.prompt) + row.room <= context]):
            text, thought = self._texts(row)
            likely = self._likelihood(row, text) if row.request.logprobs else None
            yield ChatReply(
                row.request.key,
                _outcome(row.finished, text),
                text=text,
                thinking=thought,
                finish_reason=row.finished,
                prompt_tokens=len(row.prompt),
                completion_tokens=len(row.written),
                seconds=time.perf_counter() - row.started,
                engine=self.engine,
                logprob=likely and likely.logprob,
                logprob_tokens=likely and likely.tokens,
            )

    def write(self, rows: Sequence[Row]) -> Iterator[Row]:
        """Yield each row when it is finished; raises ``ChatError`` if not even one row fits the device's memory."""
        import torch

        waiting = _in_order(rows)
        size = self._entry.batch_size
        while waiting:
            try:
                yield from self._generator.run(waiting, size)
            except torch.OutOfMemoryError as error:
                if size == 1:
                    raise ChatError(
                        f"{self.identity}: one prompt of {len(waiting[0].prompt)} tokens exceeds the memory"
                    ) from error
                size = max(1, min(size, len(waiting)) // 2)
            waiting = [row for row in waiting if not row.finished]
            if torch.cuda.is_available():
                torch.cuda.empty_cache()

    def row(self, request: ChatRequest) -> Row:
        """Return a request, ready to be written; what it shares with others of its story is all but the last turn.

        Raises ``ChatError`` if the chat template refuses the dialogue.
        """
        return Row(request, self.prompt(request), self._thinking, request.messages[:-1])

    def prompt(self, request: ChatRequest) -> list[int]:
        """Return a dialogue's tokens up to where the model's turn begins; raises ``ChatError`` as ``prompt_tokens``."""
        return loading.prompt_tokens(self.tokenizer, request.messages, self._entry.variables, self.identity)

    def _read_thinking(self) -> Thinking | None:
        entry = self._entry
        if not entry.thinking:
            return None
        marker = entry.thinking_end
        if marker not in self.tokenizer.get_vocab() and marker not in str(self.tokenizer.chat_template):
            raise ChatError(
                f"{self.identity}: neither the vocabulary nor the chat template knows {marker!r}, the end of a thought;"
                " correct thinking_end, or set thinking to false"
            )
        end, gap = (tuple(self.tokenizer(text, add_special_tokens=False)["input_ids"]) for text in (marker, _GAP))
        return Thinking(end, gap if self.grammars else (), entry.limits.thinking)

    def _texts(self, row: Row) -> tuple[str | None, str | None]:
        """Return the answer's text and the thought's; None if there is none."""
        marker = self._entry.thinking_end
        if self.grammars is not None:
            text, thought = self.grammars.text(row.answer), self._decoded(row.thought)
        elif row.thinking is not None:
            text, thought = self._decoded(row.answer), self._decoded(row.thought)
        else:
            # Some models think without being told to.
            thought, _, text = self._decoded(row.answer).rpartition(marker)
        thought = thought.strip().removeprefix(marker.replace("/", "", 1)).strip()
        return text if row.answer_start is not None else None, thought or None

    def _likelihood(self, row: Row, text: str | None) -> Likelihood | None:
        answer = slice(row.answer_start or 0, None)
        parts = self.tokenizer.batch_decode([[token] for token in row.written[answer]], skip_special_tokens=True)
        return likelihood(text, zip((visible(part.encode()) for part in parts), row.logprobs[answer], strict=True))

    def _decoded(self, tokens: Sequence[int]) -> str:
        text: str = self.tokenizer.decode(tokens, skip_special_tokens=True)
        return text


def _outcome(finished: str, text: str | None) -> Ending:
    if finished == "length":
        return Ending.TRUNCATED
    if not text:
        return Ending.EMPTY
    return Ending.ANSWERED if text.strip() else Ending.BLANK


def _adapted(model: Any, adapter: Path) -> Any:
    """Return the model with an adapter's weights added to its own: as fast as without."""
    from peft import PeftModel

    return PeftModel.from_pretrained(model, str(adapter), local_files_only=True).merge_and_unload()


def _in_order(rows: Sequence[Row]) -> list[Row]:
    """Sort families together, then seeds of one prompt; the longest first, the key last: equal in every run."""
    longest: dict[object, tuple[int, list[int]]] = {}
    for row in rows:
        own = (-len(row.prompt), row.prompt)
        longest[row.family] = min(own, longest.get(row.family, own))
    return sorted(rows, key=lambda row: (longest[row.family], -len(row.prompt), row.prompt, row.request.key))
