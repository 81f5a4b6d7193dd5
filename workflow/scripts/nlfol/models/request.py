"""Requests to dialogue models and their replies, whatever the model.

``answer_schema`` is a JSON schema in a neutral form that every backend translates (``nlfol.models.schema``)::

    {"type": "object", "properties": {"reasoning": {"type": "string", "maxLength": N}, "answer": ANSWER},
     "required": ["reasoning", "answer"], "additionalProperties": false}

where ANSWER is a bounded string, an enumeration of integers or of strings, or a permutation of 1 to n::

    {"type": "array", "items": {"type": "integer", "enum": [1, ..., n]}, "minItems": n, "maxItems": n,
     "uniqueItems": true}

The properties may be others, lists of bounded strings among them, and lists of objects with such properties::

    {"type": "array", "items": OBJECT, "minItems": m, "maxItems": n}
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from functools import cached_property
from itertools import count
from pathlib import Path
from queue import Empty, PriorityQueue
from typing import Any, Generic, Literal, Protocol, TypeVar

from nlfol.store.canonical import canonical, sha256


class ChatError(RuntimeError):
    """A model that cannot be asked at all: asking it something else would not help."""


class AwayError(ChatError):
    """A model that cannot be asked now, or did not answer all: asking it later may help."""

    may_pass = True


_refused: list[list[str]] = []


@contextmanager
def journals_alone(refused: list[str]) -> Iterator[None]:
    """Let nothing be asked of a model meanwhile: ``refuse_alone`` raises, and adds to ``refused`` what was wanted."""
    _refused.append(refused)
    try:
        yield
    finally:
        _refused.pop()


def refuse_alone(identity: str) -> None:
    """Refuse to open a model where journals alone may answer (``journals_alone``); raises ``ChatError`` there."""
    for refused in _refused[-1:]:
        refused.append(identity)
        raise ChatError(f"answers of {identity} are not in the journal, and no model is asked here")


class Ending(StrEnum):
    """End of a request."""

    ANSWERED = "answered"
    TRUNCATED = "truncated"
    """The token limit came before the end of the answer."""
    EMPTY = "empty"
    """No answer was written, perhaps after much reasoning."""
    BLANK = "blank"
    """The answer is white space, or ran on in it to the token limit."""
    REFUSED = "refused"
    """The model, or a filter or limit before it, declined; a retry would not help."""
    FAILED = "failed"
    """There is no answer; a later run asks again."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a dialogue."""

    role: Literal["system", "developer", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class ChatRequest:
    """Everything an answer depends on.

    ``model`` is the backend's ``identity``. A temperature of 0 is greedy; None of it or ``top_p``, in (0, 1], leaves
    the choice to the provider, or of ``top_p`` to the weights. ``bounds`` are those of the schema that an interface is
    sent; ``logprobs`` asks for log-probabilities, too. Without these two, the request has the key that it had before
    they were there.
    """

    model: str
    messages: tuple[Message, ...]
    answer_schema: Mapping[str, object]
    temperature: float | None
    top_p: float | None
    max_tokens: int
    seed: int
    bounds: tuple[str, ...] = ()
    logprobs: bool = False

    @cached_property
    def canonical(self) -> str:
        """The request as canonical JSON: equal for equal requests, however their numbers were written."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values = {name: value for name, value in values.items() if value or name not in ("bounds", "logprobs")}
        return canonical({**values, "messages": [asdict(message) for message in self.messages]})

    @cached_property
    def key(self) -> str:
        """SHA-256 of the canonical JSON, in hexadecimal."""
        return sha256(self.canonical)


@dataclass(frozen=True, slots=True)
class ChatReply:
    """The reply to one request; of what a backend does not tell, None.

    ``text`` is verbatim, of a refusal its words; ``thinking`` is never graded. ``finish_reason``, ``served_model``,
    ``fingerprint``, ``response_id`` and ``batch`` are the provider's own words. ``seconds`` run from sending the
    request, or from starting the batch it was in, to its end. ``cached_tokens`` are of the prompt, ``reasoning_tokens``
    of the completion. ``lost`` of the ``attempts`` brought no reply, but may have been charged. ``engine`` is what it
    was computed with and on, or the bounds that an interface did not know, as canonical JSON; it changes no request's
    key. ``logprob`` is of the answer's tokens (``likelihood``), in nats, ``logprob_tokens`` their number.
    """

    key: str
    outcome: Ending
    text: str | None = None
    thinking: str | None = None
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float | None = None
    error: str | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    served_model: str | None = None
    fingerprint: str | None = None
    response_id: str | None = None
    attempts: int | None = None
    engine: str | None = None
    batch: str | None = None
    lost: int | None = None
    logprob: float | None = None
    logprob_tokens: int | None = None


Q = TypeVar("Q")


class Feed(Generic[Q]):
    """Requests to be asked, those of the earliest step first; one thread may put while another one takes."""

    def __init__(self, requests: Iterable[Q] = ()) -> None:
        self._waiting: PriorityQueue[tuple[int, int, Q]] = PriorityQueue()
        self._numbers = count()
        for request in requests:
            self.put(request)

    def put(self, request: Q, step: int = 0) -> None:
        """Add a request; those of earlier steps of their dialogues are taken first."""
        self._waiting.put((step, next(self._numbers), request))

    def take(self) -> Q | None:
        """Take the next request; None if none waits now."""
        try:
            return self._waiting.get_nowait()[2]
        except Empty:
            return None

    def drain(self) -> list[Q]:
        """Take all requests that wait now."""
        return list(iter(self.take, None))


class ChatBackend(Protocol):
    """A dialogue model, wherever it runs."""

    @property
    def identity(self) -> str:
        """The model with its revision and settings; part of every request to it."""
        ...

    def answer_feed(self, feed: Feed[ChatRequest]) -> Generator[Sequence[ChatReply], None, None]:
        """Yield exactly one reply a request, those that arrive together in one group, in any order.

        A backend may take all that wait now, or go on taking until nothing waits after its last group: what follows
        from a group has joined the feed by the time that the next group is asked for. Raises ``ChatError`` if the model
        cannot be asked at all.
        """
        ...


@dataclass(frozen=True, slots=True)
class Shortage:
    """Why a request is not sent; ``pending`` if requests are under way whose replies may make room."""

    message: str
    pending: bool


@dataclass(frozen=True, slots=True)
class JobFiles:
    """Files and folders that a job needs to ask its model; None for those that it does without.

    ``kept`` is the journal of a dialogue model, or the folder of an embedding model's vectors. Models that run here
    have one for each dataset and task: a vector's last bits depend on what it was encoded beside, and must not depend
    on which other task was asked first. Jobs that ask one interface find one another in ``sharers``.
    """

    kept: Path
    sharers: Path | None = None
    weights: Path | None = None
    service: Path | None = None
    ledger: Any = None
    """The job's ``budget.Ledger``, which is made of requests and so not named here."""
