"""The tolerant reader of regular expressions: what models write around one."""

import pytest

from nlfol.regular import Dialect, ExpressionSyntaxError, parse, read_tolerantly
from nlfol.regular.tolerant import LibertyKind as Kind

WANTED = "(01)*1"


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
def test_wrapping_is_taken_off_and_said(reply: str, kinds: list[Kind]) -> None:
    reading = read_tolerantly(reply)
    assert reading.expression is parse(WANTED)
    if reply != "(01)*1\n((01)*)1":
        assert list(dict.fromkeys(kind for kind, _ in reading.liberties)) == kinds


@pytest.mark.parametrize("reply", ["0 ∪ 1*", r"0 \cup 1^{*}", "0 | 1*", r"$0 \mid 1^\ast$"])
def test_other_signs_of_union(reply: str) -> None:
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
def test_what_is_none_is_refused_with_the_reason(reply: str, reason: str) -> None:
    with pytest.raises(ExpressionSyntaxError, match=reason):
        read_tolerantly(reply)


def test_the_place_of_an_error_is_that_in_the_reply() -> None:
    with pytest.raises(ExpressionSyntaxError) as caught:
        read_tolerantly("```\nRegex: 0 1 [0]\n```")
    assert (caught.value.line, caught.value.column) == (2, 12)


def test_letters_outside_any_alphabet_stay() -> None:
    assert read_tolerantly("Regex: 2*b").expression is parse("2*b")
