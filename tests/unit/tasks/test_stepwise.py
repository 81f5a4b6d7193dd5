"""Programs that are written sentence by sentence, with a table of concepts. The models are scripted."""

from collections.abc import Mapping
from typing import Any

import pytest
from tests.examples import CATS, ROW
from tests.unit.tasks.problem_items import Answer, talk, task

from nlfol.problems.gold import derived
from nlfol.problems.problem import TRUTHS, Problem, Statement
from nlfol.problems.programs import CLAUSES, FORMULAS, execute, solver_language
from nlfol.tasks.program_gold import gold_answer, translation
from nlfol.tasks.solved import solved
from nlfol.tasks.strategies import STRATEGIES
from nlfol.tasks.strategies.concepts import MAX_LINE, Concepts, Operation


def done(kind: str, expression: str, symbol: str, modifier: str = "", arity: int = 1) -> dict[str, Any]:
    return {"operation": kind, "expression": expression, "symbol": symbol, "arity": arity, "modifier": modifier}


def op(kind: str, expression: str, symbol: str, modifier: str = "", arity: int = 1) -> Operation:
    return Operation.model_validate(done(kind, expression, symbol, modifier, arity))


def table(concepts: Concepts) -> dict[str, tuple[str, ...]]:
    return {row.symbol: row.expressions for row in concepts.rows}


EXTEND, REFINE = op("extend", "show", "Show"), op("refine", "popular show", "Show", "Popular")

Lines = Mapping[str, tuple[str, ...]]

REWRITTEN: dict[str, tuple[Lines, Lines]] = {
    "formulas": (
        {"1": ("∀x (PopularShow(x) → Binge(x))",), "2": ("Friends(f) ∧ ¬PopularShow(f)", "Good(f)")},
        {"1": ("∀x (Popular(x) ∧ Show(x) → Binge(x))",), "2": ("Friends(f) ∧ ¬(Popular(f) ∧ Show(f))", "Good(f)")},
    ),
    "clauses": (
        {"1": ("PopularShow($x, True) >>> Binge($x, True)",), "2": ("Good($x, True) >>> PopularShow($x, True)",)},
        {
            "1": ("Popular($x, True) && Show($x, True) >>> Binge($x, True)",),
            "2": ("Good($x, True) >>> Popular($x, True) && Show($x, True)",),
        },
    ),
}


def with_popular_show(language: str, lines: Lines) -> Concepts:
    return Concepts(solver_language(language)).after([op("extend", "popular show", "PopularShow")], lines)


@pytest.mark.parametrize("language", REWRITTEN)
def test_refined_symbol_is_replaced_in_earlier_and_later_lines(language: str) -> None:
    written, rewritten = REWRITTEN[language]
    before = with_popular_show(language, written)
    assert before.lines == written
    after = before.after([EXTEND, REFINE], {"3": written["1"]})
    assert after.refused == ()
    assert after.lines == {**rewritten, "3": rewritten["1"]}
    assert table(after) == {"Popular ∧ Show": ("popular show",), "Show": ("show",), "Popular": ()}
    again = after.after([op("reuse", "hit show", "PopularShow")], {"4": written["1"]})
    assert again.lines["4"] == rewritten["1"]
    assert table(again)["Popular ∧ Show"] == ("popular show", "hit show")


def test_refined_fact_becomes_two_facts() -> None:
    (line,) = with_popular_show("clauses", {"1": ("PopularShow(a, True)",)}).after([EXTEND, REFINE], {}).lines["1"]
    for name in ("Popular", "Show"):
        assert execute("clauses", f"Facts:\n{line}\nQuery:\n{name}(a, True)").answer == "A"


def test_refinement_is_repeatable() -> None:
    concepts = with_popular_show("formulas", {"1": ("PopularShow(a)",)}).after([EXTEND, REFINE], {})
    concepts = concepts.after([op("refine", "show", "Program", "Televised")], {"2": ("PopularShow(b)",)})
    (first,), (second,) = concepts.lines["1"], concepts.lines["2"]
    parts = first.replace("(a)", "").replace("(", "").replace(")", "").split(" ∧ ")
    assert sorted(parts) == ["Popular", "Program", "Televised"]
    assert second == first.replace("(a)", "(b)")
    assert table(concepts)["Popular ∧ Televised ∧ Program"] == ("popular show",)
    assert table(concepts)["Televised ∧ Program"] == ("show",)


