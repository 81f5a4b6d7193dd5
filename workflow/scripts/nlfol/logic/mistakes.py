"""Mistakes of translations, each one edit of a formula: their kinds, their names, and all of a formula.

``changes`` of ``diagnosis`` are among them; the others are changes throughout a formula or at two places of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial, reduce
from itertools import combinations

from nlfol.logic import restricted
from nlfol.logic import syntax as fol
from nlfol.logic.diagnosis import Diagnosis, Fault, changes

_MOST_LITERALS = 24  # from the left, between which a negation is moved


class EditKind(StrEnum):
    """Kind of a mistake; those of fair sets' dimensions have the same names."""

    QUANTIFIER = "quantifier"
    DETERMINER = "determiner"
    CONVERSE = "converse"
    CONNECTIVE = "connective"
    NEGATION = "negation"
    MOVED_NEGATION = "moved_negation"
    ARGUMENTS = "arguments"
    SCOPE = "scope"
    """Another order or reach of quantifiers, or other brackets."""
    DROPPED = "dropped"
    """An operand or a condition left out."""
    ADDED = "added"
    """An operand or a condition too many."""
    PREDICATES = "predicates"
    NAMES = "names"


_KINDS = {
    Fault.QUANTIFIER: EditKind.QUANTIFIER,
    Fault.IMPLICATION_UNDER_EXISTS: EditKind.CONNECTIVE,
    Fault.CONJUNCTION_UNDER_FORALL: EditKind.CONNECTIVE,
    Fault.CONNECTIVE: EditKind.CONNECTIVE,
    Fault.DIRECTION: EditKind.CONVERSE,
    Fault.NEGATION: EditKind.NEGATION,
    Fault.NEGATION_SCOPE: EditKind.MOVED_NEGATION,
    Fault.ARGUMENT_ORDER: EditKind.ARGUMENTS,
    Fault.QUANTIFIER_ORDER: EditKind.SCOPE,
    Fault.QUANTIFIER_SCOPE: EditKind.SCOPE,
    Fault.SUPERFLUOUS: EditKind.ADDED,
    Fault.PREDICATE: EditKind.PREDICATES,
    Fault.TERM: EditKind.NAMES,
    Fault.MISSING: EditKind.DROPPED,
}
_FAULTS = (
    {EditKind.DETERMINER: Fault.DETERMINER}
    | {kind: fault for fault, kind in _KINDS.items()}
    | {EditKind.CONNECTIVE: Fault.CONNECTIVE}
)


@dataclass(frozen=True, slots=True)
class Edit:
    """A mistake: the formula before it, nearer to the gold one, and after it; ``path`` is where they differ."""

    kind: EditKind
    path: fol.Path
    before: fol.Formula
    after: fol.Formula

    @property
    def fault(self) -> Fault:
        """Return the fault that a repair of this mistake shows."""
        return _FAULTS[self.kind]

    @property
    def size(self) -> int:
        """Return the atoms that are added or dropped; 1 of other kinds."""
        part = self._part
        return 1 if part is None else sum(isinstance(node, fol.Atomic) for _, node in fol.subformulas(part))

    @property
    def _part(self) -> fol.Formula | None:
        if self.kind not in (EditKind.ADDED, EditKind.DROPPED):
            return None
        whole, left = (self.before, self.after) if self.kind is EditKind.DROPPED else (self.after, self.before)
        node, kept = at(whole, self.path), at(left, self.path)
        return next((part for part in fol.children(node) if part is not kept), None)

    def __str__(self) -> str:
        """Return the kind and what is changed, such as ``quantifier (∀ to ∃)``."""
        if (part := self._part) is not None:
            return f"{self.kind} ({part})"
        before, after = _first_difference(at(self.before, self.path), at(self.after, self.path))
        match self.kind, before, after:
            case EditKind.PREDICATES, fol.Atom(one, _), fol.Atom(other, _):
                detail = f"{one} to {other}"
            case EditKind.NAMES, _, _:
                pairs = zip(fol.terms(before), fol.terms(after), strict=False)
                detail = next((f"{one} to {other}" for one, other in pairs if one is not other), "")
            case EditKind.QUANTIFIER | EditKind.CONNECTIVE, _, _ if not isinstance(before, fol.Atom):
                detail = f"{before.sign} to {after.sign}"
            case _:
                detail = ""
        return f"{self.kind} ({detail})" if detail else str(self.kind)


