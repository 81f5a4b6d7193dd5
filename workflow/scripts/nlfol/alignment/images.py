"""Candidate maps from one vocabulary to another: one to one where both have as many symbols of a kind.

Where the other has fewer, concepts share a symbol; where it has more, a concept may be a conjunction of two. No symbol
is left over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, islice, permutations, product

from nlfol.alignment.symbols import Kind, NumberedImage, NumberedPart, Symbol

MAX_PERMUTED = 3
"""Arguments up to which all their orders are tried."""

MAX_LISTED = 5_000
"""Candidates of one sort of symbols that are listed."""

MAX_CHECKS = 600
"""Maps that are tried for a sentence."""

MAX_FITS = 48
"""Maps that are kept for a sentence."""

Images = Mapping[int, NumberedImage]
"""An image for each symbol of the gold line, all by number."""

Allowed = Callable[[int, NumberedPart], bool]
"""Whether a concept may be one symbol with these arguments and this polarity."""


def candidates(gold: Sequence[Symbol], other: Sequence[Symbol], allowed: Allowed | None) -> Iterator[Images]:
    """The maps in which every symbol of the other vocabulary has its place, the first by order of occurrence.

    Args:
        gold: symbols by number.
        other: symbols by number.
        allowed: cuts maps that are one to one.
    """
    sorts: dict[tuple[Kind, int], tuple[list[int], list[int]]] = {}
    for side, symbols in enumerate((gold, other)):
        for number, symbol in enumerate(symbols):
            sorts.setdefault((symbol.kind, symbol.arity), ([], []))[side].append(number)
    choices = []
    for (kind, _), (ours, theirs) in sorted(sorts.items()):
        if not ours:
            return
        if len(ours) == len(theirs):
            found = _one_to_one(ours, theirs, gold, other, kind, allowed)
        elif len(ours) > len(theirs):
            found = _shared(ours, theirs, gold, other, kind)
        elif kind is Kind.PREDICATE:
            found = _joined(ours, theirs, gold, other)
        else:
            return
        choices.append(list(islice(found, MAX_LISTED)))
    for chosen in product(*choices):
        yield {number: image for part in chosen for number, image in part.items()}


def _one_to_one(
    ours: Sequence[int],
    theirs: Sequence[int],
    gold: Sequence[Symbol],
    other: Sequence[Symbol],
    kind: Kind,
    allowed: Allowed | None,
) -> Iterator[Images]:
    options = [
        [image for there in theirs for image in _images(there, other[there].arity, kind) if _allows(allowed, here, image)]
        for here in ours
    ]
    yield from _matched(ours, options)


def _allows(allowed: Allowed | None, concept: int, image: NumberedImage) -> bool:
    return allowed is None or allowed(concept, image[0])


def _matched(ours: Sequence[int], options: Sequence[Sequence[NumberedImage]]) -> Iterator[Images]:
    """A choice for each concept in which no symbol comes twice, depth first."""
    chosen: list[NumberedImage] = []
    used: set[int] = set()
    stack = [iter(options[0])]
    while stack:
        image = next(stack[-1], None)
        if image is None:
            stack.pop()
            if chosen:
                used.discard(chosen.pop()[0].symbol)
            continue
        if image[0].symbol in used:
            continue
        if len(chosen) + 1 == len(ours):
            yield dict(zip(ours, (*chosen, image), strict=True))
            continue
        chosen.append(image)
        used.add(image[0].symbol)
        stack.append(iter(options[len(chosen)]))


def _shared(
    ours: Sequence[int], theirs: Sequence[int], gold: Sequence[Symbol], other: Sequence[Symbol], kind: Kind
) -> Iterator[Images]:
    if not theirs:
        return
    for targets in product(theirs, repeat=len(ours)):
        if len(set(targets)) == len(theirs):
            for images in product(*(_images(there, other[there].arity, kind) for there in targets)):
                yield dict(zip(ours, images, strict=True))


def _joined(
    ours: Sequence[int], theirs: Sequence[int], gold: Sequence[Symbol], other: Sequence[Symbol]
) -> Iterator[Images]:
    """Some concepts are conjunctions of two symbols, so that all symbols have their place."""
    if len(theirs) > 2 * len(ours):
        return
    for twofold in combinations(ours, len(theirs) - len(ours)):
        for order in permutations(theirs):
            left = list(order)
            parts: dict[int, list[int]] = {}
            for here in ours:
                parts[here] = [left.pop(0) for _ in range(2 if here in twofold else 1)]
            if any(symbols != sorted(symbols) for symbols in parts.values()):
                continue  # the same conjunction, in another order
            options = [
                [tuple(part for image in some for part in image) for some in product(*map(_of(other), symbols))]
                for symbols in parts.values()
            ]
            for images in product(*options):
                yield dict(zip(ours, images, strict=True))


def _of(other: Sequence[Symbol]) -> Callable[[int], tuple[NumberedImage, ...]]:
    return lambda there: _images(there, other[there].arity, Kind.PREDICATE)


@lru_cache(maxsize=4_096)
def _images(there: int, arity: int, kind: Kind) -> tuple[NumberedImage, ...]:
    """What one symbol may be for a concept of as many arguments, the plain one first."""
    if kind is not Kind.PREDICATE:
        return ((NumberedPart(there, tuple(range(arity))),),)
    orders = permutations(range(arity)) if arity <= MAX_PERMUTED else (tuple(range(arity)),)
    return tuple((NumberedPart(there, tuple(places), value),) for places in orders for value in (True, False))
