"""Syntax of first-order logic with function terms and equality, as immutable, interned trees.

Terms are variables, constants and function terms f(t1, ..., tn), n ≥ 1; formulas are atoms P(t1, ..., tn), n ≥ 0,
equations, and what ¬ ∧ ∨ ⊕ → ↔ ∀ ∃ make of them (Enderton, *A Mathematical Introduction to Logic*, 2.1; ⊕ is exclusive
or). An atom without terms is a propositional letter. Connectives are binary: ``a ∧ b ∧ c`` is ``(a ∧ b) ∧ c``.

Nodes are interned; as they may be deep, all traversals here use an explicit stack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeVar

from nlfol.interning import Interned, bottom_up, distinct_parts, preorder, replaced_at
from nlfol.logic import trees
from nlfol.logic.errors import FormulaError
from nlfol.logic.infix import LATEX, UNICODE, Notation, write_formula, write_term
from nlfol.logic.trees import Profiled

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
"""Names of variables, constants, functions and predicates."""

FREE_VARIABLE = re.compile(r"[u-z][0-9]*")
"""Names read as variables even where nothing binds them; other unbound names are constants (Tarski's World)."""

_T = TypeVar("_T")


def _checked(name: str, kind: str) -> None:
    if not NAME.fullmatch(name):
        raise FormulaError(f"{name!r} cannot name a {kind}: a name is an ASCII letter, then letters, digits and '_'")


@dataclass(frozen=True, slots=True, eq=False, repr=False, weakref_slot=True)
class Node(Profiled, metaclass=Interned):
    """A term or a formula, compared by ``is`` or ``==``; ``str`` is not always read back (see ``to_unicode``)."""

    sign: ClassVar[str] = ""  # of the strict notation, for connectives, quantifiers and =

    def __repr__(self) -> str:
        return self._written(UNICODE)

    def _repr_latex_(self) -> str:
        """Return the text for notebooks."""
        return f"${self._written(LATEX)}$"

    def _written(self, notation: Notation) -> str:
        if isinstance(self, Variable | Constant | Function):
            return write_term(self, lambda node: notation.term(node.name))
        assert isinstance(self, Formula)
        return write_formula(self, notation, self.profile.free)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, field.name) for field in fields(self))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Variable(Node):
    """An individual variable."""

    measure = staticmethod(trees.of_variable)
    name: str

    def __post_init__(self) -> None:
        _checked(self.name, "variable")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Constant(Node):
    """An individual constant."""

    measure = staticmethod(trees.of_constant)
    name: str

    def __post_init__(self) -> None:
        _checked(self.name, "constant")
        if FREE_VARIABLE.fullmatch(self.name):
            raise FormulaError(f"{self.name!r} cannot name a constant: u to z, with or without digits, are variables")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Function(Node):
    """A function term f(t1, ..., tn) with n ≥ 1."""

    measure = staticmethod(trees.of_function)
    name: str
    arguments: tuple[Term, ...]

    def __post_init__(self) -> None:
        _checked(self.name, "function")
        if not self.arguments:
            raise FormulaError(f"function {self.name!r} without arguments: write it as a constant")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Atom(Node):
    """A predicate applied to n ≥ 0 terms; of no terms, a propositional letter: ``Atom("p", ())``."""

    measure = staticmethod(trees.of_atom)
    predicate: str
    arguments: tuple[Term, ...]

    def __post_init__(self) -> None:
        _checked(self.predicate, "predicate")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Equality(Node):
    """An equation between two terms."""

    sign: ClassVar[str] = "="
    measure = staticmethod(trees.of_equation)
    left: Term
    right: Term


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Not(Node):
    """Negation; of an equation it prints as ``≠``."""

    sign: ClassVar[str] = "¬"
    measure = staticmethod(trees.of_negation)
    operand: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class And(Node):
    """Conjunction."""

    sign: ClassVar[str] = "∧"
    measure = staticmethod(trees.of_connective)
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Or(Node):
    """Inclusive disjunction."""

    sign: ClassVar[str] = "∨"
    measure = staticmethod(trees.of_connective)
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ExclusiveOr(Node):
    """Exclusive disjunction."""

    sign: ClassVar[str] = "⊕"
    measure = staticmethod(trees.of_doubling)
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Implies(Node):
    """Material implication."""

    sign: ClassVar[str] = "→"
    measure = staticmethod(trees.of_connective)
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Iff(Node):
    """Material equivalence."""

    sign: ClassVar[str] = "↔"
    measure = staticmethod(trees.of_doubling)
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ForAll(Node):
    """Universal quantification over one variable."""

    sign: ClassVar[str] = "∀"
    measure = staticmethod(trees.of_quantified)
    variable: Variable
    body: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Exists(Node):
    """Existential quantification over one variable."""

    sign: ClassVar[str] = "∃"
    measure = staticmethod(trees.of_quantified)
    variable: Variable
    body: Formula


