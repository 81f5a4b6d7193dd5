"""The formulas of FOLIO v0.0, as published."""

import json
from pathlib import Path

import pytest

from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.errors import FormulaSyntaxError, SignatureError
from nlfol.logic.measuring import free_variables, predicates
from nlfol.logic.printing import to_unicode
from nlfol.logic.reading import Reading, read
from nlfol.logic.rewriting import negation_normal_form

FOLIO = Path(__file__).parents[3] / "../shared/data/folio/folio-train.jsonl"


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Every distinct premise formula, in the order of the file."""
    if not FOLIO.exists():
        pytest.skip("FOLIO v0.0 is not at ../shared/data/folio")
    with FOLIO.open(encoding="utf-8") as lines:
        return list(dict.fromkeys(text for line in lines for text in json.loads(line)["premises-FOL"]))


def _reading(text: str) -> Reading | None:
    try:
        return read(text)
    except FormulaSyntaxError:
        return None


def test_most_are_read_and_printed_as_the_same_trees(texts: list[str]) -> None:
    readings = [reading for text in texts if (reading := _reading(text))]
    assert len(texts) - len(readings) == 52
    assert sum(bool(reading.warnings) for reading in readings) == 15
    for reading in readings:
        assert read(to_unicode(reading.formula)) == Reading(reading.formula)


def test_a_sample_is_equivalent_to_its_negation_normal_form(texts: list[str]) -> None:
    judged = 0
    for text in texts[::8]:
        reading = _reading(text)
        if reading is None or free_variables(reading.formula):
            continue
        try:
            predicates(reading.formula)
        except SignatureError:
            continue
        judged += 1
        assert equivalence(reading.formula, negation_normal_form(reading.formula)).outcome is Outcome.EQUIVALENT
    assert judged > 150
