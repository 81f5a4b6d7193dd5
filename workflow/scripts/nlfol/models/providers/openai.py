"""OpenAI's interfaces, which many servers have: ``/chat/completions`` and ``/embeddings``."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, get_args

from pydantic import Field, JsonValue, field_validator, model_validator
from typing_extensions import override

from nlfol.models.entries.chat import THINKING, ApiChatEntry
from nlfol.models.entries.embedding import ApiEmbeddingEntry
from nlfol.models.entries.interface import Parameters, ServableInterface
from nlfol.models.entries.provider_table import Bound
from nlfol.models.likelihood import Likelihood, likelihood, visible
from nlfol.models.providers import base
from nlfol.models.request import ChatReply, ChatRequest, Ending
from nlfol.models.schema import lark_grammar, strict_schema
from nlfol.store.canonical import canonical

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from nlfol.models.vectors.request import EmbeddingRequest

_BROKEN_OFF = frozenset({"error", "network_error", "insufficient_system_resource"})
"""Finish reasons of servers that could not go on: OpenRouter's, Z.ai's and DeepSeek's, with status 200."""
_END = 1
"""The token that ends a turn, which some servers count."""
_SENT = frozenset(
    {
        *("audio", "chat_template_kwargs", "function_call", "functions", "grammar", "logprobs"),
        *("max_completion_tokens", "max_tokens", "messages", "modalities", "model", "n", "reasoning_effort"),
        *("response_format", "seed", "stream", "stream_options", "structured_outputs", "temperature"),
        *("tool_choice", "tools", "top_logprobs", "top_p"),
    }
)
"""Parameters of requests that nlfol sets, or that would bring other replies than it reads."""


class OpenaiChatEntry(ApiChatEntry, ServableInterface):
    """A dialogue model behind an OpenAI-compatible interface."""

    backend: Literal["openai"]
    thinking: bool | None = None
    """Have the chat template think before the answer; None tells it nothing."""
    template: Parameters = Field(default_factory=dict)
    """Further variables of the chat template (``chat_template_kwargs``); one that it does not know changes nothing."""
    extra: Parameters = Field(default_factory=dict)
    """Further parameters of requests, for servers that know them."""

    @model_validator(mode="before")
    @classmethod
    def _as_the_local_loop(cls, value: Any) -> Any:
        served = isinstance(value, dict) and isinstance(value.get("serve"), dict)
        # llama.cpp holds a thought to the grammar, too.
        if not served or (value.get("thinking") and value["serve"].get("engine") == "llama.cpp"):
            return value
        return {"structured": "grammar", **value}

    @model_validator(mode="before")
    @classmethod
    def _one_place(cls, value: Any) -> Any:
        template = value.get("template") if isinstance(value, dict) else None
        if not isinstance(template, dict) or THINKING not in template:
            return value
        if value.get("thinking") is not None:
            raise ValueError(f"thinking and template.{THINKING} are one setting; leave one")
        others = {name: given for name, given in template.items() if name != THINKING}
        return {**value, "thinking": template[THINKING], "template": others}

    @field_validator("extra")
    @classmethod
    def _not_sent_already(cls, value: dict[str, JsonValue]) -> dict[str, JsonValue]:
        if taken := sorted(_SENT & value.keys()):
            raise ValueError(
                f"{', '.join(taken)}: nlfol sets this itself; take it out, and use the entry's keys (model, sampling, "
                "limits, seeds, structured, reasoning_effort, thinking, template)"
            )
        return value

    @property
    @override
    def variables(self) -> dict[str, JsonValue]:
        return self.template if self.thinking is None else {THINKING: self.thinking, **self.template}

    @property
    @override
    def identity(self) -> str:
        parts = [super().identity]
        if self.thinking is not None:
            parts.append(f"thinking={'yes' if self.thinking else 'no'}")
        parts += [f"{name}={canonical(given)}" for name in ("template", "extra") if (given := getattr(self, name))]
        return ";".join(parts)

    @property
    @override
    def thinks(self) -> bool | None:
        if self.thinking is not None or self.reasoning_effort is None:
            return self.thinking
        return self.reasoning_effort != "none"

    @property
    @override
    def without_thinking(self) -> Self:
        if self.thinking is None:
            return self.model_copy(update={"reasoning_effort": "none"})
        return self.model_copy(update={"thinking": False, "reasoning_effort": None})


class OpenaiEmbeddingEntry(ApiEmbeddingEntry, ServableInterface):
    """An embedding model behind an OpenAI-compatible interface (``/embeddings``)."""

    backend: Literal["openai"]
    encoding: Literal["base64", "float"] = "base64"
    """Encoding that vectors are asked for in, with the same numbers; any that comes is read."""
    reaching: ClassVar[frozenset[str]] = ApiEmbeddingEntry.reaching | {"encoding"}


class _Part(base.Body):
    type: base.Word = None
    text: base.Word = None


