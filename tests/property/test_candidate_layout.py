"""Unambiguous English over ontologies made to be misread: it is read back, and no candidate is told by its lists."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.property.nasty_ontologies import formulas_over, nasty_ontologies
from tests.property.strategies import closed_formulas

from nlfol.candidates import audited
from nlfol.candidates.sets import CandidateError, Role
from nlfol.english.reading import read_english
from nlfol.english.styles import Style
from nlfol.english.unambiguous import render, render_candidates
from nlfol.logic.syntax import BINARY, Formula, distinct_subformulas
from nlfol.ontology.derivation import derive
from nlfol.ontology.ontology import Ontology
from nlfol.randomness import generator

_MARK = re.compile(r"\(\d+(?:\.\d+)*\)")

CASES: st.SearchStrategy[tuple[Ontology, list[Formula]]] = nasty_ontologies().flatmap(
    lambda ontology: st.tuples(st.just(ontology), st.lists(formulas_over(ontology), min_size=1, max_size=8))
)


@given(CASES)
def test_reading_is_the_inverse_of_rendering(case: tuple[Ontology, list[Formula]]) -> None:
    ontology, formulas = case
    for formula, english in zip(formulas, render_candidates(formulas, ontology), strict=True):
        assert read_english(render(formula, ontology), ontology) is formula
        assert read_english(english, ontology) is formula


@settings(max_examples=50)
@given(closed_formulas(), st.integers(0, 3))
def test_all_members_of_a_set_have_lists_or_none_has_and_edits_have_those_of_the_gold_formula(
    gold: Formula, seed: int
) -> None:
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
