"""Exact numbers of derivation trees by value, and the tree of a rank among them.

A derivation is the list of its alternatives in preorder. Costs are counted by dynamic programming over nonterminal ×
cost, and the tree of a rank is found from the counts (Hickey and Cohen, *Uniform random generation of strings in a
context-free language*, SIAM J. Comput. 12, 1983). A rule of more than two nonterminals is counted from its last one
backwards, so that an option never has more than two parts.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, product

from nlfol.data.grammars.grammar import DEPTH, Grammar, GrammarError

QUANTIFIERS = "quantifiers"
"""The cost that a recipe's key of this name limits."""

MAX_BITS = 5_000
"""Bits of the largest number of trees, about as many as a tree has rules."""

Node = int | tuple[int, int]
"""A nonterminal; or (alternative, place): its nonterminals from that place on, at least two."""

Goal = tuple[int, ...]
"""The costs of the trees below a node."""

Target = tuple[Node, Goal]

Option = tuple[int, int | None, tuple[Target, ...]]
"""Number of trees, the alternative that begins them if one is chosen here, and their parts."""


class AdditiveCounts:
    """Numbers of trees by additive costs, the measure first; `GrammarError` if infinitely many have one value."""

    def __init__(self, grammar: Grammar, costs: Sequence[str]) -> None:
        self._grammar = grammar
        # A derivation has a depth of one before any rule adds to it.
        self._before = int(costs[0] == DEPTH)
        self._costs = list(zip(*(grammar.costs_of(cost) for cost in costs), strict=True))
        self._filled: Goal = (-1,) * len(costs)
        self._counts: dict[Target, int] = {}
        self._options: dict[Target, tuple[list[int], list[Option]]] = {}
        self._vanishing = self._at_no_cost()
        self._order = self._by_dependence(" and ".join(costs))

    def count(self, value: int, *others: int) -> int:
        """Return the number of derivation trees of a value of the measure and of the further costs."""
        return self._count((self._grammar.start, self._goal(value, others))) if value >= self._before else 0

    def unrank(self, rank: int, value: int, *others: int) -> list[int]:
        """Return the derivation with a rank among those counted by ``count``."""
        chosen: list[int] = []
        stack: list[tuple[Target, int]] = [((self._grammar.start, self._goal(value, others)), rank)]
        while stack:
            part, rank = stack.pop()
            if part not in self._options:
                options = list(self._expand(*part))
                self._options[part] = list(accumulate(number for number, _, _ in options)), options
            ends, options = self._options[part]
            index = bisect_right(ends, rank)
            if index:
                rank -= ends[index - 1]
            _, alternative, parts = options[index]
            if alternative is not None:
                chosen.append(alternative)
            if len(parts) == 2:
                rank, second = divmod(rank, self._count(parts[1]))
                stack.append((parts[1], second))
            if parts:
                stack.append((parts[0], rank))
        return chosen

    def _goal(self, value: int, others: Sequence[int]) -> Goal:
        """Return the costs of whole derivations of a value and other costs, once all below them are counted."""
        goal = (value - self._before, *others)
        if any(wanted > filled for wanted, filled in zip(goal, self._filled, strict=True)):
            self._filled = tuple(map(max, goal, self._filled))
            # Every goal after those that it is made of, so that no count waits for another.
            for below in product(*(range(limit + 1) for limit in self._filled)):
                for nonterminal in self._order:
                    self._count((nonterminal, below))
        return goal

    def _count(self, part: Target) -> int:
        known = self._counts.get(part)
        if known is None:
            known = self._counts[part] = sum(number for number, _, _ in self._expand(*part))
            if known.bit_length() > MAX_BITS:
                raise GrammarError(
                    "values: some are so large that most sentences have thousands of signs; choose smaller ones, or "
                    "another measure in 'by'"
                )
        return known

    def _expand(self, node: Node, goal: Goal) -> Iterator[Option]:
        if isinstance(node, tuple):
            yield from self._joined(None, node, goal)
            return
        for alternative in self._grammar.rules[node]:
            left = tuple(total - cost for total, cost in zip(goal, self._costs[alternative], strict=True))
            if min(left) < 0:
                continue
            parts = self._grammar.alternatives[alternative].parts
            if not parts:
                if not any(left):
                    yield 1, alternative, ()
            elif len(parts) == 1:
                if self._can_be(parts, left) and (number := self._count((parts[0], left))):
                    yield number, alternative, ((parts[0], left),)
            else:
                yield from self._joined(alternative, (alternative, 0), left)

    def _joined(self, chosen: int | None, rest: tuple[int, int], goal: Goal) -> Iterator[Option]:
        alternative, index = rest
        parts = self._grammar.alternatives[alternative].parts
        if not self._can_be(parts[index:], goal):
            return
        following: Node = parts[-1] if index == len(parts) - 2 else (alternative, index + 1)
        for first, second in self._splits(goal):
            here, there = (parts[index], first), (following, second)
            # The smaller part first: where it is 0, the other may be the whole, which is not counted yet.
            smaller, other = (there, here) if first == goal else (here, there)
            if self._count(smaller) and self._count(other):
                yield self._count(here) * self._count(there), chosen, (here, there)

    def _splits(self, goal: Goal) -> Iterator[tuple[Goal, Goal]]:
        """Yield the goals of two parts that have this goal together."""
        if len(goal) == 1:
            total = goal[0]
            for first in range(total + 1):
                yield (first,), (total - first,)
            return
        for part in product(*(range(limit + 1) for limit in goal)):
            yield part, tuple(total - taken for total, taken in zip(goal, part, strict=True))

    def _can_be(self, parts: Sequence[int], goal: Goal) -> bool:
        """Return False if it shows at once that parts cannot have a goal together."""
        # What cannot be had for nothing is not counted, because it may contain itself.
        return any(goal) or self._vanishing.issuperset(parts)

    def _at_no_cost(self) -> set[int]:
        free = [a for a, costs in zip(self._grammar.alternatives, self._costs, strict=True) if not any(costs)]
        vanishing: set[int] = set()
        while further := {a.nonterminal for a in free if vanishing.issuperset(a.parts)} - vanishing:
            vanishing |= further
        return vanishing

    def _by_dependence(self, costs: str) -> list[int]:
        """Sort the nonterminals, each after those that it can become at no cost."""
        grammar, vanishing = self._grammar, self._vanishing
        edges: dict[int, list[int]] = {number: [] for number in range(len(grammar.nonterminals))}
        for index, a in enumerate(grammar.alternatives):
            if not any(self._costs[index]):
                edges[a.nonterminal] += [
                    part for at, part in enumerate(a.parts) if vanishing.issuperset(a.parts[:at] + a.parts[at + 1 :])
                ]
        order: list[int] = []
        waiting = set(edges)
        while waiting:
            ready = sorted(number for number in waiting if not waiting.intersection(edges[number]))
            if not ready:
                cycle = self._cycle(edges, waiting)
                raise GrammarError(
                    f"infinitely many derivations have the same {costs}: {cycle} costs nothing. Give one of its "
                    "alternatives a cost, count by depth, or limit what is repeated (for quantifiers: the key "
                    "'quantifiers')"
                )
            order += ready
            waiting.difference_update(ready)
        return order

    def _cycle(self, edges: dict[int, list[int]], waiting: set[int]) -> str:
        path = [min(waiting)]
        while path[-1] not in path[:-1]:
            path.append(next(part for part in edges[path[-1]] if part in waiting))
        return " → ".join(self._grammar.nonterminals[number] for number in path[path.index(path[-1]) :])
