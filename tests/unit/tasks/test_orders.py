from collections import Counter
from dataclasses import replace

import pytest
from tests import examples

from nlfol.candidates.audited import Plan, most_similar_set
from nlfol.logic.reading import parse
from nlfol.ontology.derivation import derive
from nlfol.randomness import generator
from nlfol.tasks.choice import shown_orders
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


@pytest.mark.parametrize("number", range(len(SEEDS)))
def test_over_items_every_place_is_as_likely_under_every_seed(number: int) -> None:
    same = item()
    counts = Counter(places(replace(same, text=f"Text {text}."), SEEDS)[number] for text in range(1800))
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


def test_where_nothing_is_shown_orders_are_empty() -> None:
    of = replace(item(), members=())
    shown = shown_orders(of, SEEDS, seed=1, dataset="tarski", kind="logical_translation", protocol=None)
    assert shown == {seed: [] for seed in SEEDS}
