"""Lines of a batch: requests as JSON Lines, and their answers."""

import json
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final

from pydantic import Field, ValidationError

from nlfol.models.api.exchange import blotted
from nlfol.models.api.faults import Rejection, sorted_fault
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.providers.base import BESIDE, Body, Declined, Word
from nlfol.models.providers.openai import Completion, OpenaiChat, body
from nlfol.models.request import ChatError, ChatReply, ChatRequest

ENDPOINT: Final = "/v1/chat/completions"


class _Response(Body):
    status_code: int = 200
    body: Any = None


class _Error(Body):
    code: Word = None
    message: Word = None


class _Line(Body):
    custom_id: str = Field(min_length=1)
    response: _Response | None = None
    error: Annotated[_Error | None, BESIDE] = None


@dataclass(slots=True)
class Returned:
    """Answers of a batch, sorted: replies, and why a request is to be asked again, by request key.

    ``fatal`` says why asking more would not help, ``others`` are keys that were not looked for, ``ignored`` counts
    lines that say nothing new or cannot be read.
    """

    replies: dict[str, ChatReply] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    fatal: ChatError | None = None
    others: set[str] = field(default_factory=set)
    ignored: int = 0


def parts(
    entry: ApiChatEntry, requests: Iterable[ChatRequest], most: int, size: float
) -> Iterator[list[tuple[ChatRequest, bytes]]]:
    """Yield the requests with their lines in non-empty parts, limited in requests (``most``) and bytes (``size``)."""
    part: list[tuple[ChatRequest, bytes]] = []
    length = 0
    for request in requests:
        line = _line(entry, request)
        if part and (len(part) == most or length + len(line) > size):
            yield part
            part, length = [], 0
        part.append((request, line))
        length += len(line)
    if part:
        yield part


def _line(entry: ApiChatEntry, request: ChatRequest) -> bytes:
    sent = {"custom_id": request.key, "method": "POST", "url": ENDPOINT, "body": body(entry, request)}
    return json.dumps(sent, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def read_lines(
    entry: ApiChatEntry, key: str | None, files: Sequence[bytes], *, wanted: Container[str], batch: str
) -> Returned:
    """Read a batch's files, answers before errors, for the wanted keys; the first answer to a request counts."""
    returned = Returned()
    for line in (line for content in files for line in content.splitlines() if line.strip()):
        try:
            read = _Line.read(line)
        except ValidationError:
            returned.ignored += 1
            continue
        if read.custom_id not in wanted:
            if read.response is not None and read.response.status_code == 200:
                returned.others.add(read.custom_id)
        elif read.custom_id in returned.replies:
            returned.ignored += 1
        else:
            _take(returned, read, entry, key, batch)
    for name in returned.replies:
        returned.faults.pop(name, None)
    return returned


def _take(returned: Returned, line: _Line, entry: ApiChatEntry, key: str | None, batch: str) -> None:
    response = line.response
    if response is None or response.body is None:
        error = line.error or _Error()
        returned.faults[line.custom_id] = f"{error.code or 'no response'}: {error.message or ''}"
        return
    if response.status_code != 200:
        fault = sorted_fault(_rejection(response), entry, dict.fromkeys(entry.bounds), OpenaiChat.remedies)
        if isinstance(fault, Declined):
            declined = ChatReply(line.custom_id, fault.outcome, error=" ".join(str(fault).split()), batch=batch)
            returned.replies[line.custom_id] = blotted(declined, key)
        elif isinstance(fault, ChatError):
            returned.fatal = returned.fatal or fault
        else:
            returned.faults[line.custom_id] = str(fault)
        return
    try:
        completion = Completion.model_validate(response.body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        returned.faults[line.custom_id] = f"no completion: {'.'.join(map(str, first['loc']))}: {first['msg']}"
        return
    reply = replace(completion.reply(line.custom_id, None), batch=batch)
    returned.replies[line.custom_id] = blotted(reply, key)


def _rejection(response: _Response) -> Rejection:
    error = response.body.get("error", response.body) if isinstance(response.body, dict) else response.body
    message = str(error.get("message", error)) if isinstance(error, dict) else str(error)
    return Rejection(response.status_code, message, error)
