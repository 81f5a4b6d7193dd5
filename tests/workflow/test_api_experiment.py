"""A dialogue model behind an OpenAI-compatible interface, from the configuration to the tables."""

from __future__ import annotations

import json
import re
import secrets
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from tests.workflow.checkout import CHANCE, Checkout, configuration
from werkzeug import Request, Response

# Drawn anew, so that not even a copy of this file holds it.
KEY = f"sk-{secrets.token_hex(16)}"
VARIABLE = "NLFOL_TEST_KEY"
GOLD = {
    "Every cat sleeps.": "∀x (Cat(x) → Sleeps(x))",
    "No dog sleeps.": "∀x (Dog(x) → ¬Sleeps(x))",
    "Tom is a cat or a dog.": "Cat(tom) ∨ Dog(tom)",
    "Some dog chases Tom.": "∃x (Dog(x) ∧ Chases(x, tom))",
    "Rex is a dog, and he chases every cat.": "Dog(rex) ∧ ∀x (Cat(x) → Chases(rex, x))",
    "No cat chases a dog.": "∀x ∀y (Cat(x) ∧ Dog(y) → ¬Chases(x, y))",
    "If Rex sleeps, no dog chases Tom.": "Sleeps(rex) → ¬∃x (Dog(x) ∧ Chases(x, tom))",
}


def _completion(content: str | None, finish: str = "stop", refusal: str | None = None) -> Response:
    message = {"role": "assistant", "content": content, "refusal": refusal}
    body = {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }
    return Response(json.dumps(body), content_type="application/json")


def _answer(answer: object) -> Response:
    return _completion(json.dumps({"reasoning": "", "answer": answer}))


TRANSLATIONS: dict[str, Response] = {
    "Every cat sleeps.": _answer("∀x (Cat(x) → Sleeps(x))"),
    "No dog sleeps.": _answer("¬∃y (Sleeps(y) ∧ Dog(y))"),
    "Tom is a cat or a dog.": _answer("Cat(tom) ∧ Dog(tom)"),
    "Tom sleeps.": _answer("Snores(tom)"),
    "Some dog chases Tom.": _completion(None, refusal="I would rather not."),
    "Rex is a dog, and he chases every cat.": _completion('{"reasoning": "Rex is', finish="length"),
    "No cat chases a dog.": _completion("No cat is a dog, I think."),
    "If Rex sleeps, no dog chases Tom.": Response(
        json.dumps({"error": {"message": f"overloaded, {KEY}"}}), status=500, content_type="application/json"
    ),
}
"""Right twice, wrong, outside the ontology, refused, cut off, no JSON, and an error that shows the key."""


def _scripted(request: Request) -> Response:
    """Translates as above, and picks the gold formula wherever formulas are shown; English it will not judge."""
    if request.headers["Authorization"] != f"Bearer {KEY}":
        return Response(json.dumps({"error": {"message": f"bad key, not {KEY}"}}), status=401)
    prompt = json.loads(request.data)["messages"][-1]["content"]
    found = re.search(r"Sentence: (.*)", prompt)
    assert found
    sentence = found[1]
    shown = dict(re.findall(r"^Formula (\d+): (.*)$", prompt, re.MULTILINE))
    if shown:
        (place,) = (number for number, formula in shown.items() if formula == GOLD[sentence])
        return _answer(int(place))
    if "Rephrasing" in prompt:
        return _completion(None, finish="content_filter")
    return TRANSLATIONS[sentence]


@pytest.fixture
def api(checkout: Checkout, httpserver: HTTPServer) -> Checkout:
    """The small experiment with a scripted server, without ranking."""
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(_scripted)
    entry: dict[str, Any] = {
        "kind": "chat",
        "backend": "openai",
        "model": "scripted",
        "base_url": httpserver.url_for("/v1"),
        "api_key_env": VARIABLE,
        "retries": 0,
        "concurrency": 2,
    }
    values = configuration(scripted=entry, chance=CHANCE)
    del values["tasks"]["ranking"]
    checkout.configure(values)
    return checkout


def _holding(checkout: Checkout, text: str) -> set[str]:
    """The top-level folders with a file that holds a text."""
    return {name.partition("/")[0] for name, content in checkout.bytes("**/*").items() if text.encode() in content}


def test_a_scripted_server_is_asked_judged_and_tabulated(api: Checkout) -> None:
    run = api.snakemake("results/tables", environment={VARIABLE: KEY})
    assert run.status == 0, run.output

    (translated,) = (row for row in api.table("logical_translation") if row["model"] == "scripted")
    counts = ["equivalent", "not_equivalent", "unknown", "invalid", "unparsable", "truncated", "refused", "failed"]
    assert [translated[name] for name in counts] == [2, 1, 0, 1, 1, 1, 1, 1]
    assert (translated["items"], translated["equivalence_mean"]) == (8, 2 / 8)

    lost = ["unparsable", "truncated", "refused", "failed"]
    compared = {
        row["presentation"]: (row["most_similar_accuracy_mean"], *(row[f"most_similar_{name}"] for name in lost))
        for row in api.table("dialogue")
        if row["model"] == "scripted"
    }
    assert compared == {"formula": (1.0, 0, 0, 0, 0), "english": (0.0, 0, 0, 7, 0)}

    # The search finds what is there: the model's name is in these folders, the key in none.
    assert {"results", "journal", ".snakemake"} <= _holding(api, "scripted")
    assert KEY not in run.output
    assert _holding(api, KEY) == set()


def test_a_scripted_server_is_asked_again_for_what_failed_and_nothing_else(
    api: Checkout, httpserver: HTTPServer
) -> None:
    responses = "results/responses/mine/logical_translation/scripted.arrow"
    assert api.snakemake(responses, environment={VARIABLE: KEY}).status == 0
    assert len(httpserver.log) == len(TRANSLATIONS)
    (api.folder / responses).unlink()
    assert api.snakemake(responses, environment={VARIABLE: KEY}).status == 0
    (failed,) = httpserver.log[len(TRANSLATIONS) :]
    assert "If Rex sleeps, no dog chases Tom." in json.loads(failed[0].data)["messages"][-1]["content"]


def test_a_scripted_server_that_refuses_the_key_stops_the_run_without_showing_it(
    api: Checkout, httpserver: HTTPServer
) -> None:
    httpserver.clear()
    refusal = {"error": {"message": f"Incorrect API key provided: {KEY}", "code": "invalid_api_key"}}
    httpserver.expect_request("/v1/chat/completions").respond_with_json(refusal, status=401)
    run = api.snakemake("results/responses/mine/logical_translation/scripted.arrow", environment={VARIABLE: KEY})
    assert run.status != 0
    assert "Traceback" not in run.output
    (error,) = run.errors
    assert f"401: the key in {VARIABLE} is refused" in error
    assert KEY not in run.output
    assert _holding(api, KEY) == set()


def test_without_a_key_the_variable_is_named_and_the_server_left_alone(api: Checkout, httpserver: HTTPServer) -> None:
    run = api.snakemake("results/responses/mine/logical_translation/scripted.arrow", environment={VARIABLE: ""})
    assert run.status != 0
    assert "Traceback" not in run.output
    (error,) = run.errors
    assert f"environment variable {VARIABLE} is not set" in error
    assert not httpserver.log
