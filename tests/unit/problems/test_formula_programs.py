import pytest
from tests.unit.problems.examples import FORMULAS, formulas

from nlfol.logic import Structure, holds, parse
from nlfol.problems.programs import Execution, Failure, FreeVariables, Outcome, Policy, RepairKind, execute
from nlfol.problems.programs.formulas.program import read_formulas

OPTIONS = ["A) True", "B) False", "C) Uncertain"]


def run(premises: str, conclusion: str, free: FreeVariables = FreeVariables.CLOSE) -> Execution:
    return execute("formulas", formulas(premises, conclusion), OPTIONS, Policy(free))


def test_formula_program_answers_with_used_premises() -> None:
    found = execute("formulas", FORMULAS, OPTIONS)
    assert (found.outcome, found.answer, found.repairs) == (Outcome.ANSWERED, "A", ())
    assert (found.trace["label"], found.trace["used"]) == ("true", [6, 7, 8])


@pytest.mark.parametrize(
    ("conclusion", "answer", "used"),
    [("Q(a)", "A", [3, 4]), ("¬Q(a)", "B", [3, 4]), ("Q(b)", "C", None), ("Q(a) ∨ ¬Q(a)", "A", [])],
)
def test_formula_labels_map_to_option_letters(conclusion: str, answer: str, used: list[int] | None) -> None:
    found = run("∀x (P(x) → Q(x))\nP(a)\nR(a)", conclusion)
    assert (found.answer, found.trace["used"]) == (answer, used)


def test_uncertain_conclusion_has_two_countermodels() -> None:
    found = run("∀x (P(x) → Q(x))", "Q(a)")
    for name, value in (("affirmed", True), ("denied", False)):
        data = found.trace["models"][name]
        extensions = {predicate: frozenset(map(tuple, rows)) for predicate, rows in data["predicates"].items()}
        structure = Structure(data["size"], data["constants"], {}, extensions)
        assert holds(parse("∀x (P(x) → Q(x))"), structure)
        assert holds(parse("Q(a)"), structure) is value


def test_contradictory_premises_fail_without_answer() -> None:
    found = run("P(a)\nR(b)\n¬P(a)", "Q(a)")
    assert (found.outcome, found.failure, found.answer) == (Outcome.FAILED, Failure.CONTRADICTORY, None)
    assert found.trace["used"] == [3, 5]


def test_free_variable_policy_refuses_closes_or_names() -> None:
    premises = "P(x) → Q(x)\nP(a)"
    found = {free: run(premises, "Q(a)", free) for free in FreeVariables}
    assert [found[free].answer for free in FreeVariables] == [None, "A", "C"]
    refused = found[FreeVariables.INVALID]
    assert (refused.failure, refused.error) == (Failure.OPEN, "line 3: an open formula: x free")
    for free in (FreeVariables.CLOSE, FreeVariables.NAME):
        assert [(repair.kind, repair.line) for repair in found[free].repairs] == [(RepairKind.FREE_VARIABLE, 3)]
    named = run("P(x) ∧ x = y\n(∀x (P(x) → Q(x))) ∧ P(y)", "Q(x) ∧ Q(y)", FreeVariables.NAME)
    assert (named.answer, named.trace["premises"][1]) == ("A", "∀x (P(x) → Q(x)) ∧ P(free_y)")


def test_open_conclusion_is_closed_before_negation() -> None:
    assert run("P(a) ∧ ¬P(b)", "P(x)").answer == "B"
    assert run("P(a)", "P(x)").answer == "C"


def test_conflicting_arities_fail() -> None:
    found = run("P(a)", "P(a, b)")
    assert (found.outcome, found.failure) == (Outcome.FAILED, Failure.ARITY)
    assert "'P'" in (found.error or "")


def test_declared_propositions_are_read() -> None:
    text = "Predicates:\nRains ::: It rains.\nWet(x)\nPremises:\nRains → Wet(street)\nRains\nConclusion:\nWet(street)"
    assert execute("formulas", text, OPTIONS).answer == "A"
    assert execute("formulas", text.replace("Rains :::", "Snows :::"), OPTIONS).outcome is Outcome.UNPARSABLE


