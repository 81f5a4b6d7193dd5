"""Provider: how requests of one kind are written and replies read, whoever sends them.

A module of this package is one provider: its entries, its client, its requests, replies, usage, errors and limits. It
imports its client where it makes one, so that nobody needs the client of a provider that is not asked.
"""

from __future__ import annotations

import json
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, ValidationError
from pydantic_core.core_schema import CoreSchema, with_default_schema
from typing_extensions import override

from nlfol.mappings import JsonDict
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.entries.embedding import ApiEmbeddingEntry
from nlfol.models.entries.interface import OPENAI_URL, Interface
from nlfol.models.request import ChatError, ChatReply, ChatRequest, Ending
from nlfol.store.canonical import canonical
from nlfol.store.logs import LOGGER

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from httpx2 import AsyncClient

    from nlfol.models.vectors.request import EmbeddingReply, EmbeddingRequest

CHARACTERS_A_TOKEN = 3
"""To estimate the length of a text in tokens; English has more, formulas have fewer."""

_USAGE = ("Arch", "Async", "Lang", "OS", "Package-Version", "Runtime", "Runtime-Version")
"""Headers by which clients tell how they are used."""
_BLANK_RUN = 64
"""White space at the end of a truncated answer that shows that nothing else would have come."""
_MOST_TOKENS = 10**9
"""A server that counts more does not know."""

Q = TypeVar("Q", ChatRequest, "EmbeddingRequest")
"""A request."""
R = TypeVar("R", ChatReply, "EmbeddingReply")
"""A reply."""
B = TypeVar("B", bound="Body")


class PassingFault(Exception):  # noqa: N818 - a fault is not an error of this program
    """A fault that may be gone when the same request is sent again, after the seconds that the interface asks for.

    ``charged`` if the provider may have answered, and charges for it, though no answer came.
    """

    def __init__(
        self, message: str, pause: float | None = None, *, overload: bool = False, charged: bool = False
    ) -> None:
        super().__init__(message)
        self.pause = pause
        self.overload = overload
        self.charged = charged


class Declined(Exception):  # noqa: N818
    """A request that the interface does not take: ``refused`` where asking again is no help, or else ``failed``."""

    def __init__(self, message: str, outcome: Ending) -> None:
        super().__init__(message)
        self.outcome = outcome


class Provider(ABC, Generic[Q, R]):
    """The format of one kind of request, completions or embeddings, at one kind of interface."""

    sdk: ClassVar[str] = "openai"
    """The package whose client sends the requests, and whose errors it raises."""
    entry: Interface
    entry_type: ClassVar[type[Interface]]
    """The type of the entry; only providers of other packages need to name it."""
    path: str
    """Path of requests, after the interface's address."""
    models: ClassVar[str] = "/models"
    """Path at which the interface lists its models."""
    remedies: ClassVar[Mapping[str, str]] = {}
    """For parameters of requests that a model may reject: what to write in its entry."""

    def client(self, sdk: ModuleType, key: str | None, http: AsyncClient) -> Any:
        """Return the client of the package, which sends through ``http`` and does not retry: OpenAI's for most."""
        # The client takes some headers from the environment, where they are meant for OpenAI.
        others = ("OpenAI-Organization", "OpenAI-Project")
        return sdk.AsyncOpenAI(
            **self.settings(key),
            default_headers=self.headers(key, sdk.omit, OPENAI_URL, "OPENAI_CUSTOM_HEADERS", *others),
            http_client=http,
        )

    def settings(self, key: str | None) -> JsonDict:
        """Return all arguments of a client, lest its own environment variables send requests to another provider."""
        return {
            "api_key": key or "none",  # clients insist on one
            "base_url": self.entry.url,
            "timeout": self.entry.timeout,
            "max_retries": 0,
            "default_query": dict(self.entry.query),
        }

    def headers(self, key: str | None, omitted: object, home: str, variable: str, *others: str) -> dict[str, object]:
        """Return headers beside the client's own, and which of those are not sent to another address than its home.

        ``omitted`` is what the client takes for a header that is not sent, ``home`` the address that the environment
        speaks of, ``variable`` the environment variable with further headers, one a line; ``others`` are headers with
        environment variables of their own.
        """
        headers = dict.fromkeys((f"X-Stainless-{name}" for name in _USAGE), omitted)
        if self.entry.url != home:
            further: list[str] = [line.partition(":")[0].strip() for line in os.environ.get(variable, "").splitlines()]
            headers |= dict.fromkeys([*others, *(name for name in further if name)], omitted)
        if key and self.entry.key_header:
            headers[self.entry.key_header] = key
        return headers

    @abstractmethod
    def tokens(self, request: Q) -> float:
        """Estimate how many tokens a request may take."""

    @abstractmethod
    def body(self, request: Q) -> Mapping[str, object]:
        """Return the request as the interface takes it."""

    def reduced(self, request: Q) -> Q:
        """Return the request as it is sent: without what the interface turned out not to know."""
        return request

    def leaves_out(self, request: Q, message: str) -> bool:
        """Leave out of all further requests what an interface, rejecting this one, says it does not know.

        Return False if the words name nothing of the request that can be left out.
        """
        return False

    @abstractmethod
    def read(self, request: Q, content: bytes, seconds: float) -> tuple[R, float | None]:
        """Return the reply to a request, and the tokens that it took, where known.

        Raises ``pydantic.ValidationError`` if the content is no answer at all, ``PassingFault`` if it does not answer
        this request, ``ChatError`` if no request will be answered as the entry says.
        """

    @abstractmethod
    def unanswered(self, request: Q, fault: PassingFault | Declined, seconds: float) -> R:
        """Return the reply to a request that has no answer."""

    def listed(self, content: bytes) -> list[str]:
        """Return the names of the models that the interface lists.

        Raises ``ValueError``, ``TypeError``, ``KeyError`` or ``AttributeError`` if the content is no such list.
        """
        return [model["id"] for model in json.loads(content)["data"] or ()]


