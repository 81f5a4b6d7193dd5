"""Changed journals: what is verified by its form alone is just what can be read."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nlfol.models.journal.journal import Journal
from nlfol.models.journal.reading import FIRST, JournalError, checked
from nlfol.models.request import ChatReply, ChatRequest, Ending, Message

TEXTS = ["one", 'a "quoted"\\ text', ',"reply":{"key":"', "∀x\n"]
ASKED = [ChatRequest("m", (Message("user", text),), {"type": "object"}, 0.7, None, 30, 3) for text in TEXTS]
REPLIES = [
    ChatReply(ASKED[0].key, Ending.ANSWERED, '{"answer": "P(a)"}', finish_reason="stop", prompt_tokens=3, seconds=0.5),
    ChatReply(ASKED[1].key, Ending.FAILED, error="busy", attempts=2, lost=1),
    ChatReply(ASKED[2].key, Ending.ANSWERED, TEXTS[2], thinking="∀", logprob=-2.05, logprob_tokens=4),
    ChatReply(ASKED[3].key, Ending.TRUNCATED, "", seconds=1e-9),
]
KINDS = ["flip", "delete", "insert", "swap", "drop", "double", "tear", "forge", "forge"]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Lines of a journal, one of them as an earlier version wrote it."""
    path = tmp_path_factory.mktemp("written") / "j.jsonl"
    with Journal(path) as journal:
        journal.append(zip(ASKED, REPLIES, strict=True))
    first, *lines = path.read_bytes().splitlines(keepends=True)
    record = {name: value for name, value in json.loads(first).items() if name not in ("previous", "sha256")}
    return [first, checked(json.dumps(record).encode()[:-1]) + b"\n", *lines]


def changed(lines: list[bytes], kind: str, first: int, second: int, new: str) -> list[bytes]:
    """Change a byte or a line, or tear the end off; a forged line has the checksum of what it then is."""
    whole, one, two = b"".join(lines), first % len(lines), second % len(lines)
    at, byte = first % len(whole), second % 255 + 1
    if kind in ("flip", "delete", "insert", "tear"):
        rest = {"flip": bytes([whole[at] ^ byte]), "insert": bytes([byte]) + whole[at : at + 1]}.get(kind, b"")
        return (whole[:at] + rest + whole[len(whole) if kind == "tear" else at + 1 :]).splitlines(keepends=True)
    lines = [*lines]
    if kind == "swap":
        lines[one], lines[two] = lines[two], lines[one]
    elif kind == "forge":
        text = lines[one].partition(b',"sha256":"')[0].partition(b',"previous":"')[0].decode(errors="replace")
        place = second % (len(text) + 1)
        lines[one] = checked((text[:place] + new + text[place + first % 2 :]).encode(), FIRST) + b"\n"
    else:
        lines[one : one + 1] = [] if kind == "drop" else [lines[one]] * 2
    return lines


def opened(content: bytes) -> tuple[object, dict[str, bytes]]:
    """Replies of a journal as it opens, or the error, and the files after it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "j.jsonl"
        path.write_bytes(content)
        try:
            with Journal(path) as journal:
                found: object = (list(journal.replies.items()), journal._last, journal._end)
        except JournalError as error:
            found = str(error).removeprefix(folder)
        return found, {file.name: file.read_bytes() for file in Path(folder).iterdir()}


PLACES, NEW = st.integers(0, 1 << 16), st.sampled_from(["", *'"\\0,:}{eu-. \x07\x7f∀'])


@settings(max_examples=400)
@given(st.lists(st.tuples(st.sampled_from(KINDS), PLACES, PLACES, NEW), max_size=2))
@example(changes=[("forge", 5, 3, "0")])
@example(changes=[("forge", 5, 75, "0")])
def test_changed_journal_opens_as_if_every_line_were_parsed(
    written: list[bytes], changes: list[tuple[str, int, int, str]]
) -> None:
    lines = written
    for change in changes:
        lines = changed(lines, *change) if lines else lines
    form = "nlfol.models.journal.{}.is_as_written"
    with patch(form.format("journal"), return_value=False), patch(form.format("reading"), return_value=False):
        careful = opened(b"".join(lines))
    assert opened(b"".join(lines)) == careful
