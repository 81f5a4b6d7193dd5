"""Presentation orders of candidates, and scores where similarities tie."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from nlfol.candidates.audited import Plan, most_similar_set
from nlfol.logic.reading import parse
from nlfol.ontology.derivation import derive
from nlfol.randomness import generator
from nlfol.tasks.choice import is_tied, probability_ends, shown_orders
from nlfol.tasks.entry import SetProtocol
from nlfol.tasks.item import Item

GOLD = "∀x (Cube(x) → Small(x) ∧ Tet(x))"
SEEDS = [3, 12, 26, 85, 107]


def item(number: int = 0) -> Item:
    gold = parse(GOLD)
    candidates = most_similar_set(gold, derive([gold]), Plan(8), generator(1))
    return examples.item(GOLD, f"Every cube {number} is a small tetrahedron.", candidates, item=f"w:{number}")


def orders(of: Item, seeds: list[int], protocol: SetProtocol = "audited") -> list[list[int]]:
    shown = shown_orders(of, seeds, seed=1, dataset="tarski", kind="most_similar", protocol=protocol)
    assert list(shown) == seeds
    assert all(sorted(order) == list(range(len(of.members))) for order in shown.values())
    return list(shown.values())


def places(of: Item, seeds: list[int]) -> list[int]:
    return [order.index(0) for order in orders(of, seeds)]


def test_five_seeds_show_the_gold_formula_at_five_places() -> None:
    assert len(item().members) == 9
    assert all(len(set(places(item(number), SEEDS))) == 5 for number in range(20))


def test_with_more_seeds_than_candidates_every_place_has_its_turn() -> None:
    of = replace(item(), members=item().members[:3])
    counts = Counter(places(of, list(range(7))))
    assert sorted(counts.values()) == [2, 2, 3]


def test_over_items_every_place_is_as_likely_under_every_seed() -> None:
    same = item()
    shown = [places(replace(same, text=f"Text {text}."), SEEDS) for text in range(1800)]
    for of_seed in zip(*shown, strict=True):
        counts = Counter(of_seed)
        # 200 of each of nine places are expected: chi-square with 8 degrees of freedom, 1 in 10,000 above 32.
        assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 32
        assert set(counts) == set(range(9))


def test_the_others_stand_in_an_order_of_the_seed() -> None:
    others = {seed: [c for c in order if c] for seed, order in zip(SEEDS, orders(item(), SEEDS), strict=True)}
    assert len({tuple(order) for order in others.values()}) == 5
    assert others[12] == [c for c in orders(item(), [26, 12])[1] if c]


def test_a_seed_appended_to_the_list_leaves_the_orders_before_it() -> None:
    assert orders(item(), [*SEEDS, 4])[:5] == orders(item(), SEEDS)


def test_an_order_does_not_depend_on_the_number_of_the_item() -> None:
    assert orders(replace(item(), item="w1:7"), SEEDS) == orders(item(), SEEDS)


def test_under_protocol_paper_all_seeds_see_one_order() -> None:
    assert len({tuple(order) for order in orders(item(), SEEDS, "paper")}) == 1
    assert orders(item(), [99], "paper")[0] == orders(item(), SEEDS, "paper")[0]
    assert orders(item(1), SEEDS, "paper") != orders(item(2), SEEDS, "paper")


def by_enumeration(similarities: Sequence[float], first: set[int], last: set[int]) -> Fraction:
    """Return by definition the share of the orders by falling similarity in which both ends are as asked."""
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
