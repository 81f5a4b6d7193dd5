"""Unambiguous English over ontologies made to be misread: reading gives the formula back, tree and all."""

from hypothesis import given
from hypothesis import strategies as st
from tests.property.nasty_ontologies import formulas_over, nasty_ontologies

from nlfol.english.reading import read_english
from nlfol.english.unambiguous import render
from nlfol.logic.syntax import Formula
from nlfol.ontology.ontology import Ontology

CASES: st.SearchStrategy[tuple[Ontology, list[Formula]]] = nasty_ontologies().flatmap(
    lambda ontology: st.tuples(st.just(ontology), st.lists(formulas_over(ontology), min_size=1, max_size=8))
)


@given(CASES)
def test_reading_is_the_inverse_of_rendering(case: tuple[Ontology, list[Formula]]) -> None:
    ontology, formulas = case
    for formula in formulas:
        assert read_english(render(formula, ontology), ontology) is formula
