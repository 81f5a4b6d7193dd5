"""Google's Gemini: ``generateContent`` and ``batchEmbedContents``.

OpenAI's client sends the requests, to Gemini's own addresses and with its key header: Google's package (google-genai
3.4) needs an older tenacity than this project, and does not hand out replies as they came.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator
from typing_extensions import override

from nlfol.models.entries.embedding import ApiEmbeddingEntry
from nlfol.models.entries.interface import Address, Header, KeyVariable
from nlfol.models.entries.provider_table import Capabilities
from nlfol.models.providers import base
from nlfol.models.request import ChatReply, ChatRequest
from nlfol.models.schema import strict_schema

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from nlfol.models.vectors.request import EmbeddingRequest

GEMINI_URL = "https://generativelanguage.googleapis.com/v1beta"


_REFUSED = frozenset({"SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR"})
"""Finish reasons of filters."""
_FINISHED = frozenset({"STOP", "MAX_TOKENS"})


class GeminiChatEntry(base.ThinkingEntry):
    """A dialogue model behind Gemini's own interface (``generateContent``)."""

    backend: Literal["gemini"]
    base_url: Address = GEMINI_URL
    api_key_env: KeyVariable = "GEMINI_API_KEY"
    key_header: Header = "x-goog-api-key"
    known: ClassVar[Capabilities] = Capabilities(
        structured=("json_schema", "json_object", "none"),
        bounds=("maxItems", "minItems"),
        reasoning_effort=("minimal", "low", "medium", "high", "xhigh"),
    )

    @model_validator(mode="after")
    def _one_measure(self) -> Self:
        if self.reasoning_effort is not None and (self.thinking_budget is not None or self.thinking is False):
            raise ValueError("reasoning_effort is a level of thinking; give it, or thinking_budget, or thinking: false")
        return self


class _Part(base.Body):
    text: base.Word = None
    thought: Annotated[bool | None, base.BESIDE] = None


class _Content(base.Body):
    parts: list[_Part] = Field(default_factory=list)


class _Candidate(base.Body):
    content: _Content | None = None
    finishReason: base.Word = None  # noqa: N815 - their names
    finishMessage: base.Word = None  # noqa: N815

    @field_validator("finishReason")
    @classmethod
    def _whole(cls, value: str | None) -> str | None:
        if value is not None and value not in _FINISHED | _REFUSED:
            raise ValueError(f"the server broke off the answer (finishReason {value})")
        return value

    def text(self, *, thought: bool) -> str:
        """Join what was written, in thought or as the answer."""
        parts = self.content.parts if self.content else []
        return "".join(part.text or "" for part in parts if bool(part.thought) is thought)


class _Feedback(base.Body):
    blockReason: base.Word = None  # noqa: N815


class _Usage(base.Body):
    promptTokenCount: base.Tokens = None  # noqa: N815
    cachedContentTokenCount: base.Tokens = None  # noqa: N815
    candidatesTokenCount: base.Tokens = None  # noqa: N815
    thoughtsTokenCount: base.Tokens = None  # noqa: N815

    @property
    def completion(self) -> int | None:
        """Tokens billed as completion: ``candidatesTokenCount`` leaves thoughts out, and is missing for none."""
        if self.candidatesTokenCount is None and self.thoughtsTokenCount is None:
            return None
        return (self.candidatesTokenCount or 0) + (self.thoughtsTokenCount or 0)


class Generation(base.Body):
    """A reply of ``generateContent``."""

    candidates: list[_Candidate] = Field(default_factory=list)
    promptFeedback: Annotated[_Feedback | None, base.BESIDE] = None  # noqa: N815
    usageMetadata: Annotated[_Usage | None, base.BESIDE] = None  # noqa: N815
    modelVersion: base.Word = None  # noqa: N815
    responseId: base.Word = None  # noqa: N815

    @model_validator(mode="after")
    def _some(self) -> Self:
        if not self.candidates and not self.blocked:
            raise ValueError("neither a candidate nor a reason why the prompt was blocked")
        return self

    @property
    def blocked(self) -> str | None:
        """Why the prompt was not answered at all."""
        return self.promptFeedback.blockReason if self.promptFeedback else None


class _Listing(base.AnyProvider):
    """A list of models that are named as paths; an entry may leave the folder out."""

    models = "/models?pageSize=1000"

    @override
    def listed(self, content: bytes) -> list[str]:
        names = [listed["name"] for listed in json.loads(content)["models"]]
        whole = self.entry.model.startswith("models/")
        return names if whole else [name.removeprefix("models/") for name in names]


