import dataclasses

import pytest

from nlfol.models.request import Message
from nlfol.store.canonical import canonical, sha256

from .conftest import CHOICE, request


def test_a_key_is_the_digest_of_the_canonical_request() -> None:
    assert request().key == sha256(request().canonical)
    assert request().canonical.startswith('{"answer_schema":{"additionalProperties":false,')
    assert "∀" in request(text="∀").canonical


def test_numbers_written_differently_make_one_request() -> None:
    assert request(temperature=0).key == request(temperature=0.0).key == request(temperature=-0.0).key
    assert canonical({"b": [1.0, 0.5], "a": (True, None)}) == '{"a":[true,null],"b":[1,0.5]}'


def test_everything_an_answer_depends_on_changes_the_key() -> None:
    changes = [
        request(model="test:other"),
        request(text="No dog is a cat."),
        request(answer=CHOICE),
        request(temperature=0),
        request(top_p=1),
        request(max_tokens=301),
        request(seed=4),
        dataclasses.replace(request(), messages=(Message("user", "All dogs are mammals."),)),
    ]
    assert len({changed.key for changed in [request(), *changes]}) == len(changes) + 1


def test_bounds_that_are_sent_change_the_key_and_a_request_without_any_keeps_the_one_it_had() -> None:
    assert "bounds" not in request().canonical
    bounded = dataclasses.replace(request(), bounds=("maxLength",))
    assert len({each.key for each in (request(), bounded, dataclasses.replace(request(), bounds=("minItems",)))}) == 3


def test_what_has_no_canonical_form_is_refused() -> None:
    with pytest.raises(ValueError, match="Out of range"):
        canonical(float("nan"))
    with pytest.raises(TypeError, match="string keys only"):
        canonical({1: "a"})
