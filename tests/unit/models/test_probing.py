"""Probes that find in seconds, for free, if an interface can be asked."""

import secrets
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.unit.models.chat_server import ChatServer, Scripted, error
from tests.unit.models.conftest import openai_entry

from check_models import main
from nlfol.asking.chat import open_backend
from nlfol.models.api.probing import ATTEMPTS, SECONDS, probe, reach
from nlfol.models.providers.openai import OpenaiChatEntry
from nlfol.models.request import ChatError, JobFiles

KEY = f"sk-{secrets.token_hex(16)}"
MODELS = Scripted(
    body={"object": "list", "data": [{"id": "tiny-8b", "object": "model", "created": 0, "owned_by": "x"}]}
)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLFOL_TEST_KEY", KEY)


@pytest.fixture
def closed() -> Iterator[str]:
    """An address on this machine where nothing listens."""
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}/v1"


def entry(url: str, **said: Any) -> OpenaiChatEntry:
    return openai_entry(url, **{"model": "tiny-8b", "api_key_env": "NLFOL_TEST_KEY", **said})


def test_unreachable_address_stops_job_before_requests(closed: str, tmp_path: Path) -> None:
    assert ATTEMPTS * (SECONDS + 1) < 10
    with pytest.raises(ChatError, match=r"cannot be reached .*so nothing was asked; correct base_url"):
        open_backend(entry(closed), JobFiles(tmp_path / "journal.jsonl", tmp_path / "sharers"))


def test_probe_waits_for_restarting_server(closed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    listening: list[socket.socket] = []
    later = entry(closed)

    def start(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 2:
            listening.append(socket.create_server(("127.0.0.1", urlsplit(closed).port or 0), reuse_port=True))

    monkeypatch.setattr("nlfol.models.api.probing.time.sleep", start)
    reach(later)
    assert waited == [1, 1]
    listening[0].close()


def test_probe_skips_direct_connection_behind_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    reach(entry("https://nowhere.invalid/v1"))


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (MODELS, "reached; it has tiny-8b"),
        (Scripted(body={"data": []}), "reached; but among its 0 models there is no tiny-8b"),
        (Scripted(404, error("no such page")), "reached; it does not list its models"),
        (Scripted(500, error("broken")), "reached; asked for its models, it answers 500"),
        (Scripted(body="no JSON"), "reached; its list of models cannot be read"),
    ],
)
def test_probe_reads_model_list_if_available(page: Scripted, said: str) -> None:
    with ChatServer(page=lambda _: page) as server:
        assert probe(entry(server.url)) == said
        assert server.asked == []


def test_probe_suggests_nearest_model_name() -> None:
    with ChatServer(page=lambda _: MODELS) as server:
        assert probe(entry(server.url, model="tiny8b")).endswith("there is no tiny8b (did you mean tiny-8b?)")


def test_probe_reports_refused_or_missing_key_without_disclosure() -> None:
    with ChatServer(page=lambda _: Scripted(401, error(f"bad key {KEY}"))) as server:
        with pytest.raises(ChatError, match="the key in NLFOL_TEST_KEY is refused") as refused:
            probe(entry(server.url))
        with pytest.raises(ChatError, match="NLFOL_NO_KEY is not set"):
            probe(entry(server.url, api_key_env="NLFOL_NO_KEY"))
    assert KEY not in str(refused.value)


def test_model_check_reports_all_models_before_failing(closed: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", logger="nlfol")
    with ChatServer(page=lambda _: MODELS) as server:
        entries = {"good": entry(server.url), "lost": entry(closed)}
        with pytest.raises(ChatError, match=r"^lost cannot be asked; see above"):
            main({name: each.model_dump_json() for name, each in entries.items()})
    good, lost = caplog.messages
    assert good == "good: reached; it has tiny-8b"
    assert lost.startswith(f"lost: openai:{closed}/tiny-8b: {closed} cannot be reached")
