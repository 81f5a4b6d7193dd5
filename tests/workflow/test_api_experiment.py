"""A dialogue model behind an OpenAI-compatible interface, from the configuration to the tables."""

import json
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.unit.models.chat_server import ChatServer, Scripted, completion, error
from tests.workflow.checkout import CHANCE, Checkout, configuration, interface

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


def _answer(answer: object) -> Scripted:
    return Scripted(body=completion(json.dumps({"reasoning": "", "answer": answer})))


TRANSLATIONS: dict[str, Scripted] = {
    "Every cat sleeps.": _answer("∀x (Cat(x) → Sleeps(x))"),
    "No dog sleeps.": _answer("¬∃y (Sleeps(y) ∧ Dog(y))"),
    "Tom is a cat or a dog.": _answer("Cat(tom) ∧ Dog(tom)"),
    "Tom sleeps.": _answer("Snores(tom)"),
    "Some dog chases Tom.": Scripted(body=completion(None, refusal="I would rather not.")),
    "Rex is a dog, and he chases every cat.": Scripted(body=completion('{"reasoning": "Rex is', "length")),
    "No cat chases a dog.": Scripted(body=completion("No cat is a dog, I think.")),
    "If Rex sleeps, no dog chases Tom.": Scripted(500, error(f"overloaded, {KEY}")),
}
"""Right twice, wrong, outside the ontology, refused, cut off, no JSON, and an error that shows the key."""


