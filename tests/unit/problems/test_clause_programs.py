import re
from collections.abc import Iterator

import pytest
from tests.unit.problems.examples import CLAUSES, clauses

from nlfol.problems.programs import Execution, Failure, Outcome, Policy, ProgramError, RepairKind, execute
from nlfol.problems.programs.clauses import Literal, read_clauses
from nlfol.problems.programs.clauses.chaining import Step, chain
from nlfol.problems.programs.outcome import tree


def run(facts: str = "", rules: str = "", query: str = "Q(a, True)") -> Execution:
    return execute("clauses", clauses(facts, rules, query))


def kinds(found: Execution) -> set[RepairKind]:
    return {repair.kind for repair in found.repairs} - {RepairKind.SECTION}


def test_clause_program_answers_with_derivation() -> None:
    found = execute("clauses", CLAUSES, ["A) True", "B) False"])
    assert (found.outcome, found.answer, found.repairs) == (Outcome.ANSWERED, "B", ())
    trace = found.trace
    assert (trace["query"], trace["truth"], trace["depth"]) == ("Smart(bob, False)", "false", 1)
    assert [(step["literal"], step["line"], step["from"]) for step in trace["derivation"]] == [
        ("Cold(bob, True)", 6, []),
        ("Quiet(bob, False)", 7, []),
        ("Smart(bob, True)", 9, [0, 1]),
    ]
    assert tree(trace["derivation"]).splitlines() == [
        "Smart(bob, True)  [line 9: Cold($x, True) && Quiet($x, False) >>> Smart($x, True)]",
        "  Cold(bob, True)  [fact, line 6]",
        "  Quiet(bob, False)  [fact, line 7]",
    ]


@pytest.mark.parametrize(
    ("options", "answers"),
    [
        ((), ("A", "B", "C")),
        (["A) True", "B) False"], ("A", "B", "B")),
        (["A) False.", "B) Uncertain", "C) True"], ("C", "A", "B")),
        (["(1) yes", "(2) no"], ("1", "2", "2")),
    ],
)
def test_clause_answers_map_to_option_letters(options: list[str], answers: tuple[str, ...]) -> None:
    queries = ("P(a, True)", "P(a, False)", "P(b, True)")
    found = [execute("clauses", clauses("P(a, True)", query=query), options).answer for query in queries]
    assert tuple(found) == answers


def test_clause_negation_needs_derivation() -> None:
    assert run("P(a, True)", "Q($x, False) >>> R($x, True)", "R(a, True)").trace["truth"] == "unknown"


STRICT = "Facts:\n{}\nRules:\n{}\nQuery:\n{}"


@pytest.mark.parametrize(
    ("fact", "rule", "query", "answer"),
    [
        ("Cold(bob, True)", "Cold($x, True) >>> Red($x, True)", "Red(bob, True)", "A"),
        ("Cold(bob, True)", "Cold($x, True) >>> Red($x, True)", "Red(bob, False)", "B"),
        ("Cold(bob)", "Cold($x, True) >>> Red($x, True)", "Red(bob, True)", "C"),
        ("Cold(bob)", "Cold($x) >>> Red($x)", "Red(bob)", "A"),
        ("Cold(Bob, True)", "Cold($x, True) >>> Red($x, True)", "Red(bob, True)", "C"),
        ("Cold(big dog, True)", "Cold($x, True) >>> Red($x, True)", "Red(big dog, True)", "A"),
        ("Cold(bob, True)", "Cold($x, True) >>> Red($x, True)", "Green(bob, True)", "C"),
        ("Cold(bob, True)", "Cold($x, $y, True) >>> Red($x, True)", "Cold(bob, True)", "A"),
        ("Cold(bob, True)", "Red(bob, True) >>> Cold($x, True)", "Cold(bob, True)", "A"),
    ],
)
def test_strict_clause_reading_keeps_text_verbatim(fact: str, rule: str, query: str, answer: str) -> None:
    found = execute("clauses", STRICT.format(fact, rule, query), policy=Policy(strict=True))
    assert (found.answer, kinds(found)) == (answer, set())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (STRICT.format("¬Cold(bob, True)", "", "Cold(bob, True)"), "line 2: a negation read as the other truth value"),
        (STRICT.format("Cold(bob, True)", "Cold($x, True) => Red($x, True)", "Red(bob, True)"), "line 4: '=>' read"),
        (STRICT.format("Cold(bob, True).", "", "Cold(bob, True)"), "line 2: '.' is neither"),
        (STRICT.format("Cold(bob, True) && Red(bob, True)", "", "Red(bob, True)"), "line 2: several facts on a line"),
        (STRICT.format("", "Cold(?x, True) >>> Red(?x, True)", "Red(bob, True)"), "line 4: '?x' is no name"),
        (STRICT.format("1. Cold(bob, True)", "", "Cold(bob, True)"), "line 2: '1. Cold(bob, True)' does not start"),
        ("Facts:\nCold(bob, True)\nQuery:\nCold(bob, True)", "the section 'rules' is missing"),
    ],
)
def test_strict_clause_reading_rejects_loose_notation(text: str, message: str) -> None:
    assert execute("clauses", text).outcome is Outcome.ANSWERED
    found = execute("clauses", text, policy=Policy(strict=True))
    assert found.outcome is Outcome.UNPARSABLE
    assert found.error is not None
    assert found.error.startswith(message)


