"""Anthropic's Messages: ``/v1/messages`` of API version 2026-10-21, which takes no sampling parameters."""

from __future__ import annotations

from dataclasses import asdict
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, model_validator
from typing_extensions import override

from nlfol.mappings import JsonDict
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.entries.interface import Address, KeyVariable
from nlfol.models.entries.provider_table import Capabilities
from nlfol.models.providers.base import BESIDE, Body, ChatProvider, Tokens, Word, completed, given
from nlfol.models.request import ChatReply, ChatRequest
from nlfol.models.schema import strict_schema

if TYPE_CHECKING:
    from httpx2 import AsyncClient

ANTHROPIC_URL = "https://api.anthropic.com"

_LEAST_THINKING = 1024
"""Tokens of a thought, by Anthropic's documentation."""
_SAMPLING = frozenset({"logprobs", "temperature", "top_p", "seed"})


class AnthropicChatEntry(ApiChatEntry):
    """A dialogue model behind Anthropic's Messages."""

    thinking: bool | None = None
    """Think before the answer; None is the provider's own choice."""
    thinking_budget: Annotated[int, Field(ge=_LEAST_THINKING)] | None = None
    """Tokens of the thought, for models that take a number; None leaves them to the model."""
    backend: Literal["anthropic"]
    base_url: Address = ANTHROPIC_URL
    api_key_env: KeyVariable = "ANTHROPIC_API_KEY"
    known: ClassVar[Capabilities] = Capabilities(
        temperature=False,
        top_p=False,
        seed=False,
        logprobs=False,
        structured=("json_schema", "none"),
        reasoning_effort=("low", "medium", "high", "xhigh", "max"),
    )

    @model_validator(mode="after")
    def _budgeted(self) -> Self:
        if self.thinking_budget is None:
            return self
        if not self.thinking:
            raise ValueError("thinking_budget is for models that are to think: write thinking: true, or take it out")
        if self.thinking_budget >= self.limits.tokens:
            raise ValueError(
                f"thinking_budget {self.thinking_budget} leaves no room for an answer in limits.tokens "
                f"{self.limits.tokens}, which both share; lower it, or raise limits.tokens"
            )
        return self

    @model_validator(mode="after")
    def _without_sampling(self) -> Self:
        declared = self.capabilities.model_dump(exclude_unset=True) if self.capabilities else {}
        if wrong := sorted(name for name in _SAMPLING if declared.get(name)):
            raise ValueError(f"capabilities: Anthropic's interface takes no {', '.join(wrong)}; take it out")
        return self

    @property
    @override
    def without_thinking(self) -> Self:
        return self.model_copy(update={"thinking": False, "thinking_budget": None})

    @property
    @override
    def identity(self) -> str:
        if self.thinking is None:
            return super().identity
        thought = "no" if not self.thinking else self.thinking_budget or "yes"
        return f"{super().identity};thinking={thought}"


class _Block(Body):
    type: Word = None
    text: Word = None
    thinking: Word = None


class _Details(Body):
    thinking_tokens: Tokens = None


class _Usage(Body):
    input_tokens: Tokens = None
    cache_creation_input_tokens: Tokens = None
    cache_read_input_tokens: Tokens = None
    output_tokens: Tokens = None
    output_tokens_details: Annotated[_Details | None, BESIDE] = None

    @property
    def prompt(self) -> int | None:
        """Tokens of the prompt: ``input_tokens`` leaves out those written to the cache or read from it."""
        if self.input_tokens is None:
            return None
        return self.input_tokens + (self.cache_creation_input_tokens or 0) + (self.cache_read_input_tokens or 0)


class _Stop(Body):
    explanation: Word = None


class Message(Body):
    """A reply of ``/v1/messages``."""

    content: list[_Block]
    stop_reason: Word = None
    stop_details: Annotated[_Stop | None, BESIDE] = None
    usage: Annotated[_Usage | None, BESIDE] = None
    id: Word = None
    model: Word = None


class AnthropicChat(ChatProvider):
    """Requests to ``/v1/messages``."""

    entry_type = AnthropicChatEntry
    sdk = "anthropic"
    path = "/v1/messages"
    models = "/v1/models?limit=1000"
    remedies: ClassVar = {
        "effort": "leave reasoning_effort out",
        "format": "structured: none",
        "budget_tokens": "leave thinking_budget out",
        "thinking": "another value of thinking, without thinking_budget for models that decide by themselves, or none",
        "output_config": "leave reasoning_effort out, and structured: none",
    }

    def __init__(self, entry: AnthropicChatEntry) -> None:
        super().__init__(entry)
        self._thinking, self._budget = entry.thinking, entry.thinking_budget

    @override
    def client(self, sdk: ModuleType, key: str | None, http: AsyncClient) -> Any:
        return sdk.AsyncAnthropic(
            **self.settings(key),
            default_headers=self.headers(key, sdk.Omit(), ANTHROPIC_URL, "ANTHROPIC_CUSTOM_HEADERS"),
            open_telemetry=False,
            http_client=http,
        )

    @override
    def body(self, request: ChatRequest) -> dict[str, object]:
        # The interface takes what is said before the dialogue and the turns apart.
        before = [message.content for message in request.messages if message.role in ("system", "developer")]
        turns = [message for message in request.messages if message.role in ("user", "assistant")]
        held = self.entry.structured == "json_schema"
        output = {
            "effort": self.entry.reasoning_effort,
            "format": {"type": "json_schema", "schema": strict_schema(request.answer_schema, request.bounds)}
            if held
            else None,
        }
        return given(
            {
                "model": self.entry.model,
                "max_tokens": request.max_tokens,
                "messages": [asdict(turn) for turn in turns],
                "system": "\n\n".join(before) or None,
                "thinking": self._thought,
                "output_config": given(output) or None,
            }
        )

    @property
    def _thought(self) -> JsonDict | None:
        if self._thinking is None:
            return None
        if not self._thinking:
            return {"type": "disabled"}
        return {"type": "adaptive"} if self._budget is None else {"type": "enabled", "budget_tokens": self._budget}

    @override
    def reply(self, request: ChatRequest, content: bytes, seconds: float) -> ChatReply:
        message = Message.read(content)
        usage = message.usage or _Usage()
        stop = message.stop_reason
        refusal = ((message.stop_details or _Stop()).explanation or "") if stop == "refusal" else None
        return completed(
            request.key,
            "".join(block.text or "" for block in message.content if block.type == "text"),
            stop,
            truncated=stop in ("max_tokens", "model_context_window_exceeded"),
            refusal=refusal,
            prompt_tokens=usage.prompt,
            completion_tokens=usage.output_tokens,
            seconds=seconds,
            thinking="".join(block.thinking or "" for block in message.content if block.type == "thinking") or None,
            cached_tokens=usage.cache_read_input_tokens,
            reasoning_tokens=usage.output_tokens_details.thinking_tokens if usage.output_tokens_details else None,
            served_model=message.model,
            response_id=message.id,
        )
