"""Requests to OpenAI and Anthropic, from all that an entry can say, are held to what these providers publish."""

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from openai.lib._pydantic import _ensure_strict_json_schema
from openai.types import BatchCreateParams, EmbeddingCreateParams
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from pydantic import ValidationError
from tests.unit.extras.batch_server import BatchServer
from tests.unit.models.provider_types import Schema, faults, specified, typed

from nlfol.asking.questions import request_of
from nlfol.models.entries.chat import ApiChatEntry, complete
from nlfol.models.entries.provider_table import STRUCTURES, ProviderTable, ProviderTableError
from nlfol.models.providers.openai import OpenaiChatEntry, OpenaiEmbeddingEntry, OpenaiEmbeddings
from nlfol.models.providers.registry import provider, read_entry
from nlfol.models.vectors.request import EmbeddingRequest
from nlfol.tasks import answers
from nlfol.tasks.plan import Step, Turn
from nlfol_extras.batches.interface import BatchInterface
from nlfol_extras.batches.lines import parts

from .conftest import openai_entry, request

TABLE = ProviderTable(Path(__file__).parents[3] / "resources/providers.yaml")
OBJECTS = {"type": "array", "items": answers.object_schema({"symbol": {"type": "string", "maxLength": 9}})}
SCHEMAS = (
    answers.text_schema(300, 50),
    answers.index_schema(8, 0),
    answers.word_schema(["yes", "no"], 0),
    answers.order_schema(7, 20),
    answers.object_schema({"lines": {**OBJECTS, "minItems": 1, "maxItems": 9}, "query": {"type": "string"}}, 9),
)
"""Forms of answers that tasks ask for."""

STRICT = {"additionalProperties", "enum", "items", "maxItems", "minItems", "properties", "required", "type"}
"""Those of our keywords that OpenAI's strict mode takes (its guide on structured outputs, read on 2026-11-28)."""

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")

every_step = st.builds(
    Step,
    part=st.just(""),
    system=st.just("Answer with a JSON object."),
    user=st.sampled_from(["All dogs bark.", "∀x 🙂"]),
    schema=st.sampled_from(SCHEMAS),
    earlier=st.sampled_from([(), (Turn("user", "Cats?"), Turn("assistant", "C(x)"))]),
    draw=st.sampled_from([0, 2]),
)
common = {
    "kind": st.just("chat"),
    "structured": st.sampled_from(STRUCTURES),
    "sampling": st.fixed_dictionaries(
        {}, optional={"temperature": st.sampled_from([0, 0.7, 2, 2.5]), "top_p": st.sampled_from([None, 0.1, 1])}
    ),
    "limits": st.fixed_dictionaries({"tokens": st.sampled_from([1, 2048, 100_000])}),
    "seeds": st.sampled_from([[0], [2**63 - 1]]),
    "logprobs": st.booleans(),
    "thinking": st.sampled_from([None, True, False]),
    "reasoning_effort": st.sampled_from([None, *EFFORTS]),
}
extras = st.sampled_from([
    {}, {"service_tier": "flex"}, {"verbosity": "low", "store": False}, {"stop": ["Q.E.D."], "presence_penalty": 0.5},
    {"logprobs": True}, {"tools": []}, {"modalities": ["audio"]}, {"stream_options": {}}, {"functions": []},
])  # fmt: skip
openai_entries = st.fixed_dictionaries(
    {"backend": st.just("openai"), "model": st.sampled_from(["gpt-5.5", "o3-mini", "gpt-4o-mini"])},
    optional={
        **common,
        "extra": extras,
        "template": st.sampled_from([{}, {"tone": "dry"}]),
        "capabilities": st.fixed_dictionaries(
            {}, optional={"limit": st.sampled_from(["max_tokens", "max_completion_tokens"]), "seed": st.booleans()}
        ),
    },
)
anthropic_entries = st.fixed_dictionaries(
    {"backend": st.just("anthropic"), "model": st.just("claude-opus-5-5")},
    optional={**common, "thinking_budget": st.sampled_from([None, 1024, 4096])},
)