def test_formula_repairs_are_recorded() -> None:
    found = run("1. forall x. (P(x) -> Q(x))\nP(1984)", "Q(1984)")
    assert found.answer == "A"
    assert {repair.kind for repair in found.repairs} == {RepairKind.FORMULA}
    assert {repair.line for repair in found.repairs} == {3, 4, 6}


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (formulas("All men are mortal.", "P(a)"), 3, "reads like English"),
        (formulas("P(a)", "Uncertain"), 5, "truth value"),
        (formulas("P(a)", ""), None, "the section 'conclusion' is empty"),
        ("Premises:\nP(a)", None, "the section 'conclusion' is missing"),
        ("The statement is true.", None, "no section"),
        (formulas("\n".join(["P(a)"] * 401), "P(a)"), 403, "at most 400 are read"),
    ],
)
def test_invalid_formula_program_is_refused_with_line(text: str, line: int | None, reason: str) -> None:
    found = execute("formulas", text)
    assert (found.outcome, found.line) == (Outcome.UNPARSABLE, line)
    assert reason in (found.error or "")


def test_missing_option_leaves_answer_empty() -> None:
    found = execute("formulas", formulas("P(a)", "P(b)"), ["A) True", "B) False"])
    assert (found.outcome, found.answer, found.trace["label"]) == (Outcome.NO_ANSWER, None, "uncertain")


def test_dashes_before_all_section_lines_are_bullets() -> None:
    listed = "Premises:\n- ∀x (Dog(x) → Animal(x))\n- Dog(rex)\nConclusion:\n- Animal(rex)\n"
    program = read_formulas(listed)
    assert program.conclusion is parse("Animal(rex)")
    assert program.premises[1] is parse("Dog(rex)")
    assert {repair.kind for repair in program.repairs} == {RepairKind.NUMBERING, RepairKind.SECTION}


@pytest.mark.parametrize(
    ("premises", "conclusion", "answer"),
    [
        ("all x. (Q(x) -> -P(x))\nQ(a)", "- P(a)", "A"),
        ("all x. (Q(x) -> -P(x))\nQ(a)", "-P(a)", "A"),
        ("all x. (Q(x) -> P(x))\nQ(a)", "- P(a)", "B"),
        ("Q(a)\n- P(a)", "P(a)", "B"),
        ("- P(a)", "P(a)", "B"),
        ("1. Q(a)\n2. - P(a)", "P(a)", "B"),
    ],
)
def test_dash_outside_list_reads_as_negation(premises: str, conclusion: str, answer: str) -> None:
    assert run(premises, conclusion).answer == answer


@pytest.mark.parametrize(
    ("premises", "conclusion", "line"),
    [
        ("∀x (Q(x) → ¬P(x))\nQ(a)", "- P(a)", 6),
        ("- all x (Q(x) -> -P(x))\n- Q(a)", "- P(a)", 3),
        ("P(a) ^ Q(a)", "P(a)", 3),
        ("P(a)\n(P(a) = Q(a)) & P(b) & Q(b)", "Q(a)", 4),
    ],
)
def test_ambiguous_formula_with_differing_answers_fails(premises: str, conclusion: str, line: int) -> None:
    found = run(premises, conclusion)
    assert (found.outcome, found.answer, found.failure, found.line) == (Outcome.FAILED, None, Failure.AMBIGUOUS, line)
    assert "ambiguous, with different answers" in (found.error or "")


@pytest.mark.parametrize(
    ("premises", "conclusion", "answer"),
    [("P(a) ^ Q(a)", "P(a) | Q(a)", "A"), ("P(a) ^ Q(a)", "R(a)", "C"), ("- ∀x (Q(x) → P(x))\nR(a)", "R(a)", "A")],
)
def test_ambiguous_formula_with_equal_answers_is_answered(premises: str, conclusion: str, answer: str) -> None:
    found = run(premises, conclusion)
    assert found.answer == answer
    assert RepairKind.AMBIGUITY in {repair.kind for repair in found.repairs}


def test_excessive_readings_fail_as_ambiguous() -> None:
    found = run("\n".join(f"P(a{number}) ^ Q(a)" for number in range(21)), "R(a)")
    assert found.failure is Failure.AMBIGUOUS


def test_strict_formula_reading_rejects_loose_notation() -> None:
    text = "Premises:\nCold(bob)\n{}\nConclusion:\nRed(bob)"
    loose = text.format("(Cold(bob) → Red(bob)")
    assert execute("formulas", loose).answer == "A"
    found = execute("formulas", loose, policy=Policy(strict=True))
    assert (found.outcome, found.line) == (Outcome.UNPARSABLE, 3)
    assert execute("formulas", text.format("Cold(bob) → Red(bob)"), policy=Policy(strict=True)).answer == "A"
