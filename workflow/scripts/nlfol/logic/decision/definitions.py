"""Unfolding of definitions: after ∀x ∀y (A ↔ φ), φ stands for every instance of the atomic formula A.

Axioms such as those of sets define their notions one by one, down to a single relation. With all of them unfolded, a
theorem is often true by form (20 ms); with them as they stand, Z3 instantiates them for every pair of terms (two
seconds, and gives up). An equation that is defined, as by extensionality, is unfolded like an atom. What defines one
individual, ∀x (φ ↔ x = t), becomes φ of t, and that nothing else is φ. Definitions that were unfolded are left out, so
that a contradiction among the results is one among the formulas, and nothing else follows.
"""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import NamedTuple

from nlfol.logic import syntax as fol
from nlfol.logic.decision.skolemization import substituted_in_atom
from nlfol.logic.errors import FormulaError

MAX_LEVELS = 100  # of a formula with what is unfolded in it: all here recurses
MAX_GROWN = 5_000  # subformulas and terms that are put in: a definition may lead back to itself

_Terms = dict[str, fol.Term]


class _Definition(NamedTuple):
    defined: fol.Atomic
    meaning: fol.Formula


def unfolded(
    true: Sequence[fol.Formula], false: Sequence[fol.Formula]
) -> tuple[list[fol.Formula], list[fol.Formula]] | None:
    """Return formulas with definitions unfolded and left out, None if unchanged; ``FormulaError`` if too deep."""
    if any(formula.profile.levels > MAX_LEVELS for formula in (*true, *false)):
        raise FormulaError(f"more than {MAX_LEVELS} levels")
    conjuncts = [conjunct for formula in true for conjunct in fol.operands(formula, fol.And)]
    definitions: dict[str, list[_Definition]] = {}
    axioms = []
    for conjunct in conjuncts:
        definition = _definition(conjunct)
        if definition is None:
            axioms.append(conjunct)
        else:
            definitions.setdefault(_symbol(definition.defined), []).append(definition)
    unfolding = _Unfolding(definitions, [*true, *false])
    results = [unfolding.of(axiom) for axiom in axioms], [unfolding.of(formula) for formula in false]
    return results if definitions or results != (axioms, [*false]) else None


class _Unfolding:
    def __init__(self, definitions: Mapping[str, Sequence[_Definition]], formulas: Sequence[fol.Formula]) -> None:
        nodes = (node for each in formulas for node in fol.distinct_subformulas(each))
        names = {node.variable.name for node in nodes if isinstance(node, fol.ForAll | fol.Exists)}
        self._fresh = (fol.Variable(name) for number in count() if (name := f"x{number}") not in names)
        self._definitions = definitions
        self._grown = 0

    def of(self, formula: fol.Formula, levels: int = MAX_LEVELS) -> fol.Formula:
        """Return the formula with every instance of what is defined unfolded, within so many levels."""
        if not levels:
            raise FormulaError(f"more than {MAX_LEVELS} levels")
        if isinstance(formula, fol.ForAll) and (parts := _with_value(formula)) is not None:
            value, meaning, only = parts
            one = self._put(meaning, {formula.variable.name: value})
            return fol.And(self.of(one, levels - 1), self.of(fol.ForAll(formula.variable, only), levels - 1))
        if not isinstance(formula, fol.Atom | fol.Equality):
            return fol.with_children(formula, [self.of(part, levels - 1) for part in fol.children(formula)])
        for defined, meaning in self._definitions.get(_symbol(formula), ()):
            values: _Terms = {}
            if all(_matches(*pair, values) for pair in zip(_sides(defined), _sides(formula), strict=True)):
                return self.of(self._put(meaning, values), levels - 1)
        return formula

    def _put(self, meaning: fol.Formula, values: _Terms) -> fol.Formula:
        self._grown += meaning.profile.occurrences + sum(1 for value in values.values() for _ in fol.subterms(value))
        if self._grown > MAX_GROWN:
            raise FormulaError(f"more than {MAX_GROWN} subformulas and terms")
        return self._instance(meaning, values)

    def _instance(self, formula: fol.Formula, values: _Terms) -> fol.Formula:
        """Return the formula with terms for its free variables, and for its bound ones new variables."""
        match formula:
            case fol.Atom() | fol.Equality():
                return substituted_in_atom(formula, values)
            case fol.ForAll(variable, body) | fol.Exists(variable, body):
                new = next(self._fresh)
                return type(formula)(new, self._instance(body, {**values, variable.name: new}))
            case _:
                return fol.with_children(formula, [self._instance(part, values) for part in fol.children(formula)])


def _definition(formula: fol.Formula) -> _Definition | None:
    """Return the atomic formula that a conjunct defines, which has all of its variables."""
    while isinstance(formula, fol.ForAll):
        formula = formula.body
    if not isinstance(formula, fol.Iff):
        return None
    for defined, meaning in ((formula.left, formula.right), (formula.right, formula.left)):
        if isinstance(defined, fol.Atom | fol.Equality) and meaning.profile.free <= defined.profile.free:
            return _Definition(defined, meaning)
    return None


def _with_value(formula: fol.ForAll) -> tuple[fol.Term, fol.Formula, fol.Formula] | None:
    """Return t, φ and φ → x = t of ∀x (φ ↔ x = t), where t does not contain x."""
    if not isinstance(formula.body, fol.Iff):
        return None
    left, right = formula.body.left, formula.body.right
    for equation, meaning in ((left, right), (right, left)):
        if isinstance(equation, fol.Equality):
            for name, value in ((equation.left, equation.right), (equation.right, equation.left)):
                if name is formula.variable and name.name not in value.profile.free:
                    return value, meaning, fol.Implies(meaning, equation)
    return None


def _symbol(atom: fol.Atomic) -> str:
    return atom.predicate if isinstance(atom, fol.Atom) else "="


def _sides(atom: fol.Atomic) -> tuple[fol.Term, ...]:
    return atom.arguments if isinstance(atom, fol.Atom) else (atom.left, atom.right)


def _matches(pattern: fol.Term, term: fol.Term, values: _Terms) -> bool:
    """Return whether a term is an instance of a pattern, whose variables get their values."""
    if isinstance(pattern, fol.Variable):
        return values.setdefault(pattern.name, term) is term
    if isinstance(pattern, fol.Function) and isinstance(term, fol.Function) and pattern.name == term.name:
        return all(_matches(*pair, values) for pair in zip(pattern.arguments, term.arguments, strict=True))
    return pattern is term
