"""Conditions on integers: sums, absolute values, comparisons, all-different and connectives.

They are evaluated here, and written as SMT-LIB for Z3 with names of their own, so that nothing a model wrote reaches
another reader.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import assert_never


@dataclass(frozen=True, slots=True)
class Sum:
    """A linear sum: a constant, and variables or absolute values with their factors."""

    constant: int
    parts: tuple[tuple[int, str | Absolute], ...] = ()


@dataclass(frozen=True, slots=True)
class Absolute:
    """The absolute value of a sum."""

    of: Sum


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sums and a sign, one of ``SIGNS``."""

    sign: str
    left: Sum
    right: Sum


@dataclass(frozen=True, slots=True)
class AllDifferent:
    """No two sums have the same value."""

    of: tuple[Sum, ...]


@dataclass(frozen=True, slots=True)
class Negation:
    """A condition that must fail."""

    of: Condition


@dataclass(frozen=True, slots=True)
class Junction:
    """Two or more conditions, of which all hold (``and``) or any (``or``)."""

    kind: str
    of: tuple[Condition, ...]


Condition = Comparison | AllDifferent | Negation | Junction

SIGNS: Mapping[str, tuple[Callable[[int, int], bool], str]] = {
    "==": (operator.eq, "="),
    "!=": (operator.ne, "distinct"),
    "<": (operator.lt, "<"),
    "<=": (operator.le, "<="),
    ">": (operator.gt, ">"),
    ">=": (operator.ge, ">="),
}
"""Meaning of each sign, and its name in SMT-LIB."""


def value(of: Sum, assignment: Mapping[str, int]) -> int:
    """Return the value of a sum."""
    total = of.constant
    for factor, part in of.parts:
        total += factor * (assignment[part] if isinstance(part, str) else abs(value(part.of, assignment)))
    return total


def holds(condition: Condition, assignment: Mapping[str, int]) -> bool:
    """Return whether a condition holds."""
    match condition:
        case Comparison(sign, left, right):
            return SIGNS[sign][0](value(left, assignment), value(right, assignment))
        case AllDifferent(sums):
            return len({value(total, assignment) for total in sums}) == len(sums)
        case Negation(negated):
            return not holds(negated, assignment)
        case Junction(kind, parts):
            return (all if kind == "and" else any)(holds(part, assignment) for part in parts)
        case _:
            assert_never(condition)


def variables(condition: Condition) -> list[str]:
    """Return the variables of a condition in order of occurrence, each as often as it occurs."""
    match condition:
        case Comparison(_, left, right):
            return [*_of_sum(left), *_of_sum(right)]
        case AllDifferent(sums):
            return [name for total in sums for name in _of_sum(total)]
        case Negation(negated):
            return variables(negated)
        case Junction(_, parts):
            return [name for part in parts for name in variables(part)]
        case _:
            assert_never(condition)


def _of_sum(of: Sum) -> list[str]:
    return [name for _, part in of.parts for name in ([part] if isinstance(part, str) else _of_sum(part.of))]


def with_names(condition: Condition, names: Mapping[str, str]) -> Condition:
    """Return a condition with other names for its variables."""
    match condition:
        case Comparison(sign, left, right):
            return Comparison(sign, _renamed(left, names), _renamed(right, names))
        case AllDifferent(sums):
            return AllDifferent(tuple(_renamed(total, names) for total in sums))
        case Negation(negated):
            return Negation(with_names(negated, names))
        case Junction(kind, parts):
            return Junction(kind, tuple(with_names(part, names) for part in parts))
        case _:
            assert_never(condition)


def _renamed(of: Sum, names: Mapping[str, str]) -> Sum:
    parts = (
        (factor, names[part] if isinstance(part, str) else Absolute(_renamed(part.of, names)))
        for factor, part in of.parts
    )
    return Sum(of.constant, tuple(parts))


def to_smtlib(condition: Condition, names: Mapping[str, str]) -> str:
    """Return the condition in SMT-LIB, with the names given for variables."""
    match condition:
        case Comparison(sign, left, right):
            return f"({SIGNS[sign][1]} {_sum(left, names)} {_sum(right, names)})"
        case AllDifferent(sums):
            return f"(distinct {' '.join(_sum(total, names) for total in sums)})" if len(sums) > 1 else "true"
        case Negation(negated):
            return f"(not {to_smtlib(negated, names)})"
        case Junction(kind, parts):
            return f"({kind} {' '.join(to_smtlib(part, names) for part in parts)})"
        case _:
            assert_never(condition)


def integer(number: int) -> str:
    """Return an integer in SMT-LIB, which has no negative numerals."""
    return str(number) if number >= 0 else f"(- {-number})"


def _sum(of: Sum, names: Mapping[str, str]) -> str:
    written = [integer(of.constant)] if of.constant or not of.parts else []
    for factor, part in of.parts:
        term = names[part] if isinstance(part, str) else f"(abs {_sum(part.of, names)})"
        written.append(term if factor == 1 else f"(* {integer(factor)} {term})")
    return written[0] if len(written) == 1 else f"(+ {' '.join(written)})"
