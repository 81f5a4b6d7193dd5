"""``nlfol.rewards``: graded, bounded, and never an error, whatever a completion is."""

import json
import random
from typing import Any

import pytest
from benchmarks.hostile import hostile
from benchmarks.reward_games import games
from benchmarks.rewards import coded
from tests.examples import CUBES, item
from tests.unit.tasks.answered import CASES
from tests.unit.tasks.test_gaming import GAMES, replies, variants

import nlfol
from nlfol.logic import parse
from nlfol.logic.distance import OneSlip, distance
from nlfol.tasks.grading import IN_SIGNATURE, MOST, READ, Grader
from nlfol.tasks.rewards import Pool, _text

ROW = {**item(CUBES, "Every cube is small.").to_row(), "task": "logical_translation"}
SINGLE = [case for case in CASES if not case.before and not case.after and case.name in GAMES]


@pytest.fixture(scope="module")
def pool() -> Pool:
    return Pool(1, seconds=0.3)


@pytest.mark.parametrize(
    ("text", "reward"),
    [
        (CUBES, 1),
        ("¬∃x (Cube(x) ∧ ¬Small(x))", 1),
        ('{"reasoning": "", "answer": "forall x (Cube(x) -> Small(x))"}', 1),
        ("∃x (Cube(x) ∧ Small(x))", MOST),
        ("∀x (Small(x) → Cube(x))", MOST),
        ("∀x (Block(x) → Small(x))", READ),
        ("∃x ∃y (Cube(x) ∧ Cube(y) ∧ ¬(x = y) ∧ ¬Small(y))", READ + IN_SIGNATURE),
        ("∀x (Cube(x) ∨ ¬Cube(x))", 0),
        ("Every cube is small.", 0),
    ],
)
def test_reward_grows_with_nearness(text: str, reward: float) -> None:
    assert Grader(json.dumps(ROW)).reward(text) == pytest.approx(reward)


def test_completion_is_judged_once_while_it_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    grader = Grader(json.dumps(ROW))
    first = [grader.reward(text) for text in (CUBES, "∃x (Cube(x) ∧ Small(x))")]
    monkeypatch.setattr("nlfol.tasks.grading.judgements", None)
    assert [grader.reward(text) for text in (CUBES, "∃x (Cube(x) ∧ Small(x))")] == first == [1, pytest.approx(MOST)]


@pytest.mark.parametrize("case", SINGLE, ids=lambda case: case.name)
def test_gaming_answers_earn_less_than_right_ones(case: Any) -> None:
    if not case.task.metrics:
        with pytest.raises(ValueError, match="has no right answers"):
            Grader(json.dumps(next(variants(case))))
        return
    bound = max(GAMES[case.name]["highest"][case.task.metrics[0]], MOST) + READ
    graders = [
        Grader(json.dumps({**row, "seed": seed}))
        for row in variants(case)
        for seed in range(12 if case.name in ("most similar", "ranking") else 1)
    ]
    for answer in GAMES[case.name]["answers"]:
        (text, *_) = next(replies(case, answer))
        found = [grader.reward(text["answer"] if isinstance(text, dict) else text) for grader in graders]
        assert sum(found) / len(found) <= bound


@pytest.mark.parametrize("case", [case for case in SINGLE if case.task.metrics], ids=lambda case: case.name)
def test_games_earn_nothing_but_gold_in_other_orders(case: Any) -> None:
    highest = {"symbols of gold": MOST if case.name == "logical translation" else 0}
    for row in variants(case):
        grader = Grader(json.dumps(row))
        for game, texts in games(row).items():
            assert [text for text in texts if grader.reward(text) > highest.get(game, 0)] == []


def test_codes_of_gold_that_are_no_notation_earn_no_more_than_a_slip() -> None:
    read = {name: reward for name, reward in coded([ROW]).items() if reward > MOST}
    assert read.keys() <= {"notation", "entities", "python"}


def test_hostile_completions_earn_no_more_than_a_slip_and_raise_nothing(pool: Pool) -> None:
    texts = [text for _, text in hostile(100, random.Random(3), most=500)]
    found = pool.rewards([*texts, CUBES], row=[json.dumps(ROW)] * (len(texts) + 1), prompts=None)
    assert found[-1] == 1
    right = [text for text, reward in zip(texts, found, strict=False) if reward > MOST]
    assert all(CUBES in text or parse(text) is parse(CUBES) for text in right)


def test_rewards_take_what_a_stand_in_for_trl_gives() -> None:
    # As GRPOTrainer does for a reward function: columns of the dataset, and three arguments of its own.
    completions = [[{"role": "assistant", "content": text}] for text in (CUBES, "∃x (Cube(x) ∧ Small(x))")]
    inputs = {"prompts": [[{"role": "user", "content": "?"}]] * 2, "completions": completions}
    stand_in: dict[str, Any] = {"completion_ids": [[1], [2]], "trainer_state": object(), "log_extra": print}
    assert nlfol.rewards(**inputs, **stand_in, row=[json.dumps(ROW)] * 2) == [1, pytest.approx(MOST)]


def test_completion_over_its_limit_has_no_reward() -> None:
    slow = Pool(1, seconds=0.3)
    text = "⊤⊤⊤∀x ⊤∀x ∀x " * 2_000
    assert slow.rewards([text, CUBES], row=[ROW, ROW]) == [0, 1]


def test_rewards_refuse_rows_that_have_none(pool: Pool) -> None:
    with pytest.raises(ValueError, match="round_trip asks several steps"):
        pool.rewards([CUBES], row=[{**ROW, "task": "round_trip"}])
    with pytest.raises(ValueError, match="give the column 'row'"):
        pool.rewards([CUBES], item=["w:0"])
    assert pool.rewards([CUBES], row=[ROW]) == [1]


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        ("p", "p"),
        ([{"role": "assistant", "content": "p"}], "p"),
        ([{"role": "tool", "content": "q"}, {"role": "assistant", "content": [{"type": "text", "text": "p"}]}], "p"),
        ([], ""),
        (None, ""),
        ([{"role": "assistant", "content": None}], ""),
        ({"text": 3}, ""),
    ],
)
def test_completions_may_be_texts_or_messages(completion: Any, text: str) -> None:
    assert _text(completion) == text


@pytest.mark.parametrize(
    "answer",
    ["∃x (Cube(x) ∧ Small(x) → Left(x, a))", "∀x (Cube(x) → Left(x, a))", "∀x (Cube(x) ∧ Large(x) → Left(x, a))",
     "∀x (Cube(x) ∧ Small(x) → Left(a, x))", "∃x (Cube(x) → Left(a, x))", "∀x (Cube(x) ∨ ¬Cube(x))"],
)  # fmt: skip
def test_one_slip_finds_what_a_search_within_one_edit_finds(answer: str) -> None:
    gold = parse("∀x (Cube(x) ∧ Small(x) → Left(x, a))")
    listed = OneSlip(gold)
    found, sought = listed.distance(parse(answer)), distance(gold, parse(answer), within=1)
    assert (found.name, found.credit) == (sought.name, sought.credit)
