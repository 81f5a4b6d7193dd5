import dataclasses

import pytest

from nlfol.models.request import Message
from nlfol.store.canonical import canonical, sha256

from .conftest import CHOICE, request


def test_request_key_hashes_canonical_form() -> None:
    assert request().key == sha256(request().canonical)
    assert request().canonical.startswith('{"answer_schema":{"additionalProperties":false,')
    assert "∀" in request(text="∀").canonical


def test_canonical_request_normalises_numbers() -> None:
    assert request(temperature=0).key == request(temperature=0.0).key == request(temperature=-0.0).key
    assert canonical({"b": [1.0, 0.5], "a": (True, None)}) == '{"a":[true,null],"b":[1,0.5]}'


def test_request_key_covers_all_answer_inputs() -> None:
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


def test_sent_bounds_change_request_key() -> None:
    assert "bounds" not in request().canonical
    bounded = dataclasses.replace(request(), bounds=("maxLength",))
    assert len({each.key for each in (request(), bounded, dataclasses.replace(request(), bounds=("minItems",)))}) == 3


def test_canonical_form_rejects_nan_and_non_string_keys() -> None:
    with pytest.raises(ValueError, match="Out of range"):
        canonical(float("nan"))
    with pytest.raises(TypeError, match="string keys only"):
        canonical({1: "a"})
