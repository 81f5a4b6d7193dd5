"""Typed distance: the fewest edits between two formulas, their kinds, and answers that would cheat."""

from itertools import accumulate, islice

import pytest
from hypothesis import given, settings
from tests.property.strategies import closed_formulas

from nlfol.logic import syntax as fol
from nlfol.logic.diagnosis import diagnose
from nlfol.logic.distance import Distance, Reason, Search, distance
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.mistakes import EditKind, from_diagnosis
from nlfol.logic.reading import parse
from nlfol.logic.rewriting import edits

RULE = "∀x (Cube(x) ∧ Small(x) → Left(x, a))"


def apart(gold: str, answer: str, within: int = 2) -> Distance:
    return distance(parse(gold), parse(answer), within=within)


@pytest.mark.parametrize(
    ("gold", "answer", "path"),
    [
        (RULE, "¬∃x (Cube(x) ∧ Small(x) ∧ ¬Left(x, a))", []),
        (RULE, "∃x (Cube(x) ∧ Small(x) → Left(x, a))", ["quantifier (∀ to ∃)"]),
        (RULE, "∃x (Cube(x) ∧ Small(x) ∧ Left(x, a))", ["determiner"]),
        (RULE, "∀x (Left(x, a) → Cube(x) ∧ Small(x))", ["converse"]),
        (RULE, "∀x (Cube(x) ∨ Small(x) → Left(x, a))", ["connective (∧ to ∨)"]),
        ("Cube(a) ∧ (Small(a) ∨ Tet(a))", "Cube(a) ∧ Small(a) ∨ Tet(a)", ["scope"]),
        (RULE, "∀x (Cube(x) ∧ ¬Small(x) → Left(x, a))", ["negation"]),
        (RULE, "∀x (Cube(x) ∧ Small(x) → Left(a, x))", ["arguments"]),
        (RULE, "∀x (Cube(x) ∧ Small(x) → Left(x, b))", ["names (a to b)"]),
        (RULE, "∀x (Cube(x) ∧ Tet(x) → Left(x, a))", ["predicates (Small to Tet)"]),
        (RULE, "∀x (Cube(x) → Left(x, a))", ["dropped (Small(x))"]),
        (RULE, "∀x Left(x, a)", ["dropped (Cube(x) ∧ Small(x))"]),
        (RULE, "∀x (Cube(x) ∧ Small(x) ∧ Tet(x) → Left(x, a))", ["added (Tet(x))"]),
        (RULE, "∀x (Cube(x) ∧ Small(x) → Left(x, a) ∧ Tet(x))", ["added (Tet(x))"]),
        ("Cube(a) ∧ ¬Cube(b)", "¬Cube(a) ∧ Cube(b)", ["moved_negation"]),
        ("∀x (Cube(x) → ∃y (Tet(y) ∧ Left(x, y)))", "∃y (Tet(y) ∧ ∀x (Cube(x) → Left(x, y)))", ["scope"]),
        (RULE, "∀x (Cube(x) ∧ Small(x) ∧ Tet(x) ∧ Dodec(x) → Left(x, a))", ["added (Tet(x))", "added (Dodec(x))"]),
        (RULE, "∃x (Cube(x) ∧ Small(x) → Left(a, x))", ["quantifier (∀ to ∃)", "arguments"]),
        ("Cube(a) ⊕ Tet(a) ⊕ Small(a)", "Cube(a) ⊕ Tet(a) ↔ Small(a)", ["connective (⊕ to ↔)"]),
    ],
)  # fmt: skip
def test_distance_names_fewest_edits(gold: str, answer: str, path: list[str]) -> None:
    known = apart(gold, answer)
    assert sorted(map(str, known.path)) == sorted(path)
    assert (known.edits, known.reason, known.is_least) == (len(path), None, True)


