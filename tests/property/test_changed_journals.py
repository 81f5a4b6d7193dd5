"""Changed journals: what is verified by its form alone is just what can be read."""

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlfol.models.journal.journal import Journal
from nlfol.models.journal.reading import FIRST, JournalError, checked
from nlfol.models.request import ChatReply, ChatRequest, Ending, Message

Change = Callable[[list[bytes]], list[bytes]]
"""A change of lines, with their ends."""

TEXTS = ["one", 'a "quoted"\\ text', ',"reply":{"key":"', "∀x\n"]
ASKED = [ChatRequest("m", (Message("user", text),), {"type": "object"}, 0.7, None, 30, 3) for text in TEXTS]
REPLIES = [
    ChatReply(ASKED[0].key, Ending.ANSWERED, '{"answer": "P(a)"}', finish_reason="stop", prompt_tokens=3, seconds=0.5),
    ChatReply(ASKED[1].key, Ending.FAILED, error="busy", attempts=2, lost=1),
    ChatReply(ASKED[2].key, Ending.ANSWERED, TEXTS[2], thinking="∀", logprob=-2.05, logprob_tokens=4),
    ChatReply(ASKED[3].key, Ending.TRUNCATED, "", seconds=1e-9),
]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Lines of a journal, one of them as an earlier version wrote it."""
    path = tmp_path_factory.mktemp("written") / "j.jsonl"
    with Journal(path) as journal:
        journal.append(zip(ASKED, REPLIES, strict=True))
    first, *lines = path.read_bytes().splitlines(keepends=True)
    record = {name: value for name, value in json.loads(first).items() if name not in ("previous", "sha256")}
    return [first, checked(json.dumps(record).encode()[:-1]) + b"\n", *lines]


def changed_byte(place: int, kind: str, new: int) -> Change:
    """Flip, delete or insert a byte."""

    def change(lines: list[bytes]) -> list[bytes]:
        whole = b"".join(lines)
        at = place % len(whole)
        other = {"flip": bytes([whole[at] ^ (new or 1)]), "delete": b"", "insert": bytes([new]) + whole[at : at + 1]}
        return (whole[:at] + other[kind] + whole[at + 1 :]).splitlines(keepends=True)

    return change


def forged(line: int, place: int, kind: str, new: str) -> Change:
    """Replace, delete or insert a character of a line before its chain, which gets the checksum of what it then is."""

    def change(lines: list[bytes]) -> list[bytes]:
        number = line % len(lines)
        content = lines[number].partition(b',"sha256":"')[0].partition(b',"previous":"')[0]
        text = content.decode(errors="replace")
        at = place % (len(text) + 1)
        text = text[:at] + new * (kind != "delete") + text[at + (kind != "insert") :]
        return [*lines[:number], checked(text.encode(), FIRST) + b"\n", *lines[number + 1 :]]

    return change


def moved(line: int, other: int, kind: str) -> Change:
    """Swap two lines, drop one or double it."""

    def change(lines: list[bytes]) -> list[bytes]:
        new, one, two = [*lines], line % len(lines), other % len(lines)
        if kind == "swap":
            new[one], new[two] = new[two], new[one]
        else:
            new[one : one + 1] = [] if kind == "drop" else [new[one]] * 2
        return new

    return change


def torn(size: int) -> Change:
    """Tear the end off."""
    return lambda lines: b"".join(lines)[:-size].splitlines(keepends=True)


places = st.integers(0, 1 << 16)
characters = st.sampled_from([*'"\\0,:}{eu-. \x07\x7f∀'])
byte_changes = st.builds(changed_byte, places, st.sampled_from(["flip", "delete", "insert"]), st.integers(0, 255))
forgeries = st.builds(forged, places, places, st.sampled_from(["replace", "delete", "insert"]), characters)
moves = st.builds(moved, places, places, st.sampled_from(["swap", "drop", "double"]))
tears = st.builds(torn, st.integers(1, 900))


def opened(content: bytes) -> tuple[object, dict[str, bytes]]:
    """What opening a journal keeps or says, and the files after it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "j.jsonl"
        path.write_bytes(content)
        try:
            with Journal(path) as journal:
                found: object = (list(journal.replies.items()), journal._last, journal._end)
        except JournalError as error:
            found = str(error).removeprefix(folder)
        return found, {file.name: file.read_bytes() for file in Path(folder).iterdir()}


@given(st.lists(st.one_of(byte_changes, forgeries, moves, tears), max_size=3))
def test_changed_journal_opens_as_if_every_line_were_parsed(written: list[bytes], changes: list[Change]) -> None:
    lines = written
    for change in changes:
        lines = change(lines) if lines else lines
    content = b"".join(lines)
    with (
        patch("nlfol.models.journal.journal.is_as_written", return_value=False),
        patch("nlfol.models.journal.reading.is_as_written", return_value=False),
    ):
        careful = opened(content)
    assert opened(content) == careful
