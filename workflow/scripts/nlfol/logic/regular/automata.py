"""Position automata: one state for each letter of an expression, subsets of them as bit masks; and minimal ones.

Glushkov, *The Abstract Theory of Automata*, 1961; McNaughton and Yamada, *Regular Expressions and State Graphs for
Automata*, 1960. A position is one occurrence of a letter. Its state is left for the positions that can follow it, by
their letters. Every state leads to an accepted word, so that the empty subset alone is dead.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from nlfol.logic.regular.errors import StateBudgetError
from nlfol.logic.regular.syntax import Concatenation, Epsilon, Expression, Letter, Option, Plus, Star, Union

MAX_POSITIONS = 1_000
"""Letters, each occurrence counted, of the largest expression that becomes an automaton."""
BUDGET = 100_000
"""Subsets that are visited by default."""

_Part = tuple[bool, int, list[int]]
"""Part of an expression: if it has the empty word, the mask of its first positions, its last positions."""


@dataclass(slots=True)
class Automaton:
    """The position automata of one or several expressions, over different states; each state is a bit of the masks.

    ``follow`` has by state those that can follow it, ``letters`` by letter those that it leads to.
    """

    follow: dict[int, int] = field(default_factory=dict)
    letters: dict[str, int] = field(default_factory=dict)
    accepting: int = 0
    _reached: dict[int, int] = field(default_factory=lambda: {0: 0})

    @property
    def visited(self) -> int:
        """Return the number of subsets that were left."""
        return len(self._reached)

    def add(self, expression: Expression) -> int:
        """Add an expression and return its start state; raises `StateBudgetError` if it is too long."""
        start = 1 << len(self.follow)
        self.follow[start] = 0
        nullable, first, last = self._positions(expression)
        self.follow[start] = first
        accepting = start if nullable else 0
        for bit in last:
            accepting |= bit
        self.accepting |= accepting
        return start

    def reached(self, subset: int) -> int:
        """Return the states that some letter leads to."""
        known = self._reached.get(subset)
        if known is not None:
            return known
        follow = self.follow
        reached = 0
        rest = subset
        while rest:
            bit = rest & -rest
            reached |= follow[bit]
            rest ^= bit
        self._reached[subset] = reached
        return reached

    def _positions(self, expression: Expression) -> _Part:
        follow, letters = self.follow, self.letters
        most = len(follow) + MAX_POSITIONS
        bit = 1 << len(follow)
        done: list[_Part] = []
        # A tuple is an operator whose operands are done: the last so many.
        stack: list[Expression | tuple[type, int]] = [expression]
        while stack:
            node = stack.pop()
            kind = type(node)
            if kind is Letter:
                letters[node.symbol] = letters.get(node.symbol, 0) | bit  # type: ignore[union-attr]
                follow[bit] = 0
                done.append((False, bit, [bit]))
                bit <<= 1
                if len(follow) > most:
                    raise StateBudgetError(f"more than {MAX_POSITIONS} letters in an expression")
            elif kind is tuple:
                kind, length = node  # type: ignore[misc]
                if kind is Concatenation:
                    done[-length:] = [_concatenated(done[-length:], follow)]
                elif kind is Union:
                    done[-length:] = [_united(done[-length:])]
                else:
                    nullable, first, last = done[-1]
                    if kind is not Option:
                        for position in last:
                            follow[position] |= first
                    done[-1] = (nullable or kind is not Plus, first, last)
            elif kind is Star or kind is Plus or kind is Option:
                operand = node.operand  # type: ignore[union-attr]
                while type(operand) is kind:  # a star of a star is that star, and so on
                    operand = operand.operand
                stack += ((kind, 1), operand)
            elif kind is Epsilon:
                done.append((True, 0, []))
            else:
                operands = node.operands  # type: ignore[union-attr]
                stack.append((kind, len(operands)))
                stack.extend(operands[::-1])
        return done[0]


def _concatenated(parts: list[_Part], follow: dict[int, int]) -> _Part:
    # From right to left, so that what follows a part is entered once, however many parts after it may be empty.
    nullable, first, last = parts[-1]
    for part_nullable, part_first, part_last in parts[-2::-1]:
        for position in part_last:
            follow[position] |= first
        if nullable:
            last = last + part_last
            nullable = part_nullable
        first = part_first | first if part_nullable else part_first
    return nullable, first, last


def _united(parts: list[_Part]) -> _Part:
    nullable, first, last = parts[0]
    last = list(last)
    for also_nullable, next_first, next_last in parts[1:]:
        nullable = nullable or also_nullable
        first |= next_first
        last += next_last
    return nullable, first, last


class AutomatonSize(NamedTuple):
    """|V| and |E| of the minimal deterministic automaton, without the state that leads nowhere and edges to it."""

    states: int
    edges: int

    @property
    def density(self) -> float:
        """Return |E| / (|V| (|V| - 1)), rounded to one decimal; 0 for two states or fewer (AutoEval, equation 1)."""
        return round(self.edges / (self.states * (self.states - 1)), 1) if self.states > 2 else 0.0


def automaton_size(expression: Expression, budget: int = BUDGET) -> AutomatonSize:
    """Return the size of the minimal automaton; raises `StateBudgetError` beyond the budget of subsets of positions."""
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