def test_distance_of_three_is_searched_when_asked() -> None:
    answer = "∃x (Cube(x) ∧ ¬Small(x) → Left(a, x))"
    assert apart(RULE, answer).reason is Reason.FURTHER
    assert apart(RULE, answer, within=3).edits == 3
    assert apart(RULE, "∃x (Cube(x) ∧ Small(x) → Left(x, a))", within=0).reason is Reason.FURTHER


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("∀x (Cube(x) ∧ Small(x) → Cube(x))", Reason.TRIVIAL),  # one predicate replaced
        ("∀x (Cube(x) ∧ ¬Cube(x) ∧ Left(x, a))", Reason.TRIVIAL),
        ("∀x (Cube(x) ∧ Small(x) → Left(x))", Reason.INVALID),
        ("∀x (Cube(x) ∧ Small(x) → Left(x, y))", Reason.INVALID),
        # Each is one edit from a tautology, as the gold formula is.
        ("P(c) → Q(c)", Reason.FURTHER),
        ("¬(P(c) ∧ Q(d))", Reason.FURTHER),
    ],
)
def test_answer_that_says_nothing_gets_no_credit(answer: str, reason: Reason) -> None:
    known = apart(RULE, answer)
    assert (known.edits, known.reason, known.credit) == (None, reason, 0.0)


def test_agreement_by_luck_is_no_equivalence() -> None:
    """All structures of the first family have two elements; of one, the first part of the gold formula is false."""
    assert apart("∃x ∃y x ≠ y ∧ Cube(a)", "Cube(a) ∧ Small(b)").edits == 2


def test_credit_falls_with_slips_and_size() -> None:
    right, slip = apart(RULE, RULE).credit, apart(RULE, "∀x (Cube(x) ∨ Small(x) → Left(x, a))").credit
    assert (right, slip) == (1.0, 0.5)
    # As many slips as the formula has atoms leave nothing, and what is hedged with costs its atoms.
    assert apart("Cube(a)", "Cube(b)").credit == 0.0
    assert apart(RULE, f"{RULE} ∨ ∀x (Tet(x) → Dodec(x) ∨ Large(x))").credit == 0.0
    assert apart(RULE, "∀x Left(x, a)").credit == 0.25


@pytest.mark.parametrize("depth", [60, 5_000])
def test_large_answers_end_by_budget(depth: int) -> None:
    gold = parse(RULE)
    parts = (fol.Atom(f"P{number % 7}", (fol.Constant("a"),)) for number in range(depth))
    *_, answer = accumulate(parts, lambda one, other: fol.Not(fol.Iff(one, other)))
    known = distance(gold, answer, max_nodes=20_000)
    assert (known.edits, known.reason) == (None, Reason.BUDGET)


def test_ways_are_in_order_of_kinds() -> None:
    ways = Search(parse("Cube(a) ∧ Small(b)"), parse("Cube(b) ∧ Small(a)")).ways()
    assert [[edit.kind for edit in way.path] for way in ways] == [[EditKind.PREDICATES], [EditKind.NAMES]]


def test_diagnosis_gives_its_mistake() -> None:
    gold, answer = parse("∀x (Cube(x) → Small(x))"), parse("∀x Small(x)")
    diagnosis = diagnose(gold, answer)
    assert diagnosis is not None
    assert str(from_diagnosis(answer, diagnosis)) == "dropped (Cube(x))"


@settings(max_examples=30, deadline=None)
@given(closed_formulas())
def test_single_edits_are_off_by_one_and_each_way_is_proven(gold: fol.Formula) -> None:
    for edit in islice(edits(gold), 4):
        known = distance(gold, edit.formula)
        assert known.edits in (0, 1) or known.reason in (Reason.TRIVIAL, Reason.BUDGET)
        ends = [gold, *(side for step in known.path for side in (step.before, step.after)), edit.formula]
        if known.edits is not None:
            outcomes = {equivalence(one, other).outcome for one, other in zip(ends[::2], ends[1::2], strict=True)}
            assert outcomes == {Outcome.EQUIVALENT}
