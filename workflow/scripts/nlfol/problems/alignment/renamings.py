"""The one-to-one maps of symbols under which one formula is equivalent to another: all of them, each proven.

A predicate or function goes to one of as many arguments, in some order of them; a constant to a constant. Polarity
stays as it is: in one sentence alone P → Q and P' ∨ Q would be aligned by it, and a wrong negation would pass for a
name of the opposite.

Only symbols on which truth depends are mapped. Truth depends on a symbol if it can change when the symbol's
interpretation alone does: if the formula is not equivalent to itself with a new symbol in its place. A formula that is
equivalent to another under a map depends on the images of exactly those on which the other depends; so no map is
missed. Maps are cut by what renaming leaves as it is: the number of structures in which a formula holds and a predicate
has so many tuples.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import cast

from nlfol.logic import Formula, Outcome, equivalence
from nlfol.logic.decision.satisfiability import FIRST_FAMILY
from nlfol.logic.syntax import Atom, Constant, Equality, ForAll, Function, Term, Variable, fold, with_children
from nlfol.problems.programs.formulas.maps import extensions, written
from nlfol.problems.programs.formulas.maps import remembered as numbered
from nlfol.problems.programs.images import Images, TooManyError, candidates, matched
from nlfol.problems.programs.symbols import (
    Conjunct,
    Image,
    NumberedConjunct,
    NumberedImage,
    Symbol,
    SymbolKind,
    identity,
    named,
)

_FRESH = "Fresh"
_BOUND = Variable("z0")
_TRUE = ForAll(_BOUND, Equality(_BOUND, _BOUND))


@dataclass(frozen=True, slots=True)
class Reduced:
    """A formula with names by number, and the symbols on which its truth depends (or may, unless ``is_certain``)."""

    formula: Formula
    symbols: tuple[Symbol, ...]
    is_certain: bool


def reduced(formula: Formula) -> Reduced:
    """Return a formula without the symbols that do not count."""
    known = numbered(formula)
    shape, numbers, is_certain = _reduced(cast("Formula", known.shape))
    return Reduced(shape, tuple(known.symbols[number] for number in numbers), is_certain)


def whole(formula: Formula) -> Reduced:
    """Return a formula with all its symbols, as if truth depended on each."""
    known = numbered(formula)
    return Reduced(cast("Formula", known.shape), known.symbols, is_certain=True)


@lru_cache(maxsize=20_000)
def _reduced(shape: Formula) -> tuple[Formula, tuple[int, ...], bool]:
    """Return a shape without symbols that do not count, those that are left, and whether each is known to count."""
    symbols = numbered(shape).symbols
    counts = [_counts(shape, symbol) for symbol in symbols]
    is_certain = None not in counts
    gone = {symbol for symbol, count in zip(symbols, counts, strict=True) if count is False}
    if not gone:
        return shape, tuple(range(len(symbols))), is_certain
    without = _without(shape, gone)
    if without.profile.free:
        without = ForAll(_BOUND, without)
    numbers = {symbol: number for number, symbol in enumerate(symbols)}
    # A symbol that is left has the arguments that it had, so it is the same one.
    again = numbered(without)
    return cast("Formula", again.shape), tuple(numbers[symbol] for symbol in again.symbols), is_certain


def _counts(shape: Formula, symbol: Symbol) -> bool | None:
    """Return whether truth depends on a symbol; None if that is undecided."""
    other = written(shape, {symbol: identity(symbol._replace(name=_FRESH))})
    truth = FIRST_FAMILY.truth(shape)
    if truth is not None and truth != FIRST_FAMILY.truth(other):
        return True
    outcome = equivalence(shape, other).outcome
    return None if outcome is Outcome.UNKNOWN else outcome is not Outcome.EQUIVALENT


def _without(shape: Formula, gone: set[Symbol]) -> Formula:
    """Return true for atoms of symbols that are gone, and for terms of them the first argument or an element."""

    def of_term(node: Term, parts: tuple[Term, ...]) -> Term:
        match node:
            case Constant(name) if Symbol(SymbolKind.CONSTANT, name, 0) in gone:
                return _BOUND
            case Function(name) if Symbol(SymbolKind.FUNCTION, name, len(parts)) in gone:
                return parts[0]
            case Function(name):
                return Function(name, parts)
            case _:
                return node

    def step(node: Formula, parts: tuple[Formula, ...]) -> Formula:
        match node:
            case Atom(predicate, arguments) if Symbol(SymbolKind.PREDICATE, predicate, len(arguments)) in gone:
                return _TRUE
            case Atom(predicate, arguments):
                return Atom(predicate, tuple(fold(argument, of_term) for argument in arguments))
            case Equality(left, right):
                return Equality(fold(left, of_term), fold(right, of_term))
            case _:
                return with_children(node, parts)

    return fold(shape, step)


MAX_PERMUTED = 6
"""Arguments up to which all their orders are tried."""

MAX_CHECKS = 20_000
"""Maps that are tried for an answer."""

MAX_PROOFS = 300
"""Maps of these that small structures do not refute."""

MAX_STEPS = 200_000
"""Partial maps that are looked at for an answer."""

Allowed = Callable[[Symbol, Conjunct], bool]
"""A test that says if a symbol of the gold formula may have an image."""


@dataclass
class Search:
    """The budget of one answer's search: what may still be tried; and whether nothing was left out or undecided."""

    checks: int = MAX_CHECKS
    proofs: int = MAX_PROOFS
    steps: int = MAX_STEPS
    is_exhaustive: bool = True

    def step(self) -> None:
        """Count a partial map; raises ``TooManyError`` if there were too many."""
        self.steps -= 1
        if self.steps < 0:
            raise TooManyError

    def fits(self, gold: Formula, other: Formula, images: Images, theirs: Sequence[Symbol]) -> bool:
        """Return whether a map provably makes a gold shape equivalent to another; ``TooManyError`` ends the search."""
        self.checks -= 1
        outcome, is_refuted_soon = _outcome(gold, other, tuple(images[n] for n in range(len(images))), tuple(theirs))
        self.proofs -= not is_refuted_soon
        if self.checks < 0 or self.proofs < 0:
            raise TooManyError
        if outcome is Outcome.UNKNOWN:
            self.is_exhaustive = False
        return outcome is Outcome.EQUIVALENT


