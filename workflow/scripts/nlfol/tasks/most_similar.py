"""Most similar: which candidate is closest in meaning to the sentence (paper, section 4)."""

from __future__ import annotations

from collections.abc import Sequence

from nlfol.tasks.answers import AnswerError, read_index
from nlfol.tasks.task import Item, Judgement, wrong
from nlfol.tasks.ties import is_tied, probability_ends


class MostSimilar:
    """Right when the candidate chosen is the gold formula, which is the first of the set."""

    name: str = "most_similar"
    metrics: tuple[str, ...] = ("accuracy",)

    def judge(self, item: Item, order: Sequence[int], text: str) -> Judgement:
        """1 if the gold formula was chosen, else 0."""
        try:
            place = read_index(text, len(order))
        except AnswerError as error:
            return wrong(self, "unparsable", str(error))
        chosen = order[place]
        return Judgement({"accuracy": float(chosen == 0)}, answer=str(place + 1))

    def judge_similarities(self, item: Item, similarities: Sequence[float]) -> Judgement:
        """The probability that the gold formula comes first when equals are put in order by chance."""
        score = probability_ends(similarities, first=(0,), last=())
        return Judgement({"accuracy": score}, tied=frozenset({"accuracy"} if is_tied(similarities, [(0,)]) else ()))

    def chance(self, item: Item) -> Judgement:
        """One in the number of candidates."""
        return Judgement({"accuracy": probability_ends([0.0] * len(item.members), (0,), ())})
