import json

import pytest
from tests.unit.tasks.problem_items import item, next_step, replied

from nlfol.logic.decision import solver
from nlfol.problems.problem import Problem, plain
from nlfol.problems.programs import Execution, Failure, FreeVariables, Outcome, Policy, RepairKind, execute
from nlfol.problems.programs.checks import solving
from nlfol.tasks.program import Program, ProgramEntry
from nlfol.tasks.strategies import STRATEGIES

SORTS = """people = EnumSort([Ann, Bob, Cem])
days = EnumSort([1, 2, 3])
on = Function([people] -> [days])
likes = Function([people, people] -> [bool])"""
DISTINCT = "Distinct([p:people], on(p)) ::: each on a day of its own"
FIRST = "on(Ann) < on(Bob) ::: Ann comes before Bob"
OPTIONS = [f"{letter}) text" for letter in "ABCDE"]


def text(constraints: str, *checks: str, declarations: str = SORTS) -> str:
    asked = "\n".join(f"{check} ::: ({letter})" for letter, check in zip("ABCDE", checks, strict=False))
    return f"# Declarations\n{declarations}\n\n# Constraints\n{constraints}\n\n# Options\nQuestion ::: Who?\n{asked}"


def run(constraints: str, *checks: str, declarations: str = SORTS, policy: Policy | None = None) -> Execution:
    return execute("checks", text(constraints, *checks, declarations=declarations), OPTIONS, policy or Policy())


def holds(check: str, constraints: str = f"{DISTINCT}\n{FIRST}") -> bool:
    found = run(constraints, check)
    assert "options" in found.trace, found.error
    return bool(found.trace["options"]["A"])


def test_check_answer_is_option_whose_check_succeeds() -> None:
    found = run(f"{DISTINCT}\n{FIRST}", "is_valid(on(Cem) == 1)", "is_sat(on(Ann) == 3)", "is_sat(on(Cem) == 2)")
    assert (found.outcome, found.answer, found.repairs) == (Outcome.ANSWERED, "C", ())
    assert found.trace == {"options": {"A": False, "B": False, "C": True}}


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        ("is_valid(on(Ann) != 3)", True),
        ("is_valid(on(Ann) == 1)", False),
        ("is_sat(on(Ann) == 1)", True),
        ("is_unsat(on(Ann) == 3)", True),
        ("is_unsat(on(Ann) == 2)", False),
        ("is_exception(is_sat(on(Ann) == 3))", True),
        ("is_exception(is_valid(on(Ann) != 3))", False),
        ("is_accurate_list([on(Ann) == 1, on(Ann) == 2])", True),
        ("is_accurate_list([on(Ann) == 1, on(Ann) == 2, on(Ann) == 3])", False),
        ("is_accurate_list([on(Ann) == 1])", False),
        ("is_sat([on(Ann) == 1, on(Bob) == 2])", True),
        ("is_valid(on(Ann) <= 3)", True),
        ("is_sat(on(Ann) + on(Bob) == 5)", True),
        ("is_sat(Abs(on(Ann) - on(Bob)) * 2 > 4)", False),
        ("is_valid(Count([p:people], on(p) % 2 == 1) == 2)", True),
        ("is_valid(Count([p:people], on(p)) == 6)", True),
        ("is_valid(Exists([p:people, d:days], And(on(p) == d, d > 2, p != Ann)))", True),
        ("is_valid(ForAll([x:int], Implies(x > 3, on(Bob) < x)))", True),
        ("is_valid(ForAll([b:bool], Or(b == True, b == False)))", True),
        ("is_sat(And([likes(Ann, Bob), Not(likes(Bob, Ann))]))", True),
        ("is_valid(Xor(on(Ann) == 1, If(on(Ann) == 1, on(Bob) == 9, on(Bob) == 3)))", True),
        ("is_valid(Distinct(on(Ann), on(Bob), on(Cem)))", True),
    ],
)
def test_checks_mean_what_published_executor_does(check: str, expected: bool) -> None:
    assert holds(check) is expected


