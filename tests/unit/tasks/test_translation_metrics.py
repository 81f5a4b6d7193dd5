"""BLEU and LE of translations, against values worked out by hand."""

import pytest
from hypothesis import given, settings
from tests.property.strategies import formulas

from nlfol.logic.reading import parse
from nlfol.logic.syntax import Atom, Equality, Formula, distinct_subformulas
from nlfol.tasks.metrics import bleu, malls_le


@pytest.mark.parametrize(
    ("gold", "translation", "expected"),
    [
        ("P(a)", "P(a)", 1.0),
        # 8 of 9 tokens, 6 of 8 pairs, 4 of 7 triples, 2 of 6 quadruples.
        ("P(a) ∧ Q(b)", "P(a) ∨ Q(b)", (8 / 9 * 6 / 8 * 4 / 7 * 2 / 6) ** 0.25),
        # No quadruple of tokens in common, and no smoothing.
        ("P(a)", "Q(b)", 0.0),
        # All 4-grams of the translation occur, but it is short: brevity penalty exp(1 - 9/4).
        ("P(a) ∧ Q(b)", "P(a)", 2.718281828459045 ** (1 - 9 / 4)),
    ],
)
def test_bleu(gold: str, translation: str, expected: float) -> None:
    assert bleu(parse(gold), parse(translation)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("gold", "translation", "expected"),
    [
        # Quantifiers and names do not matter: the score's flaws.
        ("∀x P(x)", "∃x P(x)", 1.0),
        ("P(a)", "Q(b)", 1.0),
        ("P(a)", "¬P(a)", 0.0),
        # True in three rows and in one, of which one is common; false in one, which is common.
        ("P(a) → Q(a)", "P(a) ∧ Q(a)", 0.5),
        # A dummy for Q: they differ where P holds and Q does not.
        ("P(a) ∧ Q(a)", "P(a)", 0.75),
        # Bound crosswise the tables are the same, whatever the names say.
        ("P(a) → Q(a)", "Q(a) → P(a)", 1.0),
        # One variable each for P(x) and P(y).
        ("∀x ∀y (P(x) ∨ P(y))", "∀x (P(x) ∨ P(x))", 0.75),
        ("P(a) ⊕ Q(a)", "P(a) ↔ Q(a)", 0.0),
        ("a = b", "a ≠ b", 0.0),
    ],
)
def test_le(gold: str, translation: str, expected: float) -> None:
    assert malls_le(parse(gold), parse(translation)) == expected


def test_le_of_a_formula_too_large_for_a_truth_table_is_zero() -> None:
    many = " ∧ ".join(f"P(c{number})" for number in range(17))
    assert malls_le(parse("P(c0)"), parse(many)) == 0.0


def atoms(formula: Formula) -> int:
    return sum(isinstance(node, Atom | Equality) for node in distinct_subformulas(formula))


@given(formulas(), formulas())
@settings(max_examples=150)
def test_scores_of_any_two_formulas(first: Formula, second: Formula) -> None:
    """Between 0 and 1, 1 for a formula and itself; LE is symmetric where all bindings are tried."""
    assert malls_le(first, first) == bleu(first, first) == 1.0
    assert 0 <= bleu(first, second) <= 1
    assert 0 <= malls_le(first, second) <= 1
    if max(atoms(first), atoms(second)) <= 6:
        assert malls_le(first, second) == malls_le(second, first)


def test_bleu_says_nothing(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    """Thousands of lines of advice would hide what a log is for."""
    bleu(parse("P(a) ∧ Q(b)"), parse("P(a) ∨ Q(b)"))
    assert (caplog.records, *capfd.readouterr()) == ([], "", "")
