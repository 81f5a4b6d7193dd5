"""The means of deciding: Z3, models, interpretations over the integers."""

from contextlib import suppress
from random import Random
from time import monotonic

import pytest
from tests.property.generated import formula_with_terms, nested_formula
from tests.unit.logic.examples import iterated, nested
from tests.unit.logic.hard_pairs import UNENDING

from nlfol.logic.decision import grounding, solver
from nlfol.logic.decision.finite_models import complete_families, witnesses
from nlfol.logic.decision.miniscoping import Forms
from nlfol.logic.decision.satisfiability import Question, by_finite_model_bound, by_small_budget
from nlfol.logic.decision.skolemization import skolemized, without_common_prefix
from nlfol.logic.decision.solver import Answer, satisfiable
from nlfol.logic.errors import FormulaError
from nlfol.logic.measuring import signature
from nlfol.logic.reading import parse
from nlfol.logic.structures import MAX_TABLE, holds
from nlfol.logic.syntax import Atom, Constant, Function, Not, Term, Variable

SATISFIABLE = [
    "P(a)", "∃x P(x)", "¬∃x P(x)", "a ≠ b ∧ b ≠ c ∧ a ≠ c ∧ ∀x (x = a ∨ x = b ∨ x = c)",
    "R(a, b) ∧ ¬R(b, a) ∧ R(f(a), b) ∧ f(b) = a ∧ f(a) = b", "∀x f(x) ≠ x", "∀x (P(x) ⊕ P(f(x)))",
    "T(a, b, a) ∧ ¬T(b, a, b) ∧ g(a, b) = b ∧ g(b, a) = a ∧ a ≠ b",
    "∀x (P(x) ↔ ∃y (R(x, y) ∧ x ≠ y)) ∧ P(a) ∧ ∃x ¬P(x)", "∀x ∃y (R(x, y) ∧ ∀x (R(x, y) → P(x))) ∧ ∃x ¬R(x, x)",
    "∀x ∀y x = y ∧ P(a) ∧ Q(f(b))", "∀x P(x) ∨ ∃x Q(x)",
]  # fmt: skip


@pytest.mark.parametrize("text", SATISFIABLE)
def test_satisfiable_formula_gets_true_model(text: str) -> None:
    formula = parse(text)
    result = satisfiable(formula)
    assert result.answer is Answer.YES
    assert result.model is not None
    assert result.model.size > 0
    assert holds(formula, result.model)


def test_model_interprets_all_symbols_over_whole_universe() -> None:
    model = satisfiable(parse("a ≠ b ∧ f(a) = b ∧ R(a, b) ∧ ∀x (x = a ∨ x = b)")).model
    assert model is not None
    assert model.size == 2
    a, b = model.constants["a"], model.constants["b"]
    assert {a, b} == {0, 1}
    assert model.functions["f"][a,] == b
    assert set(model.functions["f"]) == {(0,), (1,)}
    assert (a, b) in model.predicates["R"]


def test_model_with_oversized_table_is_omitted() -> None:
    names = ", ".join("abcdefghijklmnopqrst")
    result = satisfiable(parse(f"a ≠ b ∧ P({names})"))
    assert MAX_TABLE < 2**20
    assert (result.answer, result.model) == (Answer.YES, None)


@pytest.mark.parametrize("text", ["P(a) ∧ ¬P(a)", "∀x P(x) ∧ ¬P(f(a))", "∃x ∀y (R(x, y) ⊕ R(y, y)) ∧ a ≠ a"])
def test_contradictions_are_unsatisfiable(text: str) -> None:
    assert satisfiable(parse(text)) == solver.Result(Answer.NO)


HARD = parse(UNENDING)


@pytest.mark.parametrize("budget", [1, 100, 10_000])
def test_exhausted_budget_is_reported_as_budget(budget: int) -> None:
    assert satisfiable(HARD, budget) == solver.Result(Answer.UNKNOWN, reason="budget")


def test_exceeded_wall_clock_is_reported_as_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "WALL_CAP", 1)
    assert satisfiable(HARD, 100_000_000) == solver.Result(Answer.UNKNOWN, reason="time")


def test_solver_answer_is_independent_from_names() -> None:
    renamed = parse("∀y ¬S(y, y) ∧ ∀u ∀x ∀q (S(u, x) ∧ S(x, q) → S(u, q)) ∧ ∀w ∃z S(w, z)")
    for budget in (500, 5_000):
        assert satisfiable(renamed, budget) == satisfiable(HARD, budget)


def test_deep_formulas_and_terms_are_translated_without_recursion() -> None:
    formula = Atom("P", (iterated("f", 1_500),))
    assert satisfiable(formula).answer is Answer.YES
    assert satisfiable(nested(Not, 4_999, formula)).answer is Answer.YES


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("P(a)", 0), ("∀x P(x)", 0), ("∃x P(x) ∧ ∃y Q(y)", 2), ("∃x P(x) ∨ ∃y (Q(y) ∧ ∃z R(z, y))", 2),
        ("∃x ∀y R(x, y)", 1), ("∀x ∃y R(x, y)", None), ("∀x ∃y (P(x) ∧ Q(y))", 1), ("¬∃x ∀y R(x, y)", None),
    ],
)  # fmt: skip
def test_witness_counts_match_expectation(text: str, expected: int | None) -> None:
    forms = Forms()
    assert witnesses(forms, forms.of(parse(text))) == expected


def test_complete_family_enumerates_structures_exactly_once() -> None:
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
def test_finite_model_bound_agrees_with_z3(seed: int) -> None:
    draw = Random(f"bound {seed}")
    formula, other = formula_with_terms(draw), formula_with_terms(draw)
    question = Question((formula,), (other,))
    found, solved = by_finite_model_bound(question), by_small_budget(question)
    if found is not None and solved is not None and Answer.UNKNOWN is not solved.answer:
        assert found.answer is solved.answer


