"""docs/english.md shows what the styles render now."""

from tests.unit.english.document import DOCUMENT, document


def test_the_examples_are_those_of_now() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert text == document(text), "run: python tests/unit/english/document.py"