class _Message(base.Body):
    content: str | list[_Part] | None = None
    refusal: base.Word = None
    # Two names in use; neither is OpenAI's.
    reasoning_content: Any = None
    reasoning: Any = None

    @property
    def text(self) -> str:
        if isinstance(self.content, list):
            return "".join(part.text or "" for part in self.content if part.type == "text")
        return self.content or ""

    @property
    def thinking(self) -> str | None:
        thoughts = (self.reasoning_content, self.reasoning)
        return next((thought for thought in thoughts if thought and isinstance(thought, str)), None)


class _Token(base.Body):
    token: str
    logprob: float
    bytes: Annotated[list[Annotated[int, Field(ge=0, le=255)]] | None, base.BESIDE] = None

    @property
    def visible(self) -> str:
        # OpenAI writes a part of a character in a token as its escape, and rightly in the bytes.
        return visible(self.token.encode(errors="ignore") if self.bytes is None else bytes(self.bytes))


class _Logprobs(base.Body):
    content: Annotated[list[_Token] | None, base.BESIDE] = None


class _Choice(base.Body):
    message: _Message
    finish_reason: base.Word = None
    logprobs: Annotated[_Logprobs | None, base.BESIDE] = None

    @property
    def likelihood(self) -> Likelihood | None:
        told = self.logprobs.content if self.logprobs else None
        return likelihood(self.message.text, ((token.visible, token.logprob) for token in told or ()))

    @field_validator("finish_reason")
    @classmethod
    def _whole(cls, value: str | None) -> str | None:
        if value in _BROKEN_OFF:
            raise ValueError(f"the server broke off the answer (finish_reason {value})")
        return value


class _Details(base.Body):
    cached_tokens: base.Tokens = None
    reasoning_tokens: base.Tokens = None


class Usage(base.Body):
    """Tokens of an exchange."""

    prompt_tokens: base.Tokens = None
    completion_tokens: base.Tokens = None
    total_tokens: base.Tokens = None
    prompt_tokens_details: Annotated[_Details | None, base.BESIDE] = None
    completion_tokens_details: Annotated[_Details | None, base.BESIDE] = None

    @property
    def cached(self) -> int | None:
        """Tokens of the prompt that were in a cache."""
        return self.prompt_tokens_details.cached_tokens if self.prompt_tokens_details else None

    @property
    def completion(self) -> int | None:
        """Tokens billed as completion, reasoning included."""
        return None if self.completion_tokens is None else self.completion_tokens + self._apart

    @property
    def reasoning(self) -> int | None:
        """Tokens of the completion that are reasoning."""
        stated = self.completion_tokens_details.reasoning_tokens if self.completion_tokens_details else None
        return max(stated or 0, self._apart) if self._apart else stated

    @property
    def _apart(self) -> int:
        """Reasoning that ``completion_tokens`` leaves out: xAI and Gemini count it in the total alone."""
        if self.prompt_tokens is not None and self.completion_tokens is not None and self.total_tokens is not None:
            return max(0, self.total_tokens - self.prompt_tokens - self.completion_tokens)
        return 0


class Completion(base.Body):
    """A reply of ``/chat/completions``."""

    choices: list[_Choice] = Field(min_length=1)
    usage: Annotated[Usage | None, base.BESIDE] = None
    id: base.Word = None
    model: base.Word = None
    system_fingerprint: base.Word = None

    def reply(self, key: str, seconds: float | None) -> ChatReply:
        """Return the reply to the request with a key."""
        choice = self.choices[0]
        usage = self.usage or Usage()
        finish = choice.finish_reason
        likely = choice.likelihood
        return base.completed(
            key,
            choice.message.text,
            finish,
            truncated=finish == "length",
            refusal=choice.message.refusal or ("" if finish == "content_filter" else None),
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion,
            seconds=seconds,
            thinking=choice.message.thinking,
            cached_tokens=usage.cached,
            reasoning_tokens=usage.reasoning,
            served_model=self.model,
            fingerprint=self.system_fingerprint,
            response_id=self.id,
            logprob=likely and likely.logprob,
            logprob_tokens=likely and likely.tokens,
        )


