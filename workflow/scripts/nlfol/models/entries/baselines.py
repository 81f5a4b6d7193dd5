"""Entries of what is asked without a language model: answers in a file, baselines and references."""

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


class ChanceEntry(Entry):
    """No model: the score of answering by chance."""

    kind: Literal["chance"]

    @property
    def identity(self) -> str:
        """The baseline's name."""
        return "chance"


class ReaderEntry(Entry):
    """No language model: a parser of English that decides by proof, see ``nlfol.tasks.reference``."""

    kind: Literal["reader"]

    @property
    def identity(self) -> str:
        """The baseline's name."""
        return "reader"


class SurfaceEntry(Entry):
    """No language model: it goes by length, brackets and lists of candidates (``nlfol.tasks.choice_references``)."""

    kind: Literal["surface"]

    @property
    def identity(self) -> str:
        """The baseline's name."""
        return "surface"


class EchoEntry(Entry):
    """No language model: it repeats the formula for English, and that for the formula."""

    kind: Literal["echo"]

    @property
    def identity(self) -> str:
        """The reference's name."""
        return "echo"


class ConstantEntry(Entry):
    """No language model: it answers the same whatever it is asked."""

    kind: Literal["constant"]
    answer: Literal["yes", "no", "commonest"]
    """What it answers: a word, or the commonest meaning of an item's category."""

    @property
    def identity(self) -> str:
        """The reference's name."""
        return f"constant {self.answer}"


class DriftingEntry(Entry):
    """No language model: it writes gold programs, with new symbols at random, see ``nlfol.alignment.drifting``."""

    kind: Literal["drifting"]
    probability: Annotated[float, Field(ge=0, le=1)]
    """That a mention of a concept has a symbol of its own."""

    @property
    def identity(self) -> str:
        """The reference's name."""
        return f"drifting {self.probability}"


class MergingEntry(Entry):
    """No language model: it writes gold programs, with one symbol for all concepts of a kind and arity."""

    kind: Literal["merging"]

    @property
    def identity(self) -> str:
        """The reference's name."""
        return "merging"
