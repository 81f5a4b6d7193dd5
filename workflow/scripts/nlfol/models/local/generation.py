"""Writing answers for a batch of prompts through transformers' ``generate``.

What the prompts of a batch share is read once: what all of them begin with, which is kept for the next batch, and what
those of one family share (``Row.family``: in a task, those of one story). ``generate`` reads the rest. Each row draws
its own tokens (``nlfol.models.local.sampling``): its answer depends on its neighbours by rounding alone.
"""

from __future__ import annotations

import copy
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from nlfol.models.local.row import Row
from nlfol.models.local.sampling import draw
from nlfol.models.local.states import plain, shareable, spread
from nlfol.models.schema import Grammars, forbidden

Text = tuple[int, ...]
"""A prompt's tokens, and what was written after it."""


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
        self._sharing = shareable(model.config)
        self._forget()

    def run(self, rows: Sequence[Row], size: int) -> Iterator[Row]:
        """Yield the rows, a batch when it ends.

        Args:
            rows: those that share most side by side.
            size: how many are written side by side.

        Raises:
            ChatError: if a grammar's state is lost.
            torch.OutOfMemoryError: if so many do not fit; rows not yet given out must be begun again.
        """
        waiting, going = deque(rows), list[Row]()
        while waiting or going:
            begun = [waiting.popleft() for _ in range(min(size - len(going), len(waiting)))]
            for row in begun:
                row.begin(self._grammars)
                row.started = time.perf_counter()
            batch = going + begun
            try:
                self._write(batch)
            except BaseException:
                self._forget()
                raise
            finally:
                # What is whole is kept, whatever became of the others.
                yield from (row for row in batch if row.finished)
            going = [row for row in batch if not row.finished]

    def _forget(self) -> None:
        self._trunk: Text = ()
        self._trunk_states = plain(self._model.config)

    def _write(self, rows: Sequence[Row]) -> None:
        """Write until all rows are finished, or so many that it is cheaper to begin anew with the others."""
        import torch
        from transformers import LogitsProcessorList, StoppingCriteriaList

        # Entered for each batch: a generator that held it open would switch gradients off in its caller.
        with torch.inference_mode():
            states, mask, left = self._read(rows)
            valid, rest = self._padded(left)
            shared, mask = torch.zeros_like(mask, dtype=torch.long), torch.cat([mask, valid], dim=1)
            self._model.generate(
                # Which tokens the states are of does not matter, but how many they are.
                torch.cat([shared, rest], dim=1),
                attention_mask=mask.long(),
                position_ids=_positions(mask),
                past_key_values=states,
                max_new_tokens=max(row.room for row in rows),
                do_sample=False,
                # A row says itself when it ends: what ends a turn may end a thought.
                eos_token_id=None,
                logits_processor=LogitsProcessorList([self._drawing(rows)]),
                stopping_criteria=StoppingCriteriaList([_stopping(rows, [len(text) for text in left])]),
            )

    def _read(self, rows: Sequence[Row]) -> tuple[Any, Any, list[Text]]:
        """Read what rows share.

        Returns:
            A cache with the states; where they are no padding, bool (rows, places); what is left of each row's tokens.
        """
        import torch

        texts = [tuple(row.tokens) for row in rows]
        if not self._sharing:
            return plain(self._model.config), self._padded([()] * len(rows))[0], texts
        families: dict[object, list[Text]] = {}
        for row, text in zip(rows, texts, strict=True):
            families.setdefault(row.family, []).append(text)
        shared = self._grow(texts)
        lengths = {key: common(family) for key, family in families.items()}
        valid, given = self._padded([family[0][shared : lengths[key]] for key, family in families.items()])
        mask = torch.cat([valid.new_ones((len(valid), shared)), valid], dim=1)
        stems = copy.deepcopy(self._trunk_states)
        stems.batch_repeat_interleave(len(valid))
        if given.shape[1]:
            self._forward(given, mask, stems)
        places = [list(families).index(row.family) for row in rows]
        left = [text[lengths[row.family] :] for row, text in zip(rows, texts, strict=True)]
        room = max(map(len, left)) + max(row.room for row in rows)
        return spread(stems, places, room), mask[places], left

    def _grow(self, texts: Sequence[Text]) -> int:
        """Read what all texts begin with, beyond what is kept of the last batch, and say how much that is."""
        import torch

        shared = common(texts)
        trunk = texts[0][:shared]
        kept = _alike(self._trunk, trunk)
        self._trunk_states.crop(kept - len(self._trunk))
        if shared > kept:
            valid, given = self._padded([trunk[kept:]])
            self._forward(given, torch.cat([valid.new_ones((1, kept)), valid], dim=1), self._trunk_states)
        self._trunk = trunk
        return shared

    def _forward(self, given: Any, mask: Any, states: Any) -> None:
        self._model(
            input_ids=given,
            attention_mask=mask.long(),
            position_ids=_positions(mask)[:, -given.shape[1] :],
            past_key_values=states,
            use_cache=True,
            logits_to_keep=1,
        )

    def _padded(self, texts: Sequence[Text]) -> tuple[Any, Any]:
        """Where there is no padding, and the tokens, padded on the left: bool and int64 (texts, longest)."""
        import torch

        width = max(map(len, texts))
        valid = [[False] * (width - len(text)) + [True] * len(text) for text in texts]
        given = [[0] * (width - len(text)) + list(text) for text in texts]
        kinds = (valid, torch.bool), (given, torch.long)
        mask, tokens = (torch.tensor(rows, dtype=dtype, device=self._model.device) for rows, dtype in kinds)
        return mask, tokens

    def _drawing(self, rows: Sequence[Row]) -> Callable[[Any, Any], Any]:
        """A logits processor that leaves of each row the token that it draws."""
        import torch

        temperatures = [row.request.temperature for row in rows]
        masses = [row.request.top_p for row in rows]

        def process(_: Any, logits: Any) -> Any:
            device = logits.device
            if self._grammars is not None:
                not_allowed = forbidden([row.matcher for row in rows], logits.shape[1], self._ends)
                logits = logits.masked_fill(not_allowed.to(device), float("-inf"))
            drawn = draw(
                logits,
                torch.tensor(temperatures, dtype=torch.float32, device=device),
                torch.tensor(masses, dtype=torch.float64, device=device),
                torch.tensor([row.word() for row in rows], device=device),
            )
            for row, token in zip(rows, drawn.tolist(), strict=True):
                if not row.finished:
                    row.take(token, self._ends)
            # A row that is finished goes on with anything.
            last = torch.tensor([row.written[-1:] or [0] for row in rows], device=device)
            return torch.zeros_like(logits).scatter_(1, last, 1.0)

        return process


