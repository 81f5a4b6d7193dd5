"""Formulas without the symbols on which their truth does not depend.

Truth depends on a symbol if it can change when the symbol's interpretation alone does: if the formula is not equivalent
to itself with a new symbol in its place. A formula that is equivalent to another under a map of symbols depends on the
images of exactly those on which the other depends, so only these need be mapped, and one to one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from nlfol.logic import Formula, Outcome, equivalence
from nlfol.logic.decision.satisfiability import FIRST_FAMILY
from nlfol.logic.syntax import (
    Atom,
    Constant,
    Equality,
    ForAll,
    Function,
    Term,
    Variable,
    fold,
    subterms,
    with_children,
)
from nlfol.programs.formulas.maps import numbered, written
from nlfol.programs.symbols import Symbol, SymbolKind, identity

_FRESH = "Fresh"
_BOUND = Variable("z0")
_TRUE = ForAll(_BOUND, Equality(_BOUND, _BOUND))


@dataclass(frozen=True, slots=True)
class Reduced:
    """A formula over the symbols that count.

    Attributes:
        formula: equivalent to the one given, names by number.
        symbols: by number, under the names that were given: those on which truth depends, or may.
        is_certain: whether it is known to depend on each of them.
    """

    formula: Formula
    symbols: tuple[Symbol, ...]
    is_certain: bool


def reduced(formula: Formula) -> Reduced:
    """A formula without the symbols that do not count."""
    known = numbered(formula)
    found, places, is_certain = _reduced(cast("Formula", known.shape))
    return Reduced(found, tuple(known.symbols[place] for place in places), is_certain)


def whole(formula: Formula) -> Reduced:
    """A formula with all its symbols, as if truth depended on each."""
    found = numbered(formula)
    return Reduced(cast("Formula", found.shape), found.symbols, is_certain=True)


@lru_cache(maxsize=20_000)
def _reduced(shape: Formula) -> tuple[Formula, tuple[int, ...], bool]:
    """Of a shape: the reduced one, which of its symbols are left, and whether each is known to count."""
    symbols = numbered(shape).symbols
    counts = [_counts(shape, symbol) for symbol in symbols]
    is_certain = None not in counts
    gone = {symbol for symbol, count in zip(symbols, counts, strict=True) if count is False}
    if not gone:
        return shape, tuple(range(len(symbols))), is_certain
    without = fold(shape, _Without(gone).step)
    if without.profile.free:
        without = ForAll(_BOUND, without)
    numbers = {symbol: number for number, symbol in enumerate(symbols)}
    # A symbol that is left has the arguments that it had, so it is the same one.
    again = numbered(without)
    return cast("Formula", again.shape), tuple(numbers[symbol] for symbol in again.symbols), is_certain


def _counts(shape: Formula, symbol: Symbol) -> bool | None:
    """Whether truth depends on a symbol; None if that is undecided."""
    other = written(shape, {symbol: identity(symbol._replace(name=_FRESH))})
    truth = FIRST_FAMILY.truth(shape)
    if truth is not None and truth != FIRST_FAMILY.truth(other):
        return True
    outcome = equivalence(shape, other).outcome
    return None if outcome is Outcome.UNKNOWN else outcome is not Outcome.EQUIVALENT


class _Without:
    """What to put for nodes with symbols that do not count: any interpretation will do."""

    def __init__(self, gone: set[Symbol]) -> None:
        self.gone = gone

    def step(self, node: Formula, parts: tuple[Formula, ...]) -> Formula:
        """True for an atom; for a term its first argument, or an element."""
        match node:
            case Atom(predicate, arguments):
                if Symbol(SymbolKind.PREDICATE, predicate, len(arguments)) in self.gone:
                    return _TRUE
                return Atom(predicate, tuple(map(self.term, arguments)))
            case Equality(left, right):
                return Equality(self.term(left), self.term(right))
            case _:
                return with_children(node, parts)

    def term(self, root: Term) -> Term:
        """The term without them."""
        done: dict[Term, Term] = {}
        for part in reversed(list(subterms(root))):
            if isinstance(part, Constant):
                done[part] = _BOUND if Symbol(SymbolKind.CONSTANT, part.name, 0) in self.gone else part
            elif isinstance(part, Function):
                arguments = tuple(done[each] for each in part.arguments)
                is_gone = Symbol(SymbolKind.FUNCTION, part.name, len(arguments)) in self.gone
                done[part] = arguments[0] if is_gone else Function(part.name, arguments)
            else:
                done[part] = part
        return done[root]
