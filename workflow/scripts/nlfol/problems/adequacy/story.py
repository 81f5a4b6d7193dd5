"""The premises of a story, with the structures near it, and what follows from them and from its mutants."""

from collections.abc import Sequence
from functools import reduce
from operator import and_

from nlfol.logic import syntax as fol
from nlfol.logic.decision.families import Family
from nlfol.logic.decision.satisfiability import SMALL_BUDGET, Question, satisfiability
from nlfol.logic.decision.solver import Answer
from nlfol.logic.rewriting import complement
from nlfol.logic.syntax import Formula
from nlfol.problems.adequacy.neighbours import neighbours
from nlfol.problems.programs.outcome import Truth

MAX_PROOFS = 1_000
"""Proofs that are tried of what seems to leave a story as it is, and as many to choose conclusions."""


class StoryError(ValueError):
    """Premises of which no conclusions can be chosen."""


class ContradictionError(StoryError):
    """Premises that contradict one another."""


class Story:
    """The premises of a story, consistent and closed, and their structures."""

    def __init__(self, premises: Sequence[Formula]) -> None:
        self.premises = tuple(premises)
        family = neighbours(premises)
        if family is None:
            raise StoryError("too many symbols or variables to look at structures")
        self.family: Family = family
        self.truths = [self.bits(premise) for premise in premises]
        self.others = [
            reduce(and_, (truth for at, truth in enumerate(self.truths) if at != place), family.full)
            for place in range(len(premises))
        ]
        self.models = reduce(and_, self.truths, family.full)
        self.proofs = MAX_PROOFS
        if not self.models:
            question = Question(self.premises, (), SMALL_BUDGET, with_evidence=False)
            if satisfiability(question).answer is Answer.NO:
                raise ContradictionError("its premises contradict one another")
            raise StoryError(f"no structure of {family.size} elements was found in which all premises hold")

    def bits(self, formula: Formula) -> int:
        """Return the structures in which a formula holds; 0 of one with too large tables."""
        return self.family.truth(formula) or 0

    def entailed(self, formula: Formula, place: int | None = None, mutant: Formula | None = None) -> bool | None:
        """Return whether the premises, with a mutant in one's place, entail a formula; None where that is open.

        Without a mutant, the premise at the place is left out. Of the premises, those are used that leave no structure
        where the formula fails.
        """
        counter = self.family.full & ~self.bits(formula)
        used: list[Formula] = []
        if mutant is not None:
            used.append(mutant)
            counter &= self.bits(mutant)
        rest = {at: truth for at, truth in enumerate(self.truths) if at != place}
        while counter:
            best = min(rest, key=lambda at: ((counter & rest[at]).bit_count(), at), default=None)
            if best is None or counter & rest[best] == counter:
                return False  # a structure of all of them is left
            used.append(self.premises[best])
            counter &= rest.pop(best)
        for true in (used, [*used, *(self.premises[at] for at in rest)]):
            if self.proofs <= 0:
                return None
            self.proofs -= 1
            question = Question(tuple(dict.fromkeys(true)), (formula,), SMALL_BUDGET, with_evidence=False)
            answer = satisfiability(question).answer
            if answer is Answer.NO:
                return True
            if not rest:
                break
        return False if answer is Answer.YES else None

    def says(self, formula: Formula) -> Truth | None:
        """Return what the story says of a formula; None where that is open."""
        bits = self.bits(formula) & self.models
        if 0 != bits != self.models:
            return Truth.UNKNOWN
        is_entailed = self.entailed(formula if bits else opposite(formula))
        if is_entailed:
            return Truth.TRUE if bits else Truth.FALSE
        return None if is_entailed is None else Truth.UNKNOWN


def opposite(formula: Formula) -> Formula:
    """Return the negation of a conclusion, with ¬ at its literals."""
    match formula:
        case fol.ForAll(variable, body):
            return fol.Exists(variable, opposite(body))
        case fol.Exists(variable, body):
            return fol.ForAll(variable, opposite(body))
        case fol.Implies(left, right):
            return fol.And(left, opposite(right))
        case fol.And(left, right):
            return fol.Implies(left, opposite(right))
        case fol.Or(left, right):
            return fol.And(opposite(left), opposite(right))
        case _:
            return complement(formula)
