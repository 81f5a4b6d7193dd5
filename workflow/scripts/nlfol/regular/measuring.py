"""Operators of an expression, and the size of its minimal automaton."""

from collections import defaultdict
from typing import NamedTuple

from nlfol.regular.automata import BUDGET, Automaton
from nlfol.regular.errors import StateBudgetError
from nlfol.regular.syntax import Concatenation, Expression, Option, Plus, Star, Union, children, fold

_NAMES = {Concatenation: "concatenation", Union: "union", Star: "star", Plus: "plus", Option: "option"}


def count_operators(expression: Expression) -> dict[str, int]:
    """Count concatenations and unions (one between two operands), stars, plus signs and options."""

    def step(node: Expression, parts: tuple[list[int], ...]) -> list[int]:
        own = max(1, len(children(node)) - 1)
        return [own * isinstance(node, kind) + sum(part[place] for part in parts) for place, kind in enumerate(_NAMES)]

    counts: list[int] = fold(expression, step)
    return dict(zip(_NAMES.values(), counts, strict=True))


def depth(expression: Expression) -> int:
    """Return the depth of the syntax tree, in which a chain is one node; a leaf is 1 deep."""
    return fold(expression, lambda _, parts: 1 + max(parts, default=0))


class AutomatonSize(NamedTuple):
    """The size of the minimal deterministic automaton, without the state that leads nowhere.

    Attributes:
        states: |V|, of 1 or more.
        edges: |E|, one for each state and letter that do not lead to nowhere.
    """

    states: int
    edges: int

    @property
    def density(self) -> float:
        """Return |E| / (|V| (|V| - 1)), rounded to one decimal; 0 for two states or fewer (AutoEval, equation 1)."""
        return round(self.edges / (self.states * (self.states - 1)), 1) if self.states > 2 else 0.0


def automaton_size(expression: Expression, budget: int = BUDGET) -> AutomatonSize:
    """Return the size of the minimal deterministic automaton.

    Raises:
        StateBudgetError: if more than ``budget`` subsets of positions are met, or the expression is too long.
    """
    moves, accepting = _subset_automaton(expression, budget)
    classes = _refined(moves, accepting)
    representatives = dict(zip(classes, moves, strict=True))
    return AutomatonSize(
        states=len(representatives),
        edges=sum(target >= 0 for targets in representatives.values() for target in targets),
    )


def _subset_automaton(expression: Expression, budget: int) -> tuple[list[list[int]], list[bool]]:
    """Return for each state its target by each letter, -1 for none, and whether it accepts; state 0 starts."""
    automaton = Automaton()
    number = {automaton.add(expression): 0}
    masks = [mask for _, mask in sorted(automaton.letters.items())]
    subsets = list(number)
    moves: list[list[int]] = []
    while len(moves) < len(subsets):
        reached = automaton.reached(subsets[len(moves)])
        targets = []
        for mask in masks:
            target = reached & mask
            if target and target not in number:
                number[target] = len(subsets)
                subsets.append(target)
                if len(subsets) > budget:
                    raise StateBudgetError(f"more than {budget} subsets of states were visited")
            targets.append(number[target] if target else -1)
        moves.append(targets)
    return moves, [bool(subset & automaton.accepting) for subset in subsets]


def _refined(moves: list[list[int]], accepting: list[bool]) -> list[int]:
    """Return the class of each state under equivalence (Hopcroft, *An n log n Algorithm*, 1971).

    Only the state that leads nowhere has an empty language, so that a missing target is a class of its own.
    """
    width = len(moves[0])
    sources: list[dict[int, list[int]]] = [defaultdict(list) for _ in range(width)]
    for state, targets in enumerate(moves):
        for letter, target in enumerate(targets):
            sources[letter][target].append(state)
    members = [
        block for block in ({s for s, a in enumerate(accepting) if a is value} for value in (True, False)) if block
    ]
    of_state = [0] * len(moves)
    for number, block in enumerate(members):
        for state in block:
            of_state[state] = number
    waiting = [*map(frozenset, members), frozenset([-1])]
    while waiting:
        splitter = waiting.pop()
        for letter in range(width):
            into: dict[int, set[int]] = defaultdict(set)
            for target in splitter:
                for state in sources[letter].get(target, ()):
                    into[of_state[state]].add(state)
            for number, inside in into.items():
                block = members[number]
                if len(inside) == len(block):
                    continue
                block -= inside
                for state in inside:
                    of_state[state] = len(members)
                members.append(inside)
                # Of the whole, the partition is stable or will be made so; then one half makes it so for the other.
                waiting.append(frozenset(inside if len(inside) <= len(block) else block))
    return of_state
