"""What holds of the candidate sets of every formula."""

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.strategies import closed_formulas, families
from tests.unit.candidates.recheck import recheck

from nlfol.candidates import audited, paper
from nlfol.candidates.sets import Candidate, CandidateError, candidate_rows
from nlfol.english.styles import Style
from nlfol.logic.decision.random_families import RandomFamily
from nlfol.logic.equivalence import Contingency, contingency
from nlfol.logic.measuring import signature_of
from nlfol.logic.structures import holds, satisfied
from nlfol.logic.syntax import Formula
from nlfol.ontology.derivation import derive
from nlfol.randomness import generator

PLANS = st.builds(
    audited.Plan, st.sampled_from([1, 3, 5]), st.sampled_from([0, 1]), st.booleans(), st.just(Style.PAPER)
)


@settings(max_examples=60)
@given(closed_formulas(), PLANS, st.integers(0, 3))
def test_certified_sets_are_fair_and_depend_on_their_labels_alone(gold: Formula, plan: audited.Plan, seed: int) -> None:
    for make in (audited.most_similar_set, audited.ranking_set):
        made = rows_or_reason(make, gold, plan, seed)
        assert rows_or_reason(make, gold, plan, seed) == made
        if not isinstance(made, str):
            recheck(made, plan.minimum)
        elif contingency(gold) is Contingency.CONTINGENT:
            assert made in ("too_few_perturbations", "no_equivalent")
        else:
            assert made in ("valid", "unsatisfiable", "undecided")


def rows_or_reason(
    make: Callable[..., list[Candidate]], gold: Formula, plan: audited.Plan, seed: int
) -> list[dict[str, Any]] | str:
    try:
        return candidate_rows(make(gold, derive([gold]), plan, generator(seed)))
    except CandidateError as error:
        return error.reason


@settings(max_examples=60)
@given(closed_formulas(), st.sampled_from([1, 3, 8]), st.integers(0, 3))
def test_the_paper_makes_a_set_of_every_formula(gold: Formula, perturbations: int, seed: int) -> None:
    for make in (paper.most_similar_set, paper.ranking_set):
        made = make(gold, derive([gold]), perturbations=perturbations, style=Style.PAPER, draw=generator(seed))
        assert made[0].formula is gold
        assert 1 <= sum(candidate.edits for candidate in made) <= perturbations
        assert candidate_rows(made)[0]["certificates"] is None


@given(closed_formulas(), families(), st.integers(0, 31))
def test_truth_clause_by_clause_is_truth_by_assignments(formula: Formula, family: RandomFamily, place: int) -> None:
    structure = family.structure(place, signature_of(formula.profile.symbols))
    assert satisfied(formula, structure, {}) == holds(formula, structure)
