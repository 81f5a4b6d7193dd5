"""How requests of one kind are put to an interface: what differs between completions and embeddings, and no more."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from nlfol.models.api.faults import Declined, PassingFault
from nlfol.models.request import ChatReply, ChatRequest
from nlfol.models.vectors.request import EmbeddingReply, EmbeddingRequest

Q = TypeVar("Q", ChatRequest, EmbeddingRequest)
"""A request."""
R = TypeVar("R", ChatReply, EmbeddingReply)
"""What comes back for one."""


class Dialect(ABC, Generic[Q, R]):
    """How requests of one kind are put to an interface, and how its answers are read."""

    path: str
    """Of the requests, after the interface's address."""

    @abstractmethod
    def tokens(self, request: Q) -> float:
        """What a request may take, in tokens, estimated."""

    @abstractmethod
    def body(self, request: Q) -> dict[str, Any]:
        """A request as the interface takes it."""

    @abstractmethod
    def read(self, request: Q, content: bytes, seconds: float) -> tuple[R, float | None]:
        """The reply to a request, and what it took in tokens, where known.

        Raises:
            pydantic.ValidationError: if the content is no answer at all.
            PassingFault: if it does not answer this request.
            ChatError: if no request will be answered as the entry says.
        """

    @abstractmethod
    def unanswered(self, request: Q, fault: PassingFault | Declined, seconds: float) -> R:
        """The reply to a request that has no answer."""
