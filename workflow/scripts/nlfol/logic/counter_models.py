"""The smallest structure that tells two formulas apart."""

from __future__ import annotations

from nlfol.logic.decision import grounding
from nlfol.logic.decision.finite_models import CompleteFamily, interpretations
from nlfol.logic.decision.satisfiability import Question
from nlfol.logic.decision.solver import DEFAULT_BUDGET
from nlfol.logic.measuring import signature_of
from nlfol.logic.structures import Structure, holds
from nlfol.logic.syntax import Formula

MAX_SIZE = 8
"""Elements of the largest universe that is searched."""

MAX_GROUND_ATOMS = 12
"""Ground atoms up to which all structures of a size are listed; Z3 searches above."""

MAX_CONSTANTS = 6
"""Constants up to which they are listed: the ways to place more in a universe are millions."""


def smallest_counter_model(first: Formula, second: Formula, *, budget: int = DEFAULT_BUDGET) -> Structure | None:
    """A structure in which exactly one of two closed formulas is true.

    Of the smallest universe there is one in, and there with the fewest true ground atoms. It is the same on every
    machine. None where no structure of up to ``MAX_SIZE`` elements is found.

    Args:
        first: a formula.
        second: another.
        budget: Z3's ``rlimit`` for each step of the search where there are too many structures to list; where it runs
            out, a larger structure may be found than the smallest.

    Raises:
        SignatureError: if a predicate or function is used with two arities.
    """
    symbols = signature_of(first.profile.symbols | second.profile.symbols)
    for size in range(1, MAX_SIZE + 1):
        entries = sum(size**arity for arity in symbols.predicates.values())
        listable = entries <= MAX_GROUND_ATOMS and len(symbols.constants) <= MAX_CONSTANTS
        if listable and not symbols.functions:
            found = _listed(first, second, size)
        else:
            found = _searched(first, second, size, budget)
        if found is not None:
            if holds(first, found) == holds(second, found):
                raise AssertionError(f"no difference between {first} and {second} in {found.describe()}")
            return found
    return None


def _atoms(structure: Structure) -> int:
    return sum(map(len, structure.predicates.values()))


def _listed(first: Formula, second: Formula, size: int) -> Structure | None:
    symbols = signature_of(first.profile.symbols | second.profile.symbols)
    best: tuple[int, int, Structure] | None = None
    for number, constants in enumerate(interpretations(sorted(symbols.constants), size)):
        family = CompleteFamily(size, constants, symbols.predicates)
        a, b = family.truth(first), family.truth(second)
        if a is None or b is None:
            return None
        different = a ^ b
        indices = (index for index in range(family.width) if different >> index & 1)
        # The index of a structure in a complete family is its list of true atoms, as bits.
        index = min(indices, key=lambda index: (index.bit_count(), index), default=None)
        if index is not None and (best is None or index.bit_count() < best[0]):
            best = index.bit_count(), number, family.structure(index, symbols)
    return None if best is None else best[2]


def _searched(first: Formula, second: Formula, size: int, budget: int) -> Structure | None:
    found = []
    for question in (Question((first,), (second,), budget), Question((second,), (first,), budget)):
        if question.form is not None and not question.is_too_deep:
            model = grounding.smallest_model(*question.form, question.symbols, size, budget)
            if question.confirms(model) and model is not None:
                found.append(model)
    return min(found, key=_atoms, default=None)
