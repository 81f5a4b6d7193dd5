import math
from typing import Any

import pytest
from tests.late import Late, needs

from nlfol.models.local import sampling
from nlfol.models.local.sampling import draw, stream, word

stats = Late("scipy.stats")
pytestmark = needs("torch")
torch = Late("torch")


def drawn(logits: Any, temperature: float, mass: float, rows: int) -> list[int]:
    source = stream("ab")
    tokens = draw(
        logits.expand(rows, -1),
        torch.full((rows,), temperature),
        torch.full((rows,), mass, dtype=torch.float64),
        torch.tensor([word(source) for _ in range(rows)]),
    )
    return [int(token) for token in tokens]


def test_greedy_sampling_takes_most_likely_token() -> None:
    assert drawn(torch.tensor([[0.0, 3.0, 1.0]]), 0.0, 0.5, 2) == [1, 1]


@pytest.mark.parametrize("size", [5, 2000])
@pytest.mark.parametrize("mass", [1.0, 0.9, 0.2])
def test_sampling_follows_nucleus_distribution(size: int, mass: float) -> None:
    # At 2,000 nearly equal tokens the nucleus is wider than what is looked at first.
    logits = torch.randn((1, size), generator=torch.Generator().manual_seed(1)) * 0.1
    logits[0, 3] = float("-inf")
    tokens = drawn(logits, 0.5, mass, 4000)
    expected = torch.softmax(logits[0].double() / 0.5, dim=0)
    order = expected.argsort(descending=True)
    kept = order[: int((expected[order].cumsum(0) < mass).sum()) + 1]
    nucleus = torch.zeros(size, dtype=torch.float64)
    nucleus[kept] = expected[kept] / expected[kept].sum()
    assert set(tokens) <= set(kept.tolist())
    # In twenty groups of like probability, so that each is expected often enough for a chi-squared test.
    groups = [group.tolist() for group in torch.tensor_split(kept, min(20, len(kept)))]
    if len(groups) > 1:
        observed = [sum(token in group for token in tokens) for group in map(set, groups)]
        assert stats.chisquare(observed, [4000 * float(nucleus[group].sum()) for group in groups]).pvalue > 0.001


def test_gumbel_noise_matches_splitmix64() -> None:
    # The published first outputs of SplitMix64 with seed 1234567.
    outputs = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    uniforms = [((output >> 11) + 0.5) * 2.0**-53 for output in outputs]
    noise = sampling._gumbel(torch.arange(3), torch.tensor([1234567]))
    assert noise[0].tolist() == pytest.approx([-math.log(-math.log(uniform)) for uniform in uniforms])


@pytest.mark.parametrize("mass", [1.0, 0.95, 1e-9])
def test_forbidden_token_is_never_drawn(mass: float) -> None:
    logits = torch.full((1, 1000), float("-inf"))
    logits[0, [17, 400]] = torch.tensor([0.0, -1.0])
    assert set(drawn(logits, 1.0, mass, 200)) == ({17} if mass < 0.5 else {17, 400})


def test_rounding_changes_few_draws() -> None:
    logits = torch.randn((1, 5000), generator=torch.Generator().manual_seed(3))
    rounded = logits + torch.randn((1, 5000), generator=torch.Generator().manual_seed(4)) * 1e-4
    pairs = zip(drawn(logits, 1.2, 1.0, 1000), drawn(rounded, 1.2, 1.0, 1000), strict=True)
    assert sum(first != second for first, second in pairs) <= 3


def test_sampling_is_independent_across_rows() -> None:
    logits = torch.randn((6, 500), generator=torch.Generator().manual_seed(2))
    temperatures = torch.tensor([0.0, 0.7, 1.0, 5.0, 0.7, 1.0])
    masses = torch.tensor([1.0, 0.9, 1.0, 0.99, 0.1, 0.95], dtype=torch.float64)
    words = torch.tensor([word(stream("cd")) for _ in range(6)])
    together = draw(logits, temperatures, masses, words)
    rows = [slice(row, row + 1) for row in range(6)]
    alone = [draw(logits[row], temperatures[row], masses[row], words[row]) for row in rows]
    assert together.tolist() == [int(token) for token in alone]


def test_random_streams_repeat_by_key() -> None:
    assert word(stream("ab")) == word(stream("ab")) != word(stream("ac"))
    source = stream("ab")
    assert word(source) != word(source)
