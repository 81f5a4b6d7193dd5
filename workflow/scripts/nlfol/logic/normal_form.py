"""A normal form under which syntactically close equivalents coincide.

Negation normal form; bound variables named by the number of quantifiers around them; ∧ and ∨ flattened, without order
and without repetitions; vacuous quantifiers dropped (universes are not empty); equations without order of their sides.
Equal normal forms prove equivalence; different ones prove nothing.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import assert_never

from nlfol.logic.rewriting import negation_normal_form
from nlfol.logic.syntax import (
    And,
    Atom,
    Constant,
    Equality,
    ExclusiveOr,
    Exists,
    ForAll,
    Formula,
    Function,
    Iff,
    Implies,
    Not,
    Or,
    Term,
    Variable,
    children,
)

MAX_NODES = 20_000
"""Subformula occurrences that are normalised; nested ↔ grow exponentially."""


def same_normal_form(first: Formula, second: Formula) -> bool:
    """Whether the two have one normal form, which proves them equivalent; False also where one is too large."""
    numbering = _Numbering()
    number = numbering.of(first)
    return number is not None and number == numbering.of(second)


class _Numbering:
    """Numbers normal forms by their kind and the numbers of their parts, so that no comparison is ever deep."""

    def __init__(self) -> None:
        self.numbers: dict[Hashable, int] = {}
        self.operands: dict[int, tuple[str, frozenset[int]]] = {}
        self.levels: dict[int, frozenset[int]] = {}

    def of(self, formula: Formula) -> int | None:
        visited = 0
        results: list[int] = []
        # What is still to do: a node, the levels of the variables bound around it, and whether its parts are done.
        stack: list[tuple[Formula, dict[str, int], int, bool]] = [(negation_normal_form(formula), {}, 0, False)]
        while stack:
            node, bound, depth, opened = stack.pop()
            parts = children(node)
            if not opened:
                visited += 1
                if visited > MAX_NODES:
                    return None
                if isinstance(node, ForAll | Exists):
                    bound, depth = {**bound, node.variable.name: depth}, depth + 1
                stack.append((node, bound, depth, True))
                stack.extend((part, bound, depth, False) for part in reversed(parts))
                continue
            below = results[len(results) - len(parts) :]
            del results[len(results) - len(parts) :]
            results.append(self._close(node, bound, below))
        return results[0]

    def _number(self, key: Hashable, levels: frozenset[int]) -> int:
        number = self.numbers.setdefault(key, len(self.numbers))
        self.levels[number] = levels
        return number

    def _levels(self, numbers: list[int] | frozenset[int]) -> frozenset[int]:
        return frozenset[int]().union(*(self.levels[number] for number in numbers))

    def _close(self, node: Formula, bound: dict[str, int], below: list[int]) -> int:
        match node:
            case Atom(predicate, arguments):
                of_terms = [self._term(argument, bound) for argument in arguments]
                return self._number(("atom", predicate, tuple(of_terms)), self._levels(of_terms))
            case Equality(left, right):
                of_terms = [self._term(left, bound), self._term(right, bound)]
                return self._number(("equation", frozenset(of_terms)), self._levels(of_terms))
            case Not():
                return self._number(("not", below[0]), self.levels[below[0]])
            case And() | Or():
                return self._flattened("and" if isinstance(node, And) else "or", below)
            case ForAll(variable) | Exists(variable):
                level = bound[variable.name]
                if level not in self.levels[below[0]]:
                    return below[0]
                kind = "forall" if isinstance(node, ForAll) else "exists"
                return self._number((kind, level, below[0]), self.levels[below[0]] - {level})
            case Implies() | Iff() | ExclusiveOr():
                raise AssertionError("not in negation normal form")
            case _:
                assert_never(node)

    def _flattened(self, kind: str, below: list[int]) -> int:
        operands: set[int] = set()
        for number in below:
            inner_kind, inner = self.operands.get(number, ("", frozenset()))
            operands.update(inner if inner_kind == kind else {number})
        if len(operands) == 1:
            return operands.pop()
        frozen = frozenset(operands)
        number = self._number((kind, frozen), self._levels(frozen))
        self.operands[number] = kind, frozen
        return number

    def _term(self, root: Term, bound: dict[str, int]) -> int:
        results: list[int] = []
        stack: list[tuple[Term, bool]] = [(root, False)]
        while stack:
            node, opened = stack.pop()
            match node:
                case Variable(name):
                    level = bound.get(name)
                    levels = frozenset[int]() if level is None else frozenset({level})
                    results.append(self._number(("variable", name if level is None else level), levels))
                case Constant(name):
                    results.append(self._number(("constant", name), frozenset()))
                case Function(name, arguments) if opened:
                    below = results[-len(arguments) :]
                    del results[-len(arguments) :]
                    results.append(self._number(("function", name, tuple(below)), self._levels(below)))
                case Function(_, arguments):
                    stack.append((node, True))
                    stack.extend((argument, False) for argument in reversed(arguments))
                case _:
                    assert_never(node)
        return results[0]
