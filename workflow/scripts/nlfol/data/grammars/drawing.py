"""Draws of derivations: uniform over all derivations of a value, or as published, over those that an expansion finds.

The expansion is that of ∀uto∃∨∧L (Karia et al., ICLR 2025, algorithm 1) as its released code has it. From the start
symbol, level by level: some of the partial strings of a level are sampled, and each is completed from left to right by
alternatives without nonterminals, in random order, so many times at most. Wherever an alternative with nonterminals
comes up on the way, it makes a partial string of the next level: what is left of it is complete, and what is right of
it stays as it was. So a derivation that is complete at a level has one rule with nonterminals less than that.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from typing_extensions import override

from nlfol.data.grammars.counting import QUANTIFIERS, AdditiveCounts
from nlfol.data.grammars.grammar import DEPTH, EQUATION, LEAF, Grammar, left_grouped

LEVELS, BRANCHING = 40, 200
"""Levels; partial strings sampled at each, and completions of each of them (table 1)."""

MAX_TRIED = 10_000
"""Alternatives tried in completing a partial string, after which it is left."""

_AFTER_NEGATION = "operators_published"
"""The cost in which a ¬ does not count where the nonterminal after it becomes an atom by itself."""


class _Option(NamedTuple):
    """An alternative: the character of its number, its cost, and its nonterminals as ``_Partial.open`` has them."""

    alternative: str
    cost: int
    parts: tuple[int, ...]


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
        self._counts = AdditiveCounts(grammar, [by, *([QUANTIFIERS] if quantifiers else [])])
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
    """The derivations that ``expand`` finds, as often as it finds them."""

    def __init__(
        self, grammar: Grammar, by: str, values: Collection[int], randomness: Random, *, levels: int, branching: int
    ) -> None:
        self._grammar = grammar
        self._found = expand(grammar, by, values, randomness, levels=levels, branching=branching)

    @override
    def draw(self, value: int, randomness: Random) -> list[int]:
        return left_grouped(self._grammar, [*map(ord, randomness.choice(self._found[value]))])

    @override
    def is_empty(self, value: int) -> bool:
        return not self._found.get(value)


@dataclass(frozen=True, slots=True, eq=False)
class _Partial:
    """A string with a complete left part: its derivation up to there, and the nonterminals that are ``open``.

    Of these −1 − n stands directly after a ¬. ``value`` is what it costs so far.
    """

    derivation: str
    open: tuple[int, ...]
    value: int


def expand(
    grammar: Grammar, by: str, values: Collection[int], randomness: Random, *, levels: int, branching: int
) -> dict[int, list[str]]:
    """Expand a grammar into derivations by value: a character for the number of each alternative, in preorder."""
    table = _table(grammar, by)
    complete: dict[int, list[str]] = {value: [] for value in values}
    level = [_Partial("", (grammar.start,), int(by == DEPTH))]
    for _ in range(levels):
        drawn: list[_Partial] = []
        for partial in randomness.sample(level, min(branching, len(level))):
            still_open: list[_Partial] = []
            completions = 0
            for made in _completed(partial, table, randomness):
                if made.open:
                    still_open.append(made)
                    continue
                if made.value in complete:
                    complete[made.value].append(made.derivation)
                completions += 1
                if completions == branching:
                    break
            drawn += randomness.sample(still_open, min(branching, len(still_open)))
        level = drawn
    return complete


def _completed(partial: _Partial, table: Mapping[int, list[_Option]], randomness: Random) -> Iterator[_Partial]:
    """Yield completions, and the partial strings of the next level, as they come up."""

    def options(index: int) -> Iterator[_Option]:
        alternatives = table[partial.open[index]]
        return iter(randomness.sample(alternatives, len(alternatives)))

    if not partial.open:
        return
    derivations, costs, stack, tried = [partial.derivation], [partial.value], [options(0)], 0
    while stack and tried < MAX_TRIED:
        option = next(stack[-1], None)
        if option is None:
            stack.pop()
            derivations.pop()
            costs.pop()
            continue
        tried += 1
        derivation, cost = derivations[-1] + option.alternative, costs[-1] + option.cost
        rest = partial.open[len(stack) :]
        if option.parts or not rest:
            yield _Partial(derivation, (*option.parts, *rest) if option.parts else (), cost)
        else:
            stack.append(options(len(stack)))
            derivations.append(derivation)
            costs.append(cost)


def _table(grammar: Grammar, by: str) -> dict[int, list[_Option]]:
    table: dict[int, list[_Option]] = {}
    logical, costs = grammar.language != "regular", grammar.costs_of(by)
    for number, rule in enumerate(grammar.rules):
        plain: list[_Option] = []
        negated: list[_Option] = []
        for alternative in rule:
            entry, cost = grammar.alternatives[alternative], costs[alternative]
            parts = after = entry.parts
            if entry.template is not None and by == _AFTER_NEGATION:
                symbols = entry.template.symbols
                parts = tuple(
                    -1 - symbol if at and symbols[at - 1] == "¬" else symbol
                    for at, symbol in enumerate(symbols)
                    if isinstance(symbol, int)
                )
                after = (-1 - symbols[0],) if len(symbols) == 1 and isinstance(symbols[0], int) else parts
            is_atom = entry.template is not None and entry.template.symbols in ((LEAF,), (EQUATION,))
            less = logical and is_atom and by == _AFTER_NEGATION
            plain.append(_Option(chr(alternative), cost, parts))
            negated.append(_Option(chr(alternative), cost - less, after))
        table[number], table[-1 - number] = plain, negated
    return table
