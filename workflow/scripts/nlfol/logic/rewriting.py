"""Rewriting that keeps the meaning, negation normal form and single laws, and elementary edits that change it.

``rewrites`` lists every formula that one application of one law at one place gives. The laws are those of the paper's
ranking task ("Do LLMs Really Struggle at NL-FOL Translation?", section on ranking): De Morgan (also for quantifiers),
double negation, commutativity, distributivity, and the expansion of → and ↔. ``edits`` lists the perturbations of its
most-similar task (section 4): one connective swapped for another of ∧ ∨ → ↔, one quantifier switched, or the negation
of one literal toggled.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, assert_never

from nlfol.logic.syntax import (
    BINARY,
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
    Quantified,
    distinct_subformulas,
    fold,
    replace,
    subformulas,
)

_SWAPPED_FOR: dict[type[Formula], tuple[type[Binary], ...]] = {
    kind: tuple(other for other in (And, Or, Implies, Iff) if other is not kind) for kind in BINARY
}
_SWITCHED: dict[type[Formula], type[Quantified]] = {ForAll: Exists, Exists: ForAll}
_DUAL: dict[type[Formula], type[Binary]] = {And: Or, Or: And}


class Law(StrEnum):
    """A law of classical logic, read in the direction that ``rewrites`` applies it."""

    DE_MORGAN = "de_morgan"
    DOUBLE_NEGATION = "double_negation"
    COMMUTATIVITY = "commutativity"
    DISTRIBUTIVITY = "distributivity"
    IMPLICATION_EXPANSION = "implication_expansion"


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One law applied at one place."""

    law: Law
    path: Path
    formula: Formula


def complement(formula: Formula) -> Formula:
    """Return the negation, without piling one ¬ on another."""
    return formula.operand if isinstance(formula, Not) else Not(formula)


def negation_normal_form(formula: Formula) -> Formula:
    """Return the equivalent formula of ∧, ∨, ∀, ∃ and literals that pushing ¬ inwards gives; → ↔ ⊕ are expanded.

    Nested ↔ and ⊕ double their operands: the tree may grow exponentially, its interned representation does not.
    """

    def step(node: Formula, parts: tuple[tuple[Formula, Formula], ...]) -> tuple[Formula, Formula]:
        # (the node, its negation), both in negation normal form
        match node:
            case Atom() | Equality():
                return node, Not(node)
            case Not():
                ((positive, negative),) = parts
                return negative, positive
            case And() | Or():
                (a, not_a), (b, not_b) = parts
                return type(node)(a, b), _DUAL[type(node)](not_a, not_b)
            case Implies():
                (a, not_a), (b, not_b) = parts
                return Or(not_a, b), And(a, not_b)
            case Iff() | ExclusiveOr():
                (a, not_a), (b, not_b) = parts
                same, different = And(Or(not_a, b), Or(not_b, a)), Or(And(a, not_b), And(not_a, b))
                return (same, different) if isinstance(node, Iff) else (different, same)
            case ForAll(variable) | Exists(variable):
                ((body, not_body),) = parts
                return type(node)(variable, body), _SWITCHED[type(node)](variable, not_body)
            case _:
                assert_never(node)

    return fold(formula, step)[0]


def is_negation_normal_form(formula: Formula) -> bool:
    """Return whether only ∧, ∨, ∀, ∃ and literals occur."""
    return not any(
        isinstance(node, Implies | Iff | ExclusiveOr)
        or (isinstance(node, Not) and not isinstance(node.operand, Atom | Equality))
        for node in distinct_subformulas(formula)
    )


def rewrites(formula: Formula) -> Iterator[Rewrite]:
    """Yield every result of one law at one place, in preorder; some may coincide or be the formula itself."""
    for path, node in subformulas(formula):
        for law, rewritten in _at_root(node):
            yield Rewrite(law, path, replace(formula, path, rewritten))


def _at_root(node: Formula) -> Iterator[tuple[Law, Formula]]:
    match node:
        case Not(And(a, b) | Or(a, b) as joined):
            yield Law.DE_MORGAN, _DUAL[type(joined)](complement(a), complement(b))
        case Not(ForAll(variable, body) | Exists(variable, body) as quantified):
            yield Law.DE_MORGAN, _SWITCHED[type(quantified)](variable, complement(body))
        case And(a, b) | Or(a, b):
            yield Law.DE_MORGAN, Not(_DUAL[type(node)](complement(a), complement(b)))
        case _:
            pass
    if not isinstance(node, Not):
        yield Law.DOUBLE_NEGATION, Not(Not(node))
    elif isinstance(node.operand, Not):
        yield Law.DOUBLE_NEGATION, node.operand.operand
    if isinstance(node, And | Or | ExclusiveOr | Iff) and node.left is not node.right:
        yield Law.COMMUTATIVITY, type(node)(node.right, node.left)
    for distributed in _distributed(node):
        yield Law.DISTRIBUTIVITY, distributed
    if isinstance(node, Implies):
        yield Law.IMPLICATION_EXPANSION, Or(complement(node.left), node.right)
    if isinstance(node, Iff):
        yield Law.IMPLICATION_EXPANSION, And(Implies(node.left, node.right), Implies(node.right, node.left))


def _distributed(node: Formula) -> Iterator[Formula]:
    """Distribute ∧ over ∨, ∨ over ∧, and back where both sides share their left or right operand."""
    for outer, inner in ((And, Or), (Or, And)):
        if not isinstance(node, outer):
            continue
        a, b = node.left, node.right
        if isinstance(b, inner):
            yield inner(outer(a, b.left), outer(a, b.right))
        if isinstance(a, inner):
            yield inner(outer(a.left, b), outer(a.right, b))
        if isinstance(a, inner) and isinstance(b, inner):
            if a.left is b.left:
                yield inner(a.left, outer(a.right, b.right))
            if a.right is b.right:
                yield inner(outer(a.left, b.left), a.right)


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
