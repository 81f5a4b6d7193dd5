"""A provider's client for one interface, with replies that have an end."""

import asyncio
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib import import_module
from ipaddress import ip_address
from ssl import SSLContext
from typing import Any
from urllib.parse import urlsplit

import httpx2
from typing_extensions import override

from nlfol.mappings import JsonDict
from nlfol.models.api.connection import KEPT, DirectTransport
from nlfol.models.api.faults import Rejection
from nlfol.models.entries.interface import Interface
from nlfol.models.providers.base import AnyProvider, PassingFault
from nlfol.models.request import ChatError
from nlfol.store.logs import LOGGER

LARGEST_REPLY = 256 << 20
"""Bytes: 2,048 vectors of 4,096 numbers, written out, are fewer."""

_STAGGER = 0.0015
"""Seconds between two of the first requests: sent at once, each would wait for all others, and so would its reply."""


class Client:
    """The client that sends an interface's requests; use it from one event loop, and close it.

    A decompressed reply has at most ``largest`` bytes. ``ChatError`` without the provider's package, or a usable proxy.
    """

    def __init__(self, provider: AnyProvider, key: str | None, *, largest: int | None = None) -> None:
        entry = provider.entry
        self._url = entry.url.rstrip("/")
        self._concurrency = entry.at_once
        self._posts = 0
        try:
            self._sdk = import_module(provider.sdk)
        except ImportError:
            raise ChatError(
                f"{entry.identity}: backend {entry.backend} needs the package {provider.sdk}; "
                "pip install -c constraints.txt -r requirements-providers.txt"
            ) from None
        proxied = not is_loopback(urlsplit(entry.url).hostname or "")
        if proxied and key is not None and entry.url.startswith("http:"):
            LOGGER.warning(f"warning: {entry.identity}: http:// sends the key where others can read it; use https://")
        try:
            self._http = BoundedClient(largest or LARGEST_REPLY, timeout=entry.timeout, proxied=proxied)
        except (ImportError, ValueError, httpx2.InvalidURL) as error:
            # The client takes proxies from the environment when it is made; what else it is given was validated.
            socks = "pip install socksio for a SOCKS proxy, or " if isinstance(error, ImportError) else ""
            raise ChatError(
                f"{entry.identity}: a proxy that the environment names cannot be used ({error}); {socks}correct "
                "http_proxy, https_proxy and all_proxy, or unset them"
            ) from None
        if key is None or entry.key_header:
            self._http.omitted = (*self._http.omitted, "authorization")
        self.sdk: Any = provider.client(self._sdk, key, self._http)
        """The package's own client."""
        # Otherwise each of the first requests finds it out, in a thread, for a header that is not sent.
        self.sdk._platform = "Unknown"
        # For each request it would take longer than to write its body.
        self.sdk._prepare_url = lru_cache(self.sdk._prepare_url)

    async def post(self, path: str, body: Mapping[str, object]) -> bytes:
        """Send a request and return the reply as it came.

        Raises ``TimeoutError`` if a part of it takes longer than the entry's ``timeout``, ``Rejection`` if its status
        is no success, ``PassingFault`` if the connection breaks, or the reply does not end.
        """
        if self._posts < self._concurrency:
            self._posts += 1
            await asyncio.sleep(_STAGGER * (self._posts - 1))
        with self.sorted_faults():
            response: httpx2.Response = await self.sdk.post(self._url + path, body=body, cast_to=httpx2.Response)
            return response.content

    async def get(self, path: str, timeout: float) -> bytes:
        """Read a page; see ``post``."""
        with self.sorted_faults():
            options = {"timeout": timeout}
            response: httpx2.Response = await self.sdk.get(self._url + path, cast_to=httpx2.Response, options=options)
            return response.content

    @contextmanager
    def sorted_faults(self) -> Iterator[None]:
        """Raise the errors of the package's client as ``post`` does."""
        try:
            yield
        except self._sdk.APITimeoutError:
            raise TimeoutError from None
        except self._sdk.APIStatusError as error:
            raise Rejection.of(error.response) from None
        except (self._sdk.APIConnectionError, httpx2.HTTPError) as error:
            broken = error if isinstance(error, httpx2.HTTPError) else error.__cause__ or error
            cause = f" ({broken.__cause__!r})" if broken.__cause__ else ""
            sent = not isinstance(broken, httpx2.ConnectError)
            raise PassingFault(f"{type(broken).__name__}: {broken}{cause}", charged=sent) from None

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()


