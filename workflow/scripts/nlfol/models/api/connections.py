"""The HTTP client of an interface: httpx2's, whose responses have an end."""

from __future__ import annotations

from typing import Any

import httpx2

_LARGEST = 256 << 20
"""Bytes of a response: 2,048 vectors of 4,096 numbers, written out, are fewer."""


class BoundedClient(httpx2.AsyncClient):
    """Reads responses whole, and none of more than 256 MiB once decompressed, which a few bytes can unfold to."""

    async def send(self, request: httpx2.Request, *, stream: bool = False, **settings: Any) -> httpx2.Response:
        """Send a request; raises ``httpx2.DecodingError`` where its response is larger than anybody asked for."""
        response = await super().send(request, stream=True, **settings)
        try:
            content = await _read(response)
        finally:
            await response.aclose()
        headers = httpx2.Headers(response.headers)
        # The content is no longer compressed.
        headers.pop("Content-Encoding", None)
        return httpx2.Response(
            response.status_code, headers=headers, content=content, request=request, extensions=response.extensions
        )


async def _read(response: httpx2.Response) -> bytes:
    parts, size = [], 0
    async for part in response.aiter_bytes():
        parts.append(part)
        size += len(part)
        if size > _LARGEST:
            raise httpx2.DecodingError(f"a body of more than {_LARGEST >> 20} MiB")
    return b"".join(parts)
