"""The short pass, the automaton and the grammar of the notation read the same texts as the same trees."""

from collections.abc import Iterable, Sequence
from random import Random

import pytest
from hypothesis import given
from tests.property.strategies import formulas
from tests.unit.logic import corpora
from tests.unit.logic.examples import EXAMPLES
from tests.unit.logic.hostile_texts import mutated
from tests.unit.logic.reference_grammar import defined_formula

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading.automaton import read_fully
from nlfol.logic.reading.strict import formula_of, read_with
from nlfol.logic.reading.tokens import NO_LETTERS, Letters
from nlfol.logic.rewriting import edits, rewrites
from nlfol.logic.syntax import Formula

SIGNS = "∧∨⊕→↔¬∀∃()=≠, \n\tPpxya9_.é\v\u00a0"
SOME, EVERY = Letters(frozenset("pP")), Letters(every=True)


def _answered(texts: Sequence[str]) -> int:
    """Count the answers of the short pass, having checked that each is the automaton's."""
    answered = 0
    for text in texts:
        for letters in (NO_LETTERS, SOME, EVERY):
            formula = formula_of(text, letters)
            if formula is not None:
                reading = read_fully(text, letters)
                assert reading.formula is formula
                assert reading.warnings == ()
                answered += letters is NO_LETTERS
    return answered


def _variants(formula: Formula) -> list[str]:
    variants = [edit.formula for edit in edits(formula)] + [rewrite.formula for rewrite in rewrites(formula)]
    return [to_unicode(variant, checked=False) for variant in variants]


def _slips(texts: Sequence[str]) -> list[str]:
    draw = Random("slips")
    places = [(text, draw.randrange(len(text) + 1)) for text in texts if text]
    return [text[:p] + draw.choice(["", *SIGNS]) + text[p + draw.randint(0, 1) :] for text, p in places]


@pytest.mark.parametrize("text", ["p", "¬p ∧ P(p)→( P ∨¬¬ p)", "∀x(p → P(x)) ↔ p", "∃ x p", "(p) ∧ a = p"])
def test_strict_reader_agrees_with_automaton_on_letters(text: str) -> None:
    formula = formula_of(text, SOME)
    assert formula is not None
    assert formula is formula_of(text, EVERY) is read_fully(text, SOME).formula
    assert formula_of(text) is None


def test_token_meaning_is_independent_from_other_texts() -> None:
    assert formula_of("P(a)") is read_fully("P(a)").formula
    assert formula_of("∀a P(a)") is None
    assert formula_of("P(a) ∧ ∃x P(x)") is read_fully("P(a) ∧ ∃x P(x)").formula


def test_evicted_tokens_are_recognized_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nlfol.logic.reading.strict._MAX_REMEMBERED", 3)
    assert _answered(["P(a) ∧ (Q(b) ∨ ¬R(c))", "∀x (P(x) → ∃y R(x, y))"] * 2) == 4


def test_fast_reader_takes_linear_time_on_long_tokens_and_lists() -> None:
    assert formula_of("a" * 20_000) is None
    assert formula_of("P(" + "a, " * 6_000) is None
    assert _answered(["P(" + "a, " * 6_000 + "a)"]) == 1


def test_fast_reader_agrees_on_tarski_variants_and_slips() -> None:
    gold = corpora.tarski()
    texts = gold + [text for formula in gold for text in _variants(read_fully(formula).formula)[::5]]
    assert _answered(texts) > 0.95 * len(texts)
    _answered(_slips(texts))


@given(formulas(leaves=10))
def test_fast_reader_agrees_on_printed_formulas(formula: Formula) -> None:
    _answered([to_unicode(formula)])


