"""The strict reader of regular expressions, and its writer."""

import pickle

import pytest

from nlfol.regular import AlphabetError, Dialect, ExpressionSyntaxError, check_alphabet, parse, to_text
from nlfol.regular.reading import MAX_DEPTH, MAX_LENGTH, in_dialect
from nlfol.regular.syntax import EPSILON, Concatenation, Letter, Option, Plus, Star, Union

ZERO, ONE = Letter("0"), Letter("1")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("0", ZERO),
        ("01", Concatenation((ZERO, ONE))),
        ("01*", Concatenation((ZERO, Star(ONE)))),
        ("(01)*", Star(Concatenation((ZERO, ONE)))),
        ("((0))", ZERO),
        ("((0)1)0", Concatenation((ZERO, ONE, ZERO))),
        ("0(1(0))", Concatenation((ZERO, ONE, ZERO))),
        ("((0*)*)*", Star(Star(Star(ZERO)))),
        ("0**", Star(Star(ZERO))),
    ],
)
def test_the_published_dialect(text: str, tree: object) -> None:
    assert parse(text) is tree
    assert parse(text, Dialect.FULL) is tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("0|1", Union((ZERO, ONE))),
        ("0|11", Union((ZERO, Concatenation((ONE, ONE))))),
        ("(0|1)1", Concatenation((Union((ZERO, ONE)), ONE))),
        ("0|(1|0)|ε", Union((ZERO, ONE, ZERO, EPSILON))),
        ("(0|1)", Union((ZERO, ONE))),
        ("0+?", Option(Plus(ZERO))),
        ("ε*", Star(EPSILON)),
        ("(0|1)*", Star(Union((ZERO, ONE)))),
    ],
)
def test_the_full_dialect(text: str, tree: object) -> None:
    assert parse(text, Dialect.FULL) is tree
    assert parse(text, Dialect("full")) is tree


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "nothing before the end"),
        ("(0", 1, "'(' without its ')'"),
        ("0)", 2, "')' without its '('"),
        ("()", 2, "nothing before ')'"),
        ("*0", 1, "nothing before '*'"),
        ("0(*1)", 3, "nothing before '*'"),
        ("0|1", 2, "'|' is not in this dialect"),
        ("0+", 2, "'+' is not in this dialect"),
        ("0?", 2, "'?' is not in this dialect"),
        ("ε", 1, "'ε' is not in this dialect"),
        ("0 1", 2, "a space"),
        ("A", 1, "'A' is neither a letter"),
        ("0.1", 2, "'.' is neither a letter"),
        ("٣", 1, "is neither a letter"),
    ],
)
def test_errors_name_the_place(text: str, column: int, problem: str) -> None:
    with pytest.raises(ExpressionSyntaxError) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (1, column)
    assert caught.value.problem.startswith(problem) or problem in caught.value.problem
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize(("text", "column"), [("0|", 3), ("|0", 1), ("(0|)1", 4), ("(|0)", 2), ("0||1", 3), ("", 1)])
def test_the_empty_word_is_written_out(text: str, column: int) -> None:
    with pytest.raises(ExpressionSyntaxError, match="write the empty word as 'ε'") as caught:
        parse(text, Dialect.FULL)
    assert caught.value.column == column


def test_the_line_of_an_error_is_counted_and_shown_short() -> None:
    with pytest.raises(ExpressionSyntaxError, match=r"line 1, column 3: a space or line break") as caught:
        parse("01\n" + "1" * 500)
    assert len(str(caught.value)) < 200
    assert ExpressionSyntaxError("", "0\n1!", 3).line == 2
    assert ExpressionSyntaxError("", "0\n1!", 3).column == 2


def test_length_and_depth_are_bounded() -> None:
    assert parse("0" * MAX_LENGTH)
    with pytest.raises(ExpressionSyntaxError, match=f"at most {MAX_LENGTH}"):
        parse("0" * (MAX_LENGTH + 1))
    deep = "(" * MAX_DEPTH + "0" + ")*" * MAX_DEPTH
    assert to_text(parse(deep)) == "0" + "*" * MAX_DEPTH
    with pytest.raises(ExpressionSyntaxError, match=f"more than {MAX_DEPTH} open"):
        parse(f"({deep})")
    assert to_text(parse("0" + "*" * (MAX_LENGTH - 1))).count("*") == MAX_LENGTH - 1


def test_fewest_parentheses_are_written() -> None:
    texts = {
        "(((0)1)(0*))": "010*",
        "((0|1)|(0))*": "(0|1|0)*",
        "(0+)*": "0+*",
        "((01)|(1))0": "(01|1)0",
        "(0)|((1)(1))": "0|11",
    }
    assert {text: to_text(parse(text, Dialect.FULL)) for text in texts} == texts
    assert repr(parse("(01)*")) == str(parse("(01)*")) == "(01)*"


def test_the_dialect_of_a_tree() -> None:
    for text in ("0|1", "0+", "0?", "ε*", "(1(0+)*)*"):
        assert not in_dialect(parse(text, Dialect.FULL), Dialect.PUBLISHED)
        assert in_dialect(parse(text, Dialect.FULL), Dialect.FULL)
    assert in_dialect(parse("(01*)*"), Dialect.PUBLISHED)


def test_letters_outside_the_alphabet_are_read_and_reported() -> None:
    tree = parse("0(2b)*1")
    check_alphabet(tree, "012b")
    with pytest.raises(AlphabetError, match="letter '2' is not in the alphabet; its letters are 0, 1") as caught:
        check_alphabet(tree, "01")
    assert caught.value.letter == "2"
    assert pickle.loads(pickle.dumps(caught.value)).letter == "2"
