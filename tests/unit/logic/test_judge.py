"""Answers judged in one call: reading, verdict, relation, and which of several gold formulas was met."""

import pytest

from nlfol.logic import Outcome, RelationKind, Signature, judge

GOLD = "∀x (P(x) → Q(x))"


@pytest.mark.parametrize(
    ("text", "outcome", "relation"),
    [
        ("forall x. P(x) -> Q(x)", Outcome.EQUIVALENT, RelationKind.EQUIVALENT),
        ("∃x (P(x) ∧ Q(x))", Outcome.NOT_EQUIVALENT, RelationKind.INDEPENDENT),
        ("∀x Q(x)", Outcome.NOT_EQUIVALENT, RelationKind.STRONGER),
        ("P(x) → Q(x)", Outcome.INVALID, None),
        ("∀x (P(x) → R(x))", Outcome.INVALID, None),
    ],
)
def test_answer_is_read_and_compared_with_gold(text: str, outcome: Outcome, relation: RelationKind | None) -> None:
    judged = judge(GOLD, text, Signature({"P": 1, "Q": 1}))
    assert judged.verdict is not None
    assert (judged.verdict.outcome, judged.relation, judged.is_right) == (
        *(outcome, relation),
        outcome is Outcome.EQUIVALENT,
    )


def test_unreadable_answer_has_a_problem_and_no_verdict() -> None:
    judged = judge(GOLD, "every P is Q")
    assert (judged.reading, judged.verdict, judged.accepted) == (None, None, None)
    assert "line 1" in str(judged.problem)


def test_verdict_is_on_the_first_of_several_gold_formulas() -> None:
    judged = judge([GOLD, "∃x P(x)", "∃x Q(x)"], "∃y Q(y)")
    assert judged.verdict is not None
    assert (judged.verdict.outcome, judged.accepted, judged.is_right) == (Outcome.NOT_EQUIVALENT, 2, True)


def test_free_variables_are_closed_on_demand_and_own_notation_demanded_by_strict() -> None:
    assert judge(GOLD, "P(x) → Q(x)", close=True).is_right
    assert judge(GOLD, "forall x. P(x) -> Q(x)", strict=True).verdict is None
