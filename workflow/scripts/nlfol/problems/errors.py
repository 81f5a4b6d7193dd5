"""Errors of problems."""


class DialectError(ValueError):
    """A text that is no sentence of a controlled English; ``place``, from 0, is where reading ended."""

    def __init__(self, text: str, place: int, problem: str) -> None:
        self.text = text
        self.place = place
        self.problem = problem
        super().__init__(f"{text[:200]!r}: column {place + 1}: {problem}")


class LexiconError(ValueError):
    """A lexicon that cannot be used; names file, entry and remedy."""


class FamilyError(ValueError):
    """Problems that cannot be drawn as asked for."""
