"""One map a sentence, so that concepts have as few symbols as possible in all.

Arguments and polarity belong to a concept and its symbol, in all sentences; a sentence whose maps all contradict the
others in that goes unaligned. So does one that could only be aligned by exchanging symbols, as an implication the wrong
way round: two pairs of a concept with several images and an image of several concepts weigh as much as a sentence.

A choice is made greedily and improved; that it is the best is known where no choice can have fewer symbols
(``Selection.is_least``).
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nlfol.problems.programs.symbols import Fit, Image, Key, Symbol, SymbolKind, decoration, distance, key_of, oddities

MAX_ROUNDS = 6
"""Rounds of improvement."""

MAX_NODES = 3_000
"""Partial choices that are looked at where it is open whether another has fewer symbols."""

_Pair = tuple[Symbol, Key]
_Decoration = tuple[tuple[tuple[int, ...], bool], ...]
_Cost = tuple[int, int, int, int, int, int]
"""Sentences unaligned and exchanges, pairs, sentences unaligned, images shared, oddities, distance of names."""

SENTENCE = 2
"""Exchanges that weigh as much as a sentence unaligned."""


@dataclass(frozen=True, slots=True)
class Open:
    """A sentence and its maps; ``exhaustive`` if these are all."""

    concepts: tuple[Symbol, ...]
    fits: tuple[Fit, ...]
    exhaustive: bool
    symbols: tuple[Symbol, ...]

    def possible(self, concept: Symbol) -> frozenset[Key] | None:
        """Return the images that a concept may have in any map, if not all maps are known; None if there are many."""
        if concept.kind is SymbolKind.PREDICATE:
            return None  # conjunctions, too
        return frozenset((symbol,) for symbol in self.symbols if symbol.kind is concept.kind)


@dataclass(frozen=True, slots=True)
class Selection:
    """One map a sentence; None if there is none that agrees with the others.

    ``is_least`` says that no choice is known to be better, nor can be. ``least`` has numbers of images by concept whose
    sum no choice of maps goes below that aligns the same sentences. A choice as good as this one has as many in all.
    """

    chosen: tuple[Fit | None, ...]
    is_least: bool
    least: dict[Symbol, int]


class _Option:
    __slots__ = ("decorations", "distance", "fit", "images", "oddities")

    def __init__(self, concepts: Sequence[Symbol], fit: Fit) -> None:
        self.fit = fit
        self.decorations: dict[_Pair, _Decoration] = {}
        self.images: dict[_Pair, Image] = {}
        self.distance = self.oddities = 0
        for concept, image in zip(concepts, fit, strict=True):
            pair = concept, key_of(image)
            if pair not in self.images:
                self.images[pair] = image
                self.decorations[pair] = decoration(image)
                self.oddities += oddities(image)
                self.distance += distance(concept, image)

    def agrees(self, known: Mapping[_Pair, _Decoration]) -> bool:
        return all(known.get(pair, how) == how for pair, how in self.decorations.items())


def _is_consistent(concepts: Sequence[Symbol], fit: Fit) -> bool:
    decorations: dict[_Pair, _Decoration] = {}
    pairs = ((concept, key_of(image), decoration(image)) for concept, image in zip(concepts, fit, strict=True))
    return all(decorations.setdefault((concept, key), how) == how for concept, key, how in pairs)


class _Choice:
    def __init__(self, count: int) -> None:
        self.options: list[_Option | None] = [None] * count
        self.pairs: Counter[_Pair] = Counter()
        self.keys: Counter[Key] = Counter()
        self.decorations: dict[_Pair, _Decoration] = {}

    def put(self, index: int, option: _Option | None) -> None:
        before = self.options[index]
        if before is not None:
            for pair in before.images:
                self.pairs[pair] -= 1
                if not self.pairs[pair]:
                    del self.pairs[pair], self.decorations[pair]
                self.keys[pair[1]] -= 1
                if not self.keys[pair[1]]:
                    del self.keys[pair[1]]
        self.options[index] = option
        if option is not None:
            self.decorations |= option.decorations
            for pair in option.images:
                self.pairs[pair] += 1
                self.keys[pair[1]] += 1

    def exchanges(self) -> int:
        """Return the pairs of a concept with several images and an image of several concepts."""
        concepts = Counter(concept for concept, _ in self.pairs)
        if len(concepts) == len(self.pairs) or len(self.keys) == len(self.pairs):
            return 0
        keys = Counter(key for _, key in self.pairs)
        return sum(concepts[concept] > 1 and keys[key] > 1 for concept, key in self.pairs)

    def added(self, option: _Option) -> tuple[int, int, int, int]:
        """Return what an option would add to the cost."""
        new = sum(pair not in self.pairs for pair in option.images)
        keys = len({key for _, key in option.images if key not in self.keys})
        return new, new - keys, option.oddities, option.distance


def select(sentences: Sequence[Open]) -> Selection:
    """Choose a map for each sentence."""
    options = [
        [_Option(sentence.concepts, fit) for fit in sentence.fits if _is_consistent(sentence.concepts, fit)]
        for sentence in sentences
    ]
    choice = _greedy(options)
    least = _least(sentences, options, choice)
    is_least = _is_best(choice, options, least)
    if not is_least:
        _improve(choice, options)
        least = _least(sentences, options, choice)
        is_least = _is_best(choice, options, least)
    if not is_least:
        is_least = _search(choice, options, sum(least.values()))
        _improve(choice, options)  # among choices with as many symbols
        least = _least(sentences, options, choice)
        is_least = is_least and all(sentence.exhaustive for sentence in sentences)
        if is_least:
            # What is proven is the sum, which is all that is reported of single concepts.
            least = dict(Counter(concept for concept, _ in choice.pairs))
    chosen = tuple(option.fit if option else None for option in choice.options)
    return Selection(chosen, is_least, least)


def _is_best(choice: _Choice, options: Sequence[Sequence[_Option]], least: dict[Symbol, int]) -> bool:
    """Return whether all is aligned that can be, with no more symbols than needed."""
    complete = all(option is not None or not given for option, given in zip(choice.options, options, strict=True))
    return complete and len(choice.pairs) == sum(least.values()) and not choice.exchanges()


def _greedy(options: Sequence[Sequence[_Option]]) -> _Choice:
    """Choose for sentences with few maps first the map with the arguments and polarities of most sentences."""
    votes: defaultdict[_Pair, Counter[_Decoration]] = defaultdict(Counter)
    for candidates in options:
        for option in candidates:
            for pair, how in option.decorations.items():
                votes[pair][how] += 1 / len(candidates)  # type: ignore[assignment]
    majority = {
        pair: min(sorted(counts), key=lambda how: (-round(counts[how], 6), _oddity(how)))
        for pair, counts in votes.items()
    }

    def odd(option: _Option) -> int:
        return sum(majority[pair] != how for pair, how in option.decorations.items())

    ranks = [min((odd(option) for option in candidates), default=0) for candidates in options]
    order = sorted(range(len(options)), key=lambda index: (ranks[index], len(options[index]), index))
    choice = _Choice(len(options))
    for index in order:
        agreeing = [option for option in options[index] if option.agrees(choice.decorations)]
        if agreeing:
            best = min(agreeing, key=lambda option: (choice.added(option)[:2], odd(option), choice.added(option)))
            choice.put(index, best)
    return choice


def _oddity(how: _Decoration) -> int:
    return sum(not value or list(places) != sorted(places) for places, value in how)


def _cost(choice: _Choice, options: Sequence[Sequence[_Option]]) -> _Cost:
    unaligned = sum(bool(given) and option is None for option, given in zip(choice.options, options, strict=True))
    chosen = [option for option in choice.options if option is not None]
    return (
        SENTENCE * unaligned + choice.exchanges(),
        len(choice.pairs),
        unaligned,
        len(choice.pairs) - len(choice.keys),
        sum(option.oddities for option in chosen),
        sum(option.distance for option in chosen),
    )


def _improve(choice: _Choice, options: Sequence[Sequence[_Option]]) -> None:
    """Take another map, in place of all that it contradicts, or none, while that is better."""
    cost = _cost(choice, options)
    for _ in range(MAX_ROUNDS):
        before = cost
        for index, given in enumerate(options):
            for option in (*given, None) if given else ():
                if option is choice.options[index]:
                    continue
                for evicted, again in _moves(choice, index, option):
                    kept = {other: choice.options[other] for other in (*evicted, index)}
                    for other in kept:
                        choice.put(other, None)
                    choice.put(index, option)
                    for other in evicted if again else ():
                        agreeing = [candidate for candidate in options[other] if candidate.agrees(choice.decorations)]
                        if agreeing:
                            choice.put(other, min(agreeing, key=choice.added))
                    new_cost = _cost(choice, options)
                    if new_cost < cost:
                        cost = new_cost
                        break
                    for other in kept:
                        choice.put(other, None)
                    for other, earlier in kept.items():
                        choice.put(other, earlier)
        if cost == before:
            return


def _moves(choice: _Choice, index: int, option: _Option | None) -> Iterator[tuple[list[int], bool]]:
    """Yield sentences that give way to a map, and whether another map is looked for there."""
    if option is None:
        yield [], False
        return
    others = [(other, chosen) for other, chosen in enumerate(choice.options) if chosen is not None]
    yield [other for other, chosen in others if other != index and not option.agrees(chosen.decorations)], True
    if choice.options[index] is None:
        keys = dict(option.images.keys())
        for other, chosen in others:
            if any(keys.get(concept, key) != key for concept, key in chosen.images):
                yield [other], False


def _least(sentences: Sequence[Open], options: Sequence[Sequence[_Option]], choice: _Choice) -> dict[Symbol, int]:
    """Return by concept a lower bound: sentences whose possible images have nothing in common need one each."""
    possible: defaultdict[Symbol, list[tuple[frozenset[Key], int]]] = defaultdict(list)
    for sentence, concept, keys in _keys(sentences, options, choice):
        if sentence.exhaustive:
            possible[concept].append((frozenset().union(*keys), min(map(len, keys))))
        else:
            images = sentence.possible(concept)
            possible[concept].append((images or frozenset(), int(images is not None)))
    return {concept: _packed(sets) for concept, sets in possible.items()}


def _packed(sets: Sequence[tuple[frozenset[Key], int]]) -> int:
    if not any(count for _, count in sets):
        return 1
    total, used = 0, set[Key]()
    for keys, count in sorted(sets, key=lambda pair: (len(pair[0]) - pair[1], sorted(pair[0]))):
        if count and not keys & used:
            used |= keys
            total += count
    return max(total, 1, *(count for _, count in sets))


def _keys(
    sentences: Sequence[Open], options: Sequence[Sequence[_Option]], choice: _Choice
) -> Iterator[tuple[Open, Symbol, list[set[Key]]]]:
    """Yield the concepts of each sentence that is aligned, with the images that each of its maps has."""
    for sentence, given, chosen in zip(sentences, options, choice.options, strict=True):
        for concept in dict.fromkeys(sentence.concepts) if chosen is not None else ():
            yield sentence, concept, [{key for symbol, key in option.images if symbol == concept} for option in given]


def _search(choice: _Choice, options: Sequence[Sequence[_Option]], bound: int) -> bool:
    """Look for a better choice, depth first; whether all were looked at, or one as good as the bound was found."""
    best = list(choice.options)
    cost = _cost(choice, options)
    order = [index for index, candidates in enumerate(options) if candidates]
    order.sort(key=lambda index: (len(options[index]), index))
    for index in order:
        choice.put(index, None)
    ways: list[Iterator[_Option | None]] = [_ways(choice, options[order[0]])] if order else []
    lost = [0]
    nodes = 0
    while ways:
        nodes += 1
        if nodes > MAX_NODES:
            break
        index = order[len(ways) - 1]
        choice.put(index, None)
        option = next(ways[-1], choice)
        if option is choice:
            ways.pop()
            lost.pop()
            continue
        assert not isinstance(option, _Choice)
        gone = lost[-1] + (option is None)
        choice.put(index, option)
        if (SENTENCE * gone + choice.exchanges(), len(choice.pairs)) >= cost[:2]:
            continue
        if len(ways) == len(order):
            best, cost = list(choice.options), _cost(choice, options)
            if not cost[0] and cost[1] <= bound:
                break
            continue
        ways.append(_ways(choice, options[order[len(ways)]]))
        lost.append(gone)
    for index in order:
        choice.put(index, None)
    for index in order:
        choice.put(index, best[index])
    return nodes <= MAX_NODES


def _ways(choice: _Choice, given: Sequence[_Option]) -> Iterator[_Option | None]:
    agreeing = [option for option in given if option.agrees(choice.decorations)]
    yield from sorted(agreeing, key=choice.added)
    yield None
