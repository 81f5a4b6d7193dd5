"""What the members of a set must mean, as pairs of formulas to decide, and what a verdict on one says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from nlfol.candidates.audit.items import DISTRACTORS, NEGATIONS, PublishedRole, ReadItem
from nlfol.candidates.audit.violations import Check, Violation
from nlfol.logic.decision.verdicts import Outcome, Verdict
from nlfol.logic.syntax import Equality, ForAll, Formula, Not, Variable

_X = Variable("x")
_VALID = ForAll(_X, Equality(_X, _X))
"""What is valid means the same as this: so validity is decided together with all else, by the same means."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two formulas to compare.

    Attributes:
        check: what the comparison is for.
        members: the members concerned.
        pair: the formulas.
        violating: the outcome that violates the check.
    """

    check: Check
    members: tuple[int, ...]
    pair: tuple[Formula, Formula]
    violating: Outcome


def comparisons(read: ReadItem) -> Iterator[Comparison]:
    """Every comparison that a set calls for; members without a meaning to compare are left out."""
    distractors = read.comparable(DISTRACTORS)
    if read.gold is not None and read.gold in read.comparable({PublishedRole.PHI}):
        index, gold = read.gold
        negation = Not(gold)
        yield Comparison(Check.GOLD_VALID, (index,), (gold, _VALID), Outcome.EQUIVALENT)
        yield Comparison(Check.GOLD_UNSATISFIABLE, (index,), (gold, Not(_VALID)), Outcome.EQUIVALENT)
        holds_negation = bool(read.having(NEGATIONS))
        opposite = Check.DISTRACTOR_EQUIVALENT_TO_NEGATION if holds_negation else Check.DISTRACTOR_NEGATES_GOLD
        for check, other in ((Check.DISTRACTOR_EQUIVALENT_TO_GOLD, gold), (opposite, negation)):
            for member, formula in distractors:
                yield Comparison(check, (index, member), (other, formula), Outcome.EQUIVALENT)
        for role, check, other in (
            (PublishedRole.EQUIVALENT, Check.EQUIVALENT_NOT_EQUIVALENT, gold),
            (PublishedRole.NEGATION, Check.NEGATION_NOT_EQUIVALENT, negation),
            (PublishedRole.NEGATION_NNF, Check.NEGATION_NNF_NOT_EQUIVALENT, negation),
            (PublishedRole.NEGATION_EQUIVALENT, Check.NEGATION_EQUIVALENT_NOT_EQUIVALENT, negation),
        ):
            for member, formula in read.comparable({role}):
                yield Comparison(check, (index, member), (other, formula), Outcome.NOT_EQUIVALENT)
    for (first, a), (second, b) in combinations(distractors, 2):
        yield Comparison(Check.DISTRACTORS_EQUIVALENT, (first, second), (a, b), Outcome.EQUIVALENT)


def violation_of(comparison: Comparison, verdict: Verdict) -> Violation | None:
    """What a verdict other than unknown makes of a comparison."""
    if verdict.outcome is Outcome.INVALID:
        return Violation(Check.TWO_ARITIES, comparison.members, verdict.reason or verdict.means)
    if verdict.outcome is not comparison.violating:
        return None
    if verdict.outcome is Outcome.EQUIVALENT:
        return Violation(comparison.check, comparison.members, f"equivalent by {verdict.means}")
    if verdict.counter_model is not None:
        return Violation(comparison.check, comparison.members, verdict.counter_model.as_data())
    return Violation(comparison.check, comparison.members, verdict.reason or f"not equivalent by {verdict.means}")


def undecided(comparison: Comparison, verdict: Verdict) -> Violation | None:
    """A comparison whose verdict is unknown, as a violation that may be there."""
    if verdict.outcome is not Outcome.UNKNOWN:
        return None
    return Violation(comparison.check, comparison.members, f"{comparison.check.value} not decided: {verdict.reason}")
