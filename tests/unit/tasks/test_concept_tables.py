"""Tables of concepts that grow step by step, and the lines that they rewrite."""

from typing import Any

import pytest

from nlfol.programs import CLAUSES, FORMULAS, execute, solver_language
from nlfol.tasks.strategies.concepts import MAX_LINE, Concepts, Operation


def op(kind: str, expression: str, symbol: str, modifier: str = "", arity: int = 1) -> Operation:
    given = {"operation": kind, "expression": expression, "symbol": symbol, "modifier": modifier, "arity": arity}
    return Operation.model_validate(given)


def table(concepts: Concepts) -> dict[str, tuple[str, ...]]:
    return {row.symbol: row.expressions for row in concepts.rows}


EXTEND, REFINE = op("extend", "show", "Show"), op("refine", "popular show", "Show", "Popular")

SAID: dict[str, tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]] = {
    "formulas": (
        {"1": ("∀x (PopularShow(x) → Binge(x))",), "2": ("Friends(f) ∧ ¬PopularShow(f)", "Good(f)")},
        {
            "1": ("∀x (Popular(x) ∧ Show(x) → Binge(x))",),
            "2": ("Friends(f) ∧ ¬(Popular(f) ∧ Show(f))", "Good(f)"),
        },
    ),
    "clauses": (
        {"1": ("PopularShow($x, True) >>> Binge($x, True)",), "2": ("Good($x, True) >>> PopularShow($x, True)",)},
        {
            "1": ("Popular($x, True) && Show($x, True) >>> Binge($x, True)",),
            "2": ("Good($x, True) >>> Popular($x, True) && Show($x, True)",),
        },
    ),
}


@pytest.mark.parametrize("language", SAID)
def test_a_refined_symbol_is_replaced_in_lines_earlier_and_later(language: str) -> None:
    written, rewritten = SAID[language]
    before = Concepts(solver_language(language)).after([op("extend", "popular show", "PopularShow")], written)
    assert before.lines == written
    after = before.after([EXTEND, REFINE], {"3": written["1"]})
    assert after.refused == ()
    assert after.lines == {**rewritten, "3": rewritten["1"]}
    assert table(after) == {"Popular ∧ Show": ("popular show",), "Show": ("show",), "Popular": ()}
    again = after.after([op("reuse", "hit show", "PopularShow")], {"4": written["1"]})
    assert again.lines["4"] == rewritten["1"]
    assert table(again)["Popular ∧ Show"] == ("popular show", "hit show")


def test_a_fact_that_is_refined_is_two_facts_to_the_solver() -> None:
    concepts = Concepts(CLAUSES).after([op("extend", "popular show", "PopularShow")], {"1": ("PopularShow(a, True)",)})
    (line,) = concepts.after([EXTEND, REFINE], {}).lines["1"]
    for name in ("Popular", "Show"):
        assert execute("clauses", f"Facts:\n{line}\nQuery:\n{name}(a, True)").answer == "A"


def test_what_is_refined_can_be_refined_again() -> None:
    concepts = Concepts(FORMULAS).after([op("extend", "popular show", "PopularShow")], {"1": ("PopularShow(a)",)})
    concepts = concepts.after([EXTEND, REFINE], {})
    concepts = concepts.after([op("refine", "show", "Program", "Televised")], {"2": ("PopularShow(b)",)})
    (first,), (second,) = concepts.lines["1"], concepts.lines["2"]
    assert set(first.replace("(a)", "").replace("(", "").replace(")", "").split(" ∧ ")) == {
        "Popular",
        "Televised",
        "Program",
    }
    assert second == first.replace("(a)", "(b)")
    assert table(concepts)["Popular ∧ Televised ∧ Program"] == ("popular show",)
    assert table(concepts)["Televised ∧ Program"] == ("show",)


def test_an_expression_that_is_new_may_be_a_conjunction_at_once() -> None:
    concepts = Concepts(FORMULAS).after([EXTEND], {"1": ("Show(a)",)}).after([REFINE], {"2": ("PopularShow(b)",)})
    assert concepts.lines == {"1": ("Show(a)",), "2": ("PopularShow(b)",)}
    assert table(concepts) == {"Show": ("show",), "Popular": (), "Popular ∧ Show": ("popular show",)}


