"""The ``tasks`` block of config.yaml: entries by name, each of one of three kinds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from nlfol.english.styles import Style

TaskKind = Literal["logical_translation", "most_similar", "ranking"]

Presentation = Literal["formula", "english"]

Protocol = Literal["audited", "paper"]
"""How candidate sets come about: every member certified, or as published (see ``candidates``)."""

Sampling = Literal["edits", "kinds"]
"""What is drawn uniformly for a perturbation: an edit, or a kind of edit and then an edit of it."""

STYLES: Mapping[Protocol, Style] = {"audited": Style.UNAMBIGUOUS, "paper": Style.PAPER}
"""The style of English of each protocol, where an entry names none."""

MAX_RANKED = 9
"""Members of the largest ranking set: beyond it neither a model nor a schema of permutations copes."""


class _Task(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class LogicalTranslationEntry(_Task):
    """Sentence and ontology to formula."""

    task: Literal["logical_translation"] = "logical_translation"
    reading: Literal["tolerant", "strict"] = "tolerant"
    """Whether formulas in other notations than the one asked for, and with forced repairs, are read or unparsable."""
    unbound: Literal["invalid", "close"] = "invalid"
    """What a variable that no quantifier binds makes of a formula: invalid, or closed universally."""


class _Choice(_Task):
    protocol: Protocol = "audited"
    perturbations: int
    """k of the paper: at most so many."""
    minimum: int = 1
    """Perturbations below which an item is refused; filled up to with two edits where single ones are too few."""
    sampling: Sampling = "edits"
    presentations: tuple[Presentation, ...] = ("formula", "english")
    """What candidates are shown as; each is asked apart."""
    english: Style | None = None
    """The style of English; None for the protocol's own, see ``style_of``."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.presentations or len(set(self.presentations)) != len(self.presentations):
            raise ValueError("presentations must be one or both of 'formula' and 'english', each once")
        if self.minimum > self.perturbations:
            raise ValueError(f"minimum ({self.minimum}) is above perturbations ({self.perturbations})")
        if self.protocol == "paper" and (self.minimum, self.sampling) != (1, "edits"):
            raise ValueError("minimum and sampling are of protocol audited; under paper leave them out")
        return self


class MostSimilarEntry(_Choice):
    """The gold formula among its perturbations."""

    task: Literal["most_similar"] = "most_similar"
    perturbations: Annotated[int, Field(ge=1, le=64)] = 8
    minimum: Annotated[int, Field(ge=1)] = 1
    """Without any perturbation the only candidate would be right."""


class RankingEntry(_Choice):
    """The gold formula, an equivalent, perturbations, the negation and its normal form, to be ordered."""

    task: Literal["ranking"] = "ranking"
    perturbations: Annotated[int, Field(ge=1, le=MAX_RANKED - 4)] = 3
    minimum: Annotated[int, Field(ge=0)] = 1
    """With 0, an atomic sentence, whose only edit is its negation, has the equivalents told from the negations."""


ChoiceEntry = MostSimilarEntry | RankingEntry
TaskEntry = LogicalTranslationEntry | ChoiceEntry
AnyTaskEntry = Annotated[TaskEntry, Field(discriminator="task")]
"""A task's entry as the configuration holds it."""


def with_kinds(entries: Any) -> Any:
    """The block with each kind filled in that an entry leaves out because the entry's name says it."""
    if not isinstance(entries, Mapping):
        return entries
    return {
        name: {"task": name, **entry} if name in get_args(TaskKind) and isinstance(entry, Mapping) else entry
        for name, entry in entries.items()
    }


def read_entry(text: str) -> TaskEntry:
    """An entry from its JSON, as rules hand it to scripts.

    Raises:
        pydantic.ValidationError: if it is none.
    """
    adapter: TypeAdapter[TaskEntry] = TypeAdapter(AnyTaskEntry)
    return adapter.validate_json(text)


def protocol_of(entry: TaskEntry) -> Protocol | None:
    """The protocol of an entry's candidate sets; None where it has none."""
    return None if isinstance(entry, LogicalTranslationEntry) else entry.protocol


def style_of(entry: ChoiceEntry) -> Style:
    """The style of English in which an entry's candidates are rendered."""
    return entry.english or STYLES[entry.protocol]
