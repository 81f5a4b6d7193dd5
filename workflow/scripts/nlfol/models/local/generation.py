"""Generation for a batch of prompts: they are read, and answers are written token by token.

A loop of its own rather than transformers' ``generate``: a row is given out and dropped the moment it is done, waiting
ones take the places that fall free, every row draws from its own random stream
(``nlfol.models.local.sampling``), and what prompts share is read once, on four levels: what all prompts at hand begin
with, kept from one call to the next and cut back to what the next ones share; what the prompts of one family share
(``Row.family``: in a task, those of one story); each distinct prompt; and its rows, which differ in their seeds alone.

This loop is frozen: it gains no features. A served engine (``serve``) takes its place for large models.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from nlfol.models.local import cache, loading
from nlfol.models.local.cache import States
from nlfol.models.local.row import Row
from nlfol.models.local.sampling import draw
from nlfol.models.schema import Grammars, forbidden

Text = tuple[int, ...]
"""A prompt's tokens."""


class TokenGenerator:
    """Generator with one causal language model in evaluation mode; free without grammars. ``ends`` end a turn."""

    def __init__(self, model: Any, ends: frozenset[int], grammars: Grammars | None) -> None:
        self._prefill = Prefill(model)
        self._model = model
        self._ends = ends
        self._grammars = grammars

    def run(self, rows: Sequence[Row], size: int) -> Iterator[Row]:
        """Yield each row when it is finished, ``size`` of them written side by side, those that share most together.

        Raises ``ChatError`` if a grammar's state is lost, ``torch.OutOfMemoryError`` if so many do not fit; rows not
        yet given out must be begun again.
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
        """Add rows."""
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
                self._states = cache.packed(parts)
            else:
                ((self._states, _),) = parts

    def step(self) -> list[Row]:
        """Write one token a row and return the rows that this finished."""
        import torch

        # Entered for each step: a generator that held it open would switch gradients off in its caller.
        with torch.inference_mode():
            open_rows = [row for row in self.rows if not row.finished]
            told = any(row.request.logprobs for row in open_rows)
            likely = torch.log_softmax(self._logits, dim=-1) if told else None
            for number, (row, token) in enumerate(zip(self.rows, self._draw().tolist(), strict=True)):
                if not row.finished:
                    row.take(token, self._ends)
                    if likely is not None and len(row.written) > len(row.logprobs):
                        row.logprobs.append(float(likely[number, row.written[-1]]))
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
        # A nucleus that a request leaves open is the weights' own; without one of theirs, everything.
        own = getattr(self._model.generation_config, "top_p", None) or 1.0
        asked = [own if row.request.top_p is None else row.request.top_p for row in self.rows]
        masses = torch.tensor(asked, dtype=torch.float64, device=device)
        return draw(logits, temperatures, masses, torch.tensor([row.word() for row in self.rows], device=device))

    def _drop_finished(self) -> None:
        going = [not row.finished for row in self.rows]
        if not any(going):
            self.rows = []
        elif not all(going):
            self.rows = [row for row in self.rows if not row.finished]
            cache.keep_rows(self._states, going)


@dataclass
class Reading:
    """Prompts that were read: their states, in parts, and for the next rows their places in them.

    ``logits`` are float32 (rows, vocabulary), after each row's last token.
    """

    rows: list[Row]
    parts: list[tuple[States, list[int]]]
    logits: Any


class Prefill:
    """Reads prompts for one causal language model in evaluation mode."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self.sharing = cache.droppable(model.config)
        """True if the model's layers allow prompts to share states, and batches to lose rows and take others in."""
        self._budget = loading.tokens_at_once(model.device.type)
        self.forget()

    def forget(self) -> None:
        """Drop what was kept for the next prompts."""
        self._trunk: Text = ()
        self._trunk_states = self._blank(1)

    def read(self, rows: Sequence[Row]) -> Reading:
        """Read the rows' tokens, those of like length together."""
        import torch

        if not self.sharing:
            states = self._blank(len(rows))
            logits = forward(self._model, states, [row.tokens for row in rows])
            return Reading(list(rows), [(states, list(range(len(rows))))], logits)
        families: dict[object, dict[Text, list[Row]]] = {}
        for row in rows:
            families.setdefault(row.family, {}).setdefault(tuple(row.tokens), []).append(row)
        states, lengths = self._stems([list(family) for family in families.values()])
        # What is left of each text, the stem it goes on from, and its rows.
        left = [
            (text[length:], stem, rows)
            for stem, (family, length) in enumerate(zip(families.values(), lengths, strict=True))
            for text, rows in family.items()
        ]
        left.sort(key=lambda entry: (-len(entry[0]), entry[0]))
        result = Reading([], [], [])
        while left:
            count = max(1, self._budget // len(left[0][0]))
            batch, left = left[:count], left[count:]
            branches = self._branches(states, [stem for _, stem, _ in batch])
            logits = forward(self._model, branches, [text for text, _, _ in batch])
            indices = [index for index, (_, _, rows) in enumerate(batch) for _ in rows]
            result.rows.extend(row for _, _, rows in batch for row in rows)
            result.parts.append((branches, indices))
            result.logits.append(logits[indices])
        result.logits = torch.cat(result.logits)
        return result

    def _stems(self, families: Sequence[Sequence[Text]]) -> tuple[States, list[int]]:
        """Return states with a row for each family, of what its texts share, and the number of these tokens."""
        shared = self._grow([text for family in families for text in family])
        lengths = [max(shared, common(family)) if len(family) > 1 else shared for family in families]
        states = self._branches(self._trunk_states, [0] * len(families))
        if max(lengths) > shared:
            stems = [family[0][shared:length] for family, length in zip(families, lengths, strict=True)]
            forward(self._model, states, stems)
        return states, lengths

    def _grow(self, texts: Sequence[Text]) -> int:
        """Make the trunk what the texts share, and return its length."""
        shared = common(texts)
        trunk = texts[0][:shared]
        kept = _alike(self._trunk, trunk)
        cache.cut(self._trunk_states, kept)
        if shared > kept:
            forward(self._model, self._trunk_states, [trunk[kept:]])
        self._trunk = trunk
        return shared

    def _branches(self, states: States, rows: Sequence[int]) -> States:
        """Return copies of rows."""
        return cache.packed([(states, rows)]) if bool(states.mask[list(rows)].any()) else self._blank(len(rows))

    def _blank(self, rows: int) -> States:
        import torch

        mask = torch.zeros((rows, 0), dtype=torch.bool, device=self._model.device)
        return States(cache.empty(self._model.config), mask)


def common(texts: Sequence[Text]) -> int:
    """Count the tokens that all texts begin with, one of each left for its logits."""
    first, last = min(texts), max(texts)
    return min(_alike(first, last), min(map(len, texts)) - 1)


def _alike(first: Text, second: Text) -> int:
    most = min(len(first), len(second))
    return next((index for index in range(most) if first[index] != second[index]), most)


def forward(model: Any, states: States, tokens: Sequence[Sequence[int]]) -> Any:
    """Read further tokens of each row; return the logits after its last one, float32 (rows, vocabulary)."""
    import torch

    width = max(map(len, tokens))
    device = states.mask.device
    given = torch.tensor([[0] * (width - len(row)) + list(row) for row in tokens], device=device)
    valid = torch.tensor([[False] * (width - len(row)) + [True] * len(row) for row in tokens], device=device)
    states.mask = torch.cat([states.mask, valid], dim=1)
    output = model(
        input_ids=given,
        attention_mask=states.mask,
        position_ids=(states.mask.cumsum(dim=1) - 1).clamp(min=0)[:, -width:],
        past_key_values=states.cache,
        use_cache=True,
        logits_to_keep=1,
    )
    return output.logits[:, -1, :].float()
