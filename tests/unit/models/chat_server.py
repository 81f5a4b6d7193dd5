"""An OpenAI-compatible server on the loopback that does exactly what a test tells it, faults of the wire included.

Scripted by request: a test gives what happens at the first, second, ... attempt of each, by its last message.
After its script a request is answered. Nothing is drawn by chance.
"""

import asyncio
import json
import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from nlfol.models.api.probing import HELD_ANSWERS, QUESTION

_RESET = struct.pack("ii", 1, 0)


@dataclass(frozen=True)
class Scripted:
    """The server's reaction to one attempt.

    Attributes:
        status: of the response.
        body: of the response; text as it is, anything else as JSON.
        headers: added to the response.
        manner: whether the response comes ``whole``, is ``cut`` off in the middle, ``drip``s byte by byte,
            or instead of one the connection is ``reset`` or left to ``hang``.
    """

    status: int = 200
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)
    manner: Literal["whole", "cut", "drip", "reset", "hang"] = "whole"

    def bytes(self) -> bytes:
        """The response on the wire."""
        body = (self.body if isinstance(self.body, str) else json.dumps(self.body, ensure_ascii=False)).encode()
        headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), **self.headers}
        head = [f"HTTP/1.1 {self.status} Scripted", *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join([*head, "", ""]).encode() + body


def completion(content: str | None, finish: str = "stop", **said: Any) -> dict[str, Any]:
    """The body of a response; further arguments go into the message."""
    message = {"role": "assistant", "content": content, "refusal": None, **said}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "tiny-2026-01-01",
        "system_fingerprint": "fp_1",
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": {
            "prompt_tokens": 11,
            "completion_tokens": 7,
            "total_tokens": 18,
            "prompt_tokens_details": {"cached_tokens": 4},
            "completion_tokens_details": {"reasoning_tokens": 3},
        },
    }


def error(message: str, code: str | None = None, param: str | None = None) -> dict[str, Any]:
    """The body of an error as OpenAI writes it."""
    return {"error": {"message": message, "type": "some_error", "param": param, "code": code}}


HELD = Scripted(body=completion(json.dumps(HELD_ANSWERS[0])))
"""The answer of a server that holds answers to their schema, where it is asked whether it does."""


def answered(text: str) -> Scripted:
    """The answer that names what was asked, so that a test sees to whom an answer went."""
    return Scripted(body=completion(json.dumps({"reasoning": "", "answer": text}, ensure_ascii=False)))


class ChatServer:
    """The server, in a thread of its own while the context lasts.

    Args:
        script: what happens at the attempts of a request, by its last message.
        seconds: from the arrival of a request to its response.
        every: what happens to every attempt instead, given the request's body; None of it goes by the script.
        page: what requests without a body are answered with, given their head; they are not counted.
        port: where it listens; 0 is any.
    """

    def __init__(
        self,
        script: Mapping[str, Sequence[Scripted]] | None = None,
        seconds: float = 0.0,
        every: Callable[[dict[str, Any]], Scripted | None] | None = None,
        page: Callable[[str], Scripted] | None = None,
        port: int = 0,
    ) -> None:
        self._script = script or {}
        self.seconds = seconds
        self.every = every
        self._page = page
        self._port = port
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self.asked: list[str] = []
        """The last message, or first text, of every attempt, in the order of arrival."""
        self.bodies: list[dict[str, Any]] = []
        self.heads: list[str] = []
        self.inside = 0
        """Attempts that are inside now."""
        self.tried = 0
        """Count of probes of its schemas; without ``every`` it claims to obey them."""
        self.most = 0
        """Attempts that were inside at once."""
        self.url = ""

    @property
    def attempts(self) -> Counter[str]:
        """Count of attempts by text."""
        return Counter(self.asked)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._connection, "127.0.0.1", self._port, backlog=1024)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        self._ready.set()
        await self._stop.wait()
        server.close()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                if self._page and head.startswith(b"GET "):
                    if not await _write(self._page(head.decode()), writer):
                        break
                    continue
                length = next(
                    int(line.partition(b":")[2])
                    for line in head.lower().splitlines()
                    if line.startswith(b"content-length")
                )
                if not await self._respond(head.decode(), json.loads(await reader.readexactly(length)), writer):
                    break
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass  # the client, or the test, is done
        finally:
            writer.close()

    async def _respond(self, head: str, body: dict[str, Any], writer: asyncio.StreamWriter) -> bool:
        """Respond; return True if the connection goes on."""
        text = _asked(body)
        if text == QUESTION and self.every is None:
            self.tried += 1
            return await _write(HELD, writer)
        before = self.attempts[text] if text in self._script else 0
        self.asked.append(text)
        self.bodies.append(body)
        self.heads.append(head)
        self.inside += 1
        self.most = max(self.most, self.inside)
        try:
            await asyncio.sleep(self.seconds)
            scripted = self.every and self.every(body)
            if scripted is None:
                steps = self._script.get(text, ())
                scripted = steps[before] if before < len(steps) else answered(text)
            return await _write(scripted, writer)
        finally:
            self.inside -= 1


def _asked(body: dict[str, Any]) -> str:
    """The last message of a dialogue, or the first of the texts to encode."""
    if "messages" in body:
        return str(body["messages"][-1]["content"])
    return str(body["input"][0])


async def _write(scripted: Scripted, writer: asyncio.StreamWriter) -> bool:
    wire = scripted.bytes()
    match scripted.manner:
        case "whole":
            writer.write(wire)
        case "cut":
            writer.write(wire[: len(wire) - 10])
            await writer.drain()
            return False
        case "drip":
            for byte in wire:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0.05)
        case "reset":
            connection = writer.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            writer.transport.abort()
            return False
        case "hang":
            await asyncio.sleep(3600)
    await writer.drain()
    return True