Term = Variable | Constant | Function
Binary = And | Or | ExclusiveOr | Implies | Iff
Quantified = ForAll | Exists
Atomic = Atom | Equality
Formula = Atomic | Not | Binary | Quantified

BINARY: tuple[type[Binary], ...] = (And, Or, ExclusiveOr, Implies, Iff)
QUANTIFIED: tuple[type[Quantified], ...] = (ForAll, Exists)
CONNECTIVES: Mapping[str, type[Binary]] = {kind.sign: kind for kind in BINARY}
QUANTIFIERS: Mapping[str, type[Quantified]] = {kind.sign: kind for kind in QUANTIFIED}

_Tree = TypeVar("_Tree", Formula, Term)

Path = tuple[int, ...]
"""Position of a subformula: the child indices to follow from the root (0 left, operand or body; 1 right)."""


_PARTS: dict[type, Callable[[Any], tuple[Any, ...]]] = {
    **dict.fromkeys((Variable, Constant, Atom, Equality), lambda _: ()),
    Function: lambda node: node.arguments,
    Not: lambda node: (node.operand,),
    **dict.fromkeys(BINARY, lambda node: (node.left, node.right)),
    **dict.fromkeys(QUANTIFIED, lambda node: (node.body,)),
}


def children(node: _Tree) -> tuple[_Tree, ...]:
    """Return the immediate subformulas of a formula, or the arguments of a term, left to right."""
    return _PARTS[type(node)](node)


def with_children(formula: Formula, parts: Sequence[Formula]) -> Formula:
    """Return the same node over other immediate subformulas, as many as ``children`` gives."""
    if isinstance(formula, (Atom, Equality)):
        return formula
    if isinstance(formula, (ForAll, Exists)):
        return type(formula)(formula.variable, parts[0])
    return type(formula)(*parts)


def fold(root: _Tree, step: Callable[[_Tree, tuple[_T, ...]], _T], done: dict[_Tree, _T] | None = None) -> _T:
    """Apply ``step(node, results of its children)`` to each distinct node, bottom-up, and return the root's result."""
    return bottom_up(root, children, step, {} if done is None else done)


def subformulas(formula: Formula) -> Iterator[tuple[Path, Formula]]:
    """Yield every occurrence of a subformula with its path, in preorder."""
    return preorder(formula, children)


def distinct_subformulas(formula: Formula) -> Iterator[Formula]:
    """Yield each distinct subformula once, in preorder of first occurrence: linear where ``subformulas`` is not."""
    return distinct_parts(formula, children)


def operands(formula: Formula, *kinds: type[Formula]) -> Iterator[Formula]:
    """Yield the parts around which there are only formulas of some kinds, left to right."""
    stack = [formula]
    while stack:
        node = stack.pop()
        if isinstance(node, kinds):
            stack.extend(reversed(children(node)))
        else:
            yield node


def replace(formula: Formula, path: Path, new: Formula) -> Formula:
    """Return the formula with another subformula at ``path``."""
    return replaced_at(path, formula, new, children, with_children)


def terms(formula: Formula) -> tuple[Term, ...]:
    """Return the argument terms of an atomic formula; none of any other."""
    match formula:
        case Atom(_, arguments):
            return arguments
        case Equality(left, right):
            return (left, right)
        case _:
            return ()


def subterms(term: Term) -> Iterator[Term]:
    """Yield the term and every term inside it, in preorder."""
    stack = [term]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, Function):
            stack.extend(reversed(node.arguments))


def map_term(term: Term, leaf: Callable[[Variable | Constant], Term]) -> Term:
    """Return the term with each variable and constant replaced by ``leaf`` of it."""
    return fold(term, lambda node, parts: Function(node.name, parts) if isinstance(node, Function) else leaf(node))
