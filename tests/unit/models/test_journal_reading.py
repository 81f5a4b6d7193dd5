"""Journals read while others write them."""

import json
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from nlfol.models.journal.journal import Journal
from nlfol.models.journal.reading import (
    JournalError,
    JournalReader,
    Lines,
    checked,
    read_record,
    read_reply,
    reply_at,
    verify,
)
from nlfol.models.request import ChatReply, ChatRequest, Ending

from .conftest import request


def keep(path: Path, replies: Iterable[tuple[ChatRequest, ChatReply]]) -> None:
    """Write replies as a job does."""
    with Journal(path) as journal:
        journal.append(replies)


def with_checksum(text: str) -> str:
    """A journal's line of a JSON object."""
    return checked(text.removesuffix("}").encode()).decode() + "\n"


def test_journal_reader_follows_concurrent_writer(path: Path) -> None:
    reader = JournalReader(path)
    assert [*reader.fresh()] == []
    first, second = request(text="one"), request(text="two")
    with Journal(path) as journal:
        journal.append([(first, ChatReply(first.key, Ending.ANSWERED, text="1\r2\u2028"))])
        ((asked, reply),) = reader.fresh()
        assert (asked["messages"][-1]["content"], reply.text) == ("one", "1\r2\u2028")
        assert [*reader.fresh()] == []
        journal.append([(second, ChatReply(second.key, Ending.FAILED))])
        assert [reply.key for _, reply in reader.fresh()] == [second.key]


def test_journal_reader_waits_for_complete_line(path: Path) -> None:
    asked = request()
    keep(path, [(asked, ChatReply(asked.key, Ending.ANSWERED))])
    line = path.read_bytes()
    path.write_bytes(line[:50])
    reader = JournalReader(path)
    assert [*reader.fresh()] == []
    path.write_bytes(line)
    assert len([*reader.fresh()]) == 1


@pytest.mark.parametrize(
    ("written", "edited", "said"),
    [
        ('"prompt_tokens":11', '"prompt_tokens":"11"', "reply.prompt_tokens is '11'"),
        ('"finish_reason":"stop"', '"finish_reason":5', "reply.finish_reason is '5'"),
        ('"text":"{}"', '"text":{}', "reply.text is '{}'"),
        ('"outcome":"answered"', '"outcome":"whitespace"', "'whitespace' is not a valid Ending"),
    ],
)
def test_journal_reader_names_value_with_wrong_type(path: Path, written: str, edited: str, said: str) -> None:
    asked = request()
    reply = ChatReply(asked.key, Ending.ANSWERED, "{}", finish_reason="stop", prompt_tokens=11, seconds=1)
    keep(path, [(asked, reply)])
    assert len([*JournalReader(path).fresh()]) == 1
    content, _, _ = path.read_text().partition(',"sha256":')
    path.write_text(with_checksum(content.replace(written, edited) + "}"))
    with pytest.raises(JournalError, match=r"j\.jsonl: not a journal line") as caught:
        list(JournalReader(path).fresh())
    assert said in str(caught.value)
    with pytest.raises(JournalError, match=r"j\.jsonl:1: not a journal line"):
        Journal(path)


STRANGE = ['\x00\x1f\t\\"', "\u2028∀\x7f", "\\u12", ',"reply":{"key":"', "𝔸" * 3_000, "\\" * 9, ""]


@pytest.mark.parametrize("text", STRANGE)
@pytest.mark.parametrize("seconds", [1, 0.25, 1e-9, 1e300, float("inf"), None])
def test_reply_is_read_as_its_record_is(path: Path, text: str, seconds: float | None) -> None:
    asked = request(text=text)
    keep(path, [(asked, ChatReply(asked.key, Ending.TRUNCATED, text, thinking=text, seconds=seconds, error=text))])
    line = path.read_bytes()[:-1]
    verify("here", line)
    assert read_reply(line) == read_record(line)[1]
    record = json.loads(line)
    del record["previous"], record["sha256"]
    spaced = with_checksum(json.dumps(record)).encode()[:-1]
    verify("here", spaced)
    assert read_reply(spaced) == read_reply(line)


def test_line_is_verified_only_if_it_can_be_read(path: Path) -> None:
    """Lines are edited and get the checksum of what they then are."""
    asked = request(text='a "quoted" text')
    keep(path, [(asked, ChatReply(asked.key, Ending.ANSWERED, 'said "\\" {}', seconds=0.5, prompt_tokens=3))])
    content, draw, refused = path.read_bytes().partition(b',"sha256":')[0], Random(3), 0
    for _ in range(3_000):
        place, new = draw.randrange(len(content)), draw.choice([b"", b'"', b"\\", b"0", b",", b"}", b"e", b"\x07"])
        line = checked(content[:place] + new + content[place + draw.randrange(2) :])
        try:
            verify("here", line)
        except JournalError:
            refused += 1
            with pytest.raises(JournalError):
                reply_at("here", line)
        else:
            assert read_reply(line).key == asked.key
            read_record(line)
    assert 2_500 < refused < 3_000


def test_line_is_verified_only_if_its_strings_are_json(path: Path) -> None:
    asked, read = request(), 0
    keep(path, [(asked, ChatReply(asked.key, Ending.ANSWERED, "text"))])
    written = path.read_text().partition(',"previous":')[0]
    characters = [chr(code) for code in range(128)]
    for raw in (*characters, *(f"\\{character}" for character in characters), r"\u00e9", r"\u00g9"):
        line = with_checksum(written.replace('"text":"text"', f'"text":"{raw}"') + "}")[:-1]
        try:
            json.loads(line)
        except ValueError:
            with pytest.raises(JournalError):
                verify("here", line.encode())
        else:
            verify("here", line.encode())
            read += 1
    assert read == 128 - 32 - 2 + 8 + 1


def test_lines_of_keys_that_begin_alike_are_all_found() -> None:
    lines, alike = Lines(), "0123456789abcdef"
    for place, end in enumerate("aba"):
        lines.add(f'{{"key":"{alike}{end * 48}"'.encode(), place)
    lines.add(b'{"key":"damaged', 7)
    assert [*lines.places(alike + "b" * 48)] == [0, 1, 2]
    assert not lines.places("f" * 64)
    assert [*lines] == [0, 1, 2]


@pytest.mark.parametrize("told", [{}, {"logprob": -2.05, "logprob_tokens": 4}])
def test_written_line_is_verified_without_parsing(
    path: Path, monkeypatch: pytest.MonkeyPatch, told: dict[str, Any]
) -> None:
    asked = request()
    keep(path, [(asked, ChatReply(asked.key, Ending.ANSWERED, text="∀", seconds=0.25, **told))])
    monkeypatch.setattr("nlfol.models.journal.reading.read_record", None)
    verify(path, path.read_bytes().removesuffix(b"\n"))
