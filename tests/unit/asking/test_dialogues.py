"""Dialogues through the one loop: in waves, fed as they go on, and replayed from the journal."""

import json
import os
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.unit.asking.conversations import ITEM, OneByOne, Steps, ask, put, talks
from tests.unit.models.chat_server import ChatServer, Scripted, answered, error
from tests.unit.models.conftest import openai_entry, request

from nlfol.asking.dialogue import Conversation, Dialogue
from nlfol.asking.responses import responses
from nlfol.models.api.chat import ApiChat
from nlfol.models.journal.journal import Journal
from nlfol.models.request import ChatBackend, ChatError, ChatReply, ChatRequest, Ending, Feed
from nlfol.tasks.item import Item
from nlfol.tasks.logical_translation import LogicalTranslation
from nlfol.tasks.plan import Reply, Step, Stop


def text_of(asked: ChatRequest) -> str:
    return asked.messages[-1].content


class Waves(OneByOne):
    """Answers each request with its text in brackets, or as scripted; the requests of each call."""

    def __init__(self, replies: dict[str, str | Ending] | None = None) -> None:
        self.replies = replies or {}
        self.calls: list[list[str]] = []

    def answer(self, requests: Sequence[ChatRequest]) -> Iterator[ChatReply]:
        self.calls.append([text_of(each) for each in requests])
        yield from map(self.reply, requests)

    def reply(self, asked: ChatRequest) -> ChatReply:
        said = self.replies.get(text_of(asked), f"[{text_of(asked)}]")
        if isinstance(said, Ending):
            return ChatReply(asked.key, said, error="out of order")
        return ChatReply(asked.key, Ending.ANSWERED, text=said)


