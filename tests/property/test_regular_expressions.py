"""Random regular expressions of every operator: text and English are read back to the identical tree."""

import random

from benchmarks.regular import full, published
from hypothesis import given
from hypothesis import strategies as st

from nlfol.regular import (
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
from nlfol.regular.syntax import EPSILON, LETTERS, Letter, Option, Plus, Star, concatenation, union


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
def test_texts_and_english_are_read_back(tree: Expression) -> None:
    assert parse(to_text(tree), Dialect.FULL) is tree
    assert read_tolerantly(f"Regex: `{to_text(tree)}`.", Dialect.FULL).expression is tree
    assert read_english(render(tree)) is tree


def test_thousands_of_trees_are_read_back() -> None:
    draw = random.Random("read back")
    trees = {full(draw, depth) for depth in range(61) for _ in range(60)}
    trees |= {parse(published(draw, depth)) for depth in range(1, 41) for _ in range(30)}
    trees |= {full(draw, 1_500) for _ in range(2)}
    assert len(trees) > 3_000
    for tree in trees:
        assert parse(to_text(tree), Dialect.FULL) is tree
        assert read_english(render(tree)) is tree
    assert len({render(tree) for tree in trees}) == len(trees)


@given(expressions("01"), expressions("01"), st.text("01", max_size=8))
def test_verdicts_are_those_of_words(first: Expression, second: Expression, word: str) -> None:
    verdict = equivalence(first, second)
    if matches(first, word) == matches(second, word):
        return
    assert verdict.outcome == "not_equivalent"
    assert verdict.word is not None
    assert (len(verdict.word), verdict.word) <= (len(word), word)


def _texts(count: int) -> list[str]:
    draw = random.Random("any text")
    signs = [
        "0",
        "1",
        "a",
        "ε",
        "*",
        "+",
        "?",
        "|",
        "(",
        ")",
        " ",
        "\n",
        "`",
        "```",
        "'",
        "$",
        "^",
        ".",
        "\\",
        "Regex: ",
    ]
    words = [
        "the letter '0'",
        "part 1",
        "Part 1 is ",
        "A matching text is ",
        ", then ",
        " or ",
        "either ",
        ". ",
        "💡",
        "\0",
    ]
    return [
        "".join(draw.choices(signs if draw.random() < 0.7 else signs + words, k=draw.randrange(14)))
        for _ in range(count)
    ]


def test_any_text_raises_the_documented_error_alone() -> None:
    read = 0
    texts = _texts(10_000)
    for text in texts:
        for reader in (
            parse,
            lambda t: parse(t, Dialect.FULL),
            lambda t: read_tolerantly(t, Dialect.FULL),
            read_english,
        ):
            try:
                reader(text)
                read += 1
            except ExpressionSyntaxError as error:
                assert error.line >= 1
                assert error.column >= 1
    assert 500 < read < 20_000


def test_texts_made_to_be_slow_are_read_or_refused() -> None:
    units = [
        "(",
        ")",
        "*",
        "`",
        "'",
        "$",
        "\\(",
        "\n",
        "0\n",
        "```\n",
        "```a\n",
        "Regex: ",
        "the ",
        "a",
        "ab ",
        "0*",
        "^*",
        "(?:",
        "**",
    ]
    for unit in units:
        text = unit * (20_000 // len(unit))
        for reader in (lambda t: parse(t, Dialect.FULL), lambda t: read_tolerantly(t, Dialect.FULL), read_english):
            try:
                reader(text)
            except ExpressionSyntaxError as error:
                assert len(str(error)) < 600
