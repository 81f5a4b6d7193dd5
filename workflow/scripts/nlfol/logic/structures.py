"""Finite structures and truth in them.

``holds`` is the definition of truth (Enderton, 2.2) computed plainly, as the set of satisfying assignments of each
subformula. What ``families`` computes over many structures at once, and what solvers claim, it confirms.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from itertools import product
from typing import Any, assert_never

from nlfol.logic import syntax as fol
from nlfol.logic.errors import FormulaError
from nlfol.logic.measuring import Signature
from nlfol.mappings import JsonDict

Element = int
_Rows = frozenset[tuple[Element, ...]]
_Relation = tuple[tuple[str, ...], _Rows]

_OF_ROWS: dict[str, Callable[[_Rows, _Rows, _Rows], _Rows]] = {
    "∧": lambda a, b, _: a & b,
    "∨": lambda a, b, _: a | b,
    "⊕": lambda a, b, _: a ^ b,
    "→": lambda a, b, every: (every - a) | b,
    "↔": lambda a, b, every: every - (a ^ b),
}
"""The assignments that satisfy a connective, of those that satisfy its operands and of all."""

_LATEX_SIGNS = str.maketrans({sign: rf"\{sign}" for sign in "{}_"})


@dataclass(frozen=True, slots=True)
class Structure:
    """A structure over the universe 0, ..., size - 1, not empty; a true propositional letter holds the empty tuple."""

    size: int
    constants: Mapping[str, Element]
    functions: Mapping[str, Mapping[tuple[Element, ...], Element]]
    predicates: Mapping[str, frozenset[tuple[Element, ...]]]

    def describe(self) -> str:
        """Return one line for people: the universe, the names, and what holds of what."""
        parts = [f"universe {{{', '.join(map(str, range(self.size)))}}}"]
        parts += [f"{name} = {element}" for name, element in sorted(self.constants.items())]
        for name, table in sorted(self.functions.items()):
            cells = ", ".join(f"{name}({', '.join(map(str, key))}) = {value}" for key, value in sorted(table.items()))
            parts.append(cells)
        for name, extension in sorted(self.predicates.items()):
            if () in extension:
                parts.append(f"{name} is true")
                continue
            tuples = (str(t[0]) if len(t) == 1 else f"({', '.join(map(str, t))})" for t in sorted(extension))
            parts.append(f"{name} = {{{', '.join(tuples)}}}")
        return "; ".join(parts)

    def _repr_html_(self) -> str:
        """Return a table for notebooks: a row for the universe and for each name."""
        rows = "".join(
            f'<tr><td style="text-align: left">{escape(part)}</td></tr>' for part in self.describe().split("; ")
        )
        return f"<table>{rows}</table>"

    def _repr_latex_(self) -> str:
        """Return an array for notebooks that become papers."""
        parts = (rf"\text{{{part}}}" for part in self.describe().translate(_LATEX_SIGNS).split("; "))
        return r"$\begin{array}{l}" + r" \\ ".join(parts) + r"\end{array}$"

    def as_data(self) -> JsonDict:
        """Return JSON data: functions and predicates as lists of rows, a function's value last."""
        return {
            "size": self.size,
            "constants": dict(sorted(self.constants.items())),
            "functions": {
                name: [[*row, value] for row, value in sorted(table.items())]
                for name, table in sorted(self.functions.items())
            },
            "predicates": {name: sorted(map(list, rows)) for name, rows in sorted(self.predicates.items())},
        }

    def to_json(self) -> str:
        """Return one line of JSON; equal structures are equal texts."""
        return json.dumps(self.as_data(), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Structure:
        """Return the structure that ``to_json`` wrote."""
        data = json.loads(text)
        return cls(
            data["size"],
            data["constants"],
            {name: {tuple(row): value for *row, value in table} for name, table in data["functions"].items()},
            {name: frozenset(map(tuple, rows)) for name, rows in data["predicates"].items()},
        )

    def restricted(self, symbols: Signature) -> Structure:
        """Return the same for the symbols of a signature alone; those not interpreted get 0, or the empty extension."""
        return Structure(
            self.size,
            {name: self.constants.get(name, 0) for name in sorted(symbols.constants)},
            {
                name: self.functions.get(name) or dict.fromkeys(product(range(self.size), repeat=arity), 0)
                for name, arity in sorted(symbols.functions.items())
            },
            {name: self.predicates.get(name, frozenset()) for name in sorted(symbols.predicates)},
        )


def _value(term: fol.Term, structure: Structure, assignment: Mapping[str, Element]) -> Element:
    def step(node: fol.Term, parts: tuple[Element, ...]) -> Element:
        match node:
            case fol.Variable(name):
                return assignment[name]
            case fol.Constant(name):
                return structure.constants[name]
            case fol.Function(name):
                return structure.functions[name][parts]

    return fol.fold(term, step)


def holds(formula: fol.Formula, structure: Structure) -> bool:
    """Return whether a formula is true; ``FormulaError`` if it is open, ``KeyError`` for an uninterpreted symbol."""

    def extended(names: tuple[str, ...], satisfying: _Rows, to: tuple[str, ...]) -> _Rows:
        columns = [to.index(name) for name in names]
        every = product(range(structure.size), repeat=len(to))
        return frozenset(row for row in every if tuple(row[column] for column in columns) in satisfying)

    def step(node: fol.Formula, parts: tuple[_Relation, ...]) -> _Relation:
        if isinstance(node, fol.Binary):
            names = tuple(sorted({*parts[0][0], *parts[1][0]}))
            a, b = (extended(*part, names) for part in parts)
            return names, _OF_ROWS[node.sign](a, b, frozenset(product(range(structure.size), repeat=len(names))))
        match node:
            case fol.Atom() | fol.Equality():
                variables = {t for term in fol.terms(node) for t in fol.subterms(term) if isinstance(t, fol.Variable)}
                names = tuple(sorted(variable.name for variable in variables))
                every = product(range(structure.size), repeat=len(names))
                true = Conditions()[node]
                return names, frozenset(row for row in every if true(structure, dict(zip(names, row, strict=True))))
            case fol.Not():
                ((names, inner),) = parts
                return names, frozenset(product(range(structure.size), repeat=len(names))) - inner
            case fol.ForAll(variable) | fol.Exists(variable):
                ((names, inner),) = parts
                if variable.name not in names:
                    return names, inner
                index = names.index(variable.name)
                rest = names[:index] + names[index + 1 :]
                needed = structure.size if isinstance(node, fol.ForAll) else 1
                counts: dict[tuple[Element, ...], int] = {}
                for row in inner:
                    key = row[:index] + row[index + 1 :]
                    counts[key] = counts.get(key, 0) + 1
                return rest, frozenset(key for key, count in counts.items() if count >= needed)
        assert_never(node)

    names, satisfying = fol.fold(formula, step)
    if names:
        raise FormulaError(f"truth of an open formula: {', '.join(names)} free")
    return () in satisfying


Condition = Callable[[Structure, Mapping[str, Element]], bool]
"""Test if a structure satisfies a formula under an assignment to its free variables."""

_Denotation = Callable[[Structure, Mapping[str, Element]], Element]


class Conditions(dict[fol.Formula, Condition]):
    """Conditions of formulas, made on demand, clause by clause; for shared subformulas, once.

    Making and asking recurse, and every element is tried at each quantifier: for formulas that are small and not deep.
    A condition raises ``KeyError`` if the structure does not interpret a symbol, or the assignment a variable.
    """

    def __missing__(self, formula: fol.Formula) -> Condition:
        condition = self[formula] = self._made(formula)
        return condition

    def _made(self, formula: Any) -> Condition:
        kind = type(formula)
        if kind is fol.Atom:
            return _of_atom(formula)
        if kind is fol.Equality:
            one, other = _denotation(formula.left), _denotation(formula.right)
            return lambda structure, assignment: one(structure, assignment) == other(structure, assignment)
        if kind is fol.Not:
            operand = self[formula.operand]
            return lambda structure, assignment: not operand(structure, assignment)
        if kind in _QUANTIFIED:
            return _of_quantified(formula.variable.name, self[formula.body], decisive=kind is fol.Exists)
        return _OF_CONNECTIVES[formula.sign](self[formula.left], self[formula.right])


_QUANTIFIED = frozenset(fol.QUANTIFIED)
_OF_CONNECTIVES: dict[str, Callable[[Condition, Condition], Condition]] = {
    "∧": lambda a, b: lambda structure, assignment: a(structure, assignment) and b(structure, assignment),
    "∨": lambda a, b: lambda structure, assignment: a(structure, assignment) or b(structure, assignment),
    "⊕": lambda a, b: lambda structure, assignment: a(structure, assignment) != b(structure, assignment),
    "→": lambda a, b: lambda structure, assignment: not a(structure, assignment) or b(structure, assignment),
    "↔": lambda a, b: lambda structure, assignment: a(structure, assignment) == b(structure, assignment),
}


def _of_atom(atom: fol.Atom) -> Condition:
    predicate, arguments = atom.predicate, atom.arguments
    if not arguments:
        return lambda structure, _: () in structure.predicates[predicate]
    if len(arguments) > 1:
        every = tuple(map(_denotation, arguments))
        return lambda structure, assignment: (
            tuple([denoted(structure, assignment) for denoted in every]) in structure.predicates[predicate]
        )
    name = arguments[0].name
    if type(arguments[0]) is fol.Variable:
        return lambda structure, assignment: (assignment[name],) in structure.predicates[predicate]
    alone = _denotation(arguments[0])
    return lambda structure, assignment: (alone(structure, assignment),) in structure.predicates[predicate]


def _denotation(term: fol.Term) -> _Denotation:
    name = term.name
    match term:
        case fol.Variable():
            return lambda _, assignment: assignment[name]
        case fol.Constant():
            return lambda structure, _: structure.constants[name]
        case fol.Function():
            return lambda structure, assignment: _value(term, structure, assignment)
        case _:
            assert_never(term)


def _of_quantified(name: str, body: Condition, *, decisive: bool) -> Condition:
    """Return the condition of ∃, decided by an element that satisfies the body, or of ∀, by one that does not."""

    def condition(structure: Structure, assignment: Mapping[str, Element]) -> bool:
        within = dict(assignment)
        for element in range(structure.size):
            within[name] = element
            if body(structure, within) is decisive:
                return decisive
        return not decisive

    return condition


MAX_TABLE = 4096  # entries of the largest table that is made for a subformula or a symbol


def has_small_tables(formula: fol.Formula, size: int, limit: int) -> bool:
    """Return whether over ``size`` elements no subformula has more than ``limit`` assignments to its free variables."""
    return all(size ** len(node.profile.free) <= limit for node in fol.distinct_subformulas(formula))
