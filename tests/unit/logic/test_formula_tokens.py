"""The tokens that are read are those of the pyparsing grammar, on good and on bad texts."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.property.generated import pairs
from tests.unit.logic.hard_pairs import DIFFERENT, EQUIVALENT

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading.strict.lexing import position_of, reference_tokens, tokens_of

FOLIO = Path(__file__).parents[3] / "../shared/data/folio/folio-train.jsonl"
GENERATED = [to_unicode(pair.second) for kind in ("prenex", "nested", "terms") for pair in pairs(Random(kind), kind, 8)]
SIGNS = "∧∨⊕→↔¬∀∃()=≠, \n\t\r\v\f\u00a0\u2003\ufeffPx_09é.-'[]{}∉ⅫＡ\x00🦄"


def _agree(text: str) -> None:
    assert _found(lambda: [(t, position_of(text, place)) for place, t in enumerate(tokens_of(text))]) == _found(
        lambda: reference_tokens(text)
    )


def _found(tokens: Callable[[], list[tuple[str, int]]]) -> list[tuple[str, int]] | tuple[str, int, int]:
    """The tokens, or what is wrong and where."""
    try:
        return tokens()
    except FormulaSyntaxError as error:
        return error.problem, error.line, error.column


def _mutated(text: str, draw: Random) -> str:
    for _ in range(draw.randint(1, 3)):
        place = draw.randrange(len(text) + 1)
        text = text[:place] + draw.choice(["", draw.choice(SIGNS)]) + text[place + draw.randint(0, 2) :]
    return text


@pytest.mark.parametrize(
    "text", ["", " ", "\n", "P", "9", "_a", "a_9", "P(é)", "∀∀", " P ( a ) ", "P\u00a0(a)", "\vP(a)"]
)
def test_short_texts(text: str) -> None:
    _agree(text)


def test_formulas_and_what_becomes_of_them_by_slips() -> None:
    texts = [text for pair in [*EQUIVALENT.values(), *DIFFERENT.values()] for text in pair] + GENERATED
    draw = Random("slips")
    for text in texts:
        _agree(text)
        for _ in range(2):
            _agree(_mutated(text, draw))


def test_formulas_of_folio() -> None:
    if not FOLIO.exists():
        pytest.skip("FOLIO v0.0 is not at ../shared/data/folio")
    draw = Random("folio")
    with FOLIO.open(encoding="utf-8") as lines:
        texts = list(dict.fromkeys(text for line in lines for text in json.loads(line)["premises-FOL"]))
    for text in texts:
        _agree(text)
        _agree(_mutated(text, draw))
