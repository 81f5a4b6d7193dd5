"""Reading what an OpenAI-compatible interface answers: a body in JSON -> a reply with its outcome."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from nlfol.models.request import ChatReply, Outcome

_RUN = 64
"""White space at the end of a cut-off answer that shows that nothing else would have come."""


class _Part(BaseModel):
    type: str = ""
    text: str = ""


class _Message(BaseModel):
    content: str | list[_Part] | None = None
    refusal: str | None = None
    # Two names in use; neither is OpenAI's.
    reasoning_content: Any = None
    reasoning: Any = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Details(BaseModel):
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None


class _Usage(BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _Details | None = None
    completion_tokens_details: _Details | None = None


class Completion(BaseModel):
    """The parts of a response that are kept; whatever else it says is passed over.

    An interface of another kind than expected fails validation: its body is no completion.
    """

    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None
    id: str | None = None
    model: str | None = None
    system_fingerprint: str | None = None

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
            text=(choice.message.refusal or text or None) if outcome is Outcome.REFUSED else text or None,
            finish_reason=choice.finish_reason,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            seconds=seconds,
            error=_explanation(outcome, choice.finish_reason),
            thinking=thinking,
            cached_tokens=usage.prompt_tokens_details.cached_tokens if usage.prompt_tokens_details else None,
            reasoning_tokens=(
                usage.completion_tokens_details.reasoning_tokens if usage.completion_tokens_details else None
            ),
            served_model=self.model,
            fingerprint=self.system_fingerprint,
            response_id=self.id,
        )

    @property
    def tokens(self) -> int | None:
        """Of prompt and completion together, where known."""
        usage = self.usage
        if usage is None or usage.prompt_tokens is None or usage.completion_tokens is None:
            return None
        return usage.prompt_tokens + usage.completion_tokens


def _text(content: str | list[_Part] | None) -> str:
    if isinstance(content, list):
        return "".join(part.text for part in content if part.type == "text")
    return content or ""


def _outcome(text: str, finish: str | None, refusal: str | None) -> Outcome:
    if refusal or finish == "content_filter":
        return Outcome.REFUSED
    if not text:
        return Outcome.EMPTY
    written = text.rstrip()
    if not written or (finish == "length" and len(text) - len(written) >= _RUN):
        return Outcome.WHITESPACE
    return Outcome.TRUNCATED if finish == "length" else Outcome.ANSWERED


def _explanation(outcome: Outcome, finish: str | None) -> str | None:
    if outcome is not Outcome.EMPTY:
        return None
    remedy = "; raise limits.tokens" if finish == "length" else ""
    return f"no text (finish_reason {finish}){remedy}"
