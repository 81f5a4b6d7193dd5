"""The loop over requests that stand alone; dialogues of several steps are in test_dialogues.py."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path

import pytest
from tests.unit.asking.single import Scripted, ask
from tests.unit.models.conftest import request

from nlfol.models.journal.journal import Journal
from nlfol.models.request import ChatError, ChatReply, ChatRequest, Ending, Feed

REQUESTS = [request(text=text) for text in ("one", "two", "three")]


def test_what_is_answered_is_not_asked_again(tmp_path: Path) -> None:
    backend, progress = Scripted(), []
    with Journal(tmp_path / "j.jsonl") as journal:
        first = ask(backend, REQUESTS[:2], journal, lambda done, total: progress.append((done, total)))
    with Journal(tmp_path / "j.jsonl") as journal:
        second = ask(backend, REQUESTS, journal)
    assert backend.asked == ["two", "one", "three"]
    assert progress == [(0, 2), (1, 2), (2, 2)]
    assert list(second) == [each.key for each in REQUESTS]
    assert {key: second[key] for key in first} == first


def test_equal_requests_are_asked_once(tmp_path: Path) -> None:
    backend = Scripted()
    with Journal(tmp_path / "j.jsonl") as journal:
        ask(backend, [REQUESTS[0], request(text="one"), REQUESTS[0]], journal)
    assert backend.asked == ["one"]


def test_failed_requests_are_asked_again_and_the_later_reply_holds(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    with Journal(path) as journal:
        replies = ask(Scripted({"two": Ending.FAILED, "one": Ending.REFUSED}), REQUESTS, journal)
    assert replies[REQUESTS[1].key].outcome is Ending.FAILED
    backend = Scripted()
    with Journal(path) as journal:
        replies = ask(backend, REQUESTS, journal)
    assert backend.asked == ["two"]
    assert replies[REQUESTS[1].key].text == "two"
    assert replies[REQUESTS[0].key].outcome is Ending.REFUSED
    assert len(path.read_text().splitlines()) == 4


def test_replies_survive_a_crash_between_two_answers(tmp_path: Path) -> None:
    class Crashing(Scripted):
        def answer(self, requests: Sequence[ChatRequest]) -> Iterator[ChatReply]:
            yield next(super().answer(requests))
            raise RuntimeError("killed")

    with Journal(tmp_path / "j.jsonl") as journal, pytest.raises(RuntimeError, match="killed"):
        ask(Crashing(), REQUESTS, journal)
    with Journal(tmp_path / "j.jsonl") as journal:
        assert [reply.text for reply in journal.replies.values()] == ["three"]


def test_a_request_for_another_model_is_refused(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.jsonl") as journal, pytest.raises(ChatError, match="put to test:model"):
        ask(Scripted(), [request("test:other")], journal)


def test_a_back_end_that_skips_or_repeats_a_request_is_noticed(tmp_path: Path) -> None:
    class Skipping(Scripted):
        def answer(self, requests: Sequence[ChatRequest]) -> Iterator[ChatReply]:
            return super().answer(requests[:-1])

    class Repeating(Scripted):
        def answer(self, requests: Sequence[ChatRequest]) -> Iterator[ChatReply]:
            return super().answer([*requests, requests[0]])

    with Journal(tmp_path / "a.jsonl") as journal, pytest.raises(ChatError, match="no reply to 1 requests"):
        ask(Skipping(), REQUESTS, journal)
    with Journal(tmp_path / "b.jsonl") as journal, pytest.raises(ChatError, match="answered already"):
        ask(Repeating(), REQUESTS, journal)


def test_replies_that_arrive_together_are_kept_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Grouping(Scripted):
        def answer_feed(self, feed: Feed[ChatRequest]) -> Generator[Sequence[ChatReply], None, None]:
            yield list(self.answer(feed.drain()))

    synchronised: list[int] = []
    with Journal(tmp_path / "j.jsonl") as journal:
        monkeypatch.setattr(os, "fsync", synchronised.append)
        assert len(ask(Grouping(), REQUESTS, journal)) == 3
    assert len(synchronised) == 1


def test_what_arrived_with_a_reply_to_nothing_is_kept(tmp_path: Path) -> None:
    class Repeating(Scripted):
        def answer_feed(self, feed: Feed[ChatRequest]) -> Generator[Sequence[ChatReply], None, None]:
            replies = list(self.answer(feed.drain()))
            yield [*replies, replies[0]]

    path = tmp_path / "j.jsonl"
    with Journal(path) as journal, pytest.raises(ChatError, match="not asked or is answered already"):
        ask(Repeating(), REQUESTS, journal)
    with Journal(path) as journal:
        assert len(journal.replies) == 3
