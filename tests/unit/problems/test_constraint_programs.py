from time import monotonic

import pytest
from benchmarks.program_judges import by_search
from tests.unit.problems.examples import CONSTRAINTS, constraints

from nlfol.logic.decision import solver
from nlfol.problems.programs import Execution, Failure, Outcome, RepairKind, execute
from nlfol.problems.programs.constraints import execute_constraints, read_constraints
from nlfol.problems.programs.outcome import ExecutionError


def run(conditions: str, query: str = "A) x == 1", variables: str = "x [IN] [1, 2, 3]\ny [IN] [1, 2, 3]") -> Execution:
    return execute("constraints", constraints(variables, conditions, query))


def test_constraint_answer_is_option_true_in_all_solutions() -> None:
    found = execute("constraints", CONSTRAINTS, ["A) The bus.", "B) The tram.", "C) The train."])
    assert (found.outcome, found.answer, found.repairs) == (Outcome.ANSWERED, "B", ())
    assert found.trace == {
        "solutions": 1,
        "solution": {"bus": 3, "tram": 2, "train": 1},
        "other": None,
        "options": {"A": "none", "B": "all", "C": "none"},
    }


def test_constraint_trace_classifies_options_as_all_some_or_none() -> None:
    found = run("x < y", "A) x == 1\nB) x < 3\nC) y == 1\nD) y >= 2 and x != y")
    assert (found.outcome, found.answer) == (Outcome.NO_ANSWER, None)
    assert found.error == "options B, D follow"
    assert found.trace["options"] == {"A": "some", "B": "all", "C": "none", "D": "all"}
    assert found.trace["solutions"] == 2
    assert found.trace["solution"] != found.trace["other"]


def test_constraint_error_lists_remaining_options() -> None:
    program = "Variables:\na [IN] [1, 2, 3]\nConstraints:\na > 1\nQuery:\nA) a == 2\nB) a == 1\nC) a == 3"
    found = execute("constraints", program)
    assert found.error == "no option follows; they hold: A, C in some solutions, B in no solution"


def test_constraint_answer_is_limited_to_question_options() -> None:
    text = constraints("x [IN] [1, 2]", "x == 1", "A) x == 1\nB) x < 2\nC) x == 2")
    assert execute("constraints", text, ["B) less", "C) two"]).answer == "B"


def test_unsatisfiable_constraints_are_contradictory() -> None:
    found = run("x > 2\nx < y")
    assert (found.outcome, found.failure, found.trace["solutions"]) == (Outcome.FAILED, Failure.CONTRADICTORY, 0)


@pytest.mark.parametrize(
    ("condition", "solutions"),
    [
        ("x == 2 and y == x + 1", 1),
        ("x - y == 2", 1),
        ("|x - y| == 2", 2),
        ("||x - 3| - y| == 1 && x == 1", 2),
        ("abs(x - y) > 1 and not x == 1", 1),
        ("1 < x < y", 1),
        ("x > y > 1", 1),
        ("x == 3 or (x == 1 and y == 1)", 2),
        ("-x + 4 == 1 ∧ y ≠ 1 ∧ y != 2", 1),
        ("x = 1 & y ≤ 1", 1),
        ("not not (x == 1) and y - (x - 1) == 3", 1),
        ("AllDifferentConstraint([x, y, 2]) and x < y", 1),
        ("AllDifferent(x, y, 1) and x + y == 4", 0),
        ("(x + y) == 6", 1),
        ("x + 1 - 1 + 0 == 1 and y == 3 - 0", 1),
    ],
)
def test_condition_grammar_matches_exhaustive_search(condition: str, solutions: int) -> None:
    text = constraints("x [IN] [1, 2, 3]\ny [IN] [1, 2, 3]", condition, "A) x == 1\nB) y > 1\nC) x < y")
    found = execute("constraints", text)
    assert found.trace["solutions"] == solutions
    assert found.trace["options"] == by_search(read_constraints(text))


@pytest.mark.parametrize(
    ("domain", "least", "most"),
    [
        ("[IN] [4, 5, 6]", 4, 6),
        ("[IN] [4..6]", 4, 6),
        ("[IN] [4, 5, ..., 9]", 4, 9),
        ("in {-3, -2}", -3, -2),
        (": [0 to 1000000000]", 0, 1_000_000_000),
        ("[IN] [9, 1, 5]", 1, 9),
    ],
)
def test_constraint_domains_accept_lists_and_ranges(domain: str, least: int, most: int) -> None:
    query = f"A) z >= {least}\nB) z > {least}\nC) z <= {most}\nD) z < {most}"
    found = run("", query, f"z {domain}")
    assert found.trace["options"] == {"A": "all", "B": "some", "C": "all", "D": "some"}


