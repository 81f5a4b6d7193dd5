"""Counts, depth, and the minimal automaton."""

import pytest
from automata.fa.dfa import DFA
from automata.fa.nfa import NFA
from benchmarks.regular import pair

from nlfol.logic.regular import AutomatonSize, Dialect, StateBudgetError, automaton_size, count_operators, depth, parse


def test_operator_counts_distinguish_kinds() -> None:
    counted = count_operators(parse("(01|0*)+1?1(01|0*)+", Dialect.FULL))
    assert counted == {"concatenation": 5, "union": 2, "star": 2, "plus": 2, "option": 1}
    assert sum(count_operators(parse("0")).values()) == 0


@pytest.mark.parametrize(("text", "expected"), [("0", 1), ("010", 2), ("0*", 2), ("01*", 3), ("((01)*1)*", 5)])
def test_expression_depth_matches_expectation(text: str, expected: int) -> None:
    assert depth(parse(text)) == expected


@pytest.mark.parametrize(
    ("text", "states", "edges", "density"),
    [("0", 2, 1, 0.0), ("ε", 1, 0, 0.0), ("(0|1)*01", 3, 6, 1.0), ("0101", 5, 4, 0.2), ("(000)*", 3, 3, 0.5)],
)
def test_minimal_automaton_has_expected_size(text: str, states: int, edges: int, density: float) -> None:
    size = automaton_size(parse(text, Dialect.FULL))
    assert size == AutomatonSize(states, edges)
    assert size.density == density


def test_minimal_automaton_size_agrees_with_automata_lib() -> None:
    for number in range(60, 240, 3):
        tested = pair(number)
        nfa = NFA.from_regex(tested.first.replace("ε", "()"), input_symbols=set("01"))
        theirs = DFA.from_nfa(nfa, minify=True).to_partial()
        edges = sum(map(len, theirs.transitions.values()))
        assert automaton_size(parse(tested.first, tested.dialect)) == (len(theirs.states), edges), tested


def test_automaton_budget_is_enforced() -> None:
    with pytest.raises(StateBudgetError, match="more than 50"):
        automaton_size(parse("(0|1)*0" + "(0|1)" * 10, Dialect.FULL), budget=50)
    assert automaton_size(parse("(0|1)*0" + "(0|1)" * 10, Dialect.FULL)).states == 2**11


def test_deep_expressions_are_measured() -> None:
    text = "(" * 999 + "0" + "1)*" * 999
    assert depth(parse(text)) == 1_999
    assert count_operators(parse(text))["star"] == 999
    assert automaton_size(parse(text)).states > 0
