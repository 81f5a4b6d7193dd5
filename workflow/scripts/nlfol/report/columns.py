"""Columns of texts that occur often, as numbers into one list of texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class Texts:
    """The distinct texts of a page, in the order in which they came."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def place(self, text: str | None) -> int:
        """The number of a text; -1 stands for none."""
        return -1 if text is None else self._places.setdefault(text, len(self._places))

    def column(self, texts: Iterable[str | None]) -> list[int]:
        """The numbers of many."""
        return [self.place(text) for text in texts]

    @property
    def every(self) -> Sequence[str]:
        """All of them, by number."""
        return list(self._places)