def test_options_without_check_or_with_several_answers_have_none() -> None:
    two = run(DISTINCT, "is_sat(on(Ann) == 1)", "is_sat(on(Ann) == 2)", "is_valid(on(Ann) == 1)")
    assert (two.outcome, two.answer, two.error) == (Outcome.NO_ANSWER, None, "the checks of options A, B succeed")
    none = run(DISTINCT, "is_valid(on(Ann) == 1)", "is_valid(on(Ann) == 2)")
    assert (none.outcome, none.error) == (Outcome.NO_ANSWER, "no option's check succeeds")


@pytest.mark.parametrize("others", ["is_valid(on(Bob) == 1)", "is_sat(on(Bob) == 1)"])
def test_contradictory_constraints_have_no_answer(others: str) -> None:
    # With is_sat elsewhere, the only check that succeeds is one that says nothing.
    found = run(f"{FIRST}\non(Bob) < on(Ann)", "is_valid(on(Ann) == 1)", others, others)
    assert (found.outcome, found.failure, found.answer) == (Outcome.FAILED, Failure.CONTRADICTORY, None)


def test_swapped_checks_follow_letters_of_their_glosses() -> None:
    swapped = text(DISTINCT, "is_valid(on(Ann) == 9)", "is_sat(on(Ann) == 1)").replace("(A)", "(X)")
    swapped = swapped.replace("(B)", "(A)").replace("(X)", "(B)")
    found = execute("checks", swapped, OPTIONS)
    assert (found.answer, {each.kind for each in found.repairs}) == ("A", {RepairKind.NUMBERING})
    twice = execute("checks", text(DISTINCT, "is_sat(on(Ann) == 1)", "is_unsat(on(Ann) == 1)").replace("(B)", "(A)"))
    assert (twice.outcome, twice.error) == (Outcome.UNPARSABLE, "line 13: another option A")


@pytest.mark.parametrize(
    ("line", "failure"),
    [
        ("__import__('os')", Failure.UNDEFINED_SYMBOL),
        ("eval(Ann) == Bob", Failure.UNDEFINED_SYMBOL),
        ("on(Dan) == 1", Failure.UNDEFINED_SYMBOL),
        ("ForAll([p:persons], on(p) == 1)", Failure.UNDEFINED_SYMBOL),
        ("on(Ann, Bob) == 1", Failure.ARITY),
        ("Implies(on(Ann) == 1)", Failure.ARITY),
        ("Count([" + ", ".join(f"p{n}:people" for n in range(12)) + "], on(p1) == 1) > 2", Failure.BUDGET),
        ("".join(f"ForAll([p{n}:people], " for n in range(18)) + "on(p1) == 1" + ")" * 18, Failure.BUDGET),
    ],
)
def test_check_faults_of_execution_are_named(line: str, failure: Failure, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "MAX_NODES", 2_000)
    found = run(line, "is_sat(on(Ann) == 1)")
    assert (found.outcome, found.failure, found.line) == (Outcome.FAILED, failure, 8)


@pytest.mark.parametrize(
    "line",
    [
        "(" * 21 + "on(Ann) == 1" + ")" * 21,
        "Not(" * 3000 + "on(Ann) == 1" + ")" * 3000,
        "().__class__.__bases__",
        "on(Ann) == 1; on(Bob) == 2",
        "lambda: on(Ann)",
        "[on(p) for p in people]",
        "on(Ann) == Bob",
        "likes(Ann, Bob) + 1",
        "likes(Ann, Bob) == 1",
        "Ann < Bob",
        "on(Ann) == " + "9" * 30,
        "Count([x:int], x == 1) > 1",
        "Distinct([p:people, q:people], on(p))",
        "ForAll([p:people, p:people], on(p) == 1)",
        "on(Ann) == not 1",
    ],
)
def test_lines_of_no_meaning_are_unparsable(line: str) -> None:
    found = run(line, "is_sat(on(Ann) == 1)")
    assert (found.outcome, found.answer, found.line) == (Outcome.UNPARSABLE, None, 8)


