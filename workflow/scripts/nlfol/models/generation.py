"""Writing answers for a batch of prompts, token by token.

A loop of its own rather than transformers' ``generate``: a row is given out and dropped the moment it is done, every
row draws from its own random stream (``nlfol.models.sampling``), and what all prompts begin with is computed once.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from nlfol.models import cache
from nlfol.models.request import ChatError, ChatRequest
from nlfol.models.sampling import draw, stream, word
from nlfol.models.structured import Grammars, forbidden


@dataclass
class Row:
    """One request on its way to an answer.

    Attributes:
        request: what was asked.
        prompt: the prompt's tokens.
        written: the completion's tokens so far.
        finished: why it ended, "stop" or "length"; empty while it goes on.
    """

    request: ChatRequest
    prompt: list[int]
    written: list[int] = field(default_factory=list)
    finished: str = ""
    _matcher: Any = None
    _stream: random.Random = field(default_factory=random.Random)

    def begin(self, grammars: Grammars | None) -> None:
        """Start over: with an empty completion, or with the tokens that the grammar leaves no choice in."""
        self._stream = stream(self.request.key)
        self.written = []
        self._matcher = grammars.matcher(self.request.answer_schema) if grammars else None
        if self._matcher is not None:
            self.written = list(self._matcher.compute_ff_tokens())[: self.request.max_tokens - 1]
            self._consume(self.written)

    @property
    def matcher(self) -> Any:
        """The grammar's state; None for a free answer."""
        return self._matcher

    def word(self) -> int:
        """The next word of the row's random stream."""
        return word(self._stream)

    def take(self, token: int, ends: frozenset[int]) -> None:
        """Add a token and see whether it was the last."""
        self.written.append(token)
        if self._matcher is not None:
            self._consume([token])
            stop = bool(self._matcher.is_stopped())
        else:
            stop = token in ends
        if stop:
            self.finished = "stop"
        elif len(self.written) >= self.request.max_tokens:
            self.finished = "length"

    def _consume(self, tokens: list[int]) -> None:
        if not self._matcher.consume_tokens(tokens):
            raise ChatError(f"request {self.request.key}: the grammar's state is lost: {self._matcher.get_error()}")


@dataclass(frozen=True)
class Prefix:
    """What every prompt begins with, computed once: its tokens and a cache of one row that holds them."""

    tokens: tuple[int, ...] = ()
    cache: Any = None


class Generator:
    """Generates with one loaded model.

    Args:
        model: a transformers causal language model in evaluation mode.
        ends: the tokens that end a turn.
        grammars: of the model's tokenizer; None for free answers.
    """

    def __init__(self, model: Any, ends: frozenset[int], grammars: Grammars | None) -> None:
        self._model = model
        self._ends = ends
        self._grammars = grammars

    def prefix(self, prompts: Sequence[list[int]]) -> Prefix:
        """Compute what two prompts or more have in common; empty where the model's layers do not allow it."""
        import torch

        if len(prompts) < 2:
            return Prefix()
        first, last = min(prompts), max(prompts)
        # One token of every prompt must be left, for its logits.
        most = min(len(prompt) for prompt in prompts) - 1
        length = next((i for i in range(most) if first[i] != last[i]), most)
        states = cache.empty(self._model.config, length)
        if states is None or length < 1:
            return Prefix()
        with torch.inference_mode():
            tokens = torch.tensor([list(first[:length])], device=self._model.device)
            self._model(input_ids=tokens, past_key_values=states, use_cache=True, logits_to_keep=1)
        return Prefix(tuple(first[:length]), states)

    def run(self, rows: Sequence[Row], prefix: Prefix) -> Iterator[Row]:
        """Yield each row when it is finished.

        Raises:
            ChatError: if a grammar's state is lost.
            torch.OutOfMemoryError: if the batch does not fit; rows not yet given out must be begun again.
        """
        for row in rows:
            row.begin(self._grammars)
        batch = _Batch(self._model, rows, prefix)
        while batch.going:
            yield from batch.step(self._ends)


class _Batch:
    """Rows side by side, padded on the left, between the shared prefix and their own tokens."""

    def __init__(self, model: Any, rows: Sequence[Row], prefix: Prefix) -> None:
        import torch

        self._model = model
        self._rows = list(rows)
        shared = len(prefix.tokens)
        own = [[*row.prompt[shared:], *row.written] for row in rows]
        width = max(map(len, own))
        capacity = shared + width + max(row.request.max_tokens - len(row.written) for row in rows)
        states = cache.repeated(prefix.cache, len(rows), capacity) if shared else cache.empty(model.config, capacity)
        self._droppable = states is not None
        self._cache: Any = states if self._droppable else cache.plain(model.config)
        device = model.device
        self._tokens = torch.tensor([[0] * (width - len(tokens)) + tokens for tokens in own], device=device)
        self._mask = torch.tensor(
            [[1] * shared + [0] * (width - len(tokens)) + [1] * len(tokens) for tokens in own], device=device
        )
        self._temperatures = torch.tensor([row.request.temperature for row in rows], dtype=torch.float32, device=device)
        self._masses = torch.tensor([row.request.top_p for row in rows], dtype=torch.float64, device=device)

    @property
    def going(self) -> bool:
        """Whether a row is unfinished."""
        return any(not row.finished for row in self._rows)

    def step(self, ends: frozenset[int]) -> list[Row]:
        """Write one token a row and return the rows that this finished."""
        import torch

        # Entered for each step: a generator that held it open would switch gradients off in its caller.
        with torch.inference_mode():
            logits = self._forward()
            matchers = [row.matcher for row in self._rows if row.matcher is not None]
            if matchers:
                logits.masked_fill_(forbidden(matchers, logits.shape[1]).to(logits.device), float("-inf"))
            words = torch.tensor([row.word() for row in self._rows], device=logits.device)
            tokens = draw(logits, self._temperatures, self._masses, words)
            open_rows = [row for row in self._rows if not row.finished]
            for row, token in zip(self._rows, tokens.tolist(), strict=True):
                if not row.finished:
                    row.take(token, ends)
            self._tokens = tokens.unsqueeze(1)
            if self._droppable:
                self._drop_finished()
        return [row for row in open_rows if row.finished]

    def _forward(self) -> Any:
        import torch

        positions = (self._mask.cumsum(dim=-1) - 1).clamp(min=0)[:, -self._tokens.shape[1] :]
        output = self._model(
            input_ids=self._tokens,
            attention_mask=self._mask,
            position_ids=positions,
            past_key_values=self._cache,
            use_cache=True,
            logits_to_keep=1,
        )
        self._mask = torch.cat([self._mask, self._mask.new_ones((len(self._rows), 1))], dim=1)
        return output.logits[:, -1, :].float()

    def _drop_finished(self) -> None:
        import torch

        going = [not row.finished for row in self._rows]
        if all(going) or not any(going):
            return
        kept = cache.keep_rows(self._cache, going)
        self._rows = [self._rows[place] for place in kept]
        places = torch.tensor(kept, device=self._tokens.device)
        self._tokens, self._mask = self._tokens[places], self._mask[places]
        self._temperatures, self._masses = self._temperatures[places], self._masses[places]
