"""Candidates of every formula: sets, edit distances, the layout they are shown in."""

import re
from collections.abc import Callable
from typing import Any

from hypothesis import event, example, given, settings
from hypothesis import strategies as st
from tests.property.nasty_ontologies import formulas_over, nasty_ontologies
from tests.property.strategies import closed_formulas, formulas
from tests.unit.sets.recheck import recheck

from nlfol.facts import Role
from nlfol.logic.english.reading import read_english
from nlfol.logic.english.styles import Style
from nlfol.logic.english.unambiguous import render, render_candidates
from nlfol.logic.equivalence import Contingency, contingency
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.reading.strict import parse
from nlfol.logic.rewriting import edits
from nlfol.logic.syntax import BINARY, Formula, distinct_subformulas
from nlfol.randomness import generator
from nlfol.sets import audited, fair, paper
from nlfol.sets.audit import audit as audit_sets
from nlfol.sets.audit import item_of
from nlfol.sets.audit_checks import REMARKS
from nlfol.sets.distances import edit_distance
from nlfol.sets.sets import Candidate, CandidateError, candidate_rows

PLANS = st.builds(audited.Plan, st.sampled_from([1, 3, 5]), st.just(1), st.just(Style.PAPER))


@settings(max_examples=60)
@given(closed_formulas(), PLANS, st.integers(0, 3))
def test_certified_sets_are_deterministic_and_match_their_roles(gold: Formula, plan: audited.Plan, seed: int) -> None:
    for make in (audited.most_similar_set, audited.ranking_set):
        made = rows_or_reason(make, gold, plan, seed)
        assert rows_or_reason(make, gold, plan, seed) == made
        if not isinstance(made, str):
            recheck(made, plan)
        elif contingency(gold) is Contingency.CONTINGENT:
            assert made in ("too_few_perturbations", "no_equivalent")
        else:
            assert made in ("valid", "unsatisfiable", "undecided")


def rows_or_reason(make: Callable[..., list[Candidate]], gold: Formula, plan: audited.Plan, seed: int) -> Any:
    try:
        return candidate_rows(make(gold, derive([gold]), plan, generator(seed)))
    except CandidateError as error:
        return error.reason


@settings(max_examples=60)
@given(closed_formulas(), st.integers(0, 3))
def test_fair_sets_pass_audit_and_english_reads_back(gold: Formula, seed: int) -> None:
    symbols = derive([gold])
    for make in (fair.most_similar_set, fair.ranking_set):
        try:
            plan = audited.Plan(8, style=Style.EVEN, forms=generator(seed, "forms"))
            members = make(gold, symbols, plan, generator(seed))
        except CandidateError as refused:
            event(refused.reason)
            continue
        assert [read_english(member.english, symbols) for member in members] == [m.formula for m in members]
        row: Any = {"item": "i", "candidates": candidate_rows(members, bracketed=True)}
        (audit,) = audit_sets([item_of(row)])
        assert {violation.check for violation in audit.violations} <= REMARKS


@settings(max_examples=60)
@given(closed_formulas(), st.sampled_from([1, 3, 8]), st.integers(0, 3))
def test_paper_sets_are_made_from_every_formula(gold: Formula, perturbations: int, seed: int) -> None:
    for make in (paper.most_similar_set, paper.ranking_set):
        made = make(gold, derive([gold]), perturbations=perturbations, style=Style.PAPER, draw=generator(seed))
        assert made[0].formula is gold
        assert 1 <= sum(candidate.edits for candidate in made) <= perturbations
        assert candidate_rows(made)[0]["certificates"] is None


def edited(formula: Formula) -> set[Formula]:
    return {edit.formula for edit in edits(formula)}


@given(formulas())
def test_edit_distance_is_1_for_single_edits(formula: Formula) -> None:
    assert edit_distance(formula, formula) == 0
    assert {edit_distance(formula, other) for other in edited(formula)} == {1}


@given(formulas(leaves=4), st.data())
def test_edit_distance_is_2_only_when_fewer_edits_fail(formula: Formula, data: st.DataObject) -> None:
    once = data.draw(st.sampled_from(list(edits(formula)))).formula
    twice = data.draw(st.sampled_from(list(edits(once)))).formula
    expected = 0 if twice is formula else 1 if twice in edited(formula) else 2
    assert edit_distance(formula, twice) == expected


_MARK = re.compile(r"\(\d+(?:\.\d+)*\)")

CASES: st.SearchStrategy[tuple[Ontology, list[Formula]]] = nasty_ontologies().flatmap(
    lambda ontology: st.tuples(st.just(ontology), st.lists(formulas_over(ontology), min_size=1, max_size=8))
)


@given(CASES)
def test_english_reader_inverts_rendering(case: tuple[Ontology, list[Formula]]) -> None:
    ontology, formulas = case
    for formula, english in zip(formulas, render_candidates(formulas, ontology), strict=True):
        assert read_english(render(formula, ontology), ontology) is formula
        assert read_english(english, ontology) is formula


@settings(max_examples=50)
@given(closed_formulas(), st.integers(0, 3))
@example(parse("∃y ∃x ((P(x) ↔ P(x) ⊕ P(x)) ∧ P(y))"), 0)  # an edit negates an item of two literals
def test_candidate_sets_render_lists_uniformly_across_members(gold: Formula, seed: int) -> None:
    ontology = derive([gold])
    for make in (audited.most_similar_set, audited.ranking_set):
        try:
            members = make(gold, ontology, audited.Plan(5, style=Style.UNAMBIGUOUS), generator(seed))
        except CandidateError:
            continue
        joined = [any(isinstance(node, BINARY) for node in distinct_subformulas(m.formula)) for m in members]
        assert len(set(joined)) == 1
        assert len({"\n" in member.english for member in members}) == 1
        marks = [_MARK.findall(m.english) for m in members if m.role in (Role.GOLD, Role.PERTURBATION)]
        assert all(sorted(found) == sorted(marks[0]) for found in marks)
