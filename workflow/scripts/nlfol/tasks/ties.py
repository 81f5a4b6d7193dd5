"""Expected scores where equal similarities are put in order by chance.

Candidates are ordered by falling similarity, and every order of equal ones is equally likely; what is computed is the
exact probability of an event over those orders. With all similarities equal it is the score of a uniformly random
answerer.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import comb, isnan


def probability_ends(similarities: Sequence[float], first: Collection[int], last: Collection[int]) -> float:
    """The probability that ``first`` takes the first places and ``last`` the last ones, as sets.

    Args:
        similarities: one for each candidate.
        first: places of candidates, or none to ask nothing of the first places.
        last: places of candidates disjoint from ``first``, or none.

    Raises:
        ValueError: if a similarity is no number.
    """
    if any(map(isnan, similarities)):
        raise ValueError("a similarity is no number, and has no place in an order; compare the vectors again")
    others = [place for place in range(len(similarities)) if place not in first and place not in last]
    lowest_first = min((similarities[place] for place in first), default=None)
    highest_last = max((similarities[place] for place in last), default=None)
    middle = [similarities[place] for place in others]
    if lowest_first is not None and any(value > lowest_first for value in middle):
        return 0.0
    if highest_last is not None and any(value < highest_last for value in middle):
        return 0.0
    if lowest_first is not None and highest_last is not None and lowest_first < highest_last:
        return 0.0
    tied_first = sum(similarities[place] == lowest_first for place in first)
    tied_last = sum(similarities[place] == highest_last for place in last)
    if lowest_first is not None and lowest_first == highest_last:
        # One group of equals spans the first places, whatever lies between, and the last places.
        tied_middle = len(middle)
        group = tied_first + tied_middle + tied_last
        return 1 / (comb(group, tied_first) * comb(group - tied_first, tied_last))
    at_first = sum(value == lowest_first for value in middle)
    at_last = sum(value == highest_last for value in middle)
    return 1 / (comb(tied_first + at_first, tied_first) * comb(tied_last + at_last, tied_last))


def is_tied(similarities: Sequence[float], groups: Collection[Collection[int]]) -> bool:
    """Whether a member of one of the groups has the same similarity as a candidate outside that group."""
    for group in groups:
        inside = {similarities[place] for place in group}
        if any(value in inside for place, value in enumerate(similarities) if place not in group):
            return True
    return False