@lru_cache(maxsize=50_000)
def _outcome(
    gold: Formula, other: Formula, images: tuple[NumberedImage, ...], theirs: tuple[Symbol, ...]
) -> tuple[Outcome, bool]:
    """Return the verdict on a map, and whether the first small structures refute it."""
    changed = written(gold, dict(zip(numbered(gold).symbols, named(images, theirs), strict=True)))
    truth = FIRST_FAMILY.truth(changed)
    if truth is not None and truth != FIRST_FAMILY.truth(other):
        return Outcome.NOT_EQUIVALENT, True
    return equivalence(changed, other).outcome, False


def one_to_one(
    gold: Reduced,
    other: Reduced,
    search: Search,
    fixed: Mapping[Symbol, Image] | None = None,
    allowed: Allowed | None = None,
) -> Iterator[dict[Symbol, Image]]:
    """Yield the maps from the symbols of one formula to those of another that make the two equivalent.

    Images that are fixed, also of symbols of other formulas, are those of no other symbol. By default all images are
    allowed. Raises ``TooManyError`` if the search needs more than may be spent.
    """
    ours, theirs = numbered(gold.formula).symbols, numbered(other.formula).symbols
    if Counter(map(_sort, ours)) != Counter(map(_sort, theirs)):
        search.is_exhaustive &= gold.is_certain and other.is_certain
        return
    of_gold, of_other = extensions_of(gold.formula), extensions_of(other.formula)
    if of_gold is None or of_other is None:
        of_gold = of_other = {}
    if sorted(of_gold.values()) != sorted(of_other.values()):
        search.is_exhaustive &= gold.is_certain and other.is_certain
        return
    settled = fixed or {}
    used = {part.symbol for image in settled.values() for part in image}
    numbers = {symbol: number for number, symbol in enumerate(other.symbols)}
    options: list[list[NumberedImage]] = []
    for number, symbol in enumerate(ours):
        image = settled.get(gold.symbols[number])
        if image is not None:
            part = image[0]
            there = [NumberedConjunct(numbers[part.symbol], part.places)] if part.symbol in numbers else []
        else:
            free = (index for index, symbol in enumerate(other.symbols) if symbol not in used)
            there = [part for index in free if _sort(theirs[index]) == _sort(symbol) for part in _orders(index, symbol)]
        for _ in there:
            search.step()
        concept = gold.symbols[number]
        options.append(
            [
                (part,)
                for part in there
                if of_gold.get(number) == of_other.get(part.symbol)
                and (allowed is None or allowed(concept, Conjunct(other.symbols[part.symbol], part.places, part.value)))
            ]
        )
    # Those with fewest options first.
    order = sorted(range(len(options)), key=lambda number: len({part[0].symbol for part in options[number]}))
    for images in matched(order, [options[number] for number in order], search.step) if order else ({},):
        if search.fits(gold.formula, other.formula, images, theirs):
            yield _by_name(images, gold, other)
    search.is_exhaustive &= gold.is_certain and other.is_certain


def _sort(symbol: Symbol) -> tuple[SymbolKind, int]:
    return symbol.kind, symbol.arity


def _by_name(images: Images, gold: Reduced, other: Reduced) -> dict[Symbol, Image]:
    by_number = tuple(images[number] for number in range(len(images)))
    return dict(zip(gold.symbols, named(by_number, other.symbols), strict=True))


def of_other_granularity(
    gold: Reduced, other: Reduced, search: Search, fixed: Mapping[Symbol, Image]
) -> Iterator[dict[Symbol, Image]]:
    """Yield the maps with shared symbols, or conjunctions of two, that make two formulas equivalent.

    Of one kind and arity either the one or the other; every symbol of the other formula has its place. Arguments and
    errors as of ``one_to_one``, but others may have an image that is settled.
    """
    theirs = numbered(other.formula).symbols
    for candidate in candidates(numbered(gold.formula).symbols, theirs, signed=False):
        search.step()
        images = dict(candidate)
        by_name = _by_name(images, gold, other)
        if any(fixed.get(concept, image) != image for concept, image in by_name.items()):
            continue
        if search.fits(gold.formula, other.formula, images, theirs):
            yield by_name


def _orders(number: int, symbol: Symbol) -> Iterator[NumberedConjunct]:
    """Yield a symbol with its arguments in each order, the plain one first; raises ``TooManyError`` for too many."""
    if symbol.arity > MAX_PERMUTED:
        raise TooManyError
    for places in permutations(range(symbol.arity)):
        yield NumberedConjunct(number, places)


@lru_cache(maxsize=20_000)
def extensions_of(shape: Formula) -> Mapping[int, tuple[int, ...]] | None:
    """Return ``extensions``, which renaming leaves as they are."""
    return extensions(shape, numbered(shape).symbols)
