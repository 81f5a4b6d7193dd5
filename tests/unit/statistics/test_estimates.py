"""What asking would take, from requests and what journals hold."""

from __future__ import annotations

import json

import pytest
from tests.unit.models.conftest import request

from nlfol.models.entries.prices import FREE, Price
from nlfol.models.journal.reading import Record
from nlfol.models.request import ChatReply, ChatRequest, Outcome
from nlfol.statistics.estimates import estimate
from nlfol.tables.estimates import estimates
from nlfol.tables.rendering import to_markdown

PRICE = Price(prompt=1_000_000, completion=2_000_000, batch=0.5)
ASKED = [request(text=f"Sentence {number}.", max_tokens=100) for number in range(4)]


def record(asked: ChatRequest, outcome: Outcome = Outcome.ANSWERED, prompt: int = 10, completion: int = 20) -> Record:
    return json.loads(asked.canonical()), ChatReply(
        asked.key, outcome, prompt_tokens=prompt, completion_tokens=completion
    )


def characters(*asked: ChatRequest) -> int:
    return sum(len(message.content) for each in asked for message in each.messages)


def test_without_a_journal_prompts_are_a_third_of_their_characters_and_completions_at_most_their_limit() -> None:
    row = estimate([*ASKED, ASKED[0]], [], all_answers=[], price=PRICE, batch=False, count=None)
    assert (row["requests"], row["answered"], row["left"]) == (4, 0, 4)
    assert row["prompt_tokens"] == round(characters(*ASKED) / 3)
    assert row["counted_by"] == "characters / 3.00"
    assert (row["completion_tokens"], row["completion_most"], row["cost"]) == (None, 400, None)
    # Whatever the count of the prompts: no token is shorter than a byte.
    assert row["cost_most"] == sum(PRICE.bound(json.loads(each.canonical()), batch=False) for each in ASKED)
    assert row["cost_most"] > characters(*ASKED) + 800


def test_what_the_journal_holds_is_not_counted_again_and_says_what_to_expect() -> None:
    failed = (json.loads(ASKED[1].canonical()), ChatReply(ASKED[1].key, Outcome.FAILED))
    kept = [record(ASKED[0]), failed]
    row = estimate(ASKED, kept, all_answers=kept, price=PRICE, batch=True, count=None)
    assert (row["answered"], row["left"]) == (1, 3)
    # The one answer had so many characters to 10 tokens, and 20 tokens of completion.
    assert row["prompt_tokens"] == round(characters(*ASKED[1:]) / (characters(ASKED[0]) / 10))
    assert row["counted_by"].startswith("journal / ")
    assert row["completion_tokens"] == 60
    assert row["cost"] == pytest.approx((row["prompt_tokens"] + 120) / 2)


def test_answers_to_another_task_are_expected_where_there_are_none_to_this() -> None:
    other = record(request(text="Elsewhere."), completion=7)
    row = estimate(ASKED, [], all_answers=[other], price=None, batch=False, count=None)
    assert (row["completion_tokens"], row["cost"], row["cost_most"], row["currency"]) == (28, None, None, None)


def test_answers_to_the_task_itself_go_before_those_to_others() -> None:
    own, other = record(ASKED[0], completion=20), record(request(text="Elsewhere."), completion=500)
    row = estimate(ASKED, [own], all_answers=[own, other], price=PRICE, batch=False, count=None)
    assert row["completion_tokens"] == 3 * 20


def test_a_tokenizer_counts_exactly_and_a_model_that_runs_here_costs_nothing() -> None:
    row = estimate(ASKED, [], all_answers=[record(ASKED[0])], price=FREE, batch=False, count=lambda _: 5)
    assert (row["prompt_tokens"], row["counted_by"], row["cost"], row["cost_most"]) == (20, "tokenizer", 0, 0)


def test_nothing_left_costs_nothing() -> None:
    kept = [record(asked) for asked in ASKED]
    row = estimate(ASKED, kept, all_answers=kept, price=PRICE, batch=False, count=None)
    assert (row["left"], row["prompt_tokens"], row["completion_tokens"], row["cost_most"]) == (0, 0, 0, 0)


def test_the_table_sums_up_and_names_models_without_a_price() -> None:
    said = {"dataset": "d", "task": "t"}
    rows = [
        {**said, "model": "dear", **estimate(ASKED, [], all_answers=[], price=PRICE, batch=False, count=None)},
        {**said, "model": "dark", **estimate(ASKED, [], all_answers=[], price=None, batch=False, count=None)},
    ]
    shown = to_markdown(estimates(rows, error="some"))
    assert f"Together: – USD expected, {rows[0]['cost_most']:,.3f} USD at most." in shown
    assert "No price is known (–) of dark: state it under price" in shown