def test_strict_clause_reading_rejects_open_derivation() -> None:
    text = STRICT.format("Cold(bob, True)", "Cold(bob, True) >>> Red($x, True)", "Cold(bob, True)")
    found = execute("clauses", text, policy=Policy(strict=True))
    assert (found.failure, found.line) == (Failure.OPEN, 4)


def test_chaining_terminates_on_loops_with_least_depth() -> None:
    rules = "P0($x, True) >>> P1($x, True)\nP1($x, True) >>> P2($x, True)\nP2($x, True) >>> P0($x, True)"
    found = run("P0(a, True)", f"{rules}\nP2($x, True) >>> Q($x, True)\nP1($x, True) >>> Q($x, True)")
    assert (found.answer, found.trace["depth"], found.trace["derived"]) == ("A", 2, 4)
    assert found.trace["derivation"][-1]["rule"] == "P1($x, True) >>> Q($x, True)"


def test_chaining_joins_derive_facts_once() -> None:
    edges = "\n".join(f"E(n{i}, n{i + 1}, True)" for i in range(6))
    rules = "E($x, $y, True) >>> W($x, $y, True)\nW($x, $y, True) && W($y, $z, True) >>> W($x, $z, True)"
    found = run(edges, rules, "W(n0, n6, True)")
    # Six edges, and all 21 pairs of a node and a later one; paths double their length in each round.
    assert (found.answer, found.trace["derived"], found.trace["depth"]) == ("A", 27, 4)
    assert run(edges, rules, "W(n6, n0, True)").answer == "C"


def test_chaining_matches_naive_fixpoint() -> None:
    for text in _small_programs():
        program = read_clauses(text)
        found = chain(program.clauses)
        naive: dict[Literal, int] = {}
        for depth in range(30):
            new = {
                head
                for clause in program.clauses
                for name in ("a", "b")
                for head in [_instance(clause.heads[0], name)]
                if all(naive.get(_instance(each, name), 99) < depth for each in clause.body)
            }
            naive |= {literal: depth for literal in new if literal not in naive}
        assert {literal: step.depth for literal, step in found.items()} == naive
        assert all(_is_sound(literal, step, found) for literal, step in found.items())


def _small_programs() -> Iterator[str]:
    for seed in range(60):
        facts = "\n".join(
            f"P{(seed * 7 + i * 3) % 5}({'ab'[(seed + i) % 2]}, {bool((seed + i) % 3)})" for i in range(3)
        )
        rules = "\n".join(
            f"P{(seed + i) % 5}($x, {bool(i % 2)}) && P{(seed * i) % 5}($x, True) >>> "
            f"P{(seed + 2 * i) % 5}($x, {bool(i % 3)})"
            for i in range(8)
        )
        yield clauses(facts, rules, "P0(a, True)")


def _instance(literal: Literal, name: str) -> Literal:
    return literal._replace(arguments=tuple(name if each == "$x" else each for each in literal.arguments))


def _is_sound(literal: Literal, step: Step, found: object) -> bool:
    instances = [(_instance(step.clause.heads[0], name), name) for name in ("a", "b")]
    return any(
        head == literal and step.premises == tuple(_instance(each, name) for each in step.clause.body)
        for head, name in instances
    )


def test_contradictory_query_fails_without_answer() -> None:
    found = run("P(a, True)\nQ(a, True)", "P($x, True) >>> Q($x, False)")
    assert (found.outcome, found.failure, found.answer, found.line) == (Outcome.FAILED, Failure.CONTRADICTORY, None, 7)
    assert found.trace["derivation"][-1]["literal"] == "Q(a, True)"
    assert found.trace["opposite"][-1]["literal"] == "Q(a, False)"


def test_unrelated_contradictions_are_listed_without_effect() -> None:
    found = run("P(a, True)\nP(a, False)\nQ(a, True)")
    assert (found.answer, found.trace["contradictions"]) == ("A", ["P(a, True)"])