def _scripted(body: dict[str, Any]) -> Scripted:
    """Translates as above, and picks the gold formula wherever formulas are shown; English it will not judge."""
    prompt = body["messages"][-1]["content"]
    found = re.search(r"Sentence: (.*)", prompt)
    assert found
    sentence = found[1]
    shown = dict(re.findall(r"^Formula (\d+): (.*)$", prompt, re.MULTILINE))
    if shown:
        (place,) = (number for number, formula in shown.items() if formula == GOLD[sentence])
        return _answer(int(place))
    if "Rephrasing" in prompt:
        return Scripted(body=completion(None, "content_filter"))
    return TRANSLATIONS[sentence]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout in which all items are made that a model is asked here."""
    made = Checkout.make(tmp_path_factory.mktemp("built") / "checkout")
    made.configure(configuration())
    made.run(*(f"results/items/mine/{task}.arrow" for task in ("logical_translation", "most_similar")))
    return made


@pytest.fixture
def checkout(built: Checkout, tmp_path: Path) -> Checkout:
    return built.copy(tmp_path / "checkout")


@pytest.fixture
def server() -> Iterator[ChatServer]:
    def every(body: dict[str, Any]) -> Scripted:
        is_known = f"authorization: bearer {KEY}" in running.heads[-1].lower()
        return _scripted(body) if is_known else Scripted(401, error(f"bad key, not {KEY}"))

    with ChatServer(every=every) as running:
        yield running


@pytest.fixture
def api(checkout: Checkout, server: ChatServer) -> Checkout:
    """The small experiment with a scripted server, without ranking."""
    said: dict[str, Any] = {"retries": 0, "concurrency": 2, "accept_failed": 0.125}
    price = {"prompt": 1, "completion": 1}
    values = configuration(scripted=interface(server.url, api_key_env=VARIABLE, price=price, **said), chance=CHANCE)
    del values["tasks"]["ranking"]
    checkout.configure(values)
    return checkout


def _holding(checkout: Checkout, text: str) -> set[str]:
    """The top-level folders with a file that holds a text."""
    return {name.partition("/")[0] for name, content in checkout.bytes("**/*").items() if text.encode() in content}


def test_api_answers_are_judged_and_tabulated(api: Checkout) -> None:
    run = api.run("results/tables", environment={VARIABLE: KEY})

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


def test_excess_api_failures_end_job_and_are_retried_alone(api: Checkout, server: ChatServer) -> None:
    values = yaml.safe_load(api.read("experiment.yaml"))
    values["models"]["scripted"]["accept_failed"] = 0.1
    api.configure(values)
    for attempt in range(2):
        said = api.fail(RESPONSES, environment={VARIABLE: KEY}).error
        assert "1 of 8 requests failed, 1 of them with: 500 " in said
        assert "accept_failed: 0.125 in the model's entry" in said
        assert len(server.asked) == len(TRANSLATIONS) + attempt
    listed = [
        json.loads(line) for line in api.read("journal/scripted/mine.logical_translation.jsonl.failed").splitlines()
    ]
    assert [failure["error"][:4] for failure in listed] == ["500 ", "500 "]


def test_accepted_api_failures_are_retried_until_answered(api: Checkout, server: ChatServer) -> None:
    run = api.run(RESPONSES, environment={VARIABLE: KEY})
    assert "1 requests failed and count as wrong answers" in run.output
    asked = len(server.asked)
    assert asked == len(TRANSLATIONS)
    run = api.snakemake(RESPONSES, environment={VARIABLE: KEY})
    assert (run.status, len(server.asked)) == (0, asked + 1)

    server.every = lambda _: _answer("Sleeps(rex)")
    run = api.snakemake(RESPONSES, environment={VARIABLE: KEY})
    assert (run.status, len(server.asked)) == (0, asked + 2)
    assert "requests failed" not in run.output
    outcomes = {row["outcome"] for row in files.rows(api.folder / RESPONSES, schemas.RESPONSES)}
    assert "failed" not in outcomes
    run = api.snakemake(RESPONSES, environment={VARIABLE: KEY})
    assert (run.jobs, len(server.asked)) == ({}, asked + 2)
    assert "If Rex sleeps, no dog chases Tom." in server.asked[-1]


def test_api_response_metadata_is_recorded(api: Checkout) -> None:
    api.run(RESPONSES, environment={VARIABLE: KEY})
    rows = files.rows(api.folder / RESPONSES, schemas.RESPONSES)
    (cut,) = (row for row in rows if row["outcome"] == "truncated")
    names = ("served_model", "response_id", "prompt_tokens", "completion_tokens", "attempts", "finish_reason")
    assert [cut[name] for name in names] == ["tiny-2026-01-01", "chatcmpl-1", 11, 7, 1, "length"]
    # The one that failed is to be asked again and cannot be: what was accepted before still is.
    run = api.snakemake(RESPONSES, environment={VARIABLE: ""})
    assert (run.status, run.jobs["ask_api"]) == (0, 1)
    assert f"environment variable {VARIABLE} is not set" in run.output
    assert files.rows(api.folder / RESPONSES, schemas.RESPONSES) == rows


def test_unsupported_sampling_key_is_rejected_before_asking(api: Checkout, server: ChatServer) -> None:
    values = yaml.safe_load(api.read("experiment.yaml"))
    values["models"]["scripted"] |= {"capabilities": {"temperature": False}, "sampling": {"temperature": 0}}
    api.configure(values)
    run = api.snakemake(RESPONSES, environment={VARIABLE: KEY})
    assert run.status != 0
    assert "models.scripted: sampling.temperature is given, which scripted does not take; leave it out" in run.output
    assert not server.asked


def test_unsupported_parameters_are_omitted_from_api_request(api: Checkout, server: ChatServer) -> None:
    values = yaml.safe_load(api.read("experiment.yaml"))
    accepted = {"temperature": False, "top_p": False, "seed": False, "limit": "max_tokens", "instructions": "user"}
    values["models"]["scripted"] |= {"capabilities": accepted, "structured": "none", "api_key_env": VARIABLE}
    api.configure(values)
    api.run(RESPONSES, environment={VARIABLE: KEY})
    body = server.bodies[0]
    assert set(body) == {"model", "messages", "max_tokens"}
    assert [message["role"] for message in body["messages"]] == ["user"]
    table = files.read(api.folder / RESPONSES, schemas.RESPONSES)
    assert table.schema.metadata[b"identity"].endswith(b"/v1/scripted;structured=none")


def test_refused_api_key_stops_run_without_leaking(api: Checkout, server: ChatServer) -> None:
    server.every = lambda _: Scripted(401, error(f"Incorrect API key provided: {KEY}", "invalid_api_key"))
    run = api.fail(RESPONSES, environment={VARIABLE: KEY})
    assert f"401: the key in {VARIABLE} is refused" in run.error
    assert KEY not in run.output
    assert _holding(api, KEY) == set()


def test_missing_api_key_error_names_variable_before_asking(api: Checkout, server: ChatServer) -> None:
    assert f"environment variable {VARIABLE} is not set" in api.fail(RESPONSES, environment={VARIABLE: ""}).error
    assert not server.asked