class Fed(Waves):
    """Has two requests under way and answers the older one; what it did, in its order."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[str] = []

    def answer_feed(self, feed: Feed[ChatRequest]) -> Generator[Sequence[ChatReply], None, None]:
        under_way: deque[ChatRequest] = deque()
        while True:
            while len(under_way) < 2 and (asked := feed.take()) is not None:
                self.events.append(f"ask {text_of(asked)}")
                under_way.append(asked)
            if not under_way:
                return
            oldest = under_way.popleft()
            self.events.append(f"answer {text_of(oldest)}")
            yield [self.reply(oldest)]


def said(dialogue: Dialogue) -> list[str | None]:
    return [each.reply.text for each in dialogue.exchanged]


def parts(dialogue: Dialogue) -> list[str]:
    return [each.step.part for each in dialogue.exchanged]


def test_conversation_without_feed_asks_in_waves(tmp_path: Path) -> None:
    backend, progress = Waves({"1: b": "enough"}), []
    with Journal(tmp_path / "j.jsonl") as journal:
        conversation = Conversation(talks("a", "b", "c"), journal, lambda *counts: progress.append(counts))
        assert len(conversation.missing) == 3
        conversation.ask(backend)
    assert backend.calls == [["1: a", "1: b", "1: c"], ["2: [1: a]", "2: [1: c]"]]
    assert [said(dialogue) for dialogue in conversation.dialogues] == [
        ["[1: a]", "[2: [1: a]]"],
        ["enough"],
        ["[1: c]", "[2: [1: c]]"],
    ]
    both = ["step 1", "step 2"]
    assert [parts(dialogue) for dialogue in conversation.dialogues] == [both, ["step 1"], both]
    assert not conversation.missing
    # What is known of grows as dialogues go on.
    assert progress == [(0, 3), (1, 4), (2, 4), (3, 5), (4, 5), (5, 5)]


@pytest.mark.parametrize("kind", [Waves, Fed])
def test_bounded_conversation_hands_on_dialogues_in_turn(tmp_path: Path, kind: type[Waves]) -> None:
    names = [f"{n:02}" for n in range(40)]
    with Journal(tmp_path / "whole" / "j.jsonl") as journal:
        whole = Conversation(talks(*names), journal)
        whole.ask(Waves())
    backend, missing, progress = kind(), list[int](), list[tuple[int, int]]()

    def report(done: int, total: int) -> None:
        progress.append((done, total))
        missing.append(len(conversation.missing) if done else 3)

    for asks in (True, False):  # the second time all is in the journal
        ended: list[Dialogue] = []
        with Journal(tmp_path / "j.jsonl") as journal:
            rest = iter(talks(*names))
            conversation = Conversation(rest, journal, report if asks else None, ended=ended.append, most=3, count=40)
            assert bool(conversation.missing) is asks
            conversation.finish(lambda: backend)
        assert [said(dialogue) for dialogue in ended] == [said(dialogue) for dialogue in whole.dialogues]
        assert not conversation.dialogues
    assert max(missing) == 3
    assert (progress[0], progress[-1]) == ((0, 40), (80, 80))


def test_conversation_with_feed_skips_barrier_and_asks_in_step_order(tmp_path: Path) -> None:
    backend = Fed()
    with Journal(tmp_path / "j.jsonl") as journal:
        conversation = Conversation(talks("a", "b", "c"), journal)
        conversation.ask(backend)
    assert backend.events == [
        "ask 1: a",
        "ask 1: b",
        "answer 1: a",
        # 2: [1: a] waits already.
        "ask 1: c",
        "answer 1: b",
        "ask 2: [1: a]",
        "answer 1: c",
        "ask 2: [1: b]",
        "answer 2: [1: a]",
        "ask 2: [1: c]",
        "answer 2: [1: b]",
        "answer 2: [1: c]",
    ]
    assert [len(dialogue.exchanged) for dialogue in conversation.dialogues] == [2, 2, 2]


def test_api_conversation_advances_dialogues_independently(tmp_path: Path) -> None:
    said_second: list[str] = []

    def answer(body: dict[str, Any]) -> Scripted:
        """The slow one has an answer only once the other dialogue has gone on."""
        text = body["messages"][-1]["content"]
        if text.startswith("2: "):
            said_second.append(text)
        return Scripted(500, error("busy")) if text == "1: slow" and not said_second else answered(text)

    with ChatServer(every=answer) as server, Journal(tmp_path / "j.jsonl") as journal:
        chat = ApiChat(openai_entry(server.url, concurrency=2, structured="none"))

        def put_to(step: Step, seed: int) -> ChatRequest:
            return request(chat.identity, step.user, seed=seed)

        begun = [Dialogue(each.plan, put_to, each.item, "", 3) for each in talks("slow", "fast")]
        conversation = Conversation(begun, journal)
        conversation.ask(chat)
    assert server.attempts["1: slow"] > 1
    outcomes = {each.reply.outcome for dialogue in conversation.dialogues for each in dialogue.exchanged}
    assert outcomes == {Ending.ANSWERED}
    assert [parts(dialogue) for dialogue in conversation.dialogues] == [["step 1", "step 2"]] * 2


def test_journal_replay_skips_answered_requests(tmp_path: Path) -> None:
    class Killed(Waves):
        """Ends after four answers."""

        def answer(self, requests: Sequence[ChatRequest]) -> Iterator[ChatReply]:
            for reply in super().answer(requests):
                if len(self.calls) == 2 and reply.key == requests[-1].key:
                    raise KeyboardInterrupt
                yield reply

    path = tmp_path / "j.jsonl"
    with Journal(path) as journal, pytest.raises(KeyboardInterrupt):
        Conversation(talks("a", "b"), journal).ask(Killed())
    second = Waves()
    with Journal(path) as journal:
        conversation = Conversation(talks("a", "b"), journal)
        assert [len(dialogue.exchanged) for dialogue in conversation.dialogues] == [2, 1]
        conversation.ask(second)
    assert second.calls == [["2: [1: b]"]]
    once = [[each.reply for each in dialogue.exchanged] for dialogue in conversation.dialogues]
    third = Waves()
    with Journal(path) as journal:
        conversation = Conversation(talks("a", "b"), journal)
        assert not conversation.missing
        conversation.ask(third)
    assert third.calls == []
    assert [[each.reply for each in dialogue.exchanged] for dialogue in conversation.dialogues] == once
    assert len(path.read_text().splitlines()) == 4


@pytest.mark.parametrize("fed", [False, True])
def test_conversation_asks_equal_second_requests_once(tmp_path: Path, fed: bool) -> None:
    backend = Fed() if fed else Waves()
    backend.replies = {"1: a": "same", "1: b": "same", "1: c": "other"}
    path = tmp_path / "j.jsonl"
    with Journal(path) as journal:
        conversation = Conversation(talks("a", "b", "c"), journal)
        conversation.ask(backend)
    first, second, third = conversation.dialogues
    assert first.exchanged[1].reply is second.exchanged[1].reply
    assert [said(each)[1] for each in (first, second, third)] == ["[2: same]", "[2: same]", "[2: other]"]
    assert len(path.read_text().splitlines()) == 5
    if isinstance(backend, Fed):
        assert backend.events.count("ask 2: same") == 1
    else:
        assert backend.calls[1] == ["2: same", "2: other"]


def test_conversation_reuses_answer_for_equal_later_request(tmp_path: Path) -> None:
    """Also where the journal did not have the answer at the start."""
    backend = Waves({"1: a": "same", "1: b": "b", "2: b": "x", "1: c": "c"})

    @dataclass(frozen=True, slots=True)
    class Late(Steps):
        """The second dialogue asks as its third step what the first asks as its second."""

        def following(self, item: Item, presentation: str, seed: int, replies: Sequence[Reply]) -> Step | Stop:
            if len(replies) == 2 and item.text == "b":
                return Step("again", "", "2: same", {})
            return Stop() if len(replies) >= 2 else Steps.following(self, item, presentation, seed, replies)

    with Journal(tmp_path / "j.jsonl") as journal:
        conversation = Conversation(talks("a", "b", plan=Late(3)), journal)
        conversation.ask(backend)
    assert backend.calls == [["1: a", "1: b"], ["2: same", "2: b"]]
    assert [parts(dialogue) for dialogue in conversation.dialogues] == [
        ["step 1", "step 2"],
        ["step 1", "step 2", "again"],
    ]


@dataclass(frozen=True, slots=True)
class Faulty(Steps):
    """Fails at what a model says, or at an item."""

    def following(self, item: Item, presentation: str, seed: int, replies: Sequence[Reply]) -> Step | Stop:
        if item.text == "cursed":
            raise KeyError(item.text)
        if replies and replies[-1].text is not None:
            json.loads(replies[-1].text)
        return Steps.following(self, item, presentation, seed, replies)


def test_plan_error_after_reply_ends_only_its_dialogue(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    backend = Waves({"1: a": "1", "1: b": "no JSON", "1: c": "3", "2: 1": "4", "2: 3": "5"})
    with Journal(tmp_path / "j.jsonl") as journal:
        conversation = Conversation(talks("a", "b", "c", plan=Faulty()), journal)
        conversation.ask(backend)
    assert [said(dialogue) for dialogue in conversation.dialogues] == [["1", "4"], ["no JSON"], ["3", "5"]]
    assert not conversation.missing
    rows = [row for dialogue in conversation.dialogues for row in responses(dialogue, None)]
    assert [(row["item"], row["step"], row["outcome"]) for row in rows] == [
        ("w:0", 1, "answered"),
        ("w:0", 2, "answered"),
        ("w:1", 1, "internal_error"),
        ("w:2", 1, "answered"),
        ("w:2", 2, "answered"),
    ]
    assert str(rows[2]["error"]).startswith("JSONDecodeError: ")
    # It counts as wrong, and is no answer of the last step.
    reply = Reply(rows[2]["part"], rows[2]["outcome"], rows[2]["answer"], (), rows[2]["error"])
    assert LogicalTranslation().judge(ITEM, [reply]).outcome == "internal_error"
    (logged,) = (record for record in caplog.records if "no next step" in record.getMessage())
    assert logged.getMessage() == "item 'w:1', seed 3: no next step after 1"
    assert logged.exc_info is not None
    assert isinstance(logged.exc_info[1], json.JSONDecodeError)


def test_plan_error_before_any_reply_is_raised(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.jsonl") as journal, pytest.raises(KeyError, match="cursed"):
        Conversation(talks("a", "cursed", plan=Faulty()), journal)


def test_failed_reply_stops_dialogue_until_next_run(tmp_path: Path) -> None:
    """D16: the released code stores the conversation of another item with one that failed."""
    path = tmp_path / "j.jsonl"
    backend = Waves({"1: b": Ending.FAILED})
    with Journal(path) as journal:
        conversation = Conversation(talks("a", "b"), journal)
        conversation.ask(backend)
    assert backend.calls == [["1: a", "1: b"], ["2: [1: a]"]]
    assert [each.reply.outcome for each in conversation.dialogues[1].exchanged] == [Ending.FAILED]
    again = Waves()
    with Journal(path) as journal:
        conversation = Conversation(talks("a", "b"), journal)
        conversation.ask(again)
    assert again.calls == [["1: b"], ["2: [1: b]"]]
    assert [said(dialogue) for dialogue in conversation.dialogues] == [
        ["[1: a]", "[2: [1: a]]"],
        ["[1: b]", "[2: [1: b]]"],
    ]


@pytest.mark.parametrize("most", [2, 64])
def test_earlier_failures_stand_for_replies_of_model_that_is_away(tmp_path: Path, most: int) -> None:
    """The share that is accepted is of all requests, however few wait at a time."""
    names = [f"{n:02}" for n in range(20)]
    failed = {f"1: {name}": Ending.FAILED for name in names[2:8]}
    with Journal(tmp_path / "j.jsonl") as journal:
        Conversation(talks(*names), journal).ask(Waves(dict(failed)))

    def away() -> ChatBackend:
        raise ChatError("away")

    for accepted in (0.0, 0.17, 6 / 34):  # 6 first steps, 14 dialogues of two
        ended: list[Dialogue] = []
        with Journal(tmp_path / "j.jsonl") as journal:
            conversation = Conversation(iter(talks(*names)), journal, ended=ended.append, most=most)
            with pytest.raises(ChatError, match="away") if accepted < 6 / 34 else nullcontext():
                conversation.finish(away, accepted)
        assert len(ended) == len(names) or accepted < 6 / 34
        assert [dialogue.item for dialogue in ended] == [talk.item for talk in talks(*names)][: len(ended)]


def test_refused_reply_is_passed_to_plan(tmp_path: Path) -> None:
    """It stays in the journal: a plan may go on from it, and does so again in every run."""
    backend = Waves({"1: a": Ending.REFUSED})
    for _ in range(2):
        with Journal(tmp_path / "j.jsonl") as journal:
            Conversation(talks("a"), journal).ask(backend)
        assert backend.calls == [["1: a"], ["2: None"]]


def test_dialogue_rejects_reply_to_other_request() -> None:
    (dialogue,) = talks("a")
    with pytest.raises(ValueError, match="no request waits for a reply"):
        dialogue.take(ChatReply("0" * 64, Ending.ANSWERED))
    asked = dialogue.advance()
    assert asked is not None
    with pytest.raises(ValueError, match=f"is not to request {asked.key}"):
        dialogue.take(ChatReply("0" * 64, Ending.ANSWERED))
    assert dialogue.pending == (Step("step 1", "", "1: a", {}), put(Step("", "", "1: a", {}), 3))
    assert dialogue.item.story == ITEM.story


def test_plan_without_requests_is_rejected(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.jsonl") as journal, pytest.raises(ValueError, match="'w:0': the plan stops before it"):
        Conversation(talks("a", plan=Steps(0)), journal)


REQUESTS = [request(text=text) for text in ("one", "two", "three")]


def test_request_for_other_model_is_refused(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.jsonl") as journal, pytest.raises(ChatError, match="put to test:model"):
        ask(Waves(), [request("test:other")], journal)


def test_skipped_or_repeated_requests_raise_error(tmp_path: Path) -> None:
    class Skipping(Waves):
        def answer(self, requests: Sequence[ChatRequest]) -> Iterator[ChatReply]:
            return super().answer(requests[:-1])

    class Repeating(Waves):
        def answer(self, requests: Sequence[ChatRequest]) -> Iterator[ChatReply]:
            return super().answer([*requests, requests[0]])

    with Journal(tmp_path / "a.jsonl") as journal, pytest.raises(ChatError, match="no reply to 1 requests"):
        ask(Skipping(), REQUESTS, journal)
    with Journal(tmp_path / "b.jsonl") as journal, pytest.raises(ChatError, match="answered already"):
        ask(Repeating(), REQUESTS, journal)


def test_grouped_replies_are_synced_to_journal_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Grouping(Waves):
        def answer_feed(self, feed: Feed[ChatRequest]) -> Generator[Sequence[ChatReply], None, None]:
            yield list(self.answer(feed.drain()))

    synchronised: list[int] = []
    with Journal(tmp_path / "j.jsonl") as journal:
        monkeypatch.setattr(os, "fsync", lambda descriptor: synchronised.append(os.fstat(descriptor).st_ino))
        assert len(ask(Grouping(), REQUESTS, journal)) == 3
    assert synchronised.count((tmp_path / "j.jsonl").stat().st_ino) == 1


def test_journal_keeps_replies_arriving_with_unexpected_reply(tmp_path: Path) -> None:
    class Repeating(Waves):
        def answer_feed(self, feed: Feed[ChatRequest]) -> Generator[Sequence[ChatReply], None, None]:
            replies = list(self.answer(feed.drain()))
            yield [*replies, replies[0]]

    path = tmp_path / "j.jsonl"
    with Journal(path) as journal, pytest.raises(ChatError, match="not asked or is answered already"):
        ask(Repeating(), REQUESTS, journal)
    with Journal(path) as journal:
        assert len(journal.replies) == 3