def test_new_expression_may_be_refined_at_once() -> None:
    concepts = Concepts(FORMULAS).after([EXTEND], {"1": ("Show(a)",)}).after([REFINE], {"2": ("PopularShow(b)",)})
    assert concepts.lines == {"1": ("Show(a)",), "2": ("PopularShow(b)",)}
    assert table(concepts) == {"Show": ("show",), "Popular": (), "Popular ∧ Show": ("popular show",)}


def test_anaphoric_expressions_may_change_referent() -> None:
    first = op("reuse", "he", "bob", arity=0), op("extend", "Dave", "dave", arity=0)
    second = op("reuse", "He", "dave", arity=0), op("reuse", "the former", "bob", arity=0)
    concepts = Concepts(CLAUSES).after(first, {}).after(second, {})
    assert (table(concepts), concepts.refused) == ({"bob": (), "dave": ("Dave",)}, ())


@pytest.mark.parametrize("varied", [False, True])
@pytest.mark.parametrize(
    ("kind", "language"), [("free", "formulas"), ("controlled", "clauses"), ("controlled", "formulas")]
)
def test_solved_examples_show_refinement_and_synonyms(kind: str, language: str, varied: bool) -> None:
    refined, joined, pointing = [], 0, 0
    for problem in solved(kind, varied=varied):
        assert derived(problem).is_usable
        program = translation(problem, solver_language(language))
        assert program is not None
        steps = STRATEGIES["concept_table_stepwise"].example(program)
        concepts = Concepts(solver_language(language))
        for number, step in enumerate(steps, 1):
            lines = {str(number): tuple(step["lines"])} if "lines" in step else {}
            concepts = concepts.after([Operation.model_validate(each) for each in step["operations"]], lines)
            assert concepts.refused == ()
            refined += [each for each in step["operations"] if each["operation"] == "refine"]
        assert concepts.lines == {str(place): (line,) for place, line in program.lines.items()}
        rows = {row["symbol"]: tuple(row["expressions"]) for row in program.table}
        assert rows == {symbol: said for symbol, said in table(concepts).items() if said}
        joined += sum(len(said) > 1 for said in rows.values())
        pointing += any(each.text.startswith(("It ", "She ")) for each in problem.statements)
        answer = gold_answer(problem, solver_language(problem.language or ""))
        assert answer is not None
        talked = talk(task("concept_table"), problem, {"table": program.table, **answer})
        assert talked.verdict == ("answered", None, 1)
    assert [each["expression"] for each in refined] == ["foreign film"]
    assert (joined >= 2, pointing >= 1) == (varied or kind == "free", varied)


def test_reuse_and_extend_resolve_by_table() -> None:
    operations = [op("reuse", "Hot", "Hot"), op("extend", "scorching", "Hot"), op("reuse", "hot", "Hot")]
    concepts = Concepts(CLAUSES).after(operations, {})
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
def test_invalid_operation_is_reported_without_effect(operation: Operation, reason: str) -> None:
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
def test_inexpressible_refinement_is_refused(language: str, lines: Any, reason: str) -> None:
    before = with_popular_show(language, lines)
    after = before.after([REFINE], {})
    assert (after.lines, after.rows, after.refined) == (before.lines, before.rows, {})
    assert reason in after.refused[0]
    # Nor is it if the line comes in the same step.
    assert reason in with_popular_show(language, {}).after([REFINE], lines).refused[0]


def test_unreadable_line_is_left_unchanged() -> None:
    broken = {"1": ("∀x (PopularShow(x →",)}
    concepts = with_popular_show("formulas", broken).after([REFINE], {})
    assert (concepts.lines, concepts.refused) == (broken, ())


@pytest.mark.parametrize("lines", [{"1": ("S0(a)",)}, {}])
def test_nested_refinements_are_bounded_in_length(lines: Any) -> None:
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


FORMULAS_OF_SHOWS = ("∀x (Popular(x) ∧ Show(x) → Long(x))", "Show(friends)", "Popular(friends)", "Long(friends)")
CLAUSES_OF_SHOWS = (
    "Popular($x, True) && Show($x, True) >>> Long($x, True)",
    "Show(friends, True)",
    "Popular(friends, True)",
    "Long(friends, True)",
)


STEPWISE = task("concept_table_stepwise")
POPULAR = [done("extend", "popular show", "PopularShow"), done("extend", "long", "Long")]
REFINED = [done("extend", "show", "Show"), done("refine", "popular show", "Show", "Popular")]


