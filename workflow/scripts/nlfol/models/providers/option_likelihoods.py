"""Likelihoods of given answers, as vLLM tells them: an assistant's turn is part of the prompt, and not gone on with."""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field
from typing_extensions import override

from nlfol.models.likelihood import visible
from nlfol.models.providers import base
from nlfol.models.providers.openai import OpenaiChat, Usage, body
from nlfol.models.request import ChatError, ChatReply, ChatRequest, Ending


class _Token(base.Body):
    logprob: Annotated[float, Field(le=0, allow_inf_nan=False)]
    decoded_token: str

    @property
    def visible(self) -> str:
        return visible(self.decoded_token.encode(errors="ignore"))


class OptionCompletion(base.Body):
    """A reply with the log-probability of each token of its prompt, by the token's number; none of the first."""

    prompt_logprobs: list[dict[str, _Token] | None] | None = None
    usage: Annotated[Usage | None, base.BESIDE] = None
    model: base.Word = None


class OptionLikelihoods(OpenaiChat):
    """Requests whose last turn is an option; the reply's log-probability is that of this turn.

    Reading a reply raises ``ChatError`` if the server tells none.
    """

    @override
    def body(self, request: ChatRequest) -> dict[str, object]:
        # Nothing is written that a grammar could hold.
        sent = body(self.entry.model_copy(update={"structured": "none"}), request)
        return sent | {"prompt_logprobs": 0, "add_generation_prompt": False, "continue_final_message": True}

    @override
    def reply(self, request: ChatRequest, content: bytes, seconds: float) -> ChatReply:
        reply, option = OptionCompletion.read(content), visible(request.messages[-1].content.encode())
        if reply.prompt_logprobs is None:
            raise ChatError(
                f"{self.entry.identity}: the server tells no log-probabilities of prompts, so nothing can be chosen by "
                "likelihood; serve the model with vllm, or leave answer: likelihood out"
            )
        written, scores, places = "", list[float](), reply.prompt_logprobs
        while len(written) < len(option) and places and (place := places.pop()):
            # As no further tokens are asked for, the place has its own alone.
            (token,) = place.values()
            written, scores = token.visible + written, [token.logprob, *scores]
        if written != option:
            raise ChatError(
                f"{self.entry.identity}: the prompt ends with {written!r} where the option is {option!r}: the chat "
                "template adds to an assistant's turn, or joins it to what comes before; leave answer: likelihood out"
            )
        usage = reply.usage or Usage()
        return ChatReply(
            request.key,
            Ending.ANSWERED,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            seconds=seconds,
            served_model=reply.model,
            logprob=math.fsum(scores),
        )
