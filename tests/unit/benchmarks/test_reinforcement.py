"""Stories and advantages of the GRPO benchmark."""

import json
from random import Random

import pytest
from benchmarks.reinforcement import advantages, stories

from nlfol.logic import parse
from nlfol.tasks.item import Item


def test_held_out_stories_share_no_predicate_and_no_sentence() -> None:
    learnt, held_out = (
        [Item.from_row(json.loads(row)) for rows in part for row in rows] for part in stories(6, 3, Random(1))
    )
    for item in [*learnt, *held_out]:
        item.ontology.check(parse(item.formula))
    texts, glosses = (
        [{value for item in part for value in values(item)} for part in (learnt, held_out)]
        for values in (lambda item: [item.text], lambda item: [each.positive for each in item.ontology.predicates])
    )
    assert not texts[0] & texts[1]
    assert not glosses[0] & glosses[1]


def test_advantages_are_standard_scores_of_a_group() -> None:
    assert advantages([1, 0, 0, 1]) == pytest.approx([1, -1, -1, 1])
    assert advantages([0.35, 0.35]) == [0, 0]
