"""Equivalence of two expressions, with the least word that tells them apart.

The subsets of both position automata are merged by union-find, breadth first (Hopcroft and Karp, *A Linear Algorithm
for Testing Equivalence of Finite Automata*, 1971). The first difference met is the least word in exactly one of the
languages, by length and then letter by letter: a pair that is skipped because it is merged already would show its
differences behind a lesser word. That word is confirmed by Thompson's construction (*Regular Expression Search
Algorithm*, CACM 1968), which shares nothing with the automata.
"""

from enum import StrEnum
from typing import NamedTuple

from nlfol.logic.regular import syntax
from nlfol.logic.regular.automata import BUDGET, Automaton
from nlfol.logic.regular.errors import StateBudgetError


class Outcome(StrEnum):
    """Outcome of a comparison of two expressions."""

    EQUIVALENT = "equivalent"
    NOT_EQUIVALENT = "not_equivalent"
    UNKNOWN = "unknown"


class Verdict(NamedTuple):
    """An outcome with its evidence; ``means`` is what decided, or what ran out, with the reason as a sentence."""

    outcome: Outcome
    means: str
    pair: tuple[syntax.Expression, syntax.Expression]
    unconfirmed: str | None = None
    reason: str | None = None

    @property
    def word(self) -> str | None:
        """Return the shortest word in one language alone, first in letter order; a matcher confirms it each time."""
        word = self.unconfirmed
        if word is not None and matches(self.pair[0], word) == matches(self.pair[1], word):
            raise AssertionError(f"automata and matcher differ on {word!r}: {self.pair[0]} and {self.pair[1]}")
        return word


def equivalence(first: syntax.Expression, second: syntax.Expression, budget: int = BUDGET) -> Verdict:
    """Decide whether two expressions denote one language, visiting at most ``budget`` subsets of states."""
    pair = (first, second)
    if first is second:
        return Verdict(Outcome.EQUIVALENT, "same_tree", pair)
    automaton = Automaton()
    try:
        starts = automaton.add(first), automaton.add(second)
    except StateBudgetError as error:
        return Verdict(Outcome.UNKNOWN, "size", pair, reason=str(error))
    try:
        word = _difference(automaton, *starts, budget)
    except StateBudgetError as error:
        return Verdict(Outcome.UNKNOWN, "budget", pair, reason=str(error))
    if word is None:
        return Verdict(Outcome.EQUIVALENT, "automata", pair)
    return Verdict(Outcome.NOT_EQUIVALENT, "automata", pair, word)


def is_constant(expression: syntax.Expression, alphabet: str, budget: int = BUDGET) -> bool:
    """Return whether the language is all words over the alphabet; raises `StateBudgetError` beyond the budget."""
    everything = syntax.Star(syntax.union(syntax.LETTER_OF[letter] for letter in sorted(set(alphabet))))
    verdict = equivalence(expression, everything, budget)
    if verdict.outcome is Outcome.UNKNOWN:
        raise StateBudgetError(str(verdict.reason))
    return verdict.outcome is Outcome.EQUIVALENT


def _difference(automaton: Automaton, first: int, second: int, budget: int) -> str | None:
    """Return the least word that leads from exactly one of two subsets to an accepting one."""
    accepting, reached = automaton.accepting, automaton.reached
    if (not first & accepting) is not (not second & accepting):
        return ""
    moves = sorted(automaton.letters.items())
    parent = {first: second}
    pairs = [(first, second)]
    origins = [(0, "")]
    number = 0
    while number < len(pairs):
        first, second = pairs[number]
        after_first, after_second = reached(first), reached(second)
        if automaton.visited > budget:
            raise StateBudgetError(f"more than {budget} subsets of states were visited")
        for letter, mask in moves:
            left, right = after_first & mask, after_second & mask
            if left == right:
                continue
            if (not left & accepting) is not (not right & accepting):
                letters = [letter]
                while number:
                    number, before = origins[number]
                    letters.append(before)
                return "".join(reversed(letters))
            one, other = _root(parent, left), _root(parent, right)
            if one != other:
                parent[one] = other
                pairs.append((left, right))
                origins.append((number, letter))
        number += 1
    return None


def _root(parent: dict[int, int], subset: int) -> int:
    """Return the representative of a subset's class, halving the way there."""
    above = parent.get(subset)
    while above is not None:
        further = parent.get(above)
        if further is None:
            return above
        parent[subset] = further
        subset = further
        above = parent.get(subset)
    return subset


class Matcher:
    """The states and moves of one expression; each has one entry and one exit."""

    def __init__(self, expression: syntax.Expression) -> None:
        self._free: list[list[int]] = []
        self._by_letter: dict[int, tuple[str, int]] = {}
        self._entry, self._exit = self._state(), self._state()
        stack = [(expression, self._entry, self._exit)]
        while stack:
            node, entry, exit_ = stack.pop()
            match node:
                case syntax.Letter(symbol):
                    self._by_letter[entry] = (symbol, exit_)
                case syntax.Epsilon():
                    self._free[entry].append(exit_)
                case syntax.Concatenation(operands):
                    borders = [entry, *(self._state() for _ in operands[1:]), exit_]
                    stack.extend(
                        (operand, self._inside(borders[number]), borders[number + 1])
                        for number, operand in enumerate(operands)
                    )
                case syntax.Union(operands):
                    stack.extend((operand, self._inside(entry), exit_) for operand in operands)
                case syntax.Star() | syntax.Plus() | syntax.Option():
                    (operand,) = syntax.children(node)
                    begin, end = self._inside(entry), self._state()
                    self._free[end].append(exit_)
                    if not isinstance(node, syntax.Option):
                        self._free[end].append(begin)
                    if not isinstance(node, syntax.Plus):
                        self._free[entry].append(exit_)
                    stack.append((operand, self._inside(begin), end))

    def _state(self) -> int:
        self._free.append([])
        return len(self._free) - 1

    def _inside(self, entry: int) -> int:
        state = self._state()
        self._free[entry].append(state)
        return state

    def _freely(self, states: set[int]) -> set[int]:
        reached = set(states)
        todo = list(states)
        while todo:
            for state in self._free[todo.pop()]:
                if state not in reached:
                    reached.add(state)
                    todo.append(state)
        return reached

    def __call__(self, word: str) -> bool:
        """Return whether the word is in the language."""
        states = self._freely({self._entry})
        for letter in word:
            moves = (self._by_letter.get(state) for state in states)
            states = self._freely({move[1] for move in moves if move is not None and move[0] == letter})
        return self._exit in states


def matches(expression: syntax.Expression, word: str) -> bool:
    """Return whether the word is in the language of the expression."""
    return Matcher(expression)(word)
