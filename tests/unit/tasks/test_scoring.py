"""``nlfol.score`` and ``nlfol.dialogue``: from a row alone, whatever a model wrote."""

import json
import subprocess
import sys
from collections.abc import Iterator
from math import isnan
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import CUBES, ROOT, item, said
from tests.unit.tasks.answered import CASES, Case

import nlfol
from nlfol.tasks.item import Item
from nlfol.tasks.registry import TASKS

by_task = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def row_of(case: Case) -> dict[str, Any]:
    """Return what a harness has of a case: a line of JSON."""
    entry = case.task.entry.model_dump(mode="json")
    shown = {"presentation": case.presentation} if case.presentation else {}
    row: dict[str, Any] = json.loads(json.dumps({**case.item.to_row(), "task": entry, **shown}))
    return row


def texts(case: Case) -> Iterator[str]:
    """Yield texts around an answer: cut off, doubled, contradictory, in prose, or of another shape."""
    right, wrong = json.dumps(case.right, ensure_ascii=False), json.dumps(case.wrong, ensure_ascii=False)
    yield from (right, wrong, right[:-3], right * 2, right + wrong, f"So the answer is {right}.", f"<think>{right}")
    yield from ("", " \n", "{", "null", "[" * 5_000, '{"a":' * 5_000, "∀x" * 5_000, "\ud800", "\0", "(" * 300_000)
    yield from (right.replace('"', "'"), right.replace(":", "=" * 200), "```json\n" + right, "9" * 5_000)


@by_task
def test_score_matches_workflow(case: Case) -> None:
    row = row_of(case)
    for text in (json.dumps({"reasoning": "", **case.right}), json.dumps(case.wrong), "I cannot say."):
        replies: list[Any] = [answer for _, answer in case.before]
        replies += [{"answer": text, "order": case.order}, *(answer for _, answer in case.after)]
        judged = nlfol.score(row, replies)
        wanted, liberties = case.scored(text)
        assert judged.outcome != "internal_error"
        if not case.after:  # of a formula alone
            assert (judged.scores[case.metric] == 1) is (wanted == "right")
            assert list(judged.liberties) == liberties
        assert set(judged.scores) >= set(case.task.metrics)
        assert next(iter(judged.scores)) == (case.task.metrics or case.task.other_metrics)[0]


@by_task
def test_score_never_raises_on_answer_text(case: Case) -> None:
    row = row_of(case)
    for text in texts(case):
        judged = nlfol.score(row, [*(answer for _, answer in case.before), text], explain=True)
        assert judged.outcome in ("answered", "unparsable", "blank", "empty", "failed"), judged.detail
        assert all(0 <= score <= 1 or isnan(score) for score in judged.scores.values())


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(CASES), st.lists(st.text() | st.none() | st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("∀∃xy()¬∧PQ,", max_size=20),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.sampled_from(["answer", "lines", "query"]), parts),
    max_leaves=8,
).map(json.dumps), max_size=4))  # fmt: skip
def test_score_never_raises_on_malformed_replies(case: Case, replies: list[str | None]) -> None:
    assert nlfol.score(row_of(case), replies).outcome != "internal_error"


def test_scoring_cases_cover_every_task() -> None:
    assert {case.task.kind for case in CASES} == TASKS.keys()


@by_task
def test_dialogue_asks_until_replies_are_complete(case: Case) -> None:
    row = row_of(case)
    replies: list[str] = []
    while (question := nlfol.dialogue(row, replies)) is not None:
        assert question.messages[0]["role"] == "system"
        assert question.messages[-1]["role"] == "user"
        assert all(message["content"].strip() for message in question.messages)
        assert question.schema["type"] == "object"
        others = dict((*case.before, *case.after))
        replies.append(others.get(question.part, json.dumps({"reasoning": "", **case.right})))
        assert len(replies) < 20
    assert nlfol.score(row, replies).outcome == "answered"