class _NoneIfMalformed:
    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return with_default_schema(handler(source), default=None, on_error="default")


BESIDE: Final = _NoneIfMalformed()
"""Makes what stands beside an answer None if it is malformed: no reason to throw away what was paid for."""
Word = Annotated[str | None, BESIDE]
"""A text beside an answer."""
Tokens = Annotated[Annotated[int, Field(ge=0, le=_MOST_TOKENS)] | None, BESIDE]
"""A number of tokens beside an answer."""


class Body(BaseModel):
    """A reply, or a part of one; fields that are not kept are ignored."""

    model_config = ConfigDict(defer_build=True)

    @classmethod
    def read(cls: type[B], content: bytes) -> B:
        """Read JSON; halves of surrogate pairs in its texts become U+FFFD, and a byte order mark is dropped.

        A server that cuts texts between two UTF-16 units sends such halves, also when it is asked again. Raises
        ``pydantic.ValidationError`` if it is no such reply.
        """
        try:
            return cls.model_validate_json(content)
        except ValidationError as error:
            if error.errors(include_url=False, include_input=False)[0]["type"] != "json_invalid":
                raise
            try:
                mended = without_halves(json.dumps(json.loads(content), ensure_ascii=False))
            except (ValueError, RecursionError):
                raise error from None
            return cls.model_validate_json(mended)


