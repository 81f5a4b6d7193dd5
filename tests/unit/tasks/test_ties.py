from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlfol.tasks.choice import is_tied, probability_ends


def by_enumeration(similarities: Sequence[float], first: set[int], last: set[int]) -> Fraction:
    """The definition: among all orders by falling similarity, the share in which both ends are as asked."""
    count = len(similarities)
    orders = [
        order
        for order in permutations(range(count))
        if all(similarities[a] >= similarities[b] for a, b in pairwise(order))
    ]
    hits = sum(set(o[: len(first)]) == first and set(o[count - len(last) :]) == last for o in orders)
    return Fraction(hits, len(orders))


@given(
    st.lists(st.sampled_from([0.1, 0.2, 0.3]), min_size=1, max_size=6),
    st.integers(0, 3),
    st.integers(0, 3),
)
def test_probability_is_the_share_of_tie_breaks(similarities: list[float], firsts: int, lasts: int) -> None:
    firsts = min(firsts, len(similarities))
    lasts = min(lasts, len(similarities) - firsts)
    first, last = set(range(firsts)), set(range(firsts, firsts + lasts))
    expected = by_enumeration(similarities, first, last)
    assert probability_ends(similarities, first, last) == pytest.approx(float(expected))


def test_uniformly_random_answers() -> None:
    nothing = [0.0] * 7
    assert probability_ends(nothing, (0,), ()) == pytest.approx(1 / 7)
    assert probability_ends(nothing, (0, 1), ()) == pytest.approx(1 / 21)
    assert probability_ends(nothing, (0, 1), (5, 6)) == pytest.approx(1 / 210)


def test_ties_inside_a_group_touch_nothing() -> None:
    assert not is_tied([0.9, 0.9, 0.1], [(0, 1)])
    assert is_tied([0.9, 0.5, 0.5], [(0, 1)])
    assert not is_tied([0.9, 0.5, 0.5], [(0,)])


@pytest.mark.parametrize("similarities", [[float("nan"), 0.5, 0.3], [0.5, float("nan"), 0.3]])
def test_what_is_no_number_has_no_place_in_an_order(similarities: list[float]) -> None:
    with pytest.raises(ValueError, match="no number"):
        probability_ends(similarities, (0,), ())