def accepted_entry(settled: Mapping[str, Any]) -> ApiChatEntry:
    """Return the entry as a run asks it; gives the example up if the configuration is refused."""
    try:
        read = read_entry(json.dumps({"kind": "chat", **settled}))
        assert isinstance(read, ApiChatEntry)
        return complete(read, TABLE)
    except (ValidationError, ProviderTableError):
        assume(False)
        raise


def sent(entry: ApiChatEntry, step: Step) -> dict[str, Any]:
    """Return the body of a step's request, as it is on the wire."""
    asked = request_of(step, entry, entry.identity, entry.seeds[0])
    body: dict[str, Any] = json.loads(json.dumps(provider(entry).body(asked)))
    return body


def keywords(schema: Any) -> set[str]:
    """Return the keywords of a schema, names of properties apart."""
    inner = [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]
    return set(schema).union(*map(keywords, inner))


def check_openai(body: dict[str, Any], root: Schema) -> None:
    assert faults(body, root) == []
    form = body.get("response_format", {})
    if form.get("type") == "json_schema":
        schema = form["json_schema"]["schema"]
        assert keywords(schema) <= STRICT
        assert _ensure_strict_json_schema(copy.deepcopy(schema), path=(), root=schema) == schema
    if form.get("type") == "json_object":
        # JSON mode asks for the word.
        assert "JSON" in json.dumps(body["messages"])


many = settings(max_examples=60, suppress_health_check=[HealthCheck.filter_too_much])


@many
@given(openai_entries, every_step)
def test_openai_request_fits_the_clients_types(settled: dict[str, Any], step: Step) -> None:
    check_openai(sent(accepted_entry(settled), step), typed(CompletionCreateParamsNonStreaming))


@many
@given(openai_entries, every_step)
def test_openai_request_fits_the_specification(settled: dict[str, Any], step: Step) -> None:
    check_openai(sent(accepted_entry(settled), step), specified("CreateChatCompletionRequest"))


@many
@given(anthropic_entries, every_step)
def test_anthropic_request_fits_the_clients_types(settled: dict[str, Any], step: Step) -> None:
    pytest.importorskip("anthropic", reason="requirements-providers.txt")
    from anthropic.lib._parse._transform import transform_schema
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming

    body = sent(accepted_entry(settled), step)
    assert faults(body, typed(MessageCreateParamsNonStreaming)) == []
    if (form := body.get("output_config", {}).get("format")) is not None:
        # What the interface does not know, the client moves into a description.
        assert "description" not in json.dumps(transform_schema(form["schema"]))


@pytest.mark.parametrize("settled", [{}, {"output_dimensions": 64}, {"encoding": "float"}])
def test_embedding_request_fits_types_and_specification(settled: dict[str, Any]) -> None:
    entry = OpenaiEmbeddingEntry.model_validate({"kind": "embedding", "backend": "openai", "model": "e", **settled})
    body = dict(OpenaiEmbeddings(entry).body(EmbeddingRequest(("a", "b"), "query")))
    assert faults(body, typed(EmbeddingCreateParams)) == []
    assert faults(body, specified("CreateEmbeddingRequest")) == []


def test_batch_request_fits_types_and_specification() -> None:
    with BatchServer() as server:
        entry = openai_entry(server.url, batch=True)
        interface = BatchInterface(entry, None)
        ((part,),) = parts(entry, [request()], 10, 1e6)
        assert interface.find("token") is None
        name = interface.send(part[1], "token")
        interface.close()
        made = {key: value for key, value in server.batches[name].items() if key not in ("id", "object", "status")}
    made.pop("created_at")
    assert faults(made, typed(BatchCreateParams)) == []
    assert faults(made, specified("CreateBatchRequest")) == []
    line = json.loads(part[1])
    assert (line["method"], line["url"]) == ("POST", made["endpoint"])
    # By the documentation of files: 200 MB at most.
    with pytest.raises(ValidationError, match="less than or equal to 200"):
        OpenaiChatEntry.model_validate({**entry.model_dump(), "batch": {"megabytes": 201}})
