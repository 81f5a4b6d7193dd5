"""Answers that game each metric, with the highest score that they may have (``gaming.yaml``)."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isnan
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
import yaml
from tests.examples import COLD, said
from tests.unit.tasks import problem_items
from tests.unit.tasks.answered import CASES, Case

import nlfol
from nlfol.facts import BERTSCORE, CERTIFIED, METEOR
from nlfol.problems import Statement
from nlfol.tasks.registry import TASKS

GAMES = yaml.safe_load((Path(__file__).parent / "gaming.yaml").read_text(encoding="utf-8"))
NEED_FILES = {METEOR, BERTSCORE}
"""Metrics of users' own files."""
NOT_SAD = replace(COLD, question=Statement("Is Bob not sad?", "Sad(bob, False)"), answer="B")


def variants(case: Case) -> Iterator[dict[str, Any]]:
    """Yield rows that differ in what is right: the order of candidates, the second formula, or the answer."""
    row = {**case.item.to_row(), "task": case.task.entry.model_dump(mode="json")}
    if case.name == "verification":
        yield from ({**row, "presentation": member.role} for member in case.item.members if member.role in CERTIFIED)
    elif case.name in ("question answering", "program"):
        for problem in (COLD, NOT_SAD):
            yield {**row, **problem_items.item(problem, case.task).to_row()}
    else:
        yield {**row, **({"presentation": case.presentation} if case.presentation else {})}


def replies(case: Case, answer: Any) -> Iterator[list[Any]]:
    """Yield the replies that an answer makes, in every order of candidates."""
    if isinstance(answer, dict):
        texts = [json.dumps({"reasoning": "", **answer}, ensure_ascii=False)]
    elif case.before:
        texts = [said(text) for text in answer]
    else:
        texts = [json.dumps({"reasoning": "", "answer": answer}, ensure_ascii=False)]
    places = range(len(case.item.members))
    if case.name not in ("most similar", "ranking"):
        yield texts
        return
    for start in places:
        yield [{"answer": texts[0], "order": [*places[start:], *places[:start]]}]


def gamed(case: Case, answers: Sequence[Any]) -> dict[str, float]:
    """Return the highest mean of each metric that one of the answers has."""
    highest: dict[str, float] = {}
    for answer in answers:
        judged = [
            nlfol.score(row, given, explain=True).scores for row in variants(case) for given in replies(case, answer)
        ]
        for metric in judged[0]:
            mean = fmean(0 if isnan(scores[metric]) else scores[metric] for scores in judged)
            highest[metric] = max(highest.get(metric, 0), mean)
    return highest


@pytest.mark.parametrize("name", GAMES)
def test_gaming_answers_score_no_more_than_they_may(name: str) -> None:
    case = next(case for case in CASES if case.name == name)
    found = gamed(case, GAMES[name]["answers"])
    assert {metric: score for metric, score in found.items() if score > GAMES[name]["highest"].get(metric, -1)} == {}


def test_every_metric_has_gaming_answers() -> None:
    bounded: dict[str, set[str]] = {kind: set() for kind in TASKS}
    for case in CASES:
        bounded[case.task.kind] |= GAMES.get(case.name, {"highest": {}})["highest"].keys()
    facts = {kind: {*task.facts.metrics, *task.facts.other_metrics} - NEED_FILES for kind, task in TASKS.items()}
    assert {kind: metrics - bounded[kind] for kind, metrics in facts.items() if metrics - bounded[kind]} == {}
    assert len(GAMES["logical translation"]["answers"]) >= 25
