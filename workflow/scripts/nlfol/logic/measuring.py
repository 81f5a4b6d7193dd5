"""Contents of a formula: symbols, free variables, sizes."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache

from nlfol.logic.errors import SignatureError
from nlfol.logic.syntax import BINARY, QUANTIFIED, Formula, Not, Variable, distinct_subformulas, fold
from nlfol.logic.trees import Symbol


def free_variables(formula: Formula) -> frozenset[Variable]:
    """Return the variables with a free occurrence."""
    return frozenset(map(Variable, formula.profile.free))


def bound_variables(formula: Formula) -> frozenset[Variable]:
    """Return the variables that some quantifier binds, occurring or not."""
    return frozenset(node.variable for node in distinct_subformulas(formula) if isinstance(node, QUANTIFIED))


def constants(formula: Formula) -> frozenset[str]:
    """Return the names of the constants."""
    return frozenset(name for kind, name, _ in formula.profile.symbols if kind == "constant")


def functions(formula: Formula) -> dict[str, int]:
    """Return the functions with their arities; raises ``SignatureError`` if one has two."""
    return _arities("function", formula.profile.named("function"))


def predicates(formula: Formula) -> dict[str, int]:
    """Return the predicates but equality with their arities; raises ``SignatureError`` if one has two."""
    return _arities("predicate", formula.profile.named("predicate"))


def letters(formula: Formula) -> frozenset[str]:
    """Return the names of the propositional letters."""
    return frozenset(name for name, arity in formula.profile.named("predicate") if not arity)


def _arities(kind: str, uses: Iterable[tuple[str, int]]) -> dict[str, int]:
    arities: dict[str, int] = {}
    for name, arity in uses:
        if arities.setdefault(name, arity) != arity:
            raise SignatureError(f"{kind} {name!r} is used with {arities[name]} and with {arity} arguments", name)
    return arities


@dataclass(frozen=True, slots=True)
class Signature:
    """The symbols that formulas may use, with their arities; propositional letters are predicates of arity 0."""

    predicates: dict[str, int]
    functions: dict[str, int] = field(default_factory=dict)
    constants: frozenset[str] = frozenset()

    def __hash__(self) -> int:
        return hash((frozenset(self.predicates), self.constants))

    @property
    def letters(self) -> frozenset[str]:
        """Return the predicates of no arguments."""
        return frozenset(name for name, arity in self.predicates.items() if not arity)

    def covers(self, formula: Formula) -> bool:
        """Return whether all symbols of a formula are in the signature."""
        return formula.profile.symbols <= _symbols_of(self)

    def check(self, formula: Formula) -> None:
        """Raise ``SignatureError`` for the first symbol, predicates first, that is not in the signature."""
        if self.covers(formula):
            return
        for name, arity in sorted(predicates(formula).items()):
            self._check_arity("predicate", name, arity, self.predicates)
        for name, arity in sorted(functions(formula).items()):
            self._check_arity("function", name, arity, self.functions)
        for name in sorted(constants(formula)):
            if name not in self.constants:
                raise SignatureError(f"constant {name!r} is not in the signature", name)

    @staticmethod
    def _check_arity(kind: str, name: str, arity: int, known: dict[str, int]) -> None:
        if name not in known:
            raise SignatureError(f"{kind} {name!r} is not in the signature", name)
        if known[name] != arity:
            raise SignatureError(f"{kind} {name!r} has {known[name]} arguments, not {arity}", name)


@lru_cache(maxsize=1_024)
def _symbols_of(signature: Signature) -> frozenset[Symbol]:
    predicates, functions = signature.predicates.items(), signature.functions.items()
    applied = [*(("predicate", *symbol) for symbol in predicates), *(("function", *symbol) for symbol in functions)]
    return frozenset([*applied, *(("constant", name, 0) for name in signature.constants)])


class Usage(Enum):
    """Classes of signatures that decide which means is tried first."""

    CLASH = auto()
    """A predicate or function has two arities, of which ``signature_of`` tells more."""
    LETTERS = auto()
    """All are propositional letters."""
    OTHER = auto()


@lru_cache(maxsize=8_192)
def usage(symbols: frozenset[Symbol]) -> Usage:
    """Classify some symbols."""
    if len({(kind, name) for kind, name, _ in symbols}) < len(symbols):
        return Usage.CLASH
    return Usage.LETTERS if all(kind == "predicate" and not arity for kind, _, arity in symbols) else Usage.OTHER


@lru_cache(maxsize=8_192)
def signature_of(symbols: frozenset[Symbol]) -> Signature:
    """Return the signature of some symbols; raises ``SignatureError`` if one has two arities."""
    of_kind: dict[str, list[tuple[str, int]]] = {"predicate": [], "function": [], "constant": []}
    for kind, name, arity in sorted(symbols):
        of_kind[kind].append((name, arity))
    return Signature(
        _arities("predicate", of_kind["predicate"]),
        _arities("function", of_kind["function"]),
        frozenset(name for name, _ in of_kind["constant"]),
    )


def signature(*formulas: Formula) -> Signature:
    """Return the least signature over which all the formulas are well-formed; raises ``SignatureError`` if none is."""
    return signature_of(frozenset[Symbol]().union(*(formula.profile.symbols for formula in formulas)))


def forget() -> None:
    """Drop what is remembered of sets of symbols."""
    usage.cache_clear()
    signature_of.cache_clear()


def count_operators(formula: Formula) -> int:
    """Count the occurrences of ¬ ∧ ∨ ⊕ → ↔ (``≠`` counts as its ¬), without quantifiers."""
    return fold(formula, lambda node, parts: isinstance(node, (Not, *BINARY)) + sum(parts))


def count_quantifiers(formula: Formula) -> int:
    """Count the occurrences of ∀ and ∃."""
    return fold(formula, lambda node, parts: isinstance(node, QUANTIFIED) + sum(parts))
