"""One model's entry in the configuration, as pydantic models.

Two levels of alternatives: ``kind`` (chat, embedding, reader, chance), then ``backend``; and ``source`` says where
weights come from by the one key it has (``package``, ``hub`` or ``path``). Nothing unknown is accepted.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from nlfol.models.chat_entry import ApiChatSpecification, LocalChatSpecification
from nlfol.models.embedding_entry import ApiEmbeddingSpecification, EmbeddingSpecification
from nlfol.models.entry import Entry


class ChanceSpecification(Entry):
    """No model: the score of answering by chance."""

    kind: Literal["chance"]

    @property
    def identity(self) -> str:
        """The baseline's name."""
        return "chance"


class ReaderSpecification(Entry):
    """No language model: a parser of the candidates' English that is handed the gold formula, see ``reader``."""

    kind: Literal["reader"]

    @property
    def identity(self) -> str:
        """The baseline's name."""
        return "reader"


ChatSpecification = Annotated[LocalChatSpecification | ApiChatSpecification, Field(discriminator="backend")]
"""A dialogue model."""

ModelSpecification = Annotated[
    ChatSpecification
    | Annotated[EmbeddingSpecification | ApiEmbeddingSpecification, Field(discriminator="backend")]
    | ReaderSpecification
    | ChanceSpecification,
    Field(discriminator="kind"),
]
"""Any model: the type of one entry."""

_ADAPTER: TypeAdapter[ModelSpecification] = TypeAdapter(
    # A key pasted into the wrong field must not come back in the error's text.
    ModelSpecification,
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


def read_specification(json: str) -> ModelSpecification:
    """Read one entry from JSON, as it travels from a rule to a script.

    Raises:
        pydantic.ValidationError: naming every field at fault.
    """
    return _ADAPTER.validate_json(json)
