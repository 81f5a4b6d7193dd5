"""Relations between formulas, entailment, and the smallest counter-models."""

from collections.abc import Sequence
from itertools import product

import pytest
from tests.unit.logic.hard_pairs import UNENDING

from nlfol.logic import relations
from nlfol.logic.boards import board, on_boards
from nlfol.logic.decision.satisfiability import Finding, Question, Stage, satisfiability
from nlfol.logic.decision.solver import Answer
from nlfol.logic.errors import FormulaError, SignatureError
from nlfol.logic.reading import parse
from nlfol.logic.relations import Label, RelationKind, entails, relation, smallest_counter_model, tell_apart
from nlfol.logic.structures import Structure, holds
from nlfol.logic.syntax import Not


@pytest.mark.parametrize(
    ("gold", "candidate", "kind"),
    [
        ("∀x (P(x) → Q(x))", "¬∃x (P(x) ∧ ¬Q(x))", "equivalent"),
        ("∀x (P(x) → Q(x))", "∀x (P(x) ↔ Q(x))", "stronger"), ("∀x (P(x) ↔ Q(x))", "∀x (P(x) → Q(x))", "weaker"),
        ("∀x ∃y R(x, y)", "∃y ∀x R(x, y)", "stronger"), ("∃y ∀x R(x, y)", "∀x ∃y R(x, y)", "weaker"),
        ("P(a)", "¬P(a)", "contradictory"), ("∀x P(x)", "∃x ¬P(x)", "contradictory"),
        ("∀x P(x)", "∀x ¬P(x)", "contradictory"), ("∀x (P(x) → Q(x))", "∀x (Q(x) → P(x))", "independent"),
        ("P(a)", "Q(a)", "independent"), ("P(a)", "P(a) ∧ ¬P(a)", "stronger"), ("P(a)", "P(a) ∨ ¬P(a)", "weaker"),
        (UNENDING, "∀x ∃y R(x, y)", "weaker"), (UNENDING, "∃x R(x, x)", "contradictory"),
    ],
)  # fmt: skip
def test_relation_kinds_match_and_models_confirm_them(gold: str, candidate: str, kind: str) -> None:
    found = relation(parse(gold), parse(candidate))
    assert found.kind is RelationKind(kind)
    for finding, true, false in (
        (found.forward, [gold], [candidate]),
        (found.backward, [candidate], [gold]),
        (found.together, [gold, candidate], []),
    ):
        model = None if finding is None else finding.model
        if model is not None:
            assert all(holds(parse(text), model) for text in true)
            assert not any(holds(parse(text), model) for text in false)


SYLLOGISM = ["∀x (Man(x) → Mortal(x))", "Man(socrates)"]


@pytest.mark.parametrize(
    ("premises", "conclusion", "label", "inconsistent"),
    [
        (SYLLOGISM, "Mortal(socrates)", "true", False),
        (SYLLOGISM, "¬Mortal(socrates)", "false", False),
        (SYLLOGISM, "Mortal(plato)", "uncertain", False),
        ([*SYLLOGISM, "¬Mortal(socrates)"], "Man(plato)", "true", True),
        ([], "P(a) ∨ ¬P(a)", "true", False),
        ([], "P(a)", "uncertain", False),
        (["∀x ∃y R(x, y)", "∀x ∀y (R(x, y) → R(y, x))"], "∀y ∃x R(x, y)", "true", False),
        (["∀x f(f(x)) = x", "f(a) = b"], "f(b) = a", "true", False),
        ([UNENDING], "∃x ∃y x ≠ y", "true", False),
    ],
)
def test_entailment_labels_match_and_models_confirm_them(
    premises: list[str], conclusion: str, label: str, inconsistent: bool
) -> None:
    found = entails([parse(premise) for premise in premises], parse(conclusion))
    assert (found.label, found.inconsistent) == (Label(label), inconsistent)
    for finding, truth in ((found.affirmed, True), (found.denied, False)):
        if finding.model is not None:
            assert all(holds(parse(premise), finding.model) for premise in premises)
            assert holds(parse(conclusion), finding.model) is truth