LETTERS = Letters(frozenset("pPx"))
ATOMS = ["P(a)", "Q(x)", "R(x, y)", "x = y", "f(x, g(y)) ≠ a", "p", "P", "R(z, f(x))", "x", "f(u) = x"]
SHORT = [
    "", " ", "P", "9", "_a", "P(é)", "∀∀", " P ( a , b1 ) ", "P\u00a0(a)", "\vP(a)", "(P(a)", "P()", "∀x", "a = b = c",
    "∀x P(x) → Q(x)", "∀a P(a)", "P(f(a))", "f(a) = b", "P(a", "P(a,)", "P(a))", "P(a) ∧", "∧ P(a)", "P(a) Q(a)",
    "P(a) ¬Q(a)", "∀x ∧ P(x)", "()", "P(a) & Q(a)", "P(a)\u00a0∧ Q(a)", "\ufffc", "P(a) ∧ \ufffc", "2P(a)", "∀x(y)",
    "∀x = y", "∀x (P)", "P(a) = b", "¬¬P(a)", "((P(a)))", "¬a ≠ b ∧ ¬ ¬ a = b", "∀x x = x", "∀x P(x) ∧ ∃x ¬P(x)",
    "∀x ¬∃ y(R(x, y)→(P(x)→x = y→x≠a))", "P(a) ↔ Q(a) ⊕ R(a) ∨ S(a) ∧ T(a) → U(a)", "q", "p ∧ q", "∀x x", "∀p p",
    "p p", "p()", "∀x p p", "f(p) = p", "p ∧ \ufffc", "2p", "(p) ∧ a = p",
]  # fmt: skip


def generated(draw: Random, depth: int) -> str:
    """A text with every operator, quantified names anywhere, and parentheses where chance has them."""
    kind = draw.randrange(10) if depth else 0
    if kind < 3:
        return draw.choice(ATOMS)
    if kind == 3:
        return "¬" + generated(draw, depth - 1)
    if kind < 6:
        return f"{draw.choice('∀∃')}{draw.choice('xyzpa')} {generated(draw, depth - 1)}"
    if kind == 6:
        return f"({generated(draw, depth - 1)})"
    return f"{generated(draw, depth - 1)} {draw.choice('∧∨⊕→↔')} {generated(draw, depth - 1)}"


def agreed(texts: Iterable[str], letters: Letters = NO_LETTERS) -> int:
    """Count the texts that are formulas, having checked that both readers say so and give the same tree."""
    accepted = 0
    for text in texts:
        expected: Formula | None = None
        try:
            expected = defined_formula(text, letters)
        except FormulaSyntaxError:
            for reader in (read_fully, read_with):
                with pytest.raises(FormulaSyntaxError):
                    reader(text, letters)
        else:
            assert read_fully(text, letters).formula is read_with(text, letters).formula is expected, text
            accepted += 1
    return accepted


@pytest.mark.parametrize("text", SHORT)
def test_strict_readers_agree_on_short_texts(text: str) -> None:
    agreed([text])
    agreed([text], LETTERS)


def test_strict_readers_agree_on_examples_and_slips() -> None:
    texts = [example.text for example in EXAMPLES]
    assert agreed(texts) == len(texts)
    draw = Random("slips")
    places = [(text, place) for text in texts for place in range(0, len(text), 2)]
    slips = [text[:place] + draw.choice(SIGNS) + text[place + draw.randrange(2) :] for text, place in places]
    assert 0 < agreed(slips) < len(slips) / 2


@pytest.mark.parametrize("letters", [NO_LETTERS, LETTERS])
def test_strict_readers_agree_on_generated_texts(letters: Letters) -> None:
    draw = Random("reference")
    texts = [generated(draw, draw.randint(1, 5)) for _ in range(500)]
    assert 150 < agreed(texts, letters) < 500


def test_strict_readers_agree_on_folio_formulas() -> None:
    draw = Random("folio")
    texts = [text for text in corpora.folio()[::5] if len(text) < 300]
    assert agreed(texts) > 0.9 * len(texts)
    agreed(mutated(text, draw) for text in texts[::2])