@pytest.mark.parametrize("seed", range(30))
def test_skolemization_preserves_satisfiability(seed: int) -> None:
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
def test_complement_form_has_only_models_falsifying_formula(seed: int) -> None:
    formula = formula_with_terms(Random(f"complement {seed}"))
    forms = Forms()
    root = forms.of(formula)
    denied = forms.complement(root)
    assert denied != root
    for size in (1, 2):
        model = grounding.model(forms, denied, signature(formula), size, 50_000)
        assert model is None or not holds(formula, model)


def test_common_prefix_is_replaced_by_constants() -> None:
    stripped = without_common_prefix(parse("∀x ∃y R(x, y)"), parse("∀z ¬∀y ¬R(z, y)"), {"c0"})
    assert stripped is not None
    assert [str(formula) for formula in stripped] == [str(parse("R(c1, c2)")), str(parse("R(c1, c2)"))]
    assert without_common_prefix(parse("∀x P(x)"), parse("∃x P(x)"), ()) is None
    assert without_common_prefix(parse("∀x ∀y R(x, y)"), parse("∀y ∀x R(x, y)"), ()) == (
        parse("R(c0, c1)"),
        parse("R(c0, c1)"),
    )


def test_model_search_finds_model_at_feasible_sizes_only() -> None:
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


def test_shared_terms_are_profiled_once() -> None:
    """Equal terms are one object: a term of 100 nodes can stand for 2 to the power of 100."""
    term: Term = Variable("x")
    for _ in range(100):
        term = Function("plus", (term, term))
    measured = Atom("Cube", (term, Constant("a"))).profile
    assert measured.free == {"x"}
    assert measured.symbols == {("predicate", "Cube", 2), ("function", "plus", 2), ("constant", "a", 0)}
    assert measured.levels == 102


PROTOCOL = """
Message(sent(a, b, pair(a, n)))
Stored(pair(b, n))
Fresh(n)
Holds(key(p, t)) ∧ ¬Holds(key(q, t))
∀x1 ∀x2 ∀x3 ∀x4 ∀x5 ∀x6 (Message(sent(t, a, triple(encrypt(quadruple(x5, x6, x3, x2), p), x4, x1)))
 ∧ Stored(pair(x5, x6)) → Message(sent(a, x5, pair(x4, encrypt(x1, x3)))) ∧ Holds(key(x3, x5)))
∀x1 ∀x2 (Message(sent(x1, b, pair(x1, x2))) ∧ Fresh(x2) → Message(sent(b, t, triple(b, g(x2),
 encrypt(triple(x1, x2, e(x2)), q)))) ∧ Stored(pair(x1, x2)))
∀x1 ∀x2 ∀x3 ∀x4 ∀x5 ∀x6 ∀x7 (Message(sent(x1, t, triple(x1, x2, encrypt(triple(x3, x4, x5), x6))))
 ∧ Holds(key(x6, x1)) ∧ Holds(key(x7, x3)) → Message(sent(t, x3, triple(encrypt(quadruple(x1, x4, k(x4), x5), x7),
 encrypt(triple(x3, k(x4), x5), x6), x2))))
"""
"""Axioms in the manner of the Neumann–Stubblebine protocol (Weidenbach 1999; TPTP SWV010+1)."""


@pytest.mark.parametrize("size", [3, 4, 5])
def test_grounding_bound_counts_nested_terms(size: int) -> None:
    question = Question(tuple(map(parse, PROTOCOL.strip().replace("\n ", " ").split("\n"))))
    assert question.form is not None
    with pytest.raises(FormulaError, match="more than 20000 cases of terms"):
        grounding.Grounding(*question.form, question.symbols, size)


def test_z3_is_interrupted_at_wall_clock_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    import z3

    monkeypatch.setattr(solver, "WALL_CAP", 100)
    context = z3.Context()
    unlimited = z3.SimpleSolver(ctx=context)
    holes = [[z3.Bool(f"p{pigeon}/{hole}", context) for hole in range(12)] for pigeon in range(13)]
    unlimited.add(*[z3.Or(row) for row in holes], *[z3.AtMost(*column, 1) for column in zip(*holes, strict=True)])
    start = monotonic()
    with pytest.raises(solver.Z3InterruptedError), solver.watched(context):
        assert unlimited.check() == z3.unknown
    assert monotonic() - start < 20


@pytest.mark.parametrize("milliseconds", [1, 2, 4])
def test_interrupted_z3_answer_is_discarded(milliseconds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It calls one formula in twenty satisfiable by a finite model, of those that have none."""
    import z3

    monkeypatch.setattr(solver, "WALL_CAP", milliseconds)
    for _ in range(50):
        context = z3.Context()
        unlimited = z3.SimpleSolver(ctx=context)
        said = None
        with suppress(solver.Z3InterruptedError):
            with solver.watched(context):
                unlimited.from_string(SERIAL_ORDER)
                said = unlimited.check()
            pytest.fail(f"{said} after an interruption")


SERIAL_ORDER = """
(declare-sort S 0) (declare-fun R (S S) Bool)
(assert (forall ((x S)) (not (R x x))))
(assert (forall ((x S) (y S) (z S)) (=> (and (R x y) (R y z)) (R x z))))
(assert (forall ((x S)) (exists ((y S)) (R x y))))
"""


def test_z3_error_propagates_through_watch() -> None:
    import z3

    context = z3.Context()
    with pytest.raises(z3.Z3Exception), solver.watched(context):
        raise z3.Z3Exception("sort mismatch")