@pytest.mark.parametrize(
    ("language", "lines", "first"),
    [
        ("formulas", FORMULAS_OF_SHOWS, "∀x (PopularShow(x) → Long(x))"),
        ("clauses", CLAUSES_OF_SHOWS, "PopularShow($x, True) >>> Long($x, True)"),
    ],
)
def test_stepwise_refinement_rewrites_lines_and_program(language: str, lines: tuple[str, ...], first: str) -> None:
    texts = ("Every popular show is long.", "Friends is a show.", "Friends is popular.", "Is Friends long?")
    *statements, question = map(Statement, texts, lines)
    problem = Problem("shows", "free", language, tuple(statements), question, TRUTHS, "A")
    rewritten, *_, query = lines
    written_lines = [first, *lines[1:3]]
    operations = [POPULAR, REFINED, [done("reuse", "popular", "Popular")]]
    answers = [{"operations": each, "lines": [line]} for each, line in zip(operations, written_lines, strict=True)]
    last = {"operations": [], "query": query}
    found = talk(STEPWISE, problem, *answers, last)
    assert found.parts == ["sentence"] * 3 + ["question"]
    assert f"1. {first}" in found.steps[1].user
    assert f"1. {rewritten}" in found.steps[2].user
    assert "Popular ∧ Show (1): popular show" in found.steps[2].user
    assert found.verdict == ("answered", "completed", 1)
    written = found.task.written(found.item, found.replies)
    assert written is not None
    assert written.program.lines["1"] == (rewritten,)
    assert "PopularShow" not in written.text
    assert dict(written.table) == {
        "Popular ∧ Show": ("popular show",),
        "Long": ("long",),
        "Show": ("show",),
        "Popular": ("popular",),
    }
    # Without the refinement nothing says that Friends is a popular show.
    answers[1] = {"operations": [], "lines": [lines[1]]}
    without = talk(STEPWISE, problem, *answers, last)
    assert without.verdict[2] == 0


def test_refused_operation_is_reported_in_next_step_only() -> None:
    first = {"operations": [done("refine", "cat", "Cat", "Cat")], "lines": ["∀x (Cat(x) → Purrs(x))"]}
    second = {"operations": [], "lines": ["Cat(tom)", " "]}
    found = talk(STEPWISE, CATS, first, second, {"operations": [], "query": "Purrs(tom)"})
    assert "Not done: refine 'cat' -> Cat ∧ Cat: a symbol is no conjunction of itself." in found.steps[1].user
    assert "Not done" not in found.steps[2].user
    assert "Now sentence 2: Tom is a cat." in found.steps[1].user
    assert found.verdict == ("answered", "completed", 1)


def test_stepwise_strategy_supports_constraints() -> None:
    things = [done("extend", thing, thing, arity=0) for thing in ("red", "blue", "green")]
    first = {"operations": things, "lines": ["AllDifferentConstraint([red, blue, green])"]}
    second = {"operations": [done("refine", "red", "Red", "Book", arity=0)], "lines": ["red < blue"]}
    variables = [{"name": name, "values": "[1, 2, 3]"} for name in ("red", "blue", "green")]
    options = [{"option": "A", "line": "red == 2"}, {"option": "B", "line": "blue == 2"}]
    last = {"operations": [], "variables": variables, "options": options}
    found = talk(STEPWISE, ROW, first, second, {"operations": [], "lines": ["green == 1"]}, last)
    assert "Not done: refine 'red' -> Red ∧ Book: a variable of constraints stands for one thing" in found.steps[2].user
    assert found.verdict == ("answered", "completed", 1)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("nonsense", "Invalid JSON"),
        ({"operations": [], "lines": ["Cat(tom)\nCat(bob)"]}, "sentence 1: "),
        ({"operations": [], "lines": ["Cat(tom)"] * 5}, "lines: List should have at most 4 items"),
        ({"operations": [done("reuse", "cat", "Cat")] * 17, "lines": []}, "operations: List should have at most 16"),
        ({"operations": [{"operation": "forget"}], "lines": []}, "operations.0.operation"),
        ({"operations": []}, "lines: Field required"),
        ("[" * 100_000, "JSON"),
    ],
)
def test_malformed_step_ends_dialogue_without_program(answer: Answer, reason: str) -> None:
    found = talk(STEPWISE, CATS, answer)
    assert found.verdict == ("unparsable", "unparsable", 0)
    assert reason in (found.task.judge(found.item, found.replies).detail or "")
