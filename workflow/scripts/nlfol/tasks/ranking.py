"""Ranking: the candidates in order of closeness to the sentence (paper, section 4).

*Equivalence*: the gold formula and its equivalent stand first, in either order. *Negation*: the negation and its
negation normal form stand last, in either order. *Both*: both.
"""

from __future__ import annotations

from collections.abc import Sequence

from nlfol.candidates.sets import Role
from nlfol.tasks.answers import AnswerError, read_order
from nlfol.tasks.task import Item, Judgement, wrong
from nlfol.tasks.ties import is_tied, probability_ends

_FIRST = {Role.GOLD, Role.EQUIVALENT}
_LAST = {Role.NEGATION, Role.NEGATION_NORMAL_FORM, Role.NEGATION_EQUIVALENT}


class Ranking:
    """Scored by which candidates stand at the two ends."""

    name: str = "ranking"
    metrics: tuple[str, ...] = ("equivalence", "negation", "both")

    def judge(self, item: Item, order: Sequence[int], text: str) -> Judgement:
        """0 or 1 in each metric."""
        try:
            places = read_order(text, len(order))
        except AnswerError as error:
            return wrong(self, "unparsable", str(error))
        ranks = {order[place]: rank for rank, place in enumerate(places)}
        similarities = [-float(ranks[candidate]) for candidate in range(len(order))]
        answer = " ".join(str(place + 1) for place in places)
        return Judgement(self._scores(item, similarities), answer=answer)

    def judge_similarities(self, item: Item, similarities: Sequence[float]) -> Judgement:
        """Probabilities, equals being put in order by chance."""
        first, last = self._ends(item)
        asked = {"equivalence": [first], "negation": [last], "both": [first, last]}
        tied = frozenset(metric for metric, ends in asked.items() if is_tied(similarities, ends))
        return Judgement(self._scores(item, similarities), tied=tied)

    def chance(self, item: Item) -> Judgement:
        """The probabilities under a uniformly random order."""
        return Judgement(self._scores(item, [0.0] * len(item.members)))

    def _ends(self, item: Item) -> tuple[list[int], list[int]]:
        first = [place for place, member in enumerate(item.members) if member.role in _FIRST]
        last = [place for place, member in enumerate(item.members) if member.role in _LAST]
        return first, last

    def _scores(self, item: Item, similarities: Sequence[float]) -> dict[str, float]:
        first, last = self._ends(item)
        return {
            "equivalence": probability_ends(similarities, first, ()),
            "negation": probability_ends(similarities, (), last),
            "both": probability_ends(similarities, first, last),
        }
