"""Formulas over an ontology of their own, compared with gold formulas up to an alignment of symbols.

An answer is equivalent if one map, one symbol to one symbol, makes every gold formula equivalent to the answer's: the
future work of "Do LLMs Really Struggle at NL-FOL Translation? Revealing the Benefits of a Context-Aware Approach". It
is right, *anchored*, if such a map keeps to what the symbols' own names and glosses say (``anchors``). Of an answer
that is not equivalent, the map counts that fits the most sentences; what is aligned by it earns partial credit.

``anchors`` leaves a symbol free that no word anchors. So sentences have verdicts of their own, too, which bound the
number of right ones: *anchored* by definitions that words tell (``nlfol.problems.alignment.definitions``), *unanchored*
if only others prove them, or the map does that fits the most.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from nlfol.facts import (
    ANCHORED,
    BY_NAME,
    EQUIVALENCE,
    MERGED,
    PRECISION,
    RECALL,
    REFINED,
    SENTENCES,
    SENTENCES_ALONE,
    SENTENCES_LEAST,
    SENTENCES_MOST,
)
from nlfol.logic import Formula, Outcome
from nlfol.problems.alignment import Known, judge_story
from nlfol.problems.alignment.renamings import (
    Allowed,
    Reduced,
    Search,
    of_other_granularity,
    one_to_one,
    reduced,
    whole,
)
from nlfol.problems.programs.formulas.maps import numbered
from nlfol.problems.programs.images import TooManyError, candidates
from nlfol.problems.programs.symbols import Conjunct, Image, Symbol, SymbolKind, bare, identity, key_of
from nlfol.randomness import generator
from nlfol_extras.ontologies.anchors import Glosses, Nearness, anchored, anchors

MAX_NODES = 2_000
"""Partial choices of maps of sentences that are looked at."""

MAX_OCCURRENCES = 400
"""Subformulas of a formula that is aligned."""

MAX_POLARITIES = 200
"""Maps with opposites that are tried for a sentence."""

Map = Mapping[Symbol, Image]


class Concepts(NamedTuple):
    """Counts of the gold concepts, of which the rest has no counterpart that is known; and of the answer's symbols."""

    all: int  # concepts on which the truth of some gold formula depends, or may
    aligned: int  # by proof, with a symbol of their own
    refined: int  # by proof, with a conjunction of two symbols
    merged: int  # by proof, with a symbol that another concept has, too
    by_name: int  # not by proof, but there is a symbol of the same name, kind and arity
    declared: int  # symbols of the answer's ontology

    @property
    def recall(self) -> float:
        """Return the share of concepts with a symbol of their own; 1 of none."""
        return self.aligned / self.all if self.all else 1.0

    @property
    def precision(self) -> float:
        """Return the share of declared symbols that are a concept's own; 1 of none."""
        return self.aligned / self.declared if self.declared else 1.0


