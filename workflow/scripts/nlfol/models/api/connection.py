"""One connection to an interface: HTTP by httpcore, bytes by asyncio.

The pool and the streams that httpcore has took half of a request's time; a proxy is reached through them all the same.
"""

import asyncio
import select
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ssl import SSLContext
from typing import Any

import httpcore2
import httpx2
from typing_extensions import override

KEPT = 60.0
"""Seconds that a connection stays open: to open one takes longer than to ask a fast server."""

_NEXT_ADDRESS = 0.25
"""Seconds after which a further address of a host is tried beside the ones before it."""


class DirectTransport(httpx2.AsyncHTTPTransport):
    """Sends requests to one host, one at a time, without a proxy."""

    def __init__(self, certificates: SSLContext) -> None:
        super().__init__(verify=certificates)
        self._pool = _Connection(certificates)  # type: ignore[assignment]  # a pool of one


class _Connection:
    """Opens a connection for a request where it has none that is still open."""

    def __init__(self, certificates: SSLContext) -> None:
        self._certificates = certificates
        self._http: httpcore2.AsyncHTTP11Connection | None = None

    async def handle_async_request(self, request: httpcore2.Request) -> httpcore2.Response:
        """Send a request; raises as httpcore does."""
        if self._http is None or self._http.is_closed() or self._http.has_expired():
            await self.aclose()
            stream = await self._opened(request.url.origin, request.extensions["timeout"]["connect"])
            self._http = httpcore2.AsyncHTTP11Connection(request.url.origin, stream, KEPT)
        return await self._http.handle_async_request(request)

    async def aclose(self) -> None:
        """Close the connection."""
        if self._http is not None:
            await self._http.aclose()

    async def _opened(self, origin: httpcore2.Origin, timeout: float | None) -> "_Stream":
        certificates = None
        if origin.scheme == b"https":
            certificates = self._certificates
            certificates.set_alpn_protocols(["http/1.1"])
        with _mapped(httpcore2.ConnectTimeout, httpcore2.ConnectError):
            async with asyncio.timeout(timeout):
                host, port = origin.host.decode("ascii"), origin.port
                ends = await asyncio.open_connection(host, port, ssl=certificates, happy_eyeballs_delay=_NEXT_ADDRESS)
                return _Stream(*ends)


class _Stream(httpcore2.AsyncNetworkStream):
    """The bytes of a connection; what is written is sent with the next read, so that a request goes out as one."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._unsent: list[bytes] = []

    @override
    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with _mapped(httpcore2.ReadTimeout, httpcore2.ReadError):
            async with asyncio.timeout(timeout):
                if self._unsent:
                    self._writer.write(b"".join(self._unsent))
                    self._unsent.clear()
                    # A server may answer before it has read all, and close.
                    with suppress(ConnectionError):
                        await self._writer.drain()
                return await self._reader.read(max_bytes)

    @override
    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._unsent.append(buffer)

    @override
    async def aclose(self) -> None:
        self._writer.transport.abort()

    @override
    def get_extra_info(self, info: str) -> Any:
        if info != "is_readable":
            return self._writer.get_extra_info(info)
        # Between two requests there is nothing to read but the end.
        if self._reader.at_eof() or self._writer.is_closing():
            return True
        poll = select.poll()
        poll.register(self._writer.get_extra_info("socket"), select.POLLIN)
        return bool(poll.poll(0))


@contextmanager
def _mapped(timeout: type[Exception], broken: type[Exception]) -> Iterator[None]:
    try:
        yield
    except TimeoutError as error:
        raise timeout(str(error)) from error
    except OSError as error:
        raise broken(str(error)) from error
