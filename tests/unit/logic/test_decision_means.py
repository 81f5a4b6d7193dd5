"""What each means of deciding is made of."""

from random import Random

import pytest
from tests.property.generated import formula_with_terms, nested_formula

from nlfol.logic.decision import arithmetic, grounding
from nlfol.logic.decision.families import Family
from nlfol.logic.decision.finite_models import complete_families, witnesses
from nlfol.logic.decision.miniscoping import Forms
from nlfol.logic.decision.satisfiability import Question, by_finite_model_bound, by_small_budget
from nlfol.logic.decision.skolemization import skolemized, without_common_prefix
from nlfol.logic.decision.solver import Answer, satisfiable
from nlfol.logic.equivalence import equivalence
from nlfol.logic.measuring import signature
from nlfol.logic.reading import parse
from nlfol.logic.structures import holds
from nlfol.logic.syntax import Atom, Constant, Function, Term, Variable


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("P(a)", 0),
        ("∀x P(x)", 0),
        ("∃x P(x) ∧ ∃y Q(y)", 2),
        ("∃x P(x) ∨ ∃y (Q(y) ∧ ∃z R(z, y))", 2),
        ("∃x ∀y R(x, y)", 1),
        ("∀x ∃y R(x, y)", None),
        ("∀x ∃y (P(x) ∧ Q(y))", 1),
        ("¬∃x ∀y R(x, y)", None),
    ],
)
def test_witnesses_are_counted(text: str, expected: int | None) -> None:
    forms = Forms()
    assert witnesses(forms, forms.of(parse(text))) == expected


def test_a_complete_family_has_every_structure_once() -> None:
    symbols = signature(parse("∃x (P(x) ∧ R(x, a))"))
    families = complete_families(symbols, 1, has_equality=False)
    assert families is not None
    (family,) = families
    assert (family.size, family.width) == (2, 64)
    assert len({family.structure(index, symbols).describe() for index in range(64)}) == 64
    many = complete_families(symbols, 1, has_equality=True)
    assert many is not None
    assert [(family.size, family.constants) for family in many] == [(1, {"a": 0}), (2, {"a": 0})]
    assert complete_families(symbols, 20, has_equality=False) is None
    assert complete_families(signature(parse("P(f(a))")), 0, has_equality=False) is None


@pytest.mark.parametrize("seed", range(60))
def test_the_finite_model_bound_agrees_with_z3(seed: int) -> None:
    draw = Random(f"bound {seed}")
    formula, other = formula_with_terms(draw), formula_with_terms(draw)
    question = Question((formula,), (other,))
    found, solved = by_finite_model_bound(question), by_small_budget(question)
    if found is not None and solved is not None and Answer.UNKNOWN is not solved.answer:
        assert found.answer is solved.answer


@pytest.mark.parametrize("seed", range(30))
def test_skolem_normal_forms_are_satisfiable_together(seed: int) -> None:
    formula = (nested_formula if seed % 2 else formula_with_terms)(Random(f"skolem {seed}"))
    forms = Forms()
    root = forms.of(formula)
    if root in (forms.truth, forms.falsity):
        return
    skolem = skolemized(forms, root, {"sk0"})
    answers = {satisfiable(formula, 20_000).answer, satisfiable(skolem, 20_000).answer}
    assert answers != {Answer.YES, Answer.NO}
    assert "∃" not in repr(skolem)
    assert "sk0" not in repr(skolem)


@pytest.mark.parametrize("seed", range(30))
def test_a_complement_is_the_form_of_the_negation_in_meaning(seed: int) -> None:
    formula = formula_with_terms(Random(f"complement {seed}"))
    forms = Forms()
    root = forms.of(formula)
    denied = forms.complement(root)
    assert denied != root
    for size in (1, 2):
        model = grounding.model(forms, denied, signature(formula), size, 50_000)
        assert model is None or not holds(formula, model)


def test_a_common_prefix_makes_way_for_constants() -> None:
    stripped = without_common_prefix(parse("∀x ∃y R(x, y)"), parse("∀z ¬∀y ¬R(z, y)"), {"c0"})
    assert stripped is not None
    assert [str(formula) for formula in stripped] == [str(parse("R(c1, c2)")), str(parse("R(c1, c2)"))]
    assert without_common_prefix(parse("∀x P(x)"), parse("∃x P(x)"), ()) is None
    assert without_common_prefix(parse("∀x ∀y R(x, y)"), parse("∀y ∀x R(x, y)"), ()) == (
        parse("R(c0, c1)"),
        parse("R(c0, c1)"),
    )


def test_a_model_of_a_size_is_found_or_not() -> None:
    formula = parse("∃x ∃y (x ≠ y ∧ f(x) = y ∧ R(x, f(y))) ∧ ¬R(a, a)")
    forms = Forms()
    root, symbols = forms.of(formula), signature(formula)
    assert grounding.model(forms, root, symbols, 1, 50_000) is None
    for size in (2, 3):
        *_, model = (None, *grounding.models(forms, root, symbols, size, 50_000))
        assert model is not None
        assert (model.size, len(model.predicates["R"])) == (size, 1)
        assert holds(formula, model)
    assert grounding.model(forms, root, symbols, 200, 50_000) is None


@pytest.mark.parametrize(
    ("text", "described"),
    [
        ("∀x ∃y R(x, y) ∧ ∀x ¬R(x, x)", "universe of the integers; R(x, y) iff x < y"),
        ("∀x f(x) ≠ o ∧ ∀x ∀y (f(x) = f(y) → x = y)", "universe of the natural numbers; o = 0; f(x) = x + 1"),
        ("∀x ∀y m(x, y) = m(y, x) ∧ ∀x m(x, e) = x", "universe of the integers; e = 0; m(x, y) = x + y"),
        ("∃x P(x) ∧ ∃x ¬P(x)", "universe of the integers; P(x) iff x > 0"),
    ],
)
def test_interpretations_over_the_integers(text: str, described: str) -> None:
    formula = parse(text)
    symbols = signature(formula)
    found = arithmetic.interpretation(formula, symbols, 50_000)
    assert found is not None
    assert found.describe() == described
    assert arithmetic.is_true(formula, found, 50_000)


def test_a_contradiction_is_true_in_no_interpretation() -> None:
    formula = parse("∃x (P(x) ∧ ¬P(x))")
    assert arithmetic.interpretation(formula, signature(formula), 50_000) is None
    wide = parse("∃x W(x, x, x, x)")
    assert arithmetic.interpretation(wide, signature(wide), 50_000) is None


def test_bit_parallel_truth_that_is_wrong_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = equivalence(parse("P(a)"), parse("Q(a)"))
    right = Family.structure
    monkeypatch.setattr(Family, "structure", lambda self, index, symbols: right(self, 0, symbols))
    structure = verdict.counter_model if verdict._evidence.place == 0 else None  # type: ignore[union-attr]
    if structure is None:
        with pytest.raises(AssertionError, match="bit-parallel and plain truth differ"):
            _ = verdict.counter_model


def test_a_shared_term_is_measured_once_however_often_it_occurs() -> None:
    """Equal terms are one object: a term of 100 nodes can stand for 2 to the power of 100."""
    term: Term = Variable("x")
    for _ in range(100):
        term = Function("plus", (term, term))
    measured = Atom("Cube", (term, Constant("a"))).profile
    assert measured.free == {"x"}
    assert measured.symbols == {("predicate", "Cube", 2), ("function", "plus", 2), ("constant", "a", 0)}
    assert measured.levels == 102
