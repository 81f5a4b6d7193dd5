"""A key reaches no file, whatever an interface does; the server is real and shows the key wherever it can."""

import secrets
from pathlib import Path

import pytest
from tests.stored import stored
from tests.unit.asking.conversations import ask

from nlfol.asking.adherence import list_failures, refuse_failures
from nlfol.models.api.chat import ApiChat
from nlfol.models.journal.journal import Journal
from nlfol.store import files, schemas
from nlfol.store.logs import LOGGER, job_log

from .chat_server import ChatServer, Scripted, completion, error
from .conftest import openai_entry, request

# Drawn anew, so that not even a copy of this file holds it.
KEY = f"sk-{secrets.token_hex(16)}"
SHOWN = {"WWW-Authenticate": f"Bearer {KEY}", "X-Key": KEY}
SHOWING = {**completion(f"It is {KEY}.", reasoning=f"The key is {KEY}"), "id": KEY, "model": KEY}
PASSING = [
    Scripted(429, error(f"busy, {KEY}"), SHOWN), Scripted(500, f"<html>{KEY}</html>", SHOWN),
    Scripted(503, error("x" * 250 + KEY)), Scripted(body=f'{{"choices": "{KEY}'), Scripted(body={"key": KEY}),
    Scripted(body=SHOWING, manner="cut"), Scripted(manner="reset"),
]  # fmt: skip
DECLINED = [
    Scripted(400, error(f"no {KEY}", KEY, KEY), SHOWN),
    Scripted(400, error(f"content filter {KEY}", "content_filter")),
    Scripted(418, error(KEY), {"Location": KEY}),
    Scripted(body={**SHOWING, "system_fingerprint": KEY}),
    Scripted(body=completion(None, KEY)),
]
FATAL = [
    Scripted(401, error(f"Incorrect API key provided: {KEY}", "invalid_api_key"), SHOWN),
    Scripted(402, error(KEY)),
    Scripted(403, error(KEY)),
    Scripted(404, error(KEY)),
    Scripted(307, KEY, {"Location": f"http://127.0.0.1:9/{KEY}"}),
    Scripted(400, error(f"temperature is not supported for {KEY}", param="temperature")),
]


def run(folder: Path, server: ChatServer, texts: list[str]) -> None:
    """Run a job from the question to its files."""
    entry = openai_entry(server.url, api_key_env="NLFOL_TEST_KEY", retries=0)
    chat = ApiChat(entry, folder / "sharers")
    with job_log(str(folder / "log")), Journal(folder / "journal.jsonl") as journal:
        replies = ask(chat, [request(chat.identity, text) for text in texts], journal)
        list_failures(folder / "journal.jsonl", replies.values())
        names = ("thinking", "response_id", "served_model", "error", "finish_reason", "fingerprint")
        rows = [
            stored(schemas.RESPONSES, item="1", outcome=reply.outcome.value, answer=reply.text)
            | {name: getattr(reply, name) for name in names}
            for reply in replies.values()
        ]
        files.write(folder / "responses.arrow", schemas.RESPONSES, rows, {"identity": chat.identity})
        for reply in replies.values():
            LOGGER.info(str(reply))
        refuse_failures(entry, "tiny", replies.values(), len(replies))


def holding(folder: Path, text: str) -> list[str]:
    """The files with a text in their content or name, as it is or as Arrow packs it."""
    found = []
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            if path.suffix == ".arrow":
                content += str(files.rows(path, schemas.RESPONSES)).encode()
            if text in path.name or text.encode() in content:
                found.append(path.name)
    return sorted(found)


@pytest.mark.parametrize(
    "script",
    [
        {str(number): [fault] for number, fault in enumerate([*PASSING, *DECLINED])},
        *({"0": [fault]} for fault in FATAL),
    ],
)
def test_key_reaches_neither_files_nor_output(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    script: dict[str, list[Scripted]],
) -> None:
    monkeypatch.setenv("NLFOL_TEST_KEY", KEY)
    with ChatServer(script) as server, pytest.raises(SystemExit):
        run(tmp_path, server, [*script, "answered"])
    # The search finds what is there.
    assert {"journal.jsonl", "log"} & set(holding(tmp_path, "tiny"))
    # Half a key is as much as the provider itself shows in its messages.
    assert holding(tmp_path, KEY[:20]) == []
    captured = capsys.readouterr()
    assert KEY[:20] not in captured.out + captured.err
    if len(script) > 1:
        assert {"journal.jsonl", "journal.jsonl.failed", "responses.arrow"} <= set(holding(tmp_path, "***"))


def test_openai_environment_stays_unsent_to_other_interfaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLFOL_TEST_KEY", KEY)
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, f"other-{KEY}")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"X-Gateway: other-{KEY}\nX-More: other-{KEY}")
    with ChatServer() as server:
        run(tmp_path, server, ["one"])
    (head,) = server.heads
    assert head.count(KEY) == 1
    assert f"Bearer {KEY}" in head
