"""Reading prompts so that what they share is read once.

Four levels: what all prompts at hand begin with, kept from one call to the next and cut back to what the next ones
share; what the prompts of one family share (``Row.family``: in a task, those of one story); each distinct prompt; and
its rows, which differ in their seeds alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nlfol.models import cache
from nlfol.models.cache import States
from nlfol.models.row import Row

Text = tuple[int, ...]
"""A prompt's tokens."""


class Prefill:
    """Reads prompts for one model.

    Args:
        model: a transformers causal language model in evaluation mode.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        self.sharing = cache.droppable(model.config)
        """Whether the model's layers allow prompts to share states, and batches to lose rows and take others in."""
        self.forget()

    def forget(self) -> None:
        """Let go of what was kept for the next prompts."""
        self._trunk: Text = ()
        self._trunk_states = self._blank(1, 0)

    def read(self, rows: Sequence[Row], room: int) -> tuple[States, list[int], Any]:
        """Read the rows' tokens.

        Args:
            rows: at least one.
            room: for further tokens of each.

        Returns:
            States; for each row, its place among them; and for each row the logits that follow it, float32
            (rows, vocabulary).
        """
        if not self.sharing:
            states = States(cache.plain(self._model.config), self._no_places(len(rows)))
            return states, list(range(len(rows))), forward(self._model, states, [row.tokens for row in rows])
        families: dict[object, dict[Text, None]] = {}
        for row in rows:
            families.setdefault(row.family, {})[tuple(row.tokens)] = None
        texts = [text for family in families.values() for text in family]
        states, read = self._stems([list(family) for family in families.values()], room)
        logits = forward(self._model, states, [text[stem:] for text, stem in zip(texts, read, strict=True)])
        place = {text: number for number, text in enumerate(texts)}
        places = [place[tuple(row.tokens)] for row in rows]
        return states, places, logits[places]

    def _stems(self, families: Sequence[Sequence[Text]], room: int) -> tuple[States, list[int]]:
        """States with a row for each text, family by family, and how many of its tokens they hold."""
        texts = [text for family in families for text in family]
        shared = self._grow(texts)
        stems = [max(shared, common(family)) if len(family) > 1 else shared for family in families]
        of_text = [number for number, family in enumerate(families) for _ in family]
        read = [stems[number] for number in of_text]
        left = max(len(text) - stem for text, stem in zip(texts, read, strict=True)) + room
        if max(stems) == shared:
            return self._branches(len(texts), left), read
        states = self._branches(len(families), max(stems) - shared)
        forward(self._model, states, [family[0][shared:stem] for family, stem in zip(families, stems, strict=True)])
        return cache.packed([(states, of_text)], left), read

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

    def _branches(self, count: int, room: int) -> States:
        if not self._trunk:
            return self._blank(count, room)
        return cache.packed([(self._trunk_states, [0] * count)], room)

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
