"""The common part of the entries of tasks in config.yaml."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, NonNegativeInt, PositiveInt
from typing_extensions import override

from nlfol.facts import BLIND
from nlfol.logic.english.styles import Style

SetProtocol = Literal["anagram", "audited", "fair", "paper", "released"]
"""The procedure for candidate sets (see ``candidates``)."""

EVEN_SETS: frozenset[SetProtocol] = frozenset({"anagram", "fair"})
"""Protocols of sets whose members are equally long in each presentation."""

Names = Annotated[tuple[str, ...], Field(min_length=1)]


def each_once(presentations: tuple[str, ...]) -> tuple[str, ...]:
    """Check that there are presentations, and none twice."""
    if not presentations or len(set(presentations)) != len(presentations):
        raise ValueError("must be one or more, each once")
    return presentations


Control = Literal["blind"]
"""Questions that are asked beside: the same without what the answer depends on."""


def controlled(presentations: tuple[str, ...], control: Control | None) -> tuple[str, ...]:
    """Return presentations, with a control each behind them."""
    return presentations if control is None else (*presentations, *(f"{BLIND}{name}" for name in presentations))


class Part(BaseModel):
    """A part of an entry, without unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


REASONING = 250
"""Tokens of the reasoning before an answer where the configuration says nothing."""


def _tokens(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("is a number of tokens, for all tasks; 0 or none asks for no reasoning")
    return 0 if value in (None, "none") else value


Reasoning = Annotated[
    NonNegativeInt, BeforeValidator(_tokens, json_schema_input_type=NonNegativeInt | Literal["none"] | None)
]
"""Tokens of the reasoning before an answer; 0, which may be written ``none``, asks for no reasoning."""


Explained = Literal["all", "wrong"] | NonNegativeInt
"""Answered formulas that are explained: all, with BLEU and LE; those not equivalent; or at most so many of these."""


class Limits(Part):
    """The largest lengths of an answer's strings."""


class FormulaLimits(Limits):
    """Limits of an answer that is a formula."""

    formula: PositiveInt = 500
    """Most characters of the formula."""


class Taken(Part):
    """Answers of a model that a task is about."""

    model_config = ConfigDict(serialize_by_alias=True, validate_by_name=False)

    of: str
    """The model."""
    entry: str = Field(alias="in")
    """The task that it answered: a round trip."""


class TaskEntry(Part):
    """One task's entry."""

    task: str
    """The kind of task: the name of its module."""
    datasets: Names | None = None
    """The datasets that it is asked on; None is every one that holds what the task takes."""
    models: Names | None = None
    """The models that are asked; None is every one that can do it."""
    items: PositiveInt | None = None
    """Most items of a dataset that are asked; None leaves it to the model's entry."""
    runs: PositiveInt | None = None
    """Most of a model's seeds that are asked, the first ones; None is all of them."""
    reasoning: Reasoning = REASONING
    """Tokens of the reasoning before an answer; by default those of the configuration, 0 for none."""
    limits: Limits = Limits()
    """The largest lengths of an answer's strings."""
    envelope: Literal["tolerant", "strict"] = "tolerant"
    """With ``tolerant``, answers are read in other dress than the agreed one; otherwise that is unparsable."""

    DECIDES_ITEMS: ClassVar[frozenset[str]] = frozenset({"task"})
    """Keys that the ITEMS file depends on."""
    DECIDES_SCORES: ClassVar[frozenset[str]] = frozenset({"task", "envelope", "reasoning"})
    """Keys that judging depends on, beside the items and responses."""
    DECIDES_REQUESTS: ClassVar[frozenset[str]] = frozenset({"task", "envelope", "reasoning"})
    """Keys among these that requests depend on, too."""
    NARROWS: ClassVar[frozenset[str]] = frozenset({"datasets", "models"})
    """Keys that select jobs and change nothing within a job."""

    @property
    def shown_as(self) -> tuple[str, ...]:
        """Return the presentations, each asked apart; one empty text where the task has none."""
        return ("",)

    @property
    def taken(self) -> Taken | None:
        """Return the answers that the task is about; None for the dataset's sentences."""
        return None

    @property
    def template(self) -> str:
        """Return what the names of the task's templates begin with."""
        return ""

    @property
    def compared_by(self) -> str | None:
        """Return the embedding model by whose cosines judging compares texts of answers; None for none."""
        return None

    @property
    def is_about_dataset(self) -> bool:
        """Return whether the items are the dataset's sentences as they are."""
        return self.taken is None

    @property
    def sets_protocol(self) -> SetProtocol | None:
        """Return the protocol of the candidate sets; None where there are none."""
        return None

    @property
    def made_from(self) -> Mapping[str, Sequence[str]]:
        """Return the files that items are made from, beside the dataset, by the name of a job's input."""
        return {}

    @property
    def example_words(self) -> Literal["plain", "varied"] | None:
        """Return the words of solved examples; None where the task has no choice of them."""
        return None

    @property
    def glossary(self) -> str | None:
        """Return the vocabulary that the prompt shows: symbols, glosses or nothing; None if the task has no choice."""
        return None

    @property
    def sets_style(self) -> Style | None:
        """Return the style of English of candidates; None where there are none."""
        return None


class PromptedEntry(TaskEntry):
    """The entry of a task that can be asked as its paper asks it."""

    prompt: Literal["own", "published"] = "own"
    """The prompt: nlfol's own, or one that says what the paper's says, in our words."""

    @property
    @override
    def template(self) -> str:
        return "published_" if self.prompt == "published" else ""
