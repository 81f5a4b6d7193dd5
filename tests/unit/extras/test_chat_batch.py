"""Requests answered in batches by a scripted server: what is kept, asked again, found again and refused."""

import json
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from tests.unit.asking.conversations import ask
from tests.unit.extras.batch_server import BatchServer, answer, at_once, faulty, lost
from tests.unit.models.conftest import openai_entry, request

from nlfol.models.budget import Ledger
from nlfol.models.entries.prices import Budget, Price
from nlfol.models.journal.batches import BatchRecord
from nlfol.models.journal.journal import Journal
from nlfol.models.providers.openai import OpenaiChatEntry
from nlfol.models.request import ChatError, ChatReply, ChatRequest, Ending
from nlfol_extras.batches.chat import BatchChat

KEY = "sk-batch-secret-0123456789"
REJECTED = "Invalid schema for response_format 'answer': 'maxLength' is not permitted."
TEXTS = [f"Sentence {number}." for number in range(6)]


class KilledError(BaseException):
    """Stands for the end of the process."""


def an_entry(url: str, **settings: Any) -> OpenaiChatEntry:
    return openai_entry(url, **{"batch": True, **settings})


def questions(entry: OpenaiChatEntry, texts: list[str] = TEXTS) -> list[ChatRequest]:
    return [request(entry.identity, text, max_tokens=20) for text in texts]


def never(seconds: float) -> None:
    raise AssertionError("nothing is to be waited for")


def killed(seconds: float) -> None:
    raise KilledError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal" / "m" / "d.t.jsonl"


def ask_all(entry: OpenaiChatEntry, path: Path, texts: list[str] = TEXTS, **arguments: Any) -> dict[str, ChatReply]:
    """The replies by what was asked."""
    asked = questions(entry, texts)
    with Journal(path) as journal:
        replies = ask(BatchChat(entry, path, **{"sleep": never, **arguments}), asked, journal)
    return {each.messages[-1].content: replies[each.key] for each in asked}


def said(reply: ChatReply) -> str:
    answered: str = json.loads(reply.text or "")["answer"]
    return answered


def test_batch_answers_match_requests_despite_order(path: Path) -> None:
    with BatchServer() as server:
        replies = ask_all(an_entry(server.url), path)
        assert {text: said(reply) for text, reply in replies.items()} == {text: text for text in TEXTS}
        assert {reply.batch for reply in replies.values()} == {"batch_0"}
        assert {(reply.prompt_tokens, reply.completion_tokens) for reply in replies.values()} == {(11, 7)}
        (batch,) = server.batches.values()
        assert (batch["endpoint"], batch["completion_window"]) == ("/v1/chat/completions", "24h")
        (line, *_) = server.lines("batch_0")
        assert line.keys() == {"custom_id", "method", "url", "body"}
        # The key is that of the same request asked by itself: nothing is left to ask.
        calls = len(server.calls)
        assert ask_all(an_entry(server.url), path) == replies
        assert len(server.calls) == calls


def test_batch_is_polled_at_interval(path: Path) -> None:
    def slow(number: int, lines: list[dict[str, Any]], looks: int) -> dict[str, Any]:
        return at_once(number, lines, looks) if looks == 2 else {"status": ["validating", "in_progress"][looks]}

    waits: list[float] = []
    with BatchServer(slow) as server:
        ask_all(an_entry(server.url, batch={"interval": 30}), path, sleep=waits.append)
    assert waits == [30, 30]


def test_batches_split_by_request_count_and_bytes(path: Path, tmp_path: Path) -> None:
    with BatchServer() as server:
        ask_all(an_entry(server.url, batch={"requests": 4}), path)
        assert [len(asked) for asked in server.asked] == [4, 2]
        size = len(server.files["file-0"]) / 4
    with BatchServer() as server:
        ask_all(an_entry(server.url, batch={"megabytes": 2.5 * size / 1e6}), tmp_path / "other.jsonl")
        assert [len(asked) for asked in server.asked] == [2, 2, 2]


def test_killed_wait_resumes_existing_batch(path: Path) -> None:
    with BatchServer(lambda number, lines, looks: {"status": "in_progress"}) as server:
        with pytest.raises(KilledError):
            ask_all(an_entry(server.url), path, sleep=killed)
        server.script = at_once
        replies = ask_all(an_entry(server.url), path)
        assert len(server.batches) == 1
        assert {said(reply) for reply in replies.values()} == set(TEXTS)
        assert BatchRecord(path).open() == []


