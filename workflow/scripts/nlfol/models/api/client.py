"""A provider's client for one interface, with replies that have an end."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import httpx2

from nlfol.models.api.faults import Rejection
from nlfol.models.entries.interface import Interface
from nlfol.models.providers.base import AnyProvider, PassingFault
from nlfol.models.request import ChatError

LARGEST_REPLY = 256 << 20
"""Bytes: 2,048 vectors of 4,096 numbers, written out, are fewer."""


class Client:
    """The client that sends an interface's requests; use it from one event loop, and close it.

    Args:
        provider: whose client it is.
        key: None for an interface without keys.
        largest: bytes of a reply, decompressed, at most; None is ``LARGEST_REPLY``.

    Raises:
        ChatError: if the provider's package is not installed, or the environment names a proxy that cannot be used.
    """

    def __init__(self, provider: AnyProvider, key: str | None, *, largest: int | None = None) -> None:
        entry = provider.entry
        try:
            self._sdk = import_module(provider.sdk)
        except ImportError:
            raise ChatError(
                f"{entry.identity}: backend {entry.backend} needs the package {provider.sdk}; "
                "pip install -c constraints.txt -r requirements-providers.txt"
            ) from None
        # Connections stay open for a minute: to open one takes longer than to ask a fast server.
        limits = httpx2.Limits(
            max_connections=entry.concurrency, max_keepalive_connections=entry.concurrency, keepalive_expiry=60.0
        )
        settings: dict[str, Any] = {"limits": limits, "timeout": entry.timeout}
        if is_loopback(urlsplit(entry.url).hostname or ""):
            settings["transport"] = httpx2.AsyncHTTPTransport(limits=limits)
        with _usable_proxies(entry):
            # A key goes to the address it was given for, and to no other.
            self._http = BoundedClient(largest or LARGEST_REPLY, follow_redirects=False, **settings)
        if key is None or entry.key_header:
            self._http.omitted = (*self._http.omitted, "authorization")
        self.sdk: Any = provider.client(self._sdk, key, self._http)
        """The package's own client."""

    async def post(self, path: str, body: dict[str, Any]) -> bytes:
        """Send a request and return the reply as it came.

        Raises:
            TimeoutError: if a part of it takes longer than the entry's ``timeout``.
            Rejection: if its status is no success.
            PassingFault: if the connection breaks, or the reply does not end.
        """
        with self.sorted_faults():
            response: httpx2.Response = await self.sdk.post(path, body=body, cast_to=httpx2.Response)
            return response.content

    async def get(self, path: str, timeout: float) -> bytes:
        """Read a page; see ``post``."""
        with self.sorted_faults():
            response: httpx2.Response = await self.sdk.get(path, cast_to=httpx2.Response, options={"timeout": timeout})
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
            raise PassingFault(f"{type(broken).__name__}: {broken}{cause}") from None

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()


class BoundedClient(httpx2.AsyncClient):
    """Reads responses whole, and none of more bytes than ``largest`` once decompressed."""

    omitted: tuple[str, ...] = ("x-stainless-read-timeout", "x-stainless-retry-count", "x-stainless-timeout")
    """Headers that clients insist on, and that are not sent."""

    def __init__(self, largest: int, **settings: Any) -> None:
        super().__init__(**settings)
        self._largest = largest

    async def send(self, request: httpx2.Request, *, stream: bool = False, **settings: Any) -> httpx2.Response:
        """Send a request; raises ``httpx2.DecodingError`` if its response is larger than that."""
        for name in self.omitted:
            request.headers.pop(name, None)
        response = await super().send(request, stream=True, **settings)
        try:
            content = await self._read(response)
        finally:
            await response.aclose()
        headers = httpx2.Headers(response.headers)
        # The content is no longer compressed.
        headers.pop("Content-Encoding", None)
        return httpx2.Response(
            response.status_code, headers=headers, content=content, request=request, extensions=response.extensions
        )

    async def _read(self, response: httpx2.Response) -> bytes:
        parts, size = [], 0
        async for part in response.aiter_bytes():
            parts.append(part)
            size += len(part)
            if size > self._largest:
                raise httpx2.DecodingError(f"a body of more than {self._largest >> 20} MiB")
        return b"".join(parts)


def key_of(entry: Interface) -> str | None:
    """Return the key, from the environment variable that the entry names; None for an interface without.

    Raises:
        ChatError: if the variable is not set, or holds what no header can carry.
    """
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


@contextmanager
def _usable_proxies(entry: Interface) -> Iterator[None]:
    try:
        yield
    except (ImportError, ValueError, httpx2.InvalidURL) as error:
        # The client takes proxies from the environment when it is made; what else it is given was validated.
        socks = "pip install socksio for a SOCKS proxy, or " if isinstance(error, ImportError) else ""
        raise ChatError(
            f"{entry.identity}: a proxy that the environment names cannot be used ({error}); {socks}correct "
            "http_proxy, https_proxy and all_proxy, or unset them"
        ) from None
