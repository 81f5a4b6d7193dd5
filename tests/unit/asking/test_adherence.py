"""Servers that ignore what they are sent: scripted to behave as transformers serve and llama-cpp-python were seen to.

What was seen, and when, stands in docs/adding-a-model.md.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.unit.models.chat_server import ChatServer, Scripted, answered, completion, error
from tests.unit.models.conftest import openai_entry
from tests.unit.results import recorded

import ask_chat
from nlfol.asking.adherence import breaches, failures_path
from nlfol.asking.asking import Asking, Offered
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.models.api.probing import HELD_ANSWERS, QUESTION
from nlfol.models.request import ChatError, ChatReply, Ending, JobFiles
from nlfol.store import files, schemas
from nlfol.store.origins import metadata_at
from nlfol.tasks.item import Item, Member
from nlfol.tasks.registry import build_task
from nlfol_extras.batches.record import BatchRecord

PROMPTS = Path(__file__).parents[3] / "resources/prompts"
MEMBERS = tuple(Member(formula, formula, "perturbation") for formula in ("P(a)", "Q(a)", "R(a)"))
ITEM = Item("w:0", "w", "A is P.", "P(a)", derive([parse("P(a)")]), MEMBERS)

TRANSLATION = build_task('{"task": "logical_translation", "reasoning": 1}')
Ask = Callable[..., list[dict[str, Any]]]
Body = dict[str, Any]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    """Asks a server for two translations, under an entry with these settings; the rows of the responses."""
    recorded.write(tmp_path)

    def asking(server: ChatServer, **settings: Any) -> list[dict[str, Any]]:
        given = openai_entry(server.url, **{"items": 2, "retries": 0, **settings}).model_dump_json(exclude_unset=True)
        candidates, output = tmp_path / "logical_translation.arrow", tmp_path / "responses.arrow"
        task = "logical_translation"
        asked = Asking(Offered.read(candidates), "toy", task, TRANSLATION, "m", given, 7, output)
        ask_chat.main(asked, PROMPTS, JobFiles(tmp_path / "j.jsonl", tmp_path / "sharers"))
        return files.rows(output, schemas.RESPONSES)

    return asking


def question(body: Body) -> bool:
    return bool(body["messages"][-1]["content"] == QUESTION)


def as_transformers_serve(body: Body) -> Scripted:
    """Whatever the response format, the model writes what it likes; this one likes JSON where a prompt asks for it."""
    return Scripted(body=completion("Four.")) if question(body) else answered("Cube(a)")


def as_llama_cpp_python(body: Body) -> Scripted:
    """Knows ``json_object``, with a schema or without, and of the limits ``max_tokens`` alone."""
    form = body.get("response_format", {"type": "text"})
    if form["type"] == "json_schema":
        field = "'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\""
        said = f"1 validation error:\n  {{'type': 'literal_error', {field}, 'input': 'json_schema'}}\n\n  File app.py"
        return Scripted(500, error(said))
    held = completion(json.dumps(HELD_ANSWERS[0])) if question(body) else answered("Cube(a)").body
    assert isinstance(held, dict)
    length = 7 if question(body) else min(92, body.get("max_tokens", 1000))
    usage = {"prompt_tokens": 11, "completion_tokens": length}
    return Scripted(body={**held, "usage": usage})


def test_lost_attempt_is_charged_at_its_upper_bound(ask: Ask, tmp_path: Path) -> None:
    manners = iter([Scripted(manner="cut")])
    with ChatServer(every=lambda _: next(manners, answered("Cube(a)"))) as server:
        rows = ask(server, structured="none", retries=1, concurrency=1, price={"prompt": 0, "completion": 1_000_000})
    assert sum(row["attempts"] for row in rows) == 3
    # The limit of an answer's tokens, and one of reasoning.
    assert metadata_at(tmp_path / "responses.arrow")["perhaps"] == "1025.0"


@pytest.mark.parametrize("structured", ["json_schema", "json_object_schema", "json_object"])
def test_ignored_response_format_stops_run_before_any_request(ask: Ask, structured: str) -> None:
    with ChatServer(every=as_transformers_serve) as server, pytest.raises(ChatError) as caught:
        ask(server, structured=structured)
    ignored = "the response format json_object" if structured == "json_object" else "JSON schemas"
    assert f"This server ignores {ignored} (structured: {structured}): asked for " in str(caught.value)
    assert "it wrote 'Four.'. Set `structured: none` (plain text) for it" in str(caught.value)
    assert str(caught.value).endswith("or give `nlfol run` the option `--structured none`")
    assert server.asked == [QUESTION]


def test_keyless_server_receives_answer_bounds_unless_declared_unsupported(ask: Ask) -> None:
    def strings(**settings: Any) -> list[dict[str, Any]]:
        with ChatServer() as server:
            ask(server, **settings)
        formats = [body["response_format"]["json_schema"] for body in server.bodies]
        return [form["schema"]["properties"]["answer"] for form in formats]

    bounded, free = strings(), strings(capabilities={"bounds": []})
    assert bounded[-2:] == [{"type": "string", "maxLength": 500}] * 2
    assert free[-2:] == [{"type": "string"}] * 2


def test_structured_none_works_with_format_ignoring_server(ask: Ask) -> None:
    with ChatServer(every=as_transformers_serve) as server:
        assert [row["outcome"] for row in ask(server, structured="none")] == ["answered"] * 2
    assert QUESTION not in server.asked


def test_json_schema_rejection_stops_run_and_names_setting(
    ask: Ask,
) -> None:
    with ChatServer(every=as_llama_cpp_python) as server, pytest.raises(ChatError) as caught:
        ask(server, retries=6)
    assert str(caught.value).endswith(
        "500: the model does not take response_format as it was sent; "
        "declare it in the entry: structured: json_object_schema, json_object, or none"
    )
    assert len(server.asked) == 1


def test_overlong_answers_fail_and_error_names_limit_setting(ask: Ask, tmp_path: Path) -> None:
    settings = {"structured": "json_object_schema", "limits": {"tokens": 40}}
    with ChatServer(every=as_llama_cpp_python) as server:
        with pytest.raises(ChatError) as caught:
            ask(server, **settings)
        assert "2 of 2 requests failed, 2 of them with: 92 tokens came where max_completion_tokens was 41" in str(
            caught.value
        )
        assert "capabilities: {limit: max_tokens}" in str(caught.value)
        assert len(failures_path(tmp_path / "j.jsonl").read_text().splitlines()) == 2

        # The remedy it names mends it; what came unasked-for is not taken for an answer then.
        rows = ask(server, **settings, capabilities={"limit": "max_tokens"})
    assert [(row["outcome"], row["completion_tokens"]) for row in rows] == [("answered", 41)] * 2


def test_turn_end_token_fits_token_limit(ask: Ask) -> None:
    usage = {"prompt_tokens": 11, "completion_tokens": 42, "completion_tokens_details": {"reasoning_tokens": 0}}
    body = {**completion('{"reasoning": "", "answer": "Cube(a)"}'), "usage": usage}
    with ChatServer(every=lambda _: Scripted(body=body)) as server:
        rows = ask(server, structured="none", limits={"tokens": 40})
    assert [row["outcome"] for row in rows] == ["answered"] * 2


@pytest.mark.parametrize(
    ("structured", "text"),
    [
        ("json_schema", '{"answer": 90417263}'),
        ("json_schema", '{\n\t"answer":90417263\n}\n'),
        ("json_object_schema", '{"answer":70418296}'),
        ("json_object", '{"two and two": "four"}'),
        ("json_object", "{\n\n\n"),
    ],
)
def test_server_enforcing_structure_passes_probe(ask: Ask, structured: str, text: str, caplog: Any) -> None:
    def held(body: Body) -> Scripted:
        return Scripted(body=completion(text)) if question(body) else answered("Cube(a)")

    with ChatServer(every=held) as server:
        assert [row["outcome"] for row in ask(server, structured=structured)] == ["answered"] * 2
    assert "holds answers to a structure" not in caplog.text


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Scripted(body=completion('{"answer"  :\n\n', "length")), "truncated"),
        (Scripted(body=completion("", "length")), "no text (finish_reason length)"),
        (Scripted(503, error("loading the model")), "503 Error code: 503"),
    ],
)
def test_inconclusive_structure_probe_is_logged_and_run_continues(
    ask: Ask, reply: Scripted, said: str, caplog: Any
) -> None:
    with ChatServer(every=lambda body: reply if question(body) else answered("Cube(a)")) as server:
        assert [row["outcome"] for row in ask(server)] == ["answered"] * 2
    assert "holds answers to a structure is not known: " in caplog.text
    assert said in caplog.text


def test_keyed_server_receives_only_experiment_requests(ask: Ask, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    monkeypatch.setenv("NLFOL_TEST_KEY", "sk-0123456789abcdef")
    with ChatServer(every=lambda _: Scripted(body=completion("Every cube", "length"))) as server:
        ask(server, api_key_env="NLFOL_TEST_KEY")
    assert QUESTION not in server.asked
    assert "2 of 2 answers break the schema" in caplog.text


def test_priced_server_is_never_probed(ask: Ask) -> None:
    with ChatServer() as server:
        ask(server, price={"prompt": 0, "completion": 1})
        assert server.tried == 0
        ask(server, price={"prompt": 0, "completion": 0}, seeds=[4])
        assert server.tried == 1


def test_journaled_answers_need_only_journal(ask: Ask) -> None:
    with ChatServer() as server:
        rows = ask(server)
        assert server.tried == 1
    assert ask(server) == rows


@pytest.mark.parametrize(("temperature", "warned"), [(0.7, True), (0.0, False)])
def test_identical_answers_across_seeds_are_logged(ask: Ask, caplog: Any, temperature: float, warned: bool) -> None:
    with ChatServer() as server:
        ask(server, sampling={"temperature": temperature}, seeds=[3, 12], items=3)
    assert len(server.asked) == 6
    assert ("3 of 3 prompts have one answer under all seeds, at temperature 0.7" in caplog.text) is warned


def test_varied_answers_across_seeds_log_nothing(ask: Ask, caplog: Any) -> None:
    with ChatServer(every=lambda body: answered(f"seed {body['seed']}")) as server:
        ask(server, structured="none", sampling={"temperature": 0.7}, seeds=[3, 12], items=3)
    assert "under all seeds" not in caplog.text


GOOD = '{"reasoning": "", "answer": 2}'


@pytest.mark.parametrize(
    ("structured", "outcome", "text", "found"),
    [
        ("json_schema", Ending.ANSWERED, GOOD, []),
        ("json_schema", Ending.ANSWERED, '{"reasoning": "", "answer": 4}', ["answer 4 is not a number from 1 to 3"]),
        ("json_schema", Ending.TRUNCATED, ' {"reasoning": "Let', []),
        ("json_schema", Ending.TRUNCATED, "Let me see", ["no JSON object"]),
        ("json_schema", Ending.REFUSED, "No.", []),
        ("json_object_schema", Ending.ANSWERED, '{"answer": 2}', ["reasoning: Field required"]),
        ("json_object", Ending.ANSWERED, '{"answer": 2}', []),
        ("json_object", Ending.ANSWERED, "The answer is: 3", ["no JSON object"]),
        ("none", Ending.ANSWERED, "The answer is: 3", []),
    ],
)
def test_schema_breaches_are_detected_in_unconstrained_answers(
    structured: Any, outcome: Ending, text: str, found: list[str]
) -> None:
    reply, task = ChatReply("0" * 64, outcome, text=text), build_task('{"task": "most_similar"}')
    assert list(breaches(structured, task, [(ITEM, "", reply)]).elements()) == found


def test_ranking_with_repeated_number_passes_schema() -> None:
    reply = ChatReply("0" * 64, Ending.ANSWERED, text='{"reasoning": "", "answer": [1, 1, 2]}')
    assert not breaches("json_schema", build_task('{"task": "ranking"}'), [(ITEM, "", reply)])


def test_alias_answered_by_two_models_is_logged_with_counts(ask: Ask, caplog: pytest.LogCaptureFixture) -> None:
    names = iter(["tiny-2026-01-01", "tiny-2026-06-01"])

    def renamed(body: Body) -> Scripted:
        whole = answered("Cube(a)").body
        assert isinstance(whole, dict)
        return Scripted(body={**whole, "model": next(names)})

    with ChatServer(every=renamed) as server:
        ask(server, structured="none", concurrency=1)
    (said,) = (record.getMessage() for record in caplog.records if "several models" in record.getMessage())
    assert "tiny-2026-01-01 (1 answers), tiny-2026-06-01 (1 answers)" in said
    caplog.clear()
    with ChatServer(every=as_transformers_serve) as server:
        ask(server, structured="none")
    assert "several models" not in caplog.text


def test_requests_in_open_batch_are_refused_until_batch_closes(ask: Ask, tmp_path: Path) -> None:
    with ChatServer() as server:
        rows = ask(server, structured="none")
        (tmp_path / "j.jsonl").unlink()
        record = BatchRecord(tmp_path / "j.jsonl")
        sent = record.intend([rows[0]["request"]], 0.0)
        with pytest.raises(ChatError, match="1 of the requests are in batches in flight") as caught:
            ask(server, structured="none")
        assert str(record.path) in str(caught.value)
        assert len(server.asked) == 2
        record.close(sent, "completed")
        ask(server, structured="none")
        assert len(server.asked) == 4


@pytest.mark.parametrize(("effort", "thinking"), [("high", "yes"), ("none", "no"), (None, None)])
def test_response_metadata_records_thinking_and_model_without_thinking(
    ask: Ask, tmp_path: Path, effort: str | None, thinking: str | None
) -> None:
    with ChatServer() as server:
        ask(server, reasoning_effort=effort)
    metadata = metadata_at(tmp_path / "responses.arrow")
    assert metadata.get("thinking") == thinking
    assert metadata.get("apart_from_thinking") == (thinking and f"openai:{server.url}/tiny;reasoning_effort=none")