class GeminiChat(_Listing, base.ChatProvider):
    """Requests to ``generateContent``."""

    remedies: ClassVar = {
        "temperature": "capabilities: {temperature: false}",
        "topP": "capabilities: {top_p: false}",
        "seed": "capabilities: {seed: false}",
        "responseJsonSchema": "structured: json_object, or none",
        "responseMimeType": "structured: none",
        "thinkingLevel": "leave reasoning_effort out",
        "thinkingBudget": "leave thinking_budget out, and thinking: false",
        "thinkingConfig": "leave reasoning_effort, thinking and thinking_budget out",
    }

    def __init__(self, entry: GeminiChatEntry) -> None:
        super().__init__(entry)
        self.path = f"/{_named(entry.model)}:generateContent"
        self._thinking, self._budget = entry.thinking, entry.thinking_budget

    @override
    def body(self, request: ChatRequest) -> dict[str, Any]:
        system, turns = base.apart(request)
        structured = self.entry.structured
        settings = {
            "maxOutputTokens": request.max_tokens,
            "temperature": request.temperature,
            "topP": request.top_p,
            "seed": request.seed if self.entry.accepted.seed else None,
            "responseMimeType": None if structured == "none" else "application/json",
            "responseJsonSchema": strict_schema(request.answer_schema, request.bounds)
            if structured == "json_schema"
            else None,
            "thinkingConfig": self._thought or None,
        }
        return base.given(
            {
                "contents": [
                    {"role": "user" if turn.role == "user" else "model", "parts": [{"text": turn.content}]}
                    for turn in turns
                ],
                "generationConfig": base.given(settings),
                "systemInstruction": system and {"parts": [{"text": system}]},
            }
        )

    @property
    def _thought(self) -> dict[str, Any]:
        effort = self.entry.reasoning_effort
        return base.given(
            {
                "thinkingLevel": effort and effort.upper(),
                "includeThoughts": self._thinking or None,
                "thinkingBudget": 0 if self._thinking is False else self._budget,
            }
        )

    @override
    def reply(self, request: ChatRequest, content: bytes, seconds: float) -> ChatReply:
        generation = Generation.read(content)
        candidate = generation.candidates[0] if generation.candidates else _Candidate()
        usage = generation.usageMetadata or _Usage()
        finish = candidate.finishReason or generation.blocked
        filtered = finish in _REFUSED or (generation.blocked and not generation.candidates)
        return base.completed(
            request.key,
            candidate.text(thought=False),
            finish,
            truncated=finish == "MAX_TOKENS",
            refusal=(candidate.finishMessage or "") if filtered else None,
            prompt_tokens=usage.promptTokenCount,
            completion_tokens=usage.completion,
            seconds=seconds,
            thinking=candidate.text(thought=True) or None,
            cached_tokens=usage.cachedContentTokenCount,
            reasoning_tokens=usage.thoughtsTokenCount,
            served_model=generation.modelVersion,
            response_id=generation.responseId,
        )


class GeminiEmbeddingEntry(ApiEmbeddingEntry):
    """An embedding model behind Gemini's own interface (``batchEmbedContents``)."""

    backend: Literal["gemini"]
    base_url: Address = GEMINI_URL
    api_key_env: KeyVariable = "GEMINI_API_KEY"
    key_header: Header = "x-goog-api-key"
    texts_per_request: Annotated[int, Field(gt=0, le=100)] = 100
    task_type: Annotated[str, Field(pattern=r"^[A-Z][A-Z_]*$")] | None = "SEMANTIC_SIMILARITY"
    """Purpose of the vectors, such as ``SEMANTIC_SIMILARITY``; None is for models without."""

    @property
    @override
    def identity(self) -> str:
        return ";".join([super().identity, *([f"task_type={self.task_type}"] if self.task_type else [])])


class _Values(base.Body):
    values: list[float] = Field(min_length=1)


class BatchEmbeddings(base.Body):
    """A reply of ``batchEmbedContents``."""

    embeddings: list[_Values]


class GeminiEmbeddings(_Listing, base.EmbeddingProvider):
    """Requests to ``batchEmbedContents``: the embeddings come in the order of the texts, and say no more."""

    remedies: ClassVar = {"outputDimensionality": "leave output_dimensions out", "taskType": "task_type: null"}

    def __init__(self, entry: GeminiEmbeddingEntry) -> None:
        super().__init__(entry)
        self._name = _named(entry.model)
        self._task = entry.task_type
        self.path = f"/{self._name}:batchEmbedContents"

    @override
    def body(self, request: EmbeddingRequest) -> dict[str, Any]:
        dimensions = self.entry.output_dimensions
        settings = base.given({"model": self._name, "taskType": self._task, "outputDimensionality": dimensions})
        texts = self.prompted(request)
        return {"requests": [{**settings, "content": {"parts": [{"text": text}]}} for text in texts]}

    @override
    def rows(
        self, request: EmbeddingRequest, content: bytes
    ) -> tuple[Sequence[npt.NDArray[np.float32]], int | None, str | None]:
        embeddings = BatchEmbeddings.model_validate_json(content).embeddings
        if len(embeddings) != len(request.texts):
            raise base.PassingFault(
                f"embeddings of {len(request.texts)} texts are asked for and {len(embeddings)} came"
            )
        return [base.vector(one.values) for one in embeddings], None, None


def _named(model: str) -> str:
    return f"models/{model.removeprefix('models/')}"
