"""The most sentences of a program that one map of its symbols makes equivalent to gold.

The map gives each concept one image, with its arguments and polarity, and no image to two concepts. The maps of single
sentences may contradict one another; these may not.

Sets of sentences are looked at depth first, those with the fewest maps first. A branch is left where even a bound is no
better: of the sentences that mention a concept, no more can count than give it its commonest image. If the search comes
to its end, no map makes more sentences equivalent; else what is found is a lower bound.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from nlfol.problems.alignment.selecting import Open
from nlfol.problems.programs.symbols import Fit, Symbol, decoration, key_of

MAX_STEPS = 50_000
"""Maps of sentences that are held against those chosen before."""

Assignment = Mapping[tuple[object, ...], object]
"""Values by name: the image of each concept, and the concept of each image's symbols."""


class OneMap(NamedTuple):
    """A number of sentences that one map makes equivalent, and whether no map makes more so."""

    sentences: int
    is_most: bool


class _Node(NamedTuple):
    counted: int
    chosen: Assignment
    left: Sequence[Sequence[Assignment]]
    """The maps of sentences that are open; they agree with the one chosen so far."""


def one_map(sentences: Sequence[Open]) -> OneMap:
    """Return how many sentences the best map that is found makes equivalent."""
    left = [
        [assignment for fit in sentence.fits if (assignment := _map(sentence.concepts, fit)) is not None]
        for sentence in sentences
    ]
    votes = Counter(pair for options in left for pair in {pair for option in options for pair in option.items()})
    for options in left:
        options.sort(key=lambda option: -sum(votes[pair] for pair in option.items()))
    most, _, is_searched = agreeing(left)
    return OneMap(most, most == len(sentences) or (is_searched and all(sentence.exhaustive for sentence in sentences)))


def agreeing(left: Sequence[Sequence[Assignment]]) -> tuple[int, Assignment, bool]:
    """Return how many sentences can count, by which values, and whether the search came to its end.

    Each has its options, the preferred ones first: values by name. A sentence counts if one of its options has the
    values chosen.
    """
    most, steps = 0, 0
    best: Assignment = {}
    nodes = [_Node(0, {}, list(filter(None, left)))]
    while nodes and steps <= MAX_STEPS:
        count, chosen, opened = nodes.pop()
        if count > most:
            most, best = count, chosen
        if count + _bound(opened) <= most:
            continue
        index = min(
            range(len(opened)), key=lambda number: (not _is_settled(opened[number], chosen), len(opened[number]))
        )
        options, others = opened[index], [*opened[:index], *opened[index + 1 :]]
        if _is_settled(options, chosen):
            nodes.append(_Node(count + 1, chosen, others))
            continue
        nodes.append(_Node(count, chosen, others))
        for option in reversed(options):
            known = {**chosen, **option}
            still = ([choice for choice in other if agrees(choice, option)] for other in others)
            nodes.append(_Node(count + 1, known, list(filter(None, still))))
            steps += 1 + sum(map(len, others))
    return most, best, not nodes


def _map(concepts: Sequence[Symbol], fit: Fit) -> Assignment | None:
    """Return the map of a sentence; None if it is not one to one."""
    assignment: dict[tuple[object, ...], object] = {}
    for concept, image in zip(concepts, fit, strict=True):
        pair: dict[tuple[object, ...], object] = {concept: (key_of(image), decoration(image)), key_of(image): concept}
        if not agrees(pair, assignment):
            return None
        assignment |= pair
    return assignment


def agrees(option: Assignment, known: Assignment) -> bool:
    """Return whether an option contradicts no value that is known."""
    return all(known.get(name, value) == value for name, value in option.items())


def _is_settled(options: Sequence[Assignment], chosen: Assignment) -> bool:
    """Return whether a sentence counts under what is chosen already; all its maps agree with that."""
    return any(option.keys() <= chosen.keys() for option in options)


def _bound(left: Sequence[Sequence[Assignment]]) -> int:
    """Return a number of sentences that no map exceeds."""
    groups: defaultdict[Symbol, list[tuple[int, set[object]]]] = defaultdict(list)
    for index, options in enumerate(left):
        for concept in options[0]:
            if isinstance(concept, Symbol) and all(concept in option for option in options):
                groups[concept].append((index, {option[concept] for option in options}))
    bound, counted = len(left), set[int]()
    for group in sorted(groups.values(), key=_excess, reverse=True):
        rest = [(index, images) for index, images in group if index not in counted]
        if _excess(rest) > 0:
            bound -= _excess(rest)
            counted.update(index for index, _ in rest)
    return bound


def _excess(group: Sequence[tuple[int, set[object]]]) -> int:
    """Return how many sentences of a concept cannot count together with the others."""
    return len(group) - max(Counter(image for _, images in group for image in images).values(), default=0)