@pytest.mark.parametrize(
    ("check", "outcome"),
    [
        ("on(Ann) == 1", Outcome.UNPARSABLE),
        ("is_valid([on(Ann) == 1])", Outcome.UNPARSABLE),
        ("is_accurate_list(on(Ann) == 1)", Outcome.UNPARSABLE),
        ("is_exception(on(Ann) == 1)", Outcome.UNPARSABLE),
        ("Exists([p:people], is_sat(on(p) == 1))", Outcome.UNPARSABLE),
        ("is_sat(on(Ann) == 1, on(Bob) == 2)", Outcome.FAILED),
        ("is_equivalent(on(Ann) == 1)", Outcome.FAILED),
    ],
)
def test_options_that_are_no_checks_have_no_answer(check: str, outcome: Outcome) -> None:
    assert run(DISTINCT, check).outcome is outcome


@pytest.mark.parametrize(
    ("declaration", "error"),
    [
        ("a = EnumSort([1, b])", "members must differ, and all or none be numbers"),
        ("a = EnumSort([c, c])", "members must differ"),
        ("a = EnumSort([Ann, d])", "has members of another"),
        ("on = Function([people] -> [bool])", "another declaration of 'on'"),
        ("a = EnumSort([x y])", "is no list of names"),
        ("a = Function([people + days] -> [bool])", "write 'name = Function("),
    ],
)
def test_declarations_of_no_meaning_are_unparsable(declaration: str, error: str) -> None:
    found = run(DISTINCT, "is_sat(on(Ann) == 1)", declarations=f"{SORTS}\n{declaration}")
    assert found.outcome is Outcome.UNPARSABLE
    assert error in (found.error or "")


@pytest.mark.parametrize(
    ("line", "kind", "meaning"),
    [
        ("on(Ann) == 1 and on(Bob) == 2", RepairKind.CONNECTIVE, "And(on(Ann) == 1, on(Bob) == 2)"),
        ("not on(Ann) == 1 || on(Bob) == 2", RepairKind.CONNECTIVE, "Or(on(Ann) != 1, on(Bob) == 2)"),
        ("on(Ann) == 1 ==> on(Bob) == 2", RepairKind.CONNECTIVE, "Implies(on(Ann) == 1, on(Bob) == 2)"),
        ("1 < on(Ann) < 3", RepairKind.CONNECTIVE, "on(Ann) == 2"),
        ("on(Ann) not in [1, 2]", RepairKind.CONNECTIVE, "on(Ann) == 3"),
        ("Exists([Bob:people], on(Bob) == 1)", RepairKind.VARIABLE, "Exists([p:people], on(p) == 1)"),
        ("(on(Ann) == 1) | (on(Bob) == 2)", None, "Or(on(Ann) == 1, on(Bob) == 2)"),
    ],
)
def test_liberties_of_checks_are_repairs(line: str, kind: RepairKind | None, meaning: str) -> None:
    found = run(line, f"is_valid({meaning})")
    other = run(meaning, f"is_valid({line})")
    assert (found.answer, other.answer) == ("A", "A")
    assert {each.kind for each in found.repairs} == ({kind} if kind else set())
    strict = run(line, f"is_valid({meaning})", policy=Policy(strict=True))
    assert strict.outcome is (Outcome.UNPARSABLE if kind else Outcome.ANSWERED)


def test_declared_constraints_and_parts_of_sorts_count() -> None:
    declared = f"{SORTS}\ntall = EnumSort([Ann, Bob])\nbest = Function([days] -> [tall])\non(Cem) == 2"
    found = run(DISTINCT, "is_valid(And(best(1) != Cem, on(Cem) == 2))", declarations=declared)
    assert (found.answer, {each.kind for each in found.repairs}) == ("A", {RepairKind.MISPLACED, RepairKind.NAME})


