"""A task of two steps is one module, one folder of prompts and its name in the registry."""

import json
import shutil
import signal
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.unit.models.chat_server import HELD, ChatServer, Scripted, answered
from tests.workflow.checkout import CHANCE, Checkout, configuration, interface
from tests.workflow.test_api_experiment import GOLD

from nlfol.models.api.probing import QUESTION
from nlfol.store import files, schemas

TOY = Path(__file__).parent / "toy"
SENTENCES = {**GOLD, "Tom sleeps.": "Sleeps(tom)"}
FORMULAS = {f"In other words: {sentence}": formula for sentence, formula in SENTENCES.items()}
POISON = "Sleeps(tom"
"""Tests that the toy's judgement cannot pass: it expects a formula."""


def _scripted(body: dict[str, Any]) -> Scripted | None:
    said = body["messages"][-1]["content"]
    if said == QUESTION:
        return HELD
    if said == "In other words: Tom sleeps.":
        return answered(POISON)
    return answered(FORMULAS.get(said, f"In other words: {said}"))


@pytest.fixture
def toy(checkout: Checkout) -> Checkout:
    """A checkout with the toy task."""
    library = checkout.folder / "workflow/scripts/nlfol"
    shutil.copy(TOY / "back_and_forth.py", library / "tasks")
    shutil.copytree(TOY / "prompts", checkout.folder / "resources/prompts/back_and_forth")
    registry = library / "tasks/registry.py"
    text = registry.read_text(encoding="utf-8")
    named = text.replace('"rating:Rating"', '"rating:Rating", "back_and_forth:BackAndForth"')
    assert named != text
    registry.write_text(named, encoding="utf-8")
    return checkout


def _configure(checkout: Checkout, url: str) -> None:
    values = configuration(scripted=interface(url, concurrency=2, retries=0), chance=CHANCE)
    checkout.configure({**values, "tasks": {"back_and_forth": {}}})


def _killed_in_the_second_step(checkout: Checkout, server: ChatServer) -> None:
    """Run until a second step is asked, and kill everything."""
    seen = threading.Event()

    def holding(body: dict[str, Any]) -> Scripted | None:
        if body["messages"][-1]["content"] in FORMULAS:
            seen.set()
            return Scripted(manner="hang")
        return _scripted(body)

    server.every = holding
    assert checkout.snakemake(cores=1, killed=seen.is_set).status == -signal.SIGKILL
    server.every = _scripted


def test_killed_two_step_task_resumes_and_is_tabulated(toy: Checkout) -> None:
    with ChatServer(every=_scripted) as server:
        _configure(toy, server.url)
        _killed_in_the_second_step(toy, server)
        journal = toy.folder / "journal/scripted/mine.back_and_forth.jsonl"
        before = journal.read_text(encoding="utf-8").splitlines()
        asked_before = len(server.asked)
        toy.run("--unlock")
        toy.run("--rerun-incomplete", "results/tables", "results/report")
        asked_after = Counter(server.asked[asked_before:])
    # What was answered before was not asked again, and nothing was asked twice.
    kept = [json.loads(line)["request"]["messages"][-1]["content"] for line in before]
    assert len(kept) >= len(SENTENCES) - 2
    assert not asked_after.keys() & set(kept)
    assert set(asked_after.values()) == {1}
    lines = journal.read_text(encoding="utf-8").splitlines()
    assert lines[: len(before)] == before
    assert len({json.loads(line)["key"] for line in lines}) == len(lines) == 2 * len(SENTENCES)
    rows = files.rows(toy.folder / "results/responses/mine/back_and_forth/scripted.arrow", schemas.RESPONSES)
    assert [(row["step"], row["part"]) for row in rows] == [(1, "say"), (2, "formalize")] * len(SENTENCES)

    (score, chance) = toy.table("scores")
    assert (score["task"], score["metric"], score["model"]) == ("back_and_forth", "kept", "scripted")
    assert score["score_mean"] == pytest.approx(7 / 8)
    assert (score["answered"], score["internal_error"]) == (7, 1)
    assert (chance["model"], chance["score_mean"]) == ("chance", 0.0)
    log = toy.read("results/logs/judge_answers/mine/back_and_forth/scripted.log")
    assert "item 'pets:3' of model scripted, seed 0" in log
    assert "Traceback" in log
    assert "FormulaSyntaxError" in log


def test_two_step_task_estimate_counts_most_steps(toy: Checkout) -> None:
    with ChatServer(every=_scripted) as server:
        _configure(toy, server.url)
        toy.run("results/estimate.csv")
        assert server.asked == []
    (row,) = [line.split(",") for line in toy.read("results/estimate.csv").splitlines()[1:]]
    named = dict(zip(toy.read("results/estimate.csv").splitlines()[0].split(","), row, strict=True))
    assert (named["requests"], named["left"], named["following_most"]) == ("8", "8", "8")
