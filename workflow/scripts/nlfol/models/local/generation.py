"""Writing answers for a batch of prompts, token by token.

A loop of its own rather than transformers' ``generate``: a row is given out and dropped the moment it is done, waiting
ones take the places that fall free, every row draws from its own random stream
(``nlfol.models.local.sampling``), and what prompts share is read once (``nlfol.models.local.prefill``).
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from nlfol.models.local import cache
from nlfol.models.local.prefill import Prefill, forward
from nlfol.models.local.row import Row
from nlfol.models.local.sampling import draw
from nlfol.models.schema import Grammars, forbidden

_ROOM = 1024
"""Tokens of each row that the cache has room for from the start: few thoughts are as long as they may be."""


class TokenGenerator:
    """Generates with one loaded model.

    Args:
        model: a transformers causal language model in evaluation mode.
        ends: the tokens that end a turn.
        grammars: of the model's tokenizer; None for free answers.
    """

    def __init__(self, model: Any, ends: frozenset[int], grammars: Grammars | None) -> None:
        self._prefill = Prefill(model)
        self._model = model
        self._ends = ends
        self._grammars = grammars

    def run(self, rows: Sequence[Row], size: int) -> Iterator[Row]:
        """Yield each row when it is finished.

        Args:
            rows: those that share most side by side.
            size: how many are written side by side.

        Raises:
            ChatError: if a grammar's state is lost.
            torch.OutOfMemoryError: if so many do not fit; rows not yet given out must be begun again.
        """
        waiting = deque(rows)
        batch = _Batch(self._model, self._prefill, self._ends, constrained=self._grammars is not None)
        try:
            while waiting or batch.rows:
                free = size - len(batch.rows)
                # Each time the whole cache is copied, so not for every row.
                if waiting and (not batch.rows or (self._prefill.sharing and 4 * free >= size)):
                    batch.admit([self._begun(waiting.popleft()) for _ in range(min(free, len(waiting)))])
                yield from batch.step()
        except BaseException:
            self._prefill.forget()
            raise

    def _begun(self, row: Row) -> Row:
        row.begin(self._grammars)
        row.started = time.perf_counter()
        return row


class _Batch:
    """Rows side by side, each with the logits of its next token."""

    def __init__(self, model: Any, prefill: Prefill, ends: frozenset[int], *, constrained: bool) -> None:
        self.rows: list[Row] = []
        self._model = model
        self._prefill = prefill
        self._ends = ends
        self._constrained = constrained
        self._states: Any = None
        self._logits: Any = None

    def admit(self, rows: Sequence[Row]) -> None:
        """Take rows in beside those there are."""
        import torch

        with torch.inference_mode():
            reading = self._prefill.read(rows)
            parts, logits = reading.parts, reading.logits
            if self.rows:
                parts = [(self._states, list(range(len(self.rows)))), *parts]
                logits = torch.cat([self._logits, logits])
            self.rows += reading.rows
            self._logits = logits
            if self._prefill.sharing:
                self._states = cache.packed(parts, min(_ROOM, max(row.room for row in self.rows)))
            else:
                ((self._states, _),) = parts

    def step(self) -> list[Row]:
        """Write one token a row and return the rows that this finished."""
        import torch

        # Entered for each step: a generator that held it open would switch gradients off in its caller.
        with torch.inference_mode():
            open_rows = [row for row in self.rows if not row.finished]
            for row, token in zip(self.rows, self._draw().tolist(), strict=True):
                if not row.finished:
                    row.take(token, self._ends)
            done = [row for row in open_rows if row.finished]
            if self._prefill.sharing:
                self._drop_finished()
            elif len(done) == len(open_rows):
                self.rows = []
            if self.rows:
                self._logits = forward(self._model, self._states, [row.written[-1:] for row in self.rows])
        return done

    def _draw(self) -> Any:
        import torch

        logits = self._logits
        if self._constrained:
            matchers = [row.matcher for row in self.rows]
            logits.masked_fill_(forbidden(matchers, logits.shape[1], self._ends).to(logits.device), float("-inf"))
        device = logits.device
        temperatures = torch.tensor([row.request.temperature for row in self.rows], dtype=torch.float32, device=device)
        masses = torch.tensor([row.request.top_p for row in self.rows], dtype=torch.float64, device=device)
        return draw(logits, temperatures, masses, torch.tensor([row.word() for row in self.rows], device=device))

    def _drop_finished(self) -> None:
        going = [not row.finished for row in self.rows]
        if not any(going):
            self.rows = []
        elif not all(going):
            self.rows = [self.rows[place] for place in cache.keep_rows(self._states, going)]