@pytest.mark.parametrize(
    ("program", "failure", "message"),
    [
        (clauses("P(a, True)", "P($x, True) >>> Q($y, True)"), Failure.OPEN, "line 4: $y in the conclusion of"),
        (clauses("P(a, True)", query="P($x, True)"), Failure.OPEN, "the query P($x, True) has the variable $x"),
        (
            clauses("P(a, True)\nP(a, b, True)", query="P(a, True)"),
            Failure.ARITY,
            "line 3: 'P' with 2 arguments; in line 2",
        ),
        (clauses("P(a, True)"), Failure.UNDEFINED_SYMBOL, "nothing is said of the query's predicate 'Q'"),
    ],
)
def test_clause_failures_name_line_and_symbol(program: str, failure: Failure, message: str) -> None:
    found = execute("clauses", program)
    assert (found.outcome, found.failure) == (Outcome.FAILED, failure)
    assert message in (found.error or "")


@pytest.mark.parametrize(
    ("fact", "repair"),
    [
        ("Q(a, True)", None),
        ("P(b, True), Q(a, True)", RepairKind.CONNECTIVE),
        ("\\+ Q(a, False)", RepairKind.NEGATION),
        ("1. Q(a, True)", RepairKind.NUMBERING),
        ("- Q(a, True).\n- P(b, True)", RepairKind.NUMBERING),
        ("Q(a)", RepairKind.TRUTH_VALUE),
        ("Q(a, true)", RepairKind.TRUTH_VALUE),
        ("Q('a', True)", RepairKind.NAME),
        ("¬Q(a, False)", RepairKind.NEGATION),
        ("not Q(a, False)", RepairKind.NEGATION),
        ("Not(Q(a, False))", RepairKind.NEGATION),
        ("Not(Q(a), False)", RepairKind.NEGATION),
        ("!¬Q(a, True)", RepairKind.NEGATION),
        ("P(b, True) >>> P(c, True)\nQ(a, True)", RepairKind.MISPLACED),
        ("P($x, True)\nQ(a, True)", RepairKind.OPEN_FACT),
    ],
)
def test_clause_fact_repairs_are_recorded(fact: str, repair: RepairKind | None) -> None:
    found = run(fact)
    assert found.answer == "A"
    assert kinds(found) == ({repair} if repair else set())


def test_lone_leading_dash_is_rejected_as_bullet() -> None:
    found = run("- Q(a, False)")
    assert (found.outcome, found.line) == (Outcome.UNPARSABLE, 2)


@pytest.mark.parametrize(
    ("rule", "repair"),
    [
        ("P($x, True) && R($x, False) >>> Q($x, True)", None),
        ("P(?x, True) && R(?x, False) >>> Q(?x, True)", None),
        ("P($x, True) && R($x, False) >>> S($x, True) && Q($x, True)", None),
        ("P($x, True) ∧ R($x, False) >>> Q($x, True)", RepairKind.CONNECTIVE),
        ("P($x, True) and R($x, False) -> Q($x, True)", RepairKind.CONNECTIVE),
        ("P($x, True) && ~R($x, True) >>> Q($x, True)", RepairKind.NEGATION),
        ("P(X, True) && R(X, False) >>> Q(X, True)", RepairKind.VARIABLE),
        ("P($x, True) && R(_, False) >>> Q($x, True)", RepairKind.VARIABLE),
        ("Q($x, True) :- P($x, True) && R($x, False)", RepairKind.CONNECTIVE),
        ("Q($x, True):-P($x, True),R($x, False).", RepairKind.CONNECTIVE),
        ("p($x, True) && R($x, False) >>> Q($x, True)", RepairKind.NAME),
        ("P($x, True) && R(A, False) >>> Q($x, True)", RepairKind.NAME),
    ],
)
def test_clause_rule_repairs_are_recorded(rule: str, repair: RepairKind | None) -> None:
    found = run("P(a, True)\nR(a, False)", rule)
    assert found.answer == "A"
    assert kinds(found) == ({repair} if repair else set())


@pytest.mark.parametrize("query", ["Q(a, bool)", "Q(a, Unknown)", "Q(a, ?)"])
def test_placeholder_is_repaired_only_in_query(query: str) -> None:
    found = run("Q(a, True)", query=query)
    assert (found.answer, kinds(found)) == ("A", {RepairKind.PLACEHOLDER})
    refused = run(query)
    assert (refused.outcome, refused.line) == (Outcome.UNPARSABLE, 2)


def test_capitalised_names_are_constants_when_used_in_facts() -> None:
    found = run("P(Bob, True)", "P(Bob, True) >>> Q(Eve, True)", "Q(Bob, True)")
    assert (found.answer, kinds(found)) == ("C", set())


def test_prolog_rules_read_from_head_to_body() -> None:
    program = "Facts:\nDog(rex).\nRules:\nanimal(X) :- dog(X), owns(X, _).\nQuery:\n?- animal(rex)."
    assert execute("clauses", program).answer == "C"
    assert execute("clauses", program.replace("Rules", "owns(rex, ball).\nRules")).answer == "A"
    assert execute("clauses", "Facts:\nanimal(rex).\nRules:\nanimal(X) :- dog(X).\nQuery:\ndog(rex).").answer == "C"


