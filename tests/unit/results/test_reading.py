"""Gains by reading, and dimensions that a choice is wrong in, worked out by hand."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.stored import unshown

from nlfol.results.analyses.reading import reading, silence
from nlfol.results.statistics.second_looks import Planned
from nlfol.results.statistics.summary import Origin, Series
from nlfol_extras.analyses.dimensions import dimensions, shares_of


def series(
    model: str, presentation: str, scores: list[float], kind: str = "chat", task: str = "most_similar"
) -> Series:
    frame = pl.DataFrame(
        {
            "item": [str(place) for place in range(len(scores))],
            "story": [str(place // 2) for place in range(len(scores))],
            "seed": 3,
            "score": scores,
        }
    )
    metric = "right" if task == "verification" else "accuracy"
    return Series(Origin("toy", task, task, "fair", model, kind, 12), metric, presentation, unshown(frame))


def test_reading_ranks_models_by_gain() -> None:
    found = reading(
        [
            series("guesser", "formula", [1.0, 0.0] * 6),
            series("guesser", "blind_formula", [1.0, 0.0] * 6),
            series("reads", "formula", [1.0] * 12),
            series("reads", "blind_formula", [0.0, 0.0, 0.0, 1.0] * 3),
            series("sighted", "formula", [1.0] * 12),
            series("chance", "formula", [0.25] * 12, "chance"),
        ]
    )
    assert [(row["model"], row["score"], row["score_blind"], row["difference"]) for row in found] == [
        ("reads", 1.0, 0.25, 0.75),
        ("guesser", 0.5, 0.5, 0.0),
    ]
    assert [row["chance"] for row in found] == [0.25, 0.25]
    assert found[0]["adjusted"] == pytest.approx(2 * (found[0]["p"] or 0))


def test_reading_orders_models_by_gain_over_order_and_counts_unlearnt_items() -> None:
    blind = [series(model, "blind_formula", [0.0] * 12) for model in ("a", "b")]
    found: Any = reading(
        [
            *blind,
            series("a", "formula", [1.0, 0.0] * 6),
            series("b", "formula", [1.0, 1.0, 0.0, 1.0] * 3),
            series("order", "formula", [1.0, 0.0, 0.0, 0.0] * 3, "order"),
            series("learner", "formula", [1.0, 0.0, 1.0, 1.0] * 3, "learner"),
            series("order", "blind_formula", [0.0] * 12, "order"),
        ]
    )
    told = [[row[name] for name in ("model", "order", "above_order", "unlearnt", "unlearnt_items")] for row in found]
    assert told == [["b", 0.25, 0.5, 1.0, 3], ["a", 0.25, 0.25, 0.0, 3]]
    assert all(row["above_order_low"] < row["above_order"] < row["above_order_high"] for row in found)


def test_reading_tests_mean_of_presentations_once_a_model() -> None:
    """Two presentations of the same answers bring no second chance to be significant."""
    scores = {
        "formula": [1.0] * 12,
        "english": [1.0, 0.0] * 6,
        "blind_formula": [0.0] * 12,
        "blind_english": [0.0] * 12,
    }
    marks = [series("order", shown, [0.0] * 12, "order") for shown in scores]
    rows: Any = reading([*(series(model, shown, of) for shown, of in scores.items() for model in ("a", "b")), *marks])
    assert [(row["presentation"], row["score"], row["pairs"]) for row in rows if row["model"] == "a"] == [
        ("formula", 1.0, 12),
        ("english", 0.5, 12),
        ("all_presentations", 0.75, 12),
    ]
    for p, adjusted in (("p", "adjusted"), ("above_order_p", "above_order_adjusted")):
        told = [(row["presentation"], row[adjusted], row[p]) for row in rows]
        assert {shown for shown, value, _ in told if value is not None} == {"all_presentations"}
        assert all(value == pytest.approx(2 * alone) for _, value, alone in told if value is not None)


def test_reading_family_of_board_has_its_places() -> None:
    shown = {"formula": [1.0, 1.0, 0.0, 1.0] * 3, "blind_formula": [0.0] * 12}
    of_models = [series(model, name, scores) for name, scores in shown.items() for model in ("a", "b")]
    answered = [*of_models, series("order", "formula", [0.5] * 12, "order")]
    plain: Any = reading(answered)
    board: Any = reading(answered, Planned(10))
    looks: Any = reading(answered, Planned(looks=(6,)))
    for p, adjusted in (("p", "adjusted"), ("above_order_p", "above_order_adjusted")):
        assert plain[0][adjusted] == pytest.approx(min(1, 2 * plain[0][p]))
        assert board[0][adjusted] == pytest.approx(min(1, 10 * plain[0][p]))
        assert looks[0][adjusted] > plain[0][adjusted]


def test_reading_gives_yes_bias_zero_gain() -> None:
    shown = {"equivalent": 1.0, "perturbation": 0.0, "blind_equivalent": 0.0, "blind_perturbation": 1.0}
    (row,) = reading([series("m", name, [score] * 12, task="verification") for name, score in shown.items()])
    assert (row["presentation"], row["score"], row["score_blind"], row["difference"]) == ("", 0.5, 0.5, 0.0)


def with_silence(one: Series, silent: int) -> Series:
    """Return the series with its first answers unread, hence wrong."""
    unread = pl.int_range(pl.len()) < silent
    answers = one.answers.with_columns(unread=unread, score=pl.when(unread).then(0.0).otherwise("score"))
    return replace(one, answers=answers)


@pytest.mark.parametrize(("task", "guess"), [("most_similar", 0.25), ("ranking", 0.25), ("verification", 0.5)])
def test_reading_counts_blind_silence_as_guess(task: str, guess: float) -> None:
    shown = "equivalent" if task == "verification" else "formula"
    guesses = [1.0, *[0.0] * round(1 / guess - 1)] * round(12 * guess)
    blind = with_silence(series("m", f"blind_{shown}", guesses, task=task), 12)
    kind = "reasoner" if task == "ranking" else "chance"
    floors = [series(kind, shown, [guess] * 12, kind, task=task)]
    if task == "ranking":
        floors.append(series("chance", shown, [0.002] * 12, "chance", task=task))
    (row,) = reading([series("m", shown, guesses, task=task), blind, *floors])
    assert (row["score"], row["score_blind"], row["difference"], row["unread_second"]) == (guess, guess, 0.0, 12)
    assert silence(row) == "12 of 12 answers without the sentence are unread, and count as guesses"


def test_reading_imputes_guesser_mean_for_unasked_items() -> None:
    guesses = [1.0, 0.0, 0.0, 0.0] * 3
    blind = with_silence(series("m", "blind_formula", guesses), 12)
    (row,) = reading([series("m", "formula", guesses), blind, series("chance", "formula", [0.5, 0.0], "chance")])
    assert row["score_blind"] == pytest.approx(0.25)


def test_reading_counts_sighted_silence_as_wrong() -> None:
    silent = with_silence(series("m", "formula", [1.0] * 12), 6)
    blind = with_silence(series("m", "blind_formula", [0.0, 1.0] * 6), 1)
    (row,) = reading([silent, blind, series("chance", "formula", [0.25] * 12, "chance")])
    assert (row["score"], row["score_blind"]) == pytest.approx((0.5, 6.25 / 12))
    assert silence(row) == ""


def test_reading_baseline_is_chance_for_vectors_and_reasoner_for_chats() -> None:
    models = [
        series(kind, shown, [1.0, 0.0] * 6, kind, "ranking")
        for kind in ("chat", "embedding")
        for shown in ("formula", "blind_formula")
    ]
    floors = [series(kind, "formula", [c] * 12, kind, "ranking") for kind, c in (("chance", 0.002), ("reasoner", 0.25))]
    found = {row["model"]: row["chance"] for row in reading([*models, *floors])}
    assert found == pytest.approx({"chat": 0.25, "embedding": 0.002})


def test_dimensions_count_wrong_choice_in_every_corner_dimension() -> None:
    shares = pl.DataFrame(
        {"item": list("aabb"), "dimension": ["converse", "names"] * 2, "chance": [0.5, 0.5, 0.5, 0.5]}
    )
    scores = pl.DataFrame(
        {
            "item": ["a", "a", "b", "b"],
            "story": ["s", "s", "t", "t"],
            "presentation": "formula",
            "outcome": ["answered", "answered", "answered", "unparsable"],
            "position": [1, 2, 1, 2],
            "fault": ["converse names", "names", None, None],
        }
    )
    about: Any = Origin("toy", "most_similar", "most_similar", "fair", "m", "chat", 2)
    rows = list(dimensions([(about, scores)], {("toy", "most_similar"): shares}))
    assert [(row["dimension"], row["items"], row["answers"], row["wrong"], row["chance"]) for row in rows] == [
        ("names", 2, 3, 0.5, 0.5),
        ("converse", 2, 3, 0.25, 0.5),
    ]


def test_errors_in_anagrams_are_counted_by_stratum_too(monkeypatch: pytest.MonkeyPatch) -> None:
    members: list[list[str]] = [[], ["converse"], ["scope"], ["converse", "scope"]]
    items = pl.DataFrame({"item": ["a"], "candidates": [[{"change": change} for change in members]]})
    known = {"dataset": "toy", "task": "t", "protocol": "anagram"}
    monkeypatch.setattr("nlfol_extras.analyses.dimensions.metadata_at", lambda path: known)
    monkeypatch.setattr("nlfol_extras.analyses.dimensions.read_frame", lambda path, schema: items)
    given = {"item": "a", "story": "s", "presentation": "formula", "outcome": "answered"}
    faults = [" ".join(change) or None for change in members]
    scores = pl.DataFrame([{**given, "position": place, "fault": fault} for place, fault in enumerate(faults)])
    shares = shares_of([Path("items.arrow")])
    about: Any = Origin("toy", "t", "most_similar", "anagram", "m", "chat", 1)
    found = {row["dimension"]: (row["wrong"], row["chance"]) for row in dimensions([(about, scores)], shares)}
    assert found == dict.fromkeys(("converse", "scope", "structure", "who_does_what"), (0.5, 0.5))