def test_contradicted_conclusion_is_unknown_without_consistency_proof(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    contradictory = (parse("∀x P(x)"), parse("¬P(a)"))

    def only_with_the_conclusion(question: Question, further: Sequence[Stage] = ()) -> Finding:
        is_asked = Not(parse("Q(a)")) in question.true
        return satisfiability(question) if is_asked else Finding(Answer.UNKNOWN, "budget", reason="gave up")

    assert entails(contradictory, Not(parse("Q(a)"))).inconsistent is True
    monkeypatch.setattr(relations, "satisfiability", only_with_the_conclusion)
    found = entails(contradictory, Not(parse("Q(a)")))
    assert (found.label, found.inconsistent) == (Label.UNKNOWN, None)


@pytest.mark.parametrize(("premises", "label"), [(["P(a)"], "false"), (["∀x P(x)", "¬P(a)"], "true")])
def test_premises_alone_settle_undecided_denial(
    premises: list[str], label: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_if_denied(question: Question, further: Sequence[Stage] = ()) -> Finding:
        return Finding(Answer.UNKNOWN, "budget", reason="gave up") if question.false else satisfiability(question)

    monkeypatch.setattr(relations, "satisfiability", none_if_denied)
    assert entails([parse(premise) for premise in premises], parse("¬P(a)")).label.value == label


def test_exhausted_budget_leaves_relation_unknown() -> None:
    assert relation(parse(UNENDING), parse("P(a) ∧ ¬P(a)"), budget=100).kind is RelationKind.UNKNOWN
    assert entails([parse(UNENDING)], parse("P(a)"), budget=100).label is Label.UNKNOWN


def test_relations_refuse_open_formulas_and_arity_conflicts() -> None:
    with pytest.raises(FormulaError, match="x free"):
        relation(parse("P(a)"), parse("P(x)"))
    with pytest.raises(FormulaError, match="y free"):
        entails([parse("P(y)")], parse("P(a)"))
    with pytest.raises(SignatureError, match="with 1 and with 2"):
        entails([parse("P(a)")], parse("P(a, a)"))


@pytest.mark.parametrize(
    ("first", "second", "described"),
    [
        ("P(a)", "Q(a)", "universe {0}; a = 0; P = {0}; Q = {}"),
        ("∀x P(x)", "∃x P(x)", "universe {0, 1}; P = {0}"),
        ("∃x ∃y x ≠ y", "∃x ∃y ∃z (x ≠ y ∧ y ≠ z ∧ x ≠ z)", "universe {0, 1}"),
        ("∀x ∃y R(x, y)", "∃y ∀x R(x, y)", "universe {0, 1}; R = {(0, 1), (1, 0)}"),
        ("∀x f(f(x)) = x", "∀x f(x) = x", "universe {0, 1}; f(0) = 1, f(1) = 0"),
        ("P(a) ∧ P(b)", "P(a) ∨ P(b)", "universe {0, 1}; a = 0; b = 1; P = {0}"),
    ],
)
def test_smallest_counter_model_matches_expectation(first: str, second: str, described: str) -> None:
    found = smallest_counter_model(parse(first), parse(second))
    assert found is not None
    assert found.describe() == described


def _atoms(structure: Structure) -> int:
    return sum(map(len, structure.predicates.values()))


def test_smallest_counter_model_is_minimal_by_enumeration() -> None:
    first, second = parse("∀x ∃y (R(x, y) ∧ (P(x) → x ≠ a))"), parse("∀x ∃y R(y, x)")
    found = smallest_counter_model(first, second)
    assert found is not None
    pairs = list(product(range(found.size), repeat=2))
    for size in range(1, found.size + 1):
        pairs = list(product(range(size), repeat=2))
        for relation_bits, unary, constant in product(range(2 ** len(pairs)), range(2**size), range(size)):
            predicates = {
                "R": frozenset(pair for place, pair in enumerate(pairs) if relation_bits >> place & 1),
                "P": frozenset((element,) for element in range(size) if unary >> element & 1),
            }
            structure = Structure(size, {"a": constant}, {}, predicates)
            if holds(first, structure) != holds(second, structure):
                assert (size, _atoms(structure)) >= (found.size, _atoms(found))


def test_equivalent_formulas_lack_counter_model() -> None:
    assert smallest_counter_model(parse("∀x P(x)"), parse("¬∃x ¬P(x)")) is None


def test_counter_model_search_avoids_listing_constant_placements() -> None:
    # Of three elements and more there are millions of ways to place 16 constants.
    every = " ∧ ".join(f"P(c{number})" for number in range(16))
    four = "∃x ∃y ∃z ∃w (x ≠ y ∧ x ≠ z ∧ x ≠ w ∧ y ≠ z ∧ y ≠ w ∧ z ≠ w)"
    found = smallest_counter_model(parse(every), parse(f"({every}) ∧ ¬{four}"))
    assert found is not None
    assert (found.size, _atoms(found)) == (4, 1)


@pytest.mark.parametrize(
    ("first", "second", "is_board"),
    [
        ("Cube(a) ∧ Larger(a, b)", "Cube(a) ∧ Larger(b, a)", True),
        # Right on every board.
        ("Cube(a) ∧ Larger(a, b)", "Cube(a) ∧ Smaller(b, a)", False),
        # Large things need not be blocks.
        ("Larger(a, b)", "Larger(b, a)", False),
    ],
)
def test_block_formulas_are_distinguished_by_boards(first: str, second: str, is_board: bool) -> None:
    one, other = parse(first), parse(second)
    found = tell_apart(one, other)
    assert found is not None
    assert holds(one, found) != holds(other, found)
    assert found == (on_boards(one, other).counter_model if is_board else smallest_counter_model(one, other))
    assert board(found) is not None or not is_board
