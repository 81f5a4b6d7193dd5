"""Connections to an interface: TLS, the end of a connection, and what is sent over it."""

import asyncio
import json
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from nlfol.models.api import client
from nlfol.models.api.client import Client
from nlfol.models.providers.base import PassingFault
from nlfol.models.providers.registry import provider

from .chat_server import ChatServer, Scripted, completion
from .conftest import openai_entry

# Of nobody: for the names localhost and 127.0.0.1, for a hundred years.
CERTIFICATE = """\
-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUD55h5/iiblG2p1OMORRF/s0Ma5QwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEzMDA0NTc0N1oYDzIxMjYxMTA2
MDQ1NzQ3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQZmwrMUwT/NMoMq9koWWP9KGkYx6erx8VlM8bQywY1shsh9W1UAJ9e
ePQi5NfdJ/7V3M+sDaFyGeqV8teJpfQ+o28wbTAdBgNVHQ4EFgQUudVkUfzF7ROR
0oAldlNs3m0JFnwwHwYDVR0jBBgwFoAUudVkUfzF7ROR0oAldlNs3m0JFnwwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAIRGPYbdzFy7sx1+BWGXyzD8Hd3K4BxSBji9YEOF3dX8AiEA
xEPCXIicyYVzh1QdzRs4+vaaQqAXv516T3qssHiwi2Q=
-----END CERTIFICATE-----
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5WYCYR18JZIq5njC
7ccSpfhxEYyrusdRbmYka62S4qKhRANCAAQZmwrMUwT/NMoMq9koWWP9KGkYx6er
x8VlM8bQywY1shsh9W1UAJ9eePQi5NfdJ/7V3M+sDaFyGeqV8teJpfQ+
-----END PRIVATE KEY-----
"""
LONG = "\u2200x " * 400_000
BODY = {"messages": [{"content": "one"}]}
PATH = "/chat/completions"


@pytest.fixture
def secure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HTTPServer]:
    """A server with a certificate that the client trusts."""
    file = tmp_path / "certificate.pem"
    file.write_text(CERTIFICATE, encoding="ascii")
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    client._certificates.cache_clear()
    with HTTPServer(host="127.0.0.1", ssl_context=context) as server:
        yield server
    client._certificates.cache_clear()


def posted(url: str, *bodies: Mapping[str, object]) -> list[bytes]:
    """The replies to requests that one client sends, one after the other."""

    async def post() -> list[bytes]:
        asking = Client(provider(openai_entry(url, concurrency=1)), None)
        try:
            return [await asking.post(PATH, body) for body in bodies]
        finally:
            await asking.close()

    return asyncio.run(post())


def test_client_reads_long_reply_over_tls(secure: HTTPServer) -> None:
    secure.expect_request(f"/v1{PATH}").respond_with_json(completion(LONG))
    sent: dict[str, object] = {"messages": [{"content": LONG}]}
    for reply in posted(secure.url_for("/v1"), sent, sent):
        assert json.loads(reply)["choices"][0]["message"]["content"] == LONG
    assert [json.loads(request.data) for request, _ in secure.log] == [sent, sent]


def test_client_refuses_unknown_certificate(secure: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(PassingFault, match="CERTIFICATE_VERIFY_FAILED") as caught:
        posted(secure.url_for("/v1"), BODY)
    assert not caught.value.charged


@contextmanager
def closing_server(connections: list[bytes]) -> Iterator[str]:
    """A server that closes each connection after one reply, without a word before; what arrived at once is noted."""
    ready, url = threading.Event(), ""
    stop: asyncio.Future[None]

    async def serve() -> None:
        nonlocal url, stop

        async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connections.append(await reader.read(1 << 16))
            writer.write(Scripted(body=completion("P(a)")).bytes())
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(respond, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        stop = asyncio.get_running_loop().create_future()
        ready.set()
        await stop
        server.close()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait()
    yield url
    stop.get_loop().call_soon_threadsafe(stop.set_result, None)
    thread.join()


def test_client_opens_another_connection_after_server_closed_one() -> None:
    connections: list[bytes] = []
    with closing_server(connections) as url:
        replies = posted(url, BODY, BODY, BODY)
    assert len(replies) == len(connections) == 3


def test_client_sends_head_and_body_at_once() -> None:
    connections: list[bytes] = []
    with closing_server(connections) as url:
        posted(url, BODY)
    head, _, body = connections[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /v1/chat/completions HTTP/1.1\r\n")
    assert json.loads(body) == BODY


def test_client_keeps_no_cookies() -> None:
    script = {"one": [Scripted(body=completion("P(a)"), headers={"Set-Cookie": "session=1"})]}
    with ChatServer(script) as server:
        posted(server.url, BODY, BODY)
    assert len(server.heads) == 2
    assert "cookie" not in "".join(server.heads).lower()
