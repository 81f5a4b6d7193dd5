"""What a formula contains: symbols, free variables, sizes."""

from __future__ import annotations

from dataclasses import dataclass, field

from nlfol.logic.errors import SignatureError
from nlfol.logic.syntax import (
    BINARY,
    QUANTIFIED,
    Atom,
    Constant,
    Exists,
    ForAll,
    Formula,
    Function,
    Not,
    Variable,
    distinct_subformulas,
    distinct_subterms,
    fold,
    free_variables,
    terms,
)

__all__ = [
    "Signature",
    "bound_variables",
    "constants",
    "count_operators",
    "count_quantifiers",
    "free_variables",
    "functions",
    "letters",
    "predicates",
    "signature",
]


def bound_variables(formula: Formula) -> frozenset[Variable]:
    """The variables that some quantifier binds, occurring or not."""
    return frozenset(node.variable for node in distinct_subformulas(formula) if isinstance(node, ForAll | Exists))


def _terms_inside(formula: Formula) -> frozenset[Variable | Constant | Function]:
    return frozenset(
        t for node in distinct_subformulas(formula) for term in terms(node) for t in distinct_subterms(term)
    )


def constants(formula: Formula) -> frozenset[str]:
    """The names of the constants."""
    return frozenset(term.name for term in _terms_inside(formula) if isinstance(term, Constant))


def functions(formula: Formula) -> dict[str, int]:
    """The functions with their arities.

    Raises:
        SignatureError: if one has two arities.
    """
    found = ((t.name, len(t.arguments)) for t in _terms_inside(formula) if isinstance(t, Function))
    return _arities("function", sorted(set(found)))


def predicates(formula: Formula) -> dict[str, int]:
    """The predicates with their arities, equality not among them.

    Raises:
        SignatureError: if one has two arities.
    """
    found = ((n.predicate, len(n.arguments)) for n in distinct_subformulas(formula) if isinstance(n, Atom))
    return _arities("predicate", sorted(set(found)))


def letters(formula: Formula) -> frozenset[str]:
    """The names of the propositional letters."""
    return frozenset(
        node.predicate for node in distinct_subformulas(formula) if isinstance(node, Atom) and not node.arguments
    )


def _arities(what: str, found: list[tuple[str, int]]) -> dict[str, int]:
    arities: dict[str, int] = {}
    for name, arity in found:
        if arities.setdefault(name, arity) != arity:
            raise SignatureError(f"{what} {name!r} is used with {arities[name]} and with {arity} arguments", name)
    return arities


@dataclass(frozen=True, slots=True)
class Signature:
    """The symbols that formulas may use.

    Attributes:
        predicates: name to arity; propositional letters have arity 0.
        functions: name to arity.
        constants: names.
    """

    predicates: dict[str, int]
    functions: dict[str, int] = field(default_factory=dict)
    constants: frozenset[str] = frozenset()

    @property
    def letters(self) -> frozenset[str]:
        """The predicates of no arguments."""
        return frozenset(name for name, arity in self.predicates.items() if not arity)

    def check(self, formula: Formula) -> None:
        """Refuse a formula with a symbol that is not in the signature.

        Raises:
            SignatureError: naming the first such symbol in alphabetical order, predicates first.
        """
        for name, arity in sorted(predicates(formula).items()):
            self._check_arity("predicate", name, arity, self.predicates)
        for name, arity in sorted(functions(formula).items()):
            self._check_arity("function", name, arity, self.functions)
        for name in sorted(constants(formula)):
            if name not in self.constants:
                raise SignatureError(f"constant {name!r} is not in the signature", name)

    @staticmethod
    def _check_arity(what: str, name: str, arity: int, known: dict[str, int]) -> None:
        if name not in known:
            raise SignatureError(f"{what} {name!r} is not in the signature", name)
        if known[name] != arity:
            raise SignatureError(f"{what} {name!r} has {known[name]} arguments, not {arity}", name)


def signature(*formulas: Formula) -> Signature:
    """The least signature over which all the formulas are well-formed.

    Raises:
        SignatureError: if a predicate or function is used with two arities.
    """
    pairs_of_predicates = {pair for formula in formulas for pair in predicates(formula).items()}
    pairs_of_functions = {pair for formula in formulas for pair in functions(formula).items()}
    return Signature(
        _arities("predicate", sorted(pairs_of_predicates)),
        _arities("function", sorted(pairs_of_functions)),
        frozenset().union(*(constants(formula) for formula in formulas)),
    )


def count_operators(formula: Formula) -> int:
    """Occurrences of ¬ ∧ ∨ ⊕ → ↔ (``≠`` counts as its ¬); quantifiers are counted apart."""
    return fold(formula, lambda node, parts: isinstance(node, (Not, *BINARY)) + sum(parts))


def count_quantifiers(formula: Formula) -> int:
    """Occurrences of ∀ and ∃."""
    return fold(formula, lambda node, parts: isinstance(node, QUANTIFIED) + sum(parts))
