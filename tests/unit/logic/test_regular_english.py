"""English of regular expressions."""

import re

import pytest

from nlfol.logic.regular import Dialect, Expression, ExpressionError, ExpressionSyntaxError, parse, read_english, render
from nlfol.logic.regular.syntax import Concatenation, Letter, Star


def test_example_renderings_match() -> None:
    said = {
        "0": "A matching text is the letter '0'.",
        "ε": "A matching text is the empty text.",
        "0*1": "A matching text is the letter '0' zero or more times, then the letter '1'.",
        "0|ε|1+": "A matching text is either the letter '0' or the empty text or the letter '1' one or more times.",
        "(01)?": "Part 1 is the letter '0', then the letter '1'. A matching text is part 1 at most once.",
        "0**": "Part 1 is the letter '0' zero or more times. A matching text is part 1 zero or more times.",
        "((0*1)*0)*a": (
            "Part 1 is the letter '0' zero or more times, then the letter '1'. Part 2 is part 1 zero or more times, "
            "then the letter '0'. A matching text is part 2 zero or more times, then the letter 'a'."
        ),
        "(01|1)(0|1)": (
            "Part 1 is the letter '0', then the letter '1'. Part 2 is either part 1 or the letter '1'. "
            "Part 3 is either the letter '0' or the letter '1'. A matching text is part 2, then part 3."
        ),
    }
    assert {text: render(parse(text, Dialect.FULL)) for text in said} == said
    assert {text: read_english(english) for text, english in said.items()} == {
        text: parse(text, Dialect.FULL) for text in said
    }


@pytest.mark.parametrize(
    ("english", "problem"),
    [
        ("", "expected 'Part 1 is'"),
        ("A matching text is the letter '0'", "expected '.' and the end"),
        ("A matching text is the letter '0'. ", "expected '.' and the end"),
        ("a matching text is the letter '0'.", "expected 'Part 1 is'"),
        ("A matching text is the letter 'A'.", 'expected "the letter'),
        ("A matching text is part 1.", "part 1 is not described before"),
        ("Part 2 is the letter '0'. A matching text is part 2.", "part 2 where part 1 is expected"),
        ("Part 1 is the letter '0', then the letter '1'. A matching text is the letter '0'.", "part 1 is not used"),
        (
            "Part 1 is the letter '0', then the letter '1'. A matching text is part 1 at most once, then part 1.",
            "part 1 is not described before, or used already",
        ),
        ("Part 1 is the letter '0'. A matching text is part 1 at most once.", "divided or numbered in another way"),
        ("A matching text is either the letter '0'.", "divided or numbered in another way"),
        ("A matching text is the letter '0' then the letter '1'.", "expected '.' and the end"),
        ("A matching text is the letter '0', then .", 'expected "the letter'),
        ("Part 1 is the letter '0', then the letter '1', A matching text", "expected '. ' and another sentence"),
    ],
)
def test_malformed_english_is_refused(english: str, problem: str) -> None:
    with pytest.raises(ExpressionSyntaxError) as caught:
        read_english(english)
    assert problem in caught.value.problem


def test_rendering_avoids_notation_signs() -> None:
    text = render(parse("((0|1)*(ab?)+ε)*" + "(01)*" * 120, Dialect.FULL))
    assert not re.search(r"[*+?|()ε`]", text)
    assert set(re.findall(r"'[^']*'", text)) == {"'0'", "'1'", "'a'", "'b'"}


@pytest.mark.parametrize("text", ["0" + "*" * 19_999, "0" * 20_000, "(" * 4_999 + "0" + "1)*" * 4_999, "0?" * 10_000])
def test_expressions_render_and_read_back(text: str) -> None:
    tree = parse(text, Dialect.FULL)
    assert read_english(render(tree)) is tree


def test_english_length_is_bounded() -> None:
    tree: Expression = Letter("0")
    for _ in range(200):
        tree = Concatenation((Star(tree), Star(tree)))
    with pytest.raises(ExpressionError, match="the expression is too large"):
        render(tree)
    with pytest.raises(ExpressionSyntaxError, match="at most"):
        read_english("A matching text is " * 100_000)
