"""Several drafts, several corrections a round and solved examples, by a server that is right now and then."""

import json
from collections import Counter
from typing import Any

import polars as pl
from tests.unit.models.chat_server import HELD, ChatServer, Scripted, completion
from tests.workflow.checkout import Checkout, interface

from nlfol.models.api.probing import QUESTION
from nlfol.problems.programs import CLAUSES
from nlfol.store import files, schemas
from nlfol.tasks.item import Item
from nlfol.tasks.program_gold import gold_answer

PROGRAM = {"task": "program", "shots": 1, "reasoning": 0}
TASKS: dict[str, dict[str, Any]] = {
    "direct": PROGRAM,
    "majority": {**PROGRAM, "strategy": "majority", "drafts": 3},
    "divide": {**PROGRAM, "strategy": "divide", "drafts": 3},
    "pairwise": {**PROGRAM, "strategy": "refine_pairwise", "rounds": 2, "corrections": 2, "refines": "all"},
    "answering": {"task": "question_answering", "shots": 2, "reasoning": 0},
}
STEPS = {"direct": 1, "majority": 3, "divide": 5, "pairwise": 9, "answering": 1}
"""Most requests of a dialogue."""


def broken(program: dict[str, Any], place: int) -> dict[str, Any]:
    """A program with one line that cannot be read."""
    lines = [dict(each) for each in program["lines"]]
    lines[place]["line"] += ")"
    return {**program, "lines": lines}


def test_published_baselines_recover_right_answers_over_direct(checkout: Checkout) -> None:
    asked: Counter[str] = Counter()
    items: list[Item] = []

    def every(body: dict[str, Any]) -> Scripted:
        messages = [each["content"] for each in body["messages"]]
        if messages[-1] == QUESTION:
            return HELD
        about = next(each for each in items if each.text in messages[1])
        drawn = asked[json.dumps(messages)]
        asked[json.dumps(messages)] += 1
        return Scripted(body=completion(json.dumps(said(about, messages, drawn))))

    def said(about: Item, messages: list[str], drawn: int) -> dict[str, Any]:
        gold = gold_answer(about.asked, CLAUSES)
        assert gold is not None
        last = messages[-1]
        if "Which program says more exactly" in last:
            wrong = [broken(gold, place)["lines"][place]["line"] for place in (0, 1)]
            faults = [sum(line in program for line in wrong) for program in last.split("Program 2:")]
            return {"answer": 1 if faults[0] < faults[1] else 2}
        if "careful reasoner" in messages[0]:
            assert messages[0].count("Answer: {") == 2
            return {"answer": about.formula}
        if "Step 1. Divide" in last:
            return {"units": [{"place": "1", "unit": "whatever"}]}
        if last.startswith("Step 2"):
            return {"units": [{"unit": 1, "line": "whatever"}]}
        if last.startswith("Step 3"):
            return broken(gold, drawn)
        if "The solver reports" in last:
            return gold if drawn else broken(gold, 1)
        if "The solver executes it" in last:
            return gold
        return gold if drawn else broken(gold, 0)

    with ChatServer(every=every) as server:
        checkout.configure(
            {
                "seed": 7,
                "datasets": {"rules": {"reader": "family", "family": "rules", "count": 3, "depth": [2, 3]}},
                "tasks": TASKS,
                "models": {"scripted": interface(server.url, sampling={"temperature": 0.2})},
            }
        )
        checkout.run("estimate")
        estimated = {row["task"]: row for row in pl.read_csv(checkout.folder / "results/estimate.csv").to_dicts()}
        rows = files.rows(checkout.folder / "results/items/rules/direct.arrow", schemas.ITEMS)
        items += [Item.from_row(row) for row in rows]
        checkout.run(*[f"results/scores/rules/{task}/scripted.arrow" for task in TASKS])
        checkout.run("estimate")
    right, steps = {}, {}
    for task in TASKS:
        scores = files.rows(checkout.folder / f"results/scores/rules/{task}/scripted.arrow", schemas.SCORES)
        right[task] = [row["score"] for row in scores if row["metric"] == "right"]
        responses = files.rows(checkout.folder / f"results/responses/rules/{task}/scripted.arrow", schemas.RESPONSES)
        steps[task] = max(row["step"] for row in responses)
    assert right == {**dict.fromkeys(TASKS, [1] * 3), "direct": [0] * 3}
    # A program and two corrections with their comparisons; then two corrections that change nothing.
    assert steps == {**STEPS, "pairwise": 1 + 4 + 2}
    assert {task: row["following_most"] for task, row in estimated.items()} == {
        task: 3 * (most - 1) for task, most in STEPS.items()
    }
    # The first draft is that of direct.
    assert {task: row["shared"] for task, row in estimated.items()} == {
        **dict.fromkeys(TASKS, 0),
        **dict.fromkeys(("majority", "pairwise"), 3),
    }
    assert pl.read_csv(checkout.folder / "results/estimate.csv")["left"].to_list() == [0] * 5
