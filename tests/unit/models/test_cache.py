import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.late import Late, needs

from nlfol.models.local import cache
from nlfol.models.local.cache import States

pytestmark = needs("torch")
torch = Late("torch")


def filled(rows: int, used: int, config: Any) -> States:
    states = cache.empty(config)
    numbers = torch.arange(rows * 2 * used * 4, dtype=torch.float32).reshape(rows, 2, used, 4)
    for layer in states.layers:
        layer.update(numbers, -numbers)
    return States(states, torch.ones((rows, used), dtype=torch.bool))


@pytest.fixture(scope="module")
def config(tiny_model: Callable[[str], Path]) -> Any:
    from transformers import AutoConfig

    return AutoConfig.from_pretrained(tiny_model("qwen3"))


def test_sliding_window_cache_forbids_dropping_rows(tiny_model: Callable[[str], Path], config: Any) -> None:
    from transformers import AutoConfig

    assert cache.droppable(config)
    assert not cache.droppable(AutoConfig.from_pretrained(tiny_model("mistral")))


def test_cache_keeps_selected_row_subset(config: Any) -> None:
    for going in itertools.product([True, False], repeat=5):
        if any(going):
            whole, states = filled(5, 3, config), filled(5, 3, config)
            cache.keep_rows(states, going)
            places = [place for place in range(5) if going[place]]
            assert states.mask.shape == (len(places), 3)
            for before, after in zip(whole.cache.layers, states.cache.layers, strict=True):
                assert torch.equal(after.keys, before.keys[places])
                assert torch.equal(after.values, before.values[places])
            states.cache.layers[0].update(torch.ones(len(places), 2, 1, 4), torch.ones(len(places), 2, 1, 4))
            assert torch.equal(states.cache.layers[0].keys[:, :, :3], whole.cache.layers[0].keys[places])


def test_packed_cache_right_aligns_copied_rows(config: Any) -> None:
    one, two = filled(1, 3, config), filled(2, 5, config)
    two.mask[0, :4] = False
    two.mask[1, 2] = False
    states = cache.packed([(one, [0, 0]), (two, [1, 0])])
    assert states.mask.tolist() == [[False, True, True, True]] * 2 + [[True] * 4, [False, False, False, True]]
    keys, values = states.cache.layers[1].keys, states.cache.layers[1].values
    first, second = one.cache.layers[1], two.cache.layers[1]
    assert torch.equal(keys[0, :, 1:], first.keys[0])
    assert torch.equal(values[1, :, 1:], first.values[0])
    assert torch.equal(keys[2], second.keys[1][:, [0, 1, 3, 4]])
    assert torch.equal(values[3, :, 3], second.values[0][:, 4])
    states.cache.layers[1].update(torch.ones(4, 2, 1, 4), torch.ones(4, 2, 1, 4))
    assert states.cache.get_seq_length(1) == 5
    assert first.get_seq_length() == 3


def test_packed_cache_accepts_empty_rows(config: Any) -> None:
    one, two = filled(1, 3, config), filled(2, 5, config)
    two.mask[0] = False
    assert cache.packed([(one, [0]), (two, [0])]).mask.tolist() == [[True] * 3, [False] * 3]


def test_cut_cache_continues_from_kept_tokens(config: Any) -> None:
    states, shorter = filled(1, 5, config), filled(1, 5, config)
    cache.cut(states, 2)
    assert states.mask.shape == (1, 2)
    assert torch.equal(states.cache.layers[0].keys, shorter.cache.layers[0].keys[:, :, :2])
    states.cache.layers[0].update(torch.ones(1, 2, 1, 4), torch.ones(1, 2, 1, 4))
    assert states.cache.layers[0].get_seq_length() == 3
    cache.cut(states, 0)
    assert states.cache.get_seq_length() == 0
