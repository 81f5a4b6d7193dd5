"""Copies of the notation are found wherever they stand, and certified English holds none.

A tenth of what ``benchmarks/copies.py`` counts.
"""

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from tests.property.nasty_ontologies import formulas_over, nasty_ontologies
from tests.property.notation_in_english import is_notation, pasted, said

from nlfol.logic.english.unambiguous import render
from nlfol.logic.ontology.ontology import Ontology
from nlfol.logic.syntax import Formula
from nlfol.tasks.copies import copies, described

CASES: st.SearchStrategy[tuple[Ontology, Formula]] = nasty_ontologies().flatmap(
    lambda ontology: st.tuples(st.just(ontology), formulas_over(ontology))
)


def test_copy_detector_passes_certified_english() -> None:
    for one in said(300, "certified"):
        found = copies(one.english, one.ontology, one.language)
        assert not found, (described(one.english, found), one.english)


@given(CASES)
def test_copy_detector_ignores_ontology_glosses_and_quotations(case: tuple[Ontology, Formula]) -> None:
    ontology, formula = case
    english = render(formula, ontology)
    assert copies(english, ontology, "first_order") == (), english


def test_copy_detector_finds_pasted_formulas() -> None:
    draw = Random("paste")
    cases = [one for one in said(400, "pasted") if is_notation(one.sentence)]
    assert len(cases) > 300
    for one in cases:
        text = pasted(one, draw)
        assert copies(text, one.ontology, one.language), text
