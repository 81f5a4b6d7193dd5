"""The strict reader accepts the texts that the grammar of the notation derives, and gives them the same trees."""

from collections.abc import Iterable
from random import Random

import pytest
from tests.unit.logic import corpora
from tests.unit.logic.examples import EXAMPLES
from tests.unit.logic.hostile_texts import mutated
from tests.unit.logic.reference_grammar import defined_formula

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.reading.automaton import read_fully
from nlfol.logic.reading.strict import read_with
from nlfol.logic.reading.tokens import NO_LETTERS, Letters
from nlfol.logic.syntax import Formula

LETTERS = Letters(frozenset("pPx"))
ATOMS = ["P(a)", "Q(x)", "R(x, y)", "x = y", "f(x, g(y)) ≠ a", "p", "P", "R(z, f(x))", "x", "f(u) = x"]
SHORT = ["", " ", "P", "9", "_a", "P(é)", "∀∀", " P ( a ) ", "P\u00a0(a)", "\vP(a)", "(P(a)", "P()", "∀x", "a = b = c"]
SIGNS = "∧∨⊕→↔¬∀∃()=≠, \n\tPpxa9_.é\v\u00a0"


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
    """How many texts are formulas, having checked that both readers say so and give the same tree."""
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
def test_short_texts(text: str) -> None:
    agreed([text])
    agreed([text], LETTERS)


def test_examples_and_what_becomes_of_them_by_slips() -> None:
    texts = [example.text for example in EXAMPLES]
    assert agreed(texts) == len(texts)
    draw = Random("slips")
    places = [(text, place) for text in texts for place in range(0, len(text), 2)]
    slips = [text[:place] + draw.choice(SIGNS) + text[place + draw.randrange(2) :] for text, place in places]
    assert 0 < agreed(slips) < len(slips) / 2


@pytest.mark.parametrize("letters", [NO_LETTERS, LETTERS])
def test_generated_texts(letters: Letters) -> None:
    draw = Random("reference")
    texts = [generated(draw, draw.randint(1, 5)) for _ in range(500)]
    assert 150 < agreed(texts, letters) < 500


def test_formulas_of_folio() -> None:
    draw = Random("folio")
    texts = [text for text in corpora.folio()[::5] if len(text) < 300]
    assert agreed(texts) > 0.9 * len(texts)
    agreed(mutated(text, draw) for text in texts[::2])