class BoundedClient(httpx2.AsyncClient):
    """Reads responses whole, and none of more bytes than ``largest`` once decompressed.

    Each connection is by itself: a pool looks at all its connections twice for each request.
    """

    omitted: tuple[str, ...] = ("x-stainless-read-timeout", "x-stainless-retry-count", "x-stainless-timeout")
    """Headers that clients insist on, and that are not sent."""

    def __init__(self, largest: int, *, timeout: float, proxied: bool) -> None:
        self._largest = largest
        self._settings: JsonDict = {
            # A key goes to the address it was given for, and to no other.
            "follow_redirects": False,
            "timeout": timeout,
            "limits": httpx2.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=KEPT),
            "verify": _certificates(),
            "trust_env": proxied,
        }
        super().__init__(**self._settings)
        self._idle: list[httpx2.AsyncBaseTransport] = []
        self._merged = lru_cache(self._merge)

    @override
    def build_request(self, method: str, url: httpx2.URL | str, **settings: Any) -> httpx2.Request:
        headers = settings.pop("headers", ())
        items = headers.multi_items() if isinstance(headers, httpx2.Headers) else headers
        timeout = httpx2.Timeout(settings.pop("timeout", self.timeout))
        return httpx2.Request(
            method,
            _read_url(url),
            headers=self._merged(tuple(items)),
            extensions={"timeout": timeout.as_dict()},
            **settings,
        )

    def _merge(self, headers: tuple[tuple[str, str], ...]) -> httpx2.Headers:
        """Return headers to send with those of every client: for each request it would take longer than to send it."""
        merged = httpx2.Headers(self.headers)
        merged.update(headers)
        return httpx2.Headers([(name, value) for name, value in merged.multi_items() if name not in self.omitted])

    @override
    async def send(self, request: httpx2.Request, **_: Any) -> httpx2.Response:
        # Without what a client does around it for cookies and redirects, of which there are none.
        connection = self._idle.pop() if self._idle else self._connection(request.url)
        try:
            response = await connection.handle_async_request(request)
            try:
                content = await self._read(response)
            finally:
                await response.aclose()
        finally:
            self._idle.append(connection)
        headers = httpx2.Headers(response.headers)
        # The content is no longer compressed.
        headers.pop("Content-Encoding", None)
        return httpx2.Response(
            response.status_code, headers=headers, content=content, request=request, extensions=response.extensions
        )

    def _connection(self, url: httpx2.URL) -> httpx2.AsyncBaseTransport:
        """Return a connection to the one host that is asked, through a proxy where the environment names one."""
        if self._transport_for_url(url) is self._transport:
            return DirectTransport(_certificates())
        return httpx2.AsyncClient(**self._settings)._transport_for_url(url)

    @override
    async def aclose(self) -> None:
        for connection in self._idle:
            await connection.aclose()
        await super().aclose()

    async def _read(self, response: httpx2.Response) -> bytes:
        parts, size = [], 0
        async for part in response.aiter_bytes():
            parts.append(part)
            size += len(part)
            if size > self._largest:
                raise httpx2.DecodingError(f"a body of more than {self._largest >> 20} MiB")
        return b"".join(parts)


_read_url = lru_cache(httpx2.URL)
"""Reads an address once: for each request it would take longer than to write its body."""


@cache
def _certificates() -> SSLContext:
    return httpx2.create_ssl_context()


def key_of(entry: Interface) -> str | None:
    """Return the key from the entry's environment variable, if it names one; ``ChatError`` if unset or unsendable."""
    variable = entry.api_key_env
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ChatError(f"{entry.identity}: environment variable {variable} is not set; put the key there")
    if not (key.isascii() and key.isprintable()):
        # Errors of the client would show it, escaped and so not to be blotted out.
        raise ChatError(
            f"{entry.identity}: environment variable {variable} holds a line break, a typographic quote or another "
            "character that no key has; put the key alone there"
        )
    return key


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine, which no proxy leads to."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
