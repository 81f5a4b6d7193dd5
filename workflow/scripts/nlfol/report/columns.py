"""Columns of texts that occur often, as numbers into one list of texts."""

import hashlib
from collections.abc import Iterable, Sequence

MAX_SHOWN = 20_000
"""Characters of a text that are on the page itself: as many as of a formula are read."""


class Texts:
    """The distinct texts of a page, in the order in which they came.

    Attributes:
        whole: of each text that is too long for the page its name as a file, and all of it, by its number.
    """

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self.whole: dict[int, tuple[str, str]] = {}

    def place(self, text: str | None) -> int:
        """Return the number of a text, -1 for none. The page holds only the beginning of a long text."""
        if text is None:
            return -1
        if len(text) <= MAX_SHOWN:
            return self._places.setdefault(text, len(self._places))
        name = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16] + ".txt"
        begun = f"{text[:MAX_SHOWN]}… ({len(text):,} characters: texts/{name})"
        number = self._places.setdefault(begun, len(self._places))
        self.whole[number] = name, text
        return number

    def column(self, texts: Iterable[str | None]) -> list[int]:
        """Return the numbers of several texts."""
        return [self.place(text) for text in texts]

    @property
    def every(self) -> Sequence[str]:
        """Return all texts, by number."""
        return list(self._places)