def test_anonymous_variables_are_distinct() -> None:
    assert run("R(a, b, True)\nP(c, True)", "R(_, _, True) && P(_, True) >>> Q(a, True)").answer == "A"
    assert run("P(a, True)", query="P(_, True)").failure is Failure.OPEN
    assert kinds(run("P(_, True)\nQ(a, True)")) == {RepairKind.OPEN_FACT, RepairKind.VARIABLE}


def test_thousands_separator_keeps_number_whole() -> None:
    found = run("People(town, 1,000,000, True)", "People($x, 1000000, True) >>> Q($x, True)", "Q(town, True)")
    assert (found.answer, kinds(found)) == ("A", {RepairKind.NAME})
    assert run("Q(1,200, True)", query="Q(1, 200, True)").answer == "A"


@pytest.mark.parametrize(
    "program",
    [
        clauses("dog(a, True)", "Dog($x, True) >>> dog($x, True)", "Dog(a, True)"),
        "Predicates:\nDog($x, bool)\ndog($x, bool)\n" + clauses("dog(a, True)", query="Dog(a, True)"),
        clauses("dog(a, True)\nDOG(a, True)\nDog(b, True)", query="Dog(a, True)"),
        clauses("dog(a, b, True)\nDog(b, True)", query="Dog(a, True)"),
    ],
)
def test_names_differing_in_case_stay_distinct(program: str) -> None:
    found = execute("clauses", program)
    assert (found.answer, kinds(found)) == ("C", set())


def test_similar_names_stay_distinct() -> None:
    assert run("Chases(bald eagle, True)", query="Chases(bald_eagle, True)").answer == "C"
    assert run("Quite(a, True)", query="Quiet(a, True)").failure is Failure.UNDEFINED_SYMBOL
    program = "Predicates:\nQuiet($x, bool)\n" + clauses("Quite(a, True)", query="Quiet(a, True)")
    assert execute("clauses", program).trace["undeclared"] == ["Quite"]


@pytest.mark.parametrize(
    ("program", "line", "reason"),
    [
        (clauses("Bob is cold."), 2, "does not start with a literal"),
        (clauses("P(a, True) Q(b, True)"), 2, "is neither '&&' nor '>>>'"),
        (clauses("P(a, [b, c], True)"), 2, "an argument of 'P' is a list: write a line for each member"),
        (clauses("P(True)"), 2, "has no argument before its truth value"),
        (clauses("P(f(a), True)"), 2, "does not start with a literal"),
        (clauses("P(a+b, True)"), 2, "is no name of an individual"),
        (clauses("P(a, True)", query="P(a, True) >>> P(b, True)"), 6, "needed is one literal"),
        ("Facts:\nP(a, True)", None, "the section 'query' is missing"),
        ("Query:\nP(a, True)", None, "the sections 'facts' and 'rules' are missing"),
        (clauses(f"P({', '.join('abcdefghijklmnopqrstuvwxyz')}, True)"), 2, "at most 20 are read"),
    ],
)
def test_invalid_clause_program_is_refused_with_line(program: str, line: int | None, reason: str) -> None:
    found = execute("clauses", program)
    assert (found.outcome, found.line, found.answer) == (Outcome.UNPARSABLE, line, None)
    assert reason in (found.error or "")
    with pytest.raises(ProgramError, match=re.escape(str(found.error))):
        read_clauses(program)


def test_clause_execution_fails_when_budget_is_spent() -> None:
    facts = "\n".join(f"P(n{i}, True)" for i in range(100))
    found = run(facts, "P($x, True) && P($y, True) && P($z, True) && P($w, True) >>> Q($x, $y, True)", "P(n1, True)")
    assert (found.outcome, found.failure) == (Outcome.FAILED, Failure.BUDGET)


def test_failing_join_spends_clause_budget() -> None:
    facts = "\n".join(f"P(n{i}, True)" for i in range(100)) + "\nR(other, True)"
    found = run(facts, "P($x, True) && P($y, True) && P($z, True) && R($x, True) >>> Q($x, True)", "P(n1, True)")
    assert (found.outcome, found.failure) == (Outcome.FAILED, Failure.BUDGET)


def test_long_derivation_succeeds_with_truncated_tree() -> None:
    rules = "\n".join(f"P{i}($x, True) >>> P{i + 1}($x, True)" for i in range(3000))
    found = run("P0(a, True)", rules, "P3000(a, True)")
    assert (found.answer, found.trace["depth"], len(found.trace["derivation"])) == ("A", 3000, 3001)
    assert tree(found.trace["derivation"]).splitlines()[-1] == "…"
