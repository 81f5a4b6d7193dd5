"""Candidate maps from one vocabulary to another: one to one where both have equally many symbols of a kind.

Where the other has fewer, concepts share a symbol; where it has more, a concept may be a conjunction of two. No symbol
is left over.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, count, islice, permutations, product
from math import comb, factorial

from nlfol.problems.programs.symbols import NumberedConjunct, NumberedImage, Symbol, SymbolKind

MAX_PERMUTED = 3
"""Arguments up to which all their orders are tried."""

MAX_LISTED = 5_000
"""Candidates of one sort of symbols that are listed."""

MAX_CHECKS = 600
"""Maps that are tried for a sentence."""

MAX_FITS = 48
"""Maps that are kept for a sentence."""

MAX_STEPS = 20_000
"""Partial maps of one sort of symbols, or orders of its symbols, that are looked at."""


class TooManyError(Exception):
    """There are more candidates than are looked at."""


Images = Mapping[int, NumberedImage]
"""An image for each symbol of the gold line, all by number."""

Allowed = Callable[[int, NumberedConjunct], bool]
"""Predicate: a concept may be this symbol with these arguments and this polarity."""


Twins = Callable[[NumberedConjunct, NumberedConjunct], bool]
"""Predicate: two symbols may be parts of one conjunction."""


def candidates(
    gold: Sequence[Symbol],
    other: Sequence[Symbol],
    allowed: Allowed | None = None,
    twins: Twins | None = None,
    *,
    signed: bool = True,
) -> Iterator[Images]:
    """Yield the maps in which every symbol of the other vocabulary has its place, the first by order of occurrence.

    ``allowed`` cuts maps that are one to one, ``twins`` conjunctions; ``signed`` maps may reverse polarity. Raises
    ``TooManyError`` where there are more, after those that are looked at.
    """
    sorts: dict[tuple[SymbolKind, int], tuple[list[int], list[int]]] = {}
    for side, symbols in enumerate((gold, other)):
        for number, symbol in enumerate(symbols):
            sorts.setdefault((symbol.kind, symbol.arity), ([], []))[side].append(number)
    if any(len(ours) != len(theirs) for ours, theirs in sorts.values()):
        allowed = None
    choices = []
    for (kind, _), (ours, theirs) in sorted(sorts.items()):
        if not ours:
            return
        if len(ours) == len(theirs):
            maps = _one_to_one(ours, theirs, other, allowed, signed)
        elif len(ours) > len(theirs):
            maps = _shared(ours, theirs, other, signed)
        elif kind is SymbolKind.PREDICATE:
            maps = _joined(ours, theirs, other, twins, signed)
        else:
            return
        choices.append(list(islice(maps, MAX_LISTED)))
    for chosen in product(*choices):
        yield {number: image for part in chosen for number, image in part.items()}
    if any(len(listed) == MAX_LISTED for listed in choices):
        raise TooManyError


def _one_to_one(
    ours: Sequence[int], theirs: Sequence[int], other: Sequence[Symbol], allowed: Allowed | None, signed: bool
) -> Iterator[Images]:
    images = [image for there in theirs for image in _images(there, other[there], signed)]
    options = [[image for image in images if allowed is None or allowed(here, image[0])] for here in ours]
    steps = count(1)

    def step() -> None:
        if next(steps) > MAX_STEPS:
            raise TooManyError

    yield from matched(ours, options, step)


def matched(
    ours: Sequence[int], options: Sequence[Sequence[NumberedImage]], step: Callable[[], None]
) -> Iterator[Images]:
    """Yield choices for each concept in which no symbol comes twice, depth first; ``step`` is called at each look."""
    chosen: list[NumberedImage] = []
    used: set[int] = set()
    stack = [iter(options[0])]
    while stack:
        step()
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


def _shared(ours: Sequence[int], theirs: Sequence[int], other: Sequence[Symbol], signed: bool) -> Iterator[Images]:
    if not theirs:
        return
    if len(theirs) ** len(ours) > MAX_STEPS:
        raise TooManyError
    for targets in product(theirs, repeat=len(ours)):
        if len(set(targets)) == len(theirs):
            for images in product(*(_images(there, other[there], signed) for there in targets)):
                yield dict(zip(ours, images, strict=True))


def _joined(
    ours: Sequence[int], theirs: Sequence[int], other: Sequence[Symbol], twins: Twins | None, signed: bool
) -> Iterator[Images]:
    """Yield maps in which some concepts are conjunctions of two symbols, so that all symbols have their place."""
    if len(theirs) > 2 * len(ours):
        return
    if comb(len(ours), len(theirs) - len(ours)) * factorial(len(theirs)) > MAX_STEPS:
        raise TooManyError

    def images(there: int) -> tuple[NumberedImage, ...]:
        return _images(there, other[there], signed)

    def joined(first: int, second: int) -> list[NumberedImage]:
        pairs = ((*one, *two) for one, two in product(images(first), images(second)))
        return [pair for pair in pairs if twins is None or twins(*pair)]

    pairs = {pair: joined(*pair) for pair in combinations(theirs, 2)}
    for twofold in combinations(ours, len(theirs) - len(ours)):
        for order in permutations(theirs):
            options: list[Sequence[NumberedImage]] = []
            index = 0
            for here in ours:
                if here in twofold:
                    # Of a conjunction in another order there is no pair.
                    options.append(pairs.get((order[index], order[index + 1]), ()))
                    index += 2
                else:
                    options.append(images(order[index]))
                    index += 1
            for chosen in product(*options):
                yield dict(zip(ours, chosen, strict=True))


@lru_cache(maxsize=4_096)
def _images(there: int, symbol: Symbol, signed: bool) -> tuple[NumberedImage, ...]:
    arity = symbol.arity
    if symbol.kind is not SymbolKind.PREDICATE:
        return ((NumberedConjunct(there, tuple(range(arity))),),)
    orders = permutations(range(arity)) if arity <= MAX_PERMUTED else (tuple(range(arity)),)
    return tuple(
        (NumberedConjunct(there, tuple(places), value),)
        for places in orders
        for value in ((True, False) if signed else (True,))
    )
