"""Derivations as published: ∀uto∃∨∧L's algorithm 1 (Karia et al., ICLR 2025).

From the start symbol, level by level: some of the partial strings of a level are sampled, each of them is expanded
some times by a random alternative for each nonterminal in it, and the strings that are complete are collected by value.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random

from nlfol.grammars.grammar import Grammar
from nlfol.grammars.templates import EQUATION, LEAF

DEPTH, BRANCHING = 40, 200
"""Levels; partial strings sampled at each, and expansions of each of them (table 1)."""

MAX_OPEN = 1_000
"""Nonterminals in a partial string above which it is left out."""

_Choices = tuple[int, ...]
"""The alternative chosen for each nonterminal of a partial string, left to right."""

_AFTER_NEGATION = "operators_published"
"""The cost in which a ¬ does not count where what follows it becomes an atom by itself."""


@dataclass(frozen=True, slots=True, eq=False)
class _Partial:
    """A string with nonterminals.

    Attributes:
        before: the one that it was made from; none of the start symbol.
        choices: that made it.
        open: its nonterminals; negative, −1 − n, directly after a ¬.
        value: of the measure so far.
    """

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
    depth: int = DEPTH,
    branching: int = BRANCHING,
) -> dict[int, list[list[int]]]:
    """Distinct derivations by value, in the order found; each is the list of its alternatives in preorder.

    Args:
        grammar: the published one, if there is one.
        by: the measure.
        values: those to collect.
        randomness: that samples.
        depth: levels at most.
        branching: partial strings sampled at a level, and expansions of each.
    """
    table = _table(grammar, by)
    largest = max(values)
    complete: dict[int, list[tuple[_Partial, _Choices]]] = {value: [] for value in values}
    level = [_Partial(None, (), (grammar.start,), 0)]
    for number in range(1, depth + 1):
        following: list[tuple[_Partial, _Choices, int]] = []
        for partial in level if len(level) <= branching else randomness.sample(level, branching):
            options = [table[nonterminal] for nonterminal in partial.open]
            seen: set[_Choices] = set()
            for _ in range(branching):
                chosen = [option[int(randomness.random() * len(option))] for option in options]
                choices = tuple([alternative for alternative, _, _ in chosen])
                if choices in seen:
                    continue
                seen.add(choices)
                value = number if by == "depth" else partial.value + sum([cost for _, cost, _ in chosen])
                if any([parts for _, _, parts in chosen]):
                    if value <= largest:
                        following.append((partial, choices, value))
                elif value in complete:
                    complete[value].append((partial, choices))
        if len(following) > branching:
            following = randomness.sample(following, branching)
        level = [_opened(*entry, table) for entry in following]
        level = [partial for partial in level if len(partial.open) <= MAX_OPEN]
    return {value: [_preorder(grammar, *entry) for entry in found] for value, found in complete.items()}


_Option = tuple[int, int, tuple[int, ...]]
"""An alternative, its cost, and its nonterminals as ``_Partial.open`` has them."""


def _table(grammar: Grammar, by: str) -> dict[int, list[_Option]]:
    table: dict[int, list[_Option]] = {}
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
        table[number], table[-1 - number] = plain, negated
    return table


def _opened(partial: _Partial, choices: _Choices, value: int, table: dict[int, list[_Option]]) -> _Partial:
    parts = [
        part
        for nonterminal, choice in zip(partial.open, choices, strict=True)
        for alternative, _, parts in table[nonterminal]
        if alternative == choice
        for part in parts
    ]
    return _Partial(partial, choices, tuple(parts), value)


def _preorder(grammar: Grammar, partial: _Partial, last: _Choices) -> list[int]:
    """The alternatives of all levels, in preorder."""
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
