"""How completions are asked of an OpenAI-compatible interface."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nlfol.models.api.bodies import read_body
from nlfol.models.api.completion import Completion
from nlfol.models.api.dialect import Dialect
from nlfol.models.api.faults import Declined, PassingFault
from nlfol.models.api.wire import CHARACTERS_A_TOKEN, body
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.request import ChatReply, ChatRequest, Ending

_END = 1
"""The token that ends a turn, which some servers count."""


class ChatDialect(Dialect[ChatRequest, ChatReply]):
    """Requests to ``/chat/completions``.

    Args:
        entry: the model's entry.
    """

    path = "/chat/completions"

    def __init__(self, entry: ApiChatEntry) -> None:
        self._entry = entry

    def tokens(self, request: ChatRequest) -> float:
        """Of the prompt, estimated, and at most of the completion."""
        characters = sum(len(message.content) for message in request.messages)
        return characters / CHARACTERS_A_TOKEN + request.max_tokens

    def body(self, request: ChatRequest) -> dict[str, Any]:
        """The request as the interface takes it."""
        return body(self._entry, request)

    def read(self, request: ChatRequest, content: bytes, seconds: float) -> tuple[ChatReply, float | None]:
        """The reply, and the tokens of prompt and completion, where known.

        An answer that is longer than was asked for is none to this request: the reply failed, and keeps its text.

        Raises:
            pydantic.ValidationError: if the content is no completion.
        """
        completion = read_body(Completion, content)
        reply = completion.reply(request.key, seconds)
        if (error := self._overrun(request, reply)) is not None:
            reply = replace(reply, outcome=Ending.FAILED, error=error)
        return reply, completion.tokens

    def unanswered(self, request: ChatRequest, fault: PassingFault | Declined, seconds: float) -> ChatReply:
        """The reply to a request that has no answer."""
        outcome = fault.outcome if isinstance(fault, Declined) else Ending.FAILED
        return ChatReply(request.key, outcome, seconds=seconds, error=" ".join(str(fault).split()))

    def _overrun(self, request: ChatRequest, reply: ChatReply) -> str | None:
        """What is to be done where a server did not keep to the limit of the completion; None where it did."""
        written = (reply.completion_tokens or 0) - (reply.reasoning_tokens or 0)
        if written <= request.max_tokens + _END:
            return None
        sent = self._entry.accepted.limit
        other = "max_tokens" if sent == "max_completion_tokens" else "max_completion_tokens"
        return (
            f"{written} tokens came where {sent} was {request.max_tokens}: the server does not keep to it; "
            f"declare in the entry the limit that it knows: capabilities: {{limit: {other}}}"
        )
