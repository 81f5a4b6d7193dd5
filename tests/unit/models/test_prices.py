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
def test_a_price_that_cannot_be_is_refused(price: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        openai_entry(None, price=price)


def test_cached_tokens_are_a_part_of_the_prompt_and_a_batch_has_its_factor() -> None:
    # 600,000 at 2, 400,000 at 1, 200,000 at 10, a million each.
    assert PRICE.of_reply(REPLY) == pytest.approx(1.2 + 0.4 + 2)
    assert PRICE.of_reply(replace(REPLY, batch="batch_1")) == pytest.approx(1.8)
    assert Price(prompt=2, completion=10).of_reply(REPLY) == pytest.approx(2 + 2)
    assert PRICE.of_reply(replace(REPLY, completion_tokens=None)) is None
    assert FREE.of_reply(REPLY) == 0


def test_a_batch_has_its_factor_in_the_bound_too() -> None:
    canonical = json.loads(request().canonical)
    assert PRICE.bound(canonical, batch=True) == pytest.approx(PRICE.bound(canonical, batch=False) / 2)


prices = st.floats(0, 100)


@example(text="∀" * 60, price=Price(prompt=1, completion=0), all_cached=False)
@given(
    text=st.text("a¬∀𝔸", max_size=60),
    price=st.builds(Price, prompt=prices, completion=prices, cached=prices | st.none()),
    all_cached=st.booleans(),
)
def test_the_bound_holds_whatever_the_prices_and_the_tokenizer(text: str, price: Price, all_cached: bool) -> None:
    asked = request(text=text, max_tokens=300)
    canonical = json.loads(asked.canonical)
    schema = json.dumps(canonical["answer_schema"], ensure_ascii=False)
    said = [*(message.content for message in asked.messages), schema]
    # A token for every byte of prompt and schema.
    tokens = sum(len(part.encode()) for part in said)
    cost = price.of(tokens, tokens if all_cached else 0, 300, batch=False)
    assert cost <= price.bound(canonical, batch=False) * (1 + 1e-12)


def test_more_cached_tokens_than_the_prompt_has_are_as_many_as_it_has() -> None:
    odd = replace(REPLY, cached_tokens=3_000_000)
    assert PRICE.of_reply(odd) == PRICE.of_reply(replace(REPLY, cached_tokens=REPLY.prompt_tokens))


def test_an_answer_without_numbers_of_tokens_counts_with_its_bound_and_none_with_nothing() -> None:
    canonical = json.loads(request().canonical)
    assert PRICE.at_most(canonical, ChatReply("k", Ending.ANSWERED)) == PRICE.bound(canonical, batch=False)
    assert PRICE.at_most(canonical, ChatReply("k", Ending.FAILED)) == 0
    assert PRICE.at_most(canonical, ChatReply("k", Ending.REFUSED)) == 0
    assert PRICE.at_most(canonical, REPLY) == PRICE.of_reply(REPLY)
