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
from nlfol.models.journal.batches import BatchRecord
from nlfol.models.request import ChatError, ChatReply, Ending, JobFiles
from nlfol.store import files, schemas
from nlfol.store.origins import metadata_at
from nlfol.tasks.item import Item, Member
from nlfol.tasks.registry import build_task

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


def test_an_attempt_without_a_reply_may_have_cost_its_bound(ask: Ask, tmp_path: Path) -> None:
    manners = iter([Scripted(manner="cut")])
    with ChatServer(every=lambda _: next(manners, answered("Cube(a)"))) as server:
        rows = ask(server, structured="none", retries=1, concurrency=1, price={"prompt": 0, "completion": 1_000_000})
    assert sum(row["attempts"] for row in rows) == 3
    # The limit of an answer's tokens, and one of reasoning.
    assert metadata_at(tmp_path / "responses.arrow")["perhaps"] == "1025.0"


@pytest.mark.parametrize("structured", ["json_schema", "json_object_schema", "json_object"])
def test_a_server_that_ignores_response_formats_as_transformers_serve_does_is_an_error_before_anything_is_asked(
    ask: Ask, structured: str
) -> None:
    with ChatServer(every=as_transformers_serve) as server, pytest.raises(ChatError) as caught:
        ask(server, structured=structured)
    ignored = "the response format json_object" if structured == "json_object" else "JSON schemas"
    assert f"This server ignores {ignored} (structured: {structured}): asked for " in str(caught.value)
    assert "it wrote 'Four.'. Set `structured: none` (plain text) for it" in str(caught.value)
    assert str(caught.value).endswith("or give `nlfol run` the option `--structured none`")
    assert server.asked == [QUESTION]


def test_a_server_without_keys_is_sent_the_bounds_of_answers_unless_its_entry_says_otherwise(ask: Ask) -> None:
    def strings(**settings: Any) -> list[dict[str, Any]]:
        with ChatServer() as server:
            ask(server, **settings)
        formats = [body["response_format"]["json_schema"] for body in server.bodies]
        return [form["schema"]["properties"]["answer"] for form in formats]

    bounded, free = strings(), strings(capabilities={"bounds": []})
    assert bounded[-2:] == [{"type": "string", "maxLength": 500}] * 2
    assert free[-2:] == [{"type": "string"}] * 2


def test_an_entry_that_says_that_answers_are_free_is_answered_by_such_a_server(ask: Ask) -> None:
    with ChatServer(every=as_transformers_serve) as server:
        assert [row["outcome"] for row in ask(server, structured="none")] == ["answered"] * 2
    assert QUESTION not in server.asked


def test_a_server_that_rejects_json_schema_as_llama_cpp_python_does_stops_the_run_and_names_what_to_declare(
    ask: Ask,
) -> None:
    with ChatServer(every=as_llama_cpp_python) as server, pytest.raises(ChatError) as caught:
        ask(server, retries=6)
    assert str(caught.value).endswith(
        "500: the model does not take response_format as it was sent; "
        "declare it in the entry: structured: json_object_schema, json_object, or none"
    )
    assert len(server.asked) == 1


def test_answers_longer_than_asked_for_as_llama_cpp_python_writes_them_fail_and_name_the_limit_to_declare(
    ask: Ask, tmp_path: Path
) -> None:
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


def test_the_token_that_ends_a_turn_is_no_overrun(ask: Ask) -> None:
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
def test_a_server_that_holds_its_answers_is_asked_on(ask: Ask, structured: str, text: str, caplog: Any) -> None:
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
def test_where_it_cannot_be_told_the_log_says_so_and_the_server_is_asked_on(
    ask: Ask, reply: Scripted, said: str, caplog: Any
) -> None:
    with ChatServer(every=lambda body: reply if question(body) else answered("Cube(a)")) as server:
        assert [row["outcome"] for row in ask(server)] == ["answered"] * 2
    assert "holds answers to a structure is not known: " in caplog.text
    assert said in caplog.text


def test_a_server_with_a_key_whose_questions_may_cost_is_asked_no_more_than_the_experiment(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    monkeypatch.setenv("NLFOL_TEST_KEY", "sk-0123456789abcdef")
    with ChatServer(every=lambda _: Scripted(body=completion("Every cube", "length"))) as server:
        ask(server, api_key_env="NLFOL_TEST_KEY")
    assert QUESTION not in server.asked
    assert "2 of 2 answers break the schema" in caplog.text


def test_a_server_whose_answers_are_charged_is_not_asked_either(ask: Ask) -> None:
    with ChatServer() as server:
        ask(server, price={"prompt": 0, "completion": 1})
        assert server.tried == 0
        ask(server, price={"prompt": 0, "completion": 0}, seeds=[4])
        assert server.tried == 1


def test_what_is_in_the_journal_is_taken_from_there_without_the_server(ask: Ask) -> None:
    with ChatServer() as server:
        rows = ask(server)
        assert server.tried == 1
    assert ask(server) == rows


@pytest.mark.parametrize(("temperature", "warned"), [(0.7, True), (0.0, False)])
def test_sampling_that_changes_no_answer_is_said_as_transformers_serve_may_ignore_the_temperature(
    ask: Ask, caplog: Any, temperature: float, warned: bool
) -> None:
    with ChatServer() as server:
        ask(server, sampling={"temperature": temperature}, seeds=[3, 12], items=3)
    assert len(server.asked) == 6
    assert ("3 of 3 prompts have one answer under all seeds, at temperature 0.7" in caplog.text) is warned


def test_sampling_that_changes_an_answer_is_passed_over(ask: Ask, caplog: Any) -> None:
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
def test_what_answers_show_of_a_structure_they_were_not_held_to(
    structured: Any, outcome: Ending, text: str, found: list[str]
) -> None:
    reply, task = ChatReply("0" * 64, outcome, text=text), build_task('{"task": "most_similar"}')
    assert list(breaches(structured, task, [(ITEM, "", reply)]).elements()) == found


def test_an_order_that_names_a_number_twice_breaks_no_schema_that_interfaces_take() -> None:
    reply = ChatReply("0" * 64, Ending.ANSWERED, text='{"reasoning": "", "answer": [1, 1, 2]}')
    assert not breaches("json_schema", build_task('{"task": "ranking"}'), [(ITEM, "", reply)])


def test_an_alias_that_answers_as_two_models_is_named_with_the_number_of_answers(
    ask: Ask, caplog: pytest.LogCaptureFixture
) -> None:
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


def test_requests_that_are_in_a_batch_in_flight_are_not_asked_one_by_one(ask: Ask, tmp_path: Path) -> None:
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
def test_responses_say_whether_the_model_thinks_and_what_it_is_apart_from_that(
    ask: Ask, tmp_path: Path, effort: str | None, thinking: str | None
) -> None:
    with ChatServer() as server:
        ask(server, reasoning_effort=effort)
    metadata = metadata_at(tmp_path / "responses.arrow")
    assert metadata.get("thinking") == thinking
    assert metadata.get("apart_from_thinking") == (thinking and f"openai:{server.url}/tiny;reasoning_effort=none")
