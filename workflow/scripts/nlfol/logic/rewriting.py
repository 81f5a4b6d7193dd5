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
from itertools import chain, count
from typing import Any, NamedTuple, assert_never

from nlfol.logic import syntax as fol
from nlfol.logic.measuring import letters

_SWAPPED_FOR: dict[type[fol.Formula], tuple[type[fol.Binary], ...]] = {
    kind: tuple(other for other in (fol.And, fol.Or, fol.Implies, fol.Iff) if other is not kind) for kind in fol.BINARY
}
_SWITCHED: dict[type[fol.Formula], type[fol.Quantified]] = {fol.ForAll: fol.Exists, fol.Exists: fol.ForAll}
_DUAL: dict[type[fol.Formula], type[fol.Binary]] = {fol.And: fol.Or, fol.Or: fol.And}


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
    path: fol.Path
    formula: fol.Formula


def complement(formula: fol.Formula) -> fol.Formula:
    """Return the negation, without piling one ¬ on another."""
    return formula.operand if isinstance(formula, fol.Not) else fol.Not(formula)


def without_double_negations(formula: fol.Formula) -> fol.Formula:
    """Return the formula without ¬ before ¬, in pairs."""

    def step(node: fol.Formula, parts: tuple[fol.Formula, ...]) -> fol.Formula:
        return complement(parts[0]) if isinstance(node, fol.Not) else fol.with_children(node, parts)

    return fol.fold(formula, step)


def negation_normal_form(formula: fol.Formula) -> fol.Formula:
    """Return the equivalent formula of ∧, ∨, ∀, ∃ and literals that pushing ¬ inwards gives; → ↔ ⊕ are expanded.

    Nested ↔ and ⊕ double their operands: the tree may grow exponentially, its interned representation does not.
    """

    def step(node: fol.Formula, parts: tuple[tuple[fol.Formula, fol.Formula], ...]) -> tuple[fol.Formula, fol.Formula]:
        # (the node, its negation), both in negation normal form
        match node:
            case fol.Atom() | fol.Equality():
                return node, fol.Not(node)
            case fol.Not():
                ((positive, negative),) = parts
                return negative, positive
            case fol.And() | fol.Or():
                (a, not_a), (b, not_b) = parts
                return type(node)(a, b), _DUAL[type(node)](not_a, not_b)
            case fol.Implies():
                (a, not_a), (b, not_b) = parts
                return fol.Or(not_a, b), fol.And(a, not_b)
            case fol.Iff() | fol.ExclusiveOr():
                (a, not_a), (b, not_b) = parts
                same, different = (
                    fol.And(fol.Or(not_a, b), fol.Or(not_b, a)),
                    fol.Or(fol.And(a, not_b), fol.And(not_a, b)),
                )
                return (same, different) if isinstance(node, fol.Iff) else (different, same)
            case fol.ForAll(variable) | fol.Exists(variable):
                ((body, not_body),) = parts
                return type(node)(variable, body), _SWITCHED[type(node)](variable, not_body)
            case _:
                assert_never(node)

    return fol.fold(formula, step)[0]


def with_standard_variables(formula: fol.Formula) -> fol.Formula:
    """Return the formula with bound variables called x, y, z, u, v, w, x1, … in the order of their first quantifiers.

    Names that differ still do, so no variable is captured; a name that is also free stays.
    """
    quantified = (node for node in fol.distinct_subformulas(formula) if isinstance(node, fol.QUANTIFIED))
    free = formula.profile.free
    names = [name for name in dict.fromkeys(node.variable.name for node in quantified) if name not in free]
    taken = free | letters(formula)
    standard = (name for name in chain("xyzuvw", (f"x{number}" for number in count(1))) if name not in taken)
    renamed = {name: fol.Variable(new) for name, new in zip(names, standard, strict=False)}
    if all(name == new.name for name, new in renamed.items()):
        return formula

    def leaf(term: fol.Variable | fol.Constant) -> fol.Term:
        return renamed.get(term.name, term) if isinstance(term, fol.Variable) else term

    def step(node: fol.Formula, parts: tuple[fol.Formula, ...]) -> fol.Formula:
        match node:
            case fol.Atom(predicate, arguments):
                return fol.Atom(predicate, tuple(fol.map_term(argument, leaf) for argument in arguments))
            case fol.Equality(left, right):
                return fol.Equality(fol.map_term(left, leaf), fol.map_term(right, leaf))
            case fol.ForAll(variable) | fol.Exists(variable):
                return type(node)(renamed.get(variable.name, variable), parts[0])
            case _:
                return fol.with_children(node, parts)

    return fol.fold(formula, step)


