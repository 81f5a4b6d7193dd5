"""The providers, each with the entry of ``config.yaml`` that names it, and any model's entry; a new one is named here.

An entry has two levels of alternatives: ``kind``, then ``backend``; and ``source`` says where weights come from by the
one key it has (``package``, ``hub`` or ``path``). Nothing unknown is accepted.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Final, TypeGuard, Union

from pydantic import ConfigDict, Field, TypeAdapter

from nlfol.models.entries.base import Entry
from nlfol.models.entries.baselines import AnswersEntry, CoderEntry, ConstantEntry, DriftingEntry, PlainEntry
from nlfol.models.entries.chat import ApiChatEntry, LocalChatEntry
from nlfol.models.entries.embedding import ApiEmbeddingEntry, EmbeddingEntry
from nlfol.models.entries.interface import Interface, ServableInterface
from nlfol.models.entries.prices import FREE, Price
from nlfol.models.providers.base import AnyProvider, ChatProvider, EmbeddingProvider, Provider
from nlfol.models.providers.openai import OpenaiChat, OpenaiChatEntry, OpenaiEmbeddingEntry, OpenaiEmbeddings
from nlfol.plugins import registered

_OTHERS_OWN = registered("models", Provider, ("openai", "transformers")).values()

CHAT: Final[Mapping[type[ApiChatEntry], type[ChatProvider]]] = {
    OpenaiChatEntry: OpenaiChat,
    **{kind.entry_type: kind for kind in _OTHERS_OWN if issubclass(kind, ChatProvider)},
}
"""Providers of completions, those of other packages behind ours."""

EMBEDDINGS: Final[Mapping[type[ApiEmbeddingEntry], type[EmbeddingProvider]]] = {
    OpenaiEmbeddingEntry: OpenaiEmbeddings,
    **{kind.entry_type: kind for kind in _OTHERS_OWN if issubclass(kind, EmbeddingProvider)},
}
"""Providers of embeddings, likewise."""


def provider(entry: Interface) -> AnyProvider:
    """Return the provider of a model."""
    if isinstance(entry, ApiChatEntry):
        return CHAT[type(entry)](entry)
    assert isinstance(entry, ApiEmbeddingEntry)
    return EMBEDDINGS[type(entry)](entry)


_CHAT: tuple[type[Entry], ...] = (LocalChatEntry, *CHAT)
_EMBEDDING: tuple[type[Entry], ...] = (EmbeddingEntry, *EMBEDDINGS)
_OTHERS: tuple[type[Entry], ...] = (AnswersEntry, PlainEntry, CoderEntry, ConstantEntry, DriftingEntry)

if TYPE_CHECKING:
    ModelEntry = Entry
else:

    def _by(key, *entries):
        return Annotated[Union[entries], Field(discriminator=key)]  # noqa: UP007

    ModelEntry = _by("kind", _by("backend", *_CHAT), _by("backend", *_EMBEDDING), *_OTHERS)
    """Any model."""

_ADAPTER: TypeAdapter[ModelEntry] = TypeAdapter(
    # A key pasted into the wrong field must not come back in the error's text.
    ModelEntry,
    config=ConfigDict(hide_input_in_errors=True),
)

REACHING = frozenset[str]().union(*(entry.reaching for entry in (*_CHAT, *_EMBEDDING)))
"""Keys of entries that say how a model is reached and what its jobs may use."""


def read_entry(json: str) -> ModelEntry:
    """Read one entry from a rule's JSON; raises ``pydantic.ValidationError`` naming every field at fault."""
    return _ADAPTER.validate_json(json)


def read_embedding_entry(json: str) -> EmbeddingEntry | ApiEmbeddingEntry:
    """Read the entry of an embedding model; raises as ``read_entry``, and ``TypeError`` for another model."""
    entry = read_entry(json)
    if not isinstance(entry, EmbeddingEntry | ApiEmbeddingEntry):
        raise TypeError(f"a model of kind {entry.kind!r} compares no texts; name one of kind 'embedding'")
    return entry


def is_local(entry: Entry) -> TypeGuard[LocalChatEntry | EmbeddingEntry]:
    """Return whether the model's weights are loaded by the job that asks it."""
    return isinstance(entry, LocalChatEntry | EmbeddingEntry)


def is_served(entry: Entry) -> TypeGuard[ServableInterface]:
    """Return whether the workflow starts a server of the model."""
    return isinstance(entry, ServableInterface) and entry.serve is not None


def has_weights(entry: Entry) -> TypeGuard[LocalChatEntry | EmbeddingEntry | ServableInterface]:
    """Return whether the model's weights are needed here, by the job that asks it or by a server of the workflow."""
    return is_local(entry) or is_served(entry)


def price_of(entry: Entry) -> Price | None:
    """Return what a model costs: None if unknown, nothing if it runs here."""
    return entry.price if is_remote(entry) else FREE


def is_remote(entry: Entry) -> TypeGuard[Interface]:
    """Return whether a model is behind somebody else's interface, and may cost something."""
    return isinstance(entry, Interface) and not entry.runs_here