def without_halves(text: str) -> str:
    """Return the text with U+FFFD for each half of a surrogate pair, which JSON can say and UTF-8 cannot."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class ChatProvider(Provider[ChatRequest, ChatReply]):
    """A provider of completions."""

    _unknown: frozenset[str] = frozenset()
    """Bounds of schemas that the interface rejected."""

    def __init__(self, entry: ApiChatEntry) -> None:
        self.entry: ApiChatEntry = entry

    @override
    def reduced(self, request: ChatRequest) -> ChatRequest:
        return replace(request, bounds=tuple(bound for bound in request.bounds if bound not in self._unknown))

    @override
    def leaves_out(self, request: ChatRequest, message: str) -> bool:
        words = {word.replace("_", "").lower() for word in re.split(r"\W+", message)}
        named = {bound for bound in request.bounds if bound.lower() in words}
        if new := named - self._unknown:
            left = ", ".join(bound for bound in self.entry.bounds if bound not in self._unknown | named)
            LOGGER.warning(
                f"warning: {self.entry.identity} does not know {', '.join(sorted(new))} in a schema; this job leaves "
                "it out, so answers are not held to it. To leave it out from the start, which makes other requests, "
                f"write in the entry: capabilities: {{bounds: [{left}]}}"
            )
        self._unknown |= named
        return bool(named)

    @abstractmethod
    def reply(self, request: ChatRequest, content: bytes, seconds: float) -> ChatReply:
        """Return the reply to a request; raises ``pydantic.ValidationError`` if the content is no answer at all."""

    @override
    def read(self, request: ChatRequest, content: bytes, seconds: float) -> tuple[ChatReply, float | None]:
        reply = self.reply(request, content, seconds)
        if free := self._unknown.intersection(request.bounds):
            reply = replace(reply, engine=canonical({"not_held_to": sorted(free)}))
        if reply.prompt_tokens is None or reply.completion_tokens is None:
            return reply, None
        return reply, reply.prompt_tokens + reply.completion_tokens

    @override
    def tokens(self, request: ChatRequest) -> float:
        characters = sum(len(message.content) for message in request.messages)
        return characters / CHARACTERS_A_TOKEN + request.max_tokens

    @override
    def unanswered(self, request: ChatRequest, fault: PassingFault | Declined, seconds: float) -> ChatReply:
        outcome = fault.outcome if isinstance(fault, Declined) else Ending.FAILED
        return ChatReply(request.key, outcome, seconds=seconds, error=" ".join(str(fault).split()))


def given(settings: Mapping[str, object]) -> dict[str, object]:
    """Return the settings that are not None."""
    return {name: value for name, value in settings.items() if value is not None}


def completed(
    key: str, text: str, finish: str | None, *, truncated: bool, refusal: str | None = None, **more: Any
) -> ChatReply:
    """Return the reply to a request, with its outcome.

    ``finish`` is the provider's own word for why it stopped, ``refusal`` what the model or a filter said instead of an
    answer, empty for a refusal without words.
    """
    written = text.rstrip()
    error = None
    if refusal is not None:
        outcome = Ending.REFUSED
    elif not text:
        outcome = Ending.EMPTY
        remedy = "; raise limits.tokens" if truncated else ""
        error = f"no text (finish_reason {finish}){remedy}"
    elif not written or (truncated and len(text) - len(written) >= _BLANK_RUN):
        outcome = Ending.BLANK
    else:
        outcome = Ending.TRUNCATED if truncated else Ending.ANSWERED
    return ChatReply(key, outcome, text=refusal or text or None, finish_reason=finish, error=error, **more)


class EmbeddingProvider(Provider["EmbeddingRequest", "EmbeddingReply"]):
    """A provider of embeddings."""

    def __init__(self, entry: ApiEmbeddingEntry) -> None:
        self.entry: ApiEmbeddingEntry = entry
        self._width = entry.output_dimensions

    @abstractmethod
    def rows(
        self, request: EmbeddingRequest, content: bytes
    ) -> tuple[Sequence[npt.NDArray[np.float32]], int | None, str | None]:
        """Return a vector for each text, in their order; the tokens of all; the model that answered."""

    @override
    def tokens(self, request: EmbeddingRequest) -> float:
        return sum(map(len, self.prompted(request))) / CHARACTERS_A_TOKEN

    @override
    def unanswered(self, request: EmbeddingRequest, fault: PassingFault | Declined, seconds: float) -> EmbeddingReply:
        from nlfol.models.vectors.request import EmbeddingReply

        declined = isinstance(fault, Declined)
        error = " ".join(str(fault).split())
        return EmbeddingReply(request.key, Ending.FAILED, seconds=seconds, error=error, declined=declined)

    @override
    def read(self, request: EmbeddingRequest, content: bytes, seconds: float) -> tuple[EmbeddingReply, float | None]:
        import numpy as np

        from nlfol.models.vectors.request import EmbeddingReply

        rows, tokens, model = self.rows(request, content)
        for width in sorted({len(row) for row in rows}):
            self._width = self._width or width
            if width != self._width:
                raise ChatError(
                    f"{self.entry.identity}: a vector of {width} dimensions came where {self._width} are expected; "
                    "correct output_dimensions, or leave it out"
                )
        vectors = np.stack(rows)
        if not np.isfinite(vectors).all():
            raise PassingFault("a vector with numbers that are not finite")
        reply = EmbeddingReply(
            request.key, Ending.ANSWERED, vectors, tokens=tokens, seconds=seconds, served_model=model
        )
        return reply, tokens

    def prompted(self, request: EmbeddingRequest) -> list[str]:
        """Return the texts with the prompt of their role."""
        prompt = self.entry.prompt(request.role)
        return [prompt + text for text in request.texts]


def vector(numbers: Iterable[float]) -> npt.NDArray[np.float32]:
    """Return a vector of float32; a number beyond its range becomes infinite, which is refused with the reply."""
    import numpy as np

    with np.errstate(over="ignore"):
        return np.asarray(numbers, dtype=np.float64).astype(np.float32)


AnyProvider = Provider[Any, Any]
"""A provider of either kind."""