def is_negation_normal_form(formula: fol.Formula) -> bool:
    """Return whether only ∧, ∨, ∀, ∃ and literals occur."""
    return not any(
        isinstance(node, fol.Implies | fol.Iff | fol.ExclusiveOr)
        or (isinstance(node, fol.Not) and not isinstance(node.operand, fol.Atom | fol.Equality))
        for node in fol.distinct_subformulas(formula)
    )


def rewrites(formula: fol.Formula) -> Iterator[Rewrite]:
    """Yield every result of one law at one place, in preorder; some may coincide or be the formula itself."""
    for path, node in fol.subformulas(formula):
        for law, rewritten in _at_root(node):
            yield Rewrite(law, path, fol.replace(formula, path, rewritten))


def _at_root(node: fol.Formula) -> Iterator[tuple[Law, fol.Formula]]:
    match node:
        case fol.Not(fol.And(a, b) | fol.Or(a, b) as joined):
            yield Law.DE_MORGAN, _DUAL[type(joined)](complement(a), complement(b))
        case fol.Not(fol.ForAll(variable, body) | fol.Exists(variable, body) as quantified):
            yield Law.DE_MORGAN, _SWITCHED[type(quantified)](variable, complement(body))
        case fol.And(a, b) | fol.Or(a, b):
            yield Law.DE_MORGAN, fol.Not(_DUAL[type(node)](complement(a), complement(b)))
        case _:
            pass
    if not isinstance(node, fol.Not):
        yield Law.DOUBLE_NEGATION, fol.Not(fol.Not(node))
    elif isinstance(node.operand, fol.Not):
        yield Law.DOUBLE_NEGATION, node.operand.operand
    if isinstance(node, fol.And | fol.Or | fol.ExclusiveOr | fol.Iff) and node.left is not node.right:
        yield Law.COMMUTATIVITY, type(node)(node.right, node.left)
    for distributed in _distributed(node):
        yield Law.DISTRIBUTIVITY, distributed
    if isinstance(node, fol.Implies):
        yield Law.IMPLICATION_EXPANSION, fol.Or(complement(node.left), node.right)
    if isinstance(node, fol.Iff):
        yield Law.IMPLICATION_EXPANSION, fol.And(fol.Implies(node.left, node.right), fol.Implies(node.right, node.left))


def _distributed(node: fol.Formula) -> Iterator[fol.Formula]:
    """Distribute ∧ over ∨, ∨ over ∧, and back where both sides share their left or right operand."""
    for outer, inner in ((fol.And, fol.Or), (fol.Or, fol.And)):
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
    path: fol.Path
    original: fol.Formula
    node: fol.Formula

    @property
    def formula(self) -> fol.Formula:
        """Return the formula after the edit: made on demand, as few of many edits are drawn."""
        return fol.replace(self.original, self.path, self.node)


def edits(formula: fol.Formula) -> Iterator[Edit]:
    """Yield every elementary edit, places in preorder; ⊕ is swapped out but never in."""
    negated: set[fol.Path] = set()
    for path, node in fol.subformulas(formula):
        if isinstance(node, fol.Not):
            negated.add((*path, 0))
        for kind, edited in _at(node, literal_above=path in negated):
            yield Edit(kind, path, formula, edited)


def _at(node: Any, *, literal_above: bool) -> Iterator[tuple[EditKind, fol.Formula]]:
    kind = type(node)
    if kind in _SWAPPED_FOR:
        for connective in _SWAPPED_FOR[kind]:
            yield EditKind.CONNECTIVE, connective(node.left, node.right)
    elif kind in _SWITCHED:
        yield EditKind.QUANTIFIER, _SWITCHED[kind](node.variable, node.body)
    elif kind is not fol.Not:
        if not literal_above:
            yield EditKind.NEGATION, fol.Not(node)
    elif type(node.operand) is fol.Atom or type(node.operand) is fol.Equality:
        yield EditKind.NEGATION, node.operand
