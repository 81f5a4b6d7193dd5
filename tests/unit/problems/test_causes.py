"""Changes that would make an answer right."""

import pytest
from tests.unit.problems.test_alignments import clauses, formulas

from nlfol.problems.alignment import Cause, align, cause_of
from nlfol.problems.programs import Lines
from nlfol.problems.programs.outcome import Outcome

GOLD = clauses(
    "Cold(bob, True)",
    "Cold($x, True) >>> Quiet($x, True)",
    "Red($x, True) >>> Kind($x, True)",
    "Quiet(ann, True)",
    query="Quiet(bob, True)",
)


def of(gold: Lines, other: Lines, answer: str = "A") -> tuple[Cause, str | None]:
    found = cause_of(align(gold, other), answer)
    return found.cause, found.place


def test_cause_names_fault_whose_correction_restores_answer() -> None:
    drifting = {"1": ("Icy(bob, True)",)}
    assert of(GOLD, GOLD) == (Cause.RIGHT, None)
    assert of(GOLD, GOLD.changed(drifting)) == (Cause.DRIFT, None)
    assert of(GOLD, GOLD.changed({"query": ("Quiet(bob, False)",)})) == (Cause.QUERY, None)
    assert of(GOLD, GOLD.changed({"2": ()})) == (Cause.LOGIC, "2")
    asked = GOLD.changed({"query": ("Kind(bob, True)",)})
    merging = {"3": ("Cold($x, True) >>> Kind($x, True)",), "query": ("Kind(bob, True)",)}
    assert of(asked, asked.changed(merging), "C") == (Cause.COLLISION, None)


def test_logic_cause_names_line_and_difference_from_gold() -> None:
    gold = formulas("∀x (P(x) → Q(x))", "P(a)", "¬Q(b)", query="Q(a)")
    other = formulas("∃x (S(x) ∧ ¬T(x))", "S(c)", "¬T(d)", query="T(c)")
    found = cause_of(align(gold, other), "A")
    assert (found.cause, found.place) == (Cause.LOGIC, "1")
    assert found.gold == ("∀x (S(x) → T(x))",)
    assert found.difference["size"] == 1
    assert set(found.tried.values()) == {"C"}
    found = cause_of(align(GOLD, GOLD.changed({"2": ("Cold($x, True) && Red($x, True) >>> Quiet($x, True)",)})), "A")
    assert found.cause is Cause.LOGIC
    assert found.difference["missing"] == ["Cold($x, True) >>> Quiet($x, True)"]


def test_drift_breaking_execution_counts_as_drift() -> None:
    """Nothing is said of what the query asks, for the rule says it of another symbol."""
    gold = clauses("Greet(ann, bob, False)", "Greet($x, bob, False) >>> Big($x, False)", query="Big(ann, False)")
    other = gold.changed({"2": ("Greet($x, bob, False) >>> Large($x, False)",)})
    undeclared = "Facts:" + other.text.partition("Facts:")[2]
    found = cause_of(align(gold, other), "A", program=undeclared)
    assert (found.execution.outcome, found.cause) == (Outcome.FAILED, Cause.DRIFT)


@pytest.mark.parametrize(
    ("changed", "cause"),
    [({"2": ("Cold($x >>>",)}, Cause.UNPARSABLE), ({"2": ("Cold($x, True) >>> Quiet($y, True)",)}, Cause.FAILED)],
)
def test_unexecuted_programs_keep_cause(changed: dict[str, tuple[str, ...]], cause: Cause) -> None:
    assert of(GOLD, GOLD.changed(changed)) == (cause, None)