def test_reuse_and_extend_differ_in_nothing_that_the_table_does_not_know_better() -> None:
    concepts = Concepts(CLAUSES).after(
        [op("reuse", "Hot", "Hot"), op("extend", "scorching", "Hot"), op("reuse", "hot", "Hot")], {}
    )
    assert (table(concepts), concepts.refused) == ({"Hot": ("Hot", "scorching")}, ())


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (op("reuse", " ", "Show"), "an expression has 1 to 100 characters"),
        (op("reuse", "x" * 101, "Show"), "an expression has 1 to 100 characters"),
        (op("extend", "movie", "A movie"), "'A movie' is no name of a symbol"),
        (op("extend", "movie", "Movie", arity=7), "a symbol has 0 to 6 arguments"),
        (op("reuse", "movie", "Show", arity=2), "Show has 1 arguments in the table"),
        (op("reuse", "SHOW", "Film"), "the expression stands for Show"),
        (op("refine", "hit", "Show", ""), "'' is no name of a symbol"),
        (op("refine", "hit", "Show", "Show"), "no conjunction of itself"),
        (op("refine", "show", "Show", "Good"), "Show would be made of itself"),
        (op("refine", "hit", "Show", "popular"), "popular is no name of a predicate"),
        (op("refine", "hit", "Show", "Popular", arity=2), "Show has 1 arguments in the table"),
        (op("refine", "show", "Film", "Filmed", arity=2), "Show has 1 arguments in the table"),
        (op("refine", "bob", "Man", "Old", arity=0), "what has no arguments is no conjunction"),
        (op("refine", "hit", "OldShow", "Popular"), "OldShow is refined to Old ∧ Show"),
        (op("refine", "old show", "Show", "New"), "the expression stands for Old ∧ Show"),
    ],
)
def test_an_operation_that_makes_no_sense_changes_nothing_and_is_told(operation: Operation, reason: str) -> None:
    start = [op("extend", "old show", "OldShow"), EXTEND, op("refine", "old show", "Show", "Old")]
    before = Concepts(FORMULAS).after(start, {"1": ("OldShow(a)",)})
    after = before.after([operation, op("extend", "good", "Good")], {})
    assert (after.lines, after.rows[:-1]) == (before.lines, before.rows)
    (refused,) = after.refused
    assert reason in refused
    assert refused.startswith(operation.operation)
    assert after.after([], {}).refused == ()


@pytest.mark.parametrize(
    ("language", "lines", "reason"),
    [
        ("clauses", {"1": ("Good($x, True) >>> PopularShow($x, False)",)}, "the negation of a conjunction"),
        ("clauses", {"query": ("PopularShow(a, True)",)}, "the query is one fact"),
        ("formulas", {"1": (" ∧ ".join(["PopularShow(a)"] * 100),)}, f"at most {MAX_LINE}"),
        ("constraints", {"1": ("a < b",)}, "a variable of constraints stands for one thing"),
    ],
)
def test_what_a_line_cannot_say_is_not_refined(language: str, lines: Any, reason: str) -> None:
    before = Concepts(solver_language(language)).after([op("extend", "popular show", "PopularShow")], lines)
    after = before.after([REFINE], {})
    assert (after.lines, after.rows, after.refined) == (before.lines, before.rows, {})
    assert reason in after.refused[0]
    # Nor is it if the line comes in the same step.
    before = Concepts(solver_language(language)).after([op("extend", "popular show", "PopularShow")], {})
    assert reason in before.after([REFINE], lines).refused[0]


def test_a_line_that_cannot_be_read_is_left_as_it_is() -> None:
    broken = {"1": ("∀x (PopularShow(x →",)}
    concepts = Concepts(FORMULAS).after([op("extend", "popular show", "PopularShow")], broken).after([REFINE], {})
    assert (concepts.lines, concepts.refused) == (broken, ())


@pytest.mark.parametrize("lines", [{"1": ("S0(a)",)}, {}])
def test_refinements_of_refinements_do_not_grow_without_bound(lines: Any) -> None:
    concepts = Concepts(FORMULAS).after([op("extend", "w0", "S0")], lines)
    refused: list[str] = []
    for number in range(30):
        operations = [
            op("refine", f"w{number}", f"S{number + 1}", f"T{number}"),
            op("extend", f"w{number + 1}", f"S{number + 1}"),
            op("extend", f"v{number}", f"T{number}"),
            op("refine", f"v{number}", f"S{number + 1}", f"U{number}"),
        ]
        concepts = concepts.after(operations, {})
        refused += concepts.refused
    assert all(len(line) <= MAX_LINE for said in concepts.lines.values() for line in said)
    assert any(f"at most {MAX_LINE}" in each for each in refused) is bool(lines)