def test_constraint_domain_keeps_gaps() -> None:
    assert run("z > 1\nz < 9", "A) z == 5", "z [IN] [9, 1, 5]").answer == "A"


def test_large_domains_are_solved_without_enumeration() -> None:
    variables = "\n".join(f"{name} [IN] [1..1000000000]" for name in "xyz")
    found = run("x > y\ny > z\nx == 3", "A) y == 1\nB) y == 2\nC) z == 2", variables)
    assert (found.answer, found.trace["solutions"]) == ("B", 1)
    assert run("|x - y| == 999999999\nx > y", "A) x == 1000000000", variables).answer == "A"


def test_undefined_constraint_variable_is_named() -> None:
    found = run("x == 1\nx < w")
    assert (found.failure, found.line) == (Failure.UNDEFINED_SYMBOL, 7)
    assert found.error == "line 7: no domain for the variable 'w'"


PIGEONS = constraints(
    "\n".join(f"x{i} [IN] [1..40]" for i in range(41)),
    f"AllDifferentConstraint([{', '.join(f'x{i}' for i in range(41))}])",
    "A) x1 == 1",
)


def test_constraint_execution_fails_when_budget_is_spent() -> None:
    found = execute("constraints", PIGEONS)
    assert (found.outcome, found.failure) == (Outcome.FAILED, Failure.BUDGET)


def test_z3_is_interrupted_at_wall_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "WALL_CAP", 100)
    start = monotonic()
    with pytest.raises(ExecutionError, match="Z3 was interrupted"):
        execute_constraints(read_constraints(PIGEONS), budget=0)
    assert monotonic() - start < 20


@pytest.mark.parametrize(
    ("conditions", "reason"),
    [
        ("x * 2 == 4", "'*' is no part of the notation"),
        ("x == 9**9**9", "'*' is no part of the notation"),
        ("__import__('os').system('x') == 0", '"\'" is no part of the notation'),
        ("lambda: x", "':' is no part of the notation"),
        ("f(x) == 1", "column 2: '(' where an operator or the end is needed"),
        ("x", "a comparison is needed"),
        ("x == (y == 1)", "a number, not a condition, is needed"),
        ("x == ", "the end where a variable or an integer is needed"),
        ("|x == 1", "a number, not a condition, is needed"),
        ("(x == 1", "the end where ')' is needed"),
        ("x == " + "9" * 19, "an integer of 19 digits"),
        ("(" * 30 + "x" + ")" * 30 + " == 1", "more than 20 brackets within one another"),
    ],
)
def test_invalid_condition_is_refused_with_position(conditions: str, reason: str) -> None:
    found = run(conditions)
    assert (found.outcome, found.line) == (Outcome.UNPARSABLE, 6)
    assert reason in (found.error or "")


@pytest.mark.parametrize(
    ("variables", "query", "reason"),
    [
        ("x [IN] [cheap, dear]", "A) x == 1", "line 3: 'cheap' is neither an integer nor a range"),
        ("x [IN] [3..1]", "A) x == 1", "line 3: a range from 3 down to 1"),
        ("x [IN] [1, ...]", "A) x == 1", "line 3: a range without an end"),
        ("x", "A) x == 1", "line 3: 'x' is no variable"),
        ("x [IN] [1]\nx [IN] [2]", "A) x == 1", "line 4: another domain for 'x'"),
        ("x [IN] [1]", "x == 1", "line 7: 'x == 1' has no letter"),
        ("x [IN] [1]", "A) x == 1\nA) x == 2", "line 8: another option A"),
        ("x [IN] [1]", "", "the section 'query' is empty"),
    ],
)
def test_invalid_constraint_program_is_refused(variables: str, query: str, reason: str) -> None:
    found = run("", query, variables)
    assert found.outcome is Outcome.UNPARSABLE
    assert reason in (found.error or "")


def test_leading_dash_is_bullet_only_in_list() -> None:
    alone = run("- x + y > 0", "A) x < y\nB) x > y", "x [IN] [1, 2]\ny [IN] [1, 2]")
    assert (alone.answer, alone.repairs) == ("A", ())
    listed = run("- x + y > 3\n- x + y < 5", "A) x == 2\nB) x == 1", "x [IN] [1, 2]\ny [IN] [1, 2]")
    assert listed.answer == "A"
    assert {repair.kind for repair in listed.repairs} == {RepairKind.NUMBERING}


def test_constraint_repairs_are_recorded() -> None:
    found = run("1. x = 1", "A) x == 1")
    assert found.answer == "A"
    assert [repair.kind for repair in found.repairs] == [RepairKind.NUMBERING, RepairKind.CONNECTIVE]
