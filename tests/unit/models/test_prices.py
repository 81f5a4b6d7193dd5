"""Prices: an entry's own, the cost of a reply, and the bound of a request."""

import json
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.unit.models.conftest import openai_entry, request

from nlfol.models.entries.prices import FREE, Price
from nlfol.models.request import ChatReply, Ending

PRICE = Price(prompt=2, cached=1, completion=10, batch=0.5)
REPLY = ChatReply("k", Ending.ANSWERED, prompt_tokens=1_000_000, cached_tokens=400_000, completion_tokens=200_000)


@pytest.mark.parametrize(
    "price", [{"prompt": -1, "completion": 1}, {"prompt": 1}, {"prompt": 1, "completion": 1, "x": 1}]
)
def test_price_rejects_invalid_values(price: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        openai_entry(None, price=price)


def test_reply_price_applies_cached_rate_and_batch_factor() -> None:
    # 600,000 at 2, 400,000 at 1, 200,000 at 10, a million each.
    assert PRICE.of_reply(REPLY) == pytest.approx(1.2 + 0.4 + 2)
    assert PRICE.of_reply(replace(REPLY, batch="batch_1")) == pytest.approx(1.8)
    assert Price(prompt=2, completion=10).of_reply(REPLY) == pytest.approx(2 + 2)
    assert PRICE.of_reply(replace(REPLY, completion_tokens=None)) is None
    assert FREE.of_reply(REPLY) == 0


def test_price_bound_applies_batch_factor() -> None:
    canonical = json.loads(request().canonical)
    assert PRICE.bound(canonical, batch=True) == pytest.approx(PRICE.bound(canonical, batch=False) / 2)


prices = st.floats(0, 100)


@example(text="∀" * 60, price=Price(prompt=1, completion=0), all_cached=False)
@given(
    text=st.text("a¬∀𝔸", max_size=60),
    price=st.builds(Price, prompt=prices, completion=prices, cached=prices | st.none()),
    all_cached=st.booleans(),
)
def test_price_bound_exceeds_any_tokenization_cost(text: str, price: Price, all_cached: bool) -> None:
    asked = request(text=text, max_tokens=300)
    canonical = json.loads(asked.canonical)
    schema = json.dumps(canonical["answer_schema"], ensure_ascii=False)
    said = [*(message.content for message in asked.messages), schema]
    # A token for every byte of prompt and schema.
    tokens = sum(len(part.encode()) for part in said)
    cost = price.of(tokens, tokens if all_cached else 0, 300, batch=False)
    assert cost <= price.bound(canonical, batch=False) * (1 + 1e-12)


def test_cached_tokens_are_capped_at_prompt_tokens() -> None:
    odd = replace(REPLY, cached_tokens=3_000_000)
    assert PRICE.of_reply(odd) == PRICE.of_reply(replace(REPLY, cached_tokens=REPLY.prompt_tokens))


def test_answer_without_token_counts_costs_bound_and_failure_zero() -> None:
    canonical = json.loads(request().canonical)
    assert PRICE.at_most(canonical, ChatReply("k", Ending.ANSWERED)) == PRICE.bound(canonical, batch=False)
    assert PRICE.at_most(canonical, ChatReply("k", Ending.FAILED)) == 0
    assert PRICE.at_most(canonical, ChatReply("k", Ending.REFUSED)) == 0
    assert PRICE.at_most(canonical, REPLY) == PRICE.of_reply(REPLY)
