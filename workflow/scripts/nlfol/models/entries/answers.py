"""The entry of answers that somebody has already, in a file."""

from __future__ import annotations

from pathlib import PurePath
from typing import Annotated, Literal

from pydantic import Field

from nlfol.models.entries.base import Entry
from nlfol.models.entries.prices import Currency


class AnswersEntry(Entry):
    """No model that is asked: its answers are read from a file, see ``nlfol.asking.answer_files``."""

    kind: Literal["answers"]
    path: Annotated[str, Field(min_length=1)]
    """The file; ``{dataset}`` and ``{task}`` in it stand for their names where each has a file of its own."""
    only_listed: bool = False
    """Whether the items asked are those that the file answers; otherwise an item without an answer counts as wrong."""
    verbatim: bool = False
    """Whether answers are judged as they stand; otherwise a bare formula, number, list or word is an answer, too."""
    written: bool = False
    """Whether the answers were written by hand, as examples: tables say so, and compare them with no model."""
    currency: Currency = "USD"
    """Of the column ``cost``."""

    @property
    def identity(self) -> str:
        """Where the answers are from."""
        return f"answers {PurePath(self.path).name}"

    def file(self, dataset: str, task: str) -> str:
        """The file of a dataset and task."""
        return self.path.replace("{dataset}", dataset).replace("{task}", task)
