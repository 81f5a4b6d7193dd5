"""Draws of derivations: uniform over all derivations of a value, or as published, over those that an expansion finds.

The expansion is ∀uto∃∨∧L's algorithm 1 (Karia et al., ICLR 2025). From the start symbol, level by level: some of the
partial strings of a level are sampled, each of them is expanded some times by a random alternative for each nonterminal
in it, and the strings that are complete are collected by value.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from random import Random
from typing import NamedTuple

from typing_extensions import override

from nlfol.grammars.counting import DEPTH, QUANTIFIERS, count_by
from nlfol.grammars.grammar import EQUATION, LEAF, Grammar

LEVELS, BRANCHING = 40, 200
"""Levels; partial strings sampled at each, and expansions of each of them (table 1)."""

MAX_OPEN = 60
"""Nonterminals in a partial string above which it is left out."""

MANY = 10_000
"""Expansions that a partial string can have, above which those drawn are assumed to differ."""

_Choices = tuple[int, ...]
"""The alternative chosen for each nonterminal of a partial string, left to right."""

_AFTER_NEGATION = "operators_published"
"""The cost in which a ¬ does not count where the nonterminal after it becomes an atom by itself."""

_Option = tuple[int, int, tuple[int, ...]]
"""An alternative, its cost, and its nonterminals as ``_Partial.open`` has them."""


class Derivations(ABC):
    """A source of derivations."""

    @abstractmethod
    def draw(self, value: int, randomness: Random) -> list[int]:
        """Draw one of a value that has some, as the list of its alternatives in preorder."""

    @abstractmethod
    def is_empty(self, value: int) -> bool:
        """Return whether there is none of a value."""


class AllDerivations(Derivations):
    """All derivations, uniform over those of a value and number of quantifiers; `GrammarError` if infinitely many."""

    def __init__(self, grammar: Grammar, by: str, quantifiers: tuple[int, int] | None = None) -> None:
        self._counts = count_by(grammar, by, [QUANTIFIERS] if quantifiers else [])
        self._numbers = [(number,) for number in range(quantifiers[0], quantifiers[1] + 1)] if quantifiers else [()]
        self._totals: dict[int, list[tuple[tuple[int, ...], int]]] = {}

    @override
    def draw(self, value: int, randomness: Random) -> list[int]:
        totals = self._of(value)
        others, total = totals[randomness.randrange(len(totals))]
        return self._counts.unrank(randomness.randrange(total), value, *others)

    @override
    def is_empty(self, value: int) -> bool:
        return not self._of(value)

    def count(self, value: int) -> int:
        """Return how many there are of a value."""
        return sum(total for _, total in self._of(value))

    def _of(self, value: int) -> list[tuple[tuple[int, ...], int]]:
        known = self._totals.get(value)
        if known is None:
            counted = [(others, self._counts.count(value, *others)) for others in self._numbers]
            known = self._totals[value] = [entry for entry in counted if entry[1]]
        return known


class ExpandedDerivations(Derivations):
    """The derivations that ``expand`` finds, all equally likely."""

    def __init__(self, grammar: Grammar, by: str, values: Collection[int], randomness: Random) -> None:
        self._derivations = expand(grammar, by, values, randomness)

    @override
    def draw(self, value: int, randomness: Random) -> list[int]:
        return randomness.choice(self._derivations[value])

    @override
    def is_empty(self, value: int) -> bool:
        return not self._derivations.get(value)


@dataclass(frozen=True, slots=True, eq=False)
class _Partial:
    """A string with nonterminals (``open``, −1 − n directly after a ¬), the choices that made it, its value so far."""

    before: _Partial | None
    choices: _Choices
    open: tuple[int, ...]
    value: int


def expand(
    grammar: Grammar,
    by: str,
    values: Collection[int],
    randomness: Random,
    *,
    depth: int = LEVELS,
    branching: int = BRANCHING,
) -> dict[int, list[list[int]]]:
    """Expand a grammar into distinct derivations by value, each the list of its alternatives in preorder."""
    table = _table(grammar, by)
    complete: dict[int, dict[tuple[_Partial, _Choices], None]] = {value: {} for value in values}
    level = [_Partial(None, (), (grammar.start,), 0)]
    for number in range(1, depth + 1):
        parents = level if len(level) <= branching else randomness.sample(level, branching)
        still_open: list[tuple[_Partial, list[_Option] | None]] = []
        for partial in parents:
            rows = [table[nonterminal] for nonterminal in partial.open]
            if prod(len(row.all) for row in rows) > MANY:
                # Hardly two expansions are the same, and few of those with nonterminals go on: these are drawn then.
                share = prod(len(row.last) / len(row.all) for row in rows)
                finished = [
                    _chosen([row.last for row in rows], randomness)
                    for _ in range(branching)
                    if randomness.random() < share
                ]
                still_open += [(partial, None)] * (branching - len(finished))
            else:
                # Most expansions are drawn more than once: places are compared, and options looked up later.
                random, lengths = randomness.random, [len(row.all) for row in rows]
                drawn = dict.fromkeys([tuple([int(random() * n) for n in lengths]) for _ in range(branching)])
                distinct = [[row.all[place] for row, place in zip(rows, places, strict=True)] for places in drawn]
                still_open += [(partial, options) for options in distinct if _is_open(options)]
                finished = [options for options in distinct if not _is_open(options)]
            for options in finished:
                value = number if by == DEPTH else partial.value + sum(cost for _, cost, _ in options)
                if value in complete:
                    complete[value][partial, tuple(alternative for alternative, _, _ in options)] = None
        level = [
            _expanded(partial, options or _open_options(partial, table, randomness))
            for partial, options in randomness.sample(still_open, min(branching, len(still_open)))
        ]
        level = [partial for partial in level if len(partial.open) <= MAX_OPEN]
    return {value: [_preorder(grammar, *entry) for entry in found] for value, found in complete.items()}


def _expanded(partial: _Partial, options: Sequence[_Option]) -> _Partial:
    opened = tuple(part for _, _, parts in options for part in parts)
    value = partial.value + sum(cost for _, cost, _ in options)
    return _Partial(partial, tuple(alternative for alternative, _, _ in options), opened, value)


def _open_options(partial: _Partial, table: Mapping[int, _Replacements], randomness: Random) -> list[_Option]:
    rows = [table[nonterminal].all for nonterminal in partial.open]
    while not _is_open(options := _chosen(rows, randomness)):
        pass
    return options


def _is_open(options: Sequence[_Option]) -> bool:
    return any(parts for _, _, parts in options)


def _chosen(rows: Sequence[Sequence[_Option]], randomness: Random) -> list[_Option]:
    return [row[int(randomness.random() * len(row))] for row in rows]


class _Replacements(NamedTuple):
    """The alternatives of a nonterminal, and the last ones of a string: those without nonterminals."""

    all: Sequence[_Option]
    last: Sequence[_Option]


def _table(grammar: Grammar, by: str) -> dict[int, _Replacements]:
    table: dict[int, _Replacements] = {}
    logical = grammar.language != "regular"
    place = grammar.costs.index(by) if by in grammar.costs else None
    for number, rule in enumerate(grammar.rules):
        plain: list[_Option] = []
        negated: list[_Option] = []
        for alternative in rule:
            entry = grammar.alternatives[alternative]
            cost, parts = 0 if place is None else entry.costs[place], entry.parts
            after = parts
            if entry.template is not None and by == _AFTER_NEGATION:
                symbols = entry.template.symbols
                parts = tuple(
                    -1 - symbol if at and symbols[at - 1] == "¬" else symbol
                    for at, symbol in enumerate(symbols)
                    if isinstance(symbol, int)
                )
                after = (-1 - symbols[0],) if len(symbols) == 1 and isinstance(symbols[0], int) else parts
            is_atom = entry.template is not None and entry.template.symbols in ((LEAF,), (EQUATION,))
            plain.append((alternative, cost, parts))
            negated.append((alternative, cost - (logical and is_atom), after))
        for key, options in ((number, plain), (-1 - number, negated)):
            table[key] = _Replacements(options, [option for option in options if not option[2]])
    return table


def _preorder(grammar: Grammar, partial: _Partial, last: _Choices) -> list[int]:
    levels: list[Sequence[int]] = [last]
    at: _Partial | None = partial
    while at is not None and at.choices:
        levels.append(at.choices)
        at = at.before
    levels.reverse()
    # Each level's trees are put together from those of the level below it.
    below: list[list[int]] = []
    for level in reversed(levels):
        trees = iter(below)
        below = [
            [alternative, *(step for _ in grammar.alternatives[alternative].parts for step in next(trees))]
            for alternative in level
        ]
    return below[0]
