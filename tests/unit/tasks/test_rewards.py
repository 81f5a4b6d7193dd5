"""``nlfol.rewards``: graded, bounded, and never an error, whatever a completion is."""

import json
import random
from typing import Any

import pytest
from benchmarks.dressed_answers import PARTS, answers
from benchmarks.hostile import hostile
from benchmarks.reward_games import games
from benchmarks.rewards import coded, sampled
from tests.examples import CUBES, item
from tests.unit.tasks.answered import CASES
from tests.unit.tasks.test_gaming import GAMES, replies, variants

import nlfol
from nlfol.harnesses.questions import questions
from nlfol.logic import parse
from nlfol.logic.distance import OneSlip, distance
from nlfol.tasks.grading import IN_SIGNATURE, MOST, READ, Grader
from nlfol.tasks.logical_translation import LogicalTranslation
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


def grown(draw: random.Random, depth: int, bound: tuple[str, ...] = ()) -> str:
    """Return a text in the strict notation, of symbols given and others, some of which are words of labels."""
    sign = draw.choice("PQ=¬∀∃∧∨⊕→↔" if depth else "PQ=")
    terms = [draw.choice((*bound, *bound, "a", "b", "x", "answer")) for _ in range(2)]
    if sign == "=":
        return f"{terms[0]} {draw.choice('=≠')} {terms[1]}"
    if sign in "PQ":
        words = ("Foo", "Premise", "Sorry", "Wait", "cube", "B", "Or")
        name = draw.choice(
            ("Larger", "Larger", "Foo") if sign == "Q" else ("Cube", "Small", "Cube", draw.choice(words))
        )
        return f"{name}({', '.join(terms if sign == 'Q' else terms[:1])})"
    if sign in "¬∀∃":
        variable = "" if sign == "¬" else draw.choice("xyz")
        inner = grown(draw, depth - 1, (*bound, variable) if variable else bound)
        head = f"{sign}{variable} " if variable else sign
        return head + (f"({inner})" if draw.random() < 0.8 else inner)
    parts = (grown(draw, depth - 1, bound) for _ in range(2))
    return f" {sign} ".join(f"({part})" if draw.random() < 0.7 else part for part in parts)


@pytest.mark.parametrize("kind", ["grown", "sampled", "dressed"])
def test_lone_formulas_earn_what_the_full_reading_gives(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(kind)
    asked: list[tuple[str, str]] = []
    if kind == "grown":
        gold = {**item("∀x (Cube(x) → Larger(a, x))", "a is larger than every cube.").to_row()}
        symbols = item("∀x (Cube(x) → Larger(a, x) ∨ Larger(x, b) ∨ Small(b))", "").to_row()["ontology"]
        row = json.dumps({**gold, "ontology": symbols, "task": "logical_translation"})
        asked = [(row, grown(draw, draw.randint(1, 4))) for _ in range(600)]
    elif kind == "sampled":
        asked = list(sampled(questions("logical_translation", "tarski").rows[:12], 16, draw))
    else:
        told = [answer for part in PARTS for answer in answers(part, 250) if answer.form == "formula"]
        entry = {"task": "logical_translation", "reasoning": 0}
        asked = [(json.dumps({**answer.case.item.to_row(), "task": entry}), answer.text) for answer in told]
    asked += [
        (row, json.dumps({**reasoning, "answer": text}, ensure_ascii=number % 3 == 0))
        for number, (row, text) in enumerate(asked[::3])
        for reasoning in [{"reasoning": draw.choice(("", "No: p.", "Wait, <b> is wrong.", "\ud800", "{x}"))}]
    ]
    graders = {row: Grader(row) for row, _ in asked}
    is_lone = [graders[row]._translation.lone_formula(graders[row]._asked.item, text) for row, text in asked]  # type: ignore[union-attr]
    assert any(formula is not None for formula in is_lone)
    found = [graders[row].reward(text) for row, text in asked]
    monkeypatch.setattr(LogicalTranslation, "lone_formula", lambda *_: None)
    graders = {row: Grader(row) for row in graders}
    assert found == [graders[row].reward(text) for row, text in asked]


@pytest.mark.parametrize(
    "text",
    [
        "Foo(a) ∧ a = b → Cube(b)", "Premise(a) ∧ Cube(b)", "∀x (Or(x, a) → Cube(x))", "∀x_1 Cube(x_1)", "Cube(x_1)",
        "∀x Cube(x) → Small(x)", "Cube(f(a))", "( Cube(a) ) ∧ Foo(b)", "∀x. Cube(x)", "Cube(a) & Small(a)", "p", "",
        '{"reasoning": "<think>", "answer": "Foo(a)"}', '{"reasoning": "", "answer": "Cube(a)"} no',
        '{"reasoning": "\\ud800", "answer": "Cube(a)"}', '{"answer": "Cube(a)"}',
    ],
)  # fmt: skip
def test_text_that_could_be_read_in_another_way_is_no_lone_formula(text: str) -> None:
    grader = Grader(json.dumps({**item("Cube(a) ∧ Small(b)", "").to_row(), "task": "logical_translation"}))
    assert grader._translation is not None
    assert grader._translation.lone_formula(grader._asked.item, text) is None
