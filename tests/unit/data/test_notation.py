"""Right-hand sides: their tokens, their templates, and the places of their errors."""

import re
from random import Random

import pytest

from nlfol.data.grammars.grammar import GrammarError, Template
from nlfol.data.grammars.notation import ALPHABETS, read_template, scan
from nlfol.logic.infix import PRECEDENCE
from nlfol.logic.reading import parse
from nlfol.logic.syntax import And, Atom, ExclusiveOr, Formula, Iff, Implies, Not, Or, fold

NAMES = {"S": 0, "T": 1, "LETTER": 2}
SIGNS = {And: "∧", Or: "∨", ExclusiveOr: "⊕", Implies: "→", Iff: "↔", Not: "¬"}


def tokens(text: str, language: str = "first_order", **parameters: int) -> str:
    return " ".join(token.text for token in scan(text, ALPHABETS[language], NAMES, parameters))


def template(text: str) -> Template:
    return read_template(scan(text, ALPHABETS["first_order"], NAMES, {}), NAMES)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(S∧T)", "( S ∧ T )"), ("\tS\u00a0→\nT", "S → T"), ("ε", ""), ("ATOM", "PREDICATION"),
        ("S{3 ∨}", "S ∨ S ∨ S"), ("¬S{two   →}T", "¬ S → S T"), ("S{2}", "S S"), ("S{1∨}", "S"),
    ],
)  # fmt: skip
def test_tokenizer_splits_adjacent_names_and_expands_repetitions(text: str, found: str) -> None:
    assert tokens(text, two=2) == found


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("S ∧ DOG", "column 5: 'DOG' is neither a rule nor one of the slots PREDICATION, TERM, VARIABLE"),
        ("S #", "column 3: '#' is no sign of the language"),
        ("S {2 ∨}", "column 3: '{' is no sign of the language"),
        ("S{2 x}", "column 1: 'x' is no sign of the language"),
        ("T S{some ∨}", "column 3: no parameter 'some'"),
        ("S{501}", "column 1: 501 times; 1 to 500 are possible"),
        ("S{0 ∨}", "column 1: 0 times"),
        ("S{300 ∨}", "more than 500 signs"),
    ],
)
def test_text_error_gives_column(text: str, problem: str) -> None:
    with pytest.raises(GrammarError, match=f"^{re.escape(problem)}"):
        tokens(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the formula is not complete"),
        ("S ∧", "the formula is not complete"),
        ("TERM", "the formula is not complete"),
        ("TERM ∧ S", "TERM stands in an equation"),
        ("TERM = S", "'TERM' expected before 'S'"),
        ("VARIABLE", "unexpected 'VARIABLE'; a formula, a nonterminal or a slot stands here"),
        ("S → → S", "unexpected '→'; a formula"),
        ("∀ S", "'VARIABLE' expected before 'S'"),
        ("(S", "')' expected at the end"),
        ("(S T)", "')' expected before 'T'"),
        ("S)", "unexpected ')' after a complete formula"),
        ("S ¬T", "unexpected '¬' after a complete formula"),
        (f"{'(' * 51}S{')' * 51}", "nested deeper than 50"),
    ],
)
def test_formula_error_names_token(text: str, problem: str) -> None:
    with pytest.raises(GrammarError, match=f"^{re.escape(problem)}"):
        template(text)


def test_template_slots_are_leaves_and_may_also_name_rules() -> None:
    assert template("TERM ≠ TERM ∨ ∀VARIABLE ¬PREDICATION").symbols == ("∨", "¬", "=", "∀", "¬", "a")
    assert template("LETTER ∧ S").symbols == ("∧", 2, 0)


@pytest.mark.parametrize(
    ("text", "least"),
    [("S", [0]), ("(S)", [0]), ("¬S", [6]), ("S ∧ T", [5, 6]), ("S → T", [3, 2]), ("S ∨ T ∧ S", [4, 5, 6])],
)
def test_template_hole_records_binding_strength(text: str, least: list[int]) -> None:
    assert [hole.least for hole in template(text).holes] == least


def generated(random: Random, depth: int) -> str:
    kind = random.random() if depth else 0
    if kind < 0.2:
        return random.choice("ST")
    if kind < 0.35:
        return f"¬{generated(random, depth - 1)}"
    if kind < 0.5:
        return f"({generated(random, depth - 1)})"
    return f" {random.choice(list(PRECEDENCE))} ".join(generated(random, depth - 1) for _ in range(2))


def prefixed(formula: Formula) -> tuple[str, ...]:
    return fold(formula, lambda node, parts: (
        (node.predicate,) if isinstance(node, Atom) else (SIGNS[type(node)], *[s for part in parts for s in part])
    ))  # fmt: skip


def test_template_grouping_matches_formula_grouping() -> None:
    random = Random("templates")
    for text in {generated(random, random.randint(1, 5)) for _ in range(300)}:
        expected = [{"S": 0, "T": 1}.get(sign, sign) for sign in prefixed(parse(text, propositions=True))]
        assert list(template(text).symbols) == expected, text
