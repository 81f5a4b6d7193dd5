"""Programs as models write them: Markdown, JSON, other headings, several programs; and what hides a wrong answer."""

import pytest

from nlfol.problems.programs import Execution, Failure, Outcome, Policy, RepairKind, execute

FORMULAS = "Predicates:\nCold(x) ::: x is cold\nPremises:\n∀x (Cold(x) → Sad(x)) ::: All cold are sad.\nCold(bob)\n"
CLAUSES = "Facts:\nCold(Bob, True)\nRules:\nCold($x, True) >>> Sad($x, True)\nQuery:\n"
CONSTRAINTS = "Variables:\na [IN] [1, 2]\nb [IN] [1, 2]\nConstraints:\na < b\nQuery:\nA) a == 1\nB) b == 1\n"
OPTIONS = ["A) yes", "B) no"]


def _kinds(found: Execution) -> set[RepairKind]:
    return {repair.kind for repair in found.repairs}


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("formulas", FORMULAS + "Query:\nSad(bob)", RepairKind.SYNONYM),
        ("formulas", FORMULAS + "**Query:** Sad(bob)", RepairKind.SYNONYM),
        ("formulas", FORMULAS + "Constants:\nBob ::: a man\nConclusion:\nSad(bob)", RepairKind.SYNONYM),
        ("formulas", "Facts:\nP(a)\nRules:\n∀x (P(x) → Q(x))\nConclusion:\nQ(a)", RepairKind.SYNONYM),
        ("formulas", "Premises:\n1. `P(a)`: the a is p\nConclusions:\n1. `P(a)`: so it is", RepairKind.MARKUP),
        ("formulas", "Premises:\n1. `P(a)` - the a is p\nConclusion:\nP(a)", RepairKind.GLOSS),
        ("formulas", "Premises:\nP(a): the a is p\nConclusion:\nP(a) :: so it is.<tool_call>", RepairKind.GLOSS),
        ("formulas", FORMULAS + "Conclusion:\nSad(bob)\n------\n", RepairKind.SEPARATOR),
        ("formulas", "Problem:\n" + FORMULAS + "Conclusion:\nSad(bob)", RepairKind.SEPARATOR),
        (
            "formulas",
            "Predicates:\nRains() ::: it rains\nWet()\nPremises:\nRains() → Wet()\nRains()\nConclusion:\nWet()",
            RepairKind.NAME,
        ),
        ("formulas", '{"Premises": ["P(a)"], "Conclusion": "P(a)"}', RepairKind.JSON),
        (
            "formulas",
            '```json\n{"Premises": ["P(a)": "so",], // so\n"Query": {"P(a)"} # yes\n}\n```',
            RepairKind.JSON,
        ),
        ("clauses", CLAUSES + "* **Sad(Bob, True)**", RepairKind.MARKUP),
        (
            "clauses",
            "Facts:\nCold(Bob, True)\nRules:\nSad($x, True) <<< Cold($x, True)\nQuery:\nSad(Bob, True)",
            RepairKind.CONNECTIVE,
        ),
        ("clauses", CLAUSES.replace("$x", "$x$") + "Sad(Bob, True)", RepairKind.MARKUP),
        ("clauses", CLAUSES + "Sad(Bob, True)?", RepairKind.MARKUP),
        ("clauses", CLAUSES + "Sad(Bob, True) : Bob is sad", RepairKind.GLOSS),
        ("clauses", CLAUSES.replace("Query", "Conclusion") + "Sad(Bob, True)", RepairKind.SYNONYM),
        ("constraints", CONSTRAINTS + "------", RepairKind.SEPARATOR),
        ("constraints", CONSTRAINTS.replace("Query", "---\nQuery"), RepairKind.SEPARATOR),
        ("constraints", CONSTRAINTS + "------\nPro", RepairKind.SEPARATOR),
        ("constraints", CONSTRAINTS.replace("\nB)", "\n* (B)").replace("\nA)", "\n* (A)"), RepairKind.NUMBERING),
        ("constraints", CONSTRAINTS.rstrip() + " ::", RepairKind.GLOSS),
        ("constraints", CONSTRAINTS.replace("a < b", "a < b: the a is first"), RepairKind.GLOSS),
    ],
)
def test_liberty_is_recorded_and_refused_strictly(language: str, text: str, kind: RepairKind) -> None:
    options = OPTIONS if language == "constraints" else []
    found = execute(language, text, options)
    assert (found.outcome, found.answer, kind in _kinds(found)) == (Outcome.ANSWERED, "A", True)
    if language != "formulas" or kind is not RepairKind.SEPARATOR:
        assert execute(language, text, options, Policy(strict=True)).answer is None


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("formulas", FORMULAS + "Conclusion:\nSad(bob)\n¬Sad(bob)"),
        ("formulas", FORMULAS + "Conclusion: Sad(bob)\n¬Sad(bob)"),
        ("formulas", FORMULAS + "Conclusion:\nSad(bob)\nQuery:\n¬Sad(bob)"),
        ("formulas", FORMULAS + "Conclusion:\nSad(bob)\n**Final conclusion**\nConclusion:\n`¬Sad(bob)`"),
        ("formulas", FORMULAS + "Conclusion: Sad(bob)\n" + FORMULAS + "Conclusion: ¬Sad(bob)"),
        ("formulas", FORMULAS + "Conclusion: Sad(bob)\n------\n" + FORMULAS + "Conclusion: ¬Sad(bob)"),
        ("formulas", FORMULAS + "Conclusion: Sad(bob)\nPredicates:\nCold(x)\nConclusion: ¬Sad(bob)"),
        ("formulas", '{"Premises": ["P(a)"], "Conclusion": "P(a)", "Query": "¬P(a)"}'),
        ("formulas", '{"Premises": ["P(a)"], "Conclusion": "P(a)", "Conclusion": "¬P(a)"}'),
        ("formulas", '{"Premises": ["P(a)"], "Conclusion": ["P(a)", "¬P(a)"]}'),
        ("clauses", CLAUSES + "Sad(Bob, True)\nSad(Bob, False)"),
        ("clauses", CLAUSES + "* **Sad(Bob, True)**\n* **Sad(Bob, False)**"),
        ("clauses", CLAUSES + "Sad(Bob, True)\n" + CLAUSES + "Sad(Bob, False)"),
        ("constraints", CONSTRAINTS + CONSTRAINTS.replace("a < b", "b < a")),
    ],
)
def test_programs_that_end_in_different_ways_have_no_answer(language: str, text: str) -> None:
    found = execute(language, text, OPTIONS if language == "constraints" else [])
    assert (found.answer, found.failure) == (None, Failure.AMBIGUOUS)


