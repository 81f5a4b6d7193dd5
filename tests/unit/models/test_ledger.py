"""A budget over several jobs: what journals say was spent, and what is reserved for requests under way."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.unit.asking.conversations import ask
from tests.unit.models.chat_server import ChatServer, Scripted
from tests.unit.models.conftest import openai_entry, request

from nlfol.models import budget
from nlfol.models.api.chat import ApiChat
from nlfol.models.budget import Ledger
from nlfol.models.entries.prices import Budget, Price
from nlfol.models.journal.batches import reserved_in_batches
from nlfol.models.journal.journal import Journal
from nlfol.models.request import ChatError, ChatReply, Ending
from nlfol.store.presence import FORGOTTEN
from nlfol_extras.batches.record import BatchRecord

PRICE = Price(prompt=0, completion=1_000_000, batch=0.5)
"""One a token of completion: a request that may have 10 costs at most 10."""


def asked(number: int, tokens: int = 10, model: str = "test:model") -> Any:
    return request(model, f"Sentence {number}.", max_tokens=tokens)


def ledger(folder: Path, model: str = "a", **amounts: Any) -> Ledger:
    return Ledger(Budget.model_validate(amounts), {"a": PRICE, "b": PRICE}, folder, model)


def keep(folder: Path, model: str, number: int, **said: Any) -> None:
    question = asked(number)
    reply = ChatReply(question.key, Ending.ANSWERED, prompt_tokens=1, **said)
    with Journal(folder / model / "d.t.jsonl") as journal:
        journal.append([(question, reply)])


def test_budget_reserves_maximum_for_requests_in_flight(tmp_path: Path) -> None:
    with ledger(tmp_path, total=25) as job:
        assert job.reserve([asked(1), asked(2)]) is None
        shortage = job.reserve([asked(3)])
        assert shortage is not None
        assert shortage.pending
        keep(tmp_path, "a", 1, completion_tokens=4)
        job.release([asked(1).key])
        # 4 spent, 10 reserved.
        assert job.reserve([asked(3)]) is None


def test_reservation_ends_with_ledger_block(tmp_path: Path) -> None:
    job = ledger(tmp_path, total=15)
    with job:
        assert job.reserve([asked(1)]) is None
    with job:
        assert job.reserve([asked(2)]) is None


def test_jobs_share_budget_and_reservations(tmp_path: Path) -> None:
    with ledger(tmp_path, "a", total=15) as one, ledger(tmp_path, "b", total=15) as other:
        assert one.reserve([asked(1)]) is None
        assert other.reserve([asked(2)]) is not None
        keep(tmp_path, "a", 1, completion_tokens=5)
        one.release([asked(1).key])
        assert other.reserve([asked(2)]) is None
    assert not list((tmp_path / ".budget").glob("*.json"))


def test_budget_counts_spending_from_all_journals(tmp_path: Path) -> None:
    keep(tmp_path, "a", 1, completion_tokens=8)
    keep(tmp_path, "b", 2, completion_tokens=8, batch="batch_1")
    with ledger(tmp_path, total=21.9) as job:
        shortage = job.reserve([asked(3)])
        assert shortage is not None
        assert not shortage.pending
        assert "budget.total of 21.9 USD has no room for more: 12.0000 USD are spent" in shortage.message
        assert "raise budget.total in the configuration" in shortage.message
    with ledger(tmp_path, total=22) as job:
        assert job.reserve([asked(3)]) is None


def test_model_budget_counts_only_its_own_answers(tmp_path: Path) -> None:
    keep(tmp_path, "b", 1, completion_tokens=8)
    with ledger(tmp_path, "a", models={"a": 10}) as job:
        assert job.reserve([asked(2)]) is None
        shortage = job.reserve([asked(3)])
        assert shortage is not None
        assert "budget.models.a of 10 USD" in shortage.message


def test_answer_without_token_counts_costs_its_bound(tmp_path: Path) -> None:
    keep(tmp_path, "a", 1)
    with ledger(tmp_path, total=19) as job:
        assert job.reserve([asked(2)]) is not None


def test_killed_jobs_reservation_expires(tmp_path: Path) -> None:
    killed = ledger(tmp_path, total=10)
    killed.__enter__()
    assert killed.reserve([asked(1)]) is None
    with ledger(tmp_path, total=10) as job:
        assert job.reserve([asked(2)]) is not None
        (left,) = (path for path in (tmp_path / ".budget").glob("*.json") if json.loads(path.read_text())["amount"])
        past = left.stat().st_mtime - FORGOTTEN - 1
        os.utime(left, (past, past))
        assert job.reserve([asked(2)]) is None


def test_delayed_job_restores_its_reservation(tmp_path: Path) -> None:
    with ledger(tmp_path, total=10) as held_up, ledger(tmp_path, total=10) as job:
        assert held_up.reserve([asked(1)]) is None
        assert held_up.send(asked(1).key)
        for path in (tmp_path / ".budget").glob("*.json"):
            path.unlink()
        held_up.beat()
        assert job.reserve([asked(2)]) is not None


def test_expired_reservation_is_renewed_before_sending(tmp_path: Path) -> None:
    with ledger(tmp_path, total=10) as held_up, ledger(tmp_path, total=10) as job:
        assert held_up.reserve([asked(1)]) is None
        (left,) = (path for path in (tmp_path / ".budget").glob("*.json") if json.loads(path.read_text())["amount"])
        past = left.stat().st_mtime - FORGOTTEN - 1
        os.utime(left, (past, past))
        assert job.reserve([asked(2)]) is None
        held_up.beat()
        assert not held_up.send(asked(1).key)
        assert held_up.reserve([asked(1)]) is not None
        job.release([asked(2).key])
        assert held_up.reserve([asked(1)]) is None
        assert held_up.send(asked(1).key)


def test_lost_attempts_count_as_possibly_spent(tmp_path: Path) -> None:
    question = asked(1)
    with Journal(tmp_path / "a" / "d.t.jsonl") as journal:
        journal.append([(question, ChatReply(question.key, Ending.FAILED, attempts=3, lost=2))])
        answer = ChatReply(question.key, Ending.ANSWERED, prompt_tokens=1, completion_tokens=4, attempts=2, lost=1)
        journal.append([(question, answer)])
    with ledger(tmp_path, total=43.9) as job:
        shortage = job.reserve([asked(2)])
        assert shortage is not None
        assert "34.0000 USD are spent (30.0000 of it perhaps, for attempts without an answer)" in shortage.message
    with ledger(tmp_path, total=44) as job:
        assert job.reserve([asked(2)]) is None


def test_batches_in_flight_stay_reserved_without_job(tmp_path: Path) -> None:
    record = BatchRecord(tmp_path / "b" / "d.t.jsonl")
    sent = record.intend([asked(1).key], 8.0)
    with ledger(tmp_path, total=15) as job:
        assert job.reserve([asked(2)]) is not None
        record.close(sent, "completed")
        assert job.reserve([asked(2)]) is None


def test_batch_ending_during_budget_read_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = BatchRecord(tmp_path / "b" / "d.t.jsonl")
    sent = record.intend([asked(1).key], 8.0)

    def ended_just_before(path: Path) -> float:
        keep(tmp_path, "b", 1, completion_tokens=16, batch="batch_1")
        record.close(sent, "completed")
        return reserved_in_batches(path)

    monkeypatch.setattr(budget, "reserved_in_batches", ended_just_before)
    with ledger(tmp_path, total=15) as job:
        assert job.reserve([asked(2)]) is not None


def test_budget_limits_requests_and_keeps_answers(tmp_path: Path) -> None:
    # 7 tokens of completion an answer; at most 20.
    with ChatServer() as server:
        entry = openai_entry(server.url, concurrency=4)
        questions = [asked(number, 20, entry.identity) for number in range(20)]
        api = ApiChat(entry, tmp_path / ".sharers", ledger(tmp_path, total=100))
        with Journal(tmp_path / "a" / "d.t.jsonl") as journal:
            with pytest.raises(ChatError, match=r"budget.total of 100 USD has no room for more: 84.0000 USD are spent"):
                ask(api, questions, journal)
            assert len(journal.replies) == 12
        assert len(server.asked) == 12
        # A higher budget asks the others, and those alone.
        api = ApiChat(entry, tmp_path / ".sharers", ledger(tmp_path, total=1000))
        with Journal(tmp_path / "a" / "d.t.jsonl") as journal:
            assert len(ask(api, questions, journal)) == 20
        assert len(server.asked) == 20


LATE = {
    "hang": Scripted(manner="hang"),
    "cut": Scripted(manner="cut"),
    "no completion": Scripted(body="late"),
}


@pytest.mark.parametrize("late", LATE.values(), ids=LATE.keys())
def test_budget_bounds_lost_answers_across_runs(tmp_path: Path, late: Scripted) -> None:
    with ChatServer(every=lambda _: late) as server:
        entry = openai_entry(server.url, concurrency=4, timeout=1.5, retries=2)
        questions = [asked(number, 10, entry.identity) for number in range(28)]
        for _ in range(2):
            api = ApiChat(entry, tmp_path / ".sharers", ledger(tmp_path, total=100))
            with (
                Journal(tmp_path / "a" / "d.t.jsonl") as journal,
                pytest.raises(ChatError, match=r"budget.total of 100 USD has no room"),
            ):
                ask(api, questions, journal)
            assert len(server.asked) == 10


def test_refused_requests_count_as_unspent(tmp_path: Path) -> None:
    with ChatServer(every=lambda _: Scripted(status=429, headers={"Retry-After": "0"})) as server:
        entry = openai_entry(server.url, retries=1)
        api = ApiChat(entry, tmp_path / ".sharers", ledger(tmp_path, total=10))
        (reply,) = api.answer([asked(1, 10, entry.identity)])
        assert (reply.outcome, reply.attempts, reply.lost) == (Ending.FAILED, 2, 0)
    unreachable = openai_entry("http://127.0.0.1:9/v1", retries=0)
    (reply,) = ApiChat(unreachable, tmp_path / ".sharers").answer([asked(1, 10, unreachable.identity)])
    assert (reply.outcome, reply.lost) == (Ending.FAILED, 0)
