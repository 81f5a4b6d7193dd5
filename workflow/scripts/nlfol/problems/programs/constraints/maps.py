"""The maps under which conditions are the same: by a normal form, and by all values where these are few.

Variables stand for things; each has a place from 1 to the number of things.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations, product

from nlfol.problems.programs import symbols
from nlfol.problems.programs.constraints.conditions import (
    AllDifferent,
    Comparison,
    Condition,
    Junction,
    Negation,
    Sum,
    holds,
    variables,
    with_names,
)
from nlfol.problems.programs.constraints.grammar import read_condition
from nlfol.problems.programs.images import MAX_CHECKS, MAX_FITS, candidates
from nlfol.problems.programs.outcome import ProgramError

MAX_VALUES = 2_000
"""Assignments of places up to which all are compared."""

MAX_LISTED = 4
"""Variables of a line up to which its maps are listed; that all of many differ fits each of them."""

_NAME = re.compile(r"[^\W\d]\w*")

Shape = tuple[tuple[Condition, ...], int]
"""Conditions, with a variable's number for its name, and the number of places."""

_SIGNS = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
"""The sign of the negation."""

_Normal = tuple[str, object]


@lru_cache(maxsize=5_000)
def read(lines: tuple[str, ...]) -> tuple[Condition, ...]:
    """Read the conditions of some lines; raises ``LineError`` if one is no condition."""
    try:
        return tuple(read_condition(line, 1, []) for line in lines)
    except ProgramError as error:
        raise symbols.LineError(error.reason) from error


def numbered(conditions: Sequence[Condition], places: int) -> symbols.Numbered:
    """Return conditions with their variables by number."""
    numbering = symbols.Numbering()
    for condition in conditions:
        for name in variables(condition):
            numbering.mention(symbols.Symbol(symbols.SymbolKind.VARIABLE, name, 0))
    names = {symbol.name: str(number) for symbol, number in numbering.numbers.items()}
    return numbering.numbered((tuple(with_names(condition, names) for condition in conditions), places))


@lru_cache(maxsize=20_000)
def fits(gold: Shape, other: Shape) -> symbols.Fits:
    """Return the maps under which gold conditions are others."""
    (ours, places), (theirs, _) = gold, other
    mentions = tuple(int(name) for condition in ours for name in variables(condition))
    of_gold, of_other = (
        [symbols.Symbol(symbols.SymbolKind.VARIABLE, str(number), 0) for number in range(count)]
        for count in (len({name for condition in side for name in variables(condition)}) for side in (ours, theirs))
    )
    if max(len(of_gold), len(of_other)) > MAX_LISTED:
        return symbols.Fits((), False)
    kept: list[symbols.NumberedFit] = []
    # Of so few variables there are never too many candidates.
    for checked, images in enumerate(candidates(of_gold, of_other)):
        if checked == MAX_CHECKS or len(kept) == MAX_FITS:
            return symbols.Fits(tuple(symbols.distinct(kept)), False)
        names = {str(number): str(image[0].symbol) for number, image in images.items()}
        if same(tuple(with_names(condition, names) for condition in ours), theirs, places):
            kept.append(tuple(images[number] for number in mentions))
    return symbols.Fits(tuple(symbols.distinct(kept)), True)


def same(first: Sequence[Condition], second: Sequence[Condition], places: int) -> bool:
    """Return whether conditions are known to hold for the same places."""
    if _of_all(first) == _of_all(second):
        return True
    names = sorted({name for condition in (*first, *second) for name in variables(condition)})
    if not places or places ** len(names) > MAX_VALUES:
        return False
    return _counter(first, second, names, places) is None


def difference(first: Sequence[Condition], second: Sequence[Condition], places: int) -> dict[str, int] | None:
    """Return places for which conditions hold and others do not; None if no such places are found."""
    names = sorted({name for condition in (*first, *second) for name in variables(condition)})
    return _counter(first, second, names, places) if places ** len(names) <= MAX_VALUES else None


def _counter(
    first: Sequence[Condition], second: Sequence[Condition], names: Sequence[str], places: int
) -> dict[str, int] | None:
    for values in product(range(1, places + 1), repeat=len(names)):
        assignment = dict(zip(names, values, strict=True))
        if all(holds(condition, assignment) for condition in first) != all(
            holds(condition, assignment) for condition in second
        ):
            return assignment
    return None


def _of_all(conditions: Sequence[Condition]) -> _Normal:
    return _junction("and", [_normal(condition, True) for condition in conditions])


def _junction(kind: str, parts: Sequence[_Normal]) -> _Normal:
    flat: set[object] = set()
    for part in parts:
        if part[0] == kind and isinstance(part[1], frozenset):
            flat |= part[1]
        else:
            flat.add(part)
    if len(flat) == 1:
        (only,) = flat
        return only  # type: ignore[return-value]
    return kind, frozenset(flat)


def _normal(condition: Condition, value: bool) -> _Normal:
    """Return a normal form of a condition or its negation: ≤, = and ≠ of sums, and sets of conjuncts or disjuncts."""
    match condition:
        case Comparison(sign, left, right):
            return _compared(sign if value else _SIGNS[sign], left, right)
        case AllDifferent(sums):
            sign, kind = ("!=", "and") if value else ("==", "or")
            return _junction(kind, [_compared(sign, *pair) for pair in combinations(sums, 2)])
        case Negation(negated):
            return _normal(negated, not value)
        case Junction(kind, parts):
            other = {"and": "or", "or": "and"}[kind]
            return _junction(kind if value else other, [_normal(part, value) for part in parts])


def _compared(sign: str, left: Sum, right: Sum) -> _Normal:
    if sign in (">", ">="):
        sign, left, right = {">": "<", ">=": "<="}[sign], right, left
    constant, factors = left.constant - right.constant, dict[object, int]()
    for direction, side in ((1, left), (-1, right)):
        for factor, part in side.parts:
            of = part if isinstance(part, str) else ("|", _compared("==", part.of, Sum(0)))
            factors[of] = factors.get(of, 0) + direction * factor
    factors = {of: factor for of, factor in factors.items() if factor}
    if sign == "<":
        sign, constant = "<=", constant + 1
    if sign != "<=":
        # Of the two ways to write an equation, one: that with a positive first factor.
        first = min(factors, key=repr, default=None)
        if (factors.get(first, 0) or constant) < 0:
            constant, factors = -constant, {of: -factor for of, factor in factors.items()}
    terms = tuple(sorted(factors.items(), key=repr))
    return sign, (terms, constant)


def renamed(line: str, image: Callable[[symbols.Symbol], symbols.Image]) -> str:
    """Return the line with an image for each mention of a variable."""
    known = {name for condition in read((line,)) for name in variables(condition)}

    def name(match: re.Match[str]) -> str:
        return (
            image(symbols.Symbol(symbols.SymbolKind.VARIABLE, match[0], 0))[0].symbol.name
            if match[0] in known
            else match[0]
        )

    return _NAME.sub(name, line)
