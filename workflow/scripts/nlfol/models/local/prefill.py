"""Reading prompts so that what they share is read once.

Four levels: what all prompts at hand begin with, kept from one call to the next and cut back to what the next ones
share; what the prompts of one family share (``Row.family``: in a task, those of one story); each distinct prompt; and
its rows, which differ in their seeds alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nlfol.models.local import cache, engine
from nlfol.models.local.cache import States
from nlfol.models.local.row import Row

Text = tuple[int, ...]
"""A prompt's tokens."""


@dataclass
class Reading:
    """Prompts that were read.

    Attributes:
        rows: in the order of what follows.
        parts: states, and for the next rows their places in them.
        logits: that follow each row, float32 (rows, vocabulary).
    """

    rows: list[Row]
    parts: list[tuple[States, list[int]]]
    logits: Any


class Prefill:
    """Reads prompts for one model.

    Args:
        model: a transformers causal language model in evaluation mode.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        self.sharing = cache.droppable(model.config)
        """Whether the model's layers allow prompts to share states, and batches to lose rows and take others in."""
        self._budget = engine.tokens_at_once(model.device.type)
        self.forget()

    def forget(self) -> None:
        """Let go of what was kept for the next prompts."""
        self._trunk: Text = ()
        self._trunk_states = self._blank(1, 0)

    def read(self, rows: Sequence[Row]) -> Reading:
        """Read the rows' tokens, those of like length together."""
        import torch

        if not self.sharing:
            states = States(cache.plain(self._model.config), self._no_places(len(rows)))
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
        left.sort(key=lambda one: (-len(one[0]), one[0]))
        result = Reading([], [], [])
        while left:
            count = max(1, self._budget // len(left[0][0]))
            batch, left = left[:count], left[count:]
            branches = self._branches(states, [stem for _, stem, _ in batch], len(batch[0][0]))
            logits = forward(self._model, branches, [text for text, _, _ in batch])
            places = [place for place, (_, _, rows) in enumerate(batch) for _ in rows]
            result.rows.extend(row for _, _, rows in batch for row in rows)
            result.parts.append((branches, places))
            result.logits.append(logits[places])
        result.logits = torch.cat(result.logits)
        return result

    def _stems(self, families: Sequence[Sequence[Text]]) -> tuple[States, list[int]]:
        """States with a row for each family, of what its texts share, and how many tokens that is."""
        shared = self._grow([text for family in families for text in family])
        lengths = [max(shared, common(family)) if len(family) > 1 else shared for family in families]
        states = self._branches(self._trunk_states, [0] * len(families), max(lengths) - shared)
        if max(lengths) > shared:
            stems = [family[0][shared:length] for family, length in zip(families, lengths, strict=True)]
            forward(self._model, states, stems)
        return states, lengths

    def _grow(self, texts: Sequence[Text]) -> int:
        """Make the trunk what the texts share, and say how much that is."""
        shared = common(texts)
        trunk = texts[0][:shared]
        kept = _alike(self._trunk, trunk)
        cache.cut(self._trunk_states, kept)
        if shared > kept:
            forward(self._model, self._trunk_states, [trunk[kept:]])
        self._trunk = trunk
        return shared

    def _branches(self, states: States, rows: Sequence[int], room: int) -> States:
        """Copies of rows, with room for so many further tokens."""
        if not bool(states.mask[list(rows)].any()):
            return self._blank(len(rows), room)
        return cache.packed([(states, rows)], room)

    def _blank(self, rows: int, room: int) -> States:
        return States(cache.empty(self._model.config, room), self._no_places(rows))

    def _no_places(self, rows: int) -> Any:
        import torch

        return torch.zeros((rows, 0), dtype=torch.bool, device=self._model.device)


def common(texts: Sequence[Text]) -> int:
    """How many tokens all texts begin with alike, one of each left for its logits."""
    first, last = min(texts), max(texts)
    return min(_alike(first, last), min(map(len, texts)) - 1)


def _alike(first: Text, second: Text) -> int:
    most = min(len(first), len(second))
    return next((place for place in range(most) if first[place] != second[place]), most)


def forward(model: Any, states: States, tokens: Sequence[Sequence[int]]) -> Any:
    """Read further tokens of each row, padded on the left.

    Returns:
        The logits after each row's last token, float32 (rows, vocabulary).
    """
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
