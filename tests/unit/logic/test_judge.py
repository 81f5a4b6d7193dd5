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


def test_unreadable_answer_has_problem_instead_of_verdict() -> None:
    judged = judge(GOLD, "every P is Q")
    assert (judged.reading, judged.verdict, judged.accepted) == (None, None, None)
    assert "line 1" in str(judged.problem)


def test_verdict_is_against_first_gold_formula() -> None:
    judged = judge([GOLD, "∃x P(x)", "∃x Q(x)"], "∃y Q(y)")
    assert judged.verdict is not None
    assert (judged.verdict.outcome, judged.accepted, judged.is_right) == (Outcome.NOT_EQUIVALENT, 2, True)


def test_close_binds_free_variables_and_strict_requires_own_notation() -> None:
    assert judge(GOLD, "P(x) → Q(x)", close=True).is_right
    assert judge(GOLD, "forall x. P(x) -> Q(x)", strict=True).verdict is None
