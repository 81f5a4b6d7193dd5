"""Journals read while others write them."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from nlfol.models.journal.journal import Journal
from nlfol.models.journal.reading import JournalError, JournalReader, checked
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
    assert reader.fresh() == []
    first, second = request(text="one"), request(text="two")
    with Journal(path) as journal:
        journal.append([(first, ChatReply(first.key, Ending.ANSWERED, text="1\r2\u2028"))])
        ((asked, reply),) = reader.fresh()
        assert (asked["messages"][-1]["content"], reply.text) == ("one", "1\r2\u2028")
        assert reader.fresh() == []
        journal.append([(second, ChatReply(second.key, Ending.FAILED))])
        assert [reply.key for _, reply in reader.fresh()] == [second.key]


def test_journal_reader_waits_for_complete_line(path: Path) -> None:
    asked = request()
    keep(path, [(asked, ChatReply(asked.key, Ending.ANSWERED))])
    line = path.read_bytes()
    path.write_bytes(line[:50])
    reader = JournalReader(path)
    assert reader.fresh() == []
    path.write_bytes(line)
    assert len(reader.fresh()) == 1


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
    assert len(JournalReader(path).fresh()) == 1
    content, _, _ = path.read_text().partition(',"sha256":')
    path.write_text(with_checksum(content.replace(written, edited) + "}"))
    with pytest.raises(JournalError, match=r"j\.jsonl: not a journal line") as caught:
        JournalReader(path).fresh()
    assert said in str(caught.value)
    with pytest.raises(JournalError, match=r"j\.jsonl:1: not a journal line"):
        Journal(path)
