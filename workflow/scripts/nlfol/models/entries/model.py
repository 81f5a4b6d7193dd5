"""One model's entry in the configuration, as pydantic models.

Two levels of alternatives: ``kind`` (chat, embedding, answers, reader, surface, echo, constant, drifting, merging,
chance), then ``backend``; and ``source`` says where weights come from by the one key it has (``package``, ``hub`` or
``path``). Nothing unknown is accepted.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from nlfol.models.entries.answers import AnswersEntry
from nlfol.models.entries.base import Entry
from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.models.entries.embedding import ApiEmbeddingEntry, EmbeddingEntry
from nlfol.models.entries.interface import Interface
from nlfol.models.entries.serve import ServableInterface


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


ChatEntry = Annotated[LocalChatEntry | ApiChatEntry, Field(discriminator="backend")]
"""A dialogue model."""

ModelEntry = Annotated[
    ChatEntry
    | Annotated[EmbeddingEntry | ApiEmbeddingEntry, Field(discriminator="backend")]
    | AnswersEntry
    | ReaderEntry
    | SurfaceEntry
    | EchoEntry
    | ConstantEntry
    | DriftingEntry
    | MergingEntry
    | ChanceEntry,
    Field(discriminator="kind"),
]
"""Any model: the type of one entry."""

_ADAPTER: TypeAdapter[ModelEntry] = TypeAdapter(
    # A key pasted into the wrong field must not come back in the error's text.
    ModelEntry,
    config=ConfigDict(hide_input_in_errors=True),
)

REACHING = frozenset(
    {
        *("api_key_env", "batch", "concurrency", "key_header", "max_memory", "price", "requests_per_minute"),
        *(
            "encoding",
            "resources",
            "retries",
            "texts_per_request",
            "timeout",
            "tokens_per_minute",
            "tokens_per_request",
        ),
    }
)
"""Keys of an entry that say how the model is reached and what its jobs may use."""


def read_entry(json: str) -> ModelEntry:
    """Read one entry from JSON, as it travels from a rule to a script.

    Raises:
        pydantic.ValidationError: naming every field at fault.
    """
    return _ADAPTER.validate_json(json)


def is_local(entry: ModelEntry) -> bool:
    """Whether the model's weights are loaded by the job that asks it."""
    return isinstance(entry, LocalChatEntry | EmbeddingEntry)


def is_served(entry: ModelEntry) -> bool:
    """Whether the workflow starts a server of the model."""
    return isinstance(entry, ServableInterface) and entry.serve is not None


def is_remote(entry: ModelEntry) -> bool:
    """Whether the model is behind somebody's interface."""
    return isinstance(entry, Interface) and not is_served(entry)
