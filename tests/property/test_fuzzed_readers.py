"""Readers of texts that models and users write raise what they document, whatever they are given."""

import pytest
from tests.property.fuzzed_readers import READERS, texts


@pytest.mark.parametrize("name", READERS)
def test_readers_accept_valid_texts(name: str) -> None:
    reader = READERS[name]
    for whole in reader.wholes:
        reader.read(whole)


@pytest.mark.parametrize("name", READERS)
def test_readers_raise_only_documented_errors(name: str) -> None:
    reader = READERS[name]
    read = 0
    for text in texts(reader, 100, 2026):
        try:
            reader.read(text)
            read += 1
        except reader.errors:
            pass
    assert read < 100
