"""A dialogue model behind an OpenAI-compatible interface, from the configuration to the tables."""

import json
import re
import secrets
from pathlib import Path
from typing import Any

import pytest
import yaml
from pytest_httpserver import HTTPServer
from tests.workflow.checkout import CHANCE, Checkout, configuration
from werkzeug import Request, Response

from nlfol.store import files, schemas

# Drawn anew, so that not even a copy of this file holds it.
KEY = f"sk-{secrets.token_hex(16)}"
VARIABLE = "NLFOL_TEST_KEY"
LOST = ["unparsable", "truncated", "empty", "blank", "refused", "failed"]
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


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout in which all items are made that a model is asked here."""
    made = Checkout.make(tmp_path_factory.mktemp("built") / "checkout")
    made.configure(configuration())
    run = made.snakemake(*(f"results/items/mine/{task}.arrow" for task in ("logical_translation", "most_similar")))
    assert run.status == 0, run.output
    return made


@pytest.fixture
def checkout(built: Checkout, tmp_path: Path) -> Checkout:
    return built.copy(tmp_path / "checkout")


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
        "accept_failed": 0.125,
        "price": {"prompt": 1, "completion": 1},
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
    counts = ["equivalent", "not_equivalent", "unknown", "invalid"]
    assert [translated[name] for name in [*counts, *LOST]] == [2, 1, 0, 1, 1, 1, 0, 0, 1, 1]
    assert (translated["items"], translated["equivalence_mean"]) == (8, 2 / 8)

    compared = {
        row["presentation"]: (row["most_similar_accuracy_mean"], *(row[f"most_similar_{name}"] for name in LOST))
        for row in api.table("dialogue")
        if row["model"] == "scripted"
    }
    assert compared == {"formula": (1.0, 0, 0, 0, 0, 0, 0), "english": (0.0, 0, 0, 0, 0, 7, 0)}

    # 11 tokens of prompt and 7 of completion each, of which the server that fails says nothing.
    costs = {row["task"]: row for row in api.table("costs")}
    names = ("requests", "uncounted", "prompt_tokens", "completion_tokens", "cost", "currency", "price_read")
    assert [costs["logical_translation"][name] for name in names] == [8, 1, 77, 49, 126.0 / 1e6, "USD", None]

    # The search finds what is there: the model's name is in these folders, the key in none.
    assert {"results", "journal", ".snakemake"} <= _holding(api, "scripted")
    assert KEY not in run.output
    assert _holding(api, KEY) == set()

    # What was no JSON at all is told from what a server that honours schemas may send.
    assert re.search(r"warning: 1 of 8 answers break the schema that openai:\S+ was to hold them to", run.output)


RESPONSES = "results/responses/mine/logical_translation/scripted.arrow"


def test_more_failures_of_a_scripted_server_than_are_accepted_end_the_job_and_are_asked_again_alone(
    api: Checkout, httpserver: HTTPServer
) -> None:
    values = yaml.safe_load(api.read("experiment.yaml"))
    values["models"]["scripted"]["accept_failed"] = 0.1
    api.configure(values)
    for attempt in range(2):
        run = api.snakemake(RESPONSES, environment={VARIABLE: KEY})
        assert run.status != 0
        (error,) = run.errors
        assert "1 of 8 requests failed, 1 of them with: 500 " in error
        assert "accept_failed: 0.125 in the model's entry" in error
        assert len(httpserver.log) == len(TRANSLATIONS) + attempt
    listed = [
        json.loads(line) for line in api.read("journal/scripted/mine.logical_translation.jsonl.failed").splitlines()
    ]
    assert [failure["error"][:4] for failure in listed] == ["500 ", "500 "]


def test_failures_of_a_scripted_server_that_are_accepted_are_asked_again_by_each_run_until_answered(
    api: Checkout, httpserver: HTTPServer
) -> None:
    run = api.snakemake(RESPONSES, environment={VARIABLE: KEY})
    assert run.status == 0, run.output
    assert "1 requests failed and count as wrong answers" in run.output
    asked = len(httpserver.log)
    assert asked == len(TRANSLATIONS)
    run = api.snakemake(RESPONSES, environment={VARIABLE: KEY})
    assert (run.status, len(httpserver.log)) == (0, asked + 1)

    httpserver.clear_all_handlers()
    httpserver.expect_request("/v1/chat/completions").respond_with_response(_answer("Sleeps(rex)"))
    run = api.snakemake(RESPONSES, environment={VARIABLE: KEY})
    assert (run.status, len(httpserver.log)) == (0, asked + 2)
    assert "requests failed" not in run.output
    outcomes = {row["outcome"] for row in files.rows(api.folder / RESPONSES, schemas.RESPONSES)}
    assert "failed" not in outcomes
    run = api.snakemake(RESPONSES, environment={VARIABLE: KEY})
    assert (run.jobs, len(httpserver.log)) == ({}, asked + 2)
    (last, _) = httpserver.log[-1]
    assert "If Rex sleeps, no dog chases Tom." in json.loads(last.data)["messages"][-1]["content"]


def test_what_a_scripted_server_says_of_its_answers_stands_in_the_responses(api: Checkout) -> None:
    assert api.snakemake(RESPONSES, environment={VARIABLE: KEY}).status == 0
    rows = files.rows(api.folder / RESPONSES, schemas.RESPONSES)
    (cut,) = (row for row in rows if row["outcome"] == "truncated")
    names = ("served_model", "response_id", "prompt_tokens", "completion_tokens", "attempts", "finish_reason")
    assert [cut[name] for name in names] == ["scripted", "1", 11, 7, 1, "length"]
    # The one that failed is to be asked again and cannot be: what was accepted before still is.
    run = api.snakemake(RESPONSES, environment={VARIABLE: ""})
    assert (run.status, run.jobs["ask_api"]) == (0, 1)
    assert f"environment variable {VARIABLE} is not set" in run.output
    assert files.rows(api.folder / RESPONSES, schemas.RESPONSES) == rows


def test_what_a_model_does_not_take_is_an_error_before_a_scripted_server_is_asked(
    api: Checkout, httpserver: HTTPServer
) -> None:
    values = yaml.safe_load(api.read("experiment.yaml"))
    values["models"]["scripted"] |= {"capabilities": {"temperature": False}, "sampling": {"temperature": 0}}
    api.configure(values)
    run = api.snakemake(RESPONSES, environment={VARIABLE: KEY})
    assert run.status != 0
    assert "models.scripted: sampling.temperature is given, which scripted does not take; leave it out" in run.output
    assert not httpserver.log


def test_a_scripted_server_without_system_role_and_temperature_gets_neither(
    api: Checkout, httpserver: HTTPServer
) -> None:
    values = yaml.safe_load(api.read("experiment.yaml"))
    accepted = {"temperature": False, "top_p": False, "seed": False, "limit": "max_tokens", "instructions": "user"}
    values["models"]["scripted"] |= {"capabilities": accepted, "structured": "none", "api_key_env": VARIABLE}
    api.configure(values)
    assert api.snakemake(RESPONSES, environment={VARIABLE: KEY}).status == 0
    body = json.loads(httpserver.log[0][0].data)
    assert set(body) == {"model", "messages", "max_tokens"}
    assert [message["role"] for message in body["messages"]] == ["user"]
    table = files.read(api.folder / RESPONSES, schemas.RESPONSES)
    assert table.schema.metadata[b"identity"].endswith(b"/v1/scripted;structured=none")


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
