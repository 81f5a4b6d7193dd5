"""Whatever the text, it is read or refused: no other error escapes (``benchmarks/fuzzed_texts.py``, at length)."""

import json
import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.logic.hostile_texts import PARTS, pasted

from nlfol.logic.errors import FormulaSyntaxError
from nlfol.logic.reading import MAX_LENGTH, read, read_tolerantly

FOUND = [json.loads(line) for line in Path(__file__).with_name("found_texts.jsonl").read_text("utf-8").splitlines()]
"""Texts that once did harm: a text, or a unit that is repeated up to the longest text that is read; and what is said of
it now."""


def text_of(found: dict[str, str]) -> str:
    return found["text"] if "text" in found else found["unit"] * (MAX_LENGTH // len(found["unit"]))


@pytest.mark.parametrize("found", FOUND, ids=range(len(FOUND)))
def test_what_once_did_harm_is_refused(found: dict[str, str]) -> None:
    with pytest.raises(FormulaSyntaxError) as caught:
        read_tolerantly(text_of(found))
    assert re.search(found["problem"], caught.value.problem)


def test_pasted_texts_are_read_or_refused() -> None:
    refused = 0
    for number, text in enumerate(pasted(4_000, 2026)):
        try:
            read_tolerantly(text, propositions=number % 2 == 1)
        except FormulaSyntaxError:
            refused += 1
    assert 500 < refused < 3_950


@settings(max_examples=150, suppress_health_check=list(HealthCheck), deadline=None)
@given(st.lists(st.sampled_from(PARTS) | st.text(max_size=3), max_size=12).map("".join))
def test_both_readers_raise_documented_errors_alone(text: str) -> None:
    for reader in (read, read_tolerantly):
        with suppress(FormulaSyntaxError):
            reader(text)