def test_batch_with_lost_id_is_found_by_metadata(path: Path) -> None:
    with BatchServer() as server:
        entry = an_entry(server.url)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(BatchRecord, "name", lambda *_: killed(0))
            with pytest.raises(KilledError):
                ask_all(entry, path)
        (sent,) = BatchRecord(path).open()
        assert sent.id is None
        assert len(server.batches) == 1
        assert {said(reply) for reply in ask_all(entry, path).values()} == set(TEXTS)
        assert len(server.batches) == 1


def test_batch_client_waits_only_for_short_retry_after(path: Path) -> None:
    with BatchServer() as server:
        server.busy = ["1"]
        start = monotonic()
        ask_all(an_entry(server.url, retries=1), path)
        assert monotonic() - start >= 1
        server.busy = ["86400"] * 2
        with pytest.raises(ChatError, match=r"batches: 429 .*slow down.*; run again"):
            ask_all(an_entry(server.url, retries=1), path, ["Another."])
        assert server.busy == ["86400"]
        assert len(server.batches) == 2
        # It is found again.
        server.busy = []
        ask_all(an_entry(server.url), path, ["Another."])
        assert len(server.batches) == 2


def test_unpaginated_batch_list_is_read_once(path: Path) -> None:
    with BatchServer(pages=False) as server:
        entry = an_entry(server.url)
        ask_all(entry, path, TEXTS[:1])
        BatchRecord(path).intend([each.key for each in questions(entry, TEXTS[1:])], 0.0)
        server.calls.clear()
        ask_all(entry, path)
        assert server.calls.count("GET /batches") <= 2
        assert len(server.batches) == 2


def test_unconfirmed_batch_creation_is_sent_once(path: Path) -> None:
    with BatchServer(unheard=1) as server:
        ask_all(an_entry(server.url), path)
        assert server.calls.count("POST /batches") == 1
        assert len(server.batches) == 1


def test_killed_run_keeps_batch_answers_and_closes_batch(path: Path) -> None:
    with BatchServer() as server:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(BatchRecord, "close", lambda *_: killed(0))
            with pytest.raises(KilledError):
                ask_all(an_entry(server.url), path)
        assert len(BatchRecord(path).open()) == 1
        ask_all(an_entry(server.url), path, [*TEXTS, "One more."])
        assert server.asked == [TEXTS, ["One more."]]
        assert BatchRecord(path).open() == []


def test_batch_missing_from_server_is_resubmitted(path: Path) -> None:
    path.parent.mkdir(parents=True)
    with BatchServer() as server:
        record = BatchRecord(path)
        record.name(record.intend([each.key for each in questions(an_entry(server.url))], 0.0), "batch_9")
        replies = ask_all(an_entry(server.url), path)
        assert {said(reply) for reply in replies.values()} == set(TEXTS)
        assert list(server.batches) == ["batch_0"]
        assert BatchRecord(path).open() == []


def test_pending_batch_is_shared_with_other_job(path: Path) -> None:
    other = path.with_name("d.other.jsonl")
    with BatchServer(lambda number, lines, looks: {"status": "in_progress"}) as server:
        with pytest.raises(KilledError):
            ask_all(an_entry(server.url), other, sleep=killed)
        server.script = at_once
        replies = ask_all(an_entry(server.url), path, [*TEXTS[:2], "One more."])
        assert {text: said(reply) for text, reply in replies.items()} == {text: text for text in replies}
        assert server.asked == [TEXTS, ["One more."]]
        # The other job takes the rest, and its record is closed once all are kept, wherever.
        ask_all(an_entry(server.url), other)
        ask_all(an_entry(server.url), other, [*TEXTS, "Another."])
        assert server.asked[2:] == [["Another."]]
        assert BatchRecord(other).open() == []
        assert len(path.read_text().splitlines() + other.read_text().splitlines()) == len(TEXTS) + 2


