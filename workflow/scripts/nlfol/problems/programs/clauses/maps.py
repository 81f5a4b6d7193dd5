"""The maps under which clauses are the same: literals are matched side by side, as chaining tells apart what implies.

Clauses with the same conditions are one clause. A gold literal is matched with one literal of the same side, or, if it
is affirmed, with two; no literal is left over. Two gold literals may have the same counterpart.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, permutations

from nlfol.problems.programs import symbols
from nlfol.problems.programs.clauses.reading import (
    VARIABLE,
    Clause,
    Literal,
    capital_variables,
    read_clauses,
    with_capital_variables,
)
from nlfol.problems.programs.images import MAX_FITS
from nlfol.problems.programs.outcome import ProgramError

MAX_STEPS = 4_000
"""Matchings of two literals that are tried for a sentence."""

MAX_PERMUTED = 3
"""Arguments up to which all their orders are tried."""

_Literal = tuple[int, tuple[int, ...], bool]
"""Number of the predicate; arguments, a constant by its number and the n-th variable as -n; truth value."""

_Clause = tuple[tuple[_Literal, ...], tuple[_Literal, ...]]
Shape = tuple[_Clause, ...]


@lru_cache(maxsize=5_000)
def read(lines: tuple[str, ...]) -> tuple[Clause, ...]:
    """Read the clauses of lines, capital names as constants (``marked``); raises ``LineError`` if one is no clause."""
    listed: list[Clause] = []
    for line in lines:
        try:
            clauses = read_clauses(f"Rules:\n{line}\nQuery:\nP(A, True)").clauses
        except ProgramError as error:
            raise symbols.LineError(error.reason) from error
        if len(clauses) != 1:
            raise symbols.LineError("needed is one clause")
        listed += clauses
    return tuple(listed)


def marked(places: Mapping[str, tuple[str, ...]], query: str) -> dict[str, tuple[str, ...]]:
    """Return lines with ``$`` before variables, where a program has names with a capital instead."""
    known: dict[str, tuple[Clause, ...]] = {}
    for place, lines in places.items():
        try:
            known[place] = read(lines)
        except symbols.LineError:
            continue  # said where it is aligned
    asked = known.pop(query, ())
    literals = [head for clause in asked for head in clause.heads]
    clauses = [clause for listed in known.values() for clause in listed]
    if len(literals) != 1 or capital_variables(clauses, literals[0]) is None:
        return dict(places)
    changed = {
        place: tuple(str(with_capital_variables(clause)) for clause in listed) for place, listed in known.items()
    }
    return {**places, **changed}


def numbered(clauses: Sequence[Clause]) -> symbols.Numbered:
    """Return clauses with their symbols by number."""
    heads: dict[tuple[Literal, ...], list[Literal]] = {}
    for clause in clauses:
        heads.setdefault(clause.body, []).extend(clause.heads)
    numbering = symbols.Numbering()
    shape: list[_Clause] = []
    for body, concluded in heads.items():
        variables: dict[str, int] = {}
        sides = (dict.fromkeys(body), dict.fromkeys(concluded))
        first, second = (tuple(_numbered(clause, numbering, variables) for clause in side) for side in sides)
        shape.append((first, second))
    return numbering.numbered(tuple(shape))


def _numbered(literal: Literal, numbering: symbols.Numbering, variables: dict[str, int]) -> _Literal:
    predicate = numbering.mention(
        symbols.Symbol(symbols.SymbolKind.PREDICATE, literal.predicate, len(literal.arguments))
    )
    arguments = tuple(
        variables.setdefault(name, -1 - len(variables))
        if name[0] == VARIABLE
        else numbering.mention(symbols.Symbol(symbols.SymbolKind.CONSTANT, name, 0))
        for name in literal.arguments
    )
    return predicate, arguments, literal.value


@lru_cache(maxsize=20_000)
def fits(gold: Shape, other: Shape) -> symbols.Fits:
    """Return the maps under which gold clauses are others; per mention if none exists per concept."""
    if len(gold) != len(other) or len(gold) > MAX_PERMUTED:
        return symbols.Fits((), len(gold) != len(other))
    for apart in (False, True):
        search = _Search(apart)
        fitting = symbols.distinct(search.of_clauses(gold, other))
        if fitting:
            return symbols.Fits(tuple(fitting[:MAX_FITS]), search.steps >= 0 and len(fitting) <= MAX_FITS)
    return symbols.Fits((), search.steps >= 0)


class _State:
    """State of matching: the images of mentions in order, and the bindings of the rest."""

    __slots__ = ("bound", "images", "variables")

    def __init__(
        self,
        images: tuple[symbols.NumberedImage, ...] = (),
        bound: Mapping[int, symbols.NumberedImage] | None = None,
        variables: Mapping[int, int] | None = None,
    ) -> None:
        self.images = images
        self.bound = bound or {}
        self.variables = variables or {}


class _Search:
    def __init__(self, apart: bool) -> None:
        self.apart = apart
        self.steps = MAX_STEPS
        self.results = 0

    def of_clauses(self, gold: Shape, other: Shape) -> Iterator[symbols.NumberedFit]:
        for order in permutations(other):
            if all(bool(one[0]) == bool(two[0]) for one, two in zip(gold, order, strict=True)):
                sides = [side for pair in zip(gold, order, strict=True) for side in zip(*pair, strict=True)]
                for fit in self._of_sides(sides, 0, _State()):
                    yield fit
                    self.results += 1
                    if self.results > MAX_FITS:
                        return

    def _of_sides(
        self, sides: Sequence[tuple[Sequence[_Literal], Sequence[_Literal]]], index: int, state: _State
    ) -> Iterator[symbols.NumberedFit]:
        if index == len(sides):
            yield state.images
            return
        gold, other = sides[index]
        if index % 2 == 0:
            # Each clause has variables of its own.
            state = _State(state.images, state.bound)
        for further in self._of_side(gold, other, frozenset(range(len(other))), state):
            yield from self._of_sides(sides, index + 1, further)

    def _of_side(
        self, gold: Sequence[_Literal], other: Sequence[_Literal], left: frozenset[int], state: _State
    ) -> Iterator[_State]:
        """Yield the ways to match literals, none of the others being left."""
        if not gold:
            if not left:
                yield state
            return
        if len(left) > 2 * len(gold):
            return
        first, *rest = gold
        singles = range(len(other)) if len(left) < len(gold) else sorted(left)
        for index in singles:
            for further in self._of_literals(first, (other[index],), state):
                yield from self._of_side(rest, other, left - {index}, further)
        if len(left) > len(gold) and first[2]:
            for pair in combinations(sorted(left), 2):
                for further in self._of_literals(first, [other[index] for index in pair], state):
                    yield from self._of_side(rest, other, left.difference(pair), further)

    def _of_literals(self, gold: _Literal, others: Sequence[_Literal], state: _State) -> Iterator[_State]:
        predicate, arguments, value = gold
        self.steps -= 1
        largest = max(len(other[1]) for other in others)
        if largest != len(arguments):
            return
        for parts in _parts(others, len(arguments), value):
            self.steps -= 1
            if self.steps < 0:
                return
            bound = state.bound.get(predicate)
            if bound is not None and bound != parts and not self._may_differ(bound, parts):
                continue
            further = self._with_arguments(arguments, others, parts, state, predicate)
            if further is not None:
                yield further

    def _may_differ(self, bound: symbols.NumberedImage, parts: symbols.NumberedImage) -> bool:
        return self.apart and [part.symbol for part in bound] != [part.symbol for part in parts]

    def _with_arguments(
        self,
        arguments: tuple[int, ...],
        others: Sequence[_Literal],
        parts: symbols.NumberedImage,
        state: _State,
        predicate: int,
    ) -> _State | None:
        counterparts: list[int | None] = [None] * len(arguments)
        for other, part in zip(others, parts, strict=True):
            for argument, place in zip(other[1], part.places, strict=True):
                if counterparts[place] not in (None, argument):
                    return None
                counterparts[place] = argument
        bound, variables = {**state.bound, predicate: parts}, dict(state.variables)
        images = [parts]
        for argument, counterpart in zip(arguments, counterparts, strict=True):
            if counterpart is None or (argument < 0) != (counterpart < 0):
                return None
            if argument < 0:
                if variables.setdefault(argument, counterpart) != counterpart:
                    return None
                continue
            image = (symbols.NumberedConjunct(counterpart, ()),)
            if bound.setdefault(argument, image) != image and not self.apart:
                return None
            images.append(image)
        if len(set(variables.values())) < len(variables):
            return None
        return _State((*state.images, *images), bound, variables)


def _parts(others: Sequence[_Literal], arity: int, value: bool) -> Iterator[symbols.NumberedImage]:
    if len(others) == 1:
        ((symbol, arguments, other_value),) = others
        for places in _orders(arity, len(arguments)):
            yield (symbols.NumberedConjunct(symbol, places, value == other_value),)
        return
    first, second = others
    for places in _orders(arity, len(first[1])):
        for further in _orders(arity, len(second[1])):
            yield (
                symbols.NumberedConjunct(first[0], places, first[2]),
                symbols.NumberedConjunct(second[0], further, second[2]),
            )


@lru_cache(maxsize=256)
def _orders(arity: int, arguments: int) -> tuple[tuple[int, ...], ...]:
    if arity > MAX_PERMUTED:
        return (tuple(range(arity)),) if arguments == arity else ()
    return tuple(permutations(range(arity), arguments))


def renamed(clauses: Sequence[Clause], image: Callable[[symbols.Symbol], symbols.Image]) -> list[str]:
    """Return the clauses with an image for each mention; raises ``LineError`` where a conjunction would be negated."""
    lines = []
    for clause in clauses:
        body = tuple(other for literal in clause.body for other in _renamed(literal, image))
        heads = tuple(other for literal in clause.heads for other in _renamed(literal, image))
        lines.append(str(Clause(clause.line, body, heads)))
    return lines


def _renamed(literal: Literal, image: Callable[[symbols.Symbol], symbols.Image]) -> list[Literal]:
    parts = image(symbols.Symbol(symbols.SymbolKind.PREDICATE, literal.predicate, len(literal.arguments)))
    if len(parts) > 1 and not literal.value:
        raise symbols.LineError(f"{literal} is the negation of a conjunction")
    names = [
        name if name[0] == VARIABLE else image(symbols.Symbol(symbols.SymbolKind.CONSTANT, name, 0))[0].symbol.name
        for name in literal.arguments
    ]
    return [
        Literal(part.symbol.name, tuple(names[place] for place in part.places), literal.value == part.value)
        for part in parts
    ]


def difference(gold: Sequence[Clause], other: Sequence[Clause]) -> dict[str, list[str]]:
    """Return the literals of one and not of the other."""
    of_gold, of_other = (Counter(str(clause) for clause in clauses) for clauses in (gold, other))
    return {"missing": sorted((of_gold - of_other).elements()), "extra": sorted((of_other - of_gold).elements())}
