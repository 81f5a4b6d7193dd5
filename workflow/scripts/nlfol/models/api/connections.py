"""HTTP connections for many requests at once.

httpx2's pool looks at each of its connections, and asks the kernel about it, whenever a request starts or ends: with 64
under way that is a third of a client's work. Here every request takes a connection of its own from a stack, whose cost
does not grow with their number; the last one used is taken first, so that no more are kept open than are needed.
"""

from __future__ import annotations

import httpx2

_LARGEST = 256 << 20
"""Bytes of a response: 2,048 vectors of 4,096 numbers, written out, are fewer."""


class Lanes(httpx2.AsyncBaseTransport):
    """One connection a request under way; responses are read whole."""

    def __init__(self) -> None:
        # Reading the certificates takes longer than a request.
        self._context = httpx2.create_ssl_context()
        self._limits = httpx2.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=60.0)
        self._all: list[httpx2.AsyncHTTPTransport] = []
        self._free: list[httpx2.AsyncHTTPTransport] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request on a connection that is free, or on a new one."""
        lane = self._free.pop() if self._free else self._open()
        try:
            response = await lane.handle_async_request(request)
            try:
                content = await _read(response)
            finally:
                await response.aclose()
        finally:
            self._free.append(lane)
        headers = httpx2.Headers(response.headers)
        # The content is no longer compressed.
        headers.pop("Content-Encoding", None)
        return httpx2.Response(
            response.status_code, headers=headers, stream=httpx2.ByteStream(content), extensions=response.extensions
        )

    async def aclose(self) -> None:
        """Close all connections."""
        for lane in self._all:
            await lane.aclose()

    def _open(self) -> httpx2.AsyncHTTPTransport:
        lane = httpx2.AsyncHTTPTransport(verify=self._context, limits=self._limits)
        self._all.append(lane)
        return lane


async def _read(response: httpx2.Response) -> bytes:
    """The content of a response, its compression undone.

    Raises:
        httpx2.DecodingError: if there is more than anybody asked for, which a few bytes can unfold to.
    """
    parts, size = [], 0
    async for part in response.aiter_bytes():
        parts.append(part)
        size += len(part)
        if size > _LARGEST:
            raise httpx2.DecodingError(f"a body of more than {_LARGEST >> 20} MiB")
    return b"".join(parts)
