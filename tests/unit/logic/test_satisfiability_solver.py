"""Z3's answers, and its models as structures."""

import pytest
from tests.unit.logic.examples import iterated

from nlfol.logic.decision import solver
from nlfol.logic.decision.solver import Answer, satisfiable
from nlfol.logic.reading import parse
from nlfol.logic.structures import MAX_TABLE, holds
from nlfol.logic.syntax import Atom, Formula, Not

SATISFIABLE = [
    "P(a)",
    "∃x P(x)",
    "¬∃x P(x)",
    "a ≠ b ∧ b ≠ c ∧ a ≠ c ∧ ∀x (x = a ∨ x = b ∨ x = c)",
    "R(a, b) ∧ ¬R(b, a) ∧ R(f(a), b) ∧ f(b) = a ∧ f(a) = b",
    "∀x f(x) ≠ x",
    "∀x (P(x) ⊕ P(f(x)))",
    "T(a, b, a) ∧ ¬T(b, a, b) ∧ g(a, b) = b ∧ g(b, a) = a ∧ a ≠ b",
    "∀x (P(x) ↔ ∃y (R(x, y) ∧ x ≠ y)) ∧ P(a) ∧ ∃x ¬P(x)",
    "∀x ∃y (R(x, y) ∧ ∀x (R(x, y) → P(x))) ∧ ∃x ¬R(x, x)",
    "∀x ∀y x = y ∧ P(a) ∧ Q(f(b))",
]


@pytest.mark.parametrize("text", SATISFIABLE)
def test_a_model_makes_the_formula_true(text: str) -> None:
    formula = parse(text)
    result = satisfiable(formula)
    assert result.answer is Answer.YES
    assert result.model is not None
    assert holds(formula, result.model)


def test_a_model_interprets_every_symbol_over_its_whole_universe() -> None:
    model = satisfiable(parse("a ≠ b ∧ f(a) = b ∧ R(a, b) ∧ ∀x (x = a ∨ x = b)")).model
    assert model is not None
    assert model.size == 2
    a, b = model.constants["a"], model.constants["b"]
    assert {a, b} == {0, 1}
    assert model.functions["f"][a,] == b
    assert set(model.functions["f"]) == {(0,), (1,)}
    assert (a, b) in model.predicates["R"]


def test_a_model_without_elements_of_its_own_has_one() -> None:
    model = satisfiable(parse("∀x P(x) ∨ ∃x Q(x)")).model
    assert model is not None
    assert model.size >= 1


def test_a_model_with_a_huge_table_is_not_made() -> None:
    names = ", ".join("abcdefghijklmnopqrst")
    result = satisfiable(parse(f"a ≠ b ∧ P({names})"))
    assert MAX_TABLE < 2**20
    assert (result.answer, result.model) == (Answer.YES, None)


@pytest.mark.parametrize("text", ["P(a) ∧ ¬P(a)", "∀x P(x) ∧ ¬P(f(a))", "∃x ∀y (R(x, y) ⊕ R(y, y)) ∧ a ≠ a"])
def test_contradictions_have_no_model(text: str) -> None:
    assert satisfiable(parse(text)) == solver.Result(Answer.NO)


HARD = parse("∀x ¬R(x, x) ∧ ∀x ∀y ∀z (R(x, y) ∧ R(y, z) → R(x, z)) ∧ ∀x ∃y R(x, y)")


@pytest.mark.parametrize("budget", [1, 100, 10_000])
def test_a_spent_budget_is_reported_as_budget(budget: int) -> None:
    assert satisfiable(HARD, budget) == solver.Result(Answer.UNKNOWN, reason="budget")


def test_a_spent_wall_clock_is_reported_as_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "WALL_CAP", 1)
    assert satisfiable(HARD, 100_000_000) == solver.Result(Answer.UNKNOWN, reason="time")


def test_names_do_not_influence_the_answer() -> None:
    renamed = parse("∀y ¬S(y, y) ∧ ∀u ∀x ∀q (S(u, x) ∧ S(x, q) → S(u, q)) ∧ ∀w ∃z S(w, z)")
    for budget in (500, 5_000):
        assert satisfiable(renamed, budget) == satisfiable(HARD, budget)


def test_deep_formulas_and_terms_are_translated_without_recursion() -> None:
    formula: Formula = Atom("P", (iterated("f", 1_500),))
    assert satisfiable(formula).answer is Answer.YES
    for _ in range(4_999):
        formula = Not(formula)
    assert satisfiable(formula).answer is Answer.YES
