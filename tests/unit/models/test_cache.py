from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nlfol.models import cache

torch = pytest.importorskip("torch")


def filled(rows: int, used: int, capacity: int, config: Any) -> Any:
    states = cache.empty(config, capacity)
    assert states is not None
    numbers = torch.arange(rows * 2 * used * 4, dtype=torch.float32).reshape(rows, 2, used, 4)
    for layer in states.layers:
        layer.update(numbers, -numbers)
    return states


@pytest.fixture(scope="module")
def config(tiny_model: Callable[[str], Path]) -> Any:
    from transformers import AutoConfig

    return AutoConfig.from_pretrained(tiny_model("qwen3"))


def test_models_with_other_layers_than_full_attention_have_no_such_cache(tiny_model: Callable[[str], Path]) -> None:
    from transformers import AutoConfig

    assert cache.empty(AutoConfig.from_pretrained(tiny_model("mistral")), 4) is None


@pytest.mark.parametrize("capacity", [1, 3, 5, 64])
def test_it_holds_what_transformers_own_holds(config: Any, capacity: int) -> None:
    mine, plain = cache.empty(config, capacity), cache.plain(config)
    assert mine is not None
    generator = torch.Generator().manual_seed(0)
    for width in (3, 1, 1, 7, 1):
        keys, values = torch.randn((2, 3, 2, width, 4), generator=generator)
        for ours, theirs in zip(mine.layers, plain.layers, strict=True):
            found, expected = ours.update(keys, values), theirs.update(keys, values)
            assert all(torch.equal(one, other) for one, other in zip(found, expected, strict=True))
    assert mine.get_seq_length() == plain.get_seq_length() == 13


def test_every_set_of_rows_can_be_kept(config: Any) -> None:
    for going in itertools.product([True, False], repeat=5):
        if any(going):
            whole, states = filled(5, 3, 8, config), filled(5, 3, 8, config)
            places = cache.keep_rows(states, going)
            assert sorted(places) == [place for place in range(5) if going[place]]
            for before, after in zip(whole.layers, states.layers, strict=True):
                assert torch.equal(after.keys, before.keys[places])
                assert torch.equal(after.values, before.values[places])
            states.layers[0].update(torch.ones(len(places), 2, 1, 4), torch.ones(len(places), 2, 1, 4))
            assert torch.equal(states.layers[0].keys[:, :, :3], whole.layers[0].keys[places])


def test_repeated_rows_leave_the_first_alone(config: Any) -> None:
    one = filled(1, 3, 3, config)
    three = cache.repeated(one, 3, 8)
    three.layers[0].update(torch.ones(3, 2, 1, 4), torch.ones(3, 2, 1, 4))
    assert three.get_seq_length() == 4
    assert one.get_seq_length() == 3
    assert torch.equal(three.layers[1].keys[2], one.layers[1].keys[0])