class Why(StrEnum):
    """The reason for which an answer is not right: proven, but for the last two, which go by the symbols alone."""

    EXCHANGED = "exchanged"
    """Equivalent, but a symbol stands for another concept than the one that it is named or glossed like."""
    TURNED = "turned"
    """Equivalent, but a relation named like its concept has its arguments in another order."""
    MERGED = "merged"
    """Equivalent if concepts share a symbol."""
    REFINED = "refined"
    """Equivalent if a concept is the conjunction of two symbols, and none is shared."""
    POLARITY = "polarity"
    """Each sentence is equivalent if symbols may be the opposite of concepts."""
    ARITY = "arity"
    """There are as many predicates as concepts, but with other numbers of arguments."""
    REIFIED = "reified"
    """There are fewer predicates than concepts, and more names."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """Formulas over an ontology of their own, compared with gold formulas.

    ``images`` is the map that fits the most sentences or, if it fits more, one in which concepts are merged or refined.
    """

    outcome: Outcome  # whether one map makes all of them equivalent
    anchored: Outcome  # whether one does that keeps to the symbols' names and glosses
    why: Why | None  # what keeps the answer from being right, as far as it is known
    sentences: tuple[Outcome, ...]  # whether a map of each sentence's own does; ``invalid`` if there is no formula
    fitting: tuple[bool, ...]  # for each sentence, whether the map does that fits the most
    known: tuple[Known, ...]  # the verdict on each sentence
    images: Map
    concepts: Concepts

    @property
    def scores(self) -> dict[str, float]:
        """Return the scores of an answer by metric."""
        concepts, count = self.concepts, len(self.sentences)
        of_concepts = {REFINED: concepts.refined, MERGED: concepts.merged, BY_NAME: concepts.by_name}
        return {
            ANCHORED: float(self.anchored is Outcome.EQUIVALENT),
            EQUIVALENCE: float(self.outcome is Outcome.EQUIVALENT),
            SENTENCES: sum(self.fitting) / count,
            SENTENCES_ALONE: sum(outcome is Outcome.EQUIVALENT for outcome in self.sentences) / count,
            SENTENCES_LEAST: self.known.count(Known.ANCHORED) / count,
            SENTENCES_MOST: 1 - self.known.count(Known.NO) / count,
            RECALL: concepts.recall,
            PRECISION: concepts.precision,
            **{name: number / concepts.all if concepts.all else 0.0 for name, number in of_concepts.items()},
        }


class _Pair(NamedTuple):
    """A gold formula and another, without what does not count, and the other as it is."""

    gold: Reduced
    other: Reduced
    formula: Formula


def extraction(
    gold: Sequence[Formula],
    other: Sequence[Formula | None],
    declared: Glosses,
    concepts: Glosses | None = None,
    nearness: Nearness | None = None,
    *,
    sentences: Sequence[str] | None = None,
) -> Extraction:
    """Compare an answer's closed formulas, some of them missing, with gold formulas up to an alignment of symbols.

    ``declared`` has the answer's symbols with their glosses, or "", ``concepts`` those of the gold ontology; by
    default the symbols of the gold formulas. With ``nearness``, the cosines of glosses decide what words do not.
    ``sentences`` are those of the gold formulas, as far as they are known.
    """
    wanted = [reduced(formula) for formula in gold]
    pairs = [
        None if formula is None or _is_large(goal) or _is_large(formula) else _Pair(target, reduced(formula), formula)
        for goal, target, formula in zip(gold, wanted, other, strict=True)
    ]
    alone = [Outcome.INVALID if formula is None else _alone(pair) for formula, pair in zip(other, pairs, strict=True)]
    images, fitting, outcome = _by_one_map(pairs, alone)
    allowed = anchored(anchors(concepts or dict.fromkeys(symbols_of(gold), ""), declared, nearness))
    strict, why, aligned = outcome, None, images
    if outcome is Outcome.EQUIVALENT:
        if not _keeps_to(images, allowed):
            aligned, _, strict = _by_one_map(pairs, alone, allowed)
            if strict is not Outcome.EQUIVALENT:
                aligned = images
                why = Why.EXCHANGED if _is_exchanged(images, allowed) else Why.TURNED
    else:
        loose, fitted = _Choice(pairs, Search(), strict=False).best(
            [index for index, pair in enumerate(pairs) if pair is not None]
        )
        aligned = loose if len(fitted) > len(fitting) else images
        why = _granularity(loose) if len(fitted) == len(pairs) else _by_symbols(pairs)
    fits = tuple(index in fitting for index in range(len(pairs)))
    lines = judge_story(
        [[formula] for formula in gold], other, sentences or [""] * len(gold), concepts or {}, declared
    ).lines
    return Extraction(
        outcome,
        strict,
        why,
        tuple(alone),
        fits,
        tuple(Known.UNANCHORED if known is Known.NO and fit else known for known, fit in zip(lines, fits, strict=True)),
        aligned,
        _concepts(wanted, aligned, declared),
    )


def _by_one_map(
    pairs: Sequence[_Pair | None], alone: Sequence[Outcome], allowed: Allowed | None = None
) -> tuple[Map, frozenset[int], Outcome]:
    """Return the map that fits the most sentences, these, and whether one fits all."""
    search = Search()
    images, fitting = _Choice(pairs, search, strict=True, allowed=allowed).best(
        [index for index, outcome in enumerate(alone) if outcome is Outcome.EQUIVALENT]
    )
    if len(fitting) == len(pairs):
        return images, fitting, Outcome.EQUIVALENT
    if Outcome.INVALID in alone:
        return images, fitting, Outcome.INVALID
    decided = Outcome.NOT_EQUIVALENT in alone or (search.is_exhaustive and Outcome.UNKNOWN not in alone)
    return images, fitting, Outcome.NOT_EQUIVALENT if decided else Outcome.UNKNOWN


def _keeps_to(images: Map, allowed: Allowed) -> bool:
    return all(allowed(concept, image[0]) for concept, image in images.items())


def _is_exchanged(images: Map, allowed: Allowed) -> bool:
    plain = {concept: identity(image[0].symbol) for concept, image in images.items()}
    return not _keeps_to(plain, allowed)


def _granularity(images: Map) -> Why | None:
    shared = Counter(part.symbol for image in images.values() for part in image)
    if max(shared.values(), default=1) > 1:
        return Why.MERGED
    return Why.REFINED if any(len(image) > 1 for image in images.values()) else None


def _by_symbols(pairs: Sequence[_Pair | None]) -> Why | None:
    known = [pair for pair in pairs if pair is not None]
    if len(known) == len(pairs) and all(map(_is_of_other_polarity, known)):
        return Why.POLARITY
    ours = {symbol for pair in known for symbol in pair.gold.symbols}
    theirs = {symbol for pair in known for symbol in pair.other.symbols}
    predicates, names = (
        [sum(symbol.kind is kind for symbol in side) for side in (ours, theirs)]
        for kind in (SymbolKind.PREDICATE, SymbolKind.CONSTANT)
    )
    if predicates[1] < predicates[0] and names[1] > names[0]:
        return Why.REIFIED
    arities = [
        Counter(symbol.arity for symbol in side if symbol.kind is SymbolKind.PREDICATE) for side in (ours, theirs)
    ]
    return Why.ARITY if predicates[0] == predicates[1] and arities[0] != arities[1] else None


def _is_of_other_polarity(pair: _Pair) -> bool:
    search = Search(checks=MAX_POLARITIES, proofs=MAX_POLARITIES)
    ours, theirs = (numbered(side.formula).symbols for side in (pair.gold, pair.other))
    try:
        return any(
            search.fits(pair.gold.formula, pair.other.formula, dict(images), theirs)
            for images in candidates(ours, theirs)
            if all(len(image) == 1 for image in images.values())
        )
    except TooManyError:
        return False


def _is_large(formula: Formula) -> bool:
    return formula.profile.occurrences > MAX_OCCURRENCES


def _alone(pair: _Pair | None) -> Outcome:
    if pair is None:
        return Outcome.UNKNOWN
    search = Search()
    try:
        if next(one_to_one(pair.gold, pair.other, search), None) is not None:
            return Outcome.EQUIVALENT
    except TooManyError:
        return Outcome.UNKNOWN
    return Outcome.NOT_EQUIVALENT if search.is_exhaustive else Outcome.UNKNOWN


class _Choice:
    """The choice of one map for as many sentences as possible, depth first, a sentence less wherever that helps."""

    def __init__(
        self, pairs: Sequence[_Pair | None], search: Search, *, strict: bool, allowed: Allowed | None = None
    ) -> None:
        self.pairs = pairs
        self.allowed = allowed
        self.search = search
        self.strict = strict
        self.nodes = MAX_NODES
        self.most = 0
        self.found: tuple[Map, frozenset[int]] = ({}, frozenset())

    def best(self, indices: Sequence[int]) -> tuple[Map, frozenset[int]]:
        """Return a map and the sentences that it fits; the best so far if the search takes too long."""
        self.most = len(indices)
        try:
            self._go_on(tuple(indices), {}, frozenset())
        except TooManyError:
            self.search.is_exhaustive = False
        return self.found

    def _go_on(self, left: tuple[int, ...], images: Map, fitting: frozenset[int]) -> bool:
        """Return whether nothing better is possible."""
        self.nodes -= 1
        if self.nodes < 0:
            raise TooManyError
        if len(fitting) > len(self.found[1]):
            self.found = images, fitting
        if not left:
            return len(fitting) == self.most
        index = min(left, key=lambda index: self._open(index, images))
        rest = tuple(other for other in left if other != index)
        for further in self._maps(index, images):
            if self._go_on(rest, {**images, **further}, fitting | {index}):
                return True
        return len(fitting) + len(rest) > len(self.found[1]) and self._go_on(rest, images, fitting)

    def _open(self, index: int, images: Map) -> int:
        pair = self.pairs[index]
        assert pair is not None
        return sum(symbol not in images for symbol in pair.gold.symbols)

    def _maps(self, index: int, images: Map) -> Iterator[Map]:
        pair = self.pairs[index]
        assert pair is not None
        if self.strict:
            yield from one_to_one(pair.gold, pair.other, self.search, images, self.allowed)
        else:
            yield from _loose(pair, self.search, images)


def _loose(pair: _Pair, search: Search, images: Map) -> Iterator[Map]:
    """Yield maps, one to one in the sentence, or else merged or refined."""
    gold, other, formula = pair
    own = {concept: image for concept, image in images.items() if concept in gold.symbols}
    if all(len(image) == 1 for image in own.values()):
        yield from one_to_one(gold, other, search, own)
    yield from of_other_granularity(gold, other, search, own)
    if len(other.symbols) < len((complete := whole(formula)).symbols):
        # Merged concepts can leave a formula that does not depend on their symbol: Cat → Dog as Pet → Pet.
        yield from of_other_granularity(gold, complete, search, own)


def _concepts(gold: Sequence[Reduced], images: Map, declared: Collection[Symbol]) -> Concepts:
    mentioned = list(dict.fromkeys(symbol for formula in gold for symbol in formula.symbols))
    shared = Counter(part.symbol for image in images.values() for part in image)
    single = [image for image in images.values() if len(image) == 1]
    own = sum(shared[image[0].symbol] == 1 for image in single)
    taken = {symbol for image in images.values() for symbol in key_of(image)}
    names = {(symbol.kind, symbol.arity, bare(symbol.name)) for symbol in declared if symbol not in taken}
    unaligned = [symbol for symbol in mentioned if symbol not in images]
    return Concepts(
        len(mentioned),
        own,
        len(images) - len(single),
        len(single) - own,
        sum((symbol.kind, symbol.arity, bare(symbol.name)) in names for symbol in unaligned),
        len(set(declared)),
    )


_WORDS = {SymbolKind.PREDICATE: "Concept", SymbolKind.FUNCTION: "function", SymbolKind.CONSTANT: "name"}


def symbols_of(formulas: Iterable[Formula]) -> tuple[Symbol, ...]:
    """Return the symbols of some formulas, in the order of their first mention."""
    return tuple(dict.fromkeys(symbol for formula in formulas for symbol in numbered(formula).symbols))


def disguise(symbols: Iterable[Symbol], *labels: str | int) -> dict[Symbol, Image]:
    """Draw a name and an order of arguments for each symbol: formulas stay equivalent up to an alignment."""
    known = list(symbols)
    random = generator("disguise", *labels)
    numbers = random.sample(range(10 * len(known) + 10), len(known))
    images: dict[Symbol, Image] = {}
    for symbol, number in zip(known, numbers, strict=True):
        places = list(range(symbol.arity))
        random.shuffle(places)
        images[symbol] = (Conjunct(symbol._replace(name=f"{_WORDS[symbol.kind]}{number}"), tuple(places)),)
    return images