class OpenaiChat(base.ChatProvider):
    """Requests to ``/chat/completions``."""

    path = "/chat/completions"
    remedies: ClassVar = {
        "temperature": "capabilities: {temperature: false}",
        "top_p": "capabilities: {top_p: false}",
        "seed": "capabilities: {seed: false}",
        "max_completion_tokens": "capabilities: {limit: max_tokens}",
        "max_tokens": "capabilities: {limit: max_completion_tokens}",
        "reasoning_effort": "leave reasoning_effort out",
        "chat_template_kwargs": "leave thinking and template out",
        "logprobs": "leave logprobs out",
        "response_format": "structured: json_object_schema, json_object, or none",
        "grammar": "structured: json_schema",
        "structured_outputs": "structured: json_schema",
        "role": "capabilities: {instructions: user}",
        # Named in a batch; elsewhere the job goes on without it.
        **dict.fromkeys(get_args(Bound), "capabilities: {bounds: [...]}, without it"),
    }

    @override
    def body(self, request: ChatRequest) -> dict[str, object]:
        return body(self.entry, request)

    @override
    def reply(self, request: ChatRequest, content: bytes, seconds: float) -> ChatReply:
        reply = Completion.read(content).reply(request.key, seconds)
        # An answer that is longer than was asked for is none to this request: the reply failed, and keeps its text.
        if (error := self._overrun(request, reply)) is not None:
            reply = replace(reply, outcome=Ending.FAILED, error=error)
        return reply

    def _overrun(self, request: ChatRequest, reply: ChatReply) -> str | None:
        """Return the remedy where a server did not keep to the limit of the completion; None where it did."""
        written = (reply.completion_tokens or 0) - (reply.reasoning_tokens or 0)
        if written <= request.max_tokens + _END:
            return None
        sent = self.entry.accepted.limit
        other = "max_tokens" if sent == "max_completion_tokens" else "max_completion_tokens"
        return (
            f"{written} tokens came where {sent} was {request.max_tokens}: the server does not keep to it; "
            f"declare in the entry the limit that it knows: capabilities: {{limit: {other}}}"
        )


def body(entry: ApiChatEntry, request: ChatRequest) -> dict[str, object]:
    """Return a request as the interface takes it, with no parameter that the model does not accept."""
    accepted = entry.accepted
    schema = strict_schema(request.answer_schema, request.bounds)
    formats: dict[str, dict[str, object]] = {
        "json_schema": {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}},
        "json_object": {"type": "json_object"},
        "json_object_schema": {"type": "json_object", "schema": schema},
    }
    sent = base.given(
        {
            "model": entry.model,
            "messages": [asdict(message) for message in request.messages],
            accepted.limit: request.max_tokens,
            "temperature": request.temperature,
            "top_p": request.top_p,
            "seed": request.seed if accepted.seed else None,
            "reasoning_effort": entry.reasoning_effort,
            "response_format": formats.get(entry.structured),
            "logprobs": request.logprobs or None,
            "chat_template_kwargs": entry.variables or None,
        }
    )
    if entry.structured == "grammar":
        grammar = lark_grammar(request.answer_schema)
        # As llama.cpp takes it where it is built with llguidance, and as vLLM takes it; each ignores the other's.
        sent |= {"grammar": f"%llguidance {{}}\n{grammar}", "structured_outputs": {"grammar": grammar}}
    return sent | entry.extra if isinstance(entry, OpenaiChatEntry) else sent


class _Item(base.Body):
    index: int
    embedding: str | list[float] = Field(min_length=1)


class _EmbeddingUsage(base.Body):
    prompt_tokens: base.Tokens = None


class Embeddings(base.Body):
    """A reply of ``/embeddings``."""

    data: list[_Item]
    model: base.Word = None
    usage: Annotated[_EmbeddingUsage | None, base.BESIDE] = None


class OpenaiEmbeddings(base.EmbeddingProvider):
    """Requests to ``/embeddings``."""

    path = "/embeddings"
    remedies: ClassVar = {"dimensions": "leave output_dimensions out", "encoding_format": "encoding: float"}

    def __init__(self, entry: OpenaiEmbeddingEntry) -> None:
        super().__init__(entry)
        self._encoding = entry.encoding

    @override
    def body(self, request: EmbeddingRequest) -> dict[str, object]:
        sent = {
            "model": self.entry.model,
            "input": self.prompted(request),
            "encoding_format": self._encoding,
            "dimensions": self.entry.output_dimensions,
        }
        return base.given(sent)

    @override
    def rows(
        self, request: EmbeddingRequest, content: bytes
    ) -> tuple[Sequence[npt.NDArray[np.float32]], int | None, str | None]:
        reply = Embeddings.model_validate_json(content)
        indices = sorted(item.index for item in reply.data)
        if indices != list(range(len(request.texts))):
            raise base.PassingFault(
                f"embeddings of {len(request.texts)} texts are asked for and came for {indices[:20]}"
            )
        by_index = {item.index: _vector(item.embedding) for item in reply.data}
        tokens = reply.usage.prompt_tokens if reply.usage else None
        return [by_index[index] for index in indices], tokens, reply.model


def _vector(written: str | list[float]) -> npt.NDArray[np.float32]:
    """Read a list of numbers, or the base64 of little-endian float32."""
    import numpy as np

    if not isinstance(written, str):
        return base.vector(written)
    try:
        return np.frombuffer(base64.b64decode(written, validate=True), dtype="<f4").astype(np.float32)
    except (binascii.Error, ValueError):
        raise base.PassingFault("a vector that is no base64 of float32 numbers") from None
