"""Elementary edits of a formula's syntax tree, the perturbations of the paper's most-similar task (its section 4).

An edit swaps one connective for another of ∧ ∨ → ↔, switches one quantifier, or toggles the negation of one literal.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from nlfol.logic.syntax import (
    And,
    Atom,
    Binary,
    Equality,
    ExclusiveOr,
    Exists,
    ForAll,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Path,
    replace,
    subformulas,
)

_SWAPPED_IN: tuple[type[Binary], ...] = (And, Or, Implies, Iff)


class EditKind(StrEnum):
    """What an edit changes."""

    CONNECTIVE = "connective"
    QUANTIFIER = "quantifier"
    NEGATION = "negation"


class Edit(NamedTuple):
    """One elementary edit.

    Attributes:
        kind: what it changes.
        path: the place of the changed node in the original formula; of the literal for a negation.
        original: the whole formula before it.
        node: what stands at the place after it.
    """

    kind: EditKind
    path: Path
    original: Formula
    node: Formula

    @property
    def formula(self) -> Formula:
        """The whole formula after it: made where it is asked for, as few of many edits are drawn."""
        return replace(self.original, self.path, lambda _: self.node)


def edits(formula: Formula) -> Iterator[Edit]:
    """Every elementary edit, places in preorder; ⊕ is swapped out but never in."""
    negated: set[Path] = set()
    for path, node in subformulas(formula):
        if isinstance(node, Not):
            negated.add((*path, 0))
        for kind, edited in _at(node, literal_above=path in negated):
            yield Edit(kind, path, formula, edited)


def _at(node: Formula, *, literal_above: bool) -> Iterator[tuple[EditKind, Formula]]:
    match node:
        case And(a, b) | Or(a, b) | Implies(a, b) | Iff(a, b) | ExclusiveOr(a, b):
            for connective in _SWAPPED_IN:
                if connective is not type(node):
                    yield EditKind.CONNECTIVE, connective(a, b)
        case ForAll(variable, body):
            yield EditKind.QUANTIFIER, Exists(variable, body)
        case Exists(variable, body):
            yield EditKind.QUANTIFIER, ForAll(variable, body)
        case Not(Atom() | Equality() as atomic):
            yield EditKind.NEGATION, atomic
        case Atom() | Equality() if not literal_above:
            yield EditKind.NEGATION, Not(node)
        case _:
            pass