def test_other_jobs_expired_batch_resubmits_missing_requests(path: Path) -> None:
    def expiring(number: int, lines: list[dict[str, Any]], looks: int) -> dict[str, Any]:
        return at_once(number, lines, looks) if number else {"status": "expired", "output": [answer(lines[0])]}

    with BatchServer(lambda number, lines, looks: {"status": "in_progress"}) as server:
        with pytest.raises(KilledError):
            ask_all(an_entry(server.url), path.with_name("d.other.jsonl"), sleep=killed)
        server.script = expiring
        ask_all(an_entry(server.url), path)
        assert server.asked == [TEXTS, TEXTS[1:]]


def test_expired_batch_keeps_answers_and_resubmits_rest(path: Path) -> None:
    def expiring(number: int, lines: list[dict[str, Any]], looks: int) -> dict[str, Any]:
        if number:
            return at_once(number, lines, looks)
        half = len(lines) // 2
        return {
            "status": "expired",
            "output": [answer(line) for line in lines[:half]],
            "error": [lost(line) for line in lines[half:]],
        }

    with BatchServer(expiring) as server:
        replies = ask_all(an_entry(server.url), path)
        assert server.asked == [TEXTS, TEXTS[3:]]
        assert [replies[text].batch for text in TEXTS] == ["batch_0"] * 3 + ["batch_1"] * 3
        assert {text: said(reply) for text, reply in replies.items()} == {text: text for text in TEXTS}


def test_batch_request_fails_after_retry_limit(path: Path) -> None:
    def forgetful(number: int, lines: list[dict[str, Any]], looks: int) -> dict[str, Any]:
        return {"status": "expired", "output": [answer(line) for line in lines if "0" in str(line["body"]["messages"])]}

    with BatchServer(forgetful) as server:
        replies = ask_all(an_entry(server.url, retries=2), path)
        assert [len(asked) for asked in server.asked] == [6, 5, 5]
        failed = [reply for reply in replies.values() if reply.outcome is Ending.FAILED]
        assert {reply.error for reply in failed} == {"the batch ended without an answer"}
        assert len(failed) == 5
        # The next run asks them, and them alone.
        server.script = at_once
        replies = ask_all(an_entry(server.url), path)
        assert server.asked[-1] == TEXTS[1:]
        assert {reply.outcome for reply in replies.values()} == {Ending.ANSWERED}


def test_rejected_batch_error_states_reason(path: Path) -> None:
    def rejecting(number: int, lines: list[dict[str, Any]], looks: int) -> dict[str, Any]:
        return {"status": "failed", "errors": [{"code": "token_limit_exceeded", "message": "Enqueued token limit."}]}

    with BatchServer(rejecting) as server:
        with pytest.raises(
            ChatError, match=r"batch batch_0 of 6 requests was rejected: token_limit_exceeded: Enqueued"
        ):
            ask_all(an_entry(server.url), path)
        # It is not waited for again.
        server.script = at_once
        ask_all(an_entry(server.url), path)
        assert len(server.batches) == 2


