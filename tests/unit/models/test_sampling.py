from __future__ import annotations

from typing import Any

import pytest

from nlfol.models.sampling import draw, stream

torch = pytest.importorskip("torch")


def drawn(logits: Any, temperature: float, mass: float, uniforms: list[float]) -> list[int]:
    rows = len(uniforms)
    tokens = draw(
        logits.expand(rows, -1),
        torch.full((rows,), temperature),
        torch.full((rows,), mass, dtype=torch.float64),
        torch.tensor(uniforms, dtype=torch.float64),
    )
    return [int(token) for token in tokens]


def test_greedy_takes_the_likeliest() -> None:
    assert drawn(torch.tensor([[0.0, 3.0, 1.0]]), 0.0, 0.5, [0.0, 0.999]) == [1, 1]


@pytest.mark.parametrize("size", [5, 2000])
@pytest.mark.parametrize("mass", [1.0, 0.9, 0.2])
def test_draws_follow_the_nucleus(size: int, mass: float) -> None:
    generator = torch.Generator().manual_seed(1)
    # At 2,000 nearly equal tokens the nucleus is wider than what is looked at first.
    logits = torch.randn((1, size), generator=generator) * 0.1
    logits[0, 3] = float("-inf")
    uniforms = [(place + 0.5) / 4000 for place in range(4000)]
    counts = torch.bincount(torch.tensor(drawn(logits, 0.5, mass, uniforms)), minlength=size) / len(uniforms)
    expected = torch.softmax(logits[0] / 0.5, dim=0)
    order = expected.argsort(descending=True)
    kept = order[: int((expected[order].cumsum(0) < mass).sum()) + 1]
    nucleus = torch.zeros(size)
    nucleus[kept] = expected[kept]
    assert torch.allclose(counts, nucleus / nucleus.sum(), atol=4e-4)


@pytest.mark.parametrize("mass", [1.0, 0.95, 1e-9])
def test_a_forbidden_token_is_never_drawn(mass: float) -> None:
    logits = torch.full((1, 1000), float("-inf"))
    logits[0, [17, 400]] = torch.tensor([0.0, -1.0])
    assert set(drawn(logits, 1.0, mass, [0.0, 0.3, 0.7, 0.9, 1 - 2**-53])) <= {17, 400}


def test_a_row_does_not_depend_on_the_others() -> None:
    logits = torch.randn((6, 500), generator=torch.Generator().manual_seed(2))
    temperatures = torch.tensor([0.0, 0.7, 1.0, 5.0, 0.7, 1.0])
    masses = torch.tensor([1.0, 0.9, 1.0, 0.99, 0.1, 0.95], dtype=torch.float64)
    uniforms = torch.linspace(0.05, 0.95, 6, dtype=torch.float64)
    together = draw(logits, temperatures, masses, uniforms)
    rows = [slice(row, row + 1) for row in range(6)]
    alone = [draw(logits[row], temperatures[row], masses[row], uniforms[row]) for row in rows]
    assert together.tolist() == [int(token) for token in alone]


def test_streams_repeat_by_key() -> None:
    assert [stream("ab").random() for _ in range(2)] == [stream("ab").random()] * 2
    assert stream("ab").random() != stream("ac").random()