@pytest.mark.parametrize(
    "text",
    [
        FORMULAS + "Conclusion:\nSad(bob) ::: so\nSad(bob)",
        FORMULAS + "Conclusion:\nSad(bob)\nQuery:\nSad(bob)",
        FORMULAS + "Conclusion: Sad(bob)\n" + FORMULAS + "Conclusion: ¬¬Sad(bob)",
        FORMULAS + "Conclusion: Sad(bob)\n" + FORMULAS + "Conclu",
        FORMULAS + "Conclusion:\nSad(bob)\nThis is what the premises say.",
        FORMULAS + "Conclusion:\nSad(bob)\nThis follows, and it would not follow that\n¬Sad(bob)",
        FORMULAS + "Conclusion:\nSad(bob)\n\nProblem:\nAll is well.\n" + FORMULAS + "Conclusion: ¬Sad(bob)",
        FORMULAS + "Conclusion:\nSad(bob)\n------\nProblem:\nAll is well.\n" + FORMULAS + "Conclusion: ¬Sad(bob)",
    ],
)
def test_programs_that_end_in_one_way_are_answered(text: str) -> None:
    assert execute("formulas", text).answer == "A"


@pytest.mark.parametrize(
    "text",
    [
        "**Example 1**\n" + FORMULAS + "Query:\nSad(bob)",
        "## Problem 1:\n" + FORMULAS + "Query:\nSad(bob)\n## Problem 2:\n" + FORMULAS + "Query:\nSad(bob)",
        "Example:\n" + FORMULAS + "Query:\nSad(bob)\n**Problem**\n" + FORMULAS + "Query:\nSad(bob)",
        "Example:\n" + FORMULAS + "Query:\nSad(bob)\n------\nProblem:\n" + FORMULAS + "Query:\nSad(bob)",
        '{"Premises": ["P(a)"], "Conclusion": "P(a)", "Other conclusion": "¬P(a)"}',
        '{"Premises": ["P(a)"], "Conclusion": "P(a)"',
        '{"Premises": ["P(a)"], "Conclusion": "P(a)"} {"Premises": ["P(a)"], "Conclusion": "¬P(a)"}',
        '{"Premises": [{"formula": "P(a)", "negated": "yes"}], "Conclusion": "P(a)"}',
        '{"Premises": "P(a)", "Conclusion": not "P(a)"}',
        "Premises:\n`P(a)` → `Q(a)`\nP(a)\nConclusion:\nQ(a)",
        "Premises:\nP(a): not P(b)\nConclusion:\nP(b)",
        "Premises:\n**P(a)** or **Q(a)**\nConclusion:\nP(a)",
        "Predicates:\nRains(x)\nPremises:\nRains()\nConclusion:\nRains()",
    ],
)
def test_indistinct_program_is_refused(text: str) -> None:
    assert execute("formulas", text).outcome is Outcome.UNPARSABLE


