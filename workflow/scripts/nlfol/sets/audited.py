"""Candidate sets whose relations are proven.

A perturbation is inequivalent to the gold formula, to every other perturbation and, in a ranking set, to the negation;
the equivalent is equivalent to the gold formula and another tree; the negation normal form is equivalent to the
negation. No two members share a rendering. Each relation is a certificate: a finite structure in which exactly one of
the two formulas is true, or the means of a proof.

Perturbations are single edits, drawn uniformly without replacement; one that is not proven different is passed over.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from random import Random
from typing import TypeVar

from nlfol.facts import Role
from nlfol.logic.english.styles import Style
from nlfol.logic.equivalence import Contingency, Outcome, Verdict, contingency, equivalence
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.rewriting import Edit, Law, Rewrite, edits, negation_normal_form, rewrites
from nlfol.logic.syntax import Formula, Not, Path, children
from nlfol.sets.separation import Separation, is_varied, truth_vector
from nlfol.sets.sets import Candidate, CandidateError, Certificate, rendered, rendered_together

_T = TypeVar("_T")

_ORDER = {role: index for index, role in enumerate(Role)}


@dataclass(frozen=True, slots=True)
class Plan:
    """Settings of a candidate set: the largest and the least number of perturbations, and the style of the English."""

    perturbations: int
    minimum: int = 1
    style: Style | None = Style.PAPER
    draws_gold: bool = False
    """Draw the gold formula from the finished set, where it is ``fair``."""
    forms: Random | None = None
    """Draws the form in which each member of a ``fair`` set is shown; None for the formulas as they are made."""


def most_similar_set(gold: Formula, ontology: Ontology, plan: Plan, draw: Random) -> list[Candidate]:
    """Draw the gold formula and its perturbations.

    Raises ``CandidateError``: ``open``, ``valid``, ``unsatisfiable`` or ``undecided`` for a gold formula of which no
    edit can be told right or wrong; ``too_few_perturbations`` if fewer than ``minimum`` are proven different.
    """
    members = _Members(gold, ontology, plan.style)
    members.add_perturbations(plan, draw)
    return members.certified()


def ranking_set(gold: Formula, ontology: Ontology, plan: Plan, draw: Random) -> list[Candidate]:
    """Draw the gold formula, its perturbations, an equivalent, the negation, and the negation's normal form.

    The equivalent applies one law at one place: the law is drawn uniformly among those that apply, then the place. A
    double negation is introduced only where no other law applies: English has no good way to say it.

    Raises ``CandidateError`` as ``most_similar_set``; ``same_english`` if the negation has the gold formula's
    rendering; ``no_equivalent`` if no law gives another formula.
    """
    members = _Members(gold, ontology, plan.style)
    members.add_negation()
    members.add_equivalent(draw)
    members.add_normal_form()
    members.add_perturbations(plan, draw)
    return members.certified()


class _Members:
    def __init__(self, gold: Formula, ontology: Ontology, style: Style | None) -> None:
        vector = vector_of_contingent(gold)
        self.gold = gold
        self.ontology = ontology
        self.style = style
        # Without certificates, which refer to places; in an injective style, which is rendered last, without English.
        self.drafts: list[Candidate] = []
        self.taken: set[Formula | str] = set()
        # The gold formula, the perturbations and the negation, each of which must differ from every other, by vector.
        self.opposed: dict[int | None, list[Formula]] = {}
        # Verdicts on pairs that vectors do not tell apart, and on equivalents.
        self.verdicts: dict[tuple[Formula, Formula], Verdict] = {}
        self._add_opposed(gold, vector, Role.GOLD)

    def add_equivalent(self, draw: Random) -> None:
        """Add an equivalent of the gold formula by one law, without ¬¬ where another applies."""
        doubled = []
        for rewrite in in_random_order(list(rewrites(self.gold)), draw, lambda rewrite: rewrite.law):
            rewritten = reduce(lambda node, index: children(node)[index], rewrite.path, self.gold)
            if rewrite.law is Law.DOUBLE_NEGATION and not isinstance(rewritten, Not):
                doubled.append(rewrite)
            elif self._add_equivalent(rewrite):
                return
        if not any(map(self._add_equivalent, doubled)):
            raise CandidateError("no_equivalent", "no law gives an equivalent formula that the set does not hold yet")

    def _add_equivalent(self, rewrite: Rewrite) -> bool:
        return self._add_equal(self.gold, rewrite.formula, Role.EQUIVALENT, (rewrite.law,), (rewrite.path,))

    def add_negation(self) -> None:
        """Add the negation; raises `CandidateError` if it has the English of the gold formula."""
        negation = Not(self.gold)
        if not self._add_opposed(negation, truth_vector(negation), Role.NEGATION):
            raise CandidateError("same_english", "the negation reads as the gold formula does; correct the glosses")

    def add_normal_form(self) -> None:
        """Add the negation's normal form; an atom, whose negation has no other, has no further edit, either."""
        negation = Not(self.gold)
        normal_form = negation_normal_form(negation)
        if normal_form is negation:
            raise CandidateError("too_few_perturbations", "the only edit of an atom is its negation")
        if not self._add_equal(negation, normal_form, Role.NEGATION_NORMAL_FORM, ("negation_normal_form",), ((),)):
            raise CandidateError("no_equivalent", "the negation's normal form reads as another member of the set does")

    def add_perturbations(self, plan: Plan, draw: Random) -> None:
        """Add single edits up to the number wanted; raises ``CandidateError`` if they are too few."""
        single = list(edits(self.gold))
        taken = 0
        for edit in in_random_order(single, draw):
            taken += self._add_perturbation(edit)
            if taken == plan.perturbations:
                break
        if taken < plan.minimum:
            raise CandidateError(
                "too_few_perturbations",
                f"of {len(single)} single edits, {taken} are proven different from the gold formula and from each "
                f"other; at least {plan.minimum} wanted",
            )

    def certified(self) -> list[Candidate]:
        """Return the members in canonical order, with their certificates."""
        members = sorted(self.drafts, key=lambda member: _ORDER[member.role])
        number_of = {member.formula: number for number, member in enumerate(members)}
        separation = Separation(
            {f: vector for vector, formulas in self.opposed.items() for f in formulas if vector is not None}
        )
        verdicts, between = self.verdicts, separation.between

        def certificate(member: Formula, other: Formula) -> Certificate:
            verdict = verdicts.get((other, member)) if verdicts else None
            if verdict is None:
                return Certificate(number_of[other], Outcome.NOT_EQUIVALENT, "finite_structure", between(other, member))
            # Reading the counter-model of a verdict confirms it.
            return Certificate(number_of[other], verdict.outcome, verdict.means, verdict.counter_model)

        negation = [member.formula for member in members if member.role is Role.NEGATION]
        related: dict[Role, list[Formula]] = {
            Role.GOLD: [],
            Role.NEGATION: [],
            Role.EQUIVALENT: [self.gold],
            Role.NEGATION_NORMAL_FORM: negation,
            Role.PERTURBATION: [self.gold, *negation],
        }
        texts = [member.english for member in members]
        if self.style is not None and self.style.is_injective:
            texts = rendered_together([member.formula for member in members], self.ontology, self.style)
        done = []
        for member, english in zip(members, texts, strict=True):
            proven = tuple([certificate(member.formula, other) for other in related[member.role]])
            done.append(replace(member, english=english, certificates=proven))
            if member.role is Role.PERTURBATION:
                related[member.role].append(member.formula)
        return done

    def _add_perturbation(self, edit: Edit) -> bool:
        formula = edit.formula
        vector = truth_vector(formula)
        decided = {(other, formula): equivalence(other, formula) for other in self._alike(vector)}
        if decided and any(verdict.outcome is not Outcome.NOT_EQUIVALENT for verdict in decided.values()):
            return False
        if not self._add_opposed(formula, vector, Role.PERTURBATION, (edit.kind,), (edit.path,)):
            return False
        self.verdicts |= decided
        return True

    def _alike(self, vector: int | None) -> list[Formula]:
        """Return the opposed formulas that vectors do not tell from a formula with this vector."""
        if vector is None:
            return [formula for formulas in self.opposed.values() for formula in formulas]
        return self.opposed.get(vector, []) + self.opposed.get(None, [])

    def _add_equal(
        self, to: Formula, formula: Formula, role: Role, change: tuple[str, ...], path: tuple[Path, ...]
    ) -> bool:
        verdict = equivalence(to, formula)
        if verdict.outcome is not Outcome.EQUIVALENT or not self._add(formula, role, change, path):
            return False
        self.verdicts[to, formula] = verdict
        return True

    def _add_opposed(
        self,
        formula: Formula,
        vector: int | None,
        role: Role,
        change: tuple[str, ...] = (),
        path: tuple[Path, ...] = (),
    ) -> bool:
        if not self._add(formula, role, change, path):
            return False
        self.opposed.setdefault(vector, []).append(formula)
        return True

    def _add(self, formula: Formula, role: Role, change: tuple[str, ...], path: tuple[Path, ...]) -> bool:
        if formula in self.taken:
            return False
        english = ""
        if self.style is not None and not self.style.is_injective:
            english = rendered(formula, self.ontology, self.style)
            if english in self.taken:
                return False
            self.taken.add(english)
        self.taken.add(formula)
        edits_made = len(change) if role is Role.PERTURBATION else 0
        self.drafts.append(Candidate(formula, english, role, edits_made, change, path))
        return True


