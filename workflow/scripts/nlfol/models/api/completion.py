"""Reading what an OpenAI-compatible interface answers: a body in JSON -> a reply with its outcome."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field, field_validator

from nlfol.models.api.bodies import BESIDE, Tokens, Word
from nlfol.models.request import ChatReply, Ending

_RUN = 64
"""White space at the end of a cut-off answer that shows that nothing else would have come."""
_BROKEN_OFF = frozenset({"error", "network_error", "insufficient_system_resource"})
"""Why writing stopped, where the server could not go on: OpenRouter's, Z.ai's and DeepSeek's words, with status 200."""


class _Part(BaseModel):
    type: Word = None
    text: Word = None


class _Message(BaseModel):
    content: str | list[_Part] | None = None
    refusal: Word = None
    # Two names in use; neither is OpenAI's.
    reasoning_content: Any = None
    reasoning: Any = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: Word = None

    @field_validator("finish_reason")
    @classmethod
    def _whole(cls, value: str | None) -> str | None:
        if value in _BROKEN_OFF:
            raise ValueError(f"the server broke off the answer (finish_reason {value})")
        return value


class _Details(BaseModel):
    cached_tokens: Tokens = None
    reasoning_tokens: Tokens = None


class _Usage(BaseModel):
    prompt_tokens: Tokens = None
    completion_tokens: Tokens = None
    total_tokens: Tokens = None
    prompt_tokens_details: Annotated[_Details | None, BESIDE] = None
    completion_tokens_details: Annotated[_Details | None, BESIDE] = None

    @property
    def cached(self) -> int | None:
        return self.prompt_tokens_details.cached_tokens if self.prompt_tokens_details else None

    @property
    def completion(self) -> int | None:
        """All that is billed as completion, reasoning included."""
        return None if self.completion_tokens is None else self.completion_tokens + self._apart

    @property
    def reasoning(self) -> int | None:
        said = self.completion_tokens_details.reasoning_tokens if self.completion_tokens_details else None
        return max(said or 0, self._apart) if self._apart else said

    @property
    def _apart(self) -> int:
        """Reasoning that ``completion_tokens`` leaves out: xAI and Gemini count it in the total alone."""
        if self.prompt_tokens is not None and self.completion_tokens is not None and self.total_tokens is not None:
            return max(0, self.total_tokens - self.prompt_tokens - self.completion_tokens)
        return 0


class Completion(BaseModel):
    """The parts of a response that are kept; whatever else it says is passed over.

    An interface of another kind than expected fails validation: its body is no completion.
    """

    choices: list[_Choice] = Field(min_length=1)
    usage: Annotated[_Usage | None, BESIDE] = None
    id: Word = None
    model: Word = None
    system_fingerprint: Word = None

    def reply(self, key: str, seconds: float) -> ChatReply:
        """The reply to the request with a key."""
        choice = self.choices[0]
        usage = self.usage or _Usage()
        text = _text(choice.message.content)
        thinking = next(
            (
                found
                for found in (choice.message.reasoning_content, choice.message.reasoning)
                if found and isinstance(found, str)
            ),
            None,
        )
        outcome = _outcome(text, choice.finish_reason, choice.message.refusal)
        return ChatReply(
            key,
            outcome,
            text=(choice.message.refusal or text or None) if outcome is Ending.REFUSED else text or None,
            finish_reason=choice.finish_reason,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion,
            seconds=seconds,
            error=_explanation(outcome, choice.finish_reason),
            thinking=thinking,
            cached_tokens=usage.cached,
            reasoning_tokens=usage.reasoning,
            served_model=self.model,
            fingerprint=self.system_fingerprint,
            response_id=self.id,
        )

    @property
    def tokens(self) -> int | None:
        """Of prompt and completion together, where known."""
        usage = self.usage
        if usage is None or usage.prompt_tokens is None or usage.completion is None:
            return None
        return usage.prompt_tokens + usage.completion


def _text(content: str | list[_Part] | None) -> str:
    if isinstance(content, list):
        return "".join(part.text or "" for part in content if part.type == "text")
    return content or ""


def _outcome(text: str, finish: str | None, refusal: str | None) -> Ending:
    if refusal or finish == "content_filter":
        return Ending.REFUSED
    if not text:
        return Ending.EMPTY
    written = text.rstrip()
    if not written or (finish == "length" and len(text) - len(written) >= _RUN):
        return Ending.BLANK
    return Ending.TRUNCATED if finish == "length" else Ending.ANSWERED


def _explanation(outcome: Ending, finish: str | None) -> str | None:
    if outcome is not Ending.EMPTY:
        return None
    remedy = "; raise limits.tokens" if finish == "length" else ""
    return f"no text (finish_reason {finish}){remedy}"
