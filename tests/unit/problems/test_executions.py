"""Properties that all three languages share: sections, options, bounds, and texts that no model should write."""

import builtins
import os
import subprocess
from collections import Counter

import pytest
from tests.unit.problems.examples import ALL, CHECKS, CLAUSES, CONSTRAINTS, FORMULAS, clauses, constraints, formulas
from tests.unit.problems.mutations import mutations

from nlfol.problems.programs import LANGUAGES, Execution, Outcome, Repair, RepairKind, execute, read
from nlfol.problems.programs.outcome import OptionsError
from nlfol.problems.programs.texts import MAX_CHARACTERS


def layout(found: Execution) -> list[tuple[RepairKind, int | None]]:
    return [(repair.kind, repair.line) for repair in found.repairs]


@pytest.mark.parametrize("language", LANGUAGES)
def test_program_reader_matches_executor(language: str) -> None:
    assert read(language, ALL[language]).repairs == ()
    assert execute(language, ALL[language]).outcome is Outcome.ANSWERED


@pytest.mark.parametrize(
    ("before", "after", "repairs"),
    [
        ("Facts:", "**Facts:**", [(RepairKind.HEADING, 5)]),
        ("Facts:", "## 2. FACTS", [(RepairKind.HEADING, 5)]),
        ("Facts:\n", "Facts: ", [(RepairKind.HEADING, 5)]),
        ("Query:", "Question:", [(RepairKind.HEADING, 11)]),
        ("Rules:", "Facts:\nRules:", [(RepairKind.SECTION, 8)]),
        ("Predicates:", "Here is the program.\n\nPredicates:", [(RepairKind.SECTION, 1)]),
        ("not smart.", "not smart.\nAnswer: False\nIt is not said.", [(RepairKind.SECTION, 13)]),
        ("Rules:", "Rules:\r", []),
        ("\nRules:", "\n\n  \nRules:", []),
    ],
)
def test_section_repairs_are_recorded(before: str, after: str, repairs: list[tuple[RepairKind, int]]) -> None:
    assert before in CLAUSES
    found = execute("clauses", CLAUSES.replace(before, after))
    assert (found.answer, layout(found)) == ("B", repairs)


def test_code_fences_are_dropped() -> None:
    found = execute("constraints", f"```text\n{CONSTRAINTS}\n```")
    assert (found.answer, layout(found)) == ("B", [(RepairKind.FENCE, 1), (RepairKind.FENCE, 17)])


def test_missing_optional_sections_are_recorded() -> None:
    found = execute("clauses", "Facts:\nP(a, True)\nQuery:\nP(a, True)")
    assert [str(repair) for repair in found.repairs] == [
        "there is no section 'predicates'",
        "there is no section 'rules'",
    ]
    assert str(Repair(RepairKind.FENCE, 3, "code fence dropped")) == "line 3: code fence dropped"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["True", "False"], "option 'True' has no letter"),
        (["A) True", "A) False"], "two options have the letter A"),
        (["A) True", "B) Perhaps"], "option B is 'Perhaps'"),
        (["A) True", "B) Yes"], "options A and B both say true"),
        (["A) True", "B) Unknown"], "no option says false"),
    ],
)
def test_unusable_options_raise_error(options: list[str], message: str) -> None:
    for language in ("clauses", "formulas"):
        with pytest.raises(OptionsError, match=message):
            execute(language, ALL[language], options)


def test_unknown_language_raises_error() -> None:
    with pytest.raises(ValueError, match="prolog"):
        execute("prolog", "p.")


HOSTILE = {
    "code": ("clauses", clauses("__import__('os').system('false')")),
    "code in a value": ("constraints", constraints("x [IN] __import__('os')", "x == 1", "A) x == 1")),
    "code in a condition": ("constraints", constraints("x [IN] [1]", "eval('1') == 1", "A) x == 1")),
    "code in a formula": ("formulas", formulas("__import__('os').system('false')", "P(a)")),
    "brackets": ("clauses", clauses("(" * 15_000)),
    "nested negation": ("clauses", clauses("Not(" * 2_000 + "P(a, True)" + ")" * 2_000)),
    "nested sums": ("constraints", constraints("x [IN] [1]", "(" * 9_000 + "x" + ")" * 9_000 + " == 1", "A) x == 1")),
    "nested absolutes": ("constraints", constraints("x [IN] [1]", "|" * 15_000 + "x", "A) x == 1")),
    "deep formula": ("formulas", formulas("∀x ¬" * 4_900 + "P(a)", "P(a)")),
    "pairs of negations": ("formulas", formulas("¬" * 15_000 + "P(a)", "P(a)")),
    "bracketed formula": ("formulas", formulas("(" * 8_000 + "P(a)" + ")" * 8_000, "Q(a)")),
    "long line": ("clauses", clauses("P(" + "a" * 30_000 + ", True)")),
    "blanks": ("clauses", clauses("P" + " " * 15_000 + "(a, True)")),
    "names": ("clauses", clauses("P(" + "a " * 9_000 + "!, True)")),
    "surrogates": ("clauses", clauses("P(\ud800, True)")),
    "long text": ("clauses", "Facts:\n" + "x" * MAX_CHARACTERS),
    "many premises": ("formulas", formulas("P(a)\n" * 30_000, "P(a)")),
    "many variables": ("constraints", constraints("\n".join(f"x{i} [IN] [1]" for i in range(600)), "", "A) x1 == 1")),
    "nothing": ("formulas", ""),
    "zeros": ("constraints", "\0" * 1_000),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_programs_are_refused_within_bounds(name: str) -> None:
    language, text = HOSTILE[name]
    found = execute(language, text)
    assert found.answer is None or name in ("blanks", "bracketed formula", "pairs of negations")
    assert len(found.error or "") < 500


def test_large_rule_set_executes_within_bounds() -> None:
    rules = "\n".join(f"P{i}($x,True)>>>P{i + 1}($x,True)" for i in range(100_000))
    found = execute("clauses", clauses("P0(a, True)", rules, "P7(a, True)"))
    assert found.trace.get("depth") == 7 or found.outcome is Outcome.UNPARSABLE


def test_mutated_programs_end_in_outcome_without_running_code(monkeypatch: pytest.MonkeyPatch) -> None:
    for language in LANGUAGES:
        execute(language, ALL[language])  # What is imported late is imported now.

    def refuse(*arguments: object, **others: object) -> None:
        raise AssertionError(f"code was run: {arguments}")

    for module, name in ((builtins, "eval"), (builtins, "exec"), (os, "system"), (subprocess, "Popen")):
        monkeypatch.setattr(module, name, refuse)
    outcomes = Counter[tuple[str, str]]()
    for number, text in enumerate(mutations([CLAUSES, CONSTRAINTS, FORMULAS, CHECKS], 1_400)):
        # Most are given to their own language.
        fitting = next((name for name, head in _HEADS.items() if head in text), list(LANGUAGES)[number % 4])
        outcomes[fitting, execute(fitting, text).outcome.value] += 1
    assert set(outcomes) >= {(language, outcome) for language in LANGUAGES for outcome in ("answered", "unparsable")}


_HEADS = {"checks": "# Options", "clauses": "Facts:", "constraints": "Variables:", "formulas": "Premises:"}