def in_random_order(values: Sequence[_T], draw: Random, key: Callable[[_T], object] | None = None) -> Iterator[_T]:
    """Yield in uniformly random order; with a key, draw one of the keys left each time, then a value that has it."""
    if key is None:
        yield from draw.sample(values, len(values))
        return
    groups: dict[object, list[_T]] = {}
    for value in values:
        groups.setdefault(key(value), []).append(value)
    while groups:
        chosen = draw.choice(list(groups))
        group = groups[chosen]
        yield group.pop(draw.randrange(len(group)))
        if not group:
            del groups[chosen]


def vector_of_contingent(gold: Formula) -> int | None:
    """Return the vector of a formula that some structures satisfy and others do not; else raises ``CandidateError``."""
    free = sorted(gold.profile.free)
    if free:
        raise CandidateError("open", f"no quantifier of the gold formula binds {', '.join(free)}")
    vector = truth_vector(gold)
    if is_varied(vector):
        return vector
    kind = contingency(gold)
    if kind is Contingency.CONTINGENT:
        return vector
    reason, finding = kind.value, kind.value
    if kind is Contingency.UNKNOWN:
        reason, finding = "undecided", "not decided to be contingent"
    raise CandidateError(reason, f"the gold formula is {finding}: no edit of it can be told right or wrong")