def test_score_fails_missing_reply_and_ignores_surplus() -> None:
    row = {**item(CUBES, "Every cube is small.").to_row(), "task": {"task": "round_trip"}}
    trip = [said("Every cube is small."), said(CUBES)]
    assert nlfol.score(row, trip[:1]).outcome == "failed"
    assert nlfol.score(row, []).outcome == nlfol.score(row, None).outcome == "failed"
    assert nlfol.score(row, [*trip, "more"]) == nlfol.score(row, trip)
    assert nlfol.score(row, trip).scores["truth"] == 1
    assert nlfol.score(row, [{"answer": trip[0], "outcome": "truncated"}]).outcome == "truncated"


def test_score_computes_evidence_on_request_only() -> None:
    row = {**item(CUBES, "Every cube is small.").to_row(), "task": "logical_translation"}
    plain, explained = (nlfol.score(row, "∃x (Cube(x) ∧ Small(x))", explain=wanted) for wanted in (False, True))
    assert plain.scores["equivalence"] == explained.scores["equivalence"] == 0
    assert (plain.counter_model, isnan(plain.scores["le"])) == (None, True)
    assert (explained.relation, isnan(explained.scores["le"])) == ("independent", False)
    assert explained.counter_model is not None


def test_dialogue_numbers_candidates_in_shown_order() -> None:
    row = row_of(next(case for case in CASES if case.name == "most similar"))
    orders = set()
    for seed in range(5):
        question = nlfol.dialogue({**row, "seed": seed})
        assert question is not None
        orders.add(question.order)
        assert nlfol.score({**row, "seed": seed}, said(question.order.index(0) + 1)).scores["accuracy"] == 1
    assert len(orders) > 1


@by_task
def test_item_round_trips_through_row(case: Case) -> None:
    assert Item.from_row(row_of(case)) == case.item


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"task": None}, "row: no task; add the key 'task' with one of logical_translation, "),
        ({"task": "rankin"}, r"row: task: 'rankin' \(did you mean ranking\?\)"),
        ({"task": {"task": "ranking", "shown": 1}}, "shown"),
        ({"task": {"task": "round_trip", "bertscore": {"model": "minilm"}}}, "compares answers by the model minilm"),
        ({"presentation": "english"}, "row 'w:0': presentation: 'english'; use one of zero_shot"),
        ({"readings": None}, "row: TypeError"),
    ],
)
def test_score_error_names_faulty_key(change: dict[str, Any], named: str) -> None:
    row = {**item(CUBES, "Every cube is small.").to_row(), "task": "round_trip"}
    with pytest.raises(ValueError, match=named):
        nlfol.score({**row, **change}, said(CUBES))


def test_scoring_import_waits_for_the_first_score_and_loads_one_task() -> None:
    heavy = ("pydantic", "jinja2", "yaml", "z3", "numpy", "pyarrow", "nlfol.logic", "nlfol.tasks.registry")
    row = {**item(CUBES, "Every cube is small.").to_row(), "task": "logical_translation"}
    code = (
        f"import json, sys; from nlfol import score; print([name for name in {heavy} if name in sys.modules])\n"
        f"assert score(json.loads(sys.stdin.read()), {CUBES!r}).scores['equivalence'] == 1\n"
        "kinds = 'logical_translation ranking round_trip verification question_answering program rating'.split()\n"
        "print(*(kind for kind in kinds if f'nlfol.tasks.{kind}' in sys.modules), 'jinja2' in sys.modules)"
    )
    environment = {"PYTHONPATH": str(ROOT / "workflow/scripts")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(row),
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("[]\nlogical_translation False\n", "")


def test_scoring_import_avoids_tables_and_models() -> None:
    row = {**item(CUBES, "Every cube is small.").to_row(), "task": "logical_translation"}
    code = (
        "import json, sys, nlfol; row, said = map(json.loads, sys.stdin)\n"
        "assert nlfol.dialogue(row).messages[-1]['content'].endswith('small.')\n"
        "assert nlfol.score(row, said).scores['equivalence'] == 1\n"
        "print(sorted({'pyarrow', 'polars', 'torch', 'snakemake', 'pandas'} & {*sys.modules}))"
    )
    lines = "\n".join(map(json.dumps, (row, said("¬∃x (Cube(x) ∧ ¬Small(x))"))))
    environment = {"PYTHONPATH": str(ROOT / "workflow/scripts")}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, input=lines, env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")
