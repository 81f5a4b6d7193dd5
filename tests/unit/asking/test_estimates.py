"""Estimates from requests and journals."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.examples import CATS, ROOT, item
from tests.stored import stored
from tests.unit.asking.conversations import Steps, asked, dialogues, put, talks
from tests.unit.models.chat_server import ChatServer
from tests.unit.models.conftest import openai_entry, request
from tests.unit.models.test_option_likelihoods import YES_OR_NO, choice, vllm
from tests.unit.tasks.problem_items import items
from tests.unit.tasks.test_program import DOGS

from estimate_costs import ESTIMATES, main
from nlfol.asking import estimates
from nlfol.asking.asking import Asking, Offered
from nlfol.asking.dialogue import Dialogue
from nlfol.asking.estimates import Estimator, gold_completion, offered_by
from nlfol.logic.ontology.derivation import derive
from nlfol.logic.reading import parse
from nlfol.models.api.option_likelihoods import ApiOptions
from nlfol.models.entries.prices import FREE, Price
from nlfol.models.journal.reading import Record
from nlfol.models.likelihood import told_apart
from nlfol.models.request import ChatReply, ChatRequest, Ending
from nlfol.problems import Problem
from nlfol.problems.programs import solver_language
from nlfol.results.tables.rendering import to_markdown
from nlfol.store import files, schemas
from nlfol.tasks.plan import Step
from nlfol.tasks.program_gold import gold_answer
from nlfol.tasks.reference import answer_json
from nlfol.tasks.registry import build_task

PRICE = Price(prompt=1_000_000, completion=2_000_000, batch=0.5)
ASKED = [request(text=f"Sentence {number}.", max_tokens=100) for number in range(4)]


def estimate(
    asked: Sequence[Dialogue], answers: Sequence[Record], elsewhere: set[str] | None = None, **given: Any
) -> Any:
    """An estimate where no other task asks anything, unless its keys are given."""
    return estimates.estimate(asked, answers, elsewhere=set() if elsewhere is None else elsewhere, **given)


def record(asked: ChatRequest, outcome: Ending = Ending.ANSWERED, prompt: int = 10, completion: int = 20) -> Record:
    return json.loads(asked.canonical), ChatReply(
        asked.key, outcome, prompt_tokens=prompt, completion_tokens=completion
    )


def characters(*asked: ChatRequest) -> int:
    return sum(len(message.content) for each in asked for message in each.messages)


def test_estimate_without_journal_uses_character_ratio_and_token_limit() -> None:
    row = estimate(dialogues([*ASKED, ASKED[0]]), [], all_answers=[], price=PRICE, batch=False, count=None)
    assert (row["requests"], row["answered"], row["left"]) == (4, 0, 4)
    assert row["prompt_tokens"] == round(characters(*ASKED) / 3)
    assert row["counted_by"] == "characters / 3.00"
    assert (row["completion_tokens"], row["completion_most"], row["cost"]) == (None, 400, None)
    # Whatever the count of the prompts: no token is shorter than a byte.
    assert row["cost_most"] == sum(PRICE.bound(json.loads(each.canonical), batch=False) for each in ASKED)
    assert row["cost_most"] > characters(*ASKED) + 800
    assert (row["following"], row["following_most"]) == (0, 0)


def test_estimate_excludes_journaled_answers_and_extrapolates_from_them() -> None:
    failed = (json.loads(ASKED[1].canonical), ChatReply(ASKED[1].key, Ending.FAILED))
    kept = [record(ASKED[0]), failed]
    row = estimate(dialogues(ASKED), kept, all_answers=kept, price=PRICE, batch=True, count=None)
    assert (row["answered"], row["left"]) == (1, 3)
    # The one answer had so many characters to 10 tokens, and 20 tokens of completion.
    assert row["prompt_tokens"] == round(characters(*ASKED[1:]) / (characters(ASKED[0]) / 10))
    assert row["counted_by"].startswith("journal / ")
    assert row["completion_tokens"] == 60
    assert row["cost"] == pytest.approx((row["prompt_tokens"] + 120) / 2)


def test_estimate_bounds_cost_for_lost_attempts() -> None:
    lost = replace(record(ASKED[0])[1], lost=2)
    kept = [(json.loads(ASKED[0].canonical), lost), record(ASKED[1])]
    row = estimate(dialogues(ASKED), kept, all_answers=kept, price=PRICE, batch=False, count=None)
    assert row["perhaps"] == 2 * PRICE.bound(json.loads(ASKED[0].canonical), batch=False)


def test_estimate_falls_back_on_answers_to_other_tasks() -> None:
    other = record(request(text="Elsewhere."), completion=7)
    row = estimate(dialogues(ASKED), [], all_answers=[other], price=None, batch=False, count=None)
    assert (row["completion_tokens"], row["cost"], row["cost_most"], row["currency"]) == (28, None, None, None)


def test_estimate_prefers_own_answers_over_other_tasks() -> None:
    own, other = record(ASKED[0], completion=20), record(request(text="Elsewhere."), completion=500)
    row = estimate(dialogues(ASKED), [own], all_answers=[own, other], price=PRICE, batch=False, count=None)
    assert row["completion_tokens"] == 3 * 20


def test_estimate_without_answers_uses_gold_completion_length() -> None:
    given: dict[str, Any] = {"price": PRICE, "batch": False, "count": lambda _: 5, "gold": lambda: 12.5}
    row = estimate(dialogues(ASKED), [], all_answers=[], **given)
    assert (row["completion_tokens"], row["cost"]) == (4 * 12.5, 4 * 5 + 2 * 50)
    other = record(request(text="Elsewhere."), completion=7)
    assert estimate(dialogues(ASKED), [], all_answers=[other], **given)["completion_tokens"] == 4 * 7


def asking(entry: Mapping[str, Any], problems: Sequence[Problem] = (CATS, DOGS), most: int | None = None) -> Asking:
    about = build_task(json.dumps(entry))
    served = {"kind": "chat", "backend": "openai", "model": "m", "items": most}
    offered = Offered(tuple(items(problems, about)), {})
    return Asking(offered, "d", "t", about, "m", json.dumps(served), 7, Path("unused"))


@pytest.mark.parametrize("strategy", ["direct", "concept_table", "divide", "refine"])
def test_gold_completion_adds_half_reasoning_budget(strategy: str) -> None:
    without, with_reasoning = (
        gold_completion(asking({"task": "program", "strategy": strategy, "reasoning": each})) for each in (0, 200)
    )
    assert without is not None
    assert with_reasoning == pytest.approx(without + 100)
    if strategy == "direct":
        answers = [gold_answer(problem, solver_language("formulas")) for problem in (CATS, DOGS)]
        assert without == pytest.approx(sum(len(answer_json(answer)) for answer in answers) / 2 / 3)


def test_gold_completion_is_none_without_gold_reader() -> None:
    rated = asking({"task": "rating"}, ())
    assert gold_completion(rated) is None


def test_gold_completion_for_translation_follows_gold_formula_length() -> None:
    about = build_task('{"task": "logical_translation", "reasoning": 100}')
    of_model = replace(asking({"task": "rating"}, ()), task=about, offered=Offered((item("P(a)", "It is."),), {}))
    assert gold_completion(of_model) == pytest.approx(len(answer_json({"answer": "P(a)"})) / 3 + 50)
    assert gold_completion(replace(of_model, offered=Offered((), {}))) is None


SENTENCES = {f"{number}:0": f"P{number}(a) ∧ Q(a)" if number else "P(a)" for number in range(3)}
TAKEN = {"of": "m", "in": "trip"}


def trips(path: Path, count: int = len(SENTENCES)) -> Path:
    """Write the items of round trips."""
    chosen = list(SENTENCES.items())[:count]
    ontologies = {name: derive([parse(formula)]).to_row() for name, formula in chosen}
    rows = [
        stored(schemas.ITEMS, item=name, text=f"It is {name}.", formula=formula, ontology=ontologies[name], source=name)
        for name, formula in chosen
    ]
    files.write(path, schemas.ITEMS, rows, {"dataset": "d", "task": "trip", "task_kind": "round_trip"})
    return path


@pytest.mark.parametrize(
    ("entry", "most", "requests"),
    [
        ({"task": "verification"}, [], 6),
        ({"task": "verification", "at_most": {"operators": 0}}, [], 2),
        ({"task": "verification", "pairs": TAKEN}, [], 3),
        ({"task": "verification", "pairs": TAKEN}, [None, 2], 2),
        ({"task": "logical_translation", "english": TAKEN}, [], 3),
        ({"task": "logical_translation", "english": "edited"}, [], 3),
    ],
)
def test_estimate_uses_round_trip_items_for_derived_tasks(
    entry: dict[str, Any], most: Sequence[int | None], requests: int, tmp_path: Path
) -> None:
    estimator, path = Estimator(ROOT / "resources/prompts", tmp_path, {}), trips(tmp_path / "trip.arrow")
    rows = []
    for name, each in (("trip", {"task": "logical_translation"}), ("about", entry)):
        task = build_task(json.dumps(each))
        offered = offered_by(task, name, path, 7, most)
        rows.append(estimator.of_task(replace(asking(each, ()), task_name=name, task=task, offered=offered)))
    # Nothing is taken for a question that another task asks.
    assert [(row["requests"], row["left"], row["shared"]) for row in rows] == [(3, 3, 0), (requests, requests, 0)]
    assert all(row["completion_tokens"] for row in rows)


def test_estimate_scales_up_from_measured_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = build_task('{"task": "logical_translation"}')
    path = trips(tmp_path / "trip.arrow")
    of_model = replace(asking({"task": "rating"}, ()), task_name="trip", task=task, offered=Offered.read(path))

    def row() -> Any:
        return Estimator(ROOT / "resources/prompts", tmp_path, {}).of_task(of_model)

    whole = row()
    monkeypatch.setattr(estimates, "MEASURED", 2)
    scaled = row()
    counts = ("requests", "left", "completion_most", "currency", "counted_by")
    assert [scaled[name] for name in counts] == [whole[name] for name in counts]
    assert 0 < abs(scaled["prompt_tokens"] - whole["prompt_tokens"]) < 0.1 * whole["prompt_tokens"]


@pytest.mark.parametrize(("own", "items"), [(None, 2), (500, 2), (1, 1)])
def test_estimate_item_cap_respects_entry_limit(own: int | None, items: int, tmp_path: Path) -> None:
    task = build_task('{"task": "logical_translation"}')
    offered = Offered.read(trips(tmp_path / "trip.arrow"))
    of_model = replace(asking({"task": "rating"}, (), own), task_name="trip", task=task, offered=offered)
    assert Estimator(ROOT / "resources/prompts", tmp_path, {}, most=2).of_task(of_model)["requests"] == items


def test_estimate_uses_tokenizer_counts_and_zero_price_for_local_models() -> None:
    other = record(request(text="Elsewhere."))
    row = estimate(dialogues(ASKED), [], all_answers=[other], price=FREE, batch=False, count=lambda _: 5)
    assert (row["prompt_tokens"], row["counted_by"], row["cost"], row["cost_most"]) == (20, "tokenizer", 0, 0)


def test_estimate_is_zero_when_all_is_answered() -> None:
    kept = [record(asked) for asked in ASKED]
    row = estimate(dialogues(ASKED), kept, all_answers=kept, price=PRICE, batch=False, count=None)
    assert (row["left"], row["prompt_tokens"], row["completion_tokens"], row["cost_most"]) == (0, 0, 0, 0)
    assert (row["following"], row["following_most"]) == (0, 0)


def step(number: int, said: str) -> ChatRequest:
    """A step of ``talks``, as a request."""
    return put(Step("", "", asked(number, said), {}), 3)


def kept(*exchanged: tuple[ChatRequest, str]) -> list[Record]:
    """Records of ten tokens of prompt and twenty of completion, with what was said."""
    records = [(record(each), text) for each, text in exchanged]
    return [(asked_for, replace(reply, text=text)) for (asked_for, reply), text in records]


FIRSTS = [(step(1, "a"), "more of a"), (step(1, "b"), "enough"), (step(1, "c"), "more of c")]
"""The first steps of three dialogues of two steps at most; one stops there."""


def test_estimate_expects_second_steps_at_observed_continuation_rate() -> None:
    """One of six dialogues is done, one has stopped, one waits for its second reply, and three for their first."""
    answers = kept(*FIRSTS, (step(2, "more of a"), "done"))
    row = estimate(talks(*"abcdef"), answers, all_answers=answers, price=PRICE, batch=False, count=lambda _: 5)
    # Three firsts and a second are answered; a second and three firsts are left, which two in three follow.
    assert (row["requests"], row["answered"], row["left"]) == (8, 4, 4)
    assert (row["following"], row["following_most"]) == (2, 3)
    # What follows is taken to be as long as what is left: 4 prompts and 2 more of 5 tokens, 6 completions of 20.
    assert (row["prompt_tokens"], row["completion_tokens"]) == (30, 120)
    assert row["completion_most"] == (4 + 3) * 100
    assert row["cost"] == 30 + 2 * 120
    second, *firsts = [step(2, "more of c"), *(step(1, text) for text in "def")]
    bound = {each.key: PRICE.bound(json.loads(each.canonical), batch=False) for each in (second, *firsts)}
    # A second step has the first one's prompt and an answer of a hundred tokens before its own at most.
    assert row["cost_most"] == bound[second.key] + sum(2 * bound[each.key] + 100 for each in firsts)


def test_estimate_expects_all_second_steps_without_answers() -> None:
    row = estimate(talks(*"abc"), [], all_answers=[], price=PRICE, batch=True, count=None)
    assert (row["requests"], row["answered"], row["left"]) == (3, 0, 3)
    assert (row["following"], row["following_most"]) == (3, 3)
    firsts = [step(1, text) for text in "abc"]
    assert row["prompt_tokens"] == 2 * round(characters(*firsts) / 3)
    assert (row["completion_tokens"], row["completion_most"], row["cost"]) == (None, 600, None)
    # In batches at half the price.
    bounds = [PRICE.bound(json.loads(each.canonical), batch=True) for each in firsts]
    assert row["cost_most"] == sum(2 * bound + 100 / 2 for bound in bounds)


def test_estimate_excludes_failed_first_step_from_continuation_rate() -> None:
    failed = (json.loads(FIRSTS[0][0].canonical), ChatReply(FIRSTS[0][0].key, Ending.FAILED))
    answers = [failed, *kept(*FIRSTS[1:])]
    row = estimate(talks(*"abc"), answers, all_answers=answers, price=None, batch=False, count=None)
    # Of two dialogues with a reply one went on; the second step of the third and the first of the first are left.
    assert (row["requests"], row["answered"], row["left"]) == (4, 2, 2)
    assert (row["following"], row["following_most"]) == (round(1 / 2), 1)
    assert row["completion_tokens"] == 20 * 2 + 10


def test_estimate_counts_shared_requests_only_for_first_task() -> None:
    """Two tasks have the same first steps, and the later one goes on from there."""
    elsewhere: set[str] = set()
    direct = estimate(talks(*"abc", plan=Steps(1)), [], elsewhere, all_answers=[], price=PRICE, batch=False, count=None)
    assert (direct["requests"], direct["shared"], direct["left"], direct["following_most"]) == (3, 0, 3, 0)
    firsts = {step(1, text).key: step(1, text) for text in "abc"}
    assert elsewhere == firsts.keys()
    refine = estimate(talks(*"abcd"), [], elsewhere, all_answers=[], price=PRICE, batch=False, count=lambda _: 5)
    assert (refine["requests"], refine["answered"], refine["shared"], refine["left"]) == (4, 0, 3, 1)
    # One first step and four that follow.
    assert (refine["following"], refine["prompt_tokens"], refine["completion_most"]) == (4, 25, 500)
    bounds = [PRICE.bound(json.loads(each.canonical), batch=False) for each in (*firsts.values(), step(1, "d"))]
    assert refine["cost_most"] == sum(bounds) + bounds[-1] + 4 * 100


def test_estimate_counts_answers_from_other_journal_as_answered() -> None:
    answers = kept((step(1, "a"), "more of a"))
    row = estimate(talks("a", "b"), [], all_answers=answers, price=None, batch=False, count=None)
    assert (row["answered"], row["shared"], row["left"]) == (1, 0, 2)


def test_estimate_counts_equal_second_requests_once() -> None:
    answers = kept((step(1, "a"), "same"), (step(1, "b"), "same"))
    row = estimate(talks("a", "b"), answers, all_answers=answers, price=None, batch=False, count=None)
    assert (row["requests"], row["answered"], row["left"], row["following"]) == (3, 2, 1, 0)


def test_estimate_table_sums_costs_and_names_unpriced_models(tmp_path: Path) -> None:
    rows = [
        {
            "dataset": "d",
            "task": "t",
            "model": model,
            **estimate(dialogues(ASKED), [], all_answers=[], price=price, batch=False, count=None),
        }
        for model, price in (("dear", PRICE), ("dark", None))
    ]
    main(rows, {"md": tmp_path / "estimate.md"}, [{**row, "cost": 1.0, "cost_most": 2.0} for row in rows])
    shown = (tmp_path / "estimate.md").read_text(encoding="utf-8")
    partly = to_markdown(ESTIMATES.table([{**rows[0], "task": "u", "cost": 3.0}, rows[0]]))
    assert "Together: 3.000 USD expected without t, " in partly
    assert "With items: 20 for each model. Together: 1.000 USD expected, 2.000 USD at most." in shown
    assert f"Together: – USD expected, {rows[0]['cost_most']:,.3f} USD at most." in shown
    assert "No price is known (–) of dark: state it under price" in shown


def test_estimate_of_choices_by_likelihood_has_a_prompt_for_each_option() -> None:
    requests = [choice(YES_OR_NO, text) for text in ("Do all dogs bark?", "Do some?")]
    given: dict[str, Any] = {"all_answers": [], "price": PRICE, "batch": False, "count": None, "sent": told_apart}
    before = estimate(dialogues(requests), [], gold=lambda: 12.5, **given)
    with ChatServer(every=vllm(lambda *_: -1.0)) as server:
        replies = {reply.key: reply for reply in ApiOptions(openai_entry(server.url)).answer(requests)}
    sent = [message["content"] for body in server.bodies for message in body["messages"]]
    assert (before["requests"], before["left"], before["completion_tokens"]) == (6, 6, len(server.bodies))
    assert before["prompt_tokens"] == round(sum(map(len, sent)) / 3)
    assert before["completion_most"] == 6
    assert before["cost_most"] > sum(len(text.encode()) for text in sent)

    chosen = {**json.loads(requests[0].canonical), "model": "m;answer=likelihood"}
    # What the model wrote when it still did says nothing of choices.
    records = [(chosen, replies[requests[0].key]), record(choice(YES_OR_NO, "Elsewhere."), prompt=1, completion=500)]
    after = estimate(dialogues(requests), [records[0]], **{**given, "all_answers": records})
    assert (after["answered"], after["left"], after["completion_tokens"]) == (3, 3, 3)
    usual = replies[requests[1].key].prompt_tokens or 0
    assert after["prompt_tokens"] == pytest.approx(usual, rel=0.2)


@pytest.mark.parametrize(
    ("entry", "requests", "most"),
    [
        ({"backend": "openai", "model": "m", "api_key_env": None}, 12, 12),
        ({"backend": "transformers", "source": {"path": "m"}}, 6, 0),  # which reads the prompt once
    ],
)
def test_estimator_knows_what_is_sent_for_a_choice(
    entry: dict[str, Any], requests: int, most: int, tmp_path: Path
) -> None:
    task = build_task('{"task": "verification", "reasoning": 0}')
    offered = offered_by(task, "about", trips(tmp_path / "trip.arrow"), 7)
    said = json.dumps({"kind": "chat", "answer": "likelihood", **entry})
    of_model = replace(asking({"task": "rating"}, ()), task=task, offered=offered, entry_json=said)
    row = Estimator(ROOT / "resources/prompts", tmp_path, {}).of_task(of_model)
    assert (row["requests"], row["completion_most"], row["completion_tokens"]) == (requests, most, most)
