"""Models that are held to no form are asked for plain text, which is read as the answer without a liberty."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.examples import ROOT, family
from tests.unit.tasks import problem_items
from tests.unit.tasks.answered import CASES, Case

from nlfol.asking.answer_files import as_written
from nlfol.asking.asking import Asking, Offered
from nlfol.asking.judging import replies_of
from nlfol.asking.questions import dialogues
from nlfol.asking.responses import response_row
from nlfol.models.entries.chat import ApiChatEntry
from nlfol.models.providers.registry import read_entry
from nlfol.tasks.answers import index_schema, text_schema
from nlfol.tasks.envelopes import opened
from nlfol.tasks.envelopes.writing import in_plain_text
from nlfol.tasks.plan import Prompts, Reply, Setting, Step
from nlfol.tasks.reference import Asked, as_agreed
from nlfol.tasks.strategies import STRATEGIES

SETTING = Setting(7, Prompts(ROOT / "resources/prompts", plain=True))

by_task = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def asked(case: Case) -> Step:
    replies = [Reply(part, "answered", text) for part, text in case.before]
    step = case.task.plan(SETTING).following(case.item, case.presentation, 1, replies)
    assert isinstance(step, Step)
    return step


@by_task
def test_plain_text_prompt_asks_for_titles_without_json(case: Case) -> None:
    said = asked(case).system
    assert "JSON" not in said
    for name in case.right:
        title = name if case.name == "rating" else name.capitalize()
        assert f'"{title}:"' in said


@by_task
def test_agreed_plain_text_is_read_without_liberty(case: Case) -> None:
    text = f"I read it first.\n{in_plain_text(json.dumps(case.right, ensure_ascii=False))}"
    found = opened(text, case.task.agreed(case.item, case.part), plain=True)
    assert found.liberties == ()
    read: Mapping[str, Any] = json.loads(found.text)
    assert {name: read[name] for name in case.right} == case.right


@pytest.mark.parametrize("name", ["rules", "order"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_plain_text_reference_round_trips_in_every_strategy(strategy: str, name: str) -> None:
    task = (
        problem_items.task(strategy, shots=2, rounds=1)
        if "refine" in strategy
        else problem_items.task(strategy, shots=2)
    )
    (item,) = problem_items.items(family(name, 3), task)[:1]
    plan, reference = task.plan(SETTING), task.reference("reader", [item])
    replies: list[Reply] = []
    while isinstance(step := plan.following(item, "", 1, replies), Step):
        for turn in (step.system, step.user, *(each.content for each in step.earlier)):
            assert "JSON" not in turn
            assert '{"' not in turn
        answer = as_agreed(reference(Asked(item, "", step, tuple(replies))), step)
        reply = task.opened(item, Reply(step.part, "answered", in_plain_text(answer)), plain=True)
        assert json.loads(reply.answer) == json.loads(answer)
        assert reply.liberties == ()
        replies.append(reply)
    assert task.judge(item, replies).scores["right"] == 1


@pytest.mark.parametrize(
    ("structured", "envelope", "plain"),
    [("none", "tolerant", True), ("none", "strict", False), ("json_object", "tolerant", False)],
)
def test_structured_or_strict_models_are_asked_for_json(structured: str, envelope: str, *, plain: bool) -> None:
    entry = {"kind": "chat", "backend": "openai", "model": "m", "structured": structured}
    model, case = read_entry(json.dumps(entry)), CASES[0].with_envelope(envelope)
    assert isinstance(model, ApiChatEntry)
    asking = Asking(Offered((case.item,), {}), "toy", "t", case.task, "m", json.dumps(entry), 7, Path("r.arrow"))
    (dialogue,) = dialogues(asking, model, ROOT / "resources/prompts", "m")
    request = dialogue.advance()
    assert request is not None
    assert ("JSON" in request.messages[0].content) is not plain


@by_task
def test_plain_answer_counts_as_liberty_when_json_was_requested(case: Case) -> None:
    text = in_plain_text(json.dumps(case.right, ensure_ascii=False))
    row = response_row(case.item, case.presentation, seed=1, part=case.part, order=case.order, answer=text)
    for asked_plainly, liberties in ((True, []), (False, ["plain"])):
        (reply,) = replies_of(case.task, case.item, [row], plain=asked_plainly)
        assert list(reply.liberties) == liberties
        assert reply.said == text


def test_bare_file_answers_are_wrapped_as_json() -> None:
    number, text = index_schema(3, 50), text_schema(50, 50)
    for answer, schema, expected in (
        ("2", number, '{"reasoning": "", "answer": 2}'),
        ("P(a)", text, '{"reasoning": "", "answer": "P(a)"}'),
        ("So it is.\nAnswer: P(a)", text, "So it is.\nAnswer: P(a)"),
        ("<think>P(b)</think>P(a)", text, "<think>P(b)</think>P(a)"),
        ("The answer is 2.", number, "The answer is 2."),
    ):
        assert as_written(answer, schema, verbatim=False, tolerant=True) == expected
        wrapped = as_written(answer, schema, verbatim=False)
        assert wrapped is not None
        assert wrapped.startswith('{"reasoning": "", "answer": ')


def test_json_request_appears_in_shared_template_only() -> None:
    for path in (ROOT / "resources/prompts").rglob("*.jinja"):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if "JSON" in line]
        if path.name == "divide.jinja":
            lines = [line for line in lines if "if plain" not in line]
        assert not lines or path.name == "answer.jinja", path
