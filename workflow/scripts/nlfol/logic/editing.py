"""Elementary edits of a formula's syntax tree, the perturbations of the paper's most-similar task (its section 4).

An edit swaps one connective for another of ∧ ∨ → ↔, switches one quantifier, or toggles the negation of one literal.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Any, NamedTuple

from nlfol.logic.syntax import (
    BINARY,
    And,
    Atom,
    Binary,
    Equality,
    Exists,
    ForAll,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Path,
    Quantified,
    replace,
    subformulas,
)

_SWAPPED_FOR: dict[type[Formula], tuple[type[Binary], ...]] = {
    kind: tuple(other for other in (And, Or, Implies, Iff) if other is not kind) for kind in BINARY
}
_SWITCHED: dict[type[Formula], type[Quantified]] = {ForAll: Exists, Exists: ForAll}


class EditKind(StrEnum):
    """Kind of an edit."""

    CONNECTIVE = "connective"
    QUANTIFIER = "quantifier"
    NEGATION = "negation"


class Edit(NamedTuple):
    """One elementary edit: what stands at the path, the changed node's or the negated literal's, becomes ``node``."""

    kind: EditKind
    path: Path
    original: Formula
    node: Formula

    @property
    def formula(self) -> Formula:
        """Return the formula after the edit: made on demand, as few of many edits are drawn."""
        return replace(self.original, self.path, self.node)


def edits(formula: Formula) -> Iterator[Edit]:
    """Yield every elementary edit, places in preorder; ⊕ is swapped out but never in."""
    negated: set[Path] = set()
    for path, node in subformulas(formula):
        if isinstance(node, Not):
            negated.add((*path, 0))
        for kind, edited in _at(node, literal_above=path in negated):
            yield Edit(kind, path, formula, edited)


def _at(node: Any, *, literal_above: bool) -> Iterator[tuple[EditKind, Formula]]:
    kind = type(node)
    if kind in _SWAPPED_FOR:
        for connective in _SWAPPED_FOR[kind]:
            yield EditKind.CONNECTIVE, connective(node.left, node.right)
    elif kind in _SWITCHED:
        yield EditKind.QUANTIFIER, _SWITCHED[kind](node.variable, node.body)
    elif kind is not Not:
        if not literal_above:
            yield EditKind.NEGATION, Not(node)
    elif type(node.operand) is Atom or type(node.operand) is Equality:
        yield EditKind.NEGATION, node.operand
