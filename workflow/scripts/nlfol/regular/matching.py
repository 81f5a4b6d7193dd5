"""Whether a word is in the language of an expression, by Thompson's construction: for confirming what automata say.

Thompson, *Regular Expression Search Algorithm*, CACM 1968. Shares nothing with ``automata``.
"""

from __future__ import annotations

from nlfol.regular.syntax import (
    Concatenation,
    Epsilon,
    Expression,
    Letter,
    Option,
    Plus,
    Star,
    Union,
    children,
)


class Matcher:
    """The states and moves of one expression; each has one entry and one exit."""

    def __init__(self, expression: Expression) -> None:
        self._free: list[list[int]] = []
        self._by_letter: dict[int, tuple[str, int]] = {}
        self._entry, self._exit = self._state(), self._state()
        stack = [(expression, self._entry, self._exit)]
        while stack:
            node, entry, exit_ = stack.pop()
            match node:
                case Letter(symbol):
                    self._by_letter[entry] = (symbol, exit_)
                case Epsilon():
                    self._free[entry].append(exit_)
                case Concatenation(operands):
                    borders = [entry, *(self._state() for _ in operands[1:]), exit_]
                    stack.extend(
                        (operand, self._inside(borders[number]), borders[number + 1])
                        for number, operand in enumerate(operands)
                    )
                case Union(operands):
                    stack.extend((operand, self._inside(entry), exit_) for operand in operands)
                case Star() | Plus() | Option():
                    (operand,) = children(node)
                    begin, end = self._inside(entry), self._state()
                    self._free[end].append(exit_)
                    if not isinstance(node, Option):
                        self._free[end].append(begin)
                    if not isinstance(node, Plus):
                        self._free[entry].append(exit_)
                    stack.append((operand, self._inside(begin), end))

    def _state(self) -> int:
        self._free.append([])
        return len(self._free) - 1

    def _inside(self, entry: int) -> int:
        """A new state that is freely reached from another."""
        state = self._state()
        self._free[entry].append(state)
        return state

    def _freely(self, states: set[int]) -> set[int]:
        found = set(states)
        todo = list(states)
        while todo:
            for state in self._free[todo.pop()]:
                if state not in found:
                    found.add(state)
                    todo.append(state)
        return found

    def __call__(self, word: str) -> bool:
        """Whether the word is in the language."""
        states = self._freely({self._entry})
        for letter in word:
            moves = (self._by_letter.get(state) for state in states)
            states = self._freely({move[1] for move in moves if move is not None and move[0] == letter})
        return self._exit in states


def matches(expression: Expression, word: str) -> bool:
    """Whether the word is in the language of the expression."""
    return Matcher(expression)(word)
