"""Mutants of a story: its premises with one typed edit in one of them (DeMillo, Lipton and Sayward, 1978)."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import reduce
from typing import NamedTuple

from nlfol.logic.diagnosis import additions
from nlfol.logic.mistakes import EditKind, edits_of
from nlfol.logic.syntax import And, Formula


class Fate(StrEnum):
    """End of a mutant: it is noticed, or why it is not."""

    NOTICED = "noticed"
    """Some conclusion has another answer."""
    CONTRADICTORY = "contradictory"
    """It contradicts the other premises, so that no question has an answer: noticed by all."""
    SAME_MEANING = "same_meaning"
    """It is equivalent to its premise."""
    REDUNDANT = "redundant"
    """It changes no answer: the other premises entail its premise, and the mutant."""
    SAME_STORY = "same_story"
    """It changes no answer: with the other premises it is equivalent to its premise."""
    UNNOTICED = "unnoticed"
    """It means something else, but no conclusion that was tried has another answer."""
    UNDECIDED = "undecided"
    """Nothing was proven of it within the budget."""


SEEN = frozenset({Fate.NOTICED, Fate.CONTRADICTORY})
EQUIVALENT = frozenset({Fate.SAME_MEANING, Fate.REDUNDANT, Fate.SAME_STORY})


class Mutant(NamedTuple):
    """A premise by its place, the kind of edit, and the closed formula in its place."""

    premise: int
    kind: EditKind
    formula: Formula


def mutants(premises: Sequence[Formula]) -> Iterator[Mutant]:
    """Yield all single edits of all premises, with symbols of the whole story; of equal formulas the first."""
    lender = reduce(And, premises)
    for place, premise in enumerate(premises):
        known = {premise}
        for kind, formula in _edits(premise, lender):
            if formula not in known and not formula.profile.free:
                known.add(formula)
                yield Mutant(place, kind, formula)


def _edits(premise: Formula, lender: Formula) -> Iterator[tuple[EditKind, Formula]]:
    for kind, _, formula in edits_of(premise, lender):
        # There an edit repairs: what it leaves out was added.
        yield EditKind.DROPPED if kind is EditKind.ADDED else kind, formula
    yield from ((EditKind.ADDED, addition.formula) for addition in additions(lender, premise))