def test_batch_reader_keeps_first_answer_and_ignores_strange_lines(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def doubling(number: int, lines: list[dict[str, Any]], looks: int) -> dict[str, Any]:
        stranger = answer({**lines[0], "custom_id": "nobody"})
        lines_twice = [*[answer(line) for line in lines], stranger, answer(lines[0], "another"), {"no": "line"}]
        return {"status": "completed", "output": lines_twice, "error": [lost(lines[1])]}

    with BatchServer(doubling) as server:
        replies = ask_all(an_entry(server.url), path)
        assert {text: said(reply) for text, reply in replies.items()} == {text: text for text in TEXTS}
        assert len(server.batches) == 1
        assert len(path.read_text().splitlines()) == len(TEXTS)
    # The second answer, the error beside an answer, and what is no line.
    assert "3 lines repeat others or cannot be read" in caplog.text


def test_batch_request_errors_map_to_outcomes(path: Path) -> None:
    def sorting(number: int, lines: list[dict[str, Any]], looks: int) -> dict[str, Any]:
        if number:
            return at_once(number, lines, looks)
        filtered = faulty(lines[0], 400, {"message": "content policy", "code": "content_filter"})
        busy = faulty(lines[1], 500, {"message": "overloaded"})
        return {"status": "completed", "output": [answer(line) for line in lines[2:]], "error": [filtered, busy]}

    with BatchServer(sorting) as server:
        replies = ask_all(an_entry(server.url), path)
        assert replies[TEXTS[0]].outcome is Ending.REFUSED
        assert server.asked[1:] == [[TEXTS[1]]]
        assert replies[TEXTS[1]].outcome is Ending.ANSWERED


def test_rejected_batch_keyword_stops_run_with_remedy(path: Path) -> None:
    def rejecting(number: int, lines: list[dict[str, Any]], looks: int) -> dict[str, Any]:
        return {"status": "completed", "error": [faulty(line, 400, {"message": REJECTED}) for line in lines]}

    with (
        BatchServer(rejecting) as server,
        pytest.raises(ChatError, match=r"capabilities: \{bounds: \[...\]\}, without it"),
    ):
        ask_all(an_entry(server.url), path)


def test_batch_with_unknown_model_stops_run_but_keeps_answers(path: Path) -> None:
    def unknown(number: int, lines: list[dict[str, Any]], looks: int) -> dict[str, Any]:
        missing = faulty(lines[0], 404, {"message": "no such model", "code": "model_not_found"})
        return {"status": "completed", "output": [answer(line) for line in lines[1:]], "error": [missing]}

    with BatchServer(unknown) as server, pytest.raises(ChatError, match="404: no such model or address"):
        ask_all(an_entry(server.url), path)
    with Journal(path) as journal:
        assert len(journal.replies) == 5


def test_batch_record_stays_open_until_all_answers_are_kept(path: Path) -> None:
    with BatchServer(lambda number, lines, looks: {"status": "in_progress"}) as server:
        with pytest.raises(KilledError):
            ask_all(an_entry(server.url), path, sleep=killed)
        server.script = at_once
        ask_all(an_entry(server.url), path, TEXTS[:2])
        assert len(BatchRecord(path).open()) == 1
        ask_all(an_entry(server.url), path)
        assert len(server.batches) == 1
        assert BatchRecord(path).open() == []


def test_batch_key_uses_configured_header_and_stays_unstored(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATCH_KEY", KEY)

    def telling(number: int, lines: list[dict[str, Any]], looks: int) -> dict[str, Any]:
        return {"status": "completed", "output": [answer(line, KEY) for line in lines]}

    with BatchServer(telling) as server:
        ask_all(an_entry(server.url, api_key_env="BATCH_KEY", key_header="api-key"), path)
        assert all(head["api-key"] == KEY and "Authorization" not in head for head in server.headers)
    for file in path.parent.iterdir():
        assert KEY not in file.read_text()


def test_batch_error_masks_key(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATCH_KEY", KEY)
    shown = {"message": f"not now, {KEY}", "code": "busy"}

    def failing(number: int, lines: list[dict[str, Any]], looks: int) -> dict[str, Any]:
        return {"status": "completed", "error": [faulty(line, 500, shown) for line in lines]}

    with BatchServer(failing) as server:
        entry = an_entry(server.url, api_key_env="BATCH_KEY", retries=0)
        errors = [reply.error for reply in ask_all(entry, path).values()]
        assert all(error is not None and "not now, ***" in error for error in errors)
        assert all(KEY not in file.read_text() for file in path.parent.iterdir())
        server.script = lambda number, lines, looks: {"status": "failed", "errors": [shown]}
        with pytest.raises(ChatError, match=r"not now, \*\*\*") as caught:
            ask_all(entry, path, ["Another."])
        assert KEY not in str(caught.value)


def test_budget_limits_batch_size(path: Path) -> None:
    # 20 tokens at most and 7 in truth, at half of 1 each: 10 are reserved for a request, and 3.5 paid.
    prices = {"m": Price(prompt=0, completion=1_000_000, batch=0.5)}

    def ledger(total: float) -> Ledger:
        return Ledger(Budget(total=total), prices, path.parents[1], "m")

    with BatchServer() as server:
        with pytest.raises(ChatError, match=r"budget.total of 35 USD has no room for more: .* are spent"):
            ask_all(
                an_entry(server.url), path, [*TEXTS, *(f"More {number}." for number in range(14))], ledger=ledger(35)
            )
        with Journal(path) as journal:
            spent = 3.5 * len(journal.replies)
        # More than the first batch had room for, and not so much that another would fit.
        assert len(server.asked[0]) == 2
        assert 25 < spent <= 35
        assert BatchRecord(path).open() == []
