"""Dimensions of fair candidate sets: changes of a formula, each its own inverse, that combine in any way.

A dimension changes places of its own: a connective, the order of operands, the arguments of an atom, two symbols
throughout. Those that share no place commute, so n of them make 2ⁿ formulas, the same ones whichever of these they are
applied to. Most leave the length as it is, in formulas and in English of the style ``even``; they are also the mistakes
that people and models make.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import reduce
from itertools import combinations

from nlfol.logic import restricted
from nlfol.logic import syntax as fol
from nlfol.logic.ontology.ontology import Ontology, Predicate

_EXCHANGED = (fol.And, fol.Or, fol.Implies, fol.Iff)

_SYMMETRIC = re.compile(
    r"\b(?:same|equal|equals|identical|alike|similar|different|differs?|adjoins?|adjacent|adjoining|next|beside|near|"
    r"close|friends?|married|spouses?|siblings?|cousins?|relatives?|related|neighbou?rs?|partners?|colleagues?|"
    r"meets?|met|together|share[sd]?|between|compatible|synonyms?|opposite|parallel)\b"
)
"""Words of glosses that mean the same with the arguments the other way round, or may."""

MOST_LITERALS = 24
"""Literals, from the left, between which a negation is moved."""

Change = Callable[[fol.Formula], fol.Formula]
Place = tuple[object, ...]


class Kind(StrEnum):
    """Kinds of dimension."""

    CONVERSE = "converse"
    """A → B and B → A."""
    SCOPE = "scope"
    """The order of two unlike quantifiers."""
    DETERMINER = "determiner"
    """∀x (A → B) and ∃x (A ∧ B)."""
    ARGUMENTS = "arguments"
    """Two arguments of an atom the other way round."""
    NAMES = "names"
    """Two names exchanged throughout."""
    PREDICATES = "predicates"
    """Two predicates of one arity exchanged throughout."""
    MOVED_NEGATION = "moved_negation"
    """A negation moved from one literal to another."""
    CONNECTIVE = "connective"
    """One connective of ∧ ∨ → ↔ or another."""
    QUANTIFIER = "quantifier"
    """∀ or ∃."""
    NEGATION = "negation"
    """A literal or its negation."""
    PARTS = "parts"
    """Two small parts exchanged; of anagrams, as the next two."""
    BRACKETS = "brackets"
    """(A ∧ B) ∨ C and A ∧ (B ∨ C)."""
    REGROUPED = "regrouped"
    """(A ∧ B) → C and A → (B ∧ C)."""


@dataclass(frozen=True, slots=True, eq=False)
class Dimension:
    """One change; ``changes`` are made to the nodes at paths, once their parts are as they will be.

    Attributes:
        path: where it stands; of symbols, where one of them first stands.
        places: what it decides; dimensions without a common place combine.
        is_natural: whether what it makes is as likely to be said as what was there, as far as form goes.
        symbols: predicates (by ``P/arity``) and names that are exchanged.
        differs: whether two symbols, of which one stands in the formula, are of unequal length, so that the formula's
            length changes.
    """

    kind: Kind
    path: fol.Path
    places: frozenset[Place]
    changes: Mapping[fol.Path, Change] = field(default_factory=dict)
    symbols: Mapping[str, str] = field(default_factory=dict)
    is_natural: bool = True
    differs: bool = False


def apply(formula: fol.Formula, dimensions: Collection[Dimension]) -> fol.Formula:
    """Return the formula with all of some dimensions changed; they have no common place."""
    symbols: dict[str, str] = {}
    changes: dict[fol.Path, list[Change]] = {}
    # A sign is changed after the atom that it stands before.
    for dimension in sorted(dimensions, key=lambda dimension: dimension.kind in (Kind.MOVED_NEGATION, Kind.NEGATION)):
        symbols |= dimension.symbols
        for path, change in dimension.changes.items():
            changes.setdefault(path, []).append(change)
    made = formula
    if symbols:
        made = fol.fold(
            formula, lambda node, parts: fol.with_children(node, parts) if parts else _renamed(node, symbols)
        )
    for path in sorted(changes, key=len, reverse=True):
        node = reduce(lambda part, index: fol.children(part)[index], path, made)
        for change in changes[path]:
            node = change(node)
        made = fol.replace(made, path, node)
    return made


def dimensions(formula: fol.Formula, ontology: Ontology) -> Iterator[Dimension]:
    """Yield the dimensions of a formula, those of symbols over the ontology."""
    literals: list[tuple[fol.Path, fol.Path, bool]] = []
    above: dict[fol.Path, fol.Formula] = {}
    for path, node in fol.subformulas(formula):
        parent = above.get(path[:-1])
        above[path] = node
        match node:
            case fol.Atom() | fol.Equality():
                negated = isinstance(parent, fol.Not) and bool(path)
                literals.append((path[:-1] if negated else path, path, negated))
                yield from _of_arguments(path, node, ontology)
            case fol.ForAll() | fol.Exists():
                yield from _of_quantifier(path, node)
            case fol.And() | fol.Or() | fol.Implies() | fol.Iff():
                yield from _of_connective(path, node, isinstance(parent, fol.Quantified))
            case _:
                pass
    yield from _of_signs(literals)
    yield from _of_symbols(formula, ontology)


def is_symmetric(predicate: Predicate) -> bool:
    """Return whether a gloss means the same with the arguments the other way round, or may."""
    return _SYMMETRIC.search(predicate.positive.lower()) is not None


def _of_arguments(path: fol.Path, atom: fol.Atom | fol.Equality, ontology: Ontology) -> Iterator[Dimension]:
    known = ontology.predicate.get(atom.predicate) if isinstance(atom, fol.Atom) else None
    if not isinstance(atom, fol.Atom) or known is None or is_symmetric(known):
        return
    for i, j in combinations(range(len(atom.arguments)), 2):
        if atom.arguments[i] is not atom.arguments[j]:

            def turned(node: fol.Formula, i: int = i, j: int = j) -> fol.Formula:
                assert isinstance(node, fol.Atom)
                order = list(node.arguments)
                order[i], order[j] = order[j], order[i]
                return fol.Atom(node.predicate, tuple(order))

            places = frozenset({("arguments", path), ("of", f"{atom.predicate}/{len(atom.arguments)}")})
            yield Dimension(Kind.ARGUMENTS, path, places, {path: turned})


def _of_quantifier(path: fol.Path, node: fol.Quantified) -> Iterator[Dimension]:
    here, below = ("quantifier", path), (*path, 0)
    body = node.body
    if isinstance(body, fol.Quantified) and type(body) is not type(node) and node.variable is not body.variable:
        yield Dimension(Kind.SCOPE, path, frozenset({here, ("quantifier", below)}), {path: _turned_scope})
    elif restricted.inner(node) is not None:
        side = (*below, 1)
        touched = {here, ("connective", below), ("quantifier", side), ("connective", (*side, 0))}
        yield Dimension(Kind.SCOPE, path, frozenset(touched), {path: restricted.turned})
    if restricted.is_restricted(node):
        yield Dimension(
            Kind.DETERMINER, path, frozenset({here, ("connective", below)}), {path: restricted.other_determiner}
        )
    yield Dimension(Kind.QUANTIFIER, path, frozenset({here}), {path: _other_quantifier}, is_natural=False)


def _turned_scope(node: fol.Formula) -> fol.Formula:
    assert isinstance(node, fol.Quantified)
    assert isinstance(node.body, fol.Quantified)
    inner = node.body
    return type(inner)(inner.variable, type(node)(node.variable, inner.body))


def _other_quantifier(node: fol.Formula) -> fol.Formula:
    assert isinstance(node, fol.Quantified)
    return (fol.Exists if isinstance(node, fol.ForAll) else fol.ForAll)(node.variable, node.body)


def _of_connective(path: fol.Path, node: fol.Binary, is_quantified: bool) -> Iterator[Dimension]:
    here = ("connective", path)
    if isinstance(node, fol.Implies) and node.left is not node.right:
        yield Dimension(Kind.CONVERSE, path, frozenset({here}), {path: _converse})
    for kind in _EXCHANGED:
        if not isinstance(node, kind):

            def other(
                made: fol.Formula, pair: tuple[type[fol.Binary], type[fol.Binary]] = (type(node), kind)
            ) -> fol.Formula:
                assert isinstance(made, fol.Binary)
                return pair[isinstance(made, pair[0])](made.left, made.right)

            yield Dimension(Kind.CONNECTIVE, path, frozenset({here}), {path: other}, is_natural=not is_quantified)


def _converse(node: fol.Formula) -> fol.Formula:
    assert isinstance(node, fol.Implies)
    return fol.Implies(node.right, node.left)


def _of_signs(literals: list[tuple[fol.Path, fol.Path, bool]]) -> Iterator[Dimension]:
    for (root, atom, negated), (other, its_atom, its_negated) in combinations(literals[:MOST_LITERALS], 2):
        if negated is not its_negated:
            changes = {root: _other_sign, other: _other_sign}
            yield Dimension(Kind.MOVED_NEGATION, root, frozenset({("sign", atom), ("sign", its_atom)}), changes)
    for root, atom, _ in literals:
        yield Dimension(Kind.NEGATION, root, frozenset({("sign", atom)}), {root: _other_sign}, is_natural=False)


def _other_sign(node: fol.Formula) -> fol.Formula:
    return node.operand if isinstance(node, fol.Not) else fol.Not(node)


def _of_symbols(formula: fol.Formula, ontology: Ontology) -> Iterator[Dimension]:
    first: dict[str, fol.Path] = {}
    names: dict[str, fol.Path] = {}
    for path, node in fol.subformulas(formula):
        if isinstance(node, fol.Atom):
            first.setdefault(f"{node.predicate}/{len(node.arguments)}", path)
        for term in fol.terms(node):
            for name in fol.fold(term, _names_in):
                names.setdefault(name, path)
    every = {f"{p.name}/{p.arity}": p for p in ontology.predicates}
    looks = {key: (len(p.name), len(p.positive), p.positive.count(" ")) for key, p in every.items()}
    for one, path in first.items():
        arity = every[one].arity if one in every else None
        for other, predicate in every.items():
            # Of two that the formula has, once.
            if predicate.arity == arity and other != one and (other not in first or one < other):
                places: set[Place] = {("symbols",), ("predicate", one), ("predicate", other)}
                if arity and arity > 1:
                    # Larger(a, b) and Smaller(b, a) may mean the same.
                    places |= {("of", one), ("of", other), ("names",)}
                differs = other not in first and looks[one] != looks[other]
                yield Dimension(
                    Kind.PREDICATES, path, frozenset(places), symbols={one: other, other: one}, differs=differs
                )
    lengths = {c.name: (len(c.name), len(c.meaning), c.meaning.count(" ")) for c in ontology.constants}
    for one, path in names.items():
        for other, length in lengths.items():
            if other != one and (other not in names or one < other):
                named: set[Place] = {("symbols",), ("name", one), ("name", other), ("names",)}
                differs = other not in names and lengths.get(one) != length
                yield Dimension(Kind.NAMES, path, frozenset(named), symbols={one: other, other: one}, differs=differs)


def _names_in(term: fol.Term, parts: tuple[frozenset[str], ...]) -> frozenset[str]:
    return frozenset({term.name} if isinstance(term, fol.Constant) else ()).union(*parts)


def _renamed(node: fol.Formula, symbols: Mapping[str, str]) -> fol.Formula:
    """Return an atomic formula with its symbols exchanged."""

    def step(term: fol.Term, parts: tuple[fol.Term, ...]) -> fol.Term:
        match term:
            case fol.Constant(name):
                return fol.Constant(symbols.get(name, name))
            case fol.Function(name):
                return fol.Function(name, parts)
            case _:
                return term

    match node:
        case fol.Atom(predicate, arguments):
            key = f"{predicate}/{len(arguments)}"
            return fol.Atom(
                symbols.get(key, key).rpartition("/")[0], tuple(fol.fold(argument, step) for argument in arguments)
            )
        case fol.Equality(left, right):
            return fol.Equality(fol.fold(left, step), fol.fold(right, step))
        case _:
            return node
