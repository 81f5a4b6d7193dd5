"""Readers, echoes and constants, through the files of every stage: the ceiling, the test of the measure, the floor."""

import json
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from tests.unit.tasks.generated_set import items_file, triples_file

import answer_by_reference
import judge_answers
from nlfol.asking.asking import Asking, Offered
from nlfol.languages.language import LanguageName
from nlfol.logic.reading import parse
from nlfol.ontology.derivation import derive
from nlfol.ontology.ontology import Ontology
from nlfol.statistics.summary import cells
from nlfol.store import files, schemas
from nlfol.tasks.reference import Manner
from nlfol.tasks.registry import TASKS, build_task

FORMULAS = [
    (1, "∀x (P(x) → Q(x))"),
    (1, "∀y (¬Q(y) → ¬P(y))"),
    (1, "P(a) ∧ ¬Q(a)"),
    (2, "∃x (P(x) ∧ Q(x)) ∨ R(a, b)"),
    (2, "R(a, b) ∨ ¬∀x (¬P(x) ∨ ¬Q(x))"),
    (2, "R(b, a)"),
    (2, "a ≠ b"),
]
SETS: Mapping[LanguageName, tuple[Ontology, list[tuple[int | None, str]]]] = {
    "first_order": (derive(parse(formula) for _, formula in FORMULAS), [*FORMULAS]),
    "regular": (Ontology(alphabet="01"), [(2, "(01)*"), (2, "(01)*(01)*"), (3, "0*1"), (3, "(10)*1"), (3, "1(01)*")]),
}


def answered(folder: Path, language: LanguageName, model: dict[str, Any], **entry: Any) -> list[dict[str, Any]]:
    ontology, formulas = SETS[language]
    items = items_file(folder, triples_file(folder / "triples.arrow", language, ontology, formulas), **entry)
    responses, scores = folder / "responses.arrow", folder / "scores.arrow"
    task = build_task(json.dumps(entry))
    answer_by_reference.main(Asking(Offered.read(items), "toy", "t", task, "m", json.dumps(model), 7, responses))
    judge_answers.main(items, responses, json.dumps(entry), scores)
    assert [cell["items"] for cell in cells([scores])] == [len(formulas)] * len(cells([scores]))
    return files.rows(scores, schemas.SCORES)


def means(rows: list[dict[str, Any]]) -> dict[str, float]:
    metrics = dict.fromkeys(row["metric"] for row in rows)
    return {metric: fmean(row["score"] for row in rows if row["metric"] == metric) for metric in metrics}


@pytest.mark.parametrize("language", SETS)
def test_the_reader_brings_every_meaning_back_in_every_round(tmp_path: Path, language: LanguageName) -> None:
    rows = answered(tmp_path, language, {"kind": "reader"}, task="round_trip", rounds=3)
    found = means(rows)
    for number in ("", "@2", "@3"):
        scores = [found[f"{name}{number}"] for name in ("truth", "truth_uncopied", "compliance", "copied")]
        assert scores == [1, 1, 1, 0]
    assert {row["stop"] for row in rows} == {"completed"}
    assert {row["round"] for row in rows} == {1, 2, 3}
    steps = files.rows(tmp_path / "responses.arrow", schemas.RESPONSES)
    assert [row["part"] for row in steps[:6]] == ["informalization", "formalization"] * 3
    assert [row["step"] for row in steps[:6]] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("language", SETS)
def test_the_echo_is_true_and_all_copied(tmp_path: Path, language: LanguageName) -> None:
    found = means(answered(tmp_path, language, {"kind": "echo"}, task="round_trip"))
    assert found == {"truth": 1, "compliance": 1, "truth_uncopied": 0, "copied": 1}


def test_a_chain_that_stops_at_copies_stops_an_echo(tmp_path: Path) -> None:
    rows = answered(tmp_path, "first_order", {"kind": "echo"}, task="round_trip", copies="stop", rounds=2)
    assert means(rows)["truth"] == 0
    assert {(row["stop"], row["outcome"]) for row in rows} == {("copied", "answered")}
    assert len(files.rows(tmp_path / "responses.arrow", schemas.RESPONSES)) == len(FORMULAS)


def test_the_constant_is_right_as_often_as_the_commonest_meaning_of_a_category(tmp_path: Path) -> None:
    model = {"kind": "constant", "answer": "commonest"}
    rows = answered(tmp_path, "first_order", model, task="round_trip")
    assert means(rows)["truth"] == pytest.approx((2 + 2) / 7)
    assert means(rows)["copied"] == 0
    assert means(answered(tmp_path, "regular", model, task="round_trip"))["truth"] == pytest.approx((2 + 2) / 5)


@pytest.mark.parametrize("language", SETS)
@pytest.mark.parametrize(
    ("model", "same", "different"),
    [
        ({"kind": "reader"}, 1, 1),
        ({"kind": "constant", "answer": "yes"}, 1, 0),
        ({"kind": "constant", "answer": "no"}, 0, 1),
        ({"kind": "chance"}, 0.5, 0.5),
    ],
)
def test_verifiers_have_known_scores_by_class(
    tmp_path: Path, language: LanguageName, model: dict[str, Any], same: float, different: float
) -> None:
    rows = answered(tmp_path, language, model, task="verification")
    for presentation, score, verdict in (
        ("equivalent", same, "equivalent"),
        ("perturbation", different, "not_equivalent"),
    ):
        found = [(row["score"], row["verdict"]) for row in rows if row["presentation"] == presentation]
        assert found == [(score, None if model["kind"] == "chance" else verdict)] * len(SETS[language][1])


@pytest.mark.parametrize(
    ("kind", "model", "answer", "does"),
    [
        ("round_trip", "reader", None, True),
        ("round_trip", "echo", None, True),
        ("round_trip", "constant", "commonest", True),
        ("round_trip", "constant", "yes", False),
        ("round_trip", "embedding", None, False),
        ("verification", "echo", None, False),
        ("verification", "constant", "no", True),
        ("verification", "constant", "commonest", False),
        ("most_similar", "echo", None, False),
        ("most_similar", "constant", "yes", False),
        ("logical_translation", "reader", None, False),
        *((kind, "drifting", None, kind == "program") for kind in TASKS),
        *((kind, "merging", None, kind in ("program", "ontology_extraction")) for kind in TASKS),
    ],
)
def test_who_does_which_task(kind: str, model: str, answer: str | None, does: bool) -> None:
    task = build_task(json.dumps({"task": kind}))
    assert task.is_done_by(model, answer) is does
    if not does:
        with pytest.raises(TypeError, match=f"{kind} is not done by a"):
            task.reference(model, [], Manner(answer))
