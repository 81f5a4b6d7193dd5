"""Entries of what is asked without a language model: answers in a file, baselines and references."""

from pathlib import PurePath
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import override

from nlfol.facts import CodingName
from nlfol.models.entries.base import Entry, Part
from nlfol.models.entries.prices import Currency


class PublishedFigure(Part):
    """Figures that the authors published of the answers to a dataset."""

    accuracy: Annotated[float, Field(ge=0, le=1)]
    executable: Annotated[float, Field(ge=0, le=1)] | None = None
    """Share of programs that their solver executed."""
    where: str
    """The paper, and the table in it."""
    fallback: str | None = None
    """Value in the accuracy of programs that were not executed; None if that is not known."""


class Released(Part):
    """Origin of answers that others released, with what they published of them."""

    provider: str
    date: str
    prompt: str
    examples: Annotated[int, Field(ge=0)]
    """Solved examples in the prompt."""
    decoding: str
    published: dict[str, PublishedFigure] = Field(default_factory=dict)
    """Figures by dataset."""


class AnswersEntry(Entry):
    """No model that is asked: its answers are read from a file, see ``nlfol.asking.answer_files``."""

    kind: Literal["answers"]
    path: Annotated[str, Field(min_length=1)]
    """The file; ``{dataset}`` and ``{task}`` in it stand for their names where each has a file of its own."""
    only_listed: bool = False
    """Ask only the items that the file answers; otherwise an item without an answer counts as wrong."""
    verbatim: bool = False
    """Judge answers as they stand; otherwise a bare formula, number, list or word is an answer, too."""
    written: bool = False
    """Mark answers as examples written by hand: tables say so, and compare them with no model."""
    reference: bool = False
    """Mark answers as a reference, as of people who read the sentences again: tables compare them with no model."""
    verdicts_of: str | None = None
    """The model whose programs another solver executed, if answers are what that made of them."""
    released: Released | None = None
    """Model, prompt and published figures of answers that others released."""
    datasets: tuple[str, ...] | None = None
    """Entries of the datasets that the file is about; all unless given."""
    tasks: tuple[str, ...] | None = None
    """Kinds of tasks that it answers; all unless given."""
    currency: Currency = "USD"
    """Currency of the column ``cost``."""

    @property
    def shown_kind(self) -> Literal["chat", "written", "answers"]:
        """The kind of model that tables show."""
        return "written" if self.written else "answers" if self.reference else "chat"

    @property
    @override
    def identity(self) -> str:
        return f"answers {PurePath(self.path).name}"

    def file(self, dataset: str, task: str) -> str:
        """Return the file of a dataset and task."""
        return self.path.replace("{dataset}", dataset).replace("{task}", task)


class BaselineEntry(Entry):
    """The base of answerers without a language model."""

    @property
    @override
    def identity(self) -> str:
        return self.kind


class PlainEntry(BaselineEntry):
    """A baseline without keys of its own.

    ``reader``: a parser of English that decides by proof (``nlfol.tasks.reference``). ``surface``: boosted trees
    that go by nearness, length, brackets and lists of candidates; ``medoid`` takes the candidates that are nearest to
    all others. Those that see the sentence as well, and do no logic: ``words`` goes by five counts of words and signs,
    ``order`` by fourteen scores of the order of words, ``learner`` by what of both it has learnt from other stories.
    ``echo`` repeats the formula for English, and that for the formula; ``transliterate`` spells the formula out, sign
    by sign. ``merging`` writes gold programs, with one symbol for all concepts of a kind and arity; ``vacuous`` the
    same program about nothing in any problem. ``chance``: the score of answering by chance; ``reasoner``: that of
    proving all that follows from the candidates, and guessing the rest.
    """

    kind: Literal[
        "reader",
        "surface",
        "medoid",
        "words",
        "order",
        "learner",
        "echo",
        "transliterate",
        "merging",
        "vacuous",
        "chance",
        "reasoner",
    ]


class CoderEntry(BaselineEntry):
    """Writes the formula in a code for English, and reads that back: what round trips give who translates nothing."""

    kind: Literal["coder"]
    coding: CodingName = "prefix"
    """The code; by default a word for each sign, the operator first."""

    @property
    @override
    def identity(self) -> str:
        return f"coder {self.coding}"


class ConstantEntry(BaselineEntry):
    """Gives the same answer to every question."""

    kind: Literal["constant"]
    answer: Literal["yes", "no", "commonest"]
    """A word, or the commonest meaning of an item's category."""

    @property
    @override
    def identity(self) -> str:
        return f"constant {self.answer}"


class DriftingEntry(BaselineEntry):
    """Writes gold programs, with new symbols at random (``nlfol.problems.alignment.drifting``)."""

    kind: Literal["drifting"]
    probability: Annotated[float, Field(ge=0, le=1)]
    """Probability that a mention of a concept gets a symbol of its own."""

    @property
    @override
    def identity(self) -> str:
        return f"drifting {self.probability}"