def from_diagnosis(translation: fol.Formula, diagnosis: Diagnosis) -> Edit:
    """Return the mistake that a diagnosis repairs."""
    return Edit(_kind(diagnosis, translation), diagnosis.path, diagnosis.formula, translation)


def at(formula: fol.Formula, path: fol.Path) -> fol.Formula:
    """Return the subformula at a path."""
    return reduce(lambda node, index: fol.children(node)[index], path, formula)


Edited = Iterator[tuple[EditKind, fol.Path, fol.Formula]]


def shorter(formula: fol.Formula) -> Edited:
    """Yield what is left of a formula without one operand."""
    for path, node in fol.subformulas(formula):
        if isinstance(node, fol.Binary):
            yield from ((EditKind.ADDED, path, fol.replace(formula, path, part)) for part in fol.children(node))


def edits_of(formula: fol.Formula, lender: fol.Formula) -> Edited:
    """Yield what one edit makes of a formula, with symbols of its own and of a lender; a part left out is ``ADDED``."""
    for change in changes(lender, formula):
        yield _kind(change, formula), change.path, change.formula
    literals: list[tuple[fol.Path, fol.Formula]] = []
    for path, node in fol.subformulas(formula):
        if restricted.is_restricted(node):
            yield EditKind.DETERMINER, path, fol.replace(formula, path, restricted.other_determiner(node))
        if restricted.inner(node) is not None:
            yield EditKind.SCOPE, path, fol.replace(formula, path, restricted.turned(node))
        if isinstance(node, fol.Atomic):
            above = path[:-1]
            is_negated = bool(path) and isinstance(parent := at(formula, above), fol.Not)
            literals.append((above, parent) if is_negated else (path, node))
    for (path, one), (other_path, other) in combinations(literals[:_MOST_LITERALS], 2):
        if isinstance(one, fol.Not) is not isinstance(other, fol.Not):
            moved = fol.replace(fol.replace(formula, path, _other_sign(one)), other_path, _other_sign(other))
            yield EditKind.MOVED_NEGATION, (), moved
    yield from exchanged(formula, lender)


def _kind(change: Diagnosis, formula: fol.Formula) -> EditKind:
    if change.fault is Fault.CONNECTIVE:
        parts = fol.children(at(formula, change.path))
        if any(
            one is not other for one, other in zip(parts, fol.children(at(change.formula, change.path)), strict=True)
        ):
            return EditKind.SCOPE  # other brackets
    return _KINDS[change.fault]


def _other_sign(literal: fol.Formula) -> fol.Formula:
    return literal.operand if isinstance(literal, fol.Not) else fol.Not(literal)


def exchanged(formula: fol.Formula, lender: fol.Formula) -> Edited:
    """Yield the formula with two predicates or names exchanged throughout, of which the lender may have one."""
    for kind, of in ((EditKind.PREDICATES, "predicate"), (EditKind.NAMES, "constant")):
        own = formula.profile.named(of)
        lent = [symbol for symbol in lender.profile.named(of) if symbol not in own]
        for one, other in (*combinations(own, 2), *((one, other) for one in own for other in lent)):
            if one[1] == other[1]:
                names = {one[0]: other[0], other[0]: one[0]}
                step = partial(_with_other_names, names=names, kind=kind)
                yield kind, (), fol.fold(formula, step)


def _with_other_names(
    node: fol.Formula, parts: tuple[fol.Formula, ...], *, names: dict[str, str], kind: EditKind
) -> fol.Formula:
    def leaf(term: fol.Variable | fol.Constant) -> fol.Term:
        return fol.Constant(names.get(term.name, term.name)) if isinstance(term, fol.Constant) else term

    match node:
        case fol.Atom(predicate, arguments) if kind is EditKind.PREDICATES:
            return fol.Atom(names.get(predicate, predicate), arguments)
        case fol.Atom(predicate, arguments):
            return fol.Atom(predicate, tuple(fol.map_term(argument, leaf) for argument in arguments))
        case fol.Equality(left, right) if kind is EditKind.NAMES:
            return fol.Equality(fol.map_term(left, leaf), fol.map_term(right, leaf))
        case _:
            return fol.with_children(node, parts)


def _first_difference(one: fol.Formula, other: fol.Formula) -> tuple[fol.Formula, fol.Formula]:
    """Return the leftmost, innermost parts in which two formulas of one shape differ."""
    while type(one) is type(other):
        pairs = zip(fol.children(one), fol.children(other), strict=True)
        pair = next(((a, b) for a, b in pairs if a is not b), None)
        if pair is None:
            break
        one, other = pair
    return one, other