def test_z3_declarations_and_comments_are_repairs() -> None:
    own = """people = EnumSort('people', ['Ann', 'Bob', 'Cem'])
days = EnumSort('days', [1, 2, 3])
on = Function('on', people, days)
likes = Function('likes', people, people, BoolSort()) # none is needed"""
    asked = text(
        "Distinct([p:people], on(p)) # each on a day\non('Ann') < on(Bob)", "is_sat(on(Cem) == 2)", declarations=own
    )
    found = execute("checks", asked.replace(" ::: ", " # "), OPTIONS, Policy())
    assert (found.outcome, found.answer) == (Outcome.ANSWERED, "A"), found.error
    assert [repair.kind for repair in found.repairs].count(RepairKind.NAME) == 4
    assert [repair.kind for repair in found.repairs].count(RepairKind.GLOSS) == 4
    assert execute("checks", asked, OPTIONS, Policy(strict=True)).outcome is Outcome.UNPARSABLE


def test_variable_outside_its_quantifier_is_one_individual() -> None:
    lines = f"{DISTINCT}\nExists([p:people], on(p) == 1)"
    found = run(lines, "is_sat(on(p) == 2)", "is_valid(on(p) == 2)")
    assert (found.answer, {each.kind for each in found.repairs}) == ("A", {RepairKind.FREE_VARIABLE})
    assert run(lines, "is_sat(on(p) == 2)", policy=Policy(strict=True)).answer == "A"
    policy = Policy(free_variables=FreeVariables.INVALID)
    assert run(lines, "is_sat(on(p) == 2)", policy=policy).failure is Failure.OPEN
    # A variable over numbers is Python's alone, so that the executor forgets it.
    assert run("Exists([d:days], on(Ann) == d)", "is_sat(on(Bob) == d)").failure is Failure.UNDEFINED_SYMBOL


def test_undecided_checks_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    cubes = "x = Function([int] -> [int])\np = EnumSort([a])"
    check = "is_sat(And(x(1) > 1, x(2) > 1, x(3) > 1, x(1)*x(1)*x(1) + x(2)*x(2)*x(2) == x(3)*x(3)*x(3)))"
    found = run("x(0) == 1", "is_valid(x(0) == 1)", check, declarations=cubes, policy=Policy(budget=20_000))
    assert (found.outcome, found.failure) == (Outcome.FAILED, Failure.BUDGET)
    monkeypatch.setattr(solver, "WALL_CAP", 0)
    monkeypatch.setattr(solving, "WALL_CAP", 0)
    assert run("x(0) == 1", check, declarations=cubes).failure is Failure.BUDGET


PROBLEM = Problem(
    "days", "free", None, plain(["Each comes on a day of its own.", "Ann comes before Bob."]), plain(["Who?"])[0],
    plain(["Ann is third.", "Cem is second."]), "B",
)  # fmt: skip
ANSWER = {
    "variables": [dict(zip(("name", "values"), line.split(" = "), strict=True)) for line in SORTS.split("\n")],
    "lines": [{"sentence": 1, "line": "Distinct([p:people], on(p))"}, {"sentence": 2, "line": "on(Ann) < on(Bob)"}],
    "options": [
        {"option": "A", "line": "is_sat(on(Ann) == 3)"},
        {"option": "B", "line": "is_sat(And(on(Cem) == 2, on(Ann) == 1))"},
    ],
}
WHOLE = {"program": text(f"{DISTINCT}\n{FIRST}", "is_sat(on(Ann) == 3)", "is_sat(on(Cem) == 2)")}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_checks_are_asked_for_in_their_notation(strategy: str) -> None:
    task = Program(ProgramEntry.model_validate({"shots": 0, "strategy": strategy, "language": "checks"}))
    assert "is_accurate_list" in next_step(task, item(PROBLEM, task)).system


@pytest.mark.parametrize("answer", [ANSWER, WHOLE])
def test_answers_in_checks_are_judged(answer: dict[str, object]) -> None:
    task = Program(ProgramEntry(shots=0, language="checks"))
    judged = task.judge(item(PROBLEM, task), [replied(json.loads(json.dumps(answer)))])
    assert (judged.scores, judged.answer, judged.detail) == (
        {"right": 1.0, "executable": 1.0}, "B", "options: {'A': False, 'B': True}",
    )  # fmt: skip
