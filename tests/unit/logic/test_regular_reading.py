"""The strict reader of regular expressions, its writer, and the tolerant reader of what models write around one."""

import pickle
from functools import partial

import pytest
from tests.growth import takes_within

from nlfol.logic.regular import Dialect, ExpressionSyntaxError, parse, read_tolerantly, to_text
from nlfol.logic.regular.reading import MAX_DEPTH, MAX_LENGTH, in_dialect
from nlfol.logic.regular.syntax import EPSILON, Concatenation, Letter, Option, Plus, Star, Union
from nlfol.logic.regular.tolerant import LibertyKind as Kind

ZERO, ONE = Letter("0"), Letter("1")
WANTED = "(01)*1"


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("0", ZERO), ("01", Concatenation((ZERO, ONE))), ("01*", Concatenation((ZERO, Star(ONE)))),
        ("(01)*", Star(Concatenation((ZERO, ONE)))), ("((0))", ZERO), ("((0)1)0", Concatenation((ZERO, ONE, ZERO))),
        ("0(1(0))", Concatenation((ZERO, ONE, ZERO))), ("((0*)*)*", Star(Star(Star(ZERO)))),
        ("0**", Star(Star(ZERO))),
    ],
)  # fmt: skip
def test_published_dialect_parses_to_expected_tree(text: str, tree: object) -> None:
    assert parse(text) is tree
    assert parse(text, Dialect.FULL) is tree


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("0|1", Union((ZERO, ONE))), ("0|11", Union((ZERO, Concatenation((ONE, ONE))))),
        ("(0|1)1", Concatenation((Union((ZERO, ONE)), ONE))), ("0|(1|0)|ε", Union((ZERO, ONE, ZERO, EPSILON))),
        ("(0|1)", Union((ZERO, ONE))), ("0+?", Option(Plus(ZERO))), ("ε*", Star(EPSILON)),
        ("(0|1)*", Star(Union((ZERO, ONE)))),
    ],
)  # fmt: skip
def test_full_dialect_parses_to_expected_tree(text: str, tree: object) -> None:
    assert parse(text, Dialect.FULL) is tree
    assert parse(text, Dialect("full")) is tree


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "nothing before the end"), ("(0", 1, "'(' without its ')'"), ("0)", 2, "')' without its '('"),
        ("()", 2, "nothing before ')'"), ("*0", 1, "nothing before '*'"), ("0(*1)", 3, "nothing before '*'"),
        ("0|1", 2, "'|' is not in this dialect"), ("0+", 2, "'+' is not in this dialect"),
        ("0?", 2, "'?' is not in this dialect"), ("ε", 1, "'ε' is not in this dialect"), ("0 1", 2, "a space"),
        ("A", 1, "'A' is neither a letter"), ("0.1", 2, "'.' is neither a letter"), ("٣", 1, "is neither a letter"),
    ],
)  # fmt: skip
def test_syntax_errors_give_column_and_problem(text: str, column: int, problem: str) -> None:
    with pytest.raises(ExpressionSyntaxError) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (1, column)
    assert caught.value.problem.startswith(problem) or problem in caught.value.problem
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize(("text", "column"), [("0|", 3), ("|0", 1), ("(0|)1", 4), ("(|0)", 2), ("0||1", 3), ("", 1)])
def test_empty_word_must_be_written_as_epsilon(text: str, column: int) -> None:
    with pytest.raises(ExpressionSyntaxError, match="write the empty word as 'ε'") as caught:
        parse(text, Dialect.FULL)
    assert caught.value.column == column


def test_syntax_error_counts_lines_and_truncates_text() -> None:
    with pytest.raises(ExpressionSyntaxError, match=r"line 1, column 3: a space or line break") as caught:
        parse("01\n" + "1" * 500)
    assert len(str(caught.value)) < 200
    assert ExpressionSyntaxError("", "0\n1!", 3).line == 2
    assert ExpressionSyntaxError("", "0\n1!", 3).column == 2


def test_expression_length_and_depth_are_bounded() -> None:
    assert parse("0" * MAX_LENGTH)
    with pytest.raises(ExpressionSyntaxError, match=f"at most {MAX_LENGTH}"):
        parse("0" * (MAX_LENGTH + 1))
    deep = "(" * MAX_DEPTH + "0" + ")*" * MAX_DEPTH
    assert to_text(parse(deep)) == "0" + "*" * MAX_DEPTH
    with pytest.raises(ExpressionSyntaxError, match=f"more than {MAX_DEPTH} open"):
        parse(f"({deep})")
    assert to_text(parse("0" + "*" * (MAX_LENGTH - 1))).count("*") == MAX_LENGTH - 1


def test_printer_writes_minimal_parentheses() -> None:
    texts = {
        "(((0)1)(0*))": "010*",
        "((0|1)|(0))*": "(0|1|0)*",
        "(0+)*": "0+*",
        "((01)|(1))0": "(01|1)0",
        "(0)|((1)(1))": "0|11",
    }
    assert {text: to_text(parse(text, Dialect.FULL)) for text in texts} == texts
    assert repr(parse("(01)*")) == str(parse("(01)*")) == "(01)*"


