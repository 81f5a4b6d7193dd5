"""Position automata: one state for each letter of an expression, subsets of them as bit masks.

Glushkov, *The Abstract Theory of Automata*, 1961; McNaughton and Yamada, *Regular Expressions and State Graphs for
Automata*, 1960. A position is one occurrence of a letter. Its state is left for the positions that can follow it, by
their letters. Every state leads to an accepted word, so that the empty subset alone is dead.
"""

from dataclasses import dataclass, field

from nlfol.regular.errors import StateBudgetError
from nlfol.regular.syntax import Concatenation, Epsilon, Expression, Letter, Option, Plus, Star, Union

MAX_POSITIONS = 1_000
"""Letters, each occurrence counted, of the largest expression that becomes an automaton."""
BUDGET = 100_000
"""Subsets that are visited by default."""

_Part = tuple[bool, int, list[int]]
"""Of a subexpression: whether it has the empty word, the mask of its first positions, its last positions."""


@dataclass(slots=True)
class Automaton:
    """The position automata of one or several expressions, over different states.

    Attributes:
        follow: each state, a bit, with the mask of those that can follow it.
        letters: each letter with the mask of the states that it leads to.
        accepting: the mask of the accepting states.
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
        """Return the start state of the expression's automaton, which is added.

        Raises:
            StateBudgetError: if it has more than ``MAX_POSITIONS`` positions.
        """
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
        found = 0
        rest = subset
        while rest:
            bit = rest & -rest
            found |= follow[bit]
            rest ^= bit
        self._reached[subset] = found
        return found

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