def test_markup_keeps_dash() -> None:
    text = "Premises:\nall x. (Q(x) -> -P(x))\nQ(a)\nConclusion:\n"
    assert execute("formulas", text + "**- P(a)**").answer == "A"
    assert execute("formulas", text + "`-P(a)`: it is none").answer == "A"
    assert execute("clauses", "Facts:\nP(a, True)\nQuery:\n- **P(a, True)**").answer is None


def test_repeated_section_before_query_is_joined() -> None:
    found = execute("formulas", "Premises:\n∀x (P(x) → Q(x))\nFacts:\nP(a)\nPremises:\nR(a)\nConclusion:\nQ(a) ∧ R(a)")
    assert found.answer == "A"


@pytest.mark.parametrize("heading", ["Premises", "Rules", "Facts"])
def test_statement_behind_query_is_kept(heading: str) -> None:
    text = f"Premises:\nP(a)\nConclusion:\n¬Q(a)\n{heading}:\n∀x (P(x) → ¬Q(x))"
    assert execute("formulas", text).failure is Failure.AMBIGUOUS
    assert (
        execute("clauses", "Facts:\nP(a, True)\nQuery:\nQ(a, True)\nRules:\nP($x, True) >>> Q($x, True)").answer == "A"
    )
    assert execute("formulas", "Conclusion:\nP(a)\nPremises:\nP(a)").answer == "A"


def test_answers_with_too_many_programs_are_not_read() -> None:
    text = FORMULAS + "Conclusion:\n" + "\n".join(f"P(a{number})" for number in range(60))
    assert execute("formulas", text).failure is Failure.AMBIGUOUS


@pytest.mark.timeout(20)
@pytest.mark.parametrize("text", ["{" * 100_000, ":: a b" * 15_000, "**" * 9_000, '{"' + "\\" * 90_000, "`a" * 9_000])
def test_long_markup_is_read_in_time(text: str) -> None:
    assert execute("formulas", "Premises:\nP(a)\nConclusion:\n" + text).answer in (None, "A")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("{example}", None),
        ("Example 1:\n{example}", None),
        ("{example}\nProblem:\n{own}", "B"),
        ("{example}\n------\nProblem:\n{own}", "B"),
        ("## Problem 1\n{example}\n## Problem 2\n{own}", "B"),
        ("## Problem 1\n{example}\n## Problem 2\nPremises:\nP(a)\nConcl", None),
        ("## Problem 1\n{example}\n## Problem 2\n{own}\n## Problem 3\n{own}", None),
        ("{own}\n{example}", "B"),
    ],
)
@pytest.mark.parametrize("example", ["Sad(bob)", "1. Sad(bob)", "Unhappy(bob) :::: Bob is sad."])
def test_programs_of_the_prompts_examples_are_no_answer(text: str, answer: str | None, example: str) -> None:
    shown = FORMULAS + f"Conclusion:\n{example}"
    own = "Premises:\n¬P(a)\nConclusion:\nP(a)"
    policy = Policy(examples=("Bob is sad", "Sad(bob)"))
    assert execute("formulas", text.format(example=shown, own=own), policy=policy).answer == answer
