"""Random regular expressions of every operator: text and English are read back to the identical tree."""

import random
from collections.abc import Callable

import pytest
from benchmarks.regular import full
from hypothesis import given
from hypothesis import strategies as st

from nlfol.logic.regular import (
    Dialect,
    Expression,
    ExpressionSyntaxError,
    equivalence,
    matches,
    parse,
    read_english,
    read_tolerantly,
    render,
    to_text,
)
from nlfol.logic.regular.syntax import EPSILON, LETTERS, Letter, Option, Plus, Star, concatenation, union


def expressions(symbols: str = LETTERS) -> st.SearchStrategy[Expression]:
    """Expressions with every operator."""
    leaves: st.SearchStrategy[Expression] = st.sampled_from([EPSILON, *map(Letter, symbols)])

    def extend(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        several = st.lists(inner, min_size=2, max_size=4)
        made: st.SearchStrategy[Expression] = several.map(concatenation) | several.map(union)
        for kind in (Star, Plus, Option):
            made |= st.builds(kind, inner)
        return made

    return st.recursive(leaves, extend, max_leaves=12)


@given(expressions())
def test_regular_expressions_read_back_from_text_and_english(tree: Expression) -> None:
    assert parse(to_text(tree), Dialect.FULL) is tree
    assert read_tolerantly(f"Regex: `{to_text(tree)}`.", Dialect.FULL).expression is tree
    assert read_english(render(tree)) is tree


@given(expressions("01"), expressions("01"), st.text("01", max_size=8))
def test_regular_verdict_gives_shortest_distinguishing_word(first: Expression, second: Expression, word: str) -> None:
    verdict = equivalence(first, second)
    if matches(first, word) == matches(second, word):
        return
    assert verdict.outcome == "not_equivalent"
    assert verdict.word is not None
    assert (len(verdict.word), verdict.word) <= (len(word), word)


def _texts(count: int) -> list[str]:
    draw = random.Random("any text")
    signs = [
        "0", "1", "a", "ε", "*", "+", "?", "|", "(", ")", " ", "\n", "`", "```", "'", "$", "^", ".", "\\",
        "Regex: ",
    ]  # fmt: skip
    words = [
        "the letter '0'", "part 1", "Part 1 is ", "A matching text is ", ", then ", " or ", "either ", ". ",
        "💡", "\0",
    ]  # fmt: skip
    return [
        "".join(draw.choices(signs if draw.random() < 0.7 else signs + words, k=draw.randrange(14)))
        for _ in range(count)
    ]


def _altered(count: int) -> list[str]:
    """English in which up to two words are left out, doubled or exchanged."""
    draw = random.Random("altered")
    found = []
    for _ in range(count):
        words = render(full(draw, draw.randrange(6))).split(" ")
        for _ in range(draw.randrange(3)):
            first, second = draw.randrange(len(words)), draw.randrange(len(words))
            words[first : first + 1] = draw.choice(([], [words[first]] * 2, [words[second]]))
            words = words or [""]
        found.append(" ".join(words))
    return found


def _refusal(reader: Callable[[str], object], text: str) -> ExpressionSyntaxError | None:
    """Return a reader's refusal of a text; any other error goes through."""
    try:
        reader(text)
    except ExpressionSyntaxError as error:
        return error
    return None


READERS: dict[str, Callable[[str], object]] = {
    "published": parse,
    "full": lambda text: parse(text, Dialect.FULL),
    "tolerant": lambda text: read_tolerantly(text, Dialect.FULL),
    "english": read_english,
}


@pytest.mark.parametrize("reader", READERS)
def test_readers_raise_only_documented_errors_on_random_text(reader: str) -> None:
    texts = _altered(5_000) + _texts(5_000) if reader == "english" else _texts(10_000)
    refusals = [_refusal(READERS[reader], text) for text in texts]
    assert 30 < refusals.count(None) < 9_000
    assert all(error.line > 0 and error.column > 0 for error in refusals if error is not None)


@pytest.mark.parametrize("reader", READERS)
def test_readers_finish_on_adversarially_slow_text(reader: str) -> None:
    units = (
        "(", ")", "*", "`", "'", "$", "\\(", "\n", "0\n", "```\n", "```a\n", "Regex: ", "the ", "a", "ab ",
        "0*", "^*",
    )  # fmt: skip
    refusals = [_refusal(READERS[reader], unit * (20_000 // len(unit))) for unit in units]
    assert all(len(str(error)) < 600 for error in refusals if error is not None)
    assert None not in (refusals[:3])
