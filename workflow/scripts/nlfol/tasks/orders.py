"""In which order candidates are shown.

Under ``audited`` the place of the gold formula is balanced. An item has a permutation of the n places of its own, drawn
uniformly; the j-th seed in a model's list (from 0) shows the gold formula at its place j mod n, and the others in an
order drawn for the seed. So up to n seeds show it at as many different places, no place is ever taken twice more often
than another, and over items the places of each seed are uniform. A seed appended to the list leaves the orders of those
before it as they are; one put before them does not.

Under ``paper`` an item has one order for all seeds and models, as published.

No order depends on the presentation: formulas and their English stand in the same order. Nor does it depend on the
name of the task's entry, on other items or on their number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from nlfol.randomness import generator
from nlfol.tasks.entry import SetProtocol
from nlfol.tasks.item import Item


def shown_orders(
    item: Item, model_seeds: Sequence[int], *, seed: int, dataset: str, kind: str, protocol: SetProtocol | None
) -> dict[int, list[int]]:
    """For each of a model's seeds, which candidate is shown at each place.

    Args:
        item: with its candidate set, the gold formula first; without one, the orders are empty.
        model_seeds: the model's seeds in the order of its entry.
        seed: the experiment's.
        dataset: its name in the configuration.
        kind: of the task.
        protocol: of the candidate set; None where there is none.
    """
    labels = (seed, dataset, *item.labels, kind)
    count = len(item.members)
    match protocol:
        case None:
            return {model_seed: [] for model_seed in model_seeds}
        case "paper":
            order = list(range(count))
            generator(*labels, "order").shuffle(order)
            return {model_seed: list(order) for model_seed in model_seeds}
        case "audited":
            places = list(range(count))
            generator(*labels, "places").shuffle(places)
            orders = {}
            for number, model_seed in enumerate(model_seeds):
                orders[model_seed] = list(range(1, count))
                generator(*labels, "order", model_seed).shuffle(orders[model_seed])
                orders[model_seed].insert(places[number % count], 0)
            return orders
        case _:
            assert_never(protocol)
