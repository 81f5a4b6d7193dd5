"""A scripted model that proves all it can about candidates, and does not read the sentence, is above no floor."""

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.analysing import analyse
from tests.examples import ROOT, said

import answer_by_reference
import attach_ontology
import build_items
import ingest_dataset
import judge_answers
from nlfol.asking.asking import Asking, Offered
from nlfol.asking.responses import response_row, write_responses
from nlfol.logic.equivalence import Outcome, equivalence
from nlfol.logic.reading import parse
from nlfol.logic.syntax import Formula, Not
from nlfol.randomness import generator
from nlfol.results.analyses.reading import READING
from nlfol.results.statistics.summary import load, series_of
from nlfol.results.tables.headlines import NOT_ABOVE, standings
from nlfol.store import files
from nlfol.store.schemas import ResponseRow
from nlfol.tasks.item import Item
from nlfol.tasks.plan import NoPrompts, Setting
from nlfol.tasks.registry import build_task
from nlfol.tasks.task import OneStepTask
from nlfol_extras.analyses.claims import claims

SEED, EACH = 7, 4
"""One in ``EACH`` sentences of tarski is asked about."""

ENTRIES: dict[str, dict[str, Any]] = {
    kind: {"task": kind, "control": "blind", **shown}
    for kind, shown in (
        ("most_similar", {"presentations": ["formula"]}),
        ("ranking", {"presentations": ["formula"]}),
        ("verification", {}),
    )
}


def same(first: Formula, second: Formula) -> bool:
    return equivalence(first, second).outcome is Outcome.EQUIVALENT


def choice(shown: Sequence[Formula], label: str) -> object:
    """Choose one: all mean something else."""
    assert not any(same(a, b) for a, b in product(shown, shown) if a is not b)
    return generator(label).randrange(len(shown)) + 1


def order(shown: Sequence[Formula], label: str) -> object:
    """Put one of the meanings first that are said, and denied, twice, and its negation last."""
    numbers = range(1, len(shown) + 1)
    said_by = [[other for other in numbers if same(shown[other - 1], formula)] for formula in shown]
    denied_by = [[other for other in numbers if same(shown[other - 1], Not(formula))] for formula in shown]
    drawn = generator(label).randrange(len(shown))
    first, last = said_by[drawn], denied_by[drawn]
    assert (len(first), len(last)) == (2, 2)
    return [*first, *(number for number in numbers if number not in (*first, *last)), *last]


def word(shown: Sequence[Formula], label: str) -> object:
    """Say something about a pair of which one formula is not read."""
    return generator(label).choice(("yes", "no"))


ANSWERS: Mapping[str, Callable[[Sequence[Formula], str], object]] = {
    "most_similar": choice,
    "ranking": order,
    "verification": word,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Scores and tables of it, silent without the sentence in half of the items, and of both guessers."""
    folder = tmp_path_factory.mktemp("proving")
    tarski = ROOT / "resources/datasets/tarski"
    with (tarski / "sentences.csv").open(encoding="utf-8", newline="") as source:
        rows = list(csv.reader(source))
    with (folder / "sentences.csv").open("w", encoding="utf-8", newline="") as target:
        csv.writer(target).writerows([rows[0], *rows[1::EACH]])
    entry = {"reader": "table", "path": str(folder / "sentences.csv"), "ontology": str(tarski / "ontology.yaml")}
    ingest_dataset.main(json.dumps(entry), "tarski", folder / "sentences.arrow")
    attach_ontology.main(json.dumps(entry), folder / "sentences.arrow", folder / "triples.arrow")
    scores = [path for kind in ENTRIES for path in judged(folder, kind)]
    for topic in ("scores", "comparisons", "verification", "reading"):
        items = [folder / "verification.arrow"]
        analyse(topic, folder, scores=scores, verification_scores=scores[-2:], verification_items=items)
    return folder


def judged(folder: Path, kind: str) -> list[Path]:
    items, entry = folder / f"{kind}.arrow", json.dumps(ENTRIES[kind])
    source = folder / "triples.arrow"
    build_items.main(source, dataset="tarski", task=kind, task_json=entry, seed=SEED, output=items)
    task, offered, made = build_task(entry), Offered.read(items), []
    for model in ("prover", "chance", "reasoner"):
        if not task.is_done_by({"prover": "chat"}.get(model, model)):
            continue
        responses, scores = folder / f"{kind}.{model}.arrow", folder / f"scores.{kind}.{model}.arrow"
        asking = Asking(offered, "tarski", kind, task, model, json.dumps({"kind": model}), SEED, responses)
        if model == "prover":
            write_responses(asking, "chat", "scripted", [answered(asking, *each) for each in asked(asking)])
        else:
            answer_by_reference.main(asking)
        judge_answers.main(items, responses, entry, scores)
        made.append(scores)
    return made


def asked(asking: Asking) -> list[tuple[str, Item]]:
    return asking.asked(asking.presentations, asking.offered.items)


def answered(asking: Asking, presentation: str, item: Item) -> ResponseRow:
    assert isinstance(asking.task, OneStepTask)
    shown = asking.task.order(Setting(SEED, NoPrompts()), item, presentation, SEED)
    about = {"seed": SEED, "order": list(shown)}
    label = f"{item.item} {presentation} {asking.task.kind}"
    if presentation.startswith("blind_") and generator(label, "silent").random() < 0.5:
        return response_row(item, presentation, **about, outcome="refused")
    formulas = [parse(item.members[place].formula) for place in shown]
    return response_row(item, presentation, **about, answer=said(ANSWERS[asking.task.kind](formulas, label)))


def test_unread_prover_stays_at_floor_in_every_question(folder: Path) -> None:
    verified = pl.read_ipc(folder / "verifications.arrow").to_dicts()
    ranks = pl.read_ipc(folder / "ranks.arrow").to_dicts()
    questions = standings(pl.read_ipc(folder / "cells.arrow").to_dicts(), ranks, verified)
    assert {question.about["task"] for question in questions} == {*ENTRIES}
    assert {place for question in questions for _, place in question.models} == {NOT_ABOVE}
    # A random order is far below it.
    without = [row for row in pl.read_ipc(folder / "cells.arrow").to_dicts() if row["kind"] != "reasoner"]
    places = {question.about["task"]: question.models[0][1] for question in standings(without, ranks, verified)}
    assert places == {"most_similar": NOT_ABOVE, "ranking": "only model", "verification": NOT_ABOVE}


def test_unread_prover_stays_at_chance_in_every_metric(folder: Path) -> None:
    rows = [row for row in pl.read_ipc(folder / "cells.arrow").to_dicts() if row["kind"] == "chat"]
    assert {row["metric"] for row in rows} == {"accuracy", "both", "equivalence", "negation", "right"}
    for row in rows:
        assert row["chance"] == pytest.approx(0.25) or row["task"] != "ranking"
        assert row["above_low"] < 0 < row["above_high"], row


def test_unread_prover_leaves_every_claim_open(folder: Path) -> None:
    series = series_of(load(path) for path in folder.glob("scores.*.arrow"))
    found = {(row["claim"], row["task"]): row["data"] for row in claims(series, [])}
    assert {claim for claim, _ in found} == {"chance", "most_similar", "negation_dialogue"}
    assert len(found) == 5
    assert set(found.values()) == {"open"}


def test_unread_prover_gains_nothing_from_silence(folder: Path) -> None:
    rows = list(files.rows(folder / "reading.arrow", READING))
    assert {row["task"] for row in rows} == {*ENTRIES}
    for row in rows:
        assert row["unread_second"] > row["pairs"] / 3
        assert row["low"] < 0 < row["high"], row
