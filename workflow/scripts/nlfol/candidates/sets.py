"""Candidate sets: what a model chooses from, every member certified against the others it must differ from.

A set is a function of the gold formula, its ontology (for the English) and the generator passed in. Members stand in
canonical order: the gold formula, then the others as drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from nlfol.candidates.edits import edits
from nlfol.english.errors import EnglishLengthError
from nlfol.english.styles import Style, render
from nlfol.logic.equivalence import Contingency, Outcome, Verdict, contingency, equivalence
from nlfol.logic.rewriting import Law, Rewrite, negation_normal_form, rewrites
from nlfol.logic.syntax import Formula, Not, Path
from nlfol.ontology.ontology import Ontology

STYLE = Style.UNAMBIGUOUS
"""The English of every candidate."""


class Role(StrEnum):
    """What a member of a candidate set is."""

    GOLD = "gold"
    PERTURBATION = "perturbation"
    EQUIVALENT = "equivalent"
    NEGATION = "negation"
    NEGATION_NORMAL_FORM = "negation_normal_form"
    NEGATION_EQUIVALENT = "negation_equivalent"
    """Stands in for the negation normal form where that is the same tree as the negation."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One member of a set.

    Attributes:
        formula: the formula.
        english: its rendering; no two members of a set share one.
        role: what it is.
        change: the kind of edit or the law that made it; None for the gold formula and the plain negation.
        path: where that was applied; None where nothing was.
        verdict: how it stands to the gold formula, with the means that decided it.
    """

    formula: Formula
    english: str
    role: Role
    change: str | None
    path: Path | None
    verdict: Verdict


class CandidateError(ValueError):
    """An item from which no fair set can be made.

    Attributes:
        reason: a word to count by.
    """

    def __init__(self, reason: str, detail: str) -> None:
        self.reason = reason
        super().__init__(detail)


def most_similar_set(
    gold: Formula, ontology: Ontology, *, perturbations: int, minimum: int, draw: Random
) -> list[Candidate]:
    """The gold formula and up to ``perturbations`` single edits, pairwise inequivalent.

    Edits are sampled uniformly without replacement; one that is not proven different from the gold formula and from
    every edit already taken is passed over.

    Raises:
        CandidateError: ``not_contingent`` if the gold formula is valid, unsatisfiable or undecided, so that nothing
            tells it from others; ``too_few_perturbations`` if fewer than ``minimum`` edits survive.
    """
    members = _Members(gold, ontology)
    members.add_perturbations(perturbations, minimum, draw)
    return members.candidates


def ranking_set(
    gold: Formula, ontology: Ontology, *, perturbations: int, minimum: int, draw: Random
) -> list[Candidate]:
    """The gold formula, an equivalent, single edits, the negation, and the negation's normal form.

    The equivalent comes of one law at one place: the law is drawn uniformly among those that apply, then the place.
    Edits are inequivalent to the gold formula, to the negation and to each other. Where the negation normal form is
    the negation itself, an equivalent of the negation by one law takes its place under a role of its own.

    Raises:
        CandidateError: as ``most_similar_set``, and ``no_equivalent`` if no law gives another formula.
            ``rendering_too_long`` if a member, such as the normal form of many nested ↔, has no usable English.
    """
    members = _Members(gold, ontology)
    members.add_equivalent_of(gold, Role.EQUIVALENT, draw)
    negation = Not(gold)
    members.add(negation, Role.NEGATION, None, None)
    normal_form = negation_normal_form(negation)
    if not members.add(normal_form, Role.NEGATION_NORMAL_FORM, "negation_normal_form", ()):
        members.add_equivalent_of(negation, Role.NEGATION_EQUIVALENT, draw)
    members.add_perturbations(perturbations, minimum, draw)
    order = list(Role)
    return sorted(members.candidates, key=lambda member: order.index(member.role))


class _Members:
    """A set in the making."""

    def __init__(self, gold: Formula, ontology: Ontology) -> None:
        kind = contingency(gold)
        if kind is not Contingency.CONTINGENT:
            raise CandidateError(
                "not_contingent", f"the gold formula is {kind}: no edit of it can be told right or wrong"
            )
        self.gold = gold
        self.ontology = ontology
        self.candidates: list[Candidate] = []
        self.add(gold, Role.GOLD, None, None)

    def add(self, formula: Formula, role: Role, change: str | None, path: Path | None) -> bool:
        """Add a member unless its tree or its English is already there."""
        try:
            english = render(formula, self.ontology, STYLE)
        except EnglishLengthError as error:
            raise CandidateError("rendering_too_long", f"{role}: {error}") from error
        if any(member.formula is formula or member.english == english for member in self.candidates):
            return False
        self.candidates.append(Candidate(formula, english, role, change, path, equivalence(self.gold, formula)))
        return True

    def add_equivalent_of(self, formula: Formula, role: Role, draw: Random) -> None:
        for rewrite in _in_random_order(list(rewrites(formula)), draw):
            proven = equivalence(formula, rewrite.formula).outcome is Outcome.EQUIVALENT
            if proven and self.add(rewrite.formula, role, rewrite.law, rewrite.path):
                return
        raise CandidateError("no_equivalent", "no law gives an equivalent formula that the set does not hold yet")

    def add_perturbations(self, wanted: int, minimum: int, draw: Random) -> None:
        drawn = list(edits(self.gold))
        draw.shuffle(drawn)
        taken = 0
        for edit in drawn:
            if taken == wanted:
                break
            if self._differs_from_all(edit.formula):
                taken += self.add(edit.formula, Role.PERTURBATION, edit.kind, edit.path)
        if taken < minimum:
            raise CandidateError(
                "too_few_perturbations",
                f"{taken} of {len(drawn)} single edits are proven different from the gold formula and from each other; "
                f"at least {minimum} wanted",
            )

    def _differs_from_all(self, formula: Formula) -> bool:
        # Equivalents of the gold formula and of its negation are represented by the formula they are equivalent to.
        apart_from = [
            member.formula for member in self.candidates if member.role in (Role.GOLD, Role.NEGATION, Role.PERTURBATION)
        ]
        return all(_differ(other, formula) for other in apart_from)


def _differ(first: Formula, second: Formula) -> bool:
    """Whether two formulas are proven to differ, by a counter-model that the plain definition of truth confirms."""
    verdict = equivalence(first, second)
    # Reading the counter-model confirms it; the solver's own certificates need not be finite structures.
    certified = verdict.counter_model is not None or verdict.means in ("z3", "arithmetic")
    return verdict.outcome is Outcome.NOT_EQUIVALENT and certified


def _in_random_order(found: Sequence[Rewrite], draw: Random) -> Iterator[Rewrite]:
    """Rewrites in the order of drawing a law uniformly among those left, then one of its places."""
    by_law: dict[Law, list[Rewrite]] = {}
    for rewrite in found:
        by_law.setdefault(rewrite.law, []).append(rewrite)
    while by_law:
        law = draw.choice(sorted(by_law))
        places = by_law[law]
        yield places.pop(draw.randrange(len(places)))
        if not places:
            del by_law[law]