def test_dialect_check_rejects_full_operators_in_published() -> None:
    for text in ("0|1", "0+", "0?", "ε*", "(1(0+)*)*"):
        assert not in_dialect(parse(text, Dialect.FULL), Dialect.PUBLISHED)
        assert in_dialect(parse(text, Dialect.FULL), Dialect.FULL)
    assert in_dialect(parse("(01*)*"), Dialect.PUBLISHED)


@pytest.mark.parametrize(
    ("reply", "kinds"),
    [
        (WANTED, []),
        (f" {WANTED}\n", [Kind.SPACES]),
        (f"```\n{WANTED}\n```", [Kind.CODE_FENCE]),
        (f"Sure:\n```regex\n{WANTED}\n```\nDone.", [Kind.CODE_FENCE]),
        (f"Regex: {WANTED}", [Kind.LABEL]),
        (f"**Regular expression:** {WANTED}", [Kind.LABEL]),
        (f"The final answer is: `{WANTED}`.", [Kind.LABEL, Kind.FULL_STOP, Kind.QUOTES]),
        (f"{WANTED}.", [Kind.FULL_STOP]),
        (f"^{WANTED}$", [Kind.ANCHORS]),
        (f"/^{WANTED}$/", [Kind.QUOTES, Kind.ANCHORS]),
        (f'"{WANTED}"', [Kind.QUOTES]),
        (f"`{WANTED}`", [Kind.QUOTES]),
        (f"**{WANTED}**", [Kind.QUOTES]),
        ("$(01)^*1$", [Kind.QUOTES, Kind.SIGN]),
        ("( 0 1 )* 1", [Kind.SPACES]),
        ("(?:01)*1", [Kind.SIGN]),
        (r"(01)\*1", [Kind.SIGN]),
        ("(0·1)∗·1", [Kind.SIGN]),
        (f"Here is what you asked for:\n\n{WANTED}\n", [Kind.PROSE]),
        (f"The language is that of `{WANTED}`, I think.", [Kind.PROSE, Kind.QUOTES]),
        (f"Regex: {WANTED}\nIt is shorter than it seems.", [Kind.PROSE, Kind.LABEL]),
        (f"Answer:\n{WANTED}", [Kind.PROSE]),
        ("(01)*1\n((01)*)1", [Kind.SPACES]),
    ],
)
def test_reply_wrapping_is_removed_and_recorded(reply: str, kinds: list[Kind]) -> None:
    reading = read_tolerantly(reply)
    assert reading.expression is parse(WANTED)
    if reply != "(01)*1\n((01)*)1":
        assert list(dict.fromkeys(kind for kind, _ in reading.liberties)) == kinds


@pytest.mark.parametrize("reply", ["0 ∪ 1*", r"0 \cup 1^{*}", "0 | 1*", r"$0 \mid 1^\ast$"])
def test_union_signs_are_read_in_full_dialect_only(reply: str) -> None:
    assert read_tolerantly(reply, Dialect.FULL).expression is parse("0|1*", Dialect.FULL)
    with pytest.raises(ExpressionSyntaxError, match="not in this dialect"):
        read_tolerantly(reply)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "an empty reply"),
        (" \n ", "an empty reply"),
        ("```\n\n```", "an empty code block"),
        ("any number of zeros", "prose, not an expression"),
        ("I cannot do that.", "prose, not an expression"),
        ("0*1\n1*0", "several different expressions"),
        ("```\n0\n```\nor\n```\n1\n```", "several different expressions"),
        ("Either `0*` or `1*`, who knows", "several different expressions"),
        (r"\d*1", "a backslash has no meaning here"),
        ("[01]*", "character classes are not read"),
        ("0{2}", "counted repetition is not read"),
        ("0.*1", "'.' stands for any letter in other notations"),
        ("0^1", r"'\^' inside"),
        ("(0", r"'\(' without its '\)'"),
        ("Regex: 0)", r"'\)' without its '\('"),
        ("``", "'`' is neither"),
        ("Regex:", "no expression here"),
    ],
)
def test_unreadable_reply_is_refused_with_reason(reply: str, reason: str) -> None:
    with pytest.raises(ExpressionSyntaxError, match=reason):
        read_tolerantly(reply)


def test_reply_error_gives_position_in_reply() -> None:
    with pytest.raises(ExpressionSyntaxError) as caught:
        read_tolerantly("```\nRegex: 0 1 [0]\n```")
    assert (caught.value.line, caught.value.column) == (2, 12)


def test_tolerant_reader_keeps_letters_outside_alphabet() -> None:
    assert read_tolerantly("Regex: 2*b").expression is parse("2*b")


@pytest.mark.parametrize("unit", ["∪\n", "（\n", "(0\n", "ab cd\n", "```a\n", "`(`\n"])
def test_refused_reply_takes_linear_time(unit: str) -> None:
    def refused(reply: str) -> None:
        with pytest.raises(ExpressionSyntaxError):
            read_tolerantly(reply)

    short, long = (partial(refused, unit * (size // len(unit))) for size in (MAX_LENGTH // 8, MAX_LENGTH))
    assert takes_within(24, long, short)  # quadratic time takes 64 times as long
