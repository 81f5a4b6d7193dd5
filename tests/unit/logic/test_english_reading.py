"""Refusals of the reader of the unambiguous style, with their places."""

import pickle

import pytest
from tests.unit.logic.document import tarski_formulas, tarski_ontology

from nlfol.logic.english import styles, unambiguous
from nlfol.logic.english.reading import read_english
from nlfol.logic.english.wording import MAX_RENDERING, EnglishSyntaxError

TARSKI = tarski_ontology()


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "a sentence ends with a full stop"),
        ("f is a cube", 12, "a sentence ends with a full stop"),
        ("g is a cube.", 1, "neither words of the grammar nor a literal"),
        ("a is a sphere.", 1, "neither words of the grammar nor a literal"),
        ("For every x, x is round.", 14, "neither words of the grammar nor a literal"),
        ("If f is a cube, b is small.", 27, "',' should stand here"),
        ("If f is a cube, then b is small, c is large.", 32, "should end here"),
        ("Both f is a cube or b is small.", 1, "is rendered otherwise from here on"),
        ("F is a cube.", 1, "is rendered otherwise from here on"),
        ("For every x and y, x is a cube.", 1, "neither words"),
        ("“f is a cube” [Small(f)].", 1, "not those of its text"),
        ("“f is a cube” [Cube(f)].", 1, "is rendered otherwise"),
        ("“f is a cube” [Sphere(f)].", 16, "after the quotation: .*Sphere"),
        ("“f is a cube” [Cube(f) ∧ Cube(b)].", 16, "after the quotation: .* no literal"),
        ("“f is a cube” [Cube(f].", 16, "after the quotation: "),
        ("“f is a cube.", 1, "not complete"),
        (
            "All of (1) to (2):\n  (1) f is small;\n  (2) b is small.",
            16,
            "the number of the last item should stand here",
        ),
    ],
)
def test_syntax_errors_give_position(text: str, column: int, problem: str) -> None:
    with pytest.raises(EnglishSyntaxError, match=problem) as caught:
        read_english(text, TARSKI)
    assert (caught.value.line, caught.value.column) == (1, column)
    assert caught.value.position == column - 1
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.position) == (str(caught.value), caught.value.position)


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("Both (1) and (2):\n  (1) b is small;\n  (3) c is small.", (2, 17), r"';\\n  \(2\)' should stand here"),
        ("Both (1) and (2):\n  (1) b is small;\n (2) c is small.", (2, 17), "should stand here"),
        ("Both (1) and (2):\n  (1) b is small;\n  (2) both c is small and d is small.", (3, 7), "rendered otherwise"),
        ("Both (1) and (2): (1) b is small; and (2) c is small.", (1, 18), "should stand here"),
        ("All of (1) to (3):\n  (1) b is small;\n  (2) c is small.", (3, 17), r"';\\n  \(3\)' should stand here"),
    ],
)
def test_syntax_errors_in_candidate_lists_give_position(text: str, place: tuple[int, int], problem: str) -> None:
    with pytest.raises(EnglishSyntaxError, match=problem) as caught:
        read_english(text, TARSKI)
    assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    "text",
    [
        "f is a cube and b is small or c is large.",
        "If f is a cube, then b is small and c is large.",
        "f is a cube if and only if b is small if and only if c is large.",
        "f is a cube, b is small and c is large.",
        "It is not the case that f is a cube and b is small.",
        "For every x, if x is a cube, then x is small or x is large.",
        "There is no x such that x is a cube and x is small.",
    ],
)
def test_ambiguous_english_is_refused(text: str) -> None:
    with pytest.raises(EnglishSyntaxError):
        read_english(text, TARSKI)


def test_paper_style_text_reads_only_where_styles_agree() -> None:
    agreed = 0
    for formula in tarski_formulas():
        text = styles.render(formula, TARSKI, styles.Style.PAPER)
        if text == unambiguous.render(formula, TARSKI):
            assert read_english(text, TARSKI) is formula
            agreed += 1
        else:
            with pytest.raises(EnglishSyntaxError):
                read_english(text, TARSKI)
    assert 0 < agreed < len(tarski_formulas())


@pytest.mark.parametrize("piece", ["if ", "it is not the case that ", "for every x, ", "both ", "“", "(1) ", "a "])
def test_long_nonsense_raises_syntax_error(piece: str) -> None:
    text = (piece * MAX_RENDERING)[: MAX_RENDERING - 1]
    for sentence in (f"{text}.", f"{text}{text}."):
        with pytest.raises(EnglishSyntaxError):
            read_english(sentence, TARSKI)


def test_damaged_text_is_refused_or_reads_as_its_own_rendering() -> None:
    # What is read always has the text as its rendering, so no damaged text passes for the whole one.
    for formula in tarski_formulas()[::12]:
        words = unambiguous.render(formula, TARSKI).split(" ")
        for place in range(len(words)):
            damaged = " ".join(words[:place] + words[place + 1 :])
            try:
                found = read_english(damaged, TARSKI)
            except EnglishSyntaxError:
                continue
            assert found is not formula
            assert unambiguous.render(found, TARSKI) == damaged