def _stopping(rows: Sequence[Row], left: Sequence[int]) -> Callable[..., Any]:
    """A stopping criterion for the whole batch.

    Finished rows are written on, to no use. As soon as these tokens are more than would have to be read again of the
    rows that go on, the batch ends, and others take the places.

    Args:
        rows: of the batch.
        left: of each row, the tokens that were read for it alone.
    """
    import torch

    start = [len(row.written) for row in rows]
    wasted = 0

    def stops(tokens: Any, *_: Any, **__: Any) -> Any:
        nonlocal wasted
        wasted += sum(bool(row.finished) for row in rows)
        again = [
            alone + len(row.written) - begun
            for row, alone, begun in zip(rows, left, start, strict=True)
            if not row.finished
        ]
        return torch.full((len(rows),), wasted > sum(again), device=tokens.device)

    return stops


def common(texts: Sequence[Text]) -> int:
    """How many tokens all texts begin with alike, one of each left for its logits."""
    first, last = min(texts), max(texts)
    return min(_alike(first, last), min(map(len, texts)) - 1)


def _alike(first: Text, second: Text) -> int:
    most = min(len(first), len(second))
    return next((place for place in range(most) if first[place] != second[place]), most)


def _positions(mask: Any) -> Any:
    return (mask.cumsum(dim=1) - 1).clamp(min=0)
