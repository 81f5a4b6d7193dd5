import pytest
from tests.examples import PEOPLE, WEATHER

from nlfol.logic import Outcome
from nlfol.logic.equivalence import Contingency
from nlfol.logic.languages.language import ReadingError, UnknownSymbolError
from nlfol.logic.languages.registry import LANGUAGES

FORMULAS, PROPOSITIONS = LANGUAGES["first_order"], LANGUAGES["propositional"]


def test_bare_names_are_letters_only_in_propositional_logic() -> None:
    assert PROPOSITIONS.write(PROPOSITIONS.parse("p1 ∧ ¬p2")) == "p1 ∧ ¬p2"
    with pytest.raises(ReadingError, match="line 1, column 1"):
        FORMULAS.parse("p1 ∧ ¬p2")


def test_model_text_is_read_with_repairs_recorded() -> None:
    read = PROPOSITIONS.read("```\np1 && ~p2\n```", WEATHER)
    assert read.sentence is PROPOSITIONS.parse("p1 ∧ ¬p2")
    assert read.dialect == "ascii"
    with pytest.raises(ReadingError):
        PROPOSITIONS.read("I cannot tell.", WEATHER)


@pytest.mark.parametrize(
    ("formula", "kind"),
    [("Likes(ann, bob)", "signature"), ("Hates(ann, ann)", "signature"), ("Likes(x, ann)", "open_formula")],
)
def test_unknown_symbols_and_free_variables_are_distinguished(formula: str, kind: str) -> None:
    with pytest.raises(UnknownSymbolError) as error:
        FORMULAS.check(FORMULAS.parse(formula), PEOPLE)
    assert error.value.kind == kind


def test_english_rendering_reads_back() -> None:
    formula = FORMULAS.parse("∀x (Likes(x, ann) → ∃y ¬Likes(y, x))")
    assert FORMULAS.read_english(FORMULAS.render(formula, PEOPLE), PEOPLE) is formula
    with pytest.raises(ReadingError):
        FORMULAS.read_english("Ann is liked.", PEOPLE)


def test_inequivalence_comes_with_counter_model() -> None:
    comparison = PROPOSITIONS.compare(PROPOSITIONS.parse("p1 ∨ p2"), PROPOSITIONS.parse("p1 ⊕ p2"))
    assert comparison.outcome is Outcome.NOT_EQUIVALENT
    assert comparison.counter_model is not None


def test_contingency_recognizes_constant_formulas() -> None:
    assert PROPOSITIONS.contingency(PROPOSITIONS.parse("p1 ∨ ¬p1"), WEATHER) is Contingency.VALID
    assert PROPOSITIONS.contingency(PROPOSITIONS.parse("p1 ∧ ¬p1"), WEATHER) is Contingency.UNSATISFIABLE
    assert PROPOSITIONS.contingency(PROPOSITIONS.parse("p1"), WEATHER) is Contingency.CONTINGENT


def test_operator_counts_follow_both_conventions() -> None:
    measures = PROPOSITIONS.measures(PROPOSITIONS.parse("¬(p1 ∧ ¬p2) ∨ p1"))
    assert (measures["operators"], measures["operators_published"]) == (4, 3)
    assert (measures["syntax_depth"], measures["atoms"], measures["letters"]) == (5, 3, 2)


def test_edits_yield_different_sentences() -> None:
    formula = FORMULAS.parse("∀x Likes(x, ann)")
    edited = {edit.kind: FORMULAS.write(edit.sentence) for edit in FORMULAS.edits(formula, PEOPLE)}
    assert edited == {"quantifier": "∃x Likes(x, ann)", "negation": "∀x ¬Likes(x, ann)"}
