from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nlfol.models.local import states

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def config(tiny_model: Callable[[str], Path]) -> Any:
    from transformers import AutoConfig

    return AutoConfig.from_pretrained(tiny_model("qwen3"))


def test_rows_of_models_with_sliding_windows_cannot_share(tiny_model: Callable[[str], Path], config: Any) -> None:
    from transformers import AutoConfig

    assert states.shareable(config)
    assert not states.shareable(AutoConfig.from_pretrained(tiny_model("mistral")))


@pytest.mark.parametrize("room", [0, 1, 5, 64])
@pytest.mark.parametrize("beginning", [0, 3])
def test_it_holds_what_transformers_own_holds(config: Any, room: int, beginning: int) -> None:
    generator = torch.Generator().manual_seed(0)
    plain, rows = states.plain(config), [1, 0, 1]
    if beginning:
        for layer in plain.layers:
            layer.update(*torch.randn((2, 2, 2, beginning, 4), generator=generator))
    mine = states.spread(plain, rows, room)
    plain.batch_select_indices(torch.tensor(rows))
    for width in (3, 1, 1, 7, 1):
        keys, values = torch.randn((2, 3, 2, width, 4), generator=generator)
        for ours, theirs in zip(mine.layers, plain.layers, strict=True):
            found, expected = ours.update(keys, values), theirs.update(keys, values)
            assert all(torch.equal(one, other) for one, other in zip(found, expected, strict=True))
    assert mine.get_seq_length() == plain.get_seq_length() == beginning + 13


def test_what_was_spread_is_not_changed(config: Any) -> None:
    plain = states.plain(config)
    for layer in plain.layers:
        layer.update(torch.zeros(1, 2, 3, 4), torch.zeros(1, 2, 3, 4))
    mine = states.spread(plain, [0, 0], 8)
    mine.layers[0].keys.fill_(1)
    assert not plain.layers[0].keys.any()
    assert plain.get_seq_length() == 3
