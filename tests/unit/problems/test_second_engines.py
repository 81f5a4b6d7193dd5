"""Random programs, against engines that share nothing with ours but the reader."""

import hashlib
from collections import Counter
from random import Random

import pytest
from benchmarks.program_judges import by_clingo, by_search
from tests.unit.problems.examples import clauses, constraints

from nlfol.problems.programs import Failure, Outcome, execute
from nlfol.problems.programs.clauses import read_clauses
from nlfol.problems.programs.constraints import read_constraints

COUNT = 300
VARIABLES = ("$x", "$y", "$z")


def random(label: str, number: int) -> Random:
    return Random(hashlib.sha256(f"{label} {number}".encode()).digest())


def literal(draw: Random, names: tuple[str, ...]) -> str:
    arity = draw.choice((1, 2, 2))
    arguments = ", ".join(draw.choice(names) for _ in range(arity))
    return f"{' PQ'[arity]}{draw.randint(0, 2)}({arguments}, {draw.random() < 0.7})"


def rule(draw: Random) -> str:
    body = " && ".join(literal(draw, (*VARIABLES, "a")) for _ in range(draw.randint(1, 3)))
    return f"{body} >>> {literal(draw, (*(name for name in VARIABLES if name in body), 'b'))}"


def test_clause_execution_matches_clingo() -> None:
    pytest.importorskip("clingo")
    found = Counter[tuple[bool, bool]]()
    for number in range(COUNT):
        draw = random("clauses", number)
        facts = "\n".join(literal(draw, ("a", "b", "c")) for _ in range(draw.randint(3, 8)))
        rules = "\n".join(rule(draw) for _ in range(draw.randint(2, 7)))
        text = clauses(facts, rules, literal(draw, ("a", "b", "c")))
        ours = execute("clauses", text)
        if ours.failure is Failure.UNDEFINED_SYMBOL:
            continue
        assert ours.trace, ours.error
        truth = ours.trace["truth"]
        both = ours.failure is Failure.CONTRADICTORY
        pair = (both or truth == "true", both or truth == "false")
        assert pair == by_clingo(read_clauses(text)), text
        found[pair] += 1
    assert len(found) == 4


def number_of(draw: Random, depth: int = 0) -> str:
    kind = draw.random()
    if depth > 2 or kind < 0.6:
        return draw.choice(("x", "y", "z", str(draw.randint(0, 4))))
    left, right = number_of(draw, depth + 1), number_of(draw, depth + 1)
    return f"|{left} - {right}|" if kind < 0.75 else f"({left} {draw.choice('+-')} {right})"


def condition(draw: Random, depth: int = 0) -> str:
    kind = draw.random()
    left, right = number_of(draw), number_of(draw)
    if depth > 2 or kind < 0.6:
        return f"{left} {draw.choice(('==', '!=', '<', '<=', '>', '>='))} {right}"
    if kind < 0.7:
        return f"AllDifferentConstraint([{left}, {right}, x])"
    if kind < 0.8:
        return f"not ({condition(draw, depth + 1)})"
    return f"({condition(draw, depth + 1)} {draw.choice(('and', 'or'))} {left} < {right} <= z)"


def test_constraint_execution_matches_exhaustive_search() -> None:
    outcomes = Counter[str]()
    for number in range(COUNT):
        draw = random("constraints", number)
        domains = {name: ", ".join(str(draw.randint(-3, 5)) for _ in range(draw.randint(1, 4))) for name in "xyz"}
        variables = "\n".join(f"{name} [IN] [{values}]" for name, values in domains.items())
        conditions = "\n".join(condition(draw) for _ in range(draw.randint(0, 2)))
        text = constraints(variables, conditions, "\n".join(f"{letter}) {condition(draw)}" for letter in "ABC"))
        ours = execute("constraints", text)
        assert ours.trace["options"] == by_search(read_constraints(text)), text
        outcomes[ours.failure or ours.outcome] += 1
    assert set(outcomes) == {Outcome.ANSWERED, Outcome.NO_ANSWER, Failure.CONTRADICTORY}
