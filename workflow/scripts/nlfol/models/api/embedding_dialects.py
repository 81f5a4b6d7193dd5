"""How embeddings are asked of interfaces: OpenAI's ``/embeddings``, which many servers have, and Gemini's own."""

from __future__ import annotations

import base64
import binascii
from abc import abstractmethod
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, Field

from nlfol.models.api.bodies import BESIDE, Tokens, Word
from nlfol.models.api.dialect import Dialect
from nlfol.models.api.faults import Declined, PassingFault
from nlfol.models.api.wire import CHARACTERS_A_TOKEN
from nlfol.models.entries.embedding import (
    ApiEmbeddingEntry,
    GeminiEmbeddingEntry,
    OpenaiEmbeddingEntry,
)
from nlfol.models.request import ChatError, Ending
from nlfol.models.vectors.request import EmbeddingReply, EmbeddingRequest


class EmbeddingDialect(Dialect[EmbeddingRequest, EmbeddingReply]):
    """What the dialects of embeddings have in common.

    Args:
        entry: the model's entry.
    """

    def __init__(self, entry: ApiEmbeddingEntry) -> None:
        self._entry = entry
        self._width = entry.output_dimensions

    def tokens(self, request: EmbeddingRequest) -> float:
        """Of the texts with their prompts, estimated."""
        return sum(map(len, self._prompted(request))) / CHARACTERS_A_TOKEN

    def unanswered(self, request: EmbeddingRequest, fault: PassingFault | Declined, seconds: float) -> EmbeddingReply:
        """The reply to a request that has no answer."""
        declined = isinstance(fault, Declined)
        error = " ".join(str(fault).split())
        return EmbeddingReply(request.key, Ending.FAILED, seconds=seconds, error=error, declined=declined)

    def read(self, request: EmbeddingRequest, content: bytes, seconds: float) -> tuple[EmbeddingReply, float | None]:
        """The reply, and the tokens of the texts, where known.

        Raises:
            pydantic.ValidationError: if the content holds no embeddings.
            PassingFault: if a text has none, or two, or one that is no vector of finite numbers.
            ChatError: if the vectors have another number of dimensions than those asked for, or seen before.
        """
        rows, tokens, model = self._rows(request, content)
        for width in sorted({len(row) for row in rows}):
            self._width = self._width or width
            if width != self._width:
                raise ChatError(
                    f"{self._entry.identity}: a vector of {width} dimensions came where {self._width} are expected; "
                    "correct output_dimensions, or leave it out"
                )
        vectors = np.stack(rows)
        if not np.isfinite(vectors).all():
            raise PassingFault("a vector with numbers that are not finite")
        reply = EmbeddingReply(
            request.key, Ending.ANSWERED, vectors, tokens=tokens, seconds=seconds, served_model=model
        )
        return reply, tokens

    @abstractmethod
    def _rows(
        self, request: EmbeddingRequest, content: bytes
    ) -> tuple[Sequence[npt.NDArray[np.float32]], int | None, str | None]:
        """A vector for each text, in their order; the tokens of all; the model that answered."""

    def _prompted(self, request: EmbeddingRequest) -> list[str]:
        prompt = self._entry.prompt(request.role)
        return [prompt + text for text in request.texts]


class _Item(BaseModel):
    index: int
    embedding: str | list[float] = Field(min_length=1)


class _Usage(BaseModel):
    prompt_tokens: Tokens = None


class Embeddings(BaseModel):
    """The parts of an OpenAI-compatible response that are kept."""

    data: list[_Item]
    model: Word = None
    usage: Annotated[_Usage | None, BESIDE] = None


class OpenaiDialect(EmbeddingDialect):
    """Requests to ``/embeddings``."""

    path = "/embeddings"

    def __init__(self, entry: OpenaiEmbeddingEntry) -> None:
        super().__init__(entry)
        self._encoding = entry.encoding

    def body(self, request: EmbeddingRequest) -> dict[str, Any]:
        """The request as the interface takes it."""
        sent: dict[str, Any] = {
            "model": self._entry.model,
            "input": self._prompted(request),
            "encoding_format": self._encoding,
        }
        if self._entry.output_dimensions is not None:
            sent["dimensions"] = self._entry.output_dimensions
        return sent

    def _rows(
        self, request: EmbeddingRequest, content: bytes
    ) -> tuple[Sequence[npt.NDArray[np.float32]], int | None, str | None]:
        found = Embeddings.model_validate_json(content)
        indices = sorted(item.index for item in found.data)
        if indices != list(range(len(request.texts))):
            raise PassingFault(f"embeddings of {len(request.texts)} texts are asked for and came for {indices[:20]}")
        by_index = {item.index: _vector(item.embedding) for item in found.data}
        tokens = found.usage.prompt_tokens if found.usage else None
        return [by_index[index] for index in indices], tokens, found.model


class _Values(BaseModel):
    values: list[float] = Field(min_length=1)


class BatchEmbeddings(BaseModel):
    """The part of a response of ``batchEmbedContents`` that is kept."""

    embeddings: list[_Values]


class GeminiDialect(EmbeddingDialect):
    """Requests to ``batchEmbedContents``: the embeddings come in the order of the texts, and say no more."""

    def __init__(self, entry: GeminiEmbeddingEntry) -> None:
        super().__init__(entry)
        self._name = f"models/{entry.model.removeprefix('models/')}"
        self._task = entry.task_type
        self.path = f"/{self._name}:batchEmbedContents"

    def body(self, request: EmbeddingRequest) -> dict[str, Any]:
        """The request as the interface takes it."""
        settings: dict[str, Any] = {"model": self._name}
        if self._task is not None:
            settings["taskType"] = self._task
        if self._entry.output_dimensions is not None:
            settings["outputDimensionality"] = self._entry.output_dimensions
        texts = self._prompted(request)
        return {"requests": [{**settings, "content": {"parts": [{"text": text}]}} for text in texts]}

    def _rows(
        self, request: EmbeddingRequest, content: bytes
    ) -> tuple[Sequence[npt.NDArray[np.float32]], int | None, str | None]:
        found = BatchEmbeddings.model_validate_json(content).embeddings
        if len(found) != len(request.texts):
            raise PassingFault(f"embeddings of {len(request.texts)} texts are asked for and {len(found)} came")
        return [_vector(one.values) for one in found], None, None


def dialect(entry: ApiEmbeddingEntry) -> EmbeddingDialect:
    """The dialect of an entry's interface."""
    return GeminiDialect(entry) if isinstance(entry, GeminiEmbeddingEntry) else OpenaiDialect(entry)


def _vector(written: str | list[float]) -> npt.NDArray[np.float32]:
    """A vector from a list of numbers, or from the base64 of little-endian float32.

    Raises:
        PassingFault: if it is no such thing.
    """
    if isinstance(written, str):
        try:
            return np.frombuffer(base64.b64decode(written, validate=True), dtype="<f4").astype(np.float32)
        except (binascii.Error, ValueError):
            raise PassingFault("a vector that is no base64 of float32 numbers") from None
    # A number beyond float32 becomes infinite, which is refused with all that are not finite.
    with np.errstate(over="ignore"):
        return np.asarray(written, dtype=np.float64).astype(np.float32)
