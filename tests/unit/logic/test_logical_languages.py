import pytest
from tests.examples import PEOPLE, WEATHER

from nlfol.logic import Outcome
from nlfol.logic.equivalence import Contingency
from nlfol.logic.languages.language import ReadingError, UnknownSymbolError
from nlfol.logic.languages.registry import LANGUAGES

FORMULAS, PROPOSITIONS = LANGUAGES["first_order"], LANGUAGES["propositional"]


def test_names_that_stand_alone_are_letters_of_propositional_logic_only() -> None:
    assert PROPOSITIONS.write(PROPOSITIONS.parse("p1 ∧ ¬p2")) == "p1 ∧ ¬p2"
    with pytest.raises(ReadingError, match="line 1, column 1"):
        FORMULAS.parse("p1 ∧ ¬p2")


def test_what_a_model_writes_is_read_with_an_account_of_each_liberty() -> None:
    read = PROPOSITIONS.read("```\np1 && ~p2\n```", WEATHER)
    assert read.sentence is PROPOSITIONS.parse("p1 ∧ ¬p2")
    assert read.dialect == "ascii"
    with pytest.raises(ReadingError):
        PROPOSITIONS.read("I cannot tell.", WEATHER)


@pytest.mark.parametrize(
    ("formula", "kind"),
    [("Likes(ann, bob)", "signature"), ("Hates(ann, ann)", "signature"), ("Likes(x, ann)", "open_formula")],
)
def test_symbols_outside_the_ontology_and_free_variables_are_told_apart(formula: str, kind: str) -> None:
    with pytest.raises(UnknownSymbolError) as error:
        FORMULAS.check(FORMULAS.parse(formula), PEOPLE)
    assert error.value.kind == kind


def test_english_leads_back() -> None:
    formula = FORMULAS.parse("∀x (Likes(x, ann) → ∃y ¬Likes(y, x))")
    assert FORMULAS.read_english(FORMULAS.render(formula, PEOPLE), PEOPLE) is formula
    with pytest.raises(ReadingError):
        FORMULAS.read_english("Ann is liked.", PEOPLE)


def test_a_difference_comes_with_a_counter_model() -> None:
    comparison = PROPOSITIONS.compare(PROPOSITIONS.parse("p1 ∨ p2"), PROPOSITIONS.parse("p1 ⊕ p2"))
    assert comparison.outcome is Outcome.NOT_EQUIVALENT
    assert comparison.counter_model is not None


def test_constant_formulas_are_recognised() -> None:
    assert PROPOSITIONS.contingency(PROPOSITIONS.parse("p1 ∨ ¬p1"), WEATHER) is Contingency.VALID
    assert PROPOSITIONS.contingency(PROPOSITIONS.parse("p1 ∧ ¬p1"), WEATHER) is Contingency.UNSATISFIABLE
    assert PROPOSITIONS.contingency(PROPOSITIONS.parse("p1"), WEATHER) is Contingency.CONTINGENT


def test_operators_are_counted_both_ways() -> None:
    measures = PROPOSITIONS.measures(PROPOSITIONS.parse("¬(p1 ∧ ¬p2) ∨ p1"))
    assert (measures["operators"], measures["operators_published"]) == (4, 3)
    assert (measures["syntax_depth"], measures["atoms"], measures["letters"]) == (5, 3, 2)


def test_each_edit_is_another_sentence() -> None:
    formula = FORMULAS.parse("∀x Likes(x, ann)")
    edited = {edit.kind: FORMULAS.write(edit.sentence) for edit in FORMULAS.edits(formula, PEOPLE)}
    assert edited == {"quantifier": "∃x Likes(x, ann)", "negation": "∀x ¬Likes(x, ann)"}
